"""Models that say what a test tells them, in this process and on loopback."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jmem import config
from jmem.llm.model import CallFailed, Reply, Request
from jmem.model import Input, Memory, Verdict
from pipelines.asking import Asking
from pipelines.meter import Meter
from pipelines.phase2.stated import Stated
from pipelines.phase2.with_model import Curator

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "soak"))
import model_server

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
