"""A line of a commit message says what was decided, and can be read again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import telling
from jmem.model import Decision, How, Op, Verdict
from jmem.telling import Decided

IDS = st.sampled_from(["m7k2q9xa", "b4c5d6e7", "supersed", "z0000000"])
PROSE = st.text(
    st.characters(codec="utf-8", exclude_characters="()\n\r", exclude_categories=["C", "Z"]),
    min_size=1,
    max_size=20,
)
SAID = st.lists(st.one_of(PROSE, PROSE.map("({})".format)), min_size=1, max_size=4).map(" ".join)
REFS = st.sampled_from(["note:m7k2q9xa", "session:claude-code:5f0c-2a#2", "hand:b4c5d6e7"])


@given(st.sampled_from(Op), st.sampled_from(How), IDS, IDS, SAID, SAID, REFS)
def test_what_was_told_is_read_again(
    op: Op, how: How, target: str, made: str, statement: str, reason: str, ref: str
) -> None:
    changes = op in (Op.UPDATE, Op.DELETE)
    verdict = Verdict(
        ref=ref,
        op=op,
        how=how if op is Op.UPDATE else None,
        target=target if changes else "",
        reason=reason,
    )
    line = telling.told(Decision(verdict=verdict, subject=made, statement=statement))
    assert telling.read(line) == Decided(
        op=op.value,
        how=how.value if op is Op.UPDATE else "",
        target=target if changes else "",
        new="" if changes and made == target else made,
        statement=statement,
        reason=reason,
        input=ref,
    )


@pytest.mark.parametrize(
    ("line", "words", "target", "new"),
    [
        ("UPDATE merge m7k2q9xa into b4c5d6e7: Use it (on request; by user)", "merged",
         "m7k2q9xa", "b4c5d6e7"),
        ("DELETE note m7k2q9xa: Use it (on request; by agent)", "forgotten", "m7k2q9xa", ""),
        ("UPDATE undo m7k2q9xa: Distil 1 note: 1 added (1 memory taken out; by user)", "undone",
         "m7k2q9xa", ""),
        ("BY HAND a person forgot m7k2q9xa: Use it: always", "forgotten by hand", "m7k2q9xa", ""),
        ("BY HAND a person changed the file of m7k2q9xa", "file changed by hand", "m7k2q9xa", ""),
        ("SPREAD m7k2q9xa takes the place of b4c5d6e7 too: it says so", "followed", "b4c5d6e7",
         "m7k2q9xa"),
        ("SPREAD b4c5d6e7 is forgotten too: it says what m7k2q9xa said", "followed", "b4c5d6e7",
         ""),
        ("CONTRADICT m7k2q9xa and b4c5d6e7 both stand: 1 or 2", "contradiction", "m7k2q9xa",
         "b4c5d6e7"),
        ("EXPIRE m7k2q9xa: unused for 45 days", "expired", "m7k2q9xa", ""),
        ("DROP session_summaries/20260704-a-b.md: unused", "summary dropped",
         "session_summaries/20260704-a-b.md", ""),
    ],
)  # fmt: skip
def test_the_other_lines_are_read_too(line: str, words: str, target: str, new: str) -> None:
    found = telling.read(line)
    assert (telling.in_words(found), found.target, found.new) == (words, target, new)


@given(st.text(max_size=60))
def test_any_line_is_read_and_none_of_it_lost_that_has_no_form(line: str) -> None:
    found = telling.read(line)
    assert found.op or found.statement == line
