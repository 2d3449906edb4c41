"""Small invented sessions, the same conversation in the format of each agent."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from jmem.transcripts.reader import reader_for


def _beside(name: str) -> ModuleType:
    """A module of this folder, which is no package."""
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"transcripts_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


writing, storing = _beside("writing"), _beside("storing")


@dataclass
class OpenCodeWriter(storing.DatabaseLines, writing.Writer):
    identity: str = storing.SESSION


@dataclass
class OpenCodeTreeWriter(storing.TreeLines, writing.Writer):
    identity: str = storing.SESSION


@dataclass
class AiderWriter(storing.AiderLines, writing.Writer):
    identity: str = ""
    lacks: frozenset[str] = frozenset(
        {"times", "compactions", "ids", "failures", "results", "version"}
    )


@dataclass
class SpecStoryWriter(storing.SpecStoryLines, writing.Writer):
    lacks: frozenset[str] = frozenset({"compactions", "ids", "failures", "version"})


WRITERS: dict[str, Callable[[], Any]] = {
    "claude-code": partial(writing.ClaudeWriter, reader_for("claude-code")),
    "codex": partial(writing.CodexWriter, reader_for("codex")),
    "gemini": partial(writing.GeminiWriter, reader_for("gemini"), lacks=frozenset({"version"})),
    "gemini-json": partial(
        writing.OldGeminiWriter, reader_for("gemini"), lacks=frozenset({"version"})
    ),
    "opencode": partial(OpenCodeWriter, reader_for("opencode")),
    "opencode-tree": partial(OpenCodeTreeWriter, reader_for("opencode")),
    "cursor": partial(writing.CursorWriter, reader_for("cursor")),
    "copilot": partial(writing.CopilotWriter, reader_for("copilot")),
    "aider": partial(AiderWriter, reader_for("aider")),
    "specstory": partial(SpecStoryWriter, reader_for("specstory")),
    "jcode-rust": partial(writing.RustJCodeWriter, reader_for("jcode")),
    "jcode-go": partial(writing.GoJCodeWriter, reader_for("jcode")),
}
OF_LINES = ("claude-code", "codex", "cursor", "copilot")


@pytest.fixture(params=WRITERS)
def each(request: pytest.FixtureRequest) -> Any:
    """A writer of each format, with the reader that must understand it."""
    return WRITERS[request.param]()


@pytest.fixture(params=["claude-code", "codex"])
def writer(request: pytest.FixtureRequest) -> Any:
    """A writer of the two formats whose lines come more than once."""
    return WRITERS[request.param]()


@pytest.fixture
def written() -> Callable[[str], Any]:
    """The writer of one format, by its name."""
    return lambda name: WRITERS[name]()


@pytest.fixture
def claude() -> Any:
    return WRITERS["claude-code"]()


@pytest.fixture
def codex() -> Any:
    return WRITERS["codex"]()


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Path]:
    """Write lines as a session file and say where."""

    def write(*lines: dict[str, Any], name: str = "session.jsonl") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return path

    return write
