"""What a session with a model on this machine taught is sent to no other one by recall either."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jmem import Store, config, indexing, scopes
from jmem.formats import memoryfile
from jmem.model import Memory
from jmem.scopes import Scope
from jmem.state import ExtractRecord, State
from jmem.storage import statefile

WHEN = datetime(2026, 7, 4, 10, tzinfo=UTC)
LOCAL = "The greenhouse ledger is reconciled by hand on Fridays."
OTHER = "The greenhouse pumps are opened by tools/pumps.sh."
PROMPT = "the greenhouse ledger and the pumps"


@pytest.fixture
def scope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scope:
    """A scope with one memory of a local session, and one of another."""
    project = tmp_path / "farm"
    project.mkdir()
    monkeypatch.setenv("JMEM_PROJECT", str(project))
    made = scopes.make(scopes.resolve(project))
    for identity, text, session in (("aaaaaaa1", LOCAL, "at-home"), ("bbbbbbb2", OTHER, "away")):
        memory = Memory(
            id=identity,
            text=text,
            created=WHEN,
            updated=WHEN,
            evidence=(f"session:codex:{session}#1",),
        )
        file = made.root / "memories" / memoryfile.file_name(memory)
        file.write_text(memoryfile.render(memory))

    def read(state: State) -> State:
        records = {
            "codex:at-home": ExtractRecord(at=WHEN, local=True),
            "codex:away": ExtractRecord(at=WHEN),
        }
        return replace(state, extracted=records)

    statefile.update(made.root, read, now=WHEN)
    return made


def test_the_judge_is_not_shown_it(
    scope: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = tmp_path / "heard.txt"
    program = tmp_path / "answers.py"
    program.write_text(
        f"import sys\nopen({str(heard)!r}, 'a').write(sys.stdin.read())\nprint('[1]')\n"
    )
    monkeypatch.setenv("JMEM_RECALL_EMBEDDER", "none")
    monkeypatch.setenv("JMEM_LLM_PROVIDER", "command")
    monkeypatch.setenv("JMEM_LLM_COMMAND", f"{sys.executable} {program}")
    found = Store(scope.directory).recall(PROMPT)
    assert "pumps.sh" in heard.read_text() and "ledger is reconciled" not in heard.read_text()
    verdicts = {hit.document.key: hit.verdict for hit in found.hits}
    assert verdicts == {"aaaaaaa1": "not judged", "bbbbbbb2": "accepted"}


def test_an_embeddings_server_elsewhere_is_not_sent_it(
    scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    np = pytest.importorskip("numpy")
    sent: list[str] = []

    class Elsewhere:
        id = "elsewhere"
        outside = True

        def documents(self, texts: list[str]) -> object:
            sent.extend(texts)
            return np.ones((len(texts), 4), np.float32) / 2

        def query(self, text: str, rarity: object = None) -> list[float]:
            return [0.5] * 4

    embedder = Elsewhere()
    monkeypatch.setattr("jmem.embedders.providers.open_chosen", lambda _: embedder)
    reader = indexing.reader(scope, config.load(scope.directory))
    assert reader is not None
    assert reader.waiting("elsewhere", outside=True) == 0
    reader.close()
    assert len(sent) == 1 and "pumps" in sent[0]
    found = Store(scope.directory).recall(PROMPT, judge="off")
    assert found.degraded == [], "what must stay here is not missed"
    assert {hit.document.key for hit in found.hits} == {"aaaaaaa1", "bbbbbbb2"}
    assert json.dumps(sent).count("ledger") == 0
