"""A prompt is given what was prepared when the turn before it ended, or what is found at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jmem import Note, compiled, config, pending, places, preparing, prompting, scopes, store
from jmem.model import Memory
from jmem.storage import memories
from jmem.storage.statefile import load
from pipelines import run

from .conftest import Loopback

START = datetime(2026, 7, 5, 3, tzinfo=UTC)
PROMPT = "please deploy the billing service with tools/ship.sh to staging"
SHIP = "Deploy the billing service with tools/ship.sh, never with kubectl."
OTHER = "Snapshots of the parser live in tests/golden and are rewritten by make golden."
Settings = Callable[..., None]


class Session:
    """A session of an agent in a project, as its hooks see it."""

    def __init__(self, project: Path) -> None:
        self.scope = scopes.make(scopes.resolve(project))
        self.place = places.locate(str(project))
        self.now = START
        self.turns: list[tuple[str, str]] = []

    def prompt(self, text: str, **payload: object) -> prompting.Given:
        self.turns += [("user", text)]
        values = config.load(self.scope.directory).everything()
        return prompting.at_prompt(
            {"prompt": text, **payload}, "s1", self.place, values, now=self.now.timestamp()
        )

    def end_turn(self, answer: str = "Done.") -> str:
        self.turns += [("assistant", answer)]
        settings = config.load(self.scope.directory)
        known = [self.scope, scopes.global_scope()]
        chosen = [scope for scope in known if scope.exists]
        return preparing.prepare("s1", self.turns, chosen, settings, now=self.now)

    def later(self, **span: float) -> None:
        self.now += timedelta(**span)

    def note(self, text: str) -> None:
        store.take_note(Note(text=text, cwd=self.scope.directory), now=self.now)


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setenv("JMEM_RECALL_EMBEDDER", "none")
    (tmp_path / "shop").mkdir()
    made = Session(tmp_path / "shop")
    made.note(SHIP)
    made.note(OTHER)
    return made


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    server = Loopback()
    for name, value in {
        "JMEM_LLM_PROVIDER": "openai",
        "JMEM_LLM_MODEL": "small",
        "JMEM_LLM_BASE_URL": f"{server.url}/v1",
        "JMEM_RECALL_VOTES": "1",
        "JMEM_RECALL_CADENCE": "2",
    }.items():
        monkeypatch.setenv(name, value)
    yield server
    server.close()


def chosen(server: Loopback, numbers: list[int]) -> Any:
    return server.says(
        200,
        {
            "model": "small",
            "choices": [{"message": {"content": json.dumps(numbers)}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 50, "completion_tokens": 5},
        },
    )


def test_what_was_prepared_is_given_to_the_next_prompt_and_once(session: Session) -> None:
    session.prompt(PROMPT)
    session.later(hours=1)  # so that what surfaced at once may come again
    session.prompt("and what else is there to do")
    assert session.end_turn(f"I would {PROMPT}.") == pending.PREPARED
    session.later(minutes=9)
    given = session.prompt("yes, the billing service please")
    assert SHIP in given.text and given.why == pending.SURFACED
    assert session.prompt("go on with the next one then").text == ""


def test_a_prompt_with_nothing_prepared_is_answered_at_once(session: Session) -> None:
    first = session.prompt(PROMPT)
    assert first.behind and not first.text, "an index that is behind answers nothing"
    session.end_turn("Looking at it.")
    session.later(minutes=2)
    given = session.prompt(f"once more: {PROMPT}")
    assert SHIP in given.text and OTHER not in given.text


def test_nothing_is_given_where_the_store_changed_since(session: Session) -> None:
    session.prompt("hello there")
    assert session.end_turn(f"I would {PROMPT}.") == pending.PREPARED
    session.note("The staging bucket is emptied on Sundays.")
    given = session.prompt("then do so")
    assert not given.text and given.behind


@pytest.mark.parametrize(
    "payload",
    [
        {"agent_id": "worker-1"},
        {"prompt": "<system-reminder>tick</system-reminder>"},
        {"prompt": [{"type": "tool_result", "content": PROMPT}]},
        {"prompt": f"<task-notification>{PROMPT}</task-notification>"},
    ],
    ids=["sub-agent", "reminder", "tool result", "task notification"],
)
def test_only_a_person_s_turn_takes_what_waits(
    session: Session, payload: dict[str, object]
) -> None:
    session.prompt("hello there")
    session.end_turn(f"I would {PROMPT}.")
    assert session.prompt(PROMPT, **payload).text == ""
    assert SHIP in session.prompt("then do so").text


def test_memory_that_is_off_prepares_and_gives_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch, memory_home: Path
) -> None:
    monkeypatch.setenv("JMEM_ENABLED", "false")
    assert session.prompt(PROMPT).why == prompting.SWITCHED_OFF
    assert session.end_turn() == prompting.SWITCHED_OFF
    assert not (memory_home / "sessions").exists()


def test_a_model_judges_at_its_cadence_and_its_choice_is_carried(
    session: Session, model: Loopback
) -> None:
    model.does(chosen(model, [1]))
    given = session.prompt(PROMPT)
    assert (given.text, given.why) == ("", pending.NOTHING_PREPARED), "nothing unjudged at once"
    assert session.end_turn("Looking.") == pending.PREPARED
    assert len(model.requests) == 1
    first = session.prompt("go on")
    assert first.text and first.why == pending.SURFACED
    session.later(hours=1)
    assert session.end_turn(f"Again: {PROMPT}") == pending.PREPARED
    assert len(model.requests) == 1, "carried from the judgement before"
    assert session.prompt("go on, please").ids == first.ids
    assert load(session.scope.root).budget, "and what it cost is booked"


def test_a_model_that_fails_surfaces_nothing_and_is_left_alone_for_a_while(
    session: Session, model: Loopback
) -> None:
    model.does(model.says(500, {"error": "down"}))
    session.prompt(PROMPT)
    assert session.end_turn("Looking.") == pending.NOTHING_FOUND
    asked = len(model.requests)
    session.later(seconds=20)
    session.prompt("and the invoices of the warehouse in the north, which are late since Monday?")
    session.end_turn("Looking.")
    assert len(model.requests) == asked, "the breaker is open"
    assert session.prompt("go on").text == ""


def told(session: Session) -> list[dict[str, str]]:
    """What was recorded of the memories of the project."""
    file = session.scope.root / ".usage.jsonl"
    lines = file.read_text().splitlines() if file.exists() else []
    return [line for line in map(json.loads, lines) if "useful" in line]


def night(session: Session) -> Memory:
    """The memory about shipping after a distillation."""
    settings = config.load(session.scope.directory)
    run.distil(session.scope, (), settings, run.Options(), now=session.now)
    found = memories.load(session.scope.root).memories.values()
    return next(memory for memory in found if memory.text == SHIP)


def test_what_is_shown_is_learnt_from_once(session: Session) -> None:
    before = night(session)
    session.prompt("hello there")
    session.end_turn(f"I would {PROMPT}.")
    assert told(session) == [], "nothing is of use before it is shown"
    assert before.id in session.prompt("then do so").ids
    (line,) = told(session)
    assert (line["useful"], line["session"]) == (before.id, "s1")
    session.later(days=1)
    after = night(session)
    assert after.strength == before.strength + 1 and after.confidence > before.confidence
    session.later(days=1)
    assert night(session) == after


def test_a_prompt_that_nothing_fits_is_a_gap_and_lowers_nothing(session: Session) -> None:
    before = night(session)
    key = "ghp" + "_" + "a1B2" * 9
    session.prompt(f"rewrite the billing report in the parser's style, the key is {key}")
    assert session.end_turn("Let me see.") == pending.NOTHING_FOUND
    session.later(days=1)
    assert night(session) == before
    (gap,) = load(session.scope.root).feedback.gaps
    assert gap.about.startswith("rewrite the billing report") and key not in gap.about


def test_what_nobody_judged_changes_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    night(session)
    monkeypatch.setenv("JMEM_RECALL_JUDGE", "off")
    session.prompt("hello there")
    assert session.end_turn(f"I would {PROMPT}.") == pending.PREPARED
    assert session.prompt("then do so").text
    assert told(session) == []


@pytest.mark.parametrize("down", [False, True])
def test_what_a_model_turns_down_is_held_against_it_and_a_failure_is_not(
    session: Session, model: Loopback, *, down: bool
) -> None:
    before = night(session)
    model.does(model.says(500, {"error": "down"}) if down else chosen(model, []))
    session.prompt(PROMPT)
    session.end_turn("Looking.")
    assert [before.id in line["rejected"].split() for line in told(session)] == [True][down:]


def test_what_cannot_be_noted_as_shown_is_not_shown(session: Session, memory_home: Path) -> None:
    session.end_turn()
    session.prompt("hello there")
    session.end_turn(f"I would {PROMPT}.")
    log = memory_home / "sessions" / "s1.log"
    log.unlink(missing_ok=True)
    log.mkdir()
    assert session.prompt("then do so").why == prompting.NOT_WRITTEN


def test_the_settings_of_a_hook_are_those_of_the_command(session: Session) -> None:
    settings = config.load(session.scope.directory)
    compiled.write(str(session.scope.root), session.scope.directory, settings.everything())
    values = compiled.settings(session.place.root, session.place.directory)
    assert values is not None
    given = prompting.at_prompt({"prompt": "hello there"}, "s2", session.place, values, now=1e9)
    assert given.text == ""


def test_what_a_person_rewrote_in_place_is_not_given_out(session: Session) -> None:
    session.prompt("hello there")
    assert session.end_turn(f"I would {PROMPT}.") == pending.PREPARED
    (file,) = [f for f in (session.scope.root / "notes").iterdir() if SHIP in f.read_text()]
    with file.open("r+") as held:  # no new file, so that no directory shows it
        held.write(held.read().replace("never with kubectl", "or with kubectl"))
    assert SHIP not in session.prompt("then do so").text


def test_only_what_there_was_room_for_counts_as_shown(session: Session) -> None:
    words = "Deploy the billing service with tools/ship.sh to staging"
    for number in range(5):
        session.note(f"{words} number {number}. " + "More about it follows here. " * 50)
    session.prompt("hello there")
    session.end_turn(f"I would {PROMPT}.")
    given = session.prompt("then do so")
    assert given.ids and len(given.ids) == given.text.count("\n1. ") + sum(
        given.text.count(f"\n{number}. ") for number in range(2, 7)
    )
