"""The views: pure functions of the memories, within their size, with nothing left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.formats import views
from jmem.model import Memory, Status, Trust

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
INDEX = "MEMORY.md"
MEMORIES = st.lists(st.from_type(Memory), max_size=5, unique_by=lambda memory: memory.id)


def many(count: int, words: str, topics: int = 1) -> list[Memory]:
    """Memories with one statement each; number and topic tell them apart."""
    return [
        Memory(
            id=f"m{number:07}",
            text=f"{words} {number}",
            topic=f"topic {number % topics}",
            created=NOW,
            updated=NOW - timedelta(minutes=number),
        )
        for number in range(count)
    ]


def ids(texts: Iterable[str]) -> list[str]:
    return sorted(entry.line.id for text in texts for entry in views.parse(text))


@given(MEMORIES)
def test_views_show_just_what_is_in_force(memories: list[Memory]) -> None:
    rendered = views.render(memories, NOW)
    assert views.agree(rendered, memories)
    assert ids(rendered.values()) == sorted(memory.id for memory in memories if memory.active)
    for memory in memories:
        gone = replace(memory, status=Status.FORGOTTEN)
        others = [gone if other is memory else other for other in memories]
        assert views.agree(rendered, others) is not memory.active


@given(MEMORIES)
def test_views_do_not_depend_on_the_order_of_the_memories(memories: list[Memory]) -> None:
    assert views.render(memories, NOW) == views.render(reversed(memories), NOW)


SIZES = [
    (0, "x", 1),
    (190, "one short fact", 1),
    (700, "one short fact", 1),
    (700, "one short fact", 350),
    (400, "a long fact " * 40, 5),
    (300, "提交前先运行全部测试再推送分支" * 10, 60),
]


@pytest.mark.parametrize(("count", "words", "topics"), SIZES)
def test_the_index_keeps_its_size_and_every_memory_one_place(
    count: int, words: str, topics: int
) -> None:
    memories = many(count, words, topics)
    rendered = views.render(memories, NOW)
    index = rendered[INDEX]
    assert index.count("\n") <= 200
    assert len(index.encode()) <= 25_000
    assert ids(rendered.values()) == [memory.id for memory in memories]
    assert views.agree(rendered, memories)
    outside = count - len(ids([index]))
    assert (outside > 0) == (len(rendered) > 1)
    for path in rendered.keys() - {INDEX}:
        assert path in index or "more in topics/: " in index


GROUPS = st.tuples(
    st.integers(1, 120),
    st.sampled_from(["x", "one fact " * 30, "提" * 90]),
    st.sampled_from(["a", "A", "a!", "b " * 24 + "b", "提交" * 15]),
)


@given(st.lists(GROUPS, min_size=1, max_size=6))
def test_the_index_keeps_its_size_for_any_mixture(groups: list[tuple[int, str, str]]) -> None:
    rows = [(text, topic) for count, text, topic in groups for _ in range(count)]
    memories = [
        Memory(id=f"m{number:07}", text=text, topic=topic, created=NOW, updated=NOW)
        for number, (text, topic) in enumerate(rows)
    ]
    rendered = views.render(memories, NOW)
    assert rendered[INDEX].count("\n") <= 200
    assert len(rendered[INDEX].encode()) <= 25_000
    assert views.agree(rendered, memories)


def test_the_best_come_first() -> None:
    weak = Memory(id="a0000001", text="weak", trust=Trust.LOW, created=NOW, updated=NOW)
    plain = replace(weak, id="a0000002", text="plain", trust=Trust.MEDIUM)
    often = replace(plain, id="a0000003", text="often", strength=8)
    said = replace(plain, id="a0000004", text="said", trust=Trust.HIGH, kind="preference")
    stale = replace(plain, id="a0000005", text="stale", updated=NOW - timedelta(days=400))
    order = [memory.text for memory in views.rank([stale, weak, plain, often, said], NOW)]
    assert order == ["said", "often", "plain", "stale", "weak"]


def test_the_date_in_a_view_is_the_one_it_was_asked_for() -> None:
    assert "as of 2026-07-04" in views.render([], NOW)[INDEX]


def test_a_line_of_any_form_is_an_entry_and_furniture_is_none() -> None:
    text = (
        "# Memory\n\n<!-- one\nstill one -->\n\n## testing\n- known ^m7k2q9xa\nplain words\n"
        "> 3 more in topics/testing.md\n---\n### deploys\n1. numbered\n<!-- x --> \n"
    )
    found = [(e.topic, e.line.statement, e.line.id) for e in views.parse(text)]
    assert found == [
        ("testing", "known", "m7k2q9xa"),
        ("testing", "plain words", ""),
        ("deploys", "1. numbered", ""),
    ]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("", False),
        ("\n \n", False),
        ("<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> other\n", False),
        ("- a\n=======\n", True),
        (">>>>>>> other\n", False),
        ("- a <<<<<<< b\n", True),
        ("- a\n====\n", True),
    ],
)
def test_a_view_with_nothing_or_a_conflict_in_it_says_nothing(text: str, verdict: bool) -> None:
    assert views.readable(text) is verdict


def test_views_disagree_where_a_line_was_changed_or_the_index_is_gone() -> None:
    memories = many(3, "one fact")
    rendered = views.render(memories, NOW)
    assert not views.agree({INDEX: rendered[INDEX].replace("fact 1", "fact one")}, memories)
    assert not views.agree({}, [])
    assert not views.agree({INDEX: rendered[INDEX].replace("topic 0", "topic 1")}, memories)


def test_topics_that_differ_in_punctuation_share_a_file() -> None:
    assert views.topic_path("CI / CD") == views.topic_path("ci-cd") == "topics/ci-cd.md"
    assert views.topic_path("!?") == "topics/general.md"
