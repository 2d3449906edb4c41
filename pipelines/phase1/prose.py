"""The user's own prose in a turn, sentence by sentence.

Logs, code, quotations, diffs and whole documents are pasted, not said: they are left out
before any rule looks, because a rule cannot tell a pasted order from one of the user's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelines.phase1 import remembering

MAX_PROSE = 6_000
MAX_SENTENCE = 400
_SHORT_ENOUGH = 1_200

_FENCE = re.compile(
    r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_COMMENT = re.compile(r"<!--[^<]{0,2000}-->|<([a-z][\w-]{2,40})>[^<]{0,2000}</\1>")
_PASTED_LINE = re.compile(
    r"""^\s*(?:
      >                                   # a quotation
    | [$%❯➜❱#]\s*\S*\s*(?:[\w./-]+\s)*$    # a prompt of a shell
    | [❯➜⏺⎿│┃└├╭╰✓✗✔✘•⨯·▶●]              # what terminal programs draw
    | [|+]                                # a table, an added line
    | -(?:--|\w)                          # a removed line, a flag
    | @@ | diff\s--git | index\s[0-9a-f]{7}
    | (?:\w+\s)?at\s\S+\s?\(.*\)$ | File\s".*",\sline | Traceback | \s*\^+\s*$
    | \[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d | \w{3}\s+\d+\s\d\d:\d\d:\d\d | \[?\d\d:\d\d:\d\d
    | \[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|DEBU|FAIL|PASS)\b
    | (?:[\w./-]+)?(?:Error|Exception)\b.*:
    | [{}\[\]<]
    | "[^"]*"\s*:
    | \S+:\d+(?::\d+)?[:\s]                # file:line
    | https?://\S+\s*$
    )""",
    re.VERBOSE,
)
_INDENTED = re.compile(r"^(?: {4,}|\t)\S")
_HEADING = re.compile(r"^#{1,6}\s+\S")
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.)])\s+")
_INTRODUCES = re.compile(
    r"(?:feedback|error|errors|log|logs|output|console|comment|comments|message|review|following"
    r"|below|says|said|prints?|trace|result|response|报错|日志|输出|如下|错误|反馈|评论)[^.\n]{0,60}[:：]\s*$",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"\b(?:High|Medium|Low|Critical) Severity\b|^Operation stopped by hook|^[ \t]*at .+:\d+\)?$",
    re.MULTILINE,
)
_ENDS = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)[\"')\]]*\s+|(?<=[。！？；!?;])\s*(?=[\u4e00-\u9fff])"
)
_CARRIES = re.compile(
    r"^(?:.*\b)?(?:from now on|remember|always|never|going forward|house rules?|my preferences?"
    r"|our conventions?)\s*:$|^.*(?:以后|记住|今后|从现在开始|务必|规则|约定)[^。]{0,8}[:：]$",
    re.IGNORECASE,
)
_REMEMBER = "Remember: "


def sentences(text: str) -> Iterator[str]:
    """The sentences that the user said in a turn, in order.

    The items of a list under "from now on:", or the line under it, come with these words before
    them.
    """
    carried, is_under = "", False
    for line in _lines(own(text)):
        bullet = _BULLET.match(line)
        body = line[bullet.end() :] if bullet else line
        if not bullet and not is_under:
            carried = ""
        asks = remembering.introduces(body)
        is_under = asks or _CARRIES.match(body) is not None
        if is_under:
            carried = _REMEMBER if asks else body.rstrip(":：").strip() + " "
            continue
        for sentence in _ENDS.split(body):
            if sentence and sentence.strip() and len(sentence) <= MAX_SENTENCE:
                yield carried + " ".join(sentence.split())


def is_short(text: str) -> bool:
    """Whether a turn is short enough to be all the user's own, weak signs included."""
    return len(text) <= _SHORT_ENOUGH and not _REPORT.search(text)


def own(text: str) -> str:
    """The text without what was pasted into it; nothing, for a pasted report or document."""
    text = text[: 2 * MAX_PROSE]
    if _REPORT.search(text):
        return ""
    text = _COMMENT.sub("\n", _FENCE.sub("\n", text))
    kept: list[str] = []
    for line in text.splitlines():
        if _HEADING.match(line):
            break  # a document begins; what stood before it is the user's
        if _PASTED_LINE.match(line) and not _BULLET.match(line):
            continue
        if _INDENTED.match(line) and not _BULLET.match(line):
            continue
        kept.append(line)
        if line.rstrip().endswith((":", "：")) and _INTRODUCES.search(line[-120:]):
            break  # what follows is a quotation, marked as one or not
    return "\n".join(kept)[:MAX_PROSE]


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, those that were only wrapped put together again."""
    current = ""
    for line in text.splitlines():
        wrapped = current and line[:1].islower() and current[-1:] not in ".!?:;。！？：；"
        if wrapped and not _BULLET.match(line):
            current = f"{current} {line.strip()}"
            continue
        if current.strip():
            yield current
        current = line.rstrip()
    if current.strip():
        yield current
