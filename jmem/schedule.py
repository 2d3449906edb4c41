"""Putting the nightly run into cron, systemd or launchd, and taking it out again."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from jmem import paths
from jmem.errors import JmemError, NotFound
from jmem.formats import schedule
from jmem.storage import appending, configfile, files, processes
from jmem.transcripts.reader import VARIABLES

Kind = Literal["cron", "systemd", "launchd"]
KINDS: tuple[Kind, ...] = ("systemd", "launchd", "cron")
_OF_FILES: tuple[Kind, ...] = ("systemd", "launchd")
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
    started = Path(sys.argv[0])
    candidates = [
        started if started.name == "jmem" else None,
        Path(sys.executable).with_name("jmem"),
    ]
    for candidate in candidates:
        if candidate is not None and candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate.absolute())
    found = shutil.which("jmem")
    if found is None:
        raise NotFound("the jmem script was not found", hint="install jmem: pipx install jmem")
    return str(Path(found).absolute())


def install(kind: Kind, *, dry_run: bool) -> Change:
    """Install the schedule; a second time changes nothing, and one that fails leaves nothing."""
    environment = {"JMEM_HOME": str(paths.root())} if os.environ.get("JMEM_HOME") else {}
    for name in VARIABLES:
        if value := os.environ.get(name):
            environment[name] = value
    path = os.environ.get("PATH", "")
    log = str(paths.root() / "log" / "cron.log")
    if kind == "cron":
        old = _crontab()
        new = schedule.crontab_with(old, script(), environment, log)
        change = _write_crontab(old, new, "install", dry_run=dry_run)
    elif kind == "systemd":
        units = schedule.systemd_units(script(), {**environment, "PATH": path})
        wanted = {str(_systemd_home() / name): text for name, text in units.items()}
        change = _start(kind, wanted, _start_systemd, dry_run=dry_run)
    else:
        agent = schedule.launchd_agent(script(), {**environment, "PATH": path}, log)
        change = _start(kind, {str(_launchd_file()): agent}, _start_launchd, dry_run=dry_run)
    if not dry_run:
        files.make_directory(paths.root() / "log")
        appending.append(log, b"")  # for the scheduler: private, and no link to elsewhere
    return change


def remove(kind: Kind, *, dry_run: bool) -> Change:
    """Take the schedule out; what is not there is no error, nor is a scheduler that is missing."""
    if kind == "cron":
        if shutil.which("crontab") is None:
            return Change(kind, "nothing is installed", {}, changed=False)
        old = _crontab()
        return _write_crontab(old, schedule.crontab_without(old), "remove", dry_run=dry_run)
    present: dict[str, str | None] = dict.fromkeys(_left_by(kind))
    if not present:
        return Change(kind, "nothing is installed", {}, changed=False)
    if not dry_run:
        with suppress(JmemError):  # it does not run here, so there is nothing to stop
            _stop(kind)
        if kind == "systemd":  # what "systemctl enable" made, where nobody could take it back
            files.remove(_systemd_home() / "timers.target.wants" / f"{schedule.SYSTEMD_UNIT}.timer")
    return _change_files(kind, present, dry_run=dry_run)


def installed() -> dict[Kind, str]:
    """What is installed and runs: kind -> the line or file that does it."""
    found: dict[Kind, str] = {}
    try:
        if line := schedule.crontab_line(_crontab()):
            found["cron"] = line
    except JmemError:
        pass
    for kind in _OF_FILES:
        if (left := _left_by(kind)) and _is_active(kind):
            found[kind] = left[-1]
    return found


def inactive() -> dict[Kind, str]:
    """What was installed once and does not run: kind -> its file."""
    active = installed()
    return {kind: left[-1] for kind in _OF_FILES if kind not in active and (left := _left_by(kind))}


def _left_by(kind: Kind) -> list[str]:
    """The files of a schedule that are there; the one that starts it is the last."""
    units = (f"{schedule.SYSTEMD_UNIT}.service", f"{schedule.SYSTEMD_UNIT}.timer")
    wanted = [_systemd_home() / name for name in units] if kind == "systemd" else [_launchd_file()]
    return [str(path) for path in wanted if path.exists()]


def _is_active(kind: Kind) -> bool:
    ask = {
        "systemd": ["systemctl", "--user", "is-active", f"{schedule.SYSTEMD_UNIT}.timer"],
        "launchd": ["launchctl", "list", schedule.LAUNCHD_LABEL],
    }
    try:
        return processes.run(ask[kind]).code == 0
    except JmemError:
        return False


def _start(
    kind: Kind, wanted: dict[str, str], start: Callable[[], None], *, dry_run: bool
) -> Change:
    """Write the files and start what they say; where that fails they are as they were."""
    before = {path: files.read_text(Path(path)) for path in wanted}
    made = [folder for path in wanted for folder in Path(path).parents if not folder.exists()]
    change = _change_files(kind, wanted, dry_run=dry_run)
    if dry_run:
        return change
    try:
        start()
    except JmemError:
        _change_files(kind, before, dry_run=False)
        for folder in sorted(set(made), reverse=True):
            configfile.remove_empty(folder)
        raise
    return change


def _start_systemd() -> None:
    _systemctl("daemon-reload")
    _systemctl("enable", "--now", f"{schedule.SYSTEMD_UNIT}.timer")


def _start_launchd() -> None:
    processes.run(["launchctl", "unload", str(_launchd_file())])
    _checked(processes.run(["launchctl", "load", str(_launchd_file())]), "launchctl")


def _stop(kind: Kind) -> None:
    if kind == "systemd":
        _systemctl("disable", "--now", f"{schedule.SYSTEMD_UNIT}.timer")
    else:
        processes.run(["launchctl", "unload", str(_launchd_file())])


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


def _change_files(kind: Kind, wanted: Mapping[str, str | None], *, dry_run: bool) -> Change:
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


def _systemd_home() -> Path:
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return home / "systemd" / "user"


def _launchd_file() -> Path:
    return Path.home() / "Library" / "LaunchAgents" / f"{schedule.LAUNCHD_LABEL}.plist"
