"""Small invented sessions, the same conversation in the format of each agent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jmem.transcripts.claude_code import ClaudeCode
from jmem.transcripts.codex import Codex
from jmem.transcripts.entries import Entry, Report, Role, SessionInfo, Turn
from jmem.transcripts.reader import Reader

Line = dict[str, Any]


@dataclass
class Writer:
    """What every writer of a format has: the reader that must understand it."""

    reader: Reader
    count: int = 0

    def info(self, path: Path) -> SessionInfo:
        """What can be said of the one session in a file."""
        (info,) = self.reader.sessions(path)
        return info

    def entries(self, path: Path, report: Report | None = None) -> Iterator[Entry]:
        """The entries of the one session in a file."""
        return self.reader.entries(self.info(path), report)

    def said(self, path: Path) -> list[str]:
        """What the user said in a file."""
        turns = [entry for entry in self.entries(path) if isinstance(entry, Turn)]
        return [turn.text for turn in turns if turn.role is Role.USER]


@dataclass
class ClaudeWriter(Writer):
    """Lines as Claude Code writes them."""

    def line(self, kind: str, **fields: Any) -> Line:
        self.count += 1
        return {
            "type": kind,
            "uuid": f"u-{self.count}",
            "sessionId": "5e55-0001",
            "cwd": "/srv/orchard",
            "version": "2.1.40",
            "timestamp": f"2026-07-04T10:{self.count // 60:02}:{self.count % 60:02}Z",
            **fields,
        }

    def head(self) -> list[Line]:
        return [{"type": "summary", "summary": "Older title", "leafUuid": "x"}]

    def user(self, text: str, **fields: Any) -> list[Line]:
        return [self.line("user", message={"role": "user", "content": text}, **fields)]

    def assistant(self, text: str) -> list[Line]:
        content = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}]
        return [self.line("assistant", message={"role": "assistant", "content": content})]

    def tool(self, command: str, output: str, *, failed: bool = False) -> list[Line]:
        call_id = f"call-{self.count}"
        use = {"type": "tool_use", "name": "Bash", "id": call_id, "input": {"command": command}}
        result = {"type": "tool_result", "tool_use_id": call_id, "content": output}
        if failed:
            result["is_error"] = True
        return [
            self.line("assistant", message={"role": "assistant", "content": [use]}),
            self.line("user", message={"role": "user", "content": [result]}),
        ]

    def compaction(self, summary: str) -> list[Line]:
        return [
            self.line("system", subtype="compact_boundary"),
            *self.user(summary, isCompactSummary=True),
        ]

    def context(self) -> list[Line]:
        return [
            *self.user("<local-command-caveat>not yours</local-command-caveat>", isMeta=True),
            *self.user("<system-reminder>be brief</system-reminder>"),
        ]


@dataclass
class CodexWriter(Writer):
    """Lines as Codex writes them, every message on both of its sides."""

    def line(self, kind: str, **payload: Any) -> Line:
        self.count += 1
        stamp = f"2026-07-04T10:{self.count // 60:02}:{self.count % 60:02}Z"
        return {"timestamp": stamp, "type": kind, "payload": payload}

    def head(self) -> list[Line]:
        return [
            self.line(
                "session_meta",
                id="5e55-0001",
                cwd="/srv/orchard",
                originator="codex_cli_rs",
                cli_version="0.146.0",
                source="cli",
            )
        ]

    def user(self, text: str) -> list[Line]:
        part = {"type": "input_text", "text": text}
        return [
            self.line("response_item", type="message", role="user", content=[part]),
            self.line("event_msg", type="user_message", message=text),
        ]

    def assistant(self, text: str) -> list[Line]:
        part = {"type": "output_text", "text": text}
        return [
            self.line("event_msg", type="agent_message", message=text),
            self.line("response_item", type="message", role="assistant", content=[part]),
        ]

    def tool(self, command: str, output: str, *, failed: bool = False) -> list[Line]:
        call_id = f"call-{self.count}"
        arguments = json.dumps({"command": ["bash", "-lc", command]})
        result = json.dumps({"output": output, "metadata": {"exit_code": int(failed)}})
        return [
            self.line(
                "response_item",
                type="function_call",
                name="shell",
                arguments=arguments,
                call_id=call_id,
            ),
            self.line("event_msg", type="token_count", info=None),
            self.line("response_item", type="function_call_output", call_id=call_id, output=result),
        ]

    def compaction(self, summary: str) -> list[Line]:
        again = [{"type": "message", "role": "user", "content": "again"}]
        return [self.line("compacted", message=summary, replacement_history=again)]

    def context(self) -> list[Line]:
        texts = (
            "<environment_context><cwd>/srv</cwd></environment_context>",
            "# AGENTS.md instructions for /srv",
        )
        parts = [[{"type": "input_text", "text": text}] for text in texts]
        return [
            self.line("response_item", type="message", role="user", content=part) for part in parts
        ]


@pytest.fixture(params=["claude-code", "codex"])
def writer(request: pytest.FixtureRequest) -> Writer:
    """A writer of each agent's format, with the reader that must understand it."""
    if request.param == "codex":
        return CodexWriter(Codex())
    return ClaudeWriter(ClaudeCode())


@pytest.fixture
def claude() -> ClaudeWriter:
    return ClaudeWriter(ClaudeCode())


@pytest.fixture
def codex() -> CodexWriter:
    return CodexWriter(Codex())


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Path]:
    """Write lines as a session file and say where."""

    def write(*lines: Line, name: str = "session.jsonl") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return path

    return write
