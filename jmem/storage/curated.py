"""Carrying out a decided run: journal, files, commit, state, in an order that survives any death.

Nothing here decides. Each output is written only while the file is what the run saw or already
what the run wants; where a person wrote meanwhile, the person's text stays, the inputs behind it
are kept for the next run, and the commit holds what jmem last knew, so that the next run finds
exactly the person's edit.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from jmem.layout import (
    FORGOTTEN_FILE,
    INDEX_FILE,
    NOTES_DIR,
    SUMMARY_FILE,
    TOPICS_DIR,
)
from jmem.paths import lock_file
from jmem.state import ConsolidationRecord, forget_files
from jmem.storage import files, fingerprint, inbox, journal, locks, statefile
from jmem.storage.guard import PathGuard
from jmem.storage.history import RUN_TRAILER, History
from jmem.storage.journal import Journal, Output

CHANGE_TIMEOUT = 60.0
SESSION_TRAILER = "Jmem-Session"


@dataclass(frozen=True, slots=True)
class Applied:
    """How a run ended: its commit, and the files that a person had changed meanwhile."""

    commit: str
    kept: tuple[str, ...] = ()


def publish(scope_root: Path, history: History, decided: Journal) -> Applied:
    """Journal the run and carry it out."""
    guard = PathGuard(scope_root, own=(FORGOTTEN_FILE,))
    for output in decided.outputs:
        guard.check(output.path)
    with changing(scope_root):
        journal.write(scope_root, decided)
        return _carry_out(scope_root, history, decided)


def roll_forward(scope_root: Path, history: History) -> Applied | None:
    """Finish the run that an earlier process left behind; None where there is none."""
    with changing(scope_root):
        decided = journal.read(scope_root)
        return _carry_out(scope_root, history, decided) if decided else None


def is_view(path: str) -> bool:
    """Whether a path is derived from the memories."""
    return path in (INDEX_FILE, SUMMARY_FILE) or path.startswith(f"{TOPICS_DIR}/")


def changing(scope_root: Path) -> AbstractContextManager[None]:
    """Hold the lock of a change to the curated files. Raises Busy."""
    lock = lock_file(scope_root, "change")
    return locks.hold(lock, timeout=CHANGE_TIMEOUT, what=scope_root.name)


def _carry_out(scope_root: Path, history: History, decided: Journal) -> Applied:
    skipped = _to_skip(scope_root, decided.outputs)
    _write(scope_root, [o for o in decided.outputs if o.path not in skipped])
    held = {ref for o in decided.outputs if o.path in skipped for ref in o.refs}
    _remove_notes(scope_root, decided, held)
    commit = _commit(scope_root, history, decided, skipped, held)
    removed = [o.path for o in decided.outputs if o.after is None]
    removed += [f"{NOTES_DIR}/{note.name}" for note in decided.notes if note.ref not in held]
    record = ConsolidationRecord(
        at=decided.at,
        decisions=decided.decisions,
        commit=commit,
        run=decided.run,
        changed_at=decided.at,
    )
    # A run that had to leave something is followed by one that looks at everything again.
    seen = "" if skipped else fingerprint.of(scope_root)
    statefile.update(
        scope_root,
        lambda state: replace(
            forget_files(state, removed),
            last_consolidation=record,
            fingerprint=seen,
            next_expiry=decided.next_expiry,
        ),
        now=decided.at,
    )
    journal.drop(scope_root)
    return Applied(commit, tuple(sorted(skipped)))


def _to_skip(scope_root: Path, outputs: Sequence[Output]) -> set[str]:
    """The outputs that must not be written: a person's file, what shares an input with one, and
    then all views, which would show what was not written."""
    states = {output.path: _standing(scope_root, output) for output in outputs}
    skipped = {path for path, standing in states.items() if standing == "changed"}
    if not skipped:
        return set()
    held: set[str] = set()
    growing = True
    while growing:
        held |= {ref for output in outputs if output.path in skipped for ref in output.refs}
        more = {o.path for o in outputs if held & set(o.refs)} - skipped
        growing = bool(more)
        skipped |= more
    skipped |= {output.path for output in outputs if is_view(output.path)}
    return {path for path in skipped if states[path] != "done"}


def _standing(scope_root: Path, output: Output) -> str:
    now = files.digest(files.read_bytes(scope_root / output.path))
    if now == _digest_after(output):
        return "done"
    return "waiting" if now == output.before else "changed"


def _digest_after(output: Output) -> str:
    return files.digest(None if output.after is None else output.after.encode())


def _write(scope_root: Path, outputs: Sequence[Output]) -> None:
    directories = set()
    for output in outputs:
        path = scope_root / output.path
        standing = _standing(scope_root, output)
        if standing != "waiting":
            continue
        if output.after is None:
            files.remove(path)
        else:
            files.make_directory(path.parent)
            files.atomic_write(path, output.after.encode(), durable_name=False)
        directories.add(path.parent)
    for directory in directories:
        files.sync_directory(directory)


def _remove_notes(scope_root: Path, decided: Journal, held: Collection[str]) -> None:
    """Digested notes go, but not one that was edited after the run had read it."""
    gone = []
    for note in decided.notes:
        data = files.read_bytes(scope_root / NOTES_DIR / note.name)
        if note.ref not in held and data is not None and files.digest(data) == note.digest:
            gone.append(note.name)
    inbox.remove(scope_root, gone)


def _commit(
    scope_root: Path,
    history: History,
    decided: Journal,
    skipped: Collection[str],
    held: Collection[str],
) -> str:
    last = history.last_run()
    if last is not None and last.run == decided.run:
        return last.sha
    message = _message(decided, skipped, held)
    kept = _known_before(history, decided.base, skipped)
    return history.commit_all(message, now=decided.at, kept=kept, empty=True)


def _known_before(
    history: History, base: str, paths: Collection[str]
) -> Mapping[str, bytes | None]:
    if not paths:
        return {}
    tree = history.tree(base) if base else {}
    known = [path for path in sorted(paths) if path in tree]
    contents = dict(zip(known, history.read([tree[path] for path in known]), strict=True))
    return {path: contents.get(path) for path in paths}


def _message(decided: Journal, skipped: Collection[str], held: Collection[str]) -> str:
    lines = [decided.subject, ""]
    lines += [line for ref, line in decided.lines if ref not in held]
    waiting = [ref for ref, _ in decided.lines if ref in held]
    if skipped:
        lines += ["", "Changed by a person meanwhile, left as found: " + ", ".join(sorted(skipped))]
    if waiting:
        lines += ["To be decided again: " + ", ".join(waiting)]
    lines += ["", f"{RUN_TRAILER}: {decided.run}"]
    lines += [f"{SESSION_TRAILER}: {session}" for session in decided.sessions]
    return "\n".join(lines) + "\n"
