"""Putting the nightly run into cron, systemd or launchd, and taking it out again."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from jmem import paths
from jmem.errors import JmemError, NotFound
from jmem.formats import schedule
from jmem.storage import files, processes
from jmem.transcripts.reader import VARIABLES

Kind = Literal["cron", "systemd", "launchd"]
_NO_CRONTAB = "no crontab for"


@dataclass(frozen=True, slots=True)
class Change:
    """What installing or removing does. ``files``: path -> new text (None: it goes)."""

    kind: Kind
    summary: str
    files: dict[str, str | None]
    changed: bool


def script() -> str:
    """The absolute path of the installed ``jmem`` script.

    A schedule never calls ``python -m``: in a project with a ``pipelines/`` folder of its own that
    would run the project's code. Raises NotFound where there is no script.
    """
    beside = Path(sys.argv[0]).absolute()
    candidates = [beside if beside.name == "jmem" else None, Path(sys.executable).with_name("jmem")]
    for candidate in candidates:
        if candidate is not None and candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate)
    found = shutil.which("jmem")
    if found is None:
        raise NotFound("the jmem script was not found", hint="install jmem: pipx install jmem")
    return str(Path(found).absolute())


def install(kind: Kind, *, dry_run: bool) -> Change:
    """Install the schedule; a second time changes nothing."""
    environment = {"JMEM_HOME": str(paths.root())} if os.environ.get("JMEM_HOME") else {}
    for name in VARIABLES:
        if value := os.environ.get(name):
            environment[name] = value
    path = os.environ.get("PATH", "")
    log = str(paths.root() / "log" / "cron.log")
    if not dry_run:
        files.make_directory(paths.root() / "log")
    if kind == "cron":
        old = _crontab()
        new = schedule.crontab_with(old, script(), environment, log)
        return _write_crontab(old, new, "install", dry_run=dry_run)
    if kind == "systemd":
        units = schedule.systemd_units(script(), {**environment, "PATH": path})
        target = _config_home() / "systemd" / "user"
        wanted = {str(target / name): text for name, text in units.items()}
        change = _change_files(kind, wanted, dry_run=dry_run)
        if not dry_run:
            _systemctl("daemon-reload")
            _systemctl("enable", "--now", f"{schedule.SYSTEMD_UNIT}.timer")
        return change
    file = _launchd_file()
    wanted = {str(file): schedule.launchd_agent(script(), {**environment, "PATH": path}, log)}
    change = _change_files(kind, wanted, dry_run=dry_run)
    if not dry_run and change.changed:
        processes.run(["launchctl", "unload", str(file)])
        _checked(processes.run(["launchctl", "load", str(file)]), "launchctl")
    return change


def remove(kind: Kind, *, dry_run: bool) -> Change:
    """Take the schedule out; what is not there is no error."""
    if kind == "cron":
        old = _crontab()
        return _write_crontab(old, schedule.crontab_without(old), "remove", dry_run=dry_run)
    if kind == "systemd":
        target = _config_home() / "systemd" / "user"
        names = (f"{schedule.SYSTEMD_UNIT}.service", f"{schedule.SYSTEMD_UNIT}.timer")
        present = {str(target / name): None for name in names if (target / name).exists()}
        if present and not dry_run:
            _systemctl("disable", "--now", f"{schedule.SYSTEMD_UNIT}.timer")
        return _change_files(kind, present, dry_run=dry_run)
    file = _launchd_file()
    if not file.exists():
        return Change(kind, "nothing is installed", {}, changed=False)
    if not dry_run:
        processes.run(["launchctl", "unload", str(file)])
    return _change_files(kind, {str(file): None}, dry_run=dry_run)


def installed() -> dict[Kind, str]:
    """What is installed: kind -> the line or file that does it."""
    found: dict[Kind, str] = {}
    try:
        if line := schedule.crontab_line(_crontab()):
            found["cron"] = line
    except JmemError:
        pass
    timer = _config_home() / "systemd" / "user" / f"{schedule.SYSTEMD_UNIT}.timer"
    if timer.exists():
        found["systemd"] = str(timer)
    if _launchd_file().exists():
        found["launchd"] = str(_launchd_file())
    return found


def _crontab() -> str:
    try:
        done = processes.run(["crontab", "-l"])
    except NotFound as error:
        hint = "use a timer: jmem cron install --systemd (Linux) or --launchd (macOS)"
        raise NotFound(error.message, hint=hint) from error
    if done.code != 0 and _NO_CRONTAB not in done.errors:
        raise JmemError(f"crontab -l failed: {done.errors.strip()[:200]}")
    return done.output if done.code == 0 else ""


def _write_crontab(old: str, new: str, verb: str, *, dry_run: bool) -> Change:
    changed = old != new
    if changed and not dry_run:
        _checked(processes.run(["crontab", "-"], stdin=new), "crontab")
    told = f"{verb}: {'crontab changed' if changed else 'the crontab is already so'}"
    return Change("cron", told, {"crontab": new}, changed=changed)


def _change_files(
    kind: Kind, wanted: dict[str, str | None] | dict[str, str] | dict[str, None], *, dry_run: bool
) -> Change:
    different: dict[str, str | None] = {
        path: text for path, text in wanted.items() if files.read_text(Path(path)) != text
    }
    for path, text in different.items():
        if dry_run:
            continue
        if text is None:
            files.remove(Path(path))
        else:
            files.make_directory(Path(path).parent)
            files.atomic_write(Path(path), text.encode())
    told = ", ".join(different) or "nothing to change"
    return Change(kind, told, different, changed=bool(different))


def _systemctl(*words: str) -> None:
    _checked(processes.run(["systemctl", "--user", *words]), "systemctl --user")


def _checked(done: processes.Finished, what: str) -> None:
    if done.code != 0:
        raise JmemError(f"{what} failed: {done.errors.strip()[:200]}")


def _config_home() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _launchd_file() -> Path:
    return Path.home() / "Library" / "LaunchAgents" / f"{schedule.LAUNCHD_LABEL}.plist"
