"""Hooks in this process, as a client calls them; what they start on their own is only noted."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from jmem import refreshing, scopes, store
from jmem.hooks import command
from jmem.model import Note, NoteFile
from jmem.storage import detached

Hook = Callable[..., str]


@pytest.fixture(autouse=True)
def words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JMEM_RECALL_EMBEDDER", "none")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were started on their own, without the program."""
    commands: list[list[str]] = []

    def start(words: Sequence[str], **_: Any) -> bool:
        commands.append(list(words[1:]))
        return True

    monkeypatch.setattr(detached, "start", start)
    return commands


@pytest.fixture
def hook(started: list[list[str]], here: Path) -> Hook:
    """``hook(event, prompt=...)``: the text that Claude Code is given."""

    def run(event: str, *, session: str = "5e55", cwd: Path = here, **fields: Any) -> str:
        payload = {"session_id": session, "cwd": str(cwd), "hook_event_name": event, **fields}
        said = command.reply("claude-code", event, payload, os.environ)
        return str(said["hookSpecificOutput"]["additionalContext"]) if said else ""

    return run


@pytest.fixture
def note(here: Path) -> Callable[..., NoteFile]:
    """``note("a fact", kind="pitfall")``, in the project of the current directory."""

    def write(text: str, *, project: Path = here, **fields: Any) -> NoteFile:
        return store.take_note(Note(text=text, **fields), project=project)

    return write


@pytest.fixture
def refreshed(here: Path) -> Callable[[], None]:
    """Bring up to date what hooks read, as the process does that they start."""
    return lambda: refreshing.refresh(scopes.resolve(here))
