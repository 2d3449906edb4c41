"""Chinese text as words: those that the rules know, names of persons, and what is left.

Chinese has no spaces; a table of the few words by which developers' facts are told, the longest
first, cuts a run of characters up, and what starts with a surname between two of them is a name.
"""

from __future__ import annotations

from collections.abc import Iterator

from jmem.retrieval.patterns import LazyPattern
from pipelines.rules.attributes import HAN_CUES
from pipelines.rules.vocabulary import NEGATIONS

_FUNCTION = """
的 了 是 在 为 由 把 被 从 到 给 用 请 去 要 会 能 就 也 都 已 已经 现在 现已 如今 今后 以后
从此 目前 原来 以前 之前
改为 改成 改用 改由 改 换成 换到 换了 换 转到 转给 转 调到 调成 调至 调 迁移到 迁到 搬到 搬 变成
变为 更正 升级到 升级 今天
起 开始 之后 后 最多 秒 天 分钟 小时 号 个 次 走 敲 一次 全部 一遍 新的 新 条 这 这件事 有关
关于 对 和 与 并 里 上 下 中
别 不再 而不是 放弃 替换 取代 代替 动过 使用 记得 注意 提醒 备忘 顺便 一提 命令 值 设为 设置 设
至 那边 这边 来 着 时 就行 即可
"""
_SURNAMES = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏窦章苏潘葛奚范"
    "彭郎鲁韦昌马苗凤花方俞任袁柳酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安乐傅皮卞齐康伍余卜顾孟"
    "黄穆萧尹姚邵湛汪祁毛禹狄米贝臧戴谈宋茅庞熊纪舒屈祝董梁杜阮蓝闵席季麻贾路娄江童颜郭梅盛林"
    "刁钟徐邱骆高夏蔡田樊胡凌霍虞万柯卢莫房裘缪宗丁宣邓郁杭洪诸石崔吉龚程嵇邢裴陆荣翁荀羊惠甄"
    "曲储靳富巫乌焦巴弓牧侯宓班仰秋仲伊宫宁仇栾甘厉祖武刘景詹束龙叶幸韶黎薄印白蒲邰鄂索咸籍赖"
    "卓蔺屠蒙池乔阴温庄晏柴瞿阎慕习艾鱼容古易慎戈廖庾衡耿满弘匡文寇广禄阙东欧沃利蔚越夔隆师巩"
    "聂晁勾敖融冷辛阚简饶曾游涂阿小老"
)
_KNOWN = LazyPattern(
    "|".join(sorted({*HAN_CUES, *_FUNCTION.split(), *NEGATIONS}, key=len, reverse=True))
)
_LONGEST_NAME = 3


def cut(run: str) -> Iterator[tuple[int, str, bool]]:
    """The words of a run of Chinese characters: where each begins, the word, and whether it is one
    of the table."""
    at = 0
    while at < len(run):
        known = _KNOWN().match(run, at)
        if known:
            yield at, known.group(), True
            at = known.end()
            continue
        end = at + 1
        while end < len(run) and not (_KNOWN().match(run, end) and end - at >= 2):
            end += 1
        yield at, run[at:end], False
        at = end


def is_name(word: str) -> bool:
    """Whether a word that is in no table looks like the name of a person."""
    return 2 <= len(word) <= _LONGEST_NAME and word[0] in _SURNAMES
