"""Models that say what a test tells them, in this process and on loopback."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import model_server
import pytest

from jmem import clock, config, scopes
from jmem.llm.model import CallFailed, Reply, Request
from jmem.meter import Meter
from jmem.model import Input, Memory, Note, NoteFile, Verdict
from jmem.storage import inbox, memories
from jmem.store import write_note
from pipelines import models, run
from pipelines.asking import Asking
from pipelines.phase2.stated import Stated
from pipelines.phase2.with_model import Curator
from pipelines.report import RunReport

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
Answer = Callable[[model_server.Question], Any]


@dataclass
class Scripted:
    """A model in this process: ``answer`` gives the data of a reply, or an error to raise."""

    answer: Answer
    window_tokens: int = 128_000
    name: str = "openai:scripted"
    asked: list[model_server.Question] = field(default_factory=list)

    def complete(self, request: Request) -> Reply:
        messages = [
            {"role": "system", "content": request.system},
            {"role": "user", "content": request.prompt},
        ]
        question = model_server.question_of({"messages": messages})
        self.asked.append(question)
        data = self.answer(question)
        if isinstance(data, CallFailed):
            raise data
        text = json.dumps(data)
        return Reply(text, data, request.tokens, 10, estimated=True, model="scripted")


@dataclass
class Night:
    """A curator with the model behind it; ``decide`` gives the verdicts by input id."""

    curator: Curator
    model: Scripted
    memories: dict[str, Memory]

    def decide(self, *inputs: Input, known: tuple[Any, ...] = ()) -> dict[str, Verdict]:
        verdicts = list(self.curator.decide(inputs, self.memories, known, "key"))
        assert [verdict.ref for verdict in verdicts] == [item.ref for item in inputs]
        return {item.id: verdict for item, verdict in zip(inputs, verdicts, strict=True)}

    @property
    def sent(self) -> str:
        """All that the model was shown."""
        return "\n".join(question.prompt for question in self.model.asked)


@pytest.fixture
def night(tmp_path: Path) -> Callable[..., Night]:
    """``night(answer, *memories, stated="", withheld=(), window=128_000, budget=10**6)``."""

    def made(
        answer: Answer,
        *memories: Memory,
        stated: str = "",
        withheld: tuple[str, ...] = (),
        window: int = 128_000,
        budget: int = 10**6,
    ) -> Night:
        model = Scripted(answer, window)
        values = {"daily_token_budget": budget, "daily_token_budget_all": budget}
        meter = Meter(model=model, scope_root=tmp_path, settings=config.Settings(values), now=NOW)
        curator = Curator(Asking(lambda: meter), Stated(stated), frozenset(withheld))
        return Night(curator, model, {memory.id: memory for memory in memories})

    return made


@pytest.fixture
def served() -> Iterator[Callable[[Answer], model_server.ModelServer]]:
    """``served(answer)``: a server that answers so until the test ends."""
    running: list[model_server.ModelServer] = []

    def start(answer: Answer) -> model_server.ModelServer:
        server = model_server.ModelServer(answer)
        running.append(server.__enter__())
        return server

    yield start
    for server in running:
        server.__exit__()


@dataclass
class Player:
    """A model that plays an agent: ``play`` gives the reply of a turn, or an error to raise."""

    play: Callable[[int], Any]
    name: str = "openai:scripted"
    window_tokens: int = 128_000
    asked: list[Request] = field(default_factory=list)

    def complete(self, request: Request) -> Reply:
        data: Any = {"lines": []}
        if request.schema_name == "call":
            self.asked.append(request)
            data = self.play(len(self.asked))
        if isinstance(data, CallFailed):
            raise data
        return Reply("", data, request.tokens, 10, estimated=True, model="scripted")


@dataclass
class Stage:
    """A whole store in which an agent plays a night; time goes on by a day with each."""

    home: Path
    monkeypatch: pytest.MonkeyPatch

    def at(self, moment: str) -> None:
        self.monkeypatch.setenv("JMEM_NOW", moment)

    def note(self, text: str, **fields: str) -> NoteFile:
        path = write_note(Note(text=text, **fields))
        return next(note for note in inbox.listed(path.parents[1]) if note.path == str(path))

    @property
    def scope(self) -> scopes.Scope:
        return scopes.resolve()

    @property
    def memories(self) -> dict[str, Memory]:
        """The memories by their statements."""
        stored = memories.load(self.scope.root).memories
        return {memory.statement: memory for memory in stored.values()}

    def night(self, play: Callable[[int], Any] | None, **settings: Any) -> RunReport:
        """A run in which the agent plays so; without a play, the rules decide."""
        self.player = Player(play or (lambda _: None))
        self.monkeypatch.setattr(models, "open_chosen", lambda _: self.player)
        values = {"llm.provider": "openai", "phase2.engine": "agent" if play else "rules"}
        chosen = config.Settings({**values, **settings})
        return run.distil(self.scope, (), chosen, run.Options(), now=clock.now())

    def by_rules(self) -> dict[str, str]:
        """How the scope would look if the rules had decided; nothing is left of it."""
        spare = self.home.with_name("spare")
        shutil.copytree(self.home, spare)
        self.night(None)
        wanted = self.picture()
        shutil.rmtree(self.home)
        spare.rename(self.home)
        return wanted

    def picture(self) -> dict[str, str]:
        """Every file of the scope by its digest, but the state and git's own."""
        root = self.scope.root
        found = pictured(root)
        return {
            path: digest
            for path, digest in found.items()
            if path != "state.json" and not path.startswith((".git/", ".cache/"))
        }

    def around(self) -> dict[str, str]:
        """Every file on the test's machine outside of the scope, but the log and the locks."""
        inside = self.scope.root.relative_to(self.home.parent).as_posix()
        kept = (f"{inside}/", "memory/log/", "memory/locks/")
        found = pictured(self.home.parent)
        return {path: digest for path, digest in found.items() if not path.startswith(kept)}


def pictured(root: Path) -> dict[str, str]:
    """Every file and every directory below a root, the files with their digests."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        if path.is_file()
        else "directory"
        for path in sorted(root.rglob("*"))
    }


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch, memory_home: Path) -> Stage:
    """A store with eight memories in a scope, and another scope beside it."""
    temporary = memory_home.with_name("tmp")
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    made = Stage(memory_home, monkeypatch)
    made.at("2026-07-01T03:00:00Z")
    other = Path(os.environ["HOME"]) / "other"
    other.mkdir()
    write_note(Note(text="The other project is written in Zig."), project=other)
    made.note("The dashboard listens on port 3000.")
    made.note("Squash the commits of a branch before merging it.")
    made.note("Deploys go out on Tuesdays.")
    made.note("The staging database is wiped every night.")
    for hall in ("north", "south", "east", "west"):
        made.note(f"Ferns of the {hall} hall grow behind a glass door.")
    made.night(None)
    made.at("2026-07-04T03:00:00Z")
    return made
