"""A request to a model as the model sees it, and what it answers: the same for every protocol."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant", "call", "result"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One text of a conversation. Of a tool's ``call`` the text is the tool's name."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that is offered. Codex puts those of an MCP server into a namespace of its own."""

    name: str
    namespace: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request. ``pieces`` in the order of the conversation, instructions first."""

    path: str
    model: str
    stream: bool
    pieces: tuple[Piece, ...]
    tools: tuple[Tool, ...]

    @property
    def text(self) -> str:
        """Everything that the model is given to read, without the tools' descriptions."""
        return "\n".join(piece.text for piece in self.pieces)

    def tool(self, name: str) -> Tool | None:
        """The offered tool of that name; clients put the server's name in front."""
        return next((tool for tool in self.tools if tool.name.endswith(name)), None)


@dataclass(frozen=True, slots=True)
class Say:
    """An answer in words."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """The call of an offered tool."""

    tool: Tool
    arguments: dict[str, Any]


Answer = Say | Call
Events = list[tuple[str, Any]]
"""Server-sent events: the event's name (empty where the protocol has none) and its data."""


class Wire(Protocol):
    """A protocol: how its requests are read and its answers written. Each is a module here."""

    def asked(self, path: str, body: dict[str, Any]) -> Asked:
        """The request in the words of this module."""

    def reply(self, request: Asked, answer: Answer) -> dict[str, Any]:
        """The whole answer."""

    def events(self, request: Asked, answer: Answer) -> Events:
        """The same answer, streamed."""


def text_of(content: object) -> str:
    """The words of a content field: text, or a list of blocks of which some hold ``text``."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    blocks: Iterable[object] = (b.get("text") for b in content if isinstance(b, dict))
    return "\n".join(text for text in blocks if isinstance(text, str))
