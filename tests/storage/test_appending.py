"""What is made for a line to go into is for the user alone, up to the root of all memory."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jmem import pending
from jmem.storage import events, sessionstate
from jmem.storage.appending import private_directory


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(
    "write",
    [
        lambda root: sessionstate.append(str(root / "log"), "s1", pending.learned(["k"], now=1.0)),
        lambda root: events.record(root, "learn", now=datetime(2026, 7, 4, tzinfo=UTC)),
    ],
    ids=["session", "event"],
)
def test_the_root_is_made_private_too(tmp_path: Path, write: Callable[[Path], object]) -> None:
    root = tmp_path / "home" / "memory"
    write(root)
    assert [mode(path) for path in (root.parent, root, root / "log")] == [0o700] * 3
    (file,) = (root / "log").iterdir()
    assert mode(file) == 0o600


def test_what_exists_stays_as_it_is(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    private_directory(shared / "mine")
    private_directory(shared / "mine")
    assert (mode(shared), mode(shared / "mine")) == (0o755, 0o700)
    (shared / "file").touch()
    with pytest.raises(OSError, match="file"):
        private_directory(shared / "file")
