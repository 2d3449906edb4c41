"""What recall did is counted, and status tells of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from jmem import metrics
from jmem.storage import events

NOW = datetime(2026, 7, 5, 3, tzinfo=UTC)


def asked(surfaced: int = 0, rejected: int = 0, failures: str = "") -> dict[str, Any]:
    return {
        "surfaced": surfaced,
        "accepted": surfaced,
        "rejected": rejected,
        "failures": failures,
    }


def test_what_was_not_judged_is_neither_a_hit_nor_a_gap() -> None:
    found = metrics.summed(
        [
            asked(surfaced=2, rejected=3),
            asked(rejected=5),
            asked(failures="judge: model not available, vectors failed"),
            asked(failures="vectors failed"),
            {"surfaced": "many"},
            {**asked(surfaced=5, rejected=1, failures="vectors failed"), "judge": "off"},
        ]
    )
    assert (found.asked, found.hits, found.gaps, found.hit_rate) == (5, 1, 1, 0.2)
    assert (found.accepted, found.rejected) == (2, 8)
    assert found.failures == {"vectors failed": 2, "judge: model not available": 1}
    assert metrics.summed([]).hit_rate == 0


def test_events_of_some_days_are_read_and_old_logs_go(tmp_path: Path) -> None:
    for back in (events.KEPT_DAYS + 1, 13, 3, 1, 0):
        events.record(tmp_path, "recall", now=NOW - timedelta(days=back), back=back)
    events.record(tmp_path, "run", now=NOW)
    with (tmp_path / "log" / "events-2026-07-05.jsonl").open("a") as log:
        log.write('{"event": "recall", "cut')
    found = [line["back"] for line in events.read(tmp_path, "recall", now=NOW, days=7)]
    assert found == [3, 1, 0]
    assert len(list((tmp_path / "log").iterdir())) == 4


def test_status_says_who_judges_and_how_it_went(
    jmem_process: Callable[..., Any], memory_home: Path
) -> None:
    variables = {"JMEM_RECALL_EMBEDDER": "none", "JMEM_NOW": "2026-07-05T03:00:00Z"}
    note = "Deploy the billing service with tools/ship.sh, never with kubectl."
    jmem_process("note", note, **variables)
    for prompt in ("deploy billing with tools/ship.sh please", "continue with the deploy"):
        assert jmem_process("recall", prompt, **variables).code == 0
    said = jmem_process("status", **variables).out
    assert "recall  judged locally, by words alone" in said
    assert "asked 2 times, 1 brought something (50%)" in said
    log = (memory_home / "log" / "events-2026-07-05.jsonl").read_text()
    assert "billing" not in log and "ship" not in log
