"""What happened to a scope, run by run, from git: what was decided, why, by whom, at what cost.

Masked here, and not where it is printed: a credential of several lines is one only as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from jmem import outgoing, telling
from jmem.changing import biography
from jmem.errors import NotFound
from jmem.model import Op
from jmem.paragraphs import statement_of
from jmem.scopes import Scope
from jmem.storage.curated import ENGINE_TRAILER, FOUND, SESSION_TRAILER, TOKENS_TRAILER
from jmem.storage.history import Commit
from jmem.storage.index import census, sync
from jmem.storage.past import Past, undone
from jmem.telling import Decided

OPS = tuple(Op)
"""What an input comes to: exactly one of these."""
_PURGE, _UNDO, _COMMIT_LENGTH = "purge", "undo", 7


class Kind(StrEnum):
    """What a run was: a distillation, one decision of a person or an agent, an undoing, a purge,
    or a commit that somebody made with git."""

    DISTILLED = "distilled"
    CHANGED = "changed"
    UNDONE = "undone"
    PURGED = "purged"
    BY_HAND = "by hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """One run. ``change``: the word of the command where it was no distillation. ``engine``: who
    decided (``rules``, or a model), ``tokens``: what that cost; empty and 0 where no commit says.
    ``undoes``: the run that it took back, ``undone_by``: the one that took it back.
    """

    run: str
    commit: str
    at: datetime
    kind: Kind
    headline: str
    change: str = ""
    decisions: tuple[Decided, ...] = ()
    sessions: tuple[str, ...] = ()
    engine: str = ""
    tokens: int = 0
    undoes: str = ""
    undone_by: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """What a run made of one memory: ``what`` in words, and its text before and after, empty where
    there was none."""

    id: str
    what: str
    before: str = ""
    after: str = ""


def nights(
    scope: Scope, *, limit: int = 0, before: str = "", since: datetime | None = None
) -> list[Night]:
    """What happened, newest first; ``limit`` 0 means all, ``since``: then or later.

    ``before``: a run or commit; only what is older. Raises NotFound where there is no such one.
    """
    commits = [each for each in Past(scope.root).log(since=since) if not _only_found(each)]
    gone = undone([each for each in commits if each.run])
    start = commits.index(_named(commits, before)) + 1 if before else 0
    chosen = commits[start : start + limit] if limit else commits[start:]
    return [_night(commit, gone.get(commit.run, "")) for commit in chosen]


def night(scope: Scope, run: str = "") -> Night:
    """The newest run, or the one with this id or commit. Raises NotFound."""
    commits = [each for each in Past(scope.root).log() if not _only_found(each)]
    gone = undone([each for each in commits if each.run])
    commit = _named(commits, run)
    return _night(commit, gone.get(commit.run, ""))


def patch(scope: Scope, of: Night | None = None) -> str:
    """What a run, or the newest one, changed in the files, as a patch. Raises NotFound."""
    text: str = outgoing.masked(Past(scope.root).patch((of or night(scope)).commit))
    return text


def statements(scope: Scope, decisions: Iterable[Decided], *, write: bool = True) -> dict[str, str]:
    """What the memories say now of which only the ids stand in some decisions: id -> statement.
    ``write``: whether the index may be brought up to date, which it may not where memory is off."""
    silent = {each.new or each.target for each in decisions if each.op and not each.statement}
    if not silent:
        return {}
    found = sync.answered(
        scope, lambda reader: census.texts_of(reader, sorted(silent)), write=write
    )
    return {key: statement_of(text) for key, text in found.items()}


def differences(scope: Scope, of: Night | None = None) -> list[Difference]:
    """What a run, or the newest one, made of each memory that it touched. Raises NotFound."""
    found = []
    for touch in Past(scope.root).of_commit((of or night(scope)).commit):
        before, after = biography.both_sides(touch)
        known = after or before
        if known is not None and before != after:
            what = ", ".join(biography.differences(before, after)) or "rewritten"
            what = "taken out" if touch.after is None else what
            texts = (outgoing.masked(each.text) if each else "" for each in (before, after))
            found.append(Difference(known.id, what, *texts))
    return found


def _only_found(commit: Commit) -> bool:
    """Whether a run only put down what it had found before it decided."""
    return not commit.run and commit.subject.startswith(FOUND)


def _named(commits: list[Commit], wanted: str) -> Commit:
    for commit in commits:
        long_enough = len(wanted) >= _COMMIT_LENGTH
        if not wanted or wanted == commit.run or (long_enough and commit.sha.startswith(wanted)):
            return commit
    raise NotFound(
        f"there is no run {wanted!r}" if wanted else "nothing was distilled yet",
        hint="jmem log shows them" if wanted else "jmem distill",
    )


def _night(commit: Commit, undone_by: str) -> Night:
    said, trailers = _parts(commit.run, outgoing.masked(commit.body))
    return Night(
        run=commit.run,
        commit=commit.sha,
        at=commit.at,
        kind=_kind(commit),
        change=commit.change,
        headline=outgoing.masked(commit.subject),
        decisions=tuple(telling.read(line) for line in said if line),
        sessions=tuple(value for name, value in trailers if name == SESSION_TRAILER),
        engine=next((value for name, value in trailers if name == ENGINE_TRAILER), ""),
        tokens=next((int(v) for name, v in trailers if name == TOKENS_TRAILER and v.isdigit()), 0),
        undoes=commit.undoes,
        undone_by=undone_by,
    )


def _kind(commit: Commit) -> Kind:
    if not commit.run:
        return Kind.BY_HAND
    if commit.undoes or commit.change == _UNDO:
        return Kind.UNDONE
    if commit.change:
        return Kind.PURGED if commit.change == _PURGE else Kind.CHANGED
    return Kind.DISTILLED


def _parts(run: str, body: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The lines of a message, and the trailers below them; a commit without a run has none."""
    lines = body.split("\n")
    end = len(lines)
    while run and end and lines[end - 1].strip():
        end -= 1
    return lines[:end], list(_trailers(lines[end:]))


def _trailers(lines: list[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        name, colon, value = line.partition(": ")
        if colon:
            yield name, value.strip()
