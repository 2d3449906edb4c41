"""What waits: the notes of the inbox, and what needs a person's word."""

from __future__ import annotations

from starlette.responses import Response

from jmem import quarantine
from jmem.changing import reviewing
from jmem.storage import inbox
from jmem.web.request import Asked

_MOST = 200
"""Notes of a scope that are shown: more than these nobody reads in one go."""


def notes(asked: Asked) -> Response:
    """The notes that the next distillation decides on, newest first."""
    name = asked.query("scope")
    boxes = []
    for scope in asked.scopes_of(name):
        held = inbox.listed(scope.root)
        rows = [(note, quarantine.of(note)) for note in held[:_MOST]]
        boxes.append({"scope": scope, "count": len(held), "rows": rows})
    return asked.page(
        "inbox.html",
        section="inbox",
        title="Inbox",
        scope_name=name,
        boxes=[box for box in boxes if box["rows"]],
        writable=[scope.name for scope in asked.every_scope],
    )


def review(asked: Asked) -> Response:
    """The review queue: contradictions, quarantine, what names what is gone, held notes."""
    name = asked.query("scope")
    queues = [(scope, reviewing.waiting(scope, thorough=False)) for scope in asked.scopes_of(name)]
    return asked.page(
        "review.html",
        section="review",
        title="Review",
        scope_name=name,
        queues=[(scope, matters) for scope, matters in queues if matters],
    )
