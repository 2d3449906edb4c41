"""OpenAI's responses (``POST /v1/responses``), as Codex speaks them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

from conversation import Answer, Asked, Events, Piece, Role, Say, Tool, text_of

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant"}


def asked(path: str, body: dict[str, Any]) -> Asked:
    """The request in the words of :mod:`conversation`."""
    return Asked(
        path=path,
        model=body.get("model", ""),
        stream=bool(body.get("stream")),
        pieces=(Piece("system", body.get("instructions") or ""), *_pieces(body)),
        tools=tuple(_tools(body.get("tools") or ())),
    )


def _pieces(body: dict[str, Any]) -> Iterator[Piece]:
    items = body.get("input", ())
    if isinstance(items, str):
        items = [{"type": "message", "role": "user", "content": items}]
    for item in items:
        kind = item.get("type", "message")
        if kind == "message":
            yield Piece(_ROLES.get(item["role"], "system"), text_of(item["content"]))
        elif kind == "function_call":
            yield Piece("call", item["name"])
        elif kind == "function_call_output":
            yield Piece("result", text_of(item["output"]))


def _tools(offered: Any) -> Iterator[Tool]:
    for tool in offered:
        if tool.get("type") == "namespace":
            for inner in tool["tools"]:
                yield Tool(inner["name"], tool["name"])
        elif tool.get("type") == "function":
            yield Tool(tool["name"])


def reply(request: Asked, answer: Answer) -> dict[str, Any]:
    """The whole response."""
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 15,
    }
    return {
        "id": f"resp_{uuid.uuid4().hex[:20]}",
        "object": "response",
        "status": "completed",
        "model": request.model,
        "output": [_item(answer)],
        "usage": usage,
    }


def _item(answer: Answer) -> dict[str, Any]:
    identity = uuid.uuid4().hex[:16]
    if isinstance(answer, Say):
        content = [{"type": "output_text", "text": answer.text, "annotations": []}]
        item = {"type": "message", "id": f"msg_{identity}", "role": "assistant"}
        return {**item, "status": "completed", "content": content}
    item = {"type": "function_call", "id": f"fc_{identity}", "call_id": f"call_{identity}"}
    item |= {"name": answer.tool.name, "arguments": json.dumps(answer.arguments)}
    if answer.tool.namespace:
        item["namespace"] = answer.tool.namespace
    return {**item, "status": "completed"}


def events(request: Asked, answer: Answer) -> Events:
    """The same response, streamed."""
    whole = reply(request, answer)
    [item] = whole["output"]
    begun = {**whole, "status": "in_progress", "output": []}
    sent: list[dict[str, Any]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    return [(event["type"], event) for event in sent]
