"""``memory_summary.md``: within its budget, and a person's words in it are that person's."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.formats import summaryfile, views
from jmem.model import Memory

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
PART = "## What is known (as of 2026-07-04)\n\n- Run the tests.\n"
MEMORIES = st.lists(st.from_type(Memory), max_size=5, unique_by=lambda memory: memory.id)


def part_of(memories: list[Memory]) -> str:
    return summaryfile.render(memories, views.render(memories, NOW)["MEMORY.md"], NOW)


def fact(number: int, text: str, topic: str = "general") -> Memory:
    return Memory(id=f"m{number:07}", text=text, topic=topic, created=NOW, updated=NOW)


@given(MEMORIES)
def test_the_profile_has_at_most_350_words(memories: list[Memory]) -> None:
    profile = part_of(memories).partition("\n## Where to look")[0]
    lines = [line for line in profile.split("\n") if line.startswith("- ")]
    assert summaryfile.count_words("\n".join(lines)) <= 350


@pytest.mark.parametrize("words", ["seven words stand in each of these", "先运行全部测试再推送"])
def test_a_long_memory_fills_the_profile_and_no_more(words: str) -> None:
    profile = part_of([fact(number, f"{words} {number}") for number in range(200)])
    count = summaryfile.count_words(profile.partition("\n## Where to look")[0])
    assert 300 < count <= 350 + 10


def test_the_routes_lead_to_what_exists() -> None:
    memories = [
        fact(number, "a fact " * 30 + str(number), f"topic {number % 9}") for number in range(400)
    ]
    rendered = views.render(memories, NOW)
    routes = [line for line in summaryfile.render(memories, rendered["MEMORY.md"], NOW).split("\n")
              if line.startswith("- for topic")]  # fmt: skip
    assert len(routes) == 9
    for line in routes:
        topic = line.removeprefix("- for ").partition(" (")[0]
        path = views.topic_path(topic)
        assert (path in line) == (path in rendered)
        assert ("MEMORY.md" in line) == (f"\n## {topic}\n" in rendered["MEMORY.md"])


def test_a_new_file_begins_with_the_version() -> None:
    merged = summaryfile.merge(PART, None)
    assert merged.text.split("\n")[0] == "v1"
    assert not merged.owned_by_person
    assert summaryfile.body(merged.text) == PART.strip()


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_stands_around_the_part_is_kept(before: str, after: str) -> None:
    before, after = (text.replace("jmem:", "").replace("\r", "") for text in (before, after))
    first = summaryfile.merge(PART, None).text.removeprefix("v1\n")
    existing = f"v1\n{before}\n{first.strip()}\n{after}"
    merged = summaryfile.merge("- Something else.\n", existing)
    assert not merged.owned_by_person
    assert merged.text.startswith(f"v1\n{before}\n")
    assert merged.text.endswith(f"-->\n{after}")
    assert "- Something else." in merged.text
    assert "- Run the tests." not in merged.text


@given(MEMORIES)
def test_merging_the_same_part_again_changes_nothing(memories: list[Memory]) -> None:
    part = part_of(memories)
    once = summaryfile.merge(part, None)
    assert summaryfile.merge(part, once.text) == once


@pytest.mark.parametrize(
    "existing",
    [
        "My own summary.\n",
        summaryfile.merge(PART, None).text.replace("Run the tests", "Run all tests"),
        summaryfile.merge(PART, None).text.replace("<!-- jmem:end -->", ""),
    ],
    ids=["without markers", "edited inside", "without its end"],
)
def test_a_text_that_jmem_did_not_write_belongs_to_the_person(existing: str) -> None:
    merged = summaryfile.merge("- New.\n", existing)
    assert merged.owned_by_person
    assert merged.text == existing


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("Don't re-run it.", 3), ("先 run 测试", 4), ("a_b 42", 3)]
)
def test_words_are_counted_in_every_script(text: str, count: int) -> None:
    assert summaryfile.count_words(text) == count
