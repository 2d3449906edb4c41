"""Carrying out a decided run: journal, files, commit, state, in an order that survives any death.

Nothing here decides. Each output is written only while the file is what the run saw or already
what the run wants; where a person wrote meanwhile, the whole run is withdrawn and its inputs are
decided again. The commit holds what the run saw and what it wrote, never what a person did in
between, so that the next run finds exactly that.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from jmem import clock, quality
from jmem.formats import memoryfile, notefile
from jmem.layout import (
    FORGOTTEN_FILE,
    INDEX_FILE,
    MEMORIES_DIR,
    NOTES_DIR,
    PROJECT_FILE,
    SUMMARIES_DIR,
    TOPICS_DIR,
)
from jmem.paths import lock_file
from jmem.state import ConsolidationRecord, State, forget_files
from jmem.storage import files, fingerprint, inbox, journal, locks, statefile, vouched
from jmem.storage.fingerprint import Looks
from jmem.storage.guard import PathGuard
from jmem.storage.history import CHANGE_TRAILER, RUN_TRAILER, UNDO_TRAILER, Commit, History
from jmem.storage.journal import Digested, Journal, Output

CHANGE_TIMEOUT = 60.0
SESSION_TRAILER = "Jmem-Session"
ENGINE_TRAILER = "Jmem-Engine"
TOKENS_TRAILER = "Jmem-Tokens"
FOUND = "Record what was found"
"""How the subject of a commit begins that only puts down what stood there before a run."""
_ABANDONED_AFTER = 3600.0


def publish(
    scope_root: Path, history: History, decided: Journal, *, seen: Looks | None = None
) -> str:
    """Journal the run, carry it out and return its commit.

    Empty where a person changed one of its files since the run looked, or somebody committed:
    nothing of the run stands then, and its inputs wait to be decided again. ``seen``: the looks
    of the scope before that.
    """
    with changing(scope_root):
        return publish_held(scope_root, history, decided, seen=seen)


def publish_held(
    scope_root: Path, history: History, decided: Journal, *, seen: Looks | None = None
) -> str:
    """``publish`` for a caller that holds the lock of a change."""
    _guard(scope_root, decided)
    if history.head() != decided.base or _in_the_way(scope_root, decided.outputs):
        return ""
    journal.write(scope_root, decided)
    return _carry_out(scope_root, history, decided, seen)


def roll_forward(scope_root: Path, history: History) -> str:
    """Finish the run that an earlier process left behind, and return its commit.

    Empty where there is none, or where it had to be withdrawn.
    """
    with changing(scope_root):
        return roll_forward_held(scope_root, history)


def roll_forward_held(scope_root: Path, history: History) -> str:
    """``roll_forward`` for a caller that holds the lock of a change: whoever wrote a journal that
    stands there is dead."""
    decided = journal.read(scope_root)
    if decided is None:
        return ""
    _guard(scope_root, decided)
    return _carry_out(scope_root, history, decided, None)


def _guard(scope_root: Path, decided: Journal) -> None:
    """Every path that a run writes, checked; a journal on disk is believed no more than a plan."""
    guard = PathGuard(scope_root, own=(FORGOTTEN_FILE, PROJECT_FILE))
    for path in (*(o.path for o in decided.outputs), *map(_path_of, decided.notes)):
        guard.check(path)


def found_message(now: datetime) -> str:
    """The message of the commit that a run makes of what it finds, before it decides."""
    return f"{FOUND} on {clock.day(now)}\n\nNotes, summaries and people's edits.\n"


def changing(scope_root: Path) -> AbstractContextManager[None]:
    """Hold the lock of a change to the curated files. Raises Busy."""
    lock = lock_file(scope_root, "change")
    return locks.hold(lock, timeout=CHANGE_TIMEOUT, what=scope_root.name)


def remove_abandoned(scope_root: Path) -> None:
    """Remove what killed runs left half written. The caller holds the run and the change lock;
    notes and the state have writers of their own."""
    for name in (MEMORIES_DIR, TOPICS_DIR, SUMMARIES_DIR):
        files.remove_abandoned(scope_root / name)
    for directory in (scope_root / NOTES_DIR, scope_root):
        files.remove_abandoned(directory, age=_ABANDONED_AFTER)


def _carry_out(scope_root: Path, history: History, decided: Journal, seen: Looks | None) -> str:
    last = history.last_run()
    commit = last.sha if last is not None and last.run == decided.run else ""
    if not commit:
        _vouch(scope_root, decided)
        if not _write(scope_root, decided.outputs):
            _withdraw(scope_root, history, decided)
            journal.drop(scope_root)
            return ""
        _remove_notes(scope_root, decided)
        commit = _commit(scope_root, history, decided, last)
    for ref, known in decided.refs.items():
        history.point(ref, known)
    removed = [o.path for o in decided.outputs if o.after is None]
    removed += [_path_of(note) for note in decided.notes]
    looks = "" if decided.change else _looks_after(scope_root, decided, seen)

    def change(state: State) -> State:
        last = state.last_consolidation
        counted = last is not None and last.run == decided.run  # it died before the journal went
        fresh = {} if counted else decided.credits
        after = replace(forget_files(state, removed), quality=quality.summed(state.quality, fresh))
        if decided.change:
            return after  # the next distillation has as much to do as before
        return replace(
            after,
            last_consolidation=_record(decided, commit),
            fingerprint=looks,
            next_expiry=decided.next_expiry,
        )

    statefile.update(scope_root, change, now=decided.at)
    journal.drop(scope_root)
    return commit


def _vouch(scope_root: Path, decided: Journal) -> None:
    """Remember which memories and notes are a person's words: who decides knows, a file can only
    say so. What an undoing brings back may be what somebody had put there, and what an exchange
    brings is what another machine says."""
    came_from_elsewhere = decided.undoes or decided.refs
    for output in () if came_from_elsewhere else decided.outputs:
        directory, name = output.path.split("/", 1)[0], output.path.rpartition("/")[2]
        if output.after is not None and directory == NOTES_DIR:
            note = notefile.parse(output.after, path="", name=name, found=decided.at)
            vouched.vouch(scope_root, note)
        elif output.after is not None and directory == MEMORIES_DIR:
            memory = memoryfile.parse(output.after, name=name, found=decided.at)
            if memory.active:
                vouched.vouch(scope_root, memory)


def _record(decided: Journal, commit: str) -> ConsolidationRecord:
    return ConsolidationRecord(
        at=decided.at,
        decisions=decided.decisions,
        commit=commit,
        run=decided.run,
        changed_at=decided.at,
        engine=decided.engine,
        tokens=decided.tokens,
    )


def _path_of(note: Digested) -> str:
    return f"{NOTES_DIR}/{note.name}"


def _standing(scope_root: Path, output: Output) -> str:
    now = files.digest(files.read_bytes(scope_root / output.path))
    if now == files.digest(_after(output)):
        return "done"
    return "waiting" if now == output.before else "changed"


def _after(output: Output) -> bytes | None:
    return None if output.after is None else output.after.encode()


def _in_the_way(scope_root: Path, outputs: Sequence[Output]) -> bool:
    """Whether a person's text stands where the run would write."""
    return any(_standing(scope_root, output) == "changed" for output in outputs)


def _write(scope_root: Path, outputs: Sequence[Output]) -> bool:
    """Write every output; False, at once, where a person's text is in the way."""
    if _in_the_way(scope_root, outputs):
        return False
    directories = set()
    for output in outputs:
        path = scope_root / output.path
        standing = _standing(scope_root, output)
        if standing == "changed":
            return False
        if standing == "done":
            continue
        data = _after(output)
        if data is None:
            files.remove(path)
        else:
            files.make_directory(path.parent)
            if not files.replace_known(path, data, output.before):
                return False
        directories.add(path.parent)
    for directory in directories:
        files.sync_directory(directory)
    return True


def _withdraw(scope_root: Path, history: History, decided: Journal) -> None:
    """Put back what the run wrote and removed; what a person wrote meanwhile stays."""
    wanted = {o.path: o.before for o in decided.outputs if _standing(scope_root, o) == "done"}
    for note in decided.notes:
        if files.read_bytes(scope_root / _path_of(note)) is None:
            wanted[_path_of(note)] = note.digest
    tree = history.tree(decided.base) if decided.base else {}
    known = [path for path in wanted if path in tree]
    contents = dict(zip(known, history.read([tree[path] for path in known]), strict=True))
    for path, digest in wanted.items():
        data = contents.get(path)
        if not digest:
            files.remove(scope_root / path)
        elif data is not None and files.digest(data) == digest:
            files.atomic_write(scope_root / path, data)


def _remove_notes(scope_root: Path, decided: Journal) -> None:
    """Digested notes go, but not one that was edited after the run had read it."""
    gone = []
    for note in decided.notes:
        data = files.read_bytes(scope_root / _path_of(note))
        if data is not None and files.digest(data) == note.digest:
            gone.append(note.name)
    inbox.remove(scope_root, gone)


def _commit(scope_root: Path, history: History, decided: Journal, last: Commit | None) -> str:
    contents = _not_decided_on(history, decided, last) if decided.change else {}
    contents |= {output.path: _committed(output) for output in decided.outputs}
    for note in decided.notes:
        if files.read_bytes(scope_root / _path_of(note)) is None:
            contents[_path_of(note)] = None
    return history.commit_exactly(
        _message(decided), base=decided.base, contents=contents, now=decided.at
    )


def _committed(output: Output) -> bytes | None:
    if output.committed == "":
        return None
    return _after(output) if output.committed is None else output.committed.encode()


def _not_decided_on(
    history: History, decided: Journal, last: Commit | None
) -> dict[str, bytes | None]:
    """The session summaries as the last run left them, where they changed since; and where
    what people did by hand has to wait, the memory files and the views as well.

    Only a distillation decides on them: it knows their new items, and what was taken out of them,
    by comparing with the newest commit of a run, which a change becomes.
    """
    tree, now = history.tree(last.sha) if last else {}, history.tree(decided.base)
    waiting: tuple[str, ...] = (f"{SUMMARIES_DIR}/",)
    if decided.hand_waits:
        waiting += (f"{MEMORIES_DIR}/", f"{TOPICS_DIR}/", INDEX_FILE)
    paths = sorted(path for path in {*tree, *now} if path.startswith(waiting))
    paths = [path for path in paths if tree.get(path) != now.get(path)]
    known = [path for path in paths if path in tree]
    contents = dict(zip(known, history.read([tree[path] for path in known]), strict=True))
    return {path: contents.get(path) for path in paths}


def _message(decided: Journal) -> str:
    lines = [decided.subject, "", *(line for _, line in decided.lines)]
    lines += ["", f"{RUN_TRAILER}: {decided.run}"]
    lines += [f"{CHANGE_TRAILER}: {decided.change}"] if decided.change else []
    lines += [f"{UNDO_TRAILER}: {decided.undoes}"] if decided.undoes else []
    lines += [f"{ENGINE_TRAILER}: {decided.engine}"] if decided.engine else []
    lines += [f"{TOKENS_TRAILER}: {decided.tokens}"] if decided.tokens else []
    lines += [f"{SESSION_TRAILER}: {session}" for session in decided.sessions]
    return "\n".join(lines) + "\n"


def _looks_after(scope_root: Path, decided: Journal, seen: Looks | None) -> str:
    """The fingerprint, or nothing where somebody else changed a file since the run looked: the
    next run then looks at everything again."""
    now = fingerprint.look(scope_root)
    ours = {o.path for o in decided.outputs} | {_path_of(note) for note in decided.notes}
    others = (now.keys() | (seen or {}).keys()) - ours
    if seen is None or any(now.get(path) != seen.get(path) for path in others):
        return ""
    if any(_standing(scope_root, output) != "done" for output in decided.outputs):
        return ""
    return "" if any(_path_of(note) in now for note in decided.notes) else fingerprint.of(now)
