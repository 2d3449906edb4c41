"""Changes of what belongs together: tags of a memory, and relations between two."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from jmem import amendment, relations
from jmem.amendment import PERSON, Author
from jmem.changing.carrying import Changed, Found, Wanted, carry_out
from jmem.changing.single import decided, nothing
from jmem.errors import UsageError
from jmem.model import Memory
from jmem.scopes import Scope


def tag(
    scope: Scope,
    identity: str,
    tags: Sequence[str],
    *,
    by: Author = PERSON,
    now: datetime | None = None,
) -> Changed:
    """Give a memory tags. Raises UsageError for a word that is none."""
    return _tags("tag", scope, identity, tags, by=by, now=now)


def untag(
    scope: Scope,
    identity: str,
    tags: Sequence[str],
    *,
    by: Author = PERSON,
    now: datetime | None = None,
) -> Changed:
    """Take tags from a memory; one that it has not is no error."""
    return _tags("untag", scope, identity, tags, by=by, now=now)


def link(
    scope: Scope,
    one: str,
    other: str,
    weight: float = relations.WEIGHT,
    *,
    by: Author = PERSON,
    now: datetime | None = None,
) -> Changed:
    """Relate two memories, in both directions, with a weight above 0 and at most 1."""

    def decide(found: Found) -> Wanted | Changed:
        first, second = _both(found, one, other)
        changed = relations.linked(first, second, weight)
        if all(found.memories[key] == memory for key, memory in changed.items()):
            return nothing("link", found, first, f"and {second.id} are related so already")
        return decided("link", first, changed, f"weight {weight:.2f}", by, subject=second)

    return carry_out(scope, decide, now=now)


def unlink(
    scope: Scope,
    one: str,
    other: str,
    *,
    by: Author = PERSON,
    now: datetime | None = None,
) -> Changed:
    """Take the relation between two memories away, in both directions."""

    def decide(found: Found) -> Wanted | Changed:
        first, second = found.memory(one), found.memory(other)
        changed = relations.unlinked(first, second)
        if not changed:
            return nothing("unlink", found, first, f"and {second.id} are not related")
        return decided("unlink", first, changed, "on request", by, subject=second)

    return carry_out(scope, decide, now=now)


def _both(found: Found, one: str, other: str) -> tuple[Memory, Memory]:
    first, second = found.memory(one), found.memory(other)
    amendment.in_force(first)
    amendment.in_force(second)
    return first, second


def _tags(
    what: str,
    scope: Scope,
    identity: str,
    tags: Sequence[str],
    *,
    by: Author,
    now: datetime | None,
) -> Changed:
    if not tags:
        raise UsageError("no tag was given", hint=f"jmem {what} ID TAG")
    change = relations.tagged if what == "tag" else relations.untagged

    def decide(found: Found) -> Wanted | Changed:
        memory = found.memory(identity)
        amendment.in_force(memory)
        changed = change(memory, tags)
        if not changed:
            word = "has these tags" if what == "tag" else "has none of these tags"
            return nothing(what, found, memory, word)
        return decided(what, memory, changed, " ".join(f"#{word}" for word in tags), by)

    return carry_out(scope, decide, now=now)
