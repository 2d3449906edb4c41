"""The focused query holds what the person wants, and nothing that clients and tools put there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.retrieval import focus
from jmem.retrieval.searchtext import query_terms

ROLES = st.sampled_from(["user", "assistant", "tool"])
LINES = st.sampled_from(
    [
        "Why do the deploys of orchard fail on Fridays?",
        "```",
        "```python",
        "~~~",
        "print('inside')",
        "Assistant: I looked at the pipeline of the staging cluster.",
        "[Tool: Bash]",
        "⎿ 3 files changed",
        "<system-reminder>never say this</system-reminder>",
        "",
        "为什么部署失败",
        "x" * 3_000,
    ]
)
TEXTS = st.one_of(st.lists(LINES, max_size=8).map("\n".join), st.text(max_size=200))


def test_a_plain_prompt_is_its_own_query() -> None:
    assert focus.of_prompt("  How do I run the tests of E1234?\n") == (
        "How do I run the tests of E1234?"
    )


def test_the_last_line_of_the_user_comes_first_and_the_prose_after_it() -> None:
    turns = [
        ("user", "The importer drops rows.\nPlease look at the CSV reader."),
        ("assistant", "The reader skips lines with a quote.\n\n```python\nrow = next(rows)\n```"),
        ("user", "I see.\nThen keep those lines, please."),
        ("assistant", "Done, and the suite is green."),
    ]
    assert focus.of_turns(turns) == (
        "Then keep those lines, please.\n"
        "The importer drops rows.\n"
        "Please look at the CSV reader.\n"
        "The reader skips lines with a quote.\n"
        "I see.\n"
        "Done, and the suite is green."
    )


@pytest.mark.parametrize(
    "noise",
    [
        "<system-reminder>Plan mode is on.</system-reminder>",
        "<jmem-memory>\nthe port is 5433\n</jmem-memory>",
        "[Tool: Bash]",
        "[tool result] 14 passed in 3 s",
        "Tool output: 14 passed in 3 s",
        "tool_call(Read)",
        "⏺ Bash(make test)",
        "  ⎿  14 passed in 3 s",
        "│ src │ 12 │",
        "[Image #1]",
        "[Pasted text #2 +31 lines]",
        "Assistant:",
        "```sh\nmake test\n```",
        "~~~\nmake test\n~~~",
    ],
)
def test_noise_is_left_out(noise: str) -> None:
    wanted = "Does the nightly build of orchard sign its packages?"
    assert focus.of_prompt(f"Look at the release job.\n{noise}\n{wanted}") == (
        f"{wanted}\nLook at the release job."
    )


def test_the_words_beside_a_placeholder_and_a_speaker_stay() -> None:
    asked = "[Image #1] why is this button of the settings page grey?"
    assert focus.of_prompt(asked) == asked.removeprefix("[Image #1] ")
    assert focus.of_prompt("User: the settings page stays grey after login") == (
        "the settings page stays grey after login"
    )
    assert focus.of_prompt("look into [tools.md] and the notes on releases") == (
        "look into [tools.md] and the notes on releases"
    )


@pytest.mark.parametrize("asked", ["fix this:", "why does this fail?", "修复"])
def test_code_counts_where_the_prose_says_too_little(asked: str) -> None:
    found = focus.of_prompt(f"{asked}\n```\nE4021: lockfile of crates/x is stale\n```")
    assert found == f"{asked}\nE4021: lockfile of crates/x is stale"


def test_a_fence_is_closed_by_one_of_its_own_kind() -> None:
    text = "Explain the parser of the report module.\n````\n```\ninside\n```\n````\nBriefly please."
    assert focus.of_prompt(text) == "Briefly please.\nExplain the parser of the report module."


def test_a_long_turn_keeps_both_of_its_ends() -> None:
    log = "\n".join(f"line {number} of the log" for number in range(400))
    found = focus.of_prompt(f"Why does the worker restart?\n{log}\nIt began on Monday.")
    assert found.startswith("It began on Monday.\nWhy does the worker restart?\n")
    assert found.endswith("line 399 of the log\nIt began on Monday.")
    assert "line 200 of" not in found


def test_what_is_wanted_survives_a_cut_to_the_last_terms() -> None:
    """The agent may speak at length after the user; a query's terms are cut to the last 64."""
    turns = [
        ("user", "Now sign the release of orchard."),
        ("assistant", " ".join(f"step{number}" for number in range(160))),
    ]
    assert {"sign", "releas", "orchard"} <= set(query_terms(focus.of_turns(turns)))


def test_what_the_user_typed_is_told_from_what_the_client_adds() -> None:
    ide = "# Context from my IDE setup:\n- open: a.py\n\n## My request for Codex:\nRename the flag."
    assert focus.of_prompt(ide) == "Rename the flag."
    command = "<command-name>/fix</command-name>\n<command-args>the flaky login test</command-args>"
    assert focus.of_prompt(command) == "the flaky login test"


def test_noise_alone_is_taken_as_it_is() -> None:
    assert focus.of_prompt("[Tool: Bash]") == "[Tool: Bash]"
    assert focus.of_turns([("user", "[Tool: Bash]"), ("tool", "14 passed")]) == ""


def test_only_the_last_turns_count() -> None:
    turns = [("user", f"Question number {number} about the depot") for number in range(20)]
    found = focus.of_turns(turns, last=2).splitlines()
    assert found == ["Question number 19 about the depot", "Question number 18 about the depot"]


@given(st.lists(st.tuples(ROLES, TEXTS), max_size=20), st.integers(1, 500))
def test_the_query_is_bounded_and_holds_no_reminder(
    turns: list[tuple[str, str]], limit: int
) -> None:
    found = focus.of_turns(turns, limit=limit)
    assert len(found) <= limit
    assert "never say this" not in found


@given(TEXTS, st.integers(1, 300))
def test_a_prompt_with_words_always_gives_a_query(text: str, limit: int) -> None:
    found = focus.of_prompt(text, limit=limit)
    assert len(found) <= limit
    assert bool(found) or not text.strip()[-limit:].strip()
