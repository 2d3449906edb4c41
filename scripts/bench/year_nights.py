"""The nights of a simulated year: the pipeline's own steps, without the files or with them.

``InMemory`` folds each night over values by the functions of phase 2 in the order in which a
distillation calls them: feedback, decisions of the offline rules, what leaves, the plan with its
guards, maintenance. ``OnDisk`` writes notes and session summaries into a scope and distils it.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import year_world
from year_world import DAYS, SESSION, START, USER, Said, World

from jmem import clock, config, forgotten, inputs, plan, scopes
from jmem.feedback import Event
from jmem.forgotten import Forgotten
from jmem.formats import sessionfile
from jmem.layout import SUMMARIES_DIR
from jmem.model import (
    Input,
    Item,
    Memory,
    Note,
    NoteFile,
    Op,
    Origin,
    SessionSummary,
    Source,
    Trust,
)
from jmem.state import State
from jmem.storage import inbox, memories, statefile
from pipelines.phase2 import retention, upkeep
from pipelines.phase2.decide import decide
from pipelines.phase2.maintain import maintained
from pipelines.phase2.upkeep import Seen
from pipelines.run import Options, distil

_MAX_UNUSED_DAYS, _TOP_N = 45, 40
_PROMPTS_A_DAY = 3
_TRUST = {USER: Trust.HIGH}


class InMemory:
    """A scope as values."""

    def __init__(self) -> None:
        self.memories: dict[str, Memory] = {}
        self.summaries: dict[str, SessionSummary] = {}
        self.gone: list[Forgotten] = []
        self.seconds: list[float] = []
        self.count = 0
        self.refs: dict[str, Said] = {}

    def night(self, said: Sequence[Said], events: Sequence[Event], now: datetime) -> None:
        """One night with what came in since the last."""
        arrived = sorted(map(self._input, said), key=lambda item: item.time)
        started = time.perf_counter()
        held = {**self.memories, **upkeep.kept_up(self.memories, Seen(feedback=events), now)}
        verdicts = list(decide(arrived, held, self.gone, ""))
        kept = retention.judge(
            self.summaries,
            self.summaries.keys(),
            {key: (key, memory) for key, memory in held.items()},
            State(),
            removed_sessions=frozenset(),
            max_unused_days=_MAX_UNUSED_DAYS,
            top_n=_TOP_N,
            now=now,
        )
        made = plan.build(held, arrived, verdicts, retired=kept.retired, now=now)
        made, _ = maintained(made, fresh=(), day=now.toordinal())
        self.memories = dict(made.memories)
        self.gone += [
            forgotten.entry(self.memories[verdict.target], now, "")
            for verdict in verdicts
            if verdict.op is Op.DELETE
        ]
        self.seconds.append(time.perf_counter() - started)
        for path in kept.dropped:
            del self.summaries[path]

    def _input(self, said: Said) -> Input:
        self.count += 1
        key = f"y{self.count:07}"
        if said.session is not None:
            summary = self.summaries.get(str(said.session)) or _summary(said)
            self.summaries[str(said.session)] = summary
            found = inputs.of_item(summary, _item(said, key, self.count), key)
        else:
            found = inputs.of_note(_note(said, key), key)
        self.refs[found.ref] = said
        return found


class OnDisk:
    """A scope with its files, its history, and the whole of a distillation."""

    def __init__(self, top: str) -> None:
        os.environ["JMEM_HOME"] = f"{top}/memory"
        self.scope = scopes.resolve(Path(top) / "orchard")
        scopes.make(self.scope)
        self.settings = config.load()
        self.seconds: list[float] = []
        self.summaries: dict[int, SessionSummary] = {}

    @property
    def memories(self) -> Mapping[str, Memory]:
        """Every memory, read from its file."""
        return memories.load(self.scope.root).memories

    def night(self, said: Sequence[Said], events: Sequence[Event], now: datetime) -> None:
        """One night with what came in since the last."""
        for each in said:
            if each.session is None:
                origin = _origin(each)
                note = Note(text=each.text, kind=each.kind, source=each.by, origin=origin)
                inbox.add(self.scope.root, note, now=each.at, believed=True)
            else:
                self._into_summary(each)
        for event in events:
            statefile.record_feedback(self.scope.root, event)
        started = time.perf_counter()
        distil(self.scope, (), self.settings, Options(), now=now)
        self.seconds.append(time.perf_counter() - started)

    def _into_summary(self, said: Said) -> None:
        assert said.session is not None
        known = self.summaries.get(said.session) or _summary(said)
        number = len(known.items) + 1
        item = _item(said, f"i{said.session:04}{number:03}", number)
        summary = SessionSummary(
            session=known.session,
            started=known.started,
            extracted=known.extracted,
            outcome=known.outcome,
            summary=known.summary,
            items=(*known.items, item),
        )
        self.summaries[said.session] = summary
        folder = self.scope.root / SUMMARIES_DIR
        folder.mkdir(exist_ok=True)
        (folder / f"{said.session:05}.md").write_text(sessionfile.render(summary), "utf-8")


def live(world: World, scope: Any, *, every: int = 1) -> None:
    """The whole year, distilled each night or every so many. What recall found useful is told at
    night, a prompt's worth of what stands in force about one thing."""
    said: list[Said] = []
    events: list[Event] = []
    rng = random.Random(len(world.said))
    for night, arrived in year_world.nights(world):
        said += arrived
        now = START + timedelta(days=night, hours=16)
        if night % every == every - 1 or night == DAYS + 1:
            events += _prompts(world, scope.memories, rng, now)
            scope.night(said, events, now)
            said, events = [], []


def _prompts(
    world: World, held: Mapping[str, Memory], rng: random.Random, now: datetime
) -> list[Event]:
    """What prompts of the day made of the memories: those on one thing helped, others did not."""
    active = sorted((m for m in held.values() if m.active), key=lambda m: (m.created, m.text))
    found = []
    for number in range(_PROMPTS_A_DAY if active else 0):
        thing = rng.choice(world.slots).thing.removeprefix("the ")
        about = [m.id for m in active if thing and thing in m.text.lower()]
        useful = rng.sample(about, min(len(about), rng.randrange(4)))
        rejected = [rng.choice(active).id for _ in range(2)]
        at, session = clock.text(now - timedelta(hours=1 + number)), f"agent:{now:%j}-{number}"
        event = Event(at=at, session=session, useful=useful, rejected=rejected)
        if event.useful or event.rejected:
            found.append(event)
    return found


def on_disk(world: World, *, every: int) -> tuple[OnDisk, dict[str, Memory], int]:
    """The year lived on disk: the scope, its memories, and the size of MEMORY.md."""
    with tempfile.TemporaryDirectory(prefix="jmem-year-") as top:
        scope = OnDisk(top)
        live(world, scope, every=every)
        size = (scope.scope.root / "MEMORY.md").stat().st_size
        return scope, dict(scope.memories), size


def _note(said: Said, key: str) -> NoteFile:
    return NoteFile(
        path="",
        name="",
        id=key,
        text=said.text,
        kind=said.kind,
        source=Source(said.by),
        origin=_origin(said),
        trust=_TRUST.get(said.by, Trust.MEDIUM),
        session="",
        cwd="",
        tags=(),
        time=said.at,
    )


def _origin(said: Said) -> Origin:
    return Origin.USER if said.by == USER else Origin.ASSISTANT


def _item(said: Said, key: str, number: int) -> Item:
    source = Source.USER if said.by == USER else Source.SESSION
    trust = _TRUST.get(said.by, Trust.MEDIUM)
    return Item(
        id=key,
        number=number,
        text=said.text,
        kind=said.kind,
        source=source,
        origin=_origin(said),
        trust=trust,
    )


def _summary(said: Said) -> SessionSummary:
    return SessionSummary(
        session=f"{SESSION}:{said.session}",
        started=said.at,
        extracted=said.at,
        outcome="success",
        summary="Worked.",
    )
