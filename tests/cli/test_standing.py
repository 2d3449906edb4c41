"""``jmem status``, ``log``, ``diff`` and ``stats`` in the words that a user reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem import clock, paths, scopes
from jmem import state as states
from jmem.state import ExtractRecord
from jmem.storage import events, statefile

Jmem = Callable[..., Any]


def lines(text: str) -> dict[str, str]:
    """The named lines of a status: name -> the rest."""
    rows = (row.strip().partition("  ") for row in text.split("\n") if row.startswith("  "))
    return {name: rest.strip() for name, _, rest in rows if name}


def test_the_status_of_nothing_says_how_to_begin(jmem: Jmem) -> None:
    nothing = jmem("status")
    assert (nothing.code, "nothing yet" in nothing.out) == (0, True)
    assert 'jmem note "..."' in nothing.err and "jmem init" in nothing.err
    assert 'jmem note "..."' in jmem("stats").err


def test_the_status_says_what_is_known_waits_and_comes_next(
    jmem: Jmem, known: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    jmem("note", "The port is 5432.", "--kind", "pitfall")
    monkeypatch.setenv("JMEM_NOW", "2026-07-05T06:30:00Z")
    told = lines(jmem("status").out)
    jmem("note", "The queue is called amber.")
    assert lines(jmem("status").out)["inbox"].startswith("2 notes, a moment to 3 hours old: ")
    assert told["memories"] == "1 in force: 1 fact"
    assert told["inbox"] == "1 note, 3 hours old: the next run decides on it"
    assert told["last run"] == "3 hours ago (2026-07-05 03:00 UTC): 1 learned (by rules)"
    assert told["next run"].startswith("when you call jmem distill")
    assert told["sessions"] == "none read yet"
    assert "search index" in told["size"]
    assert not {"review", "gaps", "model", "!"} & told.keys()


def test_the_status_says_what_went_wrong_and_what_is_asked(jmem: Jmem, known: str) -> None:
    root = scopes.resolve().root
    failed = ExtractRecord(at=clock.now(), failed=True, error="no such file")
    statefile.update(root, lambda s: states.record_extraction(s, "codex:a1", failed))
    statefile.update(root, lambda s: states.book_tokens(s, 1200, clock.now()))
    (root / "memories" / "broken.md").write_text("---\n: [\n---\n")
    jmem("note", "The staging queue is called amber")
    jmem("distill")
    other = jmem("list", "--json").data
    first, second = (row["id"] for row in other)
    for key, rival in ((first, second), (second, first)):
        (file,) = root.glob(f"memories/*{key}.md")
        file.write_text(file.read_text().replace("\n---\n", f"\ncontradicts: [{rival}]\n---\n", 1))
    ran = jmem("status")
    told = lines(ran.out)
    assert "could not be read: codex:a1: no such file (jmem explain codex:a1 --retry)" in ran.out
    assert told["model"] == ("none now: 1,200 of 300,000 tokens today; all scopes 1,200 of 600,000")
    assert told["review"] == "1 at odds with each other: your word is asked for (jmem review)"
    assert told["!"].startswith("memories/broken.md: ")
    (row,) = jmem("status", "--json").data["scopes"]
    assert row["budget"]["spent"] == row["tokens_today"] == 1200
    assert row["waiting_for_review"] == {"contradiction": 1}
    assert row["unreadable"].keys() == {"memories/broken.md"}
    assert row["bytes"]["total"] > row["bytes"]["memories"] > 0


def test_the_status_tells_of_a_run_that_nobody_saw_fail(
    jmem: Jmem, known: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = scopes.resolve().root / "MEMORY.md"
    jmem("note", "The port is 5432.")
    for number in range(4):
        jmem("note", f"The {'abcd'[number] * 5} service has port {number}.")
    jmem("distill")
    whole = index.read_text()
    index.write_text("# Memory\n\nMine.\n")
    monkeypatch.setenv("JMEM_NOW", "2026-07-06T03:00:00Z")
    assert jmem("distill").code == 7
    told = jmem("status").out
    assert ": it failed; 1 day ago: 5 learned" in told
    assert "! the last run stopped, a guard did not let it go on: jmem distill" in " ".join(
        told.split()
    )
    index.write_text(whole)
    assert jmem("distill").code == 0
    assert "the last run" not in jmem("status").out
    monkeypatch.setenv("JMEM_LLM_PROVIDER", "openai")
    monkeypatch.setenv("JMEM_LLM_MODEL", "small")
    assert lines(jmem("status").out)["model"].startswith("openai:small: 0 of 300,000 tokens today")


def test_a_line_that_a_person_took_out_is_counted_so(jmem: Jmem, known: str) -> None:
    index = scopes.resolve().root / "MEMORY.md"
    rows = index.read_text().split("\n")
    index.write_text("\n".join(row for row in rows if known not in row))
    (row,) = jmem("status", "--json").data["scopes"]
    assert row["memories"] == {"forgotten": 1}


def test_a_project_that_is_switched_off_is_left_as_it_is(
    jmem: Jmem, known: str, here: Path, tmp_path: Path
) -> None:
    (here / ".jmem.yaml").write_text("enabled: false\n")
    cache = scopes.resolve(here).root / ".cache"
    for left in cache.glob("index.*"):
        left.unlink()
    before = sorted(cache.iterdir())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    rows = jmem("status", "--all", "--project", elsewhere, "--json").data["scopes"]
    assert [row["memories"] for row in rows] == [{"active": 1}]
    assert jmem("stats", "--all", "--project", elsewhere).code == 0
    assert sorted(cache.iterdir()) == before


def test_what_an_undone_night_leaves_is_told(jmem: Jmem, known: str) -> None:
    assert jmem("undo").code == 0
    assert f"{known}  taken out" in jmem("diff").out
    told = lines(jmem("status").out)
    assert told["inbox"].endswith(" old: 1 held until you say (jmem review)")
    assert told["review"].startswith("1 from a run that was undone")
    undone = jmem("log").out.split("\n\n")[1]
    assert "undone by" in undone and f"learned  {known}" in undone


def test_the_log_is_in_words(jmem: Jmem, known: str) -> None:
    jmem("note", "Always run `make test` before a commit!")
    jmem("distill")
    jmem("forget", known, "--reason", "no longer so")
    told = jmem("log").out
    forgotten, again, learned = told.split("\n\n")
    assert f"  forgotten  {known}  Always run" in forgotten and "no longer so" in forgotten
    assert f"said again  {known}  Always run" in again
    assert learned.startswith("2026-07-05 03:00  Distil 1 note: 1 added  [")
    assert f"  learned  {known}  Always run `make test` before a commit." in learned
    data = jmem("log", "--json").data
    assert [row["kind"] for row in data] == ["changed", "distilled", "distilled"]
    assert data[2]["decisions"][0]["words"] == "learned"
    assert (data[2]["engine"], data[2]["tokens"]) == ("rules", 0)
    run = data[1]["run"]
    assert jmem("log", run).out.count("\n\n") == 0
    assert jmem("log", "--oneline").out.count("\n") == 3
    assert jmem("log", "nosuchrun").code == 3


def test_a_long_night_is_told_in_part_and_whole_on_request(jmem: Jmem) -> None:
    for number in range(23):
        jmem("note", f"The {'abcdefghijklmnopqrstuvwxyz'[number] * 5} service has port {number}.")
    jmem("distill")
    told = jmem("log").out
    assert told.count("learned  ") == 20 and "and 3 more: jmem log " in told
    assert jmem("log", told.rpartition(" ")[2].strip()).out.count("learned  ") == 23


def test_a_diff_says_what_became_of_each_memory(jmem: Jmem, known: str) -> None:
    jmem("edit", known, "Always run `make check` before a commit.")
    told = jmem("diff").out
    assert f"  {known}  other words\n" in told
    assert "    - Always run `make test` before a commit.\n" in told
    assert "    + Always run `make check` before a commit.\n" in told
    assert "+++ b/MEMORY.md" in jmem("diff", "--patch").out
    (row,) = jmem("diff", "--json").data["memories"]
    assert row["before"].endswith("`make test` before a commit.")


def test_stats_show_growth_decisions_and_recall(jmem: Jmem, known: str) -> None:
    at = clock.now()
    for surfaced in (1, 0):
        events.record(
            paths.root(), "recall", now=at, judge="local", surfaced=surfaced, accepted=surfaced,
            rejected=2,
        )  # fmt: skip
    told = jmem("stats", "--days", "7").out
    assert "memories in force  1 now, 1 came" in told
    assert "decided  1 learned in 1 run" in told
    assert "recall: something helped  1 of 2 prompts (50%)" in told
    assert "recall: nothing helped  1: " in told
    assert "█" in told
    assert told.rstrip().split("\n")[-1].split() == ["rules", "1", "1", "1", "0", "0"]
    data = jmem("stats", "--days", "7", "--json").data
    assert [day["active"] for day in data["days"]] == [0] * 6 + [1]
    assert data["engines"]["rules"]["made"] == 1


def test_stats_of_memory_that_is_off_say_so(jmem: Jmem, known: str, memory_home: Path) -> None:
    (memory_home / "config.yaml").write_text("enabled: false\n")
    off = jmem("stats")
    assert (off.code, off.out) == (0, "") and "switched off" in off.err
