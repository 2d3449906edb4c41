"""``memory_edit``: one memory put right, as the commands do it and with the word of an agent."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from jmem import indexing, scopes
from jmem.changing.carrying import Changed
from jmem.errors import JmemError, UsageError
from jmem.fence import defused
from jmem.mcp.arguments import needed
from jmem.mcp.caller import Caller
from jmem.mcp.context import Context
from jmem.redact import redact
from jmem.storage.index.database import Damaged
from jmem.store import Store

Given = dict[str, Any]


def correct(arguments: Given, who: Caller) -> str:
    """Carry out one change and tell what came of it. Raises UsageError, NotFound, Refused and
    Busy, as the store does."""
    context = Context(who)
    context.must_be_allowed_to_write()
    changed = _ACTIONS[arguments["action"]](Store(context.directory), arguments)
    context.knows(memory.id for memory in changed.memories)
    said = defused(redact(changed.message))  # it may quote what a person wrote into a file
    if not changed.commit:
        return f"Nothing had to be changed: {said}"
    _indexed(context)
    undo = f"; `jmem undo {changed.run}` takes it back" if changed.run else ""
    return f"{said} (in {changed.scope}{undo})"


def _indexed(context: Context) -> None:
    """Bring the indexes up to date: else the next prompt, whose hook waits for nothing, would be
    given nothing."""
    for scope in (scopes.resolve(context.directory), scopes.global_scope()):
        with suppress(JmemError, OSError, Damaged):  # the change itself is made, and told of
            opened = indexing.reader(scope, context.settings) if scope.exists else None
            if opened is not None:
                opened.close()


def _forget(memory: Store, given: Given) -> Changed:
    return memory.forget(given["id"], given.get("reason", ""))


def _restore(memory: Store, given: Given) -> Changed:
    return memory.restore(given["id"])


def _supersede(memory: Store, given: Given) -> Changed:
    text, other = given.get("text", ""), given.get("other", "")
    if bool(text.strip()) == bool(other.strip()):
        raise UsageError(
            "action supersede needs either text or other",
            hint="text: the new fact; other: the id of a memory that says it already",
        )
    return memory.supersede(given["id"], text, new_id=other, reason=given.get("reason", ""))


def _edit(memory: Store, given: Given) -> Changed:
    text, kind, topic = (given.get(name, "") for name in ("text", "kind", "topic"))
    if not (text or kind or topic):
        raise UsageError("action edit needs text, kind or topic")
    return memory.edit(given["id"], text, kind=kind, topic=topic)


def _tag(memory: Store, given: Given) -> Changed:
    return memory.tag(given["id"], *_tags(given))


def _untag(memory: Store, given: Given) -> Changed:
    return memory.untag(given["id"], *_tags(given))


def _link(memory: Store, given: Given) -> Changed:
    return memory.link(given["id"], needed(given, "other")[0])


def _unlink(memory: Store, given: Given) -> Changed:
    return memory.unlink(given["id"], needed(given, "other")[0])


def _tags(given: Given) -> list[str]:
    tags: list[str] = given.get("tags", [])
    if not tags:
        raise UsageError(f"action {given['action']} needs tags")
    return tags


_ACTIONS: dict[str, Callable[[Store, Given], Changed]] = {
    "forget": _forget,
    "restore": _restore,
    "supersede": _supersede,
    "edit": _edit,
    "tag": _tag,
    "untag": _untag,
    "link": _link,
    "unlink": _unlink,
}
