"""Checks of the files of a scope: each can be read, is read, and says what the others say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from jmem import clock, edits, hygiene, scopes
from jmem.doctor.finding import Finding, failure, option_for, warning
from jmem.errors import CorruptStore
from jmem.formats import views
from jmem.layout import INDEX_FILE, MEMORIES_DIR, NOTES_DIR, STATE_FILE, TOPICS_DIR
from jmem.model import MAX_NOTE_BYTES
from jmem.scopes import Scope
from jmem.storage import curated, files, inbox, memories, statefile
from jmem.storage.history import History
from jmem.storage.memories import Loaded


def examine(scope: Scope) -> Iterator[Finding]:
    """What is wrong with the files of a scope."""
    loaded = memories.load(scope.root)
    yield from _project(scope)
    yield from _unreadable(scope, loaded)
    yield from list(_vanished(scope, loaded)) or _drift(scope, loaded)
    yield from _gone(scope, loaded)
    yield from _unreachable_notes(scope)
    yield from _state(scope)


def _project(scope: Scope) -> Iterator[Finding]:
    try:
        scopes.read_project(scope.root)
    except CorruptStore as error:
        yield failure("project", error.message, error.hint, scope=scope)
    if scope.directory and not Path(scope.directory).is_dir():
        yield warning(
            "project",
            f"its directory {scope.directory} is not there",
            f"where it was moved to: jmem path --moved-from {scope.directory}",
            scope=scope,
        )


def _unreadable(scope: Scope, loaded: Loaded) -> Iterator[Finding]:
    for path, problem in loaded.unreadable.items():
        data = files.read_bytes(scope.root / path)
        empty = data is not None and not data.strip()
        yield failure(
            "memories",
            f"{path}: {problem}",
            "jmem doctor --fix puts its last text back"
            if empty
            else f"mend it in an editor, or take it back: git -C {scope.root} checkout -- {path}",
            scope=scope,
            fix=partial(_put_back, scope.root, path) if empty else None,
        )


def _put_back(root: Path, path: str) -> None:
    """Give an empty memory file the last text that git has of it; one that never had any goes."""
    with curated.changing(root):
        if (files.read_bytes(root / path) or b"").strip():
            return  # somebody has written it meanwhile
        history = History(root)
        versions = history.versions(path) if history.head() else []
        whole = next((data for data in versions if data.strip()), None)
        if whole is None:
            files.remove(root / path)
        else:
            files.atomic_write(root / path, whole)


def _vanished(scope: Scope, loaded: Loaded) -> Iterator[Finding]:
    lost, had = memories.vanished(scope.root, loaded)
    if edits.most(lost, had):
        last = History(scope.root).last_run()
        back = "put the files back from a copy"
        if last is not None:
            back = f"git -C {scope.root} checkout {last.sha[:12]} -- {MEMORIES_DIR}"
        yield failure(
            "memories",
            f"{lost} of the {had} memories that the views list have no file in {MEMORIES_DIR}/",
            f"{back}; if you removed them: jmem distill {option_for(scope)} --accept-deletions",
            scope=scope,
        )


def _drift(scope: Scope, loaded: Loaded) -> Iterator[Finding]:
    shown = {
        path.relative_to(scope.root).as_posix(): files.read_text(path) or ""
        for path in (scope.root / INDEX_FILE, *(scope.root / TOPICS_DIR).glob("*.md"))
        if path.is_file()
    }
    known = loaded.memories.values()
    listed = any(entry for text in shown.values() for entry in views.parse(text))
    in_force = any(memory.active for memory in known)
    if (listed or in_force) and not views.agree(shown, known):
        yield warning(
            "views",
            "the views differ from the memories (somebody edited one of them)",
            f"jmem distill {option_for(scope)} takes the edits over",
            scope=scope,
        )


def _gone(scope: Scope, loaded: Loaded) -> Iterator[Finding]:
    missing = hygiene.gone(loaded.memories.values(), scope.directory)
    for key, named in missing.items():
        yield warning(
            "names",
            f"{key} {hygiene.told(named)}",
            f"jmem review {key} approve where it holds all the same, else jmem forget {key}",
            scope=scope,
        )


def _unreachable_notes(scope: Scope) -> Iterator[Finding]:
    """Files in the inbox that no reader will ever look at."""
    directory = scope.root / NOTES_DIR
    if not directory.is_dir():
        return
    for path in sorted(directory.iterdir()):
        if reason := _why_not_read(path):
            empty = reason == "empty"
            yield warning(
                "notes",
                f"{NOTES_DIR}/{path.name} is not read: {reason}",
                f"rm {path}, or jmem doctor --fix"
                if empty
                else "rename it to NAME.md, split it, or remove it",
                scope=scope,
                fix=partial(files.remove, path) if empty else None,
            )


def _why_not_read(path: Path) -> str:
    if path.is_symlink():
        return "a symbolic link"
    if path.is_dir():
        return "a directory"
    if path.name.endswith(files.TEMPORARY_SUFFIX):
        return "left behind by a killed process"
    if path.name.startswith(".") or path.suffix != ".md":
        return "not a .md file"
    if path.stat().st_size > inbox.MAX_FILE_BYTES:
        return f"larger than {MAX_NOTE_BYTES // 1024} KiB"
    return "" if (files.read_text(path) or "").strip() else "empty"


def _state(scope: Scope) -> Iterator[Finding]:
    for path in sorted(scope.root.glob(f"{STATE_FILE}.corrupt-*")):
        yield warning(
            "state",
            f"{path.name}: a corrupt state file that was set aside",
            f"nothing needs it: rm {path}, or jmem doctor --fix",
            scope=scope,
            fix=partial(files.remove, path),
        )
    if not statefile.is_readable(scope.root):
        yield warning(
            "state",
            f"{STATE_FILE} cannot be read",
            f"jmem distill {option_for(scope)} sets it aside and rebuilds it",
            scope=scope,
            fix=partial(statefile.update, scope.root, lambda state: state, now=clock.now()),
        )
    for session, record in statefile.load(scope.root).extracted.items():
        if record.failed:
            yield warning(
                "sessions",
                f"{session} could not be read ({record.fail_count} times): {record.error}",
                f"it is read again when it changes, or after jmem explain {session} --retry",
                scope=scope,
            )
