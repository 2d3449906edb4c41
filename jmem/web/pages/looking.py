"""Looking for memories, and at one: what it says, why it is known, what happened to it."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from jmem import browsing, changing, clock, confidence
from jmem.browsing import ANY
from jmem.model import KINDS, Memory, Status
from jmem.paragraphs import detail_of, statement_of
from jmem.retrieval.hit import Document
from jmem.web.request import Asked

_PER_PAGE = 50
_CHOICES = 60
"""Topics and tags to choose from, at most."""
_SURE = ((0.75, "sure"), (0.5, "fairly sure"), (confidence.EXPIRES_BELOW, "unsure"))
TRUST = {
    "high": "you said it",
    "medium": "an agent said it",
    "low": "it was inferred",
}


def memories(asked: Asked) -> Response:
    """A page of memories: searched, filtered, newest first."""
    scope_name = asked.query("scope")
    chosen = asked.scopes_of(scope_name)
    wanted = browsing.Asked(
        words=asked.query("q"),
        kind=asked.query("kind"),
        topic=asked.query("topic"),
        tag=asked.query("tag"),
        status=asked.query("status"),
    )
    page = browsing.page(chosen, wanted, after=asked.query("after"), limit=_PER_PAGE)
    there_is = browsing.counts(chosen)
    values: dict[str, Any] = {
        "section": "memories",
        "title": wanted.words or "Memories",
        "asked": wanted,
        "words": wanted.words,
        "scope_name": scope_name,
        "page": page,
        "first": not asked.query("after"),
        "rows": [row(each) for each in page.documents],
        "kinds": list(dict.fromkeys((*KINDS, *there_is.kinds))),
        "topics": _some(there_is.topics, wanted.topic),
        "tags": _some(there_is.tags, wanted.tag),
        "statuses": [each.value for each in Status],
        "any": ANY,
    }
    return asked.page("_results.html" if asked.fragment else "memories.html", **values)


def row(document: Document) -> dict[str, object]:
    """A document as one row of a list shows it."""
    statement = statement_of(document.text)
    return {
        "key": document.key,
        "scope": document.scope,
        "statement": statement,
        "more": bool(detail_of(document.text)),
        "note": document.where == "note",
        "kind": document.kind,
        "topic": document.topic,
        "tags": document.tags,
        "status": document.status,
        "source": document.source,
        "trust": document.trust,
        "strength": document.strength,
        "updated": document.updated,
        "held": document.held_back,
    }


def memory(asked: Asked) -> Response:
    """One memory, or one waiting note, with what can be done with it."""
    scope, key = asked.scope(), asked.path["id"]
    found = browsing.one(scope, key)
    values: dict[str, Any] = {
        "section": "memories",
        "scope_name": scope.name,
        "title": statement_of(found.text),
    }
    if not isinstance(found, Memory):
        return asked.page("note.html", note=found, **values)
    near = dict(found.relates_to)
    named = [*found.supersedes, found.superseded_by, *found.contradicts, *near]
    known = browsing.documents(scope, [each for each in named if each])
    return asked.page(
        "memory.html",
        memory=found,
        detail=detail_of(found.text),
        sure=_sureness(found),
        trust=TRUST[found.trust],
        superseded_by=[known[k] for k in (found.superseded_by,) if k in known],
        supersedes=[known[k] for k in found.supersedes if k in known],
        contradicts=[known[k] for k in found.contradicts if k in known],
        related=[(known[k], weight) for k, weight in near.items() if k in known],
        **values,
    )


def why(asked: Asked) -> Response:
    """Why a memory is known: the words that it rests on, and where they stand."""
    scope, key = asked.scope(), asked.path["id"]
    explained = changing.explain(scope, key, browsing.known_of(scope, key))
    return _part(asked, "_why.html", "Why it is known", why=explained)


def story(asked: Asked) -> Response:
    """What happened to a memory, from git."""
    steps = changing.history(asked.scope(), asked.path["id"])
    return _part(asked, "_story.html", "Its story", steps=steps[::-1])


def _part(asked: Asked, template: str, title: str, **values: Any) -> Response:
    """A part of the memory's page: alone where the page asks for it, else as a page of its own."""
    common: dict[str, Any] = {
        "scope_name": asked.path["scope"],
        "key": asked.path["id"],
        "title": title,
        "section": "memories",
        "part": template,
    }
    return asked.page(template if asked.fragment else "part.html", **common, **values)


def _some(counted: dict[str, int], chosen: str) -> list[tuple[str, int]]:
    """The largest, and the one that is chosen."""
    largest = list(counted.items())[:_CHOICES]
    missing = chosen and chosen not in dict(largest)
    return [*largest, *([(chosen, counted.get(chosen, 0))] if missing else [])]


def _sureness(memory: Memory) -> str:
    """The confidence of today in words."""
    now = clock.now()
    today = confidence.effective(memory, now)
    word = next((word for least, word in _SURE if today >= least), "doubtful")
    since = confidence.unconfirmed_since(memory, now)
    return f"{word} ({today:.0%} today)" + (f", {since}" if since else "")
