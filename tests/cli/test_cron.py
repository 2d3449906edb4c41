"""The schedule, with a crontab of its own on PATH: installed once, taken out without a trace."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Jmem = Callable[..., Any]
MINE = "# mine\nMAILTO=ida\n\n0 5 * * *  backup  # \tnightly\n"


@pytest.fixture
def crontab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the fake ``crontab`` keeps its table in; ``calls`` beside it counts writes."""
    table = tmp_path / "table"
    script = tmp_path / "bin" / "crontab"
    script.parent.mkdir()
    script.write_text(
        "#!/bin/sh\n"
        f'if [ "$1" = -l ]; then\n  if [ -f "{table}" ]; then cat "{table}"; exit 0; fi\n'
        '  echo "no crontab for ida" >&2; exit 1\nfi\n'
        f'echo write >> "{tmp_path}/calls"\ncat > "{table}"\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}:{os.environ['PATH']}")
    return table


@pytest.mark.parametrize("existing", [None, "", MINE])
def test_removing_restores_the_bytes(jmem: Jmem, crontab: Path, existing: str | None) -> None:
    if existing is not None:
        crontab.write_text(existing)
    assert jmem("cron", "install").code == 0
    text = crontab.read_text()
    assert text.startswith(existing or "")
    assert text.count("jmem >>>") == 1
    assert jmem("cron", "remove").code == 0
    assert crontab.read_text() == (existing or "")


def test_installing_twice_writes_once(jmem: Jmem, crontab: Path, tmp_path: Path) -> None:
    assert jmem("cron", "install", "--json").data["changed"] is True
    assert jmem("cron", "install", "--json").data["changed"] is False
    assert (tmp_path / "calls").read_text() == "write\n"


def test_the_log_of_the_schedule_is_private_and_leads_nowhere(
    jmem: Jmem, crontab: Path, memory_home: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.write_text("nobody's business")
    (memory_home / "log").mkdir(parents=True)
    log = memory_home / "log" / "cron.log"
    log.symlink_to(outside)
    assert jmem("cron", "install").code == 0
    assert not log.is_symlink() and log.stat().st_mode & 0o777 == 0o600
    assert outside.read_text() == "nobody's business"


def test_the_line_calls_the_installed_script_by_its_path(
    jmem: Jmem, crontab: Path, memory_home: Path
) -> None:
    jmem("cron", "install")
    (line,) = [line for line in crontab.read_text().split("\n") if "distill" in line]
    script = next(word for word in line.split() if word.endswith("/jmem"))
    assert Path(script).is_absolute()
    assert os.access(script, os.X_OK)
    assert " distill --all --scheduled " in line
    assert f"JMEM_HOME={memory_home} " in line
    assert " -m " not in line
    assert jmem("cron", "status", "--json").data["installed"]["cron"] == line


def test_a_dry_run_shows_the_change_and_makes_none(
    jmem: Jmem, crontab: Path, tmp_path: Path, memory_home: Path
) -> None:
    shown = jmem("cron", "install", "--dry-run")
    assert "distill --all --scheduled" in shown.out
    assert "(dry run)" in shown.out
    assert not crontab.exists()
    assert not (tmp_path / "calls").exists()
    assert not memory_home.exists()
    jmem("cron", "install")
    installed = crontab.read_bytes()
    assert jmem("cron", "remove", "--dry-run").code == 0
    assert crontab.read_bytes() == installed


def test_nothing_installed_is_no_error(jmem: Jmem, crontab: Path, tmp_path: Path) -> None:
    assert jmem("cron", "status").out == "nothing is installed (jmem cron install)\n"
    assert jmem("cron", "status", "--json").data == {"installed": {}, "inactive": {}}
    for kind in ((), ("--systemd",), ("--launchd",)):
        assert jmem("cron", "remove", *kind).code == 0
    assert not (tmp_path / "calls").exists()


def test_a_crontab_that_cannot_be_read_is_not_overwritten(jmem: Jmem, crontab: Path) -> None:
    script = crontab.parent / "bin" / "crontab"
    script.write_text("#!/bin/sh\necho 'permission denied' >&2; exit 1\n")
    ran = jmem("cron", "install")
    assert (ran.code, ran.out) == (1, "")
    assert "permission denied" in ran.err


def test_without_a_crontab_program_the_error_names_it(
    jmem: Jmem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = jmem("cron", "install")
    assert ran.code == 3
    assert "crontab" in ran.err


@pytest.mark.parametrize("kind", ["--systemd", "--launchd"])
def test_other_schedulers_are_rehearsed_without_writing(jmem: Jmem, home: Path, kind: str) -> None:
    shown = jmem("cron", "install", kind, "--dry-run")
    assert shown.code == 0
    assert "--scheduled" in shown.out
    assert list(home.iterdir()) == []


def test_the_schedule_knows_where_the_agents_keep_their_sessions(
    jmem: Jmem, crontab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COPILOT_HOME", "/data/copilot")
    monkeypatch.setenv("XDG_DATA_HOME", "/data/share")
    jmem("cron", "install")
    assert "COPILOT_HOME=/data/copilot" in crontab.read_text()
    assert "XDG_DATA_HOME=/data/share" in crontab.read_text()


_PROGRAM = {"--systemd": "systemctl", "--launchd": "launchctl"}


@pytest.mark.parametrize("kind", list(_PROGRAM))
def test_an_install_that_fails_leaves_nothing(
    jmem: Jmem, crontab: Path, home: Path, kind: str
) -> None:
    program = crontab.parent / "bin" / _PROGRAM[kind]
    program.write_text("#!/bin/sh\necho 'no bus' >&2; exit 1\n")
    program.chmod(0o755)
    ran = jmem("cron", "install", kind)
    assert ran.code == 1
    assert "no bus" in ran.err
    assert list(home.iterdir()) == []
    assert jmem("cron", "status").out == "nothing is installed (jmem cron install)\n"


@pytest.mark.parametrize("kind", list(_PROGRAM))
def test_what_does_not_run_is_told_so_and_removed_without_its_scheduler(
    jmem: Jmem, crontab: Path, home: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    program = crontab.parent / "bin" / _PROGRAM[kind]
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    assert jmem("cron", "install", kind).code == 0
    assert list(jmem("cron", "status", "--json").data["installed"]) == [kind.strip("-")]
    monkeypatch.setenv("PATH", str(home))  # no scheduler at all
    told = jmem("cron", "status", "--json").data
    assert (told["installed"], list(told["inactive"])) == ({}, [kind.strip("-")])
    assert "does not run" in jmem("cron", "status").out
    assert jmem("cron", "remove", "--json").data["kinds"] == [kind.strip("-")]
    assert [path for path in home.rglob("*") if path.is_file()] == []
    assert jmem("cron", "remove", kind).code == 0
