"""What makes a Chinese sentence of a user durable; the same order of rules as in English."""

from __future__ import annotations

import re

from pipelines.phase1.finding import Finding, Strength
from pipelines.phase1.patterns import any_of

_LEAD = re.compile(
    r"^(?:(?:好的?|嗯+|对|那|另外|还有|而且|但是?|不过|顺便|麻烦你?|请你?|拜托|注意|其实|啊|哦)"
    r"[，,：:、\s]*)+"
)
_REJECTS = re.compile(r"^(?:不对|不是这样|错了|不行|你搞错了|不)[了啊]?[，,。！!\s]+")
_FROM_NOW = any_of(
    r"^(?:以后|今后|从现在(?:开始|起)|从今(?:往后|以后|天起))(?!再说|再看|再讨论|会不会)",
)
_STANDING = any_of(
    r"^(?:你|我们|大家|所有[^，。]{1,16}|每次[^，。]{1,20}[，,]?)?都?"
    r"(?:总是|始终|永远|一律|务必|绝对?不要?|绝不|千万(?:不要|别)|禁止|严禁|不允许|必须)\s?\S.+",
    r"^[^，。这那它你]{2,20}(?:必须|一律|都要|只能|不能|不得|禁止)"
    r"(?:先|用|使用|是|写|走|经过|包含|放在|提交|直接)\S+",
)
_PREFER = any_of(
    r"^(?:我|我们)(?:个人|更|比较|一般|通常|还是)*(?:喜欢|偏好|倾向于?|习惯|讨厌|不喜欢)\s?\S.+",
)
_USE_NOT = any_of(
    r"^(?:我们|请|统一|应该|要|都|改)*(?:用|使用|采用)\s?\S.{0,24}?[，,]?\s?"
    r"(?:而?不是|而?不要(?:用|使用)?|不用|别用|代替|替代|而非)\s?\S.{0,24}$",
    r"^(?:[^，。这那]{2,12})?(?:不要|别|不能|禁止)再?(?:用|使用)\s?\S.{0,24}?[，,]\s?(?:要|请|应该|改)?(?:用|使用)\s?\S.{0,24}$",
)
_DECIDED = any_of(
    r"^(?:我们)?(?:已经)?(?:不再(?:用|使用|支持)|决定(?:用|使用|采用|不|改)?|改用|换成了?|迁移到"
    r"|统一(?:用|使用|采用))\s?\S+",
    r"^(?:忘掉|忘记(?:关于)?)\S{3,}",
)
_WE_USE = any_of(
    r"^(?:我们|本项目|项目里?|团队|公司|这个项目)(?:都|一直|统一)?"
    r"(?:用|使用|采用|部署在|运行在|放在|遵循)\s?\S.+",
    r"^我们的[^，。]{1,12}(?:部署在|运行在|放在|使用|用|是)\s?\S.+",
    r"^我(?:用|使用|负责)\s?\S.{2,}",
)
_DONT = any_of(
    r"^(?:不要|别|不许)(?:再|直接|随便|自动)?"
    r"(?:用|使用|提交|推送|修改|改动?|mock|硬编码|写|加|跑|运行|创建|生成|删除?)\s?\S.{2,}",
)
_CORRECTED = any_of(
    r"^(?:应该|要|得)?(?:用|使用|改用|是)\s?\S{2,}",
    r"^\S{2,12}(?:是|在|用)\s?\S{1,30}$",
    r"^[^，。这那它你\s]{2,16}\s?(?:是|在|用)\s?[^，,。\s]{1,30}[，,]\s?(?:而?不是|不在|不用)"
    r"\s?[^，,。\s]{1,30}[。！!.]?$",
)
_QUESTION = re.compile(r"[？?]\s*$|吗|呢|是不是|能不能|可不可以|要不要|为什么|怎么|什么|哪")
_TRANSIENT = any_of(
    r"这(?!个?(?:项目|仓库|代码库|台机器|个?团队))|那个|那里|那边|另一|别的|其他|它|暂时|先不|先别|刚才|上面|下面",
    r"第[一二三四五六七八九十\d]+[行步个]|还没|一下$",
)
_BROKEN = re.compile(r"报错|失败|出错|有问题|坏了|不工作|没反应|崩溃")
_HAN = re.compile(r"[\u4e00-\u9fff]")

_STRONG = (
    (_FROM_NOW, "preference"),
    (_STANDING, "preference"),
    (_PREFER, "preference"),
    (_USE_NOT, "preference"),
    (_DECIDED, "decision"),
)
_WEAK = ((_WE_USE, "fact"), (_DONT, "preference"))


def is_chinese(sentence: str) -> bool:
    """Whether the Chinese rules are the ones to ask."""
    return len(_HAN.findall(sentence)) >= 2


def find(sentence: str, *, own: bool) -> Finding | None:
    """What is durable in a sentence; ``own``: the turn is surely the user's own words."""
    said = _LEAD.sub("", sentence.strip()) or sentence.strip()
    rejects = _REJECTS.match(said) is not None
    said = _LEAD.sub("", _REJECTS.sub("", said))
    if _QUESTION.search(said) or _TRANSIENT.search(said) or len(said) < 5:
        return None
    for pattern, kind in _STRONG:
        if pattern.match(said):
            return Finding(said, "correction" if rejects else kind, Strength.RULE)
    if not own or _BROKEN.search(said):
        return None
    weak = ((_CORRECTED, "correction"), *_WEAK) if rejects else _WEAK
    for pattern, kind in weak:
        if pattern.match(said):
            return Finding(said, "correction" if rejects else kind, Strength.STATEMENT)
    return None


def only_rejects(sentence: str) -> bool:
    """Whether a sentence only says that something was wrong: what is right comes next."""
    said = sentence.strip()
    return bool(said) and _REJECTS.fullmatch(said) is not None


def without_lead(sentence: str) -> str:
    """The sentence without what people say before they say something."""
    return _LEAD.sub("", sentence.strip()) or sentence.strip()
