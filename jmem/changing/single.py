"""Changes of what is known: forget, restore, edit, supersede, merge, decide.

Every function names a memory by its id or the beginning of it, and returns what came of it. Where
nothing is left to do it says so, and makes no commit.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from jmem import amendment, forgotten, ids, quarantine
from jmem.amendment import PERSON, Author
from jmem.changing import notes
from jmem.changing.carrying import Changed, Found, Wanted, carry_out
from jmem.errors import Refused, UsageError
from jmem.formats.text import cut_at_word
from jmem.model import Decision, How, Memory, Op, Source, Verdict
from jmem.redact import redact
from jmem.scopes import Scope

_REASON_BYTES = 300
_STATEMENT_BYTES = 200


def forget(
    scope: Scope,
    identity: str,
    reason: str = "",
    *,
    by: Author = PERSON,
    now: datetime | None = None,
) -> Changed:
    """Put a memory out of force for good: out of every view, and never learned again from what
    it was learned from. A note that waits is removed. The text stays in its file and in git."""
    why = stated_reason(reason, "forgotten on request", by)

    def decide(found: Found) -> Wanted | Changed:
        note = notes.meant(found, identity)
        if note is not None:
            return notes.forgotten_note(found, note, why, by)
        memory = found.memory(identity)
        entry = forgotten.entry(memory, found.now, found.snapshot.key)
        known = any(one.id == memory.id for one in found.snapshot.forgotten)
        changed = amendment.forgotten(memory, found.now, why)
        if not changed and known:
            return nothing("forget", found, memory, "is forgotten already")
        wanted = decided("forget", memory, changed, why, by, op=Op.DELETE)
        return replace(wanted, forget=(entry,))

    return carry_out(scope, decide, now=now, adds=False)


def restore(
    scope: Scope, identity: str, *, by: Author = PERSON, now: datetime | None = None
) -> Changed:
    """Bring a memory back into force, whatever put it out. What had taken its place steps back,
    so that one version of a fact holds."""

    def decide(found: Found) -> Wanted | Changed:
        memory = found.memory(identity)
        changed = amendment.restored(found.memories, memory.id, found.now, by)
        if not changed:
            return nothing("restore", found, memory, "is in force")
        stepped = [key for key in changed if key != memory.id and found.memories[key].active]
        told = f" ({', '.join(stepped)} stepped back for it)" if stepped else ""
        was = f"it was {memory.status}" + (f": {memory.reason}" if memory.reason else "")
        wanted = decided("restore", memory, changed, f"{was}{told}", by)
        return replace(wanted, recalled=(memory.id,), message=f"{wanted.message}{told}")

    return carry_out(scope, decide, now=now)


def edit(
    scope: Scope,
    identity: str,
    *,
    text: str = "",
    whole: bool = False,
    kind: str = "",
    topic: str = "",
    by: Author = PERSON,
    now: datetime | None = None,
) -> Changed:
    """Change the words of a memory or of a waiting note, its kind, or its topic.

    A ``text`` of one paragraph is the statement, and the detail below it stays, unless it is
    ``whole``. Words of an agent lower the trust to what an agent's words have.
    """
    if not (text or kind or topic):
        raise UsageError("nothing to change was given", hint="a text, --kind or --topic")

    def decide(found: Found) -> Wanted | Changed:
        note = notes.meant(found, identity)
        if note is not None:
            return notes.edited_note(found, note, text=text, kind=kind, topic=topic, by=by)
        memory = found.memory(identity)
        changed = amendment.edited(
            memory, text=text, whole=whole, kind=kind, topic=topic, at=found.now, by=by
        )
        if not changed:
            return nothing("edit", found, memory, "says that already")
        return decided("edit", memory, changed, _differences(memory, changed[memory.id]), by)

    return carry_out(scope, decide, now=now)


def supersede(
    scope: Scope,
    identity: str,
    text: str = "",
    *,
    new_id: str = "",
    reason: str = "",
    by: Author = PERSON,
    now: datetime | None = None,
) -> Changed:
    """Put a new statement, or a memory that is known already, in the place of an old one. The old
    one stays in its file, out of force, and says what took its place and when."""
    if bool(text.strip()) == bool(new_id):
        raise UsageError("give either the new text, or the id of the memory that holds it")
    fresh = ids.new_id(os.urandom)

    def decide(found: Found) -> Wanted | Changed:
        old = found.memory(identity)
        why = stated_reason(reason, "replaced on request", by)
        if new_id:
            new = found.memory(new_id)
            changed = amendment.superseded_by(old, new, at=found.now, reason=why)
        else:
            changed = amendment.superseding(old, text, fresh, at=found.now, reason=why, by=by)
            new = changed[fresh]
        return decided("supersede", old, changed, why, by, how=How.SUPERSEDE, subject=new)

    return carry_out(scope, decide, now=now)


def merge(
    scope: Scope,
    keep: str,
    other: str,
    *,
    reason: str = "",
    by: Author = PERSON,
    now: datetime | None = None,
) -> Changed:
    """Make one memory of two that say the same: evidence, tags and strength are joined in ``keep``,
    and the other one is superseded by it."""

    def decide(found: Found) -> Wanted | Changed:
        one, two = found.memory(keep), found.memory(other)
        why = stated_reason(reason, f"merged into {one.id}", by)
        changed = amendment.merged(found.memories, one.id, two.id, at=found.now, reason=why)
        return decided("merge", two, changed, why, by, how=How.SUPERSEDE, subject=one)

    return carry_out(scope, decide, now=now)


def decide(
    scope: Scope,
    one: str,
    other: str,
    winner: str = "",
    *,
    reason: str = "",
    by: Author = PERSON,
    now: datetime | None = None,
) -> Changed:
    """Decide between two memories that contradict each other: the winner holds, and the other one
    is superseded by it. Without a winner they are no contradiction after all: both hold."""

    def choose(found: Found) -> Wanted | Changed:
        first, second = found.memory(one), found.memory(other)
        if not winner:
            changed = amendment.reconciled(first, second)
            why = stated_reason(reason, "both hold", by)
            return decided("reconcile", first, changed, why, by, subject=second)
        right = found.memory(winner)
        if right.id not in (first.id, second.id):
            raise UsageError(f"{right.id} is neither {first.id} nor {second.id}")
        wrong = second if right.id == first.id else first
        why = stated_reason(reason, "decided on request", by)
        changed = amendment.decided(right, wrong, at=found.now, reason=why)
        return decided("decide", wrong, changed, why, by, how=How.SUPERSEDE, subject=right)

    return carry_out(scope, choose, now=now)


def decided(
    what: str,
    target: Memory,
    changed: Mapping[str, Memory],
    reason: str,
    by: Author,
    *,
    op: Op = Op.UPDATE,
    how: How | None = None,
    subject: Memory | None = None,
) -> Wanted:
    """The one decision of a command. ``subject``: the other memory that it is about."""
    ref = f"by {by.source}"
    verdict = Verdict(
        ref=ref, op=op, how=how, target=target.id, reason=reason, decider=by.source.value
    )
    shown = changed.get(subject.id if subject else target.id, target)
    about = f"{target.id} {_BETWEEN.get(what, 'by')} {subject.id}" if subject else target.id
    statement = cut_at_word(shown.statement, _STATEMENT_BYTES)
    word = op.value if op is Op.DELETE else f"{op.value} {what}"
    return Wanted(
        what=what,
        decision=Decision(verdict=verdict, subject=shown.id, statement=statement),
        line=f"{word} {about}: {statement} ({reason}; {ref})",
        message=f"{_PAST[what]} {about}: {statement}",
        memories=changed,
    )


def nothing(what: str, found: Found, memory: Memory, why: str) -> Changed:
    """What a command comes to that has nothing to do."""
    return Changed(what=what, id=memory.id, message=f"{memory.id} {why}", scope=found.scope.name)


_PAST = {
    "forget": "forgot",
    "restore": "restored",
    "edit": "edited",
    "supersede": "superseded",
    "merge": "merged",
    "decide": "superseded",
    "reconcile": "both hold:",
    "approve": "approved",
    "tag": "tagged",
    "untag": "untagged",
    "link": "linked",
    "unlink": "unlinked",
}
_BETWEEN = {"merge": "into", "reconcile": "and", "link": "and", "unlink": "and"}


def stated_reason(text: str, default: str, by: Author) -> str:
    """A reason on one line, without a credential in it. Raises Refused for one that gives orders:
    it stands with the memory, and is shown like its words."""
    if by.source is not Source.USER and (why := quarantine.why(text)):
        raise Refused(f"the reason {why}: no memory was changed", hint="say why in a few words")
    return cut_at_word(" ".join(redact(text).split()), _REASON_BYTES) or default


def _differences(old: Memory, new: Memory) -> str:
    parts = [
        f"{name} {getattr(old, name)} -> {getattr(new, name)}"
        for name in ("kind", "topic")
        if getattr(old, name) != getattr(new, name)
    ]
    if old.text != new.text:
        parts.insert(0, f"before: {cut_at_word(old.statement, _STATEMENT_BYTES)}")
    return "; ".join(parts)
