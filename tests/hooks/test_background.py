"""What hooks start on their own: one of a kind, however many hooks there are."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from jmem.hooks import background
from jmem.hooks.call import Call
from jmem.storage import detached


@pytest.fixture
def spawned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first words of what was really to be started."""
    words: list[str] = []

    def spawn(_: str, command: list[str], *__: Any, **___: Any) -> int:
        words.append(command[1])
        return 1

    monkeypatch.setattr(os, "posix_spawn", spawn)
    monkeypatch.setattr(detached, "script", lambda: "/opt/bin/jmem")
    return words


def test_hooks_that_run_while_a_process_begins_start_no_other(
    spawned: list[str], here: Path, tmp_path: Path, memory_home: Path
) -> None:
    transcript = tmp_path / "5e55.jsonl"
    transcript.touch()
    call = Call("codex", "Stop", session="codex:5", directory=str(here), file=str(transcript))
    for _ in range(3):
        background.prepare(call)
        background.learn(call)
    assert spawned == ["prepare", "learn"]
    spawned.clear()
    for lock in memory_home.rglob("*.lock"):
        begun = time.time() - background.STARTING
        os.utime(lock, (begun, begun))
    background.prepare(call)
    background.learn(call)
    assert spawned == ["prepare", "learn"]
    background.learn(call, ended=True)
    assert spawned[2:] == ["learn"], "nobody comes after it"
