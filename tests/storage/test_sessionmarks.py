"""A session that the user does not want to be remembered stays marked."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from jmem.storage import sessionmarks, sessionstate

SESSION = "claude-code:5f0c"


def test_a_session_is_on_until_it_is_marked(tmp_path: Path) -> None:
    folder = str(tmp_path / "sessions")
    assert not sessionmarks.is_off(folder, SESSION)
    sessionmarks.off(folder, SESSION)
    assert sessionmarks.is_off(folder, SESSION)
    assert not sessionmarks.is_silent(folder, SESSION)
    assert not sessionmarks.is_off(folder, "claude-code:5f0d")


def test_the_last_word_holds(tmp_path: Path) -> None:
    folder = str(tmp_path / "sessions")
    sessionmarks.off(folder, SESSION, silent=True)
    assert sessionmarks.is_silent(folder, SESSION)
    sessionmarks.off(folder, SESSION)
    assert not sessionmarks.is_silent(folder, SESSION)
    sessionmarks.on(folder, SESSION)
    sessionmarks.on(folder, SESSION)
    assert not sessionmarks.is_off(folder, SESSION)


def test_a_mark_outlives_what_else_is_kept_of_a_session(tmp_path: Path) -> None:
    folder = str(tmp_path / "sessions")
    sessionmarks.off(folder, SESSION)
    sessionstate.append(folder, SESSION, {"event": "known", "at": 1.0, "ids": []})
    for name in os.listdir(folder):
        os.utime(os.path.join(folder, name), (1.0, 1.0))
    assert sessionstate.sweep(folder, now=400 * 86_400.0) == 1
    assert sessionmarks.is_off(folder, SESSION)


def test_only_the_user_can_read_marks(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    sessionmarks.off(str(folder), SESSION)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())]
    assert modes == [0o700, 0o600]
