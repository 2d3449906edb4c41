"""Whether a prompt is a fresh user turn: only such a one takes or prepares memories. Pure."""

from __future__ import annotations

from jmem.transcripts.injected import COMPACTED, command_arguments, request, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

SUB_AGENT = "a sub-agent's prompt"
TOOL_RESULT = "a tool result"
CLIENT = "a message of the client"
COMPACTION = "the summary of a compaction"
BARE_COMMAND = "a command without words"


def fresh_turn(payload: Mapping[str, Any]) -> tuple[str, str]:
    """What a person typed, and an empty reason; or nothing, and why it is no turn of theirs.

    ``payload`` is what a client hands to its prompt hook: ``prompt`` as text or as blocks of
    content, ``agent_id`` inside a sub-agent. A line of a transcript does as well.
    """
    if payload.get("agent_id") or payload.get("isSidechain") is True:
        return "", SUB_AGENT
    if payload.get("isMeta") is True:
        return "", CLIENT
    message = payload.get("message")
    spoken = message.get("content") if isinstance(message, dict) else None
    text, results = _text_of(payload.get("prompt", spoken))
    if payload.get("isCompactSummary") is True or text.lstrip().startswith(COMPACTED):
        return "", COMPACTION
    said, why = typed(request(text))
    said = said or command_arguments(text)
    if not said:
        return "", TOOL_RESULT if results else why
    if said.startswith("/") and len(said.split()) == 1 and "/" not in said[1:]:
        return "", BARE_COMMAND
    return said, ""


def _text_of(content: object) -> tuple[str, bool]:
    """The text of a prompt, and whether there is a result of a tool in it."""
    if isinstance(content, str):
        return content, False
    blocks = (
        [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []
    )
    texts = [each["text"] for each in blocks if isinstance(each.get("text"), str)]
    return "\n\n".join(texts), any(each.get("type") == "tool_result" for each in blocks)
