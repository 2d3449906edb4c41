"""What a session is found by later: lines of it, as they stood there, that cover its words.

A summary tells what was asked and how it ended. Whoever looks for a session remembers something
in between: a function, an error, a decision. So a bounded choice of lines is kept beside it: of
what the assistant stated, and of what the session was carried on from (the summary that the client
made where it shortened it, a plan that it began with). Nobody injects them as facts.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import fsum, log

from jmem.retrieval.tokens import terms
from jmem.transcripts.entries import Compaction, Entry, Role, Turn, Via
from pipelines.phase1.sentences import stated, without_code

MAX_CARRIED = 6_000
MAX_SAID = 3_000
"""Characters that the chosen lines have together. Few sessions are carried on from anything."""
LEAST_NEW = 2
"""Terms that a line must add."""
_MAX_HELD = 2_000
_MAX_TEXT = 8_000
_SHORTEST, _LONGEST = 25, 400
_FRAME = 60
"""What a line costs beside its length: a few whole sentences tell more than many scraps."""
_MARKUP = re.compile(r"\*\*|^[\s*+>#-]+")
_ANALYSIS = "\nSummary:\n"
"""Claude Code's summaries think aloud first; what counts stands behind this line."""
_SECTION = re.compile(r"^(?=\d+\. [A-Z])", re.MULTILINE)
_PROMPTS = re.compile(r"\d+\. All user messages")


class Excerpts:
    """Lines worth finding a session by; bounded, whatever its length."""

    def __init__(self) -> None:
        self._carried: dict[str, None] = {}
        self._said: dict[str, None] = {}

    def follow(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The entries as they are, each looked at as it passes."""
        for entry in entries:
            self.add(entry)
            yield entry

    def add(self, entry: Entry) -> None:
        """Look at an entry."""
        match entry:
            case Turn(role=Role.ASSISTANT):
                _hold(self._said, stated(entry.text[:_MAX_TEXT]))
            case Compaction() | Turn(via=Via.PLAN):
                _hold(self._carried, _lines(entry.text))
            case _:
                pass

    def beside(self, summary: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What was carried over and what was said, both in order, as far as it adds to a summary of
        the session and to each other."""
        known = set(terms(summary))
        carried = covering(list(self._carried), MAX_CARRIED, known)
        known.update(*map(terms, carried))
        return carried, covering(list(self._said), MAX_SAID, known)


def covering(lines: Sequence[str], room: int, known: Iterable[str] = ()) -> tuple[str, ...]:
    """Some of the lines, in order, of at most ``room`` characters, that cover the terms of all.

    One after the other is taken that adds most for its length: each term counts once, and not if
    it is known; the more often it occurs in the lines, the more it counts.
    """
    held = [frozenset(terms(line)) for line in lines]
    counts = Counter(term for line in held for term in line)
    weights = {term: 1 + log(count) for term, count in counts.items()}
    covered = set(known)

    def gain(at: int) -> float:
        new = held[at] - covered
        if len(new) < LEAST_NEW:
            return 0.0
        # Exact, so that the order of a set, which no two processes share, changes nothing.
        return fsum(weights[term] for term in new) / (len(lines[at]) + _FRAME)

    # Gains only shrink: one that is outdated is an upper bound, and the first whose gain is
    # still what it was is the best.
    best = [(-gain(at), at) for at in range(len(lines))]
    heapq.heapify(best)
    chosen: list[int] = []
    while best:
        before, at = heapq.heappop(best)
        if before == 0:
            break
        if len(lines[at]) > room:
            continue
        now = -gain(at)
        if now > before:
            heapq.heappush(best, (now, at))
            continue
        chosen.append(at)
        covered |= held[at]
        room -= len(lines[at]) + 1
    return tuple(lines[at] for at in sorted(chosen))


def _hold(held: dict[str, None], lines: Iterable[str]) -> None:
    for line in lines:
        held.setdefault(line)
        if len(held) > _MAX_HELD:
            del held[next(iter(held))]


def _lines(text: str) -> Iterator[str]:
    """The lines of a summary or a plan that say something, without code, markup and headings.

    The prompts, which a client's summary repeats, are told by the outline of the session.
    """
    body = without_code(text.rpartition(_ANALYSIS)[2])
    for section in _SECTION.split(body):
        if _PROMPTS.match(section):
            continue
        for line in section.splitlines():
            said = " ".join(_MARKUP.sub("", line).split())
            if len(said) >= _SHORTEST and not said.endswith((":", "：")):
                yield said if len(said) <= _LONGEST else said[: _LONGEST - 1] + "…"
