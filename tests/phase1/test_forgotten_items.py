"""What was forgotten is not written down again when its session is read again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

SESSION = "5e550000-0000-4000-8000-000000000001"
TURNS = (
    ("user", "please look at the importer"),
    ("assistant", "it reads the file twice"),
    ("user", "from now on always run the tests with `make quick`, never plain pytest"),
    ("assistant", "Noted, understood: always run the tests with `make quick`, never plain pytest."),
    ("user", "thanks"),
    ("assistant", "ready"),
)


def write_session(file: Path, project: Path, *turns: tuple[str, str]) -> None:
    rows = []
    for number, (role, text) in enumerate(turns):
        content: Any = text if role == "user" else [{"type": "text", "text": text}]
        rows.append(
            {
                "type": role,
                "uuid": f"u{number}",
                "sessionId": SESSION,
                "cwd": str(project),
                "timestamp": f"2026-07-04T09:{number:02}:00.000Z",
                "version": "2.1.0",
                "message": {"role": role, "content": content},
            }
        )
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_deleted_line_does_not_return_with_its_session(
    jmem_process: Callable[..., Any], memory_home: Path, here: Path
) -> None:
    sessions = here.parent / "sessions"
    sessions.mkdir()
    write_session(sessions / "s.jsonl", here, *TURNS)
    command = ("distill", "--sessions", str(sessions))
    assert jmem_process(*command, JMEM_NOW="2026-07-05T03:00:00Z").code == 0
    index = next(memory_home.glob("projects/*/MEMORY.md"))
    assert "make quick" in index.read_text()
    summary = next(memory_home.glob("projects/*/session_summaries/*.md"))
    assert "make quick" in summary.read_text().partition("## Said")[2]
    kept = [line for line in index.read_text().split("\n") if "make quick" not in line]
    index.write_text("\n".join(kept))
    accept = ("--accept-deletions",)
    assert jmem_process("distill", *accept, JMEM_NOW="2026-07-06T03:00:00Z").code == 0

    write_session(sessions / "s.jsonl", here, *TURNS, ("user", "and the exporter?"))
    assert jmem_process(*command, JMEM_NOW="2026-07-07T03:00:00Z").code == 0
    text = summary.read_text()
    assert "## Durable memory" in text
    assert "make quick" not in text.partition("## Durable memory")[2]
    assert "make quick" not in index.read_text()
