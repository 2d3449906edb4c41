"""Text that speaks as somebody else: a system message, a client's frame, a turn, a tool. Pure."""

from __future__ import annotations

import re

from jmem.retrieval.patterns import LazyPattern
from jmem.transcripts.injected import FRAMES

FRAME = "pretends to be a frame of a client"
ROLE = "pretends to be a message of the system or of another turn"
TOOL_CALL = "holds the syntax of a tool call"

_NAMES = "|".join(re.escape(name.replace("-", " ").replace("_", " ")) for name in FRAMES)
_FRAME = LazyPattern(
    rf"(?<!\w)<\s*/?\s*(?:{_NAMES}|system|system (?:prompt|message|instructions?|notice|warning)"
    r"|important|instructions?|assistant|admin)(?: [a-z]+ ?=[^<>\n]{0,80})?\s*/?\s*>"
)
_TEMPLATE = LazyPattern(
    r"<\s*\|\s*(?:im (?:start|end)|start header id|end header id|eot id|system|user|assistant"
    r"|endoftext|begin of text|channel|message|end of turn|start of turn)\s*\|\s*>"
    r"|<<\s*/?sys\s*>>|\[\s*/?\s*inst\s*\]|<(?:start|end) of turn>"
)
_COMMANDS = (
    r"(?:you\b|ignore|disregard|override|must|always|never|new (?:instructions?|rules?|task)"
    r"|from now on|execute|reveal|run\b|send|upload|obey|follow|do not|don't|forget|enable|disable"
    r"|the (?:user|assistant|agent) (?:has|is|must|should|approved|wants))"
)
_ROLE = LazyPattern(
    r"(?:^|[.!?:>]\s)[\s#>\-\[(=]*(?:system|developer|sysadmin|admin(?:istrator)?|root|operator)"
    r"(?: (?:message|prompt|note|notice|instructions?|override|update|alert|reminder))?"
    rf"[\])=\s]*[:>\]][^\n]{{0,120}}?\b{_COMMANDS}"
    rf"|^[\s#>\-\[(=]*(?:assistant|user|human|tool result|function)\s*:[^\n]{{0,60}}?\b"
    r"(?:ignore|disregard|override|sure[,!]|i will (?:now )?(?:run|send|comply|ignore)|approved|"
    r"yes, (?:you may|go ahead)|permission granted)"
    r"|^\s*#+\s*(?:new )?system (?:prompt|message|instructions?|override)\b"
    r"|\[\s*(?:system|developer|admin)(?: (?:message|prompt|note|override|notice))?\s*\]"
    r"|^\s*(?:human|user)\s*:[^\n]{0,400}\n+\s*(?:assistant|ai)\s*:"
    r"|^\s*-{3,} ?(?:end|begin|start) (?:of )?(?:system|memory|user|context|untrusted)\b"
    r"|(?:系统|系统消息|系统提示|系统指令|管理员)\s*[:：][^\n]{0,60}(?:你|必须|忽略|立即|执行|请|不要)",
    re.MULTILINE,
)
_TOOL_CALL = LazyPattern(
    r"<\s*/?\s*(?:antml:)?(?:function calls?|function results?|invoke|tool use|tool calls?"
    r"|tool results?|parameter)(?: [a-z]+ ?=[^<>\n]{0,120})?\s*/?\s*>"
    r"|<\s*\|?\s*(?:tool call|tool calls begin|python tag|function)\s*\|?\s*>"
    r"|type\s*:\s*(?:tool use|tool result|function call)\b|\btool calls\s*:\s*\["
    r"|\bto=functions\.\w+|\btool code\s*\n|<\s*function\s*=\s*\w+"
)


def why(text: str) -> str:
    """Whose voice the text takes; empty where it speaks for itself. ``text``: a form of
    :mod:`jmem.quarantine.plain`."""
    if "<" in text or "[" in text:
        if _FRAME().search(text):
            return FRAME
        if _TEMPLATE().search(text):
            return ROLE
    if _TOOL_CALL().search(text):
        return TOOL_CALL
    return ROLE if _ROLE().search(text) else ""
