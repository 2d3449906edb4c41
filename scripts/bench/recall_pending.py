#!/usr/bin/env python3
"""Whether memories that were prepared at the end of a turn would have been used.

`--data DIR`, `--json`. Real sessions with their real times. At the end of each turn something is
prepared that this session was not shown yet; the next prompt takes it by the rules of
`jmem.pending`, over a store that does not change meanwhile. `used` is the share of the prepared
payloads that surface:

- `here`: prepared at the end of the turn, fresh for 30 minutes.
- `here, at the prompt`: for clients without an event at the end of a turn.
- `120 s`, `120 s, at the prompt`: the reference's freshness; the second is the reference itself.

A payload is wasted where no prompt follows (`last`), where it comes too late (`old`), and where
the prompt speaks of something else (`topic`). The last line shows how often a prompt counts as
another topic: the next one of the same session, one of any other session (most are of the same
project here), and one of a session of another agent (which are of other projects).
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from jmem import pending, pendingstate  # noqa: E402
from jmem.pendingstate import Numbers  # noqa: E402
from jmem.retrieval import focus  # noqa: E402
from jmem.retrieval.searchtext import query_terms  # noqa: E402
from jmem.transcripts.entries import Compaction, Role, Turn, Via  # noqa: E402
from jmem.transcripts.reader import Found, find_sessions  # noqa: E402

SOURCES = (
    "transcripts/claude_code/selected",
    "transcripts/codex/real",
    "distill_gold/pool",
)
PROMPTS = (Via.PROMPT, Via.COMMAND, Via.PLAN)
"""What a prompt hook sees; what is typed in the middle of a turn reaches no hook."""
SEED = 20261130


@dataclass
class Spoken:
    """A prompt, what was said until the next one, and when."""

    prompt: str
    at: float
    ended: float
    agent: str
    said: list[tuple[str, str]] = field(default_factory=list)


def main() -> int:
    """Measure, print, and exit 0 when it ran."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = figures(options.data)
    print(json.dumps(found, indent=1) if options.json else table(found))
    return 0


def figures(data: Path) -> dict[str, Any]:
    """Every figure, as plain values."""
    sessions = list(read([data / place for place in SOURCES]))
    gaps = [later.at - turn.ended for turns in sessions for turn, later in pairwise(turns)]
    here, reference = Numbers(), Numbers(fresh_seconds=120)
    return {
        "sessions": len(sessions),
        "turns": sum(map(len, sessions)),
        "wait_seconds": _quantiles(gaps),
        "used": {
            "here": used(sessions, here),
            "here, at the prompt": used(sessions, here, at_prompt=True),
            "120 s": used(sessions, reference),
            "120 s, at the prompt": used(sessions, reference, at_prompt=True),
        },
        "topic": topics(sessions, here),
    }


def read(places: Sequence[Path]) -> Iterator[list[Spoken]]:
    """The turns of every session under the places that has any, each session once."""
    seen: set[str] = set()
    for found in find_sessions(places):
        if not isinstance(found, Found) or found.info.subagent or found.info.id in seen:
            continue
        seen.add(found.info.id)
        turns = _turns(found)
        if turns:
            yield turns


def _turns(found: Found) -> list[Spoken]:
    turns: list[Spoken] = []
    for entry in found.entries():
        if entry.time is None or isinstance(entry, Compaction):
            continue
        at = entry.time.timestamp()
        if isinstance(entry, Turn) and entry.role is Role.USER and entry.via in PROMPTS:
            turns.append(Spoken(entry.text, at, at, found.info.agent))
        elif turns:
            turns[-1].ended = max(turns[-1].ended, at)
        if turns and isinstance(entry, Turn):
            turns[-1].said.append((entry.role.value, entry.text))
    return turns


def used(
    sessions: Sequence[Sequence[Spoken]], numbers: Numbers, *, at_prompt: bool = False
) -> dict[str, Any]:
    """What became of the payloads of all sessions, by the real rules."""
    fates: Counter[str] = Counter()
    for turns in sessions:
        state = pendingstate.new()
        payload: dict[str, Any] | None = None
        said: list[tuple[str, str]] = []
        for number, turn in enumerate(turns):
            event = _at_prompt(state, payload, turn.prompt, now=turn.at, numbers=numbers)
            state = pendingstate.after(state, event, numbers)
            if payload is not None:
                fates[event["waited"]] += 1
            said += turn.said[:1] if at_prompt else turn.said
            now = turn.at if at_prompt else turn.ended
            payload, state = _prepared(state, said, now, number, numbers)
            said += turn.said[1:] if at_prompt else []
        fates["last"] += payload is not None
    made = sum(fates.values())
    followed = made - fates["last"]
    return {
        "prepared": made,
        "used": _share(fates[pending.SURFACED], made),
        "used_of_followed": _share(fates[pending.SURFACED], followed),
        "last": _share(fates["last"], made),
        "old": _share(fates[pending.TOO_OLD], made),
        "topic": _share(fates[pending.TOPIC_CHANGED], made),
    }


def _at_prompt(
    state: dict[str, Any],
    payload: dict[str, Any] | None,
    prompt: str,
    *,
    now: float,
    numbers: Numbers,
) -> dict[str, Any]:
    """The event of a prompt that takes the payload."""
    terms = query_terms(focus.of_prompt(prompt))
    return pending.at_prompt(
        state, payload, prompt, terms=terms, generation="", now=now, numbers=numbers
    )[0]


def _prepared(
    state: dict[str, Any],
    said: list[tuple[str, str]],
    now: float,
    number: int,
    numbers: Numbers,
) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """A payload that this session was never shown, and the state after its preparation."""
    query = focus.of_turns(said[-focus.MAX_TURNS :])
    event, _, _ = pending.at_turn_end(
        state, query, terms=query_terms(query), now=now, numbers=numbers
    )
    if event is None:
        return None, state
    state = pendingstate.after(state, event, numbers)
    offers = [{"id": f"m{number}", "kind": "fact", "text": f"Fact {number}."}]
    payload, _ = pending.prepared(
        state, event, offers, standing=None, generation="", now=now, numbers=numbers
    )
    return payload, state


def topics(sessions: Sequence[Sequence[Spoken]], numbers: Numbers) -> dict[str, Any]:
    """How often a prompt counts as another topic, at home and in strange sessions."""
    draw = random.Random(SEED)
    changed: dict[str, list[bool]] = {"same_session": [], "other_session": [], "other_agent": []}
    for turns in sessions:
        others = [each for each in sessions if each is not turns]
        far = [each for each in sessions if each[0].agent != turns[0].agent]
        for state, later in _states(turns, numbers):
            foreign = draw.choice(draw.choice(others))
            farther = draw.choice(draw.choice(far)) if far else foreign
            for name, turn in zip(changed, (later, foreign, farther), strict=True):
                event = _at_prompt(state, None, turn.prompt, now=later.at, numbers=numbers)
                changed[name].append(event["changed"])
    shares = {name: _share(sum(found), len(found)) for name, found in changed.items()}
    return {"pairs": len(changed["same_session"]), **shares}


def _states(turns: Sequence[Spoken], numbers: Numbers) -> Iterator[tuple[dict[str, Any], Spoken]]:
    """The state after each turn but the last, with the turn that follows."""
    state = pendingstate.new()
    said: list[tuple[str, str]] = []
    for number, (turn, later) in enumerate(pairwise(turns)):
        event = _at_prompt(state, None, turn.prompt, now=turn.at, numbers=numbers)
        state = pendingstate.after(state, event, numbers)
        said += turn.said
        _, state = _prepared(state, said, turn.ended, number, numbers)
        yield state, later


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _quantiles(values: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(values, n=20)
    return {f"p{share}": round(cuts[share // 5 - 1], 1) for share in (25, 50, 75, 90, 95)}


def table(found: dict[str, Any]) -> str:
    """The figures for people."""
    lines = [f"{found['sessions']} sessions, {found['turns']} turns of a user"]
    waits = ", ".join(f"{name} {value:.0f} s" for name, value in found["wait_seconds"].items())
    lines.append(f"from the end of a turn to the next prompt: {waits}")
    names = ("prepared", "used", "used_of_followed", "last", "old", "topic")
    lines.append(f"{'':24}" + "".join(f"{name:>18}" for name in names))
    for label, row in found["used"].items():
        lines.append(f"{label:24}" + "".join(f"{row[name]:>18}" for name in names))
    topic = found["topic"]
    lines.append(
        f"another topic, of {topic['pairs']} prompts: {topic['same_session']} in their own "
        f"session, {topic['other_session']} in another one, {topic['other_agent']} in one of "
        "another agent"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
