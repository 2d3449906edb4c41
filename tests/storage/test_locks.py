"""Locks: one holder, free again when the holder dies, and files that stay."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jmem.errors import Busy
from jmem.storage import locks

HOLDER = """
import pathlib, sys
from jmem.storage import locks
held = locks.try_hold(pathlib.Path(sys.argv[1]))
print("held" if held else "busy", flush=True)
sys.stdin.read()
"""


def holder(path: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_lock_has_one_holder_and_is_free_when_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "locks" / "a.lock"
    with holder(path) as first:
        assert said(first) == "held"
        assert locks.try_hold(path) is None
        first.kill()
    held = locks.try_hold(path)
    assert held is not None
    with held, holder(path) as second:
        assert said(second) == "busy"
        second.kill()
    assert path.exists()


def test_a_lock_is_held_against_this_process_too(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with locks.hold(path, timeout=0, what="it"):
        assert locks.try_hold(path) is None
        with pytest.raises(Busy, match="it is locked"), locks.hold(path, timeout=0.01, what="it"):
            pass
    again = locks.try_hold(path)
    assert again is not None
    again.release()
    again.release()


def test_a_lock_is_released_by_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with pytest.raises(ZeroDivisionError), locks.hold(path, timeout=0, what="it"):
        _ = 1 // 0
    assert locks.try_hold(path) is not None


def test_a_link_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / "a.lock").symlink_to(tmp_path / "target")
    with pytest.raises(OSError):
        locks.try_hold(tmp_path / "a.lock")
    assert not (tmp_path / "target").exists()
