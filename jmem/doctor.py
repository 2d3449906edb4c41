"""A list of checks, each with its remedy. Looking changes nothing; ``fix`` mends what is safe."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from pathlib import Path

from jmem import config, hygiene, paths, schedule, scopes
from jmem.clearing import DOOMED_PREFIX
from jmem.errors import CorruptStore, JmemError
from jmem.formats import views
from jmem.formats.text import plural
from jmem.layout import INDEX_FILE, JOURNAL_FILE, NOTES_DIR, STATE_FILE, TOPICS_DIR
from jmem.model import MAX_NOTE_BYTES
from jmem.scopes import Scope
from jmem.storage import configfile, files, history, inbox, memories, statefile
from jmem.storage.index import database

STALE_NOTES = timedelta(hours=48)


class Grade(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check's result. ``remedy`` says what to do; ``fix`` does it where that is safe."""

    check: str
    grade: Grade
    message: str
    remedy: str = ""
    fix: Callable[[], None] | None = None


def examine(now: datetime) -> Iterator[Finding]:
    """Every check, over the installation and every scope that exists."""
    yield from _git()
    yield from _sqlite()
    yield from _packages()
    yield from _settings()
    yield from _permissions()
    found = list(scopes.existing())
    if not found:
        yield _ok("scopes", "no scope exists yet")
    for scope in found:
        yield from _scope(scope)
    yield from _half_cleared()
    yield from _schedule(found, now)


def _ok(check: str, message: str) -> Finding:
    return Finding(check=check, grade=Grade.OK, message=message)


def _failed(scope: Scope, message: str, remedy: str) -> Finding:
    return Finding(check=scope.name, grade=Grade.FAIL, message=message, remedy=remedy)


def _git() -> Iterator[Finding]:
    if history.git_available():
        yield _ok("git", "git is there")
    else:
        yield Finding(
            check="git",
            grade=Grade.FAIL,
            message="git was not found: notes are taken, but nothing can be distilled",
            remedy="install git",
        )


def _sqlite() -> Iterator[Finding]:
    if database.usable():
        yield _ok("sqlite", "SQLite can search text")
    else:
        yield Finding(
            check="sqlite",
            grade=Grade.FAIL,
            message="this Python's SQLite was built without FTS5: nothing can be recalled",
            remedy="use another Python, for example from python.org or uv python install",
        )


def _packages() -> Iterator[Finding]:
    """Another package of the name ``pipelines`` in the same environment overwrites ours."""
    from importlib.metadata import packages_distributions

    owners = sorted(set(packages_distributions().get("pipelines", [])))
    if len(owners) > 1:
        yield Finding(
            check="packages",
            grade=Grade.FAIL,
            message=f"several packages own 'pipelines' here: {', '.join(owners)}",
            remedy="install jmem in an environment of its own: pipx install jmem",
        )
    else:
        yield _ok("packages", "nothing shadows jmem's packages")


def _settings() -> Iterator[Finding]:
    try:
        settings = config.load()
    except JmemError as error:
        yield Finding(check="settings", grade=Grade.FAIL, message=error.message, remedy=error.hint)
        return
    for warning in settings.warnings:
        yield Finding(
            check="settings", grade=Grade.WARN, message=warning, remedy="jmem config lists all"
        )
    if not settings.generate:
        yield Finding(
            check="settings",
            grade=Grade.WARN,
            message="memory is switched off or read only",
            remedy="jmem config enabled true; jmem config generate true",
        )
    elif not settings.warnings:
        yield _ok("settings", "the settings can be read")


def _permissions() -> Iterator[Finding]:
    """Nobody but the user may read memory, who may write it: directories 0700, files 0600."""
    root = paths.root()
    try:
        configfile.refuse_unwritable(root / ".new")
    except JmemError as error:
        yield Finding(check="permissions", grade=Grade.FAIL, message=str(error), remedy=error.hint)
        return
    open_to_others = [path for path in _walk(root) if path.lstat().st_mode & 0o077]
    if not open_to_others:
        yield _ok("permissions", f"{root} is {'private' if root.exists() else 'not there yet'}")
        return

    def close() -> None:
        for path in open_to_others:
            if not path.is_symlink():
                path.chmod(0o700 if path.is_dir() else stat.S_IMODE(path.stat().st_mode) & 0o700)

    yield Finding(
        check="permissions",
        grade=Grade.WARN,
        message=f"others can read {plural(len(open_to_others), 'path')}, "
        f"for example {open_to_others[0]}",
        remedy=f"chmod -R go= {root}, or jmem doctor --fix",
        fix=close,
    )


def _walk(root: Path) -> Iterator[Path]:
    if not root.exists():
        return
    yield root
    for path in root.rglob("*"):
        if ".git" not in path.relative_to(root).parts and not path.is_symlink():
            yield path


def _scope(scope: Scope) -> Iterator[Finding]:
    problems = [
        *_readable(scope),
        *_drift(scope),
        *_gone(scope),
        *_unreachable_notes(scope),
        *_leftovers(scope),
    ]
    yield from problems or [_ok(scope.name, "its memories, views, notes and state are in order")]


def _half_cleared() -> Iterator[Finding]:
    """A clear that was killed: its contents are still on the disk, where nobody looks."""
    for root in (paths.root(), paths.projects_root()):
        for path in sorted(root.glob(f"{DOOMED_PREFIX}*")):
            yield Finding(
                check="clear",
                grade=Grade.WARN,
                message=f"{path} is left of a scope that was being cleared",
                remedy=f"rm -r {path}, or jmem doctor --fix",
                fix=partial(shutil.rmtree, path),
            )


def _readable(scope: Scope) -> Iterator[Finding]:
    try:
        scopes.read_project(scope.root)
    except CorruptStore as error:
        yield _failed(scope, error.message, error.hint)
    loaded = memories.load(scope.root)
    for path, problem in loaded.unreadable.items():
        yield _failed(
            scope,
            f"{path}: {problem}",
            f"mend it in an editor, or take it back: git -C {scope.root} checkout -- {path}",
        )


def _drift(scope: Scope) -> Iterator[Finding]:
    shown = {
        path.relative_to(scope.root).as_posix(): files.read_text(path) or ""
        for path in (scope.root / INDEX_FILE, *(scope.root / TOPICS_DIR).glob("*.md"))
        if path.is_file()
    }
    known = memories.load(scope.root).memories.values()
    if any(memory.active for memory in known) and not views.agree(shown, known):
        yield Finding(
            check=scope.name,
            grade=Grade.WARN,
            message="the views differ from the memories (somebody edited one of them)",
            remedy=f"jmem distill --project {scope.directory or '…'} takes the edits over",
        )


def _gone(scope: Scope) -> Iterator[Finding]:
    missing = hygiene.gone(memories.load(scope.root).memories.values(), scope.directory)
    for key, named in missing.items():
        yield Finding(
            check=scope.name,
            grade=Grade.WARN,
            message=f"{key} {hygiene.told(named)}",
            remedy=f"jmem show {key}; if it is out of date, delete or correct its line in "
            f"{INDEX_FILE}",
        )


def _unreachable_notes(scope: Scope) -> Iterator[Finding]:
    """Files in the inbox that no reader will ever look at."""
    directory = scope.root / NOTES_DIR
    if not directory.is_dir():
        return
    for path in sorted(directory.iterdir()):
        reason = ""
        if path.is_symlink():
            reason = "a symbolic link"
        elif path.is_dir():
            reason = "a directory"
        elif path.name.endswith(files.TEMPORARY_SUFFIX):
            reason = "left behind by a killed process"
        elif path.name.startswith(".") or path.suffix != ".md":
            reason = "not a .md file"
        elif path.stat().st_size > inbox.MAX_FILE_BYTES:
            reason = f"larger than {MAX_NOTE_BYTES // 1024} KiB"
        elif not (files.read_text(path) or "").strip():
            reason = "empty"
        if reason:
            yield Finding(
                check=scope.name,
                grade=Grade.WARN,
                message=f"{NOTES_DIR}/{path.name} is not read: {reason}",
                remedy="rename it to NAME.md, split it, or remove it",
            )


def _leftovers(scope: Scope) -> Iterator[Finding]:
    if (scope.root / JOURNAL_FILE).exists():
        yield Finding(
            check=scope.name,
            grade=Grade.WARN,
            message="a run was interrupted after it had decided",
            remedy="the next jmem distill finishes it",
        )
    for path in sorted(scope.root.glob(f"{STATE_FILE}.corrupt-*")):
        yield Finding(
            check=scope.name,
            grade=Grade.WARN,
            message=f"{path.name}: a corrupt state file that was set aside",
            remedy=f"nothing needs it: rm {path}",
        )
    if not statefile.is_readable(scope.root):
        yield Finding(
            check=scope.name,
            grade=Grade.WARN,
            message=f"{STATE_FILE} cannot be read",
            remedy=f"jmem distill --project {scope.directory or '…'} sets it aside and rebuilds it",
        )
    state = statefile.load(scope.root)
    for session, record in state.extracted.items():
        if record.failed:
            yield Finding(
                check=scope.name,
                grade=Grade.WARN,
                message=f"{session} could not be read ({record.fail_count} times): {record.error}",
                remedy="it is read again when it changes",
            )


def _schedule(found: list[Scope], now: datetime) -> Iterator[Finding]:
    """Notes that wait for days mean that nobody distils."""
    try:
        planned = schedule.installed()
    except JmemError as error:
        yield Finding(check="schedule", grade=Grade.WARN, message=error.message)
        return
    late = [scope.name for scope in found if _is_late(scope, now)]
    if late:
        yield Finding(
            check="schedule",
            grade=Grade.FAIL if planned else Grade.WARN,
            message=f"notes wait for more than two days in {', '.join(late)}",
            remedy="look at the log directory: the schedule is installed but does not run"
            if planned
            else "jmem cron install",
        )
    elif planned and (idle := [scope.name for scope in found if _is_idle(scope, now)]):
        yield Finding(
            check="schedule",
            grade=Grade.WARN,
            message=f"{', '.join(planned)} is installed, but nothing ran for more than two days "
            f"in {', '.join(idle)}",
            remedy=f"look at {paths.root() / 'log' / 'cron.log'}, or run: jmem distill --all",
        )
    elif not planned and found:
        yield Finding(
            check="schedule",
            grade=Grade.WARN,
            message="no schedule is installed: memory is distilled only when you do it",
            remedy="jmem cron install",
        )
    else:
        yield _ok("schedule", ", ".join(planned) or "nothing to schedule yet")


def _is_idle(scope: Scope, now: datetime) -> bool:
    last = statefile.load(scope.root).last_pipeline_at
    return last is not None and now - last > STALE_NOTES


def _is_late(scope: Scope, now: datetime) -> bool:
    oldest = min((note.time for note in inbox.listed(scope.root)), default=now)
    return now - oldest > STALE_NOTES
