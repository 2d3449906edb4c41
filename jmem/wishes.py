"""What the user wants to become of a session: not to be remembered, or remembered again. Pure.

Only a plain order counts, at the beginning of a sentence of their own: what is quoted, asked or
told of is none. ``/memory off`` and ``/memory on`` (or ``/jmem``, ``$jmem``) count on a line of
their own.
"""

from __future__ import annotations

import re

from jmem.retrieval.patterns import LazyPattern
from jmem.transcripts.injected import without_wrapped

_HINTS = (
    *("jmem", "memor", "remember", "record", "forget", "learn", "save", "store", "notes"),
    *("记", "保存"),
)
_MOST = 4_000
"""An order is short; a longer prompt is looked through at its ends."""

_CODE = LazyPattern(r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|「[^」\n]*」", re.DOTALL)
_COMMAND = LazyPattern(
    r"^\s*[/$](?:[\w-]+:)?(?:memory|jmem)\s+(on|off)\s*$", re.MULTILINE | re.IGNORECASE
)
_THIS = (
    r"(?:(?:any(?:thing)?|what(?:ever)? (?:we|i) (?:say|said|discuss|do|did))\s+"
    r"(?:of|from|in|about)\s+)?(?:this|our|the (?:current|present))\s+(?:whole\s+|entire\s+)?"
    r"(?:session|conversation|chat|discussion)"
)
_FIRST = (
    r"(?:^\s*|[.!?;\n]\s*|\b(?:start|begin|note|important|thing)\s*:\s*)(?:(?:please|ok(?:ay)?|also|note|oh|hey|and|but|"
    r"from now on|by the way|btw)[\s,:]+){0,3}"
)
_LAST = (
    r"(?=\s*(?:$|[.!?;,\n)]|please\b|in (?:your )?memory\b|to (?:your )?memory\b|at all\b"
    r"|ok\b))"
)
_OFF = LazyPattern(
    rf"{_FIRST}(?:(?:do not|don['’]?t|never|you (?:must|should|may) not"
    r"|i (?:do not|don['’]?t) want you to)"
    r"\s+(?:ever\s+)?(?:remember|memori[sz]e|record|save|store|keep|learn)\s+"
    rf"(?:(?:anything|things|notes|memories)\s+(?:of|from|about|in)\s+)?{_THIS}{_LAST}"
    r"|(?:do not|don['’]?t|never)\s+(?:learn\s+(?:anything\s+)?from"
    r"|(?:take|make|write|keep)\s+(?:any\s+)?(?:notes|memories)\s+(?:of|from|about|in|during))\s+"
    rf"{_THIS}{_LAST}"
    rf"|stop\s+(?:remembering|memori[sz]ing|recording)\s+{_THIS}{_LAST}"
    rf"|forget\s+(?:(?:everything|all)\s+)?(?:about\s+|of\s+|from\s+)?{_THIS}{_LAST}"
    rf"|(?:no|(?:turn|switch)\s+off|disable)\s+(?:your\s+)?memory\s+(?:for|in)\s+{_THIS}{_LAST}"
    rf"|keep\s+{_THIS}\s+(?:out of|off)\s+(?:your\s+|the\s+)?(?:memory|record)"
    rf"|{_THIS}\s+(?:is|stays)\s+off the record)",
    re.IGNORECASE | re.MULTILINE,
)
_ON = LazyPattern(
    rf"{_FIRST}(?:you (?:can|may)\s+)?remember\s+{_THIS}\s+(?:again|after all){_LAST}",
    re.IGNORECASE | re.MULTILINE,
)
_HAN_THIS = r"(?:这次|本次|这个|这场|此次|当前)(?:的)?(?:会话|对话|聊天|谈话|交流)"
_HAN_FIRST = r"(?:^|[。！？；，,.!?\n]\s*)(?:请|麻烦|另外|对了|好的?|嗯|那)?[，,\s]*(?:你)?"
_HAN_NOT = r"(?:不要|别|请勿|不用|不必|不许|勿)(?:再)?"
_HAN_KEEP = r"(?:记住|记录|记忆|记下来?|保存|存入记忆|学习|记(?=$|[了。！，,;；\s]))"
_HAN_OFF = LazyPattern(
    rf"{_HAN_FIRST}(?:{_HAN_NOT}(?:把)?{_HAN_KEEP}{_HAN_THIS}"
    rf"|{_HAN_NOT}把{_HAN_THIS}(?:的内容)?{_HAN_KEEP}"
    rf"|{_HAN_THIS}(?:的内容)?(?:都)?{_HAN_NOT}{_HAN_KEEP}"
    rf"|忘(?:掉|记|了){_HAN_THIS})"
    r"(?!框|窗|的?(?:代码|功能|逻辑|接口|原因|日志|状态|数据|参数|[A-Za-z]+)|吗)",
    re.MULTILINE,
)
_HAN_ON = LazyPattern(
    rf"{_HAN_FIRST}(?:重新|恢复|可以)(?:开始)?(?:记住|记录){_HAN_THIS}", re.MULTILINE
)


class Wish:
    """``remember``: whether the session may be; ``silent``: nothing is to be recalled in it
    either."""

    __slots__ = ("remember", "silent")

    def __init__(self, *, remember: bool, silent: bool = False) -> None:
        self.remember = remember
        self.silent = silent


def spoken(prompt: str) -> Wish | None:
    """The wish in what a person typed; None where there is none. Of several the last holds."""
    lowered = prompt.lower()
    if not any(hint in lowered for hint in _HINTS):
        return None
    text = without_wrapped(prompt)
    if len(text) > _MOST:
        text = f"{text[: _MOST // 2]}\n{text[-_MOST // 2 :]}"
    commands = [each[1].lower() for each in _COMMAND().finditer(text)]
    if commands:
        return Wish(remember=commands[-1] == "on", silent=commands[-1] == "off")
    said = _CODE().sub("`x`", text)
    last = {
        remember: max(
            (each.start() for rule in rules for each in rule().finditer(said)), default=-1
        )
        for remember, rules in ((False, (_OFF, _HAN_OFF)), (True, (_ON, _HAN_ON)))
    }
    if max(last.values()) < 0:
        return None
    return Wish(remember=last[True] > last[False])
