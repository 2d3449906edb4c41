"""``memory_note``: one fact into the inbox, and what is there already that resembles it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jmem import quarantine, recall, store, unwelcome
from jmem.fence import defused
from jmem.formats.text import clean_text, cut_at_word
from jmem.layout import GLOBAL_SCOPE
from jmem.mcp import similar
from jmem.mcp.caller import Caller
from jmem.mcp.context import Context
from jmem.mcp.similar import Like
from jmem.model import DEFAULT_KIND, Note, NoteFile, Origin, Source
from jmem.redact import redact

_SHOWN_BYTES = 200


def note(arguments: dict[str, Any], who: Caller) -> str:
    """Write a note and tell its id and its path. Raises UsageError for one that is empty or too
    large and where there is no project, Refused where nothing may be written."""
    context = Context(who)
    everywhere = arguments.get("scope") == GLOBAL_SCOPE
    if not everywhere:
        context.must_have_project()
    context.must_be_allowed_to_write()
    said_by_user = arguments.get("source") == Source.USER
    alike = similar.to(arguments["text"], recall.roots(context.place))
    written = store.take_note(
        Note(
            text=arguments["text"],
            kind=arguments.get("kind", DEFAULT_KIND),
            source=Source.USER if said_by_user else Source.AGENT,
            origin=Origin.UNKNOWN if said_by_user else Origin.ASSISTANT,
            scope=GLOBAL_SCOPE if everywhere else "project",
            session=who.session,
            cwd=context.directory,
            tags=tuple(arguments.get("tags", ())),
        ),
        project=context.directory,
    )
    if why := quarantine.of(written):
        return (
            f"Noted {written.id}, and held for the user: the text {why}. It surfaces nowhere until "
            "they approve it (jmem review). A fact alone, without an order, would not be held."
        )
    context.knows([written.id])
    where = GLOBAL_SCOPE if everywhere else f"project {context.place.name}"
    head = f"Noted {written.id} in {where} (pending, readable now): {written.path}"
    told = [*_masked(arguments["text"], written), *_refused(written), *_told(alike)]
    return "\n".join([head, *told])


def _masked(text: str, written: NoteFile) -> list[str]:
    if clean_text(text) == written.text:
        return []
    return ["What looked like a secret was masked before it was written."]


def _refused(written: NoteFile) -> list[str]:
    if not (why := unwelcome.why(Path(written.path).parents[1], written)):
        return []
    return [f"But {why}: it will not become memory again unless the user says it. Ask them."]


def _told(alike: list[Like]) -> list[str]:
    if not alike:
        return []
    return ["Similar, and known before:", *map(_shown, alike)]


def _shown(like: Like) -> str:
    """One line, as memory may be shown: a person's hand may have put anything into a file."""
    text = defused(redact(" ".join(like.text.split())))
    return f"- {like.where} {like.id}: {cut_at_word(text, _SHOWN_BYTES)}"
