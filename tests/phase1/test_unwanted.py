"""A session that the user does not want remembered leaves nothing, whoever reads it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jmem import changing, clock, config, paths, places, scopes
from jmem.model import Note
from jmem.sessions import Wanted
from jmem.storage import files, inbox, locks, memories, sessionmarks, statefile
from jmem.store import take_note
from jmem.transcripts.entries import Entry, SessionInfo
from jmem.transcripts.reader import Found, inspect
from pipelines import run
from pipelines.phase1 import living
from pipelines.phase1.extract import extract
from pipelines.phase1.living import learn
from pipelines.phase1.part import Items, items_of
from pipelines.phase1.unwanted import UNWANTED
from pipelines.phase1.when import Thresholds

BEGIN = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
RULE = "Always run the tests with `make test-fast`, never plain pytest."
SESSION = "claude-code:5e55-0001"


@pytest.fixture
def session(here: Path, tmp_path: Path) -> Path:
    """A session of the project in which a rule was laid down."""
    said = [RULE, "Look at the parser once more.", "And at its second pass."]
    lines = []
    for number, (role, text) in enumerate(
        each for words in said for each in (("user", words), ("assistant", "I have done that."))
    ):
        message = {"role": role, "content": text}
        at = clock.text(BEGIN + timedelta(minutes=number))
        line = {"type": role, "uuid": f"u{number}", "sessionId": "5e55-0001", "cwd": str(here)}
        lines.append(json.dumps({**line, "timestamp": at, "message": message}))
    file = tmp_path / "5e55-0001.jsonl"
    file.write_text("\n".join(lines) + "\n")
    return file


def distilled(file: Path, here: Path) -> str:
    """Everything that the scope holds of memories after a night that reads the session."""
    found = inspect(file)
    assert isinstance(found, Found)
    scope = scopes.make(scopes.resolve(here))
    options = run.with_wanted(run.Options(), Wanted(include_recent=True, max_age_days=0))
    run.distil(scope, [found], config.load(scope.directory), options, now=BEGIN + timedelta(days=1))
    texts = [files.read_text(path) or "" for path in sorted(scope.root.rglob("*.md"))]
    return "\n".join(texts)


def test_a_night_reads_nothing_of_a_marked_session(session: Path, here: Path) -> None:
    sessionmarks.off(places.sessions(), SESSION)
    assert "make test-fast" not in distilled(session, here)
    record = statefile.load(scopes.resolve(here).root).extracted[SESSION]
    assert UNWANTED in record.reason
    sessionmarks.on(places.sessions(), SESSION)
    session.write_text(session.read_text() + "\n")  # it has grown since
    assert "make test-fast" in distilled(session, here)


def test_what_was_read_of_it_before_is_taken_back(session: Path, here: Path) -> None:
    assert "make test-fast" in distilled(session, here)
    sessionmarks.off(places.sessions(), SESSION)
    session.write_text(session.read_text() + "\n")
    distilled(session, here)
    summaries = scopes.resolve(here).root / "session_summaries"
    assert all("make test-fast" not in path.read_text() for path in summaries.glob("*.md"))


def test_a_living_session_is_not_read_and_its_notes_go(session: Path, here: Path) -> None:
    mine = take_note(Note(text=RULE, session=SESSION), project=here)
    other = take_note(Note(text="Staging listens on 5433.", session="codex:1"), project=here)
    sessionmarks.off(places.sessions(), SESSION)
    learnt = learn(session, now=BEGIN + timedelta(hours=1), session=SESSION, ended=True)
    assert (learnt.why, learnt.notes) == (UNWANTED, ())
    waiting = [note.id for note in inbox.listed(scopes.resolve(here).root)]
    assert waiting == [other.id] and mine.id not in waiting


def test_so_do_the_memories_that_rest_on_it_alone(session: Path, here: Path) -> None:
    mine = take_note(Note(text="The orchard gate opens at seven.", session=SESSION), project=here)
    both = take_note(Note(text="Staging listens on 5433.", session=SESSION), project=here)
    other = take_note(Note(text="Barges leave at dawn.", session="codex:1"), project=here)
    take_note(Note(text="Staging listens on 5433.", session="codex:1"), project=here)
    scope = scopes.resolve(here)
    options = run.Options()
    run.distil(scope, [], config.load(scope.directory), options, now=BEGIN + timedelta(minutes=9))
    assert memories.load(scope.root).memories[mine.id].active
    sessionmarks.off(places.sessions(), SESSION)
    at = BEGIN + timedelta(hours=1)
    assert learn(session, now=at, session=SESSION).why == UNWANTED
    found = memories.load(scope.root).memories
    assert (found[mine.id].active, found[mine.id].reason) == (False, UNWANTED)
    assert found[other.id].active
    assert any(memory.active for memory in found.values() if "5433" in memory.text), both.id


def test_a_run_forgets_them_where_the_hook_s_process_did_not(here: Path) -> None:
    mine = take_note(Note(text="The orchard gate opens at seven.", session=SESSION), project=here)
    other = take_note(Note(text="Barges leave at dawn.", session="codex:1"), project=here)
    scope, options = scopes.resolve(here), run.Options()
    settings = config.load(scope.directory)
    run.distil(scope, [], settings, options, now=BEGIN + timedelta(minutes=9))
    sessionmarks.off(places.sessions(), SESSION)
    run.distil(scope, [], settings, options, now=BEGIN + timedelta(hours=1))
    found = memories.load(scope.root).memories
    assert (found[mine.id].active, found[mine.id].reason) == (False, UNWANTED)
    assert found[other.id].active
    changing.restore(scope, mine.id)
    run.distil(scope, [], settings, options, now=BEGIN + timedelta(hours=2))
    assert memories.load(scope.root).memories[mine.id].active


def spoken(session: Path, *prompts: str) -> None:
    """The user says more in the session."""
    last = json.loads(session.read_text().splitlines()[-2])
    with session.open("a") as file:
        for number, text in enumerate(prompts):
            message = {"role": "user", "content": text}
            file.write(json.dumps({**last, "uuid": f"w{number}", "message": message}) + "\n")


COMMAND = "<command-name>/jmem</command-name>\n<command-args>{}</command-args>"


@pytest.mark.parametrize("wish", ["Please do not remember this session.", COMMAND.format("off")])
def test_a_wish_that_no_hook_heard_is_found_in_a_living_session(
    session: Path, here: Path, wish: str
) -> None:
    take_note(Note(text=RULE, session=SESSION), project=here)
    spoken(session, wish)
    assert learn(session, now=BEGIN + timedelta(hours=1), session=SESSION).why == UNWANTED
    assert inbox.listed(scopes.resolve(here).root) == []
    assert sessionmarks.is_off(places.sessions(), SESSION)


def test_the_command_takes_back_what_was_said_in_words(session: Path, here: Path) -> None:
    spoken(session, "Please do not remember this session.", COMMAND.format("on"))
    numbers = Thresholds(least_bytes=1)
    learnt = learn(session, now=BEGIN + timedelta(hours=1), ended=True, numbers=numbers)
    assert learnt.why != UNWANTED
    assert "make test-fast" in distilled(session, here)


def test_who_learns_meanwhile_does_not_keep_notes_from_being_taken_back(
    session: Path, here: Path
) -> None:
    take_note(Note(text=RULE, session=SESSION), project=here)
    scope = scopes.resolve(here)
    sessionmarks.off(places.sessions(), SESSION)
    held = locks.try_hold(paths.lock_file(scope.root, "learn"))
    assert held is not None
    threading.Timer(0.2, held.release).start()
    assert learn(session, now=BEGIN + timedelta(hours=1), session=SESSION).why == UNWANTED
    assert inbox.listed(scope.root) == []


def test_a_wish_that_comes_while_the_session_is_read_counts(
    session: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(*arguments: Any, **named: Any) -> Items:
        read = items_of(*arguments, **named)
        sessionmarks.off(places.sessions(), SESSION)
        return read

    monkeypatch.setattr(living, "items_of", slowly)
    numbers = Thresholds(least_bytes=1)
    at = BEGIN + timedelta(hours=1)
    learnt = learn(session, now=at, session=SESSION, ended=True, numbers=numbers)
    assert (learnt.why, learnt.notes) == (UNWANTED, ())
    assert inbox.listed(scopes.resolve(here).root) == []


@pytest.mark.parametrize(
    ("last", "kept"),
    [
        ("> Please do not remember this session.", False),
        ("> Do not remember this session.\n> Well, remember this session after all.", False),
        ("> Do not remember this session.\n> Remember this session after all.", True),
        ("< Do not remember this session.", True),
    ],
)
def test_the_user_s_last_word_in_the_transcript_counts(
    tell: Callable[..., list[Entry]], info: SessionInfo, last: str, kept: bool
) -> None:
    lines = [f"> {RULE}", "< Done.", "> And the parser?", "< It fits.", *last.split("\n")]
    found = extract(info, tell(*lines), project="")
    assert bool(found.items) is kept
    assert (UNWANTED in found.refused) is not kept


AGENTS = pytest.mark.parametrize("agent", ["claude-code", "gemini", "opencode"])


@AGENTS
@pytest.mark.parametrize("written", [True, False])
def test_the_notes_of_a_session_that_cannot_be_read_go_at_once(
    here: Path, tmp_path: Path, agent: str, written: bool
) -> None:
    name = f"{agent}:5e55-0002"
    mine = take_note(Note(text=RULE, session=name), project=here)
    other = take_note(Note(text="Staging listens on 5433.", session="codex:1"), project=here)
    file = tmp_path / "5e55-0002.jsonl" if written else None
    if file:
        file.write_text("")
    at = BEGIN + timedelta(hours=1)
    learn(file, now=at, session=name, directory=str(here))
    assert len(inbox.listed(scopes.resolve(here).root)) == 2, "nobody said that it is unwanted"
    sessionmarks.off(places.sessions(), name)
    learn(file, now=at, session=name, directory=str(here))
    assert [note.id for note in inbox.listed(scopes.resolve(here).root)] == [other.id] != [mine.id]


@AGENTS
def test_a_night_takes_back_the_notes_of_a_session_that_it_cannot_read(
    session: Path, here: Path, agent: str
) -> None:
    name = f"{agent}:5e55-0002"
    take_note(Note(text="The orchard gate opens at seven.", session=name), project=here)
    sessionmarks.off(places.sessions(), name)
    kept = distilled(session, here)
    assert "orchard gate" not in kept and "make test-fast" in kept


@pytest.mark.parametrize("heard", ["by a hook", "at night"])
def test_a_night_takes_back_the_notes_of_such_a_session(
    session: Path, here: Path, heard: str
) -> None:
    take_note(Note(text="The orchard gate opens at seven.", session=SESSION), project=here)
    if heard == "by a hook":
        sessionmarks.off(places.sessions(), SESSION)
    else:
        spoken(session, "Please do not remember this session.")
    assert "orchard gate" not in distilled(session, here)
