"""``jmem review`` at a terminal: one matter after the other, each settled by a key."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import click

from jmem import changing, clock, disguise
from jmem.changing import reviewing
from jmem.changing.carrying import Changed
from jmem.changing.reviewing import Matter, Waiting, Word
from jmem.cli import grounds, render, terminal
from jmem.cli.terminal import Part, faint, heading, name, warning
from jmem.errors import JmemError, NotFound
from jmem.formats.text import plural
from jmem.model import Memory
from jmem.scopes import Scope

_WIDEST = 100
_BYTES = 2_000
_TITLES = {
    Matter.CONTRADICTION: "two memories contradict each other",
    Matter.QUARANTINE: "in quarantine: no agent is given it until you approve it",
    Matter.MISSING: "names what the project does not have any more",
    Matter.HELD: "a note whose run was taken back: no run decides on it until you approve it",
}
_FOR_TWO = {
    "a": (Word.APPROVE, "the first one holds, the second is superseded"),
    "r": (Word.REJECT, "the second one holds, the first is superseded"),
    "b": (Word.BOTH, "both hold: there is no contradiction"),
    "m": (Word.MERGE, "they are one: the second becomes a part of the first"),
    "e": (Word.EDIT, "put the first in other words; then both hold"),
}
_FOR_ONE = {
    "a": (Word.APPROVE, "it holds"),
    "r": (Word.REJECT, "it does not: forget it"),
    "e": (Word.EDIT, "put it in other words; then it holds"),
}
_ALWAYS = {
    "w": ("why", "the words that it rests on, and what was decided"),
    "s": ("skip", "leave it for another time"),
    "u": ("undo", "take back the word that you gave last"),
    "q": ("quit", "leave the rest for another time"),
    "?": ("help", "what the keys do"),
}


def edited(text: str) -> str:
    """The text as a person leaves it in ``$EDITOR``; as it was where nothing was saved."""
    return (click.edit(f"{text}\n", extension=".md") or text).strip()


@dataclass(slots=True)
class Sitting:
    """A person who goes through what waits in one scope. ``key`` reads a key, ``edit`` gives a text
    to a person and returns what became of it."""

    scope: Scope
    key: Callable[[], str] = click.getchar
    edit: Callable[[str], str] = edited
    _settled: list[Changed] = field(default_factory=list)
    _skipped: set[tuple[str, ...]] = field(default_factory=set)
    _left: list[Waiting] = field(default_factory=list)

    def begin(self) -> None:
        """Show each matter until it is settled or skipped, or the person has had enough."""
        self._look()
        if not self._left:
            render.message(f"nothing waits for your word in {self.scope.name}")
            return
        while self._left:
            one = self._left[0]
            number = len(self._settled) + len(self._skipped) + 1
            of = f"{number} of {number + len(self._left) - 1}: "
            terminal.line()
            terminal.line(faint(of), heading(_TITLES[one.matter]))
            for line in _lines(one):
                terminal.line(line)
            if not self._settle(one):
                break
        waits = plural(len(self._left) + len(self._skipped), "matter")
        render.line(f"{plural(len(self._settled), 'matter')} settled, {waits} left")

    def _look(self) -> None:
        """See what waits now. It reads every memory, so it is done where that may have changed."""
        found = reviewing.waiting(self.scope)
        self._left = [one for one in found if _ids(one) not in self._skipped]

    def _settle(self, one: Waiting) -> bool:
        """Read keys until there is another matter to show; False where the person leaves."""
        words = _FOR_TWO if one.matter is Matter.CONTRADICTION else _FOR_ONE
        told: list[Part] = ["  "]
        for number, (key, (word, _)) in enumerate({**words, **_ALWAYS}.items()):
            told += [", " if number else "", name(key), f" {word}"]
        while True:
            terminal.line(*told)
            try:
                key = self.key().lower()
            except (EOFError, KeyboardInterrupt):
                return False
            if key in words and self._say(one, words[key][0]):
                return True
            if key == "s":
                self._skipped.add(_ids(one))
                self._left.remove(one)
                return True
            if key == "u" and self._take_back():
                return True
            if key in ("q", "\x1b", "\x03", "\x04"):
                return False
            if key == "w":
                self._explain(one)
            if key in ("?", "h"):
                for each, (word, meaning) in {**words, **_ALWAYS}.items():
                    terminal.line("  ", name(each), f"  {word:8}  {meaning}")

    def _say(self, one: Waiting, word: Word) -> bool:
        """Give the word; False where it could not be given, or the person thought better of it."""
        text, other = "", one.other.id if one.other else ""
        try:
            if word is Word.EDIT:
                text = self.edit(_text_of(one))
                if text in ("", _text_of(one).strip()):
                    render.line("  nothing was changed")
                    return False
            changed = reviewing.settle(self.scope, one.id, word, other=other, text=text)
        except NotFound as error:  # a run, or somebody else, was here
            render.message(error.message)
            self._look()
            return True
        except (JmemError, click.ClickException) as error:
            render.message(error.message)
            return False
        render.line(f"  {changed.message}")
        self._settled.append(changed)
        self._left.remove(one)
        concerned = {memory.id for memory in changed.memories}
        if any(concerned.intersection(_ids(each)) for each in self._left):
            self._look()
        return True

    def _take_back(self) -> bool:
        if not self._settled or not self._settled[-1].run:
            render.line("  no word was given that could be taken back")
            return False
        try:
            changed = changing.undo(self.scope, self._settled[-1].run)
        except JmemError as error:
            render.message(error.message)
            return False
        self._settled.pop()
        self._look()
        render.line(f"  {changed.message}")
        return True

    def _explain(self, one: Waiting) -> None:
        for memory in filter(None, (one.memory, one.other)):
            for line in grounds.lines(changing.explain(self.scope, memory.id)):
                render.line(f"  {line}")
        if one.note is not None:
            render.line(f"  {one.note.path}")
            render.line(f"  said by {one.note.source}, came by {one.note.origin}")


def _lines(one: Waiting) -> Iterator[Part]:
    """A matter as a person reads it: its texts, whose words they are, and why it waits."""
    first = "  first: " if one.other else "  "
    for head, memory in ((first, one.memory), ("  second: ", one.other)):
        if memory is not None:
            yield _folded(_shown(memory.text), head)
            yield faint(_folded(_about(memory), "      "))
    if one.note is not None:
        yield _folded(_shown(one.note.text), "  ")
        told = f"{one.note.kind}, said by {one.note.source} on {clock.day(one.note.time)}"
        yield faint(f"      {told}, {one.id}")
    yield warning(_folded(f"why: {one.why}", "  "))


def _about(memory: Memory) -> str:
    kinds = Counter(ref.partition(":")[0] for ref in memory.evidence)
    rests = ", ".join(plural(count, _EVIDENCE.get(kind, kind)) for kind, count in kinds.items())
    said = f"{memory.kind}, from {memory.source} on {clock.day(memory.created)}"
    return f"{said}, trust {memory.trust}, rests on {rests or 'nothing on record'}, {memory.id}"


_EVIDENCE = {"hand": "line by hand", "session": "line of sessions"}


def _shown(text: str) -> str:
    """Hidden characters by their numbers: whoever decides has to see what an agent would."""
    return disguise.named(render.cut(text, _BYTES))


def _folded(text: str, head: str) -> str:
    width = min(terminal.width(), _WIDEST)
    rows: Sequence[str] = [
        row
        for number, line in enumerate(text.split("\n"))
        for row in textwrap.wrap(
            line,
            max(width, 40),
            initial_indent=head if number == 0 else " " * len(head),
            subsequent_indent=" " * len(head),
            break_on_hyphens=False,
        )
        or [""]
    ]
    return "\n".join(rows)


def _text_of(one: Waiting) -> str:
    return one.note.text if one.note is not None else one.memory.text if one.memory else ""


def _ids(one: Waiting) -> tuple[str, ...]:
    return (one.matter, one.id, *([one.other.id] if one.other else []))
