"""Taking over what other machines made of a scope."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from jmem import clock, config, scopes
from jmem.changing.carrying import PULL, Changed, Found, Wanted, carry_out
from jmem.errors import Busy, Refused
from jmem.formats import sharedtree
from jmem.formats.sharedtree import Received
from jmem.formats.text import cut_at_word
from jmem.merging.content import Content
from jmem.merging.lines import read
from jmem.merging.whole import merged
from jmem.model import Decision, Memory, Op, Verdict
from jmem.scopes import Scope
from jmem.sharing import local
from jmem.sharing.heeding import heed
from jmem.state import ExtractRecord, State
from jmem.storage import foreign, snapshot, statefile
from jmem.storage.exchange import Exchange, Remote

_TOLD = 40
_STATEMENT_BYTES = 160
_ATTEMPTS = 5
_MAY_GO = 3
"""So many memories may be gone from a remote, whatever their share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """What a pull brought. ``there``: the commit that the remote has, empty for nothing yet;
    ``known``: what it says without what was purged here, the same where it holds nothing of that;
    ``commit``: ours, empty where nothing changed here. ``counts``: word -> number, ``left_out``:
    what was not taken, with why; ``masked``: files in which a credential stood."""

    remote: str
    there: str = ""
    known: str = ""
    commit: str = ""
    run: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    masked: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """What it brought, in words."""
        counts = [f"{count} {word}" for word, count in self.counts.items()]
        return ", ".join(counts) or "only what was forgotten there"


def pull(
    scope: Scope, remote: Remote, *, now: datetime | None = None, accept_deletions: bool = False
) -> Pulled:
    """Merge what the remote has into the scope, as one commit that a kill cannot leave half done.

    What was purged, here or there, goes from both before. What people did by hand here is taken
    over first. Raises Unreachable, Refused where memory is
    switched off, where the remote holds what no jmem wrote, and where more than half of the
    memories are gone there unless ``accept_deletions``; CorruptStore for a newer format.
    """
    now = now or clock.now()
    config.refuse_when_off(config.load(scope.directory), scope.directory)
    scopes.make(scope)
    exchange = Exchange(scope.root)
    exchange.ensure()
    there = exchange.newest(remote)
    if not there:
        return Pulled(remote=remote.name)
    known = _known(exchange, remote, there)
    met = _met(exchange, remote, known)
    if met == known:
        return Pulled(remote=remote.name, there=there, known=known)
    if exchange.commit_of(known) != known:
        there = exchange.fetch(remote)
        heed(scope, remote, sharedtree.parse(exchange.contents(there)), met, now=now)
        known = _known(exchange, remote, there)
        met = _met(exchange, remote, known)
    received = sharedtree.parse(exchange.contents(known))
    base = sharedtree.parse(exchange.contents(met), believed=True).content if met else None
    for _ in range(_ATTEMPTS):
        merge = _Merge(scope, remote, known, received, base, accept_deletions=accept_deletions)
        done = carry_out(scope, merge.decide, now=now)
        if not merge.waits_for_edits:
            break
        _take_over_edits(scope, now)
    else:
        raise Busy(f"the files of {scope.name} were changed again and again meanwhile")
    if not done.commit:
        exchange.point(remote.ref("met"), known)
    _know_sessions(scope, received.content)
    return Pulled(
        remote=remote.name,
        there=there,
        known=known,
        commit=done.commit,
        run=done.run,
        counts=merge.counts,
        lines=tuple(merge.lines),
        left_out=received.left_out,
        masked=received.masked,
    )


def _known(exchange: Exchange, remote: Remote, there: str) -> str:
    """The commit of the remote as it stands here, without what was purged since."""
    return exchange.commit_of(remote.ref(f"cleaned/{there}")) or there


def _met(exchange: Exchange, remote: Remote, there: str) -> str:
    """The newest commit that both sides are known to have had: a push may have arrived although
    its end was not seen here."""
    met, sent = (exchange.commit_of(remote.ref(what)) for what in ("met", "sending"))
    known = met and exchange.holds(sent, met) if sent else True
    if not known and exchange.commit_of(there) and exchange.holds(sent, there):
        return sent
    return met


class _Merge:
    """One merge, decided anew for every attempt to carry it out."""

    def __init__(
        self,
        scope: Scope,
        remote: Remote,
        there: str,
        received: Received,
        base: Content | None,
        *,
        accept_deletions: bool,
    ) -> None:
        self._accept_deletions = accept_deletions
        self.waits_for_edits = False
        self.counts: Mapping[str, int] = {}
        self.lines: list[str] = []
        self._scope = scope
        self._remote = remote
        self._there = there
        self._theirs = received.content
        self._base = base

    def decide(self, found: Found) -> Wanted | Changed:
        """What becomes of the scope with what the remote has."""
        self.waits_for_edits = _by_hand(found)
        nothing = Changed(what=PULL, id="", message="", scope=found.scope.name)
        if self.waits_for_edits:
            return nothing
        ours = local.content(found)
        both = merged(self._base, ours, self._theirs)
        files = list(local.outputs(found, ours, both))
        notes = found.snapshot.notes + found.snapshot.held
        gone = [note for note in notes if note.id in ours.notes.keys() - both.notes.keys()]
        left = sorted(ours.memories.keys() - both.memories.keys())
        if not (files or gone or left):
            return nothing
        if len(left) > max(_MAY_GO, len(ours.memories) // 2) and not self._accept_deletions:
            raise Refused(
                f"{len(left)} of {len(ours.memories)} memories are gone from {self._remote.name}: "
                "more often an accident than meant; nothing was changed",
                hint="if they are to go: jmem pull --accept-deletions",
            )
        if not self._remote.trusted:
            foreign.add(self._scope.root, local.from_elsewhere(ours, both))
        strange = foreign.ids(self._scope.root)
        changed = {
            key: memory for key, memory in both.memories.items() if memory != ours.memories.get(key)
        }
        told = [_told(key, ours.memories.get(key), memory) for key, memory in changed.items()]
        self.counts = _counted(ours, both, [word for word, _ in told])
        self.lines = [line for _, line in told] + [f"PULL {key}: (removed there)" for key in left]
        summary = Pulled(remote=self._remote.name, counts=self.counts).told
        verdict = Verdict(ref=f"remote {self._remote.name}", op=Op.UPDATE, reason=summary)
        more = [f"PULL and {len(self.lines) - _TOLD} more"] if len(self.lines) > _TOLD else []
        return Wanted(
            what=PULL,
            decision=Decision(verdict=verdict, subject=self._remote.name, statement=summary),
            line=f"PULL {self._there[:12]} from {self._remote.name}: {summary}",
            lines=[*self.lines[:_TOLD], *more],
            message=summary,
            memories=local.as_read(changed, strange),
            left=left,
            notes=gone,
            files=files,
            refs={self._remote.ref("met"): self._there},
        )


def _take_over_edits(scope: Scope, now: datetime) -> None:
    """Put what people did by hand into a commit of its own, so that it is merged as theirs."""

    def decide(found: Found) -> Wanted | Changed:
        if not _by_hand(found):
            return Changed(what="record", id="", message="", scope=scope.name)
        verdict = Verdict(ref="by hand", op=Op.NOOP, reason="people's edits")
        return Wanted(
            what="record",
            decision=Decision(verdict=verdict, subject="edits", statement="made by hand"),
            line="NOOP edits made by hand, before others' are merged",
            message="",
        )

    carry_out(scope, decide, now=now)


def _by_hand(found: Found) -> bool:
    """Whether people changed anything since the last run that a run would take over."""
    if found.refusal is not None:
        raise found.refusal
    taken = found.snapshot
    stored = taken.loaded.stored
    edited = any(stored[key].memory != memory for key, memory in found.memories.items())
    return bool(edited or taken.touched or taken.removed)


def _told(key: str, before: Memory | None, after: Memory) -> tuple[str, str]:
    """What became of a memory, in a word and on a line of the commit."""
    if before is None:
        word = "new" if after.active else f"new, {after.status}"
    elif after.status != before.status:
        word = "back in force" if after.active else str(after.status)
    elif after.text != before.text:
        word = "reworded"
    elif set(after.contradicts) - set(before.contradicts):
        word = "contradicted"
    else:
        word = "confirmed" if after.strength > before.strength else "kept up"
    statement = cut_at_word(after.statement, _STATEMENT_BYTES)
    return word, f"PULL {key}: {statement} ({word})"


def _counted(ours: Content, both: Content, words: list[str]) -> dict[str, int]:
    counts = Counter(words)
    kinds: list[tuple[str, Mapping[str, object], Mapping[str, object]]] = [
        ("note", ours.notes, both.notes),
        ("session", ours.summaries, both.summaries),
        ("skill", ours.skills, both.skills),
    ]
    for name, before, after in kinds:
        counts[f"new {name}s"] = len(after.keys() - before.keys())
        kept = before.keys() & after.keys()
        counts[f"changed {name}s"] = sum(before[key] != after[key] for key in kept)
    gone = {entry.id for entry in read(both.forgotten)}
    left = ours.notes.keys() - both.notes.keys()
    counts["notes forgotten elsewhere"] = len(left & gone)
    counts["notes digested elsewhere"] = len(left - gone)
    counts["removed"] = len(ours.memories.keys() - both.memories.keys())
    return {word: count for word, count in counts.items() if count}


def _know_sessions(scope: Scope, theirs: Content) -> None:
    """Sessions that another machine has read are not read here again, unless they go on."""
    standing = snapshot.summaries(scope.root, now=clock.EPOCH)
    paths = {
        summary.session: path
        for path, summary in standing.items()
        if summary.session in theirs.summaries
    }

    def known(state: State) -> State:
        fresh = {
            session: ExtractRecord(
                at=theirs.summaries[session].extracted,
                summary_file=path,
                extracted_by=theirs.summaries[session].extracted_by,
            )
            for session, path in paths.items()
            if session not in state.extracted
        }
        return replace(state, extracted={**fresh, **state.extracted}) if fresh else state

    if paths:
        statefile.update(scope.root, known)
