"""``state.json``: no update is lost, no usage counted twice, and a corrupt file heals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import jmem
from jmem import state as states
from jmem.state import ConsolidationRecord, ExtractRecord, State
from jmem.storage import statefile
from jmem.storage.appending import append_line
from jmem.storage.statefile import load, record_usage, update

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)


@pytest.fixture
def scope(memory_home: Path) -> Path:
    return jmem.ensure_scope(memory_home / "projects" / "orchard-00000000")


def booked(state: State) -> State:
    return states.book_tokens(state, 1, NOW)


def test_twenty_parallel_updates_are_twenty(scope: Path) -> None:
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda _: update(scope, booked), range(20)))
    assert load(scope).budget == {"2026-07-04": 20}
    assert not list(scope.glob("*.jmem-tmp"))


CORRUPT = {
    "cut off": b'{"version": 1, "files',
    "empty": b"",
    "not UTF-8": b"\xff\xfe\x00",
    "another shape": b"[]",
    "no version": b"{}",
    "too deep": b"[" * 100_000,
}


@pytest.mark.parametrize("data", CORRUPT.values(), ids=CORRUPT.keys())
def test_a_corrupt_state_is_set_aside_reported_and_heals(
    scope: Path, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (scope / "state.json").write_bytes(data)
    assert load(scope) == State()
    assert not statefile.is_whole(scope)
    after = update(scope, booked, now=NOW)
    assert after.incomplete
    assert load(scope) == after
    assert (scope / "state.json.corrupt-20260704-100000").read_bytes() == data
    err = capsys.readouterr().err
    assert "was corrupt" in err
    assert err.count("\n") == 1


def test_reading_the_state_of_nothing_writes_nothing(memory_home: Path) -> None:
    assert load(memory_home / "nowhere") == State()
    assert not memory_home.exists()


def test_a_state_is_read_back_with_what_a_newer_jmem_wrote(scope: Path) -> None:
    state = State(
        extracted={
            "codex:1": ExtractRecord(at=NOW, failed=True, fail_count=2, error="odd", seen="1:2"),
            "codex:2": ExtractRecord(at=NOW, summary_file="session_summaries/x.md"),
        },
        last_consolidation=ConsolidationRecord(
            at=NOW, decisions={"ADD": 2}, commit="c0ffee", run="r1234567", changed_at=NOW
        ),
        last_pipeline_at=NOW,
        next_expiry=NOW,
        extra={"from_the_future": {"x": [1]}},
    )
    update(scope, lambda _: state)
    assert load(scope) == replace(state, usage_read=0)
    data = json.loads((scope / "state.json").read_text())
    assert {"version", "files", "extracted", "budget", "last_consolidation"} <= data.keys()


def test_parts_of_the_wrong_shape_are_left_out() -> None:
    state = states.from_json(
        {"version": 1, "files": [], "extracted": {"a": 1}, "budget": {"d": "x"}, "usage_read": True}
    )
    assert state == State()


def test_an_update_that_fails_changes_nothing(scope: Path) -> None:
    update(scope, booked)
    before = (scope / "state.json").read_bytes()
    with pytest.raises(ZeroDivisionError):
        update(scope, lambda state: replace(state, usage_read=1 // 0))
    assert (scope / "state.json").read_bytes() == before
    update(scope, booked)


def test_a_use_counts_once_however_often_it_is_folded(scope: Path) -> None:
    for _ in range(3):
        record_usage(scope / "MEMORY.md", now=NOW)
        update(scope, booked)
        update(scope, booked)
    used = load(scope).files["MEMORY.md"]
    assert (used.usage_count, used.last_usage) == (3, NOW)


def test_parallel_uses_and_updates_lose_none(scope: Path) -> None:
    def work(number: int) -> None:
        record_usage(scope / "MEMORY.md")
        if number % 3 == 0:
            update(scope, booked)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(60)))
    assert update(scope, booked).files["MEMORY.md"].usage_count == 60


def test_a_torn_usage_line_is_counted_when_it_is_whole(scope: Path) -> None:
    record_usage(scope / "MEMORY.md", now=NOW)
    events = scope / ".usage.jsonl"
    line = events.read_bytes()
    events.write_bytes(line + line[:20])
    assert update(scope, booked).files["MEMORY.md"].usage_count == 1
    events.write_bytes(line + line)
    assert update(scope, booked).files["MEMORY.md"].usage_count == 2


def test_lines_that_are_no_events_are_skipped(scope: Path) -> None:
    for line in ("", "x", "[]", '{"path": "a.md"}', '{"path": 1, "at": "2026-07-04"}', "null"):
        append_line(scope / ".usage.jsonl", line)
    assert update(scope, booked).files == {}


def test_a_long_event_file_is_started_anew_and_nothing_counts_twice(
    scope: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statefile, "MAX_USAGE_BYTES", 100)
    for _ in range(5):
        record_usage(scope / "MEMORY.md", now=NOW)
    update(scope, booked)
    assert (scope / ".usage.jsonl").read_bytes() == b""
    record_usage(scope / "MEMORY.md", now=NOW)
    assert update(scope, booked).files["MEMORY.md"].usage_count == 6


def relative_paths(scope: Path) -> Iterator[tuple[str, str]]:
    yield "memories/a-m7k2q9xa.md", "memories/a-m7k2q9xa.md"
    yield "topics/../MEMORY.md", "MEMORY.md"
    yield str(scope / "skills" / "deploy" / "SKILL.md"), "skills/deploy/SKILL.md"


def test_a_memory_file_is_credited_by_any_of_its_names(
    scope: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(scope)
    for written, credited in relative_paths(scope):
        record_usage(written)
        assert update(scope, booked).files[credited].usage_count == 1


def test_what_is_no_memory_file_is_not_counted(
    scope: Path, memory_home: Path, tmp_path: Path
) -> None:
    elsewhere = [
        scope / "state.json", scope / "project.yaml", scope / ".git" / "x.md", scope,
        scope / ".cache" / "x.md", memory_home / "config.yaml", memory_home / "x.md",
        tmp_path / "MEMORY.md", Path("/etc/passwd"), scope / ".." / "MEMORY.md",
        memory_home / "projects" / "gone-00000000" / "MEMORY.md",
    ]  # fmt: skip
    for path in elsewhere:
        record_usage(path)
    record_usage("\x00")
    assert not list(memory_home.rglob(".usage.jsonl"))


def test_distillation_is_not_credited(scope: Path) -> None:
    with jmem.without_usage_accounting():
        record_usage(scope / "MEMORY.md")
    assert not (scope / ".usage.jsonl").exists()
    record_usage(scope / "MEMORY.md")
    assert (scope / ".usage.jsonl").exists()


@pytest.mark.parametrize(
    ("last", "due"),
    [
        (None, None),
        (NOW - timedelta(hours=6), None),
        (NOW - timedelta(hours=5, minutes=59), NOW + timedelta(minutes=1)),
        (NOW, NOW + timedelta(hours=6)),
        (NOW + timedelta(days=1), None),
    ],
    ids=["never ran", "over", "not over", "just now", "a stamp of tomorrow counts as none"],
)
def test_when_a_run_is_due(last: datetime | None, due: datetime | None) -> None:
    assert states.due_at(State(last_pipeline_at=last), timedelta(hours=6), NOW) == due


def test_old_days_leave_the_budget() -> None:
    state = State(budget={"2026-01-01": 5, "2026-07-03": 7})
    assert states.book_tokens(state, 3, NOW).budget == {"2026-07-03": 7, "2026-07-04": 3}
