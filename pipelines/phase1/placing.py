"""What becomes of a fact that a session has just brought: a note, and where, or the sign of a
repetition where the fact stands, or nothing.

Both scopes are asked, each as if the night had come: its memories, its waiting notes and what was
forgotten, in the order of the offline rules, where a contradiction is looked for before a
likeness. The notes are decided on again at night; here nothing is decided for good.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from jmem import ids, inputs, scopes
from jmem.layout import FORGOTTEN_FILE
from jmem.model import How, Input, Memory, NoteFile, Op, Source, Trust, Verdict
from jmem.scopes import Scope
from jmem.storage import files, foreign, inbox, memories
from pipelines.phase1.patterns import any_of
from pipelines.phase2.decide import Working
from pipelines.phase2.stated import Stated
from pipelines.rules.compare import Relation, compare

_EVERYWHERE = any_of(
    r"\b(?:in|for|across|with|of) (?:all|every|each|any)(?: of)?"
    r"(?: my| our| the(?: user['’]s)?)?(?: other)?"
    r" (?:projects?|repos?|repositor(?:y|ies)|codebases?)\b",
    r"\b(?:whatever|whichever|regardless of) the (?:project|repo(?:sitory)?)\b",
    r"(?:所有|全部|每个|任何)的?(?:项目|仓库|代码库)|(?:无论|不管)(?:什么|哪个)(?:项目|仓库)",
)
_HERE = any_of(
    r"\b(?:this|the present|our) (?:repo(?:sitory)?|project|codebase|package|service|crate|app)\b",
    r"\bhere\b|(?:这个?|本|该)(?:仓库|项目|工程|代码库)|这里",
)
_HELD = (Relation.SAME, Relation.CONTAINED)
_TRUST = (Trust.LOW, Trust.MEDIUM, Trust.HIGH)
_CHANGES = (How.SUPERSEDE, How.CONTRADICT)


@dataclass(frozen=True, slots=True)
class Placed:
    """``notes``: the scopes in which it is to be noted. ``repeats``: scope -> memory that says it
    already. ``known``: ids of what it repeats, extends or replaces. ``why`` where nothing is to
    be done."""

    notes: tuple[Scope, ...] = ()
    repeats: Mapping[str, str] = field(default_factory=dict)
    known: tuple[str, ...] = ()
    why: str = ""


@dataclass(slots=True)
class Side:
    """One scope, as the coming night would leave it. ``curated``: ids of its memory files;
    ``stated``: what its project's instructions say."""

    scope: Scope
    working: Working
    curated: frozenset[str]
    stated: Stated

    @classmethod
    def of(cls, scope: Scope, stated: Stated | None = None) -> Side:
        """The scope as it stands."""
        stated = stated or Stated()
        held = memories.load(scope.root).memories if scope.exists else {}
        gone = foreign.forgotten_in(scope.root, files.read_text(scope.root / FORGOTTEN_FILE) or "")
        project = scopes.read_project(scope.root)
        working = Working(held, gone, project.key if project else "", stated)
        side = cls(scope, working, frozenset(held), stated)
        waiting = [note for note in inbox.listed(scope.root) if not note.held]
        side._take(waiting)
        return side

    def verdict(self, item: Input) -> Verdict:
        """What the night would decide."""
        return self.working.settled(item) or self.working.by_rules(item)

    def nearest(self, text: str, limit: int) -> list[Memory]:
        """What is known here that resembles a text, best first; waiting notes are among it."""
        return self.working.rules.nearest(text, limit)

    def target(self, verdict: Verdict) -> Memory | None:
        """The memory, or the note as the memory that it will be, which a verdict is about."""
        return self.working.memories.get(verdict.target)

    def noted(self, note: NoteFile) -> None:
        """Take a note into account that was just written."""
        self._take([note])

    def _take(self, notes: Iterable[NoteFile]) -> None:
        taken = set(self.working.memories)
        for note in sorted(notes, key=lambda note: note.time):
            key = note.id if note.id and note.id not in taken else ids.new_id(os.urandom)
            taken.add(key)
            item = inputs.of_note(note, key)
            self.working.take(item, self.verdict(item))


def place(item: Input, project: Side, everywhere: Side) -> Placed:
    """Where a fact belongs that the session of a project has brought.

    Where a scope holds another value, the new one is noted there; what repeats a memory is a sign
    of life for it; what is new goes to the project, unless it speaks of all projects. The global
    scope is changed only by words of the user that do not speak of this project alone.
    """
    found = [(side, side.verdict(item)) for side in (project, everywhere)]
    own_words = item.source is Source.USER and not _HERE.search(item.text)
    heard = [(side, v) for side, v in found if side is project or own_words or not _changes(v)]
    changed = [side.scope for side, v in heard if _changes(v)]
    for side, verdict in found:
        if _refused(side, verdict) and (verdict.target or not changed):
            return Placed(why=verdict.reason)
    targets = tuple(v.target for _, v in heard if v.target)
    repeats = {side.scope.name: v.target for side, v in heard if _is_sign(side, v, item)}
    again = [
        side.scope for side, v in heard if v.how is How.REINFORCE and side.scope.name not in repeats
    ]
    extended = [side.scope for side, v in heard if v.how is How.REFINE]
    if changed or repeats or again:
        return Placed((*changed, *again), repeats, targets)
    if extended:
        return Placed((extended[0],), {}, targets)
    if targets:
        return Placed(known=targets, why="it is known")
    return Placed(notes=((everywhere if speaks_of_all_projects(item) else project).scope,))


def speaks_of_all_projects(item: Input) -> bool:
    """Whether a user laid something down for every project, in so many words."""
    return item.source is Source.USER and bool(_EVERYWHERE.search(item.text))


def _refused(side: Side, verdict: Verdict) -> bool:
    """Whether the fact is none, is forgotten, or has had its day. Where there is no target it may
    also be a retraction of what only the other scope knows."""
    if verdict.op is not Op.NOOP:
        return False
    target = side.target(verdict)
    return target is None or not target.active


def _changes(verdict: Verdict) -> bool:
    return verdict.how in _CHANGES or verdict.op is Op.DELETE


def _is_sign(side: Side, verdict: Verdict, item: Input) -> bool:
    """Whether the input only says again what a memory file says, with no more right to it."""
    target = side.target(verdict)
    if (
        target is None
        or target.id not in side.curated
        or _TRUST.index(item.trust) > _TRUST.index(target.trust)
    ):
        return False
    if verdict.how is How.REINFORCE:
        return True
    said = verdict.op is Op.NOOP and compare(target.text, item.text).relation in _HELD
    return said and not any(inputs.session_of_ref(ref) == item.session for ref in target.evidence)
