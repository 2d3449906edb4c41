"""A small share of scripts/soak/crash.py: a run that dies is finished by the next one."""

from __future__ import annotations

from pathlib import Path

import crash
from harness import Home, Table


def test_a_run_killed_at_a_random_moment_is_finished_by_the_next(tmp_path: Path) -> None:
    table = Table()
    crash.random_kills(tmp_path, table, count=1, seed=5)
    assert table.held, table.rows


def test_a_death_in_any_window_is_overcome(tmp_path: Path) -> None:
    table = Table()
    crash.windows(tmp_path, table, seed=7, every=100, start=29)
    assert table.held, table.rows


def test_a_half_made_repository_is_made_whole(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.note("The orchard gate opens at seven")
    (home.scope / ".git").mkdir()
    (home.scope / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    assert crash.finish(home) == []


def test_what_a_killed_writer_left_half_written_is_removed(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.note("The orchard gate opens at seven")
    left = home.scope / "memories" / ".a.md.00.jmem-tmp"
    left.write_text("half a mem")
    home.distil()
    assert not left.exists()
