"""OpenAI's chat completions (``POST /v1/chat/completions``), as compatible servers have them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

from conversation import Answer, Asked, Events, Piece, Role, Say, Tool, text_of

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "tool": "result"}
_USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def asked(path: str, body: dict[str, Any]) -> Asked:
    """The request in the words of :mod:`conversation`."""
    return Asked(
        path=path,
        model=body.get("model", ""),
        stream=bool(body.get("stream")),
        pieces=tuple(_pieces(body)),
        tools=tuple(Tool(tool["function"]["name"]) for tool in body.get("tools") or ()),
    )


def _pieces(body: dict[str, Any]) -> Iterator[Piece]:
    for message in body.get("messages", ()):
        if text := text_of(message.get("content")):
            yield Piece(_ROLES.get(message["role"], "system"), text)
        for call in message.get("tool_calls") or ():
            yield Piece("call", call["function"]["name"])


def reply(request: Asked, answer: Answer) -> dict[str, Any]:
    """The whole completion."""
    message, reason = _message(answer)
    choice = {"index": 0, "message": message, "finish_reason": reason}
    return {**_head(request, "chat.completion"), "choices": [choice], "usage": _USAGE}


def events(request: Asked, answer: Answer) -> Events:
    """The same completion, streamed."""
    head = _head(request, "chat.completion.chunk")
    message, reason = _message(answer)
    said = {"index": 0, "delta": message, "finish_reason": None}
    ended = {"index": 0, "delta": {}, "finish_reason": reason}
    return [
        ("", {**head, "choices": [said]}),
        ("", {**head, "choices": [ended]}),
        ("", {**head, "choices": [], "usage": _USAGE}),
        ("", "[DONE]"),
    ]


def _head(request: Asked, kind: str) -> dict[str, Any]:
    identity = f"chatcmpl-{uuid.uuid4().hex[:16]}"
    return {"id": identity, "object": kind, "created": 0, "model": request.model}


def _message(answer: Answer) -> tuple[dict[str, Any], str]:
    if isinstance(answer, Say):
        return {"role": "assistant", "content": answer.text}, "stop"
    function = {"name": answer.tool.name, "arguments": json.dumps(answer.arguments)}
    call = {"index": 0, "id": f"call_{uuid.uuid4().hex[:16]}", "type": "function"}
    calls = [{**call, "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls"
