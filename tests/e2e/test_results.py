"""The table of the end-to-end suite tells what held and what did not."""

from __future__ import annotations

import pytest
from results import BEGIN, END, Row, Step, placed, table

GOOD = Row("Codex", "1.2", [Step("note", 1.4), Step("recalled", 2.0)])
BAD = Row("Gemini CLI", "3.4", [Step("note", 1.0, missed="the file is not there")])


def test_a_step_that_did_not_hold_is_told_with_its_reason() -> None:
    assert table([GOOD, BAD]) == (
        "| client | version | note | recalled | seconds |\n"
        "| --- | --- | :-: | :-: | --: |\n"
        "| Codex | 1.2 | yes | yes | 3 |\n"
        "| Gemini CLI | 3.4 | **no** |  | 1 |\n"
        "\n"
        "- Gemini CLI, note: the file is not there\n"
    )
    assert GOOD.held
    assert not BAD.held


def test_where_all_held_there_is_only_the_table() -> None:
    assert table([GOOD]).endswith("| 3 |\n")


def test_the_results_stand_between_their_marks_and_nothing_else_changes() -> None:
    document = f"# Agents\n\n{BEGIN}old\n{END}\nMore.\n"
    assert placed("new\n", document) == f"# Agents\n\n{BEGIN}new\n{END}\nMore.\n"
    with pytest.raises(ValueError, match="no place"):
        placed("new\n", "# Agents\n")
