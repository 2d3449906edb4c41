"""``jmem list`` and ``jmem show``."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import click

from jmem import clock, reading, spelling
from jmem.cli import listing, render
from jmem.cli.listing import Listed
from jmem.cli.notes import as_data as note_data
from jmem.cli.options import chosen_scope, existing_scope, json_option, scope_options
from jmem.formats import memoryfile, viewline
from jmem.model import Memory, Status
from jmem.scopes import Scope
from jmem.storage import files

_NAMED = 12


@click.command("list")
@click.option("--all", "everything", is_flag=True, help="Also what is no longer in force.")
@click.option(
    "--status", type=click.Choice([s.value for s in Status]), help="Only what has this status."
)
@click.option("--kind", metavar="KIND", help="Only this kind of memory.")
@click.option("--topic", metavar="TOPIC", help="Only this topic, a heading of MEMORY.md.")
@click.option("--tag", metavar="TAG", help="Only with this tag.")
@click.option("--limit", type=click.IntRange(min=0), default=0, help="0 means all.")
@scope_options
@json_option
def list_memories(
    *,
    everything: bool,
    status: str | None,
    kind: str | None,
    topic: str | None,
    tag: str | None,
    limit: int,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> int:
    """List the memories of a scope, best first."""
    scope = chosen_scope(project, everywhere=everywhere)
    loaded = reading.all_memories(scope)
    found = reading.chosen(
        loaded.memories,
        clock.now(),
        everything=everything,
        status=status or "",
        kind=kind or "",
        topic=topic or "",
        tag=tag or "",
    )
    found = found[:limit] if limit else found
    for path, problem in loaded.unreadable.items():
        render.message(f"{scope.root / path}: {problem} (mend it with any editor)")
    if as_json:
        render.envelope("list", [as_data(memory) for memory in found])
    else:
        listing.show(
            [
                Listed(
                    place=memory.topic,
                    kind=memory.kind,
                    mark="" if memory.active else memory.status.value,
                    line=viewline.shown(memory),
                )
                for memory in found
            ]
        )
        if not found:
            render.message(_nothing(scope, loaded.memories.values(), kind, topic, tag))
    return 5 if loaded.unreadable else 0


def _nothing(
    scope: Scope, known: Collection[Memory], kind: str | None, topic: str | None, tag: str | None
) -> str:
    """Why nothing is listed: what was asked for may have been mistyped."""
    tags = {each for memory in known for each in memory.tags}
    for what, word, there in (
        ("kind", kind, {memory.kind for memory in known}),
        ("topic", topic, {memory.topic for memory in known}),
        ("tag", tag, tags),
    ):
        if word and known and word not in there:
            named = ", ".join(sorted(there)[:_NAMED]) or "none"
            near = spelling.did_you_mean(word, there) or f" (there is {named})"
            return f"no memory of {scope.name} has the {what} {word!r}{near}"
    if known:
        return f"nothing of {scope.name} is like that (jmem list --all: also what ceased to hold)"
    return f"nothing is known in {scope.name} (jmem notes shows what waits)"


@click.command()
@click.argument("identity", metavar="ID")
@scope_options
@json_option
def show(identity: str, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Show a memory or a waiting note whole, as its file stands.

    Credentials are masked, and what a person did to its line in MEMORY.md since the last run counts
    already.
    """
    scope = existing_scope(project, everywhere=everywhere)
    note = reading.find_note(scope, identity)
    if note is not None:
        if as_json:
            render.envelope("show", {"note": note_data(note)})
        else:
            render.text(files.read_text(Path(note.path)) or note.text)
        return
    stored = reading.find_memory(scope, identity)
    if as_json:
        data = as_data(stored.memory)
        render.envelope("show", {"memory": {**data, "path": scope.root / stored.path}})
    else:
        render.message(str(scope.root / stored.path))
        render.text(memoryfile.render(stored.memory, previous=stored.text))


def as_data(memory: Memory) -> dict[str, Any]:
    """A memory as JSON data."""
    return {
        "id": memory.id,
        "statement": memory.statement,
        "text": memory.text,
        "kind": memory.kind,
        "topic": memory.topic,
        "tags": list(memory.tags),
        "source": memory.source.value,
        "origin": memory.origin.value,
        "trust": memory.trust.value,
        "confidence": memory.confidence,
        "strength": memory.strength,
        "status": memory.status.value,
        "created": clock.text(memory.created),
        "updated": clock.text(memory.updated),
        "valid_until": clock.text(memory.valid_until) if memory.valid_until else None,
        "evidence": list(memory.evidence),
        "supersedes": list(memory.supersedes),
        "superseded_by": memory.superseded_by,
        "contradicts": list(memory.contradicts),
        "reason": memory.reason,
    }
