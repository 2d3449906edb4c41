"""When a session that is still going on is read: when the user asks for something to be remembered,
at a change of topic, now and then, at its end. Pure.

A new topic is told by words: by the share of a turn's terms that stand in the turns before it. On
recorded sessions that tells a turn of another session from the next one of the same better than
static vectors do, and needs no model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jmem.config import Settings
from jmem.retrieval.tokens import terms
from jmem.transcripts.entries import Entry, Role, Turn
from pipelines.phase1.spoken import asks_to_remember

ASKED = "the user asks to remember"
TOPIC_CHANGE = "the topic has changed"
MANY_TURNS = "many turns since the last time"
ENDED = "the session has ended"
_BEFORE = 4
"""The turns that a new one is compared with."""
_FEWEST_TERMS = 6
"""A turn of fewer terms ("go on, please") never changes the topic."""
_MAX_TEXT = 1_200
_ANSWERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Every number of the rules. ``topic_share``: a turn that shares less of its terms with the
    turns before is another topic, which counts after ``topic_turns`` turns; ``every_turns``: how
    many turns are read together at most; ``least_bytes``: what was said must be worth a look, while
    nobody asked for one and more may come."""

    topic_share: float = 0.3
    topic_turns: int = 4
    every_turns: int = 12
    least_bytes: int = 200


@dataclass(frozen=True, slots=True)
class Said:
    """What the user said, each time with the last answers to it, and how much that was. ``asked``:
    for something to be remembered."""

    turns: tuple[str, ...] = ()
    bytes: int = 0
    asked: bool = False


DEFAULT = Thresholds()


def of_settings(settings: Settings) -> Thresholds:
    """The numbers that the settings give."""
    return Thresholds(
        topic_share=settings["learn.topic_share"],
        topic_turns=settings["learn.topic_turns"],
        every_turns=settings["learn.every_turns"],
        least_bytes=settings["learn.least_bytes"],
    )


def said(entries: Iterable[Entry]) -> Said:
    """The turns of the user among some entries, in order, each with what was answered."""
    turns: list[list[str]] = []
    size, asked = 0, False
    for entry in entries:
        if not isinstance(entry, Turn):
            continue
        size += len(entry.text.encode("utf-8", "replace"))
        if entry.role is Role.USER:
            turns.append([entry.text[:_MAX_TEXT]])
            asked = asked or asks_to_remember(entry.text)
        elif turns:
            turns[-1][1:] = [*turns[-1][1:], entry.text[:_MAX_TEXT]][-_ANSWERS:]
    return Said(tuple("\n".join(parts) for parts in turns), size, asked)


def due(since: Said, *, ended: bool, numbers: Thresholds = DEFAULT) -> str:
    """Why what was said since the last time is to be read now; empty where it is not."""
    turns = since.turns
    if not turns:
        return ""
    if since.asked:
        return ASKED
    if ended:
        return ENDED
    if since.bytes < numbers.least_bytes:
        return ""
    if len(turns) >= numbers.every_turns:
        return MANY_TURNS
    if len(turns) > numbers.topic_turns and is_new_topic(turns[:-1], turns[-1], numbers):
        return TOPIC_CHANGE
    return ""


def is_new_topic(before: Sequence[str], turn: str, numbers: Thresholds = DEFAULT) -> bool:
    """Whether a turn that says enough has little in common with the turns before it."""
    words = frozenset(terms(turn))
    if len(words) < _FEWEST_TERMS:
        return False
    known = frozenset(terms("\n".join(before[-_BEFORE:])))
    return len(words & known) < numbers.topic_share * len(words)
