"""Whether two statements speak of two members of one series: ``note 4`` and ``note 5``, service A
and service B. However alike they are, neither changes the other."""

from __future__ import annotations

import re
from collections import defaultdict

from jmem.retrieval.patterns import LazyPattern

_COUNTED = LazyPattern(
    r"\b(note|fact|item|entry|memory|record|rule|case|example|sample|test|message|statement|round|worker|process|thread"
    r"|notiz|fakt|eintrag|regel)\s+(?:(?:number|no\.?|nr\.?|nummer)\s*)?#?(\d+)\b(?![.:/]\d)"
    r"|\b(number|no\.|nr\.|nummer)\s*(\d+)\b"
    r"|(编号|序号|第)\s*(\d+)",
    re.IGNORECASE,
)
"""What is counted for no other end than to tell one from the other."""
_MEMBER = LazyPattern(
    r"^\W*(?:(?:[Tt]he|[Oo]ur|[Aa]n?)\s+)?((?:\w+\s+)?(?:\w{3,}(?=\s+[A-Z]\b)|"
    r"[Ss]tep|[Ww]orker|[Tt]hread|[Pp]rocess|[Ss]hard|[Mm]odule|[Ii]ssue|[Tt]icket|[Tt]ask|[Jj]ob"
    r"|[Mm]ilestone|[Ss]print|[Tt]eam|[Mm]achine|[Cc]lient|[Ss]ervice|[Uu]ser|[Pp]roject))"
    r"\s+#?(\d+|[A-Z])\b(?![.:/]\d)"
)
"""A statement that begins with a thing and its number or letter."""
_SHORT = LazyPattern(r"^\W*(?:the\s+)?([a-uw-z])(\d+)\s", re.IGNORECASE)


def two_members(one: str, other: str) -> bool:
    """Whether both name a member of one series, and not the same one."""
    left, right = _members(one), _members(other)
    return any(left[series].isdisjoint(right[series]) for series in left.keys() & right.keys())


def _members(text: str) -> dict[str, set[str]]:
    """The series that a text speaks of, and the members it names."""
    found: dict[str, set[str]] = defaultdict(set)
    for match in _COUNTED().finditer(text):
        series, which = (part for part in match.groups() if part)
        found[series.lower()].add(which.lstrip("0"))
    for pattern in (_MEMBER, _SHORT):
        begun = pattern().match(text)
        if begun:
            found[f"^{begun[1].lower()}"].add(begun[2].lstrip("0"))
    return found
