"""Which of the values of one statement it says are over: ``from 80 to 81``, ``not on oak-2``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jmem.retrieval.patterns import LazyPattern
from pipelines.rules.attributes import Sort

_REACH = 48
_BETWEEN = r"(?:\s+(?!(?:to|onto|into|for|by|but|now|is|are|and|now|has|have)\b)[\w/'’-]+){0,4}"
_STRONG_BEFORE = LazyPattern(
    rf"\b(?:instead of|rather than|in place of|place of|not|no longer|no more|never|formerly"
    rf"|previously|earlier|before that|used to|until (?:now|recently|today)|over from|away from"
    rf"|don't|do not|doesn't|stop(?:s|ped)?|quit|g[ai]v(?:e|en|ing) up|unlike|moved off|off)"
    rf"{_BETWEEN}\s*[`“\"'(]*$"
    r"|\b(?:replac(?:e|es|ed|ing)|swap(?:s|ped)?|trad(?:e|es|ed)|exchang(?:e|es|ed)|drop(?:s|ped)?"
    r"|ditch(?:es|ed)?|abandon(?:s|ed)?|retir(?:e|es|ed)|left|leaves|supersed(?:es|ed)|outgrew"
    r"|remov(?:e|es|ed)|deprecat(?:es|ed))(?:\s+(?:the|port|host|use|using|version|our|old|\w+ing)"
    r")?\s*[`“\"']*$"
    r"|(?:不再(?:是|用|使用|由|走|监听|跑在)?|放弃|别再\S?|原来\S{0,3}|而不是|不是|不用|替换|取代|代替|弃用"
    r"|以前\S{0,3}|之前\S{0,3}|原先\S{0,3}|曾\S{0,2}|旧的\S{0,3})\s*[`“]?$",
    re.IGNORECASE,
)
_WEAK_BEFORE = LazyPattern(
    r"\b(?:from|out of|was|were|had|once|past)(?:\s+(?:the|at|on|in|port|host|by|called|named"
    r"|using|still|[A-Z]\w+))?\s*[`“\"'(]*$"
    r"|[从由]\s*[`“]?$",
    re.IGNORECASE,
)
_AFTER = LazyPattern(
    r"[`”\"')]*(?:\s+(?:seconds?|minutes?|days?|hours?))?\s*,?\s*"
    r"(?:(?:which\s+)?(?:was|were|is|are|has been|have been|had been|got|being)\s+(?:now\s+)?"
    r"(?:gone|thrown|dropped|renamed|retired|replaced|removed|too|split|merged|shut|turned|switched"
    r"|superseded|deprecated|abandoned|history|obsolete|dead|decommissioned|discontinued|over|out"
    r"|scrapped|killed|deleted|not used|unused|no longer|wrong|outdated|phased|away|leaving)\b"
    r"|(?:has|have)\s+(?:left|retired|moved on|stepped down|gone|quit|died)\b"
    r"|(?:left|retired|stepped down|moved on|is gone|handed|passed|gave(?! up)|went away|quit)\b)"
    r"|[`”\"')]*(?:\s+(?:seconds?|minutes?|days?|hours?))?\s+"
    r"(?:(?:no longer|used to)\s+(?!after|on|in|at|by|with)|(?:before|previously|formerly|earlier)$"
    r"|until (?:now|then|today|recently))"
    r"|[`”]?\s*(?:端口)?\s*(?:已?(?:停用|废弃|下线|作废|不用了|离职|走了|退休)|换成|换到|改为|改成|改用|迁到|迁移到|转到)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Value:
    """A value: of what sort, how it is compared, how it was written, and where it begins."""

    sort: Sort
    key: str
    surface: str
    start: int


def gone_among(text: str, values: Sequence[Value]) -> Iterator[Value]:
    """Those of the values in the text that it says are over, in favour of one of their sort; a
    value that stands alone only where it is plainly denied."""
    by_sort: dict[Sort, list[Value]] = defaultdict(list)
    for value in values:
        by_sort[value.sort].append(value)
    for alike in by_sort.values():
        marked = [value for value in alike if _marked(text, value)]
        if not marked and len({value.key for value in alike}) > 1:
            marked = [value for value in alike if _WEAK_BEFORE().search(_head(text, value))]
        over = {value.key for value in marked}
        if len(alike) == len(marked) and len(over) > 1:
            continue
        yield from (value for value in alike if value.key in over)


def _marked(text: str, value: Value) -> bool:
    end = value.start + len(value.surface)
    if _STRONG_BEFORE().search(_head(text, value)):
        return True
    return bool(_AFTER().match(text, end))


def _head(text: str, value: Value) -> str:
    return text[max(0, value.start - _REACH) : value.start]
