"""What a statement says beside its fact: on whose word, on what occasion, since when; and whether
it tells of what happened once."""

from __future__ import annotations

import re

from jmem.retrieval.patterns import LazyPattern

_ASIDE = LazyPattern(
    r"^\s*(?:(?:just\s+)?(?:a\s+)?(?:quick\s+)?(?:note|reminder|fyi|btw|by the way|for the record"
    r"|worth (?:knowing|noting|remembering)|remember|heads[ -]up|psa|good to know|also note"
    r"|as (?:an? )?(?:aside|reminder)|to be clear|as (?:\w+ ){1,3}(?:told|said|mentioned|explained)"
    r"[^,:]{0,20}|according to \w+|(?:so )?(?:that )?(?:you|we) know)"
    r"(?:\s+(?:for|to|of|on)\s+[^:,]{1,20})?\s*[:,–—-]\s*)"
    r"|^\s*(?:顺便一提|备忘|提醒|注意|记住|记一下|另外说一句|说明|补充)\s*[:：,，]\s*"
    r"|\s*[,;–—-]\s*(?:as (?!of\b)|see\b|says?\b|said\b|per\b|according\b|which\b|because\b"
    r"|since it"
    r"|so that\b|it is in\b|it's in\b|confirmed\b|noted\b|agreed\b|documented\b|if i\b|to be\b"
    r"|thanks to\b|courtesy\b|by the way\b|fyi\b|for now\b)[^,;]*$"
    r"|\s*\([^()]*\)\s*\.?$"
    r"|[,，;；]\s*[^,，;；]{0,12}(?:说的|也同意|同意|工单|手册|见|据|因为|由于|确认)[^,，;；]*$",
    re.IGNORECASE,
)

_WHEN = LazyPattern(
    r"\b(?:since|as of|starting(?: from| with)?|beginning|effective|following|after"
    r"|with effect from"
    r"|under|from|until|as from|during|in|by|with)\s+"
    r"(?:(?:the|this|that|our|a|an|last|next|today|tomorrow|yesterday|now|here|then)\b"
    r"|(?=january|february|march|april|may\b|june|july|august|september|october|november|december"
    r"|20\d\d))(?:[\s’']+\w+){0,3}[\s’']*"
    r"(?:\b(?:cutover|rollout|release|move|migration|upgrade|rewrite|clean-?up|policy|change|resize"
    r"|sprint|week|weekend|month|year|quarter|incident|outage|reorg|audit|switch|meeting|review"
    r"|deploy|deployment|update|refactor|refactoring|time|day|morning|night|on|now|today|tomorrow"
    r"|yesterday|here|\w+day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|20\d\d)\b)(?:\s+on\b)?"
    r"|\b(?:from (?:now|here|today|tomorrow|this \w+|next \w+)(?: on(?:wards?)?)?|these days"
    r"|any ?more"
    r"|at the moment|for the time being|from then on|going forward|as we speak)\b"
    r"|[自从]?(?:上次|下次|下周|下月|下个月|本周|这周|上周|本月|上个月|今天|明天|昨天|这次|最近)[^，。；]{0,6}?(?:起|开始|之后|后|以来)",
    re.IGNORECASE,
)

_EVENT = LazyPattern(
    r"\b(?:wrote|written by|designed|created|built by|invented|introduced|founded|authored|led by"
    r"|(?:load|stress|smoke)?-?\s?(?:tested|benchmarked) on|audited|prototyped|(?:was|were) done by"
    r"|began on|started on|broke on|crashed on|failed on|first ran|first version)\b"
    r"|编写|写的|设计了?的|创建的|当时|曾经|去年|前年",
    re.IGNORECASE,
)

_ONCE = LazyPattern(
    r"\b(?:back )?in (?:(?:early |late |mid-?)?(?:19|20)\d\d|(?:january|february|march|april|may"
    r"|june"
    r"|july|august|september|october|november|december|spring|summer|autumn|winter|fall)\b)"
    r"|\blast (?:year|spring|summer|autumn|winter|fall|month|week)\b|\byears? ago\b|\bback then\b"
    r"|\b(?:originally|initially|at first|in the beginning|at the time)\b",
    re.IGNORECASE,
)

_PAST_TENSE = LazyPattern(
    r"\b(?:was|were|did|had|ran|began|led|wrote|took|hit|went|saw|held|\w{3,}ed)\b", re.IGNORECASE
)

_HOLDS = LazyPattern(r"\b(?:now|no longer|since|has been|have been|is|are|moved|from now)\b", re.I)


def without_asides(text: str) -> str:
    """The text without the remarks before and behind its fact, two of each at most."""
    return _ASIDE().sub(" ", _ASIDE().sub(" ", text))


def without_times(text: str) -> str:
    """The text without what only says since when it holds."""
    return _WHEN().sub(" ", text).strip()


def tells_of_the_past(text: str) -> bool:
    """Whether the text tells of what happened once, which stays true whatever changes."""
    if _EVENT().search(text):
        return True
    return bool(_ONCE().search(text) and _PAST_TENSE().search(text) and not _HOLDS().search(text))
