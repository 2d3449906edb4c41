"""What developers' facts are about: the attributes that a thing can have, by the words that say so.

A statement is read as a thing, an attribute and a value (:mod:`pipelines.rules.reading`). The sort
of its value narrows down what it can be about: a port, a deadline and a number of workers are all
numbers, a host is none. Within a sort the words decide, whatever their order: ``owns``, ``is
maintained by`` and ``talk to`` name one attribute.
"""

from __future__ import annotations

from enum import StrEnum

from jmem.retrieval.stems import stem
from pipelines.rules.vocabulary import CANONICAL


class Sort(StrEnum):
    """The sorts of values: only those of one sort can take each other's place."""

    COUNT = "count"
    DURATION = "duration"
    TIME = "time"
    WEEKDAY = "weekday"
    VERSION = "version"
    URL = "url"
    CHANNEL = "channel"
    HOST = "host"
    PATH = "path"
    FLAG = "flag"
    COMMAND = "command"
    VARIABLE = "variable"
    IDENTIFIER = "identifier"
    NAME = "name"


_TABLE = """
port: count
    port listen bind bound answer tunnel socket tcp udp accept reach serve connect expose occupy
endpoint: url
    endpoint url address reach call expose live hit base request api gateway entry serve available
    found answer host public
dashboard: url
    dashboard graph chart metric panel grafana monitor statistic plot doing health
manual: url path
    doc documentation wiki manual runbook handbook guide readme
source: url
    repository repo source clone mirror remote
log: path url
    log trace
limits: path
    limit quota cap bound ceiling threshold
settings: path
    config configuration setting option configured
schema: path
    schema migration model
secrets: path variable
    secret credential key password token
backup: path url
    backup snapshot dump archive
test: command
    test check suite verify spec verification validate validation exercise
build: command
    build compile bundle package
deploy: command
    deploy ship rollout publish release promote
lint: command
    lint linter style
format: command
    format formatter reformat
start: flag
    start launch boot startup bring run begin switch invoke fire spin pass flag
boot: command
    start launch boot startup bring
bench: command
    benchmark bench profile
install: command
    install setup bootstrap
runtime: version
    version require need run build built compile toolchain pin hold target runtime interpreter
    compiler sdk demand expect use stand support
host: host
    host machine box node vm server deploy run serve ssh home live carry sit hardware place find
    running hosted behind reside instance migrate house work log
owner: name
    own owner maintain maintainer care charge contact responsible responsibility ask talk question
    look steward hand go-to ping turn belong caretaker keeper custodian person belongs reach address
reviewer: name
    review reviewer approve approver sign
on-call: name
    on-call oncall pager paged rota
author: name
    author wrote written design invent create introduce audit prototype found
timeout: duration
    timeout time wait give deadline allow patience abort abandon cancel hang respond limit answer
    take call
retention: duration
    retain retention keep kept hold held survive expire purge delete throw drop age lifetime remove
    dump snapshot backup archive discard store prune
interval: duration
    interval poll refresh period cycle heartbeat frequency
storage: name
    store data row persist keep database db record storage back table save underneath datastore
    hold write
client: name
    library client request peer http speak lib call dependency sdk driver
queue: name
    queue broker message event stream publish
cache: name
    cache
reply: name
    reply answer respond response
editor: name
    editor edit
diagram: name
    diagram draw drawing
release: weekday
    release ship shipping deploy rollout publish launch cut live train
meeting: weekday
    meeting retro retrospective standup planning demo
schedule: time
    schedule start begin due kick slot fire trigger run happen execute cron set clock
alarm: channel
    alarm alert page notify notification warn warning incident raise pager
support: channel
    question support discuss help ask
"""

_HAN = """
port: 端口 端口号 监听 占用 占着 开放 连接 访问 绑定 对外
owner: 负责 负责人 联系人 联系 照看 归 管 维护 维护者 维护人 事 问题 问 找 接手 接管 交给 转给
owner: 对接人 咨询 主管 所有者
reviewer: 审查 评审 审核
author: 编写 设计 创建 写的 作者
test: 检查 测试 验证 检测 校验
build: 构建 编译 打包
deploy: 部署 发布 上线
start: 启动 运行
timeout: 等待 超时 上限 时限 等 放弃 调用 花
retention: 保留 保存 过期 删除 清理
storage: 数据库 数据 存储 存 存在 保存
host: 主机 机器 服务器 部署 跑 运行 搬到 迁移
runtime: 版本 需要 要求 使用
release: 发布 上线 发版
endpoint: 地址 入口 访问 接口
log: 日志
settings: 配置
alarm: 告警 报警 警报 通知
reply: 回复 回答 答复
editor: 编辑器
"""
"""The same attributes in Chinese."""

WEAK_ATTRIBUTES = frozenset({"schedule"})
"""Attributes of whatever the other words name; having one in common says nothing."""

MANY_AT_A_TIME = frozenset({"start", "host", "author", "support", "client", "reviewer"})
"""Attributes of which a thing can have more than one: there only an announced change replaces."""

DEFAULT = {
    Sort.HOST: "host",
    Sort.FLAG: "start",
    Sort.VERSION: "runtime",
    Sort.WEEKDAY: "release",
}
"""What a value of the sort is taken for where no word says anything else."""

_GENERIC = """
in place now today nowadays lately recently currently henceforth day week month sprint quarter year
morning night weekend last next new old former current change switch move moved migrate went go
become became set put take took taken get got give given bump raise lower lift cut increase reduce
shift transfer relocate rename replace swap drop ditch retire abandon upgrade downgrade stop start
begin happen need use want please remember correct actual update instead say said through mean way
one ones time still have been be is name call work located found sit stand stay remain pass end up
each every per into want land find see look whenever wherever like prefer favor always default
previous current formerly previously latest before after down shut left remove deprecate gone
gave more two given second goes tell show see know learn read contain mean inside within through
underneath behind whole complete entire let keep kept bring point plus begin here there around about
few fewer many much around roughly exactly precisely always ever again only simply just well
good seconds minute hour ms s min h day d
"""
"""Words that say neither which thing nor which attribute a statement is about."""


def key(word: str) -> str:
    """The key under which a plain word is compared, as in :mod:`pipelines.rules.values`."""
    return CANONICAL.get(word) or CANONICAL.get(stem(word)) or stem(word)


CUES: dict[str, frozenset[str]] = {}
"""Key of a word -> the attributes that it can stand for."""
HAN_CUES: dict[str, frozenset[str]] = {}
"""The same for Chinese words."""
SORTS: dict[str, frozenset[Sort]] = {}
"""Attribute -> the sorts of value that it has."""
GENERIC = frozenset(map(key, _GENERIC.split()))


def _fill() -> None:
    attribute = ""
    for line in _TABLE.strip().splitlines():
        head, colon, sorts = line.partition(":")
        if colon:
            attribute = head
            SORTS[attribute] = frozenset(map(Sort, sorts.split()))
            continue
        for word in line.split():
            CUES[key(word)] = CUES.get(key(word), frozenset()) | {attribute}
    for line in _HAN.strip().splitlines():
        attribute, _, found = line.partition(": ")
        for word in found.split():
            HAN_CUES[word] = HAN_CUES.get(word, frozenset()) | {attribute}


_fill()


def attributes(cues: frozenset[str], sort: Sort) -> frozenset[str]:
    """Those of the attributes that can have a value of this sort."""
    return frozenset(name for name in cues if sort in SORTS[name])
