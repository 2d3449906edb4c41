"""The content of a message as blocks, the shape that most clients share."""

from __future__ import annotations

from typing import Any


def blocks(content: object) -> list[dict[str, Any]]:
    """The content of a message as blocks; a string is one block of text."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if isinstance(content, list):
        return [block for block in content if isinstance(block, dict)]
    return []


def joined(found: list[dict[str, Any]]) -> str:
    """The texts of a message's blocks, a blank line between them."""
    texts = (block.get("text") for block in found if block.get("type") == "text")
    return "\n\n".join(text for text in texts if isinstance(text, str))
