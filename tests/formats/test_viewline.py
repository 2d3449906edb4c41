"""One line of a view. The law: what a rendered line shows is what parsing it gives."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jmem.formats import viewline
from jmem.formats.viewline import ViewLine
from jmem.model import Memory

TAILS = st.sampled_from(
    ["#ci", "\\#ci", "\\\\#ci", "(user, 2026-07-04)", "\\(agent, 2026-07-04, x3)", "^m7k2q9xa",
     "\\^m7k2q9xa", "a", "\\", "…", "#", "^", "(user)"]
)  # fmt: skip


@given(...)
def test_a_memory_line_is_read_back(memory: Memory) -> None:
    shown = viewline.shown(memory)
    text = viewline.render(shown)
    assert "\n" not in text
    assert viewline.parse(text) == shown
    assert viewline.render(viewline.parse(text)) == text


@given(st.lists(TAILS, min_size=1, max_size=6).map(" ".join), st.booleans())
@example("", True)
def test_a_statement_that_reads_like_a_tail_stays_a_statement(text: str, full: bool) -> None:
    tail = {"tags": ("ci",), "source": "user", "date": "2026-07-04", "id": "k1234567"}
    line = ViewLine(statement=text, **(tail if full else {}))
    assert viewline.parse(viewline.render(line)) == line


@given(st.text(max_size=120))
def test_any_line_can_be_parsed_and_settles(text: str) -> None:
    once = viewline.parse(text.replace("\n", " "))
    again = viewline.parse(viewline.render(once))
    assert viewline.parse(viewline.render(again)) == again


@given(...)
def test_a_line_shows_a_statement_whole_up_to_200_bytes(memory: Memory) -> None:
    shown = viewline.shown(memory)
    if len(memory.statement.encode()) <= 200:
        assert shown.statement == memory.statement
    else:
        assert shown.cut
        assert len(shown.statement.encode()) <= 200
        assert memory.statement.startswith(shown.statement.removesuffix("…"))


def test_the_example_of_the_format() -> None:
    text = (
        "- Run the tests with `make test-fast`, never plain `go test ./...` #ci "
        "(user, 2026-07-04, x3) ^m7k2q9xa"
    )
    line = viewline.parse(text)
    assert line == ViewLine(
        statement="Run the tests with `make test-fast`, never plain `go test ./...`",
        tags=("ci",),
        source="user",
        date="2026-07-04",
        strength=3,
        id="m7k2q9xa",
    )
    assert viewline.render(line) == text


@pytest.mark.parametrize(
    ("written", "statement", "tags", "identity"),
    [
        ("Use port 5433", "Use port 5433", (), ""),
        ("* Use port 5433 #db", "Use port 5433", ("db",), ""),
        ("  + Use port 5433   #db   ^m7k2q9xa  ", "Use port 5433", ("db",), "m7k2q9xa"),
        ("- fixes #123 in the parser", "fixes #123 in the parser", (), ""),
        ("- uses C#", "uses C#", (), ""),
        ("- ^m7k2q9xa", "", (), "m7k2q9xa"),
        ("- x ^M7K2Q9XA", "x ^M7K2Q9XA", (), ""),
        ("- 提交前运行测试 #测试 ^m7k2q9xa", "提交前运行测试", ("测试",), "m7k2q9xa"),
    ],
)
def test_a_line_as_people_write_it(
    written: str, statement: str, tags: tuple[str, ...], identity: str
) -> None:
    line = viewline.parse(written)
    assert (line.statement, line.tags, line.id) == (statement, tags, identity)
