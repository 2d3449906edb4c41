"""Who reads which session, and what a model is not shown."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from jmem import scopes, sessions
from jmem.config import Settings
from jmem.llm.model import Reply
from jmem.meter import Meter
from jmem.storage import statefile
from pipelines import models, run
from pipelines.asking import Asking
from pipelines.phase1.run import Reader, read_sessions
from pipelines.run import Options

NIGHT = datetime(2026, 7, 5, 3, 0, tzinfo=UTC)
AWAY = Settings({"llm.provider": "anthropic", "llm.model": "m"})
NOTHING = {"summary": "", "slug": "", "outcome": "uncertain", "memory": []}


class Silent:
    """A model that finds nothing, and remembers what it was shown."""

    name, window_tokens = "scripted:m", 50_000

    def __init__(self):
        self.shown = []

    def complete(self, request):
        self.shown.append(request.prompt)
        return Reply(json.dumps(NOTHING), NOTHING, 10, 10, estimated=False, model="m")


@pytest.fixture
def scope(here):
    return scopes.make(scopes.resolve(here))


@pytest.fixture
def hold(tmp_path, here):
    """Write a session in which the user lays down a rule, held with a given model."""

    def write(name, rule, model="m-large"):
        path = tmp_path / "sessions" / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        lines = []
        for number, text in enumerate((rule, "Will do.", "Thanks", "Welcome.")):
            role = "assistant" if number % 2 else "user"
            lines.append(
                {
                    "type": role,
                    "uuid": f"{name}-{number}",
                    "sessionId": name,
                    "cwd": str(here),
                    "timestamp": f"2026-07-04T10:00:{number:02}Z",
                    "message": {"role": role, "content": text, "model": model},
                }
            )
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    return write


def found(tmp_path):
    return list(sessions.find(Settings(), [tmp_path / "sessions"]))


def read(scope, places, reader, model):
    state = statefile.load(scope.root)
    chosen = sessions.select(found(places), state, sessions.Wanted(), NIGHT)
    return read_sessions(
        scope,
        [each for each in chosen if not each.skipped],
        now=NIGHT,
        update=lambda change: statefile.update(scope.root, change, now=NIGHT),
        reader=reader(model),
    )


@pytest.fixture
def reader(scope, tmp_path):
    """A model elsewhere as the reader of what is found now."""

    def made(model):
        meter = Meter(model=model, scope_root=scope.root, settings=Settings(), now=NIGHT)
        withheld = models.withheld(scope, found(tmp_path), AWAY)
        return Reader(asking=Asking(lambda: meter), withheld=withheld)

    return made


def test_what_a_local_session_brought_is_shown_to_no_model_elsewhere(scope, hold, reader, tmp_path):
    path = hold("private-1", "Always use tabs in this project.", model="ollama/q")
    hold("public-1", "Always sign the commits in this project.")
    run.distil(scope, found(tmp_path), Settings(), Options(), now=NIGHT)
    path.unlink()  # its memory, and the record of how it was held, remain
    hold("public-2", "Please look at the hedge again.")
    model = Silent()
    done = read(scope, tmp_path, reader, model).done
    assert [each.candidate.found.info.id for each in done] == ["public-2"]
    (prompt,) = model.shown
    assert "sign the commits" in prompt and "tabs" not in prompt


def test_the_rules_read_what_is_withheld(scope, hold, reader, tmp_path):
    hold("private-1", "Always use tabs in this project.", model="ollama/q")
    hold("public-1", "Always sign the commits in this project.")
    model = Silent()
    done = read(scope, tmp_path, reader, model).done
    assert {each.candidate.found.info.id: each.record.extracted_by for each in done} == {
        "private-1": "rules",
        "public-1": "scripted:m",
    }
    assert len(model.shown) == 1


def test_results_come_in_the_order_of_the_sessions(scope, hold, reader, tmp_path):
    for number in range(9):
        hold(f"public-{number}", f"Look at hedge {number}.")
    done = read(scope, tmp_path, reader, Silent()).done
    assert [each.candidate.found.info.id for each in done] == [f"public-{n}" for n in range(9)]


def test_what_a_session_led_to_itself_is_not_shown_as_known(scope, hold, reader, tmp_path):
    hold("public-1", "Always sign the commits in this project.")
    run.distil(scope, found(tmp_path), Settings(), Options(), now=NIGHT)
    hold("public-1", "Always sign the commits in this project, please.")
    model = Silent()
    read(scope, tmp_path, reader, model)
    (prompt,) = model.shown
    assert "Known already" not in prompt and "Taken from this session before" in prompt
