"""What an agent is given: curated files as they are now, and nothing that is not its business."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from jmem.formats import memoryfile, sessionfile
from jmem.model import Memory, SessionSummary, Status
from pipelines.phase2 import agent_copy

JULY = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
PORT = Memory(
    id="m0000001", text="The dashboard listens on port 3000.", created=JULY, updated=JULY,
    evidence=("session:codex:s1#1",),
)  # fmt: skip
TOKEN = "ghp_" + "0123456789abcdefghij" * 2
SUMMARY = "memory_summary.md"


def texts(stage: Any, *memories: Memory, withheld: tuple[str, ...] = ()) -> dict[str, str]:
    root = stage.scope.root
    return agent_copy.texts(root, memories, withheld=frozenset(withheld), now=JULY)


def summarised(stage: Any, session: str) -> None:
    summary = SessionSummary(
        session=session, started=JULY, extracted=JULY, outcome="done", summary="Herons were fed."
    )
    path = stage.scope.root / "session_summaries" / "20260704-100000-herons.md"
    path.write_text(sessionfile.render(summary))


def test_it_holds_memories_views_notes_and_summaries(stage: Any) -> None:
    note = stage.note("CI runs on a runner called heron.", session="codex:s9")
    summarised(stage, "codex:s2")
    made = texts(stage, PORT)
    assert sorted(made) == sorted(
        [
            f"memories/{memoryfile.file_name(PORT)}",
            "MEMORY.md",
            "memory_summary.md",
            f"notes/{note.name}",
            "session_summaries/20260704-100000-herons.md",
        ]
    )
    assert made[f"memories/{memoryfile.file_name(PORT)}"] == memoryfile.render(PORT)
    assert PORT.text in made["MEMORY.md"]
    shown = made[f"notes/{note.name}"]
    assert note.text in shown
    assert "codex:s9" not in shown
    assert "cwd" not in shown


def test_what_rests_on_a_withheld_session_is_not_in_it(stage: Any) -> None:
    stage.note("Herons nest by the mill.", session="codex:s1")
    summarised(stage, "codex:s1")
    other = replace(PORT, id="m0000002", text="Ferns grow by the wall.", evidence=())
    made = texts(stage, PORT, other, withheld=("codex:s1",))
    assert sorted(made) == ["MEMORY.md", f"memories/{memoryfile.file_name(other)}"]
    assert not [text for text in made.values() if "eron" in text or "port 3000" in text]


def test_what_is_no_longer_in_force_is_not_in_it(stage: Any) -> None:
    made = texts(stage, *(replace(PORT, status=s) for s in Status if s is not Status.ACTIVE))
    assert not [text for path, text in made.items() if "3000" in text and path != SUMMARY]


def test_it_holds_no_credential(stage: Any) -> None:
    (stage.scope.root / SUMMARY).write_text(f"v1\n\nThe key is {TOKEN}.\n")
    made = texts(stage, replace(PORT, text=f"The key is {TOKEN}."))
    assert TOKEN not in "".join(made.values())
