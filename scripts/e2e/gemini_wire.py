"""Gemini's ``generateContent`` and ``streamGenerateContent``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from conversation import Answer, Asked, Events, Piece, Role, Say, Tool, text_of


def asked(path: str, body: dict[str, Any]) -> Asked:
    """The request in the words of :mod:`conversation`."""
    system = body.get("systemInstruction") or {}
    groups = body.get("tools") or ()
    offered = [each for group in groups for each in group.get("functionDeclarations", ())]
    return Asked(
        path=path,
        model=path.rpartition("/models/")[2].partition(":")[0],
        stream=":stream" in path,
        pieces=(Piece("system", text_of(system.get("parts"))), *_pieces(body)),
        tools=tuple(Tool(each["name"]) for each in offered),
    )


def _pieces(body: dict[str, Any]) -> Iterator[Piece]:
    for content in body.get("contents", ()):
        role: Role = "assistant" if content.get("role") == "model" else "user"
        for part in content.get("parts", ()):
            if "text" in part:
                yield Piece(role, part["text"])
            elif "functionCall" in part:
                yield Piece("call", part["functionCall"]["name"])
            elif "functionResponse" in part:
                response = part["functionResponse"]["response"]
                yield Piece("result", json.dumps(response, ensure_ascii=False))


def reply(request: Asked, answer: Answer) -> dict[str, Any]:
    """The whole response."""
    part: dict[str, Any]
    if isinstance(answer, Say):
        part = {"text": answer.text}
    else:
        part = {"functionCall": {"name": answer.tool.name, "args": answer.arguments}}
    content = {"role": "model", "parts": [part]}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
        "modelVersion": request.model,
    }


def events(request: Asked, answer: Answer) -> Events:
    """The same response as a stream of one."""
    return [("", reply(request, answer))]
