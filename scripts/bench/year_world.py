"""A developer's year as inputs and as the truth behind them: what is said when, by whom, in which
words, and what holds at the end.

A *slot* is something that has one value at a time (the port of one service). The year says a value,
repeats it in the same words and in others, changes it, with and without naming the old value, takes
it back, lets somebody who is trusted less say something else, and remarks on what is no fact.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import year_values as values

START = datetime(2026, 1, 1, 8, tzinfo=UTC)
DAYS = 365
WORDINGS = Path(__file__).with_name("year_wordings.txt")

FIRST, EXACT, REWORDED, EXTENDED = "first", "exact", "reworded", "extended"
NAMED, BARE, RETRACTED = "change naming the old value", "change not naming it", "retraction"
DISPUTED, LATE, NOISE = "contradiction", "late", "noise"
USER, AGENT, SESSION = "user", "agent", "session"
Claim = tuple[int, str]
"""A slot, and the value that something said of it."""

_SHARE_OF_SLOTS = 6
"""So many notes for each slot."""
_CHANGES = (0, 0, 0, 0, 0, 1, 1, 1, 2, 2)
"""How often a slot changes: one of these, if there is time enough left in the year."""
_RETRACTED, _DISPUTED, _LATE = 0.06, 0.04, 0.04
_PAST = 0.5
_TOLD_BY_USER, _FIRST_IN_SESSION = 0.5, 0.1
_FILL = {EXACT: 0.22, REWORDED: 0.42, EXTENDED: 0.1, NOISE: 0.26}
"""What the notes are that neither begin nor change anything."""


@dataclass(frozen=True, slots=True)
class Family:
    """One sort of slot: how its value is said, and how a change of it is."""

    name: str
    kind: str
    values: str
    says: list[str] = field(default_factory=list)
    naming: list[str] = field(default_factory=list)
    bare: list[str] = field(default_factory=list)
    scopes: list[str] = field(default_factory=list)

    @property
    def alone(self) -> bool:
        """Whether there is one slot of this sort, a person's preference."""
        return not any("{e}" in wording for wording in self.says)

    @property
    def chinese(self) -> bool:
        """Whether it is said in Chinese."""
        return self.name.startswith("zh")


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing that has one value at a time."""

    number: int
    family: Family
    thing: str
    scope: str

    def words(self, wording: str, value: str, old: str = "") -> str:
        """The wording with this slot's thing and values, as a sentence begins."""
        thing = self.thing.removeprefix("the ") if self.family.chinese else self.thing
        text = wording.format(e=thing, v=value, o=old, w=self.scope)
        return text[0].upper() + text[1:]


@dataclass(slots=True)
class Said:
    """One thing that is said. ``night``: with which it comes in; ``session``: of which session it
    is an item, or empty for a note; ``claim``: what it says, or takes back, of a slot."""

    text: str
    at: datetime
    night: int
    role: str
    by: str
    kind: str
    claim: Claim | None = None
    session: int | None = None


@dataclass(frozen=True, slots=True)
class World:
    """The year. ``truth``: slot -> its value at the end; ``stale``: each value that went out of
    force -> how; ``disputed``: what was said and never held."""

    said: list[Said]
    slots: list[Slot]
    truth: dict[int, str]
    stale: dict[Claim, str]
    disputed: set[Claim]


@dataclass(slots=True)
class _Words:
    families: list[Family]
    others: dict[str, list[str]]


def wordings(path: Path = WORDINGS) -> _Words:
    """The table of wordings."""
    families: list[Family] = []
    others: dict[str, list[str]] = {}
    bucket: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("[!"):
            others[line[2:-1]] = lines = []
            bucket = {}
        elif line.startswith("["):
            families.append(family := Family(*line[1:-1].split()))
            bucket = {"=": family.says, "<": family.naming, ">": family.bare, "@": family.scopes}
        elif line.strip() and not line.startswith("# "):
            (bucket[line[0]] if bucket else lines).append(line[2:] if bucket else line)
    return _Words(families, others)


class Maker:
    """Makes one world of one seed."""

    def __init__(self, seed: int, notes: int, sessions: int, words: Path) -> None:
        self.rng = random.Random(seed)
        self.words = wordings(words)
        self.notes, self.sessions = notes, sessions
        self.slots = self._slots(max(notes // _SHARE_OF_SLOTS, 20))
        self.world = World([], self.slots, {}, {}, set())
        self.history: list[list[tuple[float, str]]] = []
        self.tellers: list[str] = []
        self.first_words: list[tuple[float, Claim, str]] = []

    def make(self) -> World:
        """The whole year, in the order in which it comes in."""
        for slot in self.slots:
            self._live(slot)
        for slot in list(self.slots):
            self._past(slot)
        said = self.world.said
        items = self.sessions * 2
        while len(said) < self.notes + items:
            self._fill()
        for number in self.rng.sample(range(len(said)), items):
            if said[number].role not in (NAMED, BARE, RETRACTED, LATE):
                self._into_session(said[number])
        said.sort(key=lambda each: (each.night, each.at))
        return self.world

    def _slots(self, count: int) -> list[Slot]:
        things = self.rng.sample(values.things(), max(count // 9, 8))
        many = [f for f in self.words.families if not f.alone]
        found = {(f.name, "", "") for f in self.words.families if f.alone}
        while len(found) < count:
            family = self.rng.choice(many)
            scope = self.rng.choice(family.scopes) if family.scopes else ""
            # a thing is spoken of in one language: it has one port, whatever that is called
            own = things[: len(things) // 4] if family.chinese else things[len(things) // 4 :]
            key = (family.name, self.rng.choice(own), scope)
            if family.values == "version":
                key = (family.name, key[1], family.scopes[hash_of(key[1]) % len(family.scopes)])
            found.add(key)
        by_name = {family.name: family for family in self.words.families}
        return [
            Slot(number, by_name[name], thing, scope)
            for number, (name, thing, scope) in enumerate(sorted(found))
        ]

    def _live(self, slot: Slot) -> None:
        """What happens to one slot in the year, without repetitions."""
        rng, family = self.rng, slot.family
        day = rng.uniform(0, DAYS * 0.7)
        teller = USER if family.alone or rng.random() < _TOLD_BY_USER else AGENT
        value = values.value(rng, family.values, slot.thing)
        past = [value]
        self.tellers.append(teller)
        self.history.append([(day, value)])
        wording = rng.choice(family.says)
        first = self._say(slot, slot.words(wording, value), day, FIRST, (slot.number, value))
        if teller is AGENT and rng.random() < _FIRST_IN_SESSION / (1 - _TOLD_BY_USER):
            self._into_session(first)
        for _ in range(rng.choice(_CHANGES)):
            after = rng.uniform(day + 10, day + 90)
            if after > DAYS - 5:
                break
            old, value = value, values.value(rng, family.values, slot.thing, *past)
            named = rng.random() < 0.5
            text = slot.words(rng.choice(family.naming if named else family.bare), value, old)
            self._say(slot, text, after, NAMED if named else BARE, (slot.number, value))
            self.world.stale[slot.number, old] = NAMED if named else BARE
            if rng.random() < _LATE * 4:
                self._late(slot, old, day, after)
            day = after
            past.append(value)
            self.history[-1].append((day, value))
            if len(past) >= 4:
                break
        self._end(slot, value, day)

    def _end(self, slot: Slot, value: str, day: float) -> None:
        """The value stands until the end, unless it is taken back; somebody may dispute it."""
        rng, family = self.rng, slot.family
        after = rng.uniform(day + 10, day + 120)
        if rng.random() < _RETRACTED and after < DAYS - 1:
            table = self.words.others["zhretract" if family.chinese else "retract"]
            statement = slot.words(rng.choice(family.says), value)
            text = rng.choice(table).format(s=_lower(statement))
            self._say(slot, text, after, RETRACTED, (slot.number, value))
            self.world.stale[slot.number, value] = RETRACTED
            self.history[-1].append((after, ""))
            return
        self.world.truth[slot.number] = value
        if self.tellers[slot.number] is USER and rng.random() < _DISPUTED * 2 and after < DAYS:
            other = values.value(rng, family.values, slot.thing, value, *self._values(slot))
            text = slot.words(rng.choice(family.says), other)
            claim = (slot.number, other)
            self._say(slot, text, after, DISPUTED, claim).by = AGENT
            self.world.disputed.add(claim)

    def _past(self, slot: Slot) -> None:
        """What happened once, told with the first value: it stays true whatever changes later."""
        told = self.words.others.get(f"past-{slot.family.name}")
        if told is None or self.rng.random() > _PAST:
            return
        day, value = self.history[slot.number][0]
        says = [self.rng.choice(told)]
        family = Family(f"past-{slot.family.name}", "fact", slot.family.values, says)
        past = Slot(len(self.slots), family, slot.thing, "")
        self.slots.append(past)
        self.tellers.append(self.tellers[slot.number])
        day += self.rng.uniform(0, 9)
        self.history.append([(day, value)])
        self.world.truth[past.number] = value
        self._say(past, past.words(says[0], value), day, FIRST, (past.number, value))

    def _values(self, slot: Slot) -> list[str]:
        return [value for _, value in self.history[slot.number]]

    def _late(self, slot: Slot, old: str, said: float, changed: float) -> None:
        """An item of a session from before the change, that is read only after it."""
        day = self.rng.uniform(max(said, changed - 6), changed)
        late = self._say(
            slot,
            slot.words(self.rng.choice(slot.family.says), old),
            day,
            LATE,
            (slot.number, old),
        )
        late.night = int(changed) + 1
        late.session = self.sessions + slot.number
        late.by = SESSION if late.by is AGENT else late.by

    def _fill(self) -> None:
        """One more repetition or remark."""
        (role,) = self.rng.choices(list(_FILL), list(_FILL.values()))
        day = self.rng.uniform(1, DAYS)
        if role == NOISE:
            text = self._remark(self.rng.choice(self.words.others["noise"]))
            by = self.rng.choice((USER, AGENT))
            self.world.said.append(Said(text, self._moment(day), int(day), NOISE, by, "fact"))
            return
        slot = self.rng.choice(self.slots)
        held = [value for since, value in self.history[slot.number] if since < day]
        if not held or not held[-1]:
            return
        claim = (slot.number, held[-1])
        known = [s for since, c, s in self.first_words if c == claim and since < day]
        text = self.rng.choice(known)
        if role != EXACT:
            text = slot.words(self.rng.choice(slot.family.says), held[-1])
        if role == EXTENDED:
            table = self.words.others["zhtail" if slot.family.chinese else "tail"]
            text = text.rstrip(".") + self._remark(self.rng.choice(table))
        elif role == REWORDED and self.rng.random() < 0.2:
            table = self.words.others["zhhead" if slot.family.chinese else "head"]
            text = self._remark(self.rng.choice(table), s=_lower(text))
        self._say(slot, text, day, role, claim)

    def _remark(self, wording: str, **more: str) -> str:
        rng = self.rng
        marks = {kind: values.filler(rng, kind) for kind in "dhn"}
        thing = rng.choice([slot.thing for slot in self.slots if slot.thing])
        return wording.format(e=thing, p=rng.choice(values.people()), **marks, **more)

    def _say(self, slot: Slot, text: str, day: float, role: str, claim: Claim) -> Said:
        at = self._moment(day)
        teller = self.tellers[slot.number]
        said = Said(text, at, int(day), role, teller, slot.family.kind, claim)
        self.world.said.append(said)
        if role in (FIRST, NAMED, BARE):
            self.first_words.append((day, claim, text))
        return said

    def _moment(self, day: float) -> datetime:
        return START + timedelta(seconds=int(day) * 86_400 + int((day % 1) * 50_000))

    def _into_session(self, said: Said) -> None:
        """Let it be an item of a session of its day and not a note."""
        said.session = said.at.timetuple().tm_yday * self.sessions // 366
        said.by = SESSION if said.by is AGENT else said.by


def hash_of(text: str) -> int:
    """A number for a text, the same in every process."""
    return sum(map(ord, text))


def _lower(text: str) -> str:
    """The sentence inside another one."""
    return text if text[:2].isupper() else text[0].lower() + text[1:]


def nights(world: World) -> Iterator[tuple[int, list[Said]]]:
    """What each night finds."""
    waiting: dict[int, list[Said]] = {}
    for said in world.said:
        waiting.setdefault(said.night, []).append(said)
    for night in range(DAYS + 2):
        yield night, waiting.get(night, [])


def make(seed: int, notes: int = 3000, sessions: int = 400, words: Path = WORDINGS) -> World:
    """The year of this seed: so many notes, and sessions with two items each on average."""
    return Maker(seed, notes, sessions, words).make()
