"""Relative dates made absolute: what was "today" must not be read as today later."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta

from jmem import clock

_DAYS = {
    "today": 0,
    "tonight": 0,
    "yesterday": -1,
    "tomorrow": 1,
    "今天": 0,
    "今晚": 0,
    "昨天": -1,
    "明天": 1,
    "前天": -2,
    "后天": 2,
}
_DAY = re.compile(
    rf"\b(?:on\s+)?({'|'.join(k for k in _DAYS if k.isascii())})\b('s)?", re.IGNORECASE
)
_DAY_ZH = re.compile("|".join(key for key in _DAYS if not key.isascii()))
_FROM_NOW = re.compile(
    r"\b(?:from now on|going forward|as of (?:now|today)|starting (?:now|today)"
    r"|in (?:the )?future)\b[,:]?\s*"
    r"|(?:从现在(?:开始|起)|从今天(?:开始|起)|从今(?:往后|以后)|以后|今后)[,，]?(?:请)?",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"\b(?:now|currently|at the moment|recently|lately"
    r"|(?:this|next|last) (?:week|month|year|quarter|sprint)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:days?|weeks?|months?) ago)\b"
    r"|现在|目前|最近|这周|下周|上周|本周|这个月|下个月|上个月",
    re.IGNORECASE,
)


def absolute(text: str, moment: datetime | None) -> str:
    """The text with its dates made absolute, or nothing when it is not known when it was said.

    "From now on" goes: since when a rule holds is the date that the memory itself carries.
    """
    resolved = _FROM_NOW.sub("", text).strip()
    relative = _DAY.search(resolved) or _DAY_ZH.search(resolved) or _VAGUE.search(resolved)
    if moment is None:
        return "" if relative else resolved
    resolved = _DAY.sub(_date_of(moment, "on "), resolved)
    resolved = _DAY_ZH.sub(_date_of(moment, ""), resolved)
    chinese = bool(re.search(r"[\u4e00-\u9fff]", resolved))
    day = clock.day(moment)
    if _VAGUE.search(resolved):
        return _with(resolved, f"{day} 所说" if chinese else f"said on {day}", chinese=chinese)
    return resolved


def _date_of(moment: datetime, before: str) -> Callable[[re.Match[str]], str]:
    def date(found: re.Match[str]) -> str:
        word = (found[1] if found.re is _DAY else found[0]).lower()
        day = clock.day(moment + timedelta(days=_DAYS[word]))
        possessive = found.re is _DAY and found[2]
        return f"the {day}" if possessive else f"{before}{day}"

    return date


def _with(text: str, addition: str, *, chinese: bool) -> str:
    body = text.rstrip(" .。!！")
    return f"{body}（{addition}）。" if chinese else f"{body} ({addition})."
