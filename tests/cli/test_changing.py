"""The commands that change one memory: what they print, and how they end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def listed(jmem: Run, *words: str) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in jmem("list", "--all", "--json", *words).data}


def test_a_memory_is_forgotten_and_restored(jmem: Run, known: str) -> None:
    done = jmem("forget", known, "--reason", "we use just now", "--json").data
    assert (done["what"], done["id"], done["changed"]) == ("forget", known, True)
    assert done["memories"][0]["status"] == "forgotten"
    assert listed(jmem)[known]["reason"] == "we use just now"
    again = jmem("forget", known)
    assert (again.code, again.out) == (0, "")
    assert "already" in again.err
    assert jmem("restore", known[:5], terminal=True).out.startswith(f"restored {known}: Always")
    assert listed(jmem)[known]["evidence"][-1].startswith("hand:")


@pytest.mark.parametrize("command", ["forget", "edit", "supersede", "restore", "tag"])
def test_one_letter_of_an_id_changes_nothing(jmem: Run, known: str, command: str) -> None:
    words = [] if command in ("forget", "restore") else ["word"]
    ran = jmem(command, known[0], *words)
    assert ran.code == 2
    assert f"{known} begins so" in ran.err
    assert [row["id"] for row in jmem("list", "--json").data] == [known]
    assert jmem("show", known[0]).code == 0
    assert jmem(command, known[:4], *words).code == 0


def test_one_letter_of_the_id_of_a_note_forgets_nothing(jmem: Run) -> None:
    note = jmem("note", "The staging host is called amber.", "--json").data["id"]
    assert jmem("forget", note[:3]).code == 2
    assert jmem("purge", note[:3], "--yes").code == 2
    assert note in jmem("notes").out
    assert jmem("forget", note[:4]).code == 0


def test_words_from_a_pipe_are_an_agents_and_from_a_terminal_a_persons(
    jmem: Run, known: str
) -> None:
    assert jmem("edit", known, "Run", "`make check`", "first").code == 0
    assert listed(jmem)[known]["trust"] == "medium"
    assert jmem("edit", known, "-", stdin=b"Run `make all`\n\nWhy: it is fast.").code == 0
    assert listed(jmem)[known]["text"] == "Run `make all`\n\nWhy: it is fast."
    assert jmem("edit", known, "Run `make x`", "--kind", "workflow", terminal=True).code == 0
    row = listed(jmem)[known]
    assert (row["trust"], row["kind"]) == ("high", "workflow")
    assert row["text"].endswith("Why: it is fast.")


def test_without_a_text_the_editor_opens(
    jmem: Run, known: str, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    editor = home / "editor"
    editor.write_text('#!/bin/sh\nsed -i "s/make test/make quick/" "$1"\n')
    editor.chmod(0o700)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.delenv("VISUAL", raising=False)
    assert jmem("edit", known, terminal=True).code == 0
    assert listed(jmem)[known]["statement"] == "Always run `make quick` before a commit."
    refused = jmem("edit", known)
    assert refused.code == 2
    assert "no text" in refused.err


def test_one_statement_takes_the_place_of_another(jmem: Run, known: str) -> None:
    done = jmem("supersede", known, "Always run `just test` first", "--json").data
    new = done["id"]
    assert listed(jmem)[known]["superseded_by"] == new
    rows = jmem("related", new, "--json").data["relations"]
    assert [(row["how"], row["id"]) for row in rows] == [("supersedes", known)]
    late = jmem("supersede", known, "x", "--json")
    assert (late.code, late.error["exit_code"]) == (7, 7)
    assert "restore" in late.error["hint"]


def test_relations_and_tags(jmem: Run, known: str) -> None:
    other = jmem("note", "The staging queue is called amber", "--json").data["id"]
    assert jmem("distill").code == 0
    assert jmem("link", known, other, "--weight", "0.75").out.startswith(f"linked {known} and")
    assert jmem("related", other).out.startswith(f"relates_to 0.75  {known} Always")
    assert jmem("tag", known, "Build", "#make").code == 0
    assert jmem("untag", known, "ci").code == 0
    assert listed(jmem)[known]["tags"] == ["build", "make"]
    assert jmem("tag", known, "two words").code == 2
    third = jmem("note", "Queues are drained on Sundays", "--tag", "amber", "--json").data["id"]
    assert jmem("distill").code == 0
    assert jmem("tag", other, "amber").code == 0
    far = jmem("related", known).out.splitlines()
    assert far[0].startswith(f"relates_to 0.75  {other} ")
    assert far[1].startswith("near 0.") and f"(tag:amber of ^{other}, relates_to of" in far[1]
    (near,) = jmem("related", known, "--json").data["near"]
    assert near["id"] == third
    row = jmem("status", "--json").data["scopes"][0]
    assert row["waiting_for_review"] == {}
    assert jmem("unlink", other, known).code == 0
    assert "related to nothing" in jmem("related", known).err
    assert jmem("merge", known, other).code == 0
    assert listed(jmem)[other]["superseded_by"] == known


def test_an_id_of_the_global_scope_is_found_from_a_project(jmem: Run, known: str) -> None:
    far = jmem("note", "I like short answers", "--global", "--json").data["id"]
    assert jmem("distill", "--global").code == 0
    assert jmem("tag", far, "me", "--json").data["scope"] == "global"
    assert jmem("tag", far, "me", "--project", ".").code == 3
    missing = jmem("forget", "zzzzzzzz", "--json")
    assert (missing.code, missing.error["hint"]) == (3, "jmem list --all")


def test_without_any_memory_there_is_nothing_to_change(jmem: Run) -> None:
    assert jmem("forget", "abcdefgh").code == 3


def test_a_memory_has_a_history_and_a_night_can_be_taken_back(jmem: Run, known: str) -> None:
    assert jmem("tag", known, "make").code == 0
    steps = jmem("history", known[:6], "--json").data
    assert [step["by"] for step in steps] == ["note", "run", "change"]
    told = jmem("history", known).out
    assert "tagged make, on request" in told
    assert "+ Always run `make test` before a commit." in told
    assert f"{known}  tagged make" in jmem("diff").out
    assert "#make" in jmem("diff", "--patch").out
    other = jmem("note", "The staging queue is called amber", "--json").data["id"]
    assert jmem("distill").code == 0
    assert "would have" in jmem("undo", "--dry-run").out
    assert jmem("undo", "--json").data["what"] == "undo"
    assert set(listed(jmem)) == {known}
    assert jmem("notes", "--json").data[0]["id"] == other
    assert jmem("undo", "nosuchrun").code == 3
    assert jmem("diff", steps[1]["run"], "--json").data["run"] == steps[1]["run"]


def test_what_waits_for_a_word_is_listed_and_settled(jmem: Run, known: str) -> None:
    note = jmem("note", "The staging queue is called amber", "--json").data["id"]
    assert jmem("distill").code == 0
    assert jmem("undo").code == 0
    (row,) = jmem("review", "--json").data
    assert (row["matter"], row["id"]) == ("held", note)
    assert f"held {note}: the run" in jmem("review").out
    assert jmem("review", note).code == 2
    assert jmem("review", note, "edit").code == 2
    assert jmem("review", note[:2], "reject").code == 2
    assert jmem("review", note, "edit", "It is called beryl").code == 0
    assert "nothing waits" in jmem("review").err
    assert jmem("review", known, "approve").code == 3
    assert jmem("distill").code == 0
    assert listed(jmem)[note]["statement"] == "It is called beryl"


def test_a_purge_asks_first_and_looks_afterwards(jmem: Run, known: str) -> None:
    words = "The kestrel desk takes letters at nine"
    note = jmem("note", words, "--json").data["id"]
    assert jmem("distill").code == 0
    unasked = jmem("purge", note)
    assert unasked.code == 2
    assert "Nobody is there to ask" in unasked.err
    assert jmem("purge", note, terminal=True, stdin=b"n\n").code == 130
    assert "memories/the-kestrel" in jmem("purge", note, "--dry-run").out
    assert note in listed(jmem)
    done = jmem("purge", note, "--yes")
    assert done.code == 0
    assert "nothing of it was found afterwards" in done.out
    assert set(listed(jmem)) == {known}
    assert jmem("purge", "--text", "-", "--yes", "--json", stdin=b"kestrel").data["found"] == []
    assert jmem("purge", "--yes").code == 2
    assert jmem("purge", note, "--yes").code == 3
