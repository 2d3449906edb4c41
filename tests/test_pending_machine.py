"""The pending rules as a state machine with a fixed clock: no sequence of events breaks them."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from jmem import freshturn, pending, pendingstate
from jmem.pendingstate import Numbers

NUMBERS = Numbers()
TEXT = {
    "m1": "The port is 5433.",
    "n1": "the  port is 5433.",  # the same words under another id
    "m2": "Never squash.",
    "m3": "Ship with make ship.",
    "m4": "Tabs in Makefiles.",
    "m5": "The queue is FIFO.",
}
TOPICS = {name: [f"{name}{number}" for number in range(8)] for name in ("bread", "boats")}
IDS = st.lists(st.sampled_from(sorted(TEXT)), min_size=1, max_size=5, unique=True)
STEPS = st.sampled_from(
    [1, 4, 6, 29, 31, 85, 95, 118, 125, 175, 185, 600, 1_790, 1_810, 2_690, 2_710, -3_600]
)


def offers(ids: list[str]) -> list[dict[str, str]]:
    return [{"id": key, "kind": "fact", "text": TEXT[key]} for key in ids]


def same(one: list[str], other: list[str]) -> bool:
    def words(ids: list[str]) -> list[str]:
        return [" ".join(TEXT[key].lower().split()) for key in ids]

    return words(one) == words(other)


class Session(RuleBasedStateMachine):
    """One session of one client; beside it a model that knows what the user has seen."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000_000.0
        self.generation = 0
        self.log: list[dict[str, Any]] = []
        self.state = pendingstate.new()
        self.payload: dict[str, Any] | None = None
        # The model: what the conversation holds, and what is spoken of.
        self.shown: dict[str, float] = {}
        self.known: set[str] = set()
        self.last: tuple[float, list[str]] = (0.0, [])
        self.topic = ""
        self.said: tuple[str, float] = ("", 0.0)
        self.turns = self.prepared_turn = 0
        self.accepted: set[str] = set()
        self.made_in = ""

    def happen(self, event: dict[str, Any]) -> None:
        self.log.append(event)
        self.state = pendingstate.after(self.state, event, NUMBERS)

    def ago(self, moment: float) -> float:
        """Seconds since; a moment of the future is long ago."""
        return self.now - moment if moment <= self.now else 1e9

    def blocked(self) -> set[str]:
        recent = {key for key, at in self.shown.items() if self.ago(at) < 2_700}
        return self.known | recent

    @initialize(ids=st.lists(st.sampled_from(sorted(TEXT)), max_size=2))
    def begin(self, ids: list[str]) -> None:
        self.start("startup", ids)

    @rule(seconds=STEPS)
    def wait(self, seconds: int) -> None:
        self.now += seconds

    @rule()
    def store_changes(self) -> None:
        self.generation += 1

    @rule(ids=IDS)
    def learn(self, ids: list[str]) -> None:
        self.happen(pending.learned(ids[:1], now=self.now))
        self.known |= set(ids[:1])

    @rule(
        source=st.sampled_from(["startup", "resume", "fork", "clear", "compact"]),
        ids=st.lists(st.sampled_from(sorted(TEXT)), max_size=2),
    )
    def start(self, source: str, ids: list[str]) -> None:
        self.happen(pending.at_session_start(source, ids, now=self.now))
        if source in ("resume", "fork"):
            self.shown = dict.fromkeys(self.shown, self.now)
            self.known |= set(ids)
        else:
            self.shown, self.known, self.last = {}, set(ids), (0.0, [])
            if source != "compact":
                self.topic, self.accepted, self.made_in = "", set(), "nowhere"

    @rule(
        text=st.sampled_from(
            [
                "<task-notification>done</task-notification>",
                "<system-reminder>x</system-reminder>",
                "/compact",
            ]
        )
    )
    def no_person_speaks(self, text: str) -> None:
        said, why = freshturn.fresh_turn({"prompt": text})
        assert not said
        assert why  # so nothing is taken, and no turn begins

    @rule(
        words=st.sampled_from(["yes", "go on", "bake", "sail"]),
        topic=st.sampled_from(["", *TOPICS]),
        found=st.none() | IDS,
    )
    def prompt(self, words: str, topic: str, found: list[str] | None) -> None:
        asked: list[bool] = []

        def answer() -> list[dict[str, str]]:
            asked.append(True)
            return offers(found or [])

        taken, self.payload = self.payload, None
        event, surfaced, why = pending.at_prompt(
            self.state,
            taken,
            f"{words} {topic}",
            terms=TOPICS.get(topic, ["ok"]),
            generation=str(self.generation),
            now=self.now,
            numbers=NUMBERS,
            answer=None if found is None else answer,
        )
        again = self.said[0] == f"{words} {topic}" and self.ago(self.said[1]) < 5
        ids = [each["id"] for each in surfaced]
        changed = bool(topic and self.topic and topic != self.topic)
        assert event["changed"] == changed
        self.check(ids, why, taken, changed=changed, again=again)
        if found and not again and not self.fits(taken, changed=changed):
            assert asked
        self.happen(event)
        self.said = (f"{words} {topic}", self.now)
        self.turns += not again
        if changed:
            self.accepted = set()
        self.topic = topic or self.topic
        if surfaced:
            self.shown |= dict.fromkeys(ids, self.now)
            self.last = (self.now, ids)

    def fits(self, taken: dict[str, Any] | None, *, changed: bool) -> bool:
        return (
            taken is not None
            and self.ago(taken["at"]) < 1_800
            and taken["generation"] == str(self.generation)
            and not changed
            and self.made_in == self.topic
        )

    def check(
        self,
        ids: list[str],
        why: str,
        taken: dict[str, Any] | None,
        *,
        changed: bool,
        again: bool,
    ) -> None:
        assert bool(ids) == (why in (pending.SURFACED, pending.SURFACED_AT_ONCE))
        assert not self.blocked() & set(ids)
        if ids and self.ago(self.last[0]) < 180:
            before = [key for key in self.last[1] if key in ids]
            assert len(before) < 0.8 * max(len(ids), len(self.last[1]))
        if ids and self.ago(self.last[0]) < 90:
            assert not same(ids, self.last[1])
        if not self.fits(taken, changed=changed):
            assert why != pending.SURFACED
            return
        assert taken is not None
        new = [each["id"] for each in taken["offers"] if each["id"] not in self.blocked()]
        assert set(ids) <= set(new)
        assert why != pending.SURFACED_AT_ONCE
        if new and self.ago(self.last[0]) >= 180 and not again:
            assert ids == new, "what fits and is new must surface"

    @rule(accepted=st.none() | st.lists(st.sampled_from(sorted(TEXT)), max_size=5, unique=True))
    def turn_ends(self, accepted: list[str] | None) -> None:
        """The preparer runs: None is a judge that failed."""
        event, judge, why = pending.at_turn_end(
            self.state,
            f"query of turn {self.turns}",
            terms=TOPICS.get(self.topic, ["ok"]),
            now=self.now,
            numbers=NUMBERS,
        )
        if self.prepared_turn >= self.turns:
            assert (event, judge, why) == (None, False, pending.NO_NEW_TURN)
            return
        assert event is not None
        self.prepared_turn = self.turns
        self.happen(event)
        if judge:
            self.happen(pending.judged(event, accepted, {}, now=self.now))
            if accepted is not None:
                self.accepted = set(accepted)
        carried = pending.carried(self.state, sorted(TEXT))
        assert set(carried) == self.accepted, "a failed judge takes nothing back"
        chosen = accepted if judge and accepted is not None else carried
        payload, why = pending.prepared(
            self.state,
            event,
            offers(chosen),
            standing=self.payload,
            generation=str(self.generation),
            now=self.now,
            numbers=NUMBERS,
        )
        if payload is None:
            assert why in (
                pending.STANDS_ALREADY,
                pending.NOTHING_FOUND,
                pending.ALL_KNOWN,
                pending.SAME_TEXT,
                pending.SAME_MEMORIES,
            )
            assert why != pending.NOTHING_FOUND or not chosen
            return
        assert not self.blocked() & {each["id"] for each in payload["offers"]}
        self.payload, self.made_in = payload, self.topic

    @rule(
        topic=st.sampled_from(["", *TOPICS]),
        accepted=IDS,
        first=STEPS,
        then=STEPS,
        generation=st.integers(0, 1),
    )
    def two_turns(
        self, topic: str, accepted: list[str], first: int, then: int, generation: int
    ) -> None:
        """The common case: a turn, a preparation, a person who reads, the next turn."""
        self.prompt("bake", topic, None)
        self.wait(first)
        self.turn_ends(accepted)
        self.wait(then)
        self.generation += generation
        self.prompt("sail", "", None)

    @invariant()
    def the_log_says_it_all(self) -> None:
        state = pendingstate.new()
        for event in self.log:
            state = pendingstate.after(state, event, NUMBERS)
        assert state == self.state
        assert state["turn"] == self.turns


TestSession = Session.TestCase
TestSession.settings = settings(stateful_step_count=40)
