"""What users of such tools have suffered, each as real processes in a home of its own.

``internal-doc/REGRESSIONS.md`` lists every case with the test that proves it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
ROOT = Path(__file__).parents[1]
TABLE = ROOT / "internal-doc" / "REGRESSIONS.md"
CASES = (
    *(f"M{n}" for n in range(1, 15)),
    *(f"A{n}" for n in range(1, 9)),
    *(f"B{n}" for n in range(1, 9)),
    *(f"C{n}" for n in range(1, 9)),
    *(f"D{n}" for n in range(1, 12)),
    *(f"P{n}" for n in range(1, 21) if n != 9),
)
SAID = "Always deploy the orchard with `make ship`, never by hand."


def rows() -> dict[str, str]:
    found = re.findall(r"^\| ([MABCDP]\d+) \|.*\| ([^|]+) \|$", TABLE.read_text(), re.MULTILINE)
    return dict(found)


def test_every_case_has_a_row_with_a_test_or_a_reason() -> None:
    assert tuple(rows()) == CASES
    for case, proof in rows().items():
        assert "::" in proof or proof.startswith("not covered yet: "), case


def test_every_named_test_exists() -> None:
    for case, proof in rows().items():
        for path, name in re.findall(r"`([\w/.]+\.py)::(\w+)`", proof):
            assert f"def {name}(" in (ROOT / path).read_text(), f"{case}: {path}::{name}"


@pytest.fixture
def run(jmem_process: Run) -> Run:
    """``run(directory, *arguments, code=0)``: what the command printed."""

    def call(directory: Path, *arguments: str, code: int = 0, now: str = "05") -> str:
        done = jmem_process(
            *arguments, "--project", str(directory), JMEM_NOW=f"2026-07-{now}T03:00:00Z"
        )
        assert done.code == code, done.err
        return str(done.out)

    return call


@pytest.fixture
def orchard(tmp_path: Path) -> Path:
    (tmp_path / "orchard").mkdir()
    return tmp_path / "orchard"


def curated(home: Path) -> str:
    """Everything that a reader of memory is shown, and the state."""
    names = ("MEMORY.md", "memory_summary.md", "state.json", "topics/*.md")
    return "".join(path.read_text() for name in names for path in home.glob(f"projects/*/{name}"))


def session(folder: Path, name: str, project: Path, said: str, day: int = 4) -> Path:
    """A session of Claude Code with two turns of each side."""
    lines = []
    for number, text in enumerate((said, "Understood.", "Good, go on.", "Done.")):
        role = "assistant" if number % 2 else "user"
        lines.append(
            {
                "type": role,
                "uuid": f"{name}-{number}",
                "sessionId": name,
                "cwd": str(project),
                "timestamp": f"2026-07-{day:02}T10:00:{number:02}Z",
                "message": {"role": role, "content": text},
            }
        )
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_what_is_to_be_forgotten_is_shown_nowhere_any_more(
    run: Run, orchard: Path, memory_home: Path
) -> None:
    run(orchard, "note", SAID, "--source", "user")
    run(orchard, "distill")
    assert "make ship" in curated(memory_home)
    run(orchard, "note", f"Forget that: {SAID}", "--source", "user", now="06")
    run(orchard, "distill", now="06")
    assert "make ship" not in curated(memory_home) + run(orchard, "inject")
    run(orchard, "note", SAID, now="07")  # an agent repeats it, no user does
    run(orchard, "distill", now="07")
    assert "make ship" not in curated(memory_home)


def test_a_fact_of_one_project_is_not_told_in_another(run: Run, orchard: Path) -> None:
    meadow = orchard.parent / "meadow"
    meadow.mkdir()
    run(orchard, "note", SAID)
    for told in ("pending", "distilled"):
        assert "make ship" in run(orchard, "inject"), told
        assert "make ship" not in run(meadow, "inject"), told
        run(orchard, "distill")
        run(meadow, "distill")


def test_a_cleared_project_tells_nothing(run: Run, orchard: Path) -> None:
    run(orchard, "note", SAID)
    run(orchard, "distill")
    run(orchard, "clear", "--yes")
    assert "make ship" not in run(orchard, "inject")


def test_a_note_says_where_it_is_and_waits_visibly(run: Run, orchard: Path) -> None:
    note = json.loads(run(orchard, "note", SAID, "--json"))["data"]
    assert note["id"] and Path(note["path"]).is_file()
    (row, *_) = json.loads(run(orchard, "status", "--json", now="06"))["data"]["scopes"]
    assert (row["notes_waiting"], row["oldest_note_hours"]) == (1, 24.0)
    assert "make ship" in run(orchard, "inject")


def test_what_was_noted_is_injected_before_and_after_the_night(run: Run, orchard: Path) -> None:
    run(orchard, "note", SAID, "--source", "user")
    before = run(orchard, "inject")
    run(orchard, "distill")
    assert "make ship" in before and "make ship" in run(orchard, "inject")


def test_many_sessions_are_read_a_few_a_night_and_the_rest_waits_visibly(
    run: Run, orchard: Path
) -> None:
    folder = orchard.parent / "sessions"
    for number in range(14):
        session(folder, f"{number:04}", orchard, f"Please look at the gate number {number}.")
    arguments = ("--sessions", str(folder), "--json")
    assert len(json.loads(run(orchard, "distill", *arguments))["data"]["runs"][0]["sessions"]) == 10
    listed = run(orchard, "sessions", *arguments[:2])
    assert listed.count("0010") and "waiting" in listed
    (second,) = json.loads(run(orchard, "distill", *arguments))["data"]["runs"]
    assert len(second["sessions"]) == 4


def test_reading_sessions_leaves_them_as_they_are(run: Run, orchard: Path) -> None:
    folder = orchard.parent / "sessions"
    path = session(folder, "5e55", orchard, "Always run `make quick` before a commit.")
    (orchard / ".claude").mkdir()
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": f"touch {orchard}/fired"}]}]}
    (orchard / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}))
    before = path.read_bytes(), path.stat().st_mtime_ns
    run(orchard, "distill", "--sessions", str(folder))
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert sorted(each.name for each in orchard.iterdir()) == [".claude"]


def test_what_is_injected_names_no_session_and_claims_nothing_for_itself(
    run: Run, orchard: Path
) -> None:
    folder = orchard.parent / "sessions"
    session(folder, "5e55-cafe", orchard, "Always run `make quick` before a commit.")
    run(orchard, "distill", "--sessions", str(folder))
    told = run(orchard, "inject")
    assert "make quick" in told
    assert "5e55" not in told and str(folder) not in told
    assert not re.search(r"only (?:source|memory)|instead of (?:other|any)|must use", told, re.I)
    assert not re.search(r"cite|citation|in your (?:answer|reply)", told, re.I)


def test_files_that_nobody_reads_are_named_by_doctor(
    run: Run, jmem_process: Run, orchard: Path, memory_home: Path
) -> None:
    run(orchard, "note", SAID)
    (scope,) = (memory_home / "projects").iterdir()
    (scope / "notes" / "loose.txt").write_text("nobody will see this")
    told = jmem_process("doctor").out
    assert "notes/loose.txt is not read" in told


def test_distillation_that_stopped_is_said_by_doctor(
    run: Run, jmem_process: Run, orchard: Path
) -> None:
    run(orchard, "note", SAID)
    told = jmem_process("doctor", JMEM_NOW="2026-07-09T03:00:00Z").out
    assert "notes wait for more than two days in orchard" in told
    run(orchard, "distill", now="09")
    told = jmem_process("doctor", JMEM_NOW="2026-07-09T04:00:00Z").out
    assert "notes wait" not in told


def test_two_notes_of_one_second_are_one_memory_with_two_witnesses(
    run: Run, orchard: Path, memory_home: Path
) -> None:
    for _ in range(2):
        run(orchard, "note", SAID)
    run(orchard, "distill")
    listed = json.loads(run(orchard, "list", "--json"))["data"]
    assert [memory["strength"] for memory in listed] == [2]
    assert not list((next((memory_home / "projects").iterdir()) / "notes").glob("*.md"))


def test_nothing_asks_the_network_without_a_setting(
    run: Run, orchard: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A process in which every socket is an error distils as always."""
    (tmp_path / "blocked").mkdir()
    (tmp_path / "blocked" / "sitecustomize.py").write_text(
        f"import socket\nopen({str(tmp_path / 'loaded')!r}, 'w').close()\n"
        "def refuse(*_, **__):\n    raise SystemExit('the network was asked')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
    )
    earlier = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'blocked'}{os.pathsep}{earlier}")
    folder = tmp_path / "sessions"
    session(folder, "5e55", orchard, "Always run `make quick` before a commit.")
    run(orchard, "note", SAID)
    assert "added" in run(orchard, "distill", "--sessions", str(folder)).lower()
    assert (tmp_path / "loaded").exists()
