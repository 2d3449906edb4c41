"""Anthropic's messages (``POST /v1/messages``), streamed or whole."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

from conversation import Answer, Asked, Events, Piece, Role, Say, Tool, text_of


def asked(path: str, body: dict[str, Any]) -> Asked:
    """The request in the words of :mod:`conversation`."""
    return Asked(
        path=path,
        model=body.get("model", ""),
        stream=bool(body.get("stream")),
        pieces=(Piece("system", text_of(body.get("system"))), *_pieces(body)),
        tools=tuple(Tool(tool["name"]) for tool in body.get("tools", ())),
    )


def _pieces(body: dict[str, Any]) -> Iterator[Piece]:
    for message in body.get("messages", ()):
        role: Role = "assistant" if message["role"] == "assistant" else "user"
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            if block["type"] == "text":
                yield Piece(role, block["text"])
            elif block["type"] == "tool_use":
                yield Piece("call", block["name"])
            elif block["type"] == "tool_result":
                yield Piece("result", text_of(block.get("content")))


def reply(request: Asked, answer: Answer) -> dict[str, Any]:
    """The whole message."""
    block: dict[str, Any]
    if isinstance(answer, Say):
        block, stop = {"type": "text", "text": answer.text}, "end_turn"
    else:
        identity = f"toolu_{uuid.uuid4().hex[:20]}"
        block = {"type": "tool_use", "id": identity, "name": answer.tool.name}
        block, stop = {**block, "input": answer.arguments}, "tool_use"
    return {
        "id": f"msg_{uuid.uuid4().hex[:20]}",
        "type": "message",
        "role": "assistant",
        "model": request.model,
        "content": [block],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }


def events(request: Asked, answer: Answer) -> Events:
    """The same message, streamed."""
    whole = reply(request, answer)
    [block] = whole["content"]
    if block["type"] == "text":
        empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        arguments = json.dumps(block["input"])
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": arguments}
    begun = {**whole, "content": [], "stop_reason": None}
    stop = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    sent: list[dict[str, Any]] = [
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ]
    return [(event["type"], event) for event in sent]
