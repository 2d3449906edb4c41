"""What two statements share, and what stands in place of what."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher

from pipelines.rules.statement import Statement
from pipelines.rules.values import Kind, Token

_Place = tuple[str, bool, str]


@dataclass(frozen=True, slots=True)
class Slot:
    """Tokens of the old statement and those that stand in their place in the new one."""

    old: tuple[Token, ...]
    new: tuple[Token, ...]
    old_at: int
    new_at: int


@dataclass(frozen=True, slots=True)
class Diff:
    """The alignment of two statements. ``gone`` and ``come`` leave out what only moved;
    ``run`` is the longest stretch that both have in common."""

    old: Statement
    new: Statement
    shared: tuple[Token, ...]
    gone: tuple[Token, ...]
    come: tuple[Token, ...]
    slots: tuple[Slot, ...]
    run: int


def diff(old: Statement, new: Statement) -> Diff:
    """The alignment of the old statement with the new one."""
    shared: list[Token] = []
    slots: list[Slot] = []
    gone: list[Token] = []
    come: list[Token] = []
    run = 0
    matcher = SequenceMatcher(None, old.keys, new.keys, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            shared.extend(new.content[k:m])
            run = max(run, m - k)
            continue
        gone.extend(old.content[i:j])
        come.extend(new.content[k:m])
        if tag == "replace":
            slots.append(Slot(old.content[i:j], new.content[k:m], i, k))
    places = _places(old) | _places(new)
    moved = Counter(places[id(t)] for t in gone) & Counter(places[id(t)] for t in come)
    if moved:
        before = come
        gone, come = _without(gone, moved, places), _without(come, moved, places)
        kept = set(map(id, come))
        shared.extend(token for token in before if id(token) not in kept)
        slots = [left for slot in slots if (left := _unmoved(slot, gone, come))]
    return Diff(old, new, tuple(shared), tuple(gone), tuple(come), tuple(slots), run)


def _places(side: Statement) -> dict[int, _Place]:
    """What makes a token the same elsewhere: a plain word of a command is only that inside
    one, and a number belongs to the word before it."""
    places: dict[int, _Place] = {}
    before = ""
    for token in side.content:
        in_command = token.code and token.kind is Kind.WORD and "_" not in token.key
        context = before if token.kind in (Kind.NUMBER, Kind.VERSION) else ""
        places[id(token)] = (token.key, in_command, context)
        before = token.key
    return places


def _without(tokens: list[Token], moved: Counter[_Place], places: dict[int, _Place]) -> list[Token]:
    left = Counter(moved)
    kept = []
    for token in tokens:
        if left[places[id(token)]] > 0:
            left[places[id(token)]] -= 1
        else:
            kept.append(token)
    return kept


def _unmoved(slot: Slot, gone: list[Token], come: list[Token]) -> Slot | None:
    left, right = set(map(id, gone)), set(map(id, come))
    old = tuple(token for token in slot.old if id(token) in left)
    new = tuple(token for token in slot.new if id(token) in right)
    return Slot(old, new, slot.old_at, slot.new_at) if old and new else None
