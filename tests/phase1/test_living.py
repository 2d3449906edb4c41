"""Learning from a session while it goes on: notes in the right inbox, and nothing twice."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from jmem import clock, config, paths, prompting, scopes
from jmem.llm.model import CallFailed, ModelUnavailable, Reply, Request
from jmem.model import Memory, Note, Status
from jmem.pendingstate import numbers_of
from jmem.sessions import Wanted
from jmem.storage import inbox, locks, memories, sessionstate, statefile
from jmem.storage.index import sync
from jmem.storage.index.reading import Reader
from jmem.store import take_note
from jmem.transcripts.reader import Found, inspect
from pipelines import models, run
from pipelines.cli import learn as command
from pipelines.phase1 import living, when
from pipelines.phase1.living import Learnt, learn

BEGIN = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
FILLER = "Look at the parser of the invoices once more and tell me how its two passes fit together."
"""Nothing durable, and long enough to be worth a look."""


@dataclass
class Session:
    """A session of a project that grows turn by turn."""

    file: Path
    cwd: Path
    lines: int = 0
    learnt: list[Learnt] = field(default_factory=list)

    @property
    def now(self) -> datetime:
        return BEGIN + timedelta(minutes=self.lines)

    def line(self, kind: str, content: Any, **fields: Any) -> None:
        self.lines += 1
        line = {
            "type": kind,
            "uuid": f"{self.file.stem}-{self.lines}",
            "sessionId": self.file.stem,
            "cwd": str(self.cwd),
            "timestamp": clock.text(self.now),
            "message": {"role": kind, "content": content},
            **fields,
        }
        with self.file.open("a") as stream:
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")

    def turn(
        self, said: str, answer: str = "I have looked at the parser, both passes fit."
    ) -> None:
        self.line("user", said)
        self.line("assistant", [{"type": "text", "text": answer}])

    def learn(self, **options: Any) -> Learnt:
        return learn(self.file, now=self.now + timedelta(seconds=30), **options)

    def end(self, *said: str, **options: Any) -> Learnt:
        """Say this, and some more, and end."""
        for text in (*said, FILLER, FILLER):
            self.turn(text)
        return self.learn(ended=True, **options)


@pytest.fixture
def project(here: Path, git: Callable[..., str]) -> Path:
    git(here, "init", "-q")
    return here


@pytest.fixture
def session(project: Path, tmp_path: Path) -> Callable[..., Session]:
    def made(name: str = "5e55-0001") -> Session:
        file = tmp_path / f"{name}.jsonl"
        return Session(file, project, lines=60 * len(list(tmp_path.glob("*.jsonl"))))

    return made


def night(project: Path, *files: Path, now: datetime) -> dict[str, Memory]:
    """Distil the project, reading these sessions, and say what its memories are."""
    scope = scopes.resolve(project)
    settings = config.load(scope.directory)
    found = [each for each in map(inspect, files) if isinstance(each, Found)]
    options = run.Options(wanted=Wanted(include_recent=True))
    run.distil(scope, found, settings, options, now=now)
    return memories.load(scope.root).memories


def active(held: dict[str, Memory]) -> list[str]:
    return sorted(memory.statement for memory in held.values() if memory.active)


def texts(project: Path, *, everywhere: bool = False) -> list[str]:
    scope = scopes.global_scope() if everywhere else scopes.resolve(project)
    return sorted(note.text for note in inbox.listed(scope.root))


TABS = "From now on always indent the Makefiles with tabs."
NPM = "From now on always install the packages with npm."
PNPM = "From now on always install the packages with pnpm."


def test_what_the_user_lays_down_is_noted_as_the_users_word(
    session: Callable[..., Session], project: Path
) -> None:
    learnt = session().end(TABS)
    assert learnt.why == when.ENDED
    (note,) = learnt.notes
    assert note == inbox.listed(scopes.resolve(project).root)[0]
    assert (note.source, note.origin, note.trust) == ("user", "user", "high")
    assert note.session == "claude-code:5e55-0001"
    assert note.time == BEGIN + timedelta(minutes=1), "dated by the turn"
    assert not memories.load(scopes.resolve(project).root).memories


def test_what_the_user_asks_to_remember_is_noted_at_once(
    session: Callable[..., Session], project: Path
) -> None:
    held = session()
    held.turn("Remember: the pump controller is pump3.internal:7001", answer="Yes.")
    assert held.learn().why == when.ASKED
    assert texts(project) == ["The pump controller is pump3.internal:7001."]
    held.turn("Go on.", answer="Yes.")
    assert held.learn().why == living.NOT_DUE


def test_the_last_part_of_a_session_is_read_however_short_it_is(
    session: Callable[..., Session], project: Path
) -> None:
    held = session()
    held.turn("Never push to main.", answer="Yes.")
    assert held.learn().why == living.NOT_DUE
    lock = locks.try_hold(paths.lock_file(scopes.resolve(project).root, "learn"))
    assert lock is not None
    threading.Timer(0.2, lock.release).start()
    assert held.learn(ended=True).why == when.ENDED, "it waits for whoever learns there"
    assert texts(project) == ["Never push to main."]


def test_what_tools_showed_is_trusted_less(session: Callable[..., Session]) -> None:
    held = session()
    for number in range(3):
        call = {
            "type": "tool_use",
            "name": "Bash",
            "id": f"c{number}",
            "input": {"command": "make check"},
        }
        held.line("assistant", [call])
        held.line("user", [{"type": "tool_result", "tool_use_id": f"c{number}", "content": "ok"}])
    (note,) = held.end().notes
    assert (note.source, note.origin, note.trust) == ("session", "tool", "medium")


def test_it_is_read_when_it_is_due_and_each_part_once(session: Callable[..., Session]) -> None:
    held = session()
    held.turn(TABS)
    assert held.learn().why == living.NOT_DUE
    for _ in range(10):
        held.turn(FILLER)
        assert not held.learn().by
    held.turn(FILLER)
    assert (held.learn().why, held.learn().why) == (when.MANY_TURNS, living.NOT_DUE)
    with held.file.open("a") as stream:
        stream.write('{"type": "user", "torn')
    assert held.learn(ended=True).why == living.NOT_DUE


def test_a_new_topic_is_a_reason_after_some_turns(session: Callable[..., Session]) -> None:
    held = session()
    for _ in range(4):
        held.turn(FILLER)
        assert not held.learn().by
    held.turn(
        "Write release notes about our Frankfurt office moving servers to renewable energy.",
        "Done.",
    )
    assert held.learn().why == when.TOPIC_CHANGE


def test_nothing_is_doubled_by_the_night_however_often_it_reads(
    session: Callable[..., Session], project: Path
) -> None:
    held = session()
    held.end(TABS)
    for day in range(1, 4):
        after = night(project, held.file, now=BEGIN + timedelta(days=day))
        assert [(memory.status, memory.strength) for memory in after.values()] == [("active", 1)]
        held.turn(FILLER)


def test_a_note_that_the_night_took_is_not_doubled_when_the_session_is_read_later(
    session: Callable[..., Session], project: Path
) -> None:
    held = session()
    held.end(TABS)
    before = night(project, now=BEGIN + timedelta(days=1))
    after = night(project, held.file, now=BEGIN + timedelta(days=2))
    assert len(before) == 1 and after.keys() == before.keys()
    assert next(iter(after.values())).strength == 1
    held.turn(TABS)
    again = held.end()
    assert not again.notes and not again.repeated, "its own words are no second witness"


def test_a_change_of_mind_within_a_session_ends_with_the_last_word(
    session: Callable[..., Session], project: Path
) -> None:
    held = session()
    held.end(NPM)
    held.end(PNPM)
    after = night(project, held.file, now=BEGIN + timedelta(days=1))
    after = night(project, held.file, now=BEGIN + timedelta(days=2))
    old, new = sorted(after.values(), key=lambda memory: memory.active)
    assert (old.status, old.superseded_by, len(after)) == (Status.SUPERSEDED, new.id, 2)
    assert "pnpm" in new.statement


def test_a_change_that_only_the_whole_session_shows_still_wins(
    session: Callable[..., Session], project: Path
) -> None:
    held = session()
    held.end(NPM)
    night(project, now=BEGIN + timedelta(days=1))
    held.turn(PNPM)  # nobody learned of it before the session ended
    after = night(project, held.file, now=BEGIN + timedelta(days=2))
    assert [m for m in active(after) if "npm" in m] == [m for m in active(after) if "pnpm" in m]


def test_a_repetition_is_a_sign_of_life_where_the_fact_stands(
    session: Callable[..., Session], project: Path
) -> None:
    session("first").end(TABS)
    (known,) = night(project, now=BEGIN + timedelta(days=1)).values()
    second = session("second")
    learnt = second.end(TABS)
    assert (learnt.notes, learnt.repeated) == ((), (known.id,))
    second.end(TABS)
    (after,) = night(project, second.file, now=BEGIN + timedelta(days=2)).values()
    assert (after.id, after.strength) == (known.id, 2)
    assert [crumb.session for crumb in after.reinforcements] == ["claude-code:second"]


def test_another_value_is_noted_beside_and_wins_at_night(
    session: Callable[..., Session], project: Path
) -> None:
    session("first").end(NPM)
    (old,) = night(project, now=BEGIN + timedelta(days=1)).values()
    learnt = session("second").end(PNPM)
    assert len(learnt.notes) == 1 and old.id in learnt.known and not learnt.repeated
    after = night(project, now=BEGIN + timedelta(days=2))
    assert after[old.id].status is Status.SUPERSEDED


def test_a_waiting_note_is_known_too(session: Callable[..., Session], project: Path) -> None:
    said = Note(text="Always indent the Makefiles with tabs.", session="claude-code:5e55-0001")
    take_note(said, now=BEGIN)
    (note,) = session().end(TABS).notes  # the user's own words make an agent's note trusted
    (memory,) = night(project, now=BEGIN + timedelta(days=1)).values()
    assert (memory.trust, memory.strength) == ("high", 1)
    assert note.id != memory.id


def test_a_global_fact_is_changed_where_it_stands(
    session: Callable[..., Session], project: Path
) -> None:
    take_note(
        Note(text="Always install the packages with npm.", source="user", scope="global"),
        now=BEGIN - timedelta(days=1),
        believed=True,
    )
    session().end(PNPM)
    assert texts(project) == []
    assert len(texts(project, everywhere=True)) == 2


def test_a_global_fact_is_not_changed_by_what_holds_in_one_project(
    session: Callable[..., Session], project: Path
) -> None:
    take_note(
        Note(text="Always install the packages with npm.", source="user", scope="global"),
        now=BEGIN - timedelta(days=1),
        believed=True,
    )
    session().end("From now on always install the packages of this repo with pnpm.")
    assert len(texts(project)) == 1 and len(texts(project, everywhere=True)) == 1


def test_what_holds_for_all_projects_goes_to_the_global_inbox(
    session: Callable[..., Session], project: Path
) -> None:
    session().end("From now on always write commit messages in English in all my projects.")
    assert texts(project) == [] and len(texts(project, everywhere=True)) == 1


def test_what_was_forgotten_comes_back_only_when_it_is_said_again(
    session: Callable[..., Session], project: Path
) -> None:
    from jmem import changing

    held = session()
    held.end(TABS)
    (known,) = night(project, now=BEGIN + timedelta(days=1)).values()
    scope = scopes.resolve(project)
    changing.forget(scope, known.id, "no", now=BEGIN + timedelta(days=2))
    old = session("old")  # held before the day of forgetting
    assert old.end(TABS).notes == ()
    new = session("new")
    new.lines = 3 * 24 * 60
    assert len(new.end(TABS).notes) == 1


def test_a_credential_never_reaches_the_inbox(session: Callable[..., Session]) -> None:
    token = "gh" + "p_" + "a1B2c3D4" * 5
    (note,) = session().end(f"From now on always push with the token {token} to the mirror.").notes
    assert token not in Path(note.path).read_text()


def test_the_session_need_not_be_told_what_it_has_just_said(
    session: Callable[..., Session],
) -> None:
    learnt = session().end(TABS, session="as-the-hook-says")
    numbers = numbers_of(config.load().everything())
    state = sessionstate.read(prompting.folder(), "as-the-hook-says", numbers)
    assert state["known"] == [learnt.notes[0].id]


def test_killed_before_it_could_say_how_far_it_read_nothing_is_doubled(
    session: Callable[..., Session], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = session()
    with monkeypatch.context() as patched:
        patched.setattr(sessionstate, "append", lambda *_: False)
        held.end(TABS)
    assert held.learn(ended=True).notes == ()
    assert len(texts(project)) == 1


@pytest.mark.parametrize("name", ["enabled", "generate"])
def test_switched_off_it_writes_nothing(
    session: Callable[..., Session], memory_home: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(f"JMEM_{name.upper()}", "false")
    assert session().end(TABS).why == living.SWITCHED_OFF
    assert not memory_home.exists()


@dataclass
class Scripted:
    """A model that says this, or fails so."""

    answer: dict[str, Any] | CallFailed
    name: str = "openai:scripted"
    window_tokens: int = 32_000
    asked: list[Request] = field(default_factory=list)

    def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        if isinstance(self.answer, CallFailed):
            raise self.answer
        return Reply("", self.answer, 100, 10, estimated=True, model="scripted")


SAID_BY_MODEL = {
    "text": "Makefiles are always indented with tabs.",
    "kind": "preference",
    "trust": "high",
    "quote": TABS,
}


@pytest.mark.parametrize(
    ("answer", "by", "text"),
    [
        ({"memory": [SAID_BY_MODEL]}, "openai:scripted", SAID_BY_MODEL["text"]),
        (
            ModelUnavailable("it is down", tried=1),
            "rules",
            "Always indent the Makefiles with tabs.",
        ),
    ],
)
def test_a_model_reads_the_part_and_is_shown_what_is_known(
    session: Callable[..., Session],
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: Any,
    by: str,
    text: str,
) -> None:
    take_note(Note(text="The parser of the invoices has two passes.", scope="global"), now=BEGIN)
    take_note(Note(text="The parser is kept in src/parse.py."), now=BEGIN)
    told = {"summary": "", "slug": "", "outcome": "success"}
    model = Scripted({**told, **answer} if isinstance(answer, dict) else answer)
    monkeypatch.setattr(models, "open_chosen", lambda _: model)
    monkeypatch.setenv("JMEM_LLM_PROVIDER", "openai")
    learnt = session().end(TABS)
    assert (learnt.by, [note.text for note in learnt.notes]) == (by, [text])
    (request,) = model.asked
    assert "- The parser of the invoices has two passes." in request.prompt
    assert "- The parser is kept in src/parse.py." in request.prompt
    spent = statefile.load(scopes.resolve(project).root).budget
    assert list(spent.values()) == [learnt.tokens]


@pytest.mark.parametrize("digested", [False, True])
def test_a_model_that_reads_the_whole_session_is_told_what_was_noted_in_it(
    session: Callable[..., Session],
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    digested: bool,
) -> None:
    """So that it repeats that word by word, and says nothing a second time in other words."""
    held = session()
    (note,) = held.end(TABS).notes
    if digested:
        night(project, now=BEGIN + timedelta(days=1))
    told = {"summary": "- It went well.", "slug": "", "outcome": "success"}
    model = Scripted({**told, "memory": [{**SAID_BY_MODEL, "text": note.text}]})
    monkeypatch.setattr(models, "open_chosen", lambda _: model)
    monkeypatch.setenv("JMEM_LLM_PROVIDER", "openai")
    monkeypatch.setenv("JMEM_PHASE2_ENGINE", "rules")
    (after,) = night(project, held.file, now=BEGIN + timedelta(days=2)).values()
    assert f"repeat word for word what still holds:\n- {note.text}" in model.asked[0].prompt
    assert (after.id, after.strength) == (note.id, 1)


def test_the_command_for_hooks(session: Callable[..., Session]) -> None:
    held = session()
    for text in (TABS, FILLER, FILLER):
        held.turn(text)
    done = CliRunner().invoke(command, [str(held.file), "--ended", "--json"])
    data = json.loads(done.output)["data"]
    assert (data["why"], len(data["notes"]), data["by"]) == (when.ENDED, 1, "rules")


def test_without_another_name_a_session_has_that_of_its_hooks(
    session: Callable[..., Session],
) -> None:
    learnt = session().end(TABS)
    numbers = numbers_of(config.load().everything())
    state = sessionstate.read(prompting.folder(), "claude-code:5e55-0001", numbers)
    assert state["known"] == [learnt.notes[0].id]


@pytest.mark.parametrize("model", ["qwen3:8b", "claude-opus-4"])
def test_what_a_local_session_brings_is_private_before_the_night(
    session: Callable[..., Session], project: Path, model: str
) -> None:
    held = session()
    for text in (TABS, FILLER, FILLER):
        held.line("user", text)
        answer = {"role": "assistant", "model": model, "content": [{"type": "text", "text": "ok"}]}
        held.line("assistant", [], message=answer)
    (note,) = held.learn(ended=True).notes
    scope = scopes.resolve(project)
    sync.sync(scope)
    reader = Reader.open(str(scope.root), scope.name)
    assert reader is not None
    with closing(reader):
        (document,) = reader.documents([note.id]).values()
        assert document.private is (model == "qwen3:8b")


def test_a_session_that_no_person_held_is_learnt_from_only_where_that_is_allowed(
    session: Callable[..., Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = session()
    alone.line("user", TABS, entrypoint="sdk-cli")
    refused = alone.end()
    assert (refused.why, refused.notes) == (living.NOBODY, ())
    monkeypatch.setenv("JMEM_HEADLESS_WRITES", "true")
    (note,) = alone.end().notes
    assert "Makefiles with tabs" in note.text
