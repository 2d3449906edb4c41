"""What a person does on the page. Each action is a person's word, as if typed on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.responses import Response

from jmem import browsing, changing
from jmem.amendment import PERSON
from jmem.changing import reviewing, seen
from jmem.changing.carrying import Changed
from jmem.changing.reviewing import Word
from jmem.errors import NotFound, UsageError
from jmem.model import Note
from jmem.scopes import Scope
from jmem.store import take_note
from jmem.web import shown
from jmem.web.request import Asked, Said

_SEEN = "seen:"
Action = Callable[[Asked, Scope, str], Changed]


def act(asked: Asked) -> Response:
    """Carry an action on one memory or note out, and go back to where it was asked for."""
    action = _ACTIONS.get(asked.path["action"])
    if action is None:
        raise NotFound(f"there is no action {asked.path['action']!r}")
    scope = asked.scope()
    with seen.expecting(_seen(asked.form)):
        changed = action(asked, scope, asked.path["id"])
    return asked.onward(asked.form.get("back", "/"), _told(changed, scope))


def undo(asked: Asked) -> Response:
    """Take a run back."""
    scope = asked.scope()
    changed = changing.undo(scope, asked.path["run"], by=PERSON)
    return asked.onward(asked.form.get("back", "/"), _told(changed, scope))


def note(asked: Asked) -> Response:
    """Write down what a person typed."""
    scope = asked.scope(asked.form.get("scope", ""))
    written = Note(
        text=asked.form.get("text", ""),
        kind=asked.form.get("kind", ""),
        source=PERSON.source,
        origin=PERSON.origin,
        trust=PERSON.trust,
        scope=scope.name if scope.is_global else "project",
    )
    taken = take_note(written, into=scope, believed=True)
    said = Said(f"noted; the next distillation decides on it ({taken.id})")
    return asked.onward(asked.form.get("back", "/inbox"), said)


def _seen(form: Mapping[str, str]) -> dict[str, str]:
    """The digests of the texts that the form stood beside."""
    return {name[len(_SEEN) :]: digest for name, digest in form.items() if name.startswith(_SEEN)}


def _typed(form: Mapping[str, str]) -> str:
    """The words in a form, with line ends as we write them."""
    return form.get("text", "").replace("\r\n", "\n")


def _told(changed: Changed, scope: Scope) -> Said:
    return Said(changed.message, good=bool(changed.commit), undo=(scope.name, changed.run))


def _edit(asked: Asked, scope: Scope, key: str) -> Changed:
    form, text = asked.form, _typed(asked.form)
    held = browsing.one(scope, key)
    left = shown.is_left(text, held.text)
    return changing.edit(
        scope,
        key,
        text="" if left else text,
        whole=True,
        kind=form.get("kind", "") or held.kind,
        topic=form.get("topic", ""),
        by=PERSON,
    )


def _forget(asked: Asked, scope: Scope, key: str) -> Changed:
    return changing.forget(scope, key, asked.form.get("reason", ""), by=PERSON)


def _restore(_: Asked, scope: Scope, key: str) -> Changed:
    return changing.restore(scope, key, by=PERSON)


def _supersede(asked: Asked, scope: Scope, key: str) -> Changed:
    text = _typed(asked.form)
    return changing.supersede(scope, key, text, reason=asked.form.get("reason", ""), by=PERSON)


def _tag(asked: Asked, scope: Scope, key: str) -> Changed:
    return changing.tag(scope, key, asked.form.get("tags", "").split(), by=PERSON)


def _untag(asked: Asked, scope: Scope, key: str) -> Changed:
    return changing.untag(scope, key, asked.form.get("tags", "").split(), by=PERSON)


def _link(asked: Asked, scope: Scope, key: str) -> Changed:
    return changing.link(scope, key, asked.form.get("other", "").strip(), by=PERSON)


def _unlink(asked: Asked, scope: Scope, key: str) -> Changed:
    return changing.unlink(scope, key, asked.form.get("other", "").strip(), by=PERSON)


def _settle(asked: Asked, scope: Scope, key: str) -> Changed:
    word, other = asked.form.get("word", ""), asked.form.get("other", "")
    if word not in set(Word):
        raise UsageError(f"{word!r} is none of {', '.join(Word)}")
    text = _typed(asked.form) if word == Word.EDIT else ""
    if text and shown.is_left(text, browsing.one(scope, key).text):
        word, text = (Word.BOTH if other else Word.APPROVE), ""
    return reviewing.settle(scope, key, Word(word), other=other, text=text, by=PERSON)


_ACTIONS: dict[str, Action] = {
    "edit": _edit,
    "forget": _forget,
    "restore": _restore,
    "supersede": _supersede,
    "tag": _tag,
    "untag": _untag,
    "link": _link,
    "unlink": _unlink,
    "settle": _settle,
}
