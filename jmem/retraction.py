"""Texts that ask for forgetting. Pure.

What somebody wants to be rid of is no fact while it waits for a night to carry it out.
"""

from __future__ import annotations

import re

from jmem.retrieval.patterns import LazyPattern
from jmem.retrieval.tokens import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_I = re.IGNORECASE
_LONGEST = 400
_BODY = r"(?P<body>.+)"
_ANY_MORE = r"(?:\s+any\s?(?:more|longer))?"
_ABOUT = (
    r"(?:that|this|about|the\s+(?:fact|note|memory|rule|preference)(?:\s+(?:that|about|on))?)\s*"
)
_HELD = r"(?:note|memory|rule|fact|preference|entry)"
_TRUE = (
    r"(?:true|valid|relevant|correct|needed|necessary|the\s+case|applicable"
    r"|in\s+(?:use|force|effect)|required|current|accurate)"
)
_POLITE = r"(?:(?:please|just|you\s+can|you\s+may|kindly|no,?|ok,?|actually,?)\s+)*"
_SAID = (
    r"(?:what|that|this|the|my|about|whatever|anything|earlier|previous|last|note|remark|statement|rule"
    r"|i|we|you|said|told|wrote|noted|mentioned|claimed|down|on|of|before|it|following|one|yesterday"
    r"|bit|point|thing|fact|memory|entry)\b"
)
_OVER = (
    rf"(?:(?:no\s+longer|not)\s+{_TRUE}|obsolete|outdated|out\s+of\s+date|wrong|false|void|invalid"
    r"|incorrect|moot|a\s+mistake|my\s+mistake|history|withdrawn|retracted|revoked|superseded|stale"
    r"|(?:no\s+longer|not)\s+(?:so|how\s+it\s+is|what\s+we\s+do))"
)
_HAN_END = r"[。!！]?$"
_HAN_OVER = r"(?:不再(?:适用|有效|成立|需要|正确)|作废|失效|过时)"
_RETRACTIONS = tuple(
    LazyPattern(source, _I)
    for source in (
        rf"^{_POLITE}(?:forget|disregard|ignore|scrap|strike|cancel|discard|drop|retract|unlearn"
        rf"|erase|undo|withdraw|(?:i\s+)?take\s+back)\s+(?:{_SAID}\s*){{1,7}}[:,;–—-]\s*{_BODY}$",
        r"^(?:(?:that|this|the\s+following|it|what\s+i\s+said)\s+(?:is|was|were|has\s+become)\s+)?"
        rf"{_OVER}{_ANY_MORE}\s*[:;–—-]\s*{_BODY}$",
        r"^(?P<body>.{6,}?)\s*[,:;(–—-]+\s*(?:(?:that|this|it|which|all\s+of\s+(?:that|this))\s+)?"
        r"(?:(?:is|was|has|turned\s+out|proved)\s+)?(?:become\s+|to\s+be\s+|now\s+|all\s+)*"
        rf"{_OVER}{_ANY_MORE}\W*$",
        rf"^(?:please\s+)?(?:forget|disregard|unlearn)[\s:]+(?:{_ABOUT})?[:,]?\s*{_BODY}$",
        r"^(?:please\s+)?(?:drop|delete|remove|ignore|retract|discard)\s+(?:your|the|my|our)\s+"
        rf"(?:old\s+)?{_HELD}\s*(?:that|about|on|of)?\s*[:,]?\s*{_BODY}$",
        rf"^(?:this\s+is\s+)?(?:no\s+longer|not)\s+{_TRUE}{_ANY_MORE}\s*[:,—-]\s*{_BODY}$",
        rf"^(?:obsolete|outdated|retracted|revoked)\s*[:—-]\s*{_BODY}$",
        rf"^never\s?mind\s+(?:about\s+)?{_BODY}$",
        rf"^(?:it(?:'s|\s+is)\s+)?(?:no\s+longer|not)\s+{_TRUE}{_ANY_MORE}\s+that\s+"
        rf"(?P<body>.+?){_ANY_MORE}\W*$",
        r"^(?P<body>.{6,}?)[\s,:—-]+(?:(?:that|this|it)\s+)?(?:is|are|was|were|does|do)?\s*(?:no\s+longer|not|n't)\s+"
        rf"{_TRUE}(?:\s+now)?{_ANY_MORE}\W*$",
        r"^(?P<body>.{6,}?)[\s,:—-]+(?:no\s+longer\s+(?:applies|apply|holds?|matters?)"
        rf"|(?:does|do)(?:n't|\s+not)\s+(?:apply|hold|matter){_ANY_MORE}"
        r"|(?:is|are|has\s+become)\s+(?:now\s+)?(?:obsolete|outdated|moot))\W*$",
        r"^(?:请)?(?:忘掉|忘记|忘了|别再记|不用再?记|不要再?记)(?:住)?(?:关于|有关)?[:：,，]?\s*"
        rf"(?P<body>.+?)(?:这件事|这条|的事)?{_HAN_END}",
        r"^(?:请)?(?:删除|删掉|撤销|作废)(?:这条|关于|有关|记忆)+[:：,，]?\s*"
        rf"(?P<body>.+?)(?:的?(?:记忆|记录|规则))?{_HAN_END}",
        r"^(?:请)?(?:忽略|无视|取消|收回|撤回|划掉|忘掉|忘了|别记)(?:我)?(?:之前|刚才|上次)?(?:说|讲|写|记)?"
        r"(?:过|的)*(?:话|这条|那条|这句|内容)*[:：,，]?\s*(?P<body>.+?)(?:这件事|这条|这句话|的事)?"
        rf"{_HAN_END}",
        r"^(?P<body>.{3,}?)[,，]?\s*(?:这(?:条|个|句)?(?:规则|约定|说法|话)?)?(?:已经?|现在)?"
        rf"(?:不对|错了|不算数|不成立|取消|不是这样)了?{_HAN_END}",
        rf"^(?:{_HAN_OVER}|不再相关|已(?:作废|失效|过时))[:：,，]\s*{_BODY}$",
        r"^(?P<body>.{3,}?)[,，]?\s*(?:这(?:条|个)?(?:规则|约定|说法)?)?(?:已经?)?"
        rf"{_HAN_OVER}了?{_HAN_END}",
    )
)
_WORD = LazyPattern(r"\w+")


def bodies(text: str) -> Iterator[str]:
    """What the text asks to forget, by every form of asking that it has."""
    folded = " ".join(text.split())
    for pattern in _RETRACTIONS if len(folded) <= _LONGEST else ():
        match = pattern().match(folded)
        if match:
            yield match["body"].strip()


def body(text: str) -> str:
    """What the text asks to forget, or empty where it is no retraction."""
    return next((found for found in bodies(text) if terms(found)), "")


def means(asked: str, statement: str) -> bool:
    """Whether what somebody asks to forget is this statement beyond doubt: the same words in the
    same order."""
    return _words(asked) == _words(statement) != []


def _words(text: str) -> list[str]:
    return _WORD().findall(text.lower())
