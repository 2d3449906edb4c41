"""Each rule of what waits for the next prompt, at both sides of its boundary."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jmem import pending, pendingstate
from jmem.pendingstate import Numbers
from jmem.settings import SETTINGS

NOW = 1_000_000.0
NUMBERS = Numbers()
BREAD = [f"bread{number}" for number in range(8)]
BOATS = [f"boat{number}" for number in range(8)]


def offers(*ids: str) -> list[dict[str, str]]:
    return [{"id": key, "kind": "fact", "text": f"Fact {key}."} for key in ids]


def payload(*ids: str, at: float = NOW, **fields: Any) -> dict[str, Any]:
    waiting = {"at": at, "generation": "g1", "epoch": 0, "turn": 1, "offers": offers(*ids)}
    return waiting | fields


class Session:
    """A state, and the events that change it."""

    def __init__(self, numbers: Numbers = NUMBERS) -> None:
        self.state = pendingstate.new()
        self.numbers = numbers
        self.said = 0

    def happen(self, event: dict[str, Any]) -> None:
        before = json.dumps(self.state)
        after = pendingstate.after(self.state, json.loads(json.dumps(event)), self.numbers)
        assert json.dumps(self.state) == before, "a state is a value"
        self.state = after

    def prompt(
        self,
        waiting: dict[str, Any] | None = None,
        *,
        at: float = NOW,
        text: str = "",
        terms: list[str] | None = None,
        generation: str = "g1",
        found: list[dict[str, str]] | None = None,
    ) -> tuple[list[str], str]:
        self.said += 1
        event, shown, why = pending.at_prompt(
            self.state,
            waiting,
            text or f"prompt {self.said}",
            terms=BREAD if terms is None else terms,
            generation=generation,
            now=at,
            numbers=self.numbers,
            answer=None if found is None else lambda: found,
        )
        self.happen(event)
        return [each["id"] for each in shown], why

    def turn_end(self, *, at: float = NOW, query: str = "") -> tuple[Any, bool, str]:
        event, judge, why = pending.at_turn_end(
            self.state, query or f"query {self.said}", terms=BREAD, now=at, numbers=self.numbers
        )
        if event is not None:
            self.happen(event)
        return event, judge, why


def test_the_numbers_come_from_the_settings() -> None:
    numbers = pendingstate.numbers_of({"recall.fresh_minutes": 2.0, "recall.cadence": 5, "x": 1})
    assert (numbers.fresh_seconds, numbers.cadence) == (120.0, 5)
    assert numbers.once_seconds == Numbers().once_seconds
    assert set(pendingstate._SETTINGS) == set(Numbers.__slots__)


def test_the_settings_and_the_rules_agree_on_their_defaults() -> None:
    """Both say each number; the settings are what a person is shown."""
    defaults = pendingstate.numbers_of({each.name: each.default for each in SETTINGS})
    for name in Numbers.__slots__:
        assert getattr(defaults, name) == getattr(Numbers(), name), name


def test_what_waits_surfaces_in_the_next_turn() -> None:
    assert Session().prompt(payload("a", "b")) == (["a", "b"], pending.SURFACED)
    assert Session().prompt(None) == ([], pending.NOTHING_PREPARED)


@pytest.mark.parametrize(
    ("waiting", "why"),
    [
        (payload("a", at=NOW - 1_799), pending.SURFACED),
        (payload("a", at=NOW - 1_800), pending.TOO_OLD),
        (payload("a", at=NOW + 3), pending.SURFACED),  # written while the clock was being read
        (payload("a", at=NOW + 3_600), pending.TOO_OLD),  # the clock was put back
        (payload("a", generation="g2"), pending.STORE_CHANGED),
        (payload("a", epoch=1), pending.TOPIC_CHANGED),
    ],
)
def test_what_waits_must_be_fresh(waiting: dict[str, Any], why: str) -> None:
    ids, found = Session().prompt(waiting)
    assert found == why
    assert ids == (["a"] if why == pending.SURFACED else [])


def test_one_memory_surfaces_once_in_45_minutes_and_the_rest_of_a_payload_still_does() -> None:
    session = Session()
    session.prompt(payload("a"))
    later = NOW + 2_699
    assert session.prompt(payload("a", at=later), at=later) == ([], pending.ALL_KNOWN)
    assert session.prompt(payload("a", "b", at=later), at=later) == (["b"], pending.SURFACED)
    later = NOW + 2_700
    assert session.prompt(payload("a", at=later), at=later) == (["a"], pending.SURFACED)


@pytest.mark.parametrize("seconds", [89, 90])
def test_the_same_text_waits_90_seconds(seconds: int) -> None:
    session = Session()
    session.prompt(payload("a"))
    again = payload("other", at=NOW + seconds)
    again["offers"][0]["text"] = "fact  A."
    surfaced = session.prompt(again, at=NOW + seconds)
    assert surfaced == (([], pending.SAME_TEXT) if seconds < 90 else (["other"], pending.SURFACED))


@pytest.mark.parametrize("seconds", [179, 180])
@pytest.mark.parametrize("common", [3, 4])
def test_mostly_the_same_memories_wait_180_seconds(seconds: int, common: int) -> None:
    """Four of five are too much alike, three of five are not; only where once is not enough."""
    session = Session(Numbers(once_seconds=0))
    session.prompt(payload("a", "b", "c", "d", "e"))
    ids = [*"abcde"[:common], *"vwxyz"[common:]]
    surfaced = session.prompt(payload(*ids, at=NOW + seconds), at=NOW + seconds)
    alike = seconds < 180 and common == 4
    assert surfaced == (([], pending.SAME_MEMORIES) if alike else (ids, pending.SURFACED))


def test_what_the_session_knows_never_surfaces() -> None:
    session = Session()
    session.happen(pending.at_session_start("startup", ["a"], now=NOW))
    session.happen(pending.learned(["b"], now=NOW))
    later = NOW + 86_400
    waiting = payload("a", "b", at=later, epoch=session.state["epoch"])
    assert session.prompt(waiting, at=later) == ([], pending.ALL_KNOWN)
    assert session.prompt(found=offers("b"), at=later) == ([], pending.ALL_KNOWN)


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_a_session_that_goes_on_still_holds_what_it_was_shown(source: str) -> None:
    session = Session()
    session.prompt(payload("a"))
    later = NOW + 10_000
    session.happen(pending.at_session_start(source, ["b"], now=later))
    waiting = payload("a", "b", at=later + 2_699)
    assert session.prompt(waiting, at=later + 2_699) == ([], pending.ALL_KNOWN)


@pytest.mark.parametrize("source", ["startup", "clear", "compact"])
def test_after_a_compaction_only_what_is_injected_again_is_known(source: str) -> None:
    session = Session()
    session.prompt(payload("a"))
    session.happen(pending.learned(["b"], now=NOW))
    session.happen(pending.at_session_start(source, ["c"], now=NOW + 1))
    epoch = session.state["epoch"]
    assert epoch == (0 if source == "compact" else 1)
    waiting = payload("a", "b", "c", at=NOW + 1, epoch=epoch)
    assert session.prompt(waiting, at=NOW + 1) == (["a", "b"], pending.SURFACED)


def test_another_topic_drops_what_waits_and_asks_the_judge_again() -> None:
    session = Session()
    session.prompt()
    event, judge, _ = session.turn_end()
    assert judge
    session.happen(pending.judged(event, ["a"], {}, now=NOW))
    session.prompt(at=NOW + 60)
    assert pending.carried(session.state, ["a", "b"]) == ["a"]
    waiting = payload("a", at=NOW + 60)
    dropped = session.prompt(waiting, at=NOW + 120, terms=BOATS)
    assert dropped == ([], pending.TOPIC_CHANGED)
    assert pending.carried(session.state, ["a", "b"]) == []
    assert session.turn_end(at=NOW + 130)[1], "the cadence begins anew"
    # A payload of the old topic that was written late stays out of the new one.
    late = session.prompt(payload("a", at=NOW + 130), at=NOW + 180, terms=BOATS)
    assert late == ([], pending.TOPIC_CHANGED)


@pytest.mark.parametrize(
    ("terms", "changed"),
    [
        (["yes", "go"], False),  # too short to say
        (BOATS[:5], False),
        (BOATS[:6], True),
        ([*BOATS, "a", "b", "c", *BREAD[:2]], False),  # two of 13 in common
        ([*BOATS, "a", "b", "c", "d", *BREAD[:2]], True),  # two of 14: less than 0.15
    ],
)
def test_a_prompt_must_say_enough_to_change_the_topic(terms: list[str], changed: bool) -> None:
    session = Session()
    session.prompt()
    why = session.prompt(payload("a"), terms=terms)[1]
    assert why == (pending.TOPIC_CHANGED if changed else pending.SURFACED)


def test_the_same_prompt_from_two_installed_hooks_is_one_turn() -> None:
    session = Session()
    session.prompt(text="Ship it.")
    assert session.prompt(payload("a"), text="ship  it.", at=NOW + 4) == ([], pending.SAME_PROMPT)
    assert session.state["turn"] == 1
    assert session.prompt(payload("a"), text="Ship it.", at=NOW + 10)[0] == ["a"]
    assert session.state["turn"] == 2


def test_a_prompt_with_nothing_that_fits_may_be_answered_at_once() -> None:
    answers = offers("x")
    old = payload("a", at=NOW - 4_000)
    assert Session().prompt(found=answers) == (["x"], pending.SURFACED_AT_ONCE)
    assert Session().prompt(old, found=answers) == (["x"], pending.SURFACED_AT_ONCE)
    assert Session().prompt(found=[]) == ([], pending.NOTHING_FOUND)
    session = Session()
    session.prompt(payload("a"))
    again = session.prompt(payload("a", at=NOW + 9), at=NOW + 9, found=answers)
    assert again == ([], pending.ALL_KNOWN), "what was prepared was judged; words alone were not"


def test_only_a_new_user_turn_prepares() -> None:
    session = Session()
    assert session.turn_end()[2] == pending.NO_NEW_TURN
    session.prompt()
    assert session.turn_end()[2] == pending.PREPARED
    assert session.turn_end(query="a notification made the agent work again")[0] is None


def test_the_same_query_is_not_prepared_twice_in_30_seconds() -> None:
    session = Session()
    session.prompt()
    session.turn_end(query="The same.")
    session.prompt(at=NOW + 10)
    assert session.turn_end(at=NOW + 29, query="the  same.")[2] == pending.SAME_QUERY
    assert session.turn_end(at=NOW + 30, query="the same.")[2] == pending.PREPARED


def test_the_judge_is_asked_at_every_third_turn_whether_it_answers_or_not() -> None:
    session = Session()
    asked = []
    for number in range(7):
        session.prompt(at=NOW + 60 * number)
        asked.append(session.turn_end(at=NOW + 60 * number)[1])
    assert asked == [True, False, False, True, False, False, True]


def test_a_failed_judge_rejects_nothing() -> None:
    session = Session()
    session.prompt()
    event, _, _ = session.turn_end()
    session.happen(pending.judged(event, ["a", "b"], {"until": 1.0}, now=NOW))
    session.happen(pending.judged(event, None, {"until": 2.0}, now=NOW))
    assert pending.carried(session.state, ["b", "c"]) == ["b"]
    assert session.state["breaker"] == {"until": 2.0}
    session.happen(pending.judged(event, [], {}, now=NOW))
    assert pending.carried(session.state, ["b", "c"]) == []


def prepare(
    session: Session, ids: tuple[str, ...], standing: dict[str, Any] | None = None
) -> tuple[list[str] | None, str]:
    event = {"epoch": 0, "turn": 1}
    made, why = pending.prepared(
        session.state,
        event,
        offers(*ids),
        standing=standing,
        generation="g1",
        now=NOW,
        numbers=NUMBERS,
    )
    return made and [each["id"] for each in made["offers"]], why


def test_a_payload_holds_what_may_surface() -> None:
    session = Session()
    assert prepare(session, ()) == (None, pending.NOTHING_FOUND)
    session.prompt(payload("a"))
    assert prepare(session, ("a",)) == (None, pending.ALL_KNOWN)
    assert prepare(session, ("a", "b")) == (["b"], pending.PREPARED)


@pytest.mark.parametrize(
    ("standing", "kept"),
    [
        (payload("a", "b", "c", "d", "x", at=NOW - 119), True),  # four of five
        (payload("a", "b", "c", "x", "y", at=NOW - 119), False),
        (payload("a", "b", "c", "d", "e", at=NOW - 120), False),
        (payload("a", "b", "c", "d", "e", at=NOW - 1, generation="g0"), False),
        (payload("a", "b", "c", "d", "e", at=NOW - 1, epoch=7), False),
    ],
)
def test_nearly_the_same_payload_is_left_where_it_waits(
    standing: dict[str, Any], kept: bool
) -> None:
    found = prepare(Session(), ("a", "b", "c", "d", "e"), standing)
    assert found == ((None, pending.STANDS_ALREADY) if kept else ([*"abcde"], pending.PREPARED))


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"event": "unheard of"},
        {"event": ["prompt"]},
        {"event": "prompt"},
        {"event": "prompt", "at": "soon", "terms": [], "ids": [], "changed": 1, "prompt": "x"},
        {"event": "known", "ids": [[]]},
        {"event": "start", "at": 1, "ids": None, "source": "resume"},
        {"event": "judged", "ids": ["a"], "breaker": 7, "epoch": 0},
        {"event": "preparing", "turn": None, "at": 1, "terms": []},
    ],
)
def test_an_event_that_is_not_understood_changes_nothing(event: dict[str, Any]) -> None:
    state = pendingstate.new()
    assert pendingstate.after(state, event, NUMBERS) == pendingstate.new()
    assert state == pendingstate.new()


def test_a_state_stays_small_and_holds_no_words_of_anybody() -> None:
    session = Session()
    for number in range(120):
        at = NOW + 100 * number
        terms = [f"secretword{number}-{each}" for each in range(100)]
        session.prompt(payload(f"m{number:07}", at=at), at=at, terms=terms, text=f"secretword {at}")
        session.happen(pending.learned([f"n{number:07}" for number in range(600)], now=at))
        session.turn_end(at=at, query=f"secretword {number}")
    text = json.dumps(session.state)
    assert len(text) < 32_000
    assert "secretword" not in text
