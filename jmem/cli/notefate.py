"""What ``jmem explain`` says of a note: whose words it is, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jmem import clock, notestory, quarantine, telling
from jmem.cli import render
from jmem.cli.changing import where_it_is
from jmem.cli.notes import as_data as note_data
from jmem.errors import NotFound
from jmem.model import Origin
from jmem.notestory import Fate, Story
from jmem.scopes import Scope


def told(identity: str, project: str | None, *, as_json: bool) -> bool:
    """Print the story of a note; False where none is meant."""

    def act(scope: Scope) -> Story:
        return notestory.story(scope, identity)

    try:
        story = where_it_is(act, project, everywhere=False)
    except NotFound:
        return False
    if as_json:
        render.envelope("explain", _as_data(story))
        return True
    for line in _lines(story):
        render.line(line)
    return True


def _state(story: Story) -> str:
    note = story.note
    if not story.waits:
        last = f": {telling.in_words(story.fates[-1].decided)}" if story.fates else ""
        return f"out of the inbox{last}"
    if held := quarantine.of(note):
        return f"in quarantine: it {held}; jmem review"
    if note.held:
        return f"held: the run {note.held} that had digested it was taken back; jmem review"
    return "waits for the next distillation"


def _lines(story: Story) -> Iterator[str]:
    note = story.note
    yield f"{note.id or note.name}  ({story.scope.name}), a note"
    way = f", by way of {note.origin}" if note.origin is not Origin.UNKNOWN else ""
    said = f"{note.source} on {clock.day(note.time)}{way}, trust {note.trust}"
    where = note.path if story.waits else f"git show {story.commit[:10]}:{note.path}"
    for name, value in (
        ("says", note.text),
        ("kind", note.kind),
        ("said by", said),
        ("imported", note.imported.told if note.imported else ""),
        ("session", note.session),
        ("state", _state(story)),
        ("file", where),
    ):
        for number, line in enumerate(value.split("\n") if value else ()):
            yield f"  {name if number == 0 else '':9}  {line}"
    for fate in story.fates:
        gone = f", undone by {fate.night.undone_by}" if fate.night.undone_by else ""
        yield f"{clock.text(fate.night.at)}  {fate.night.headline}  [{fate.night.run}]{gone}"
        yield f"      {_fate(fate)}"


def _fate(fate: Fate) -> str:
    decided = fate.decided
    about = " ".join(filter(None, (telling.in_words(decided), decided.new or decided.target)))
    return f"{about}: {decided.reason}" if decided.reason else about


def _as_data(story: Story) -> dict[str, Any]:
    return {
        "note": note_data(story.note),
        "scope": story.scope.name,
        "waits": story.waits,
        "state": _state(story),
        "commit": story.commit,
        "fates": [
            {
                "run": fate.night.run,
                "at": clock.text(fate.night.at),
                "what": telling.in_words(fate.decided),
                "memory": fate.decided.new or fate.decided.target,
                "reason": fate.decided.reason,
                "undone_by": fate.night.undone_by,
            }
            for fate in story.fates
        ],
    }
