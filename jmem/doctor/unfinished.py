"""Checks of what runs left behind: a journal, locks, a history that is not whole."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial

from jmem import paths
from jmem.doctor.finding import Finding, failure, option_for, warning
from jmem.errors import CorruptStore, JmemError
from jmem.layout import DOOMED_PREFIX, JOURNAL_FILE
from jmem.scopes import Scope
from jmem.storage import curated, journal, proc
from jmem.storage.soundness import Soundness

_LONG = 3600.0
"""Seconds after which a run that still holds its lock has gone astray."""
_PURPOSES = {"run": "a distillation", "change": "a change", "state": "an update of the state"}


def examine(scope: Scope) -> Iterator[Finding]:
    """What runs left behind in a scope."""
    yield from _held(scope)
    repository = Soundness(scope.root)
    if repository.exists:
        yield from _repository(scope, repository)
    if (scope.root / JOURNAL_FILE).exists():
        yield _journal(scope, repository)


def half_cleared() -> Iterator[Finding]:
    """A clear that was killed: its contents are still on the disk, where nobody looks."""
    for root in (paths.root(), paths.projects_root()):
        for path in sorted(root.glob(f"{DOOMED_PREFIX}*")):
            yield warning(
                "clear",
                f"{path} is left of a scope that was being cleared",
                f"rm -r {path}, or jmem doctor --fix",
                fix=partial(shutil.rmtree, path),
            )


def _held(scope: Scope) -> Iterator[Finding]:
    """Locks that cannot be taken: held for too long, or no file that the user may write."""
    for purpose, what in _PURPOSES.items():
        lock = paths.lock_file(scope.root, purpose)
        if lock.is_symlink() or (lock.exists() and not lock.is_file()):
            yield failure("locks", f"{lock} is no plain file", f"remove it: rm {lock}", scope=scope)
            continue
        holder = proc.holder(lock)
        if holder is not None and holder.seconds > _LONG:
            yield warning(
                "locks",
                f"process {holder.pid} runs for {holder.seconds / 3600:.0f} h and holds the lock "
                f"of {what}",
                f"look at it (ps -p {holder.pid}); if it hangs, end it: kill {holder.pid}",
                scope=scope,
            )


def _repository(scope: Scope, repository: Soundness) -> Iterator[Finding]:
    stale = repository.stale_locks()
    if stale and proc.holder(paths.lock_file(scope.root, "change")) is None:
        yield warning(
            "history",
            f"{stale[0]} is left of a git that was killed",
            f"jmem doctor --fix removes it, the next jmem distill {option_for(scope)} too",
            scope=scope,
            fix=partial(_unlock, repository),
        )
    if flaw := repository.flaw():
        yield failure(
            "history",
            f"the history is damaged: {flaw}",
            f"the memories are whole; move {scope.root / '.git'} away, and the next jmem distill "
            "begins a new history",
            scope=scope,
        )


def _unlock(repository: Soundness) -> None:
    with curated.changing(repository.root):
        repository.ensure()


def _journal(scope: Scope, repository: Soundness) -> Finding:
    try:
        journal.read(scope.root)
    except CorruptStore as error:
        return failure("journal", error.message, error.hint, scope=scope)

    def finish() -> None:
        repository.ensure()
        curated.roll_forward(scope.root, repository)
        if (scope.root / JOURNAL_FILE).exists():
            raise JmemError("the run could not be finished")

    return warning(
        "journal",
        "a run was interrupted after it had decided",
        f"jmem doctor --fix finishes it, the next jmem distill {option_for(scope)} too",
        scope=scope,
        fix=finish,
    )
