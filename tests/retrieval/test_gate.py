"""The gate: usually nothing passes, and what passes shares telling words with the prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.retrieval import commonwords, gate
from jmem.retrieval.hit import ACCEPTED, REJECTED, SESSION, Document, Hit
from jmem.retrieval.searchtext import normal_form, prepared

STORE = (
    "Run the tests with `make test-fast`, never plain `go test ./...`.",
    "The staging database listens on port 5433.",
    "Deploys go through the Greenhouse runner, never from a laptop.",
    "`lib/slskd_transfers.py` reaps orphans on disk once a day.",
    "Answer in British English.",
    "提交之前先更新变更日志。",
    "When a review asks for a rename, rename the fixture files too.",
    "The changelog is written by `scripts/notes.py` from commit trailers.",
)
LOG = "\n".join(
    f"2026-07-04T10:00:{second:02} INFO worker-{second} port={5000 + second} staging request"
    f" took {second}ms path=/v1/items/{second * 7919} database=shard{second} retried"
    for second in range(40)
)


def hit(text: str, **fields: Any) -> Hit:
    closeness = fields.pop("closeness", None)
    return Hit(Document(key=text[:20], text=text, **fields), closeness=closeness)


def holding(texts: Sequence[str]) -> Callable[[Sequence[str]], tuple[int, dict[str, int]]]:
    """What a store of these texts holds of some terms."""
    held = Counter(term for text in texts for term in set(prepared(text).split()))
    return lambda terms: (len(texts), {term: held[term] for term in terms if term in held})


def passing(query: str, texts: Sequence[str] = STORE, **options: float) -> list[str]:
    judged = gate.local([hit(text) for text in texts], query, holding(texts), **options)
    assert {each.verdict for each in judged} <= {ACCEPTED, REJECTED}
    assert sorted(each.document.text for each in judged) == sorted(texts)
    assert all(each.reason for each in judged)
    return [each.document.text for each in judged if each.verdict == ACCEPTED]


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("how do I run the tests?", 0),
        ("which port does staging use for its database", 1),
        ("rename fixture", 6),
    ],
)
def test_a_short_request_gets_the_statement_that_says_all_of_it(query: str, answer: int) -> None:
    assert passing(query) == [STORE[answer]]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "continue",
        "yes do it",
        "ok, push",
        "commit this, push, open a draft PR",
        "fix the tests please",
        "why does this fail now?",
        "go on with the next one",
        "run it again",
        "继续",
        "好的，请修复这个错误",
        "what is the port of the printer in the kitchen?",
        "rename the variable",
        "https://example.org/items/7919",
        LOG,
        f"{LOG}\nwhat is wrong here?",
    ],
)
def test_most_prompts_need_no_memory(query: str) -> None:
    assert passing(query) == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("which port has the staging database?", 1),
        ("should I deploy with the Greenhouse runner or from my laptop?", 2),
        ("slskd_transfers.py leaves orphans on disk", 3),
        ("does slskdTransfers reap orphans?", 3),
        ("reply in British English", 4),
        ("提交之前要更新变更日志吗？", 5),
        ("where does scripts/notes.py get the changelog from?", 7),
    ],
)
def test_what_shares_telling_words_passes(query: str, expected: int) -> None:
    assert passing(query) == [STORE[expected]]
    assert passing(query, [STORE[expected]]) == [STORE[expected]], "also in a store of one"


def test_the_strongest_comes_first() -> None:
    texts = ["The heron pond freezes in winter.", "The heron pond freezes in winter, so drain it."]
    assert passing("heron pond freezes winter", texts[::-1]) == texts


def test_only_what_is_in_force_passes() -> None:
    query, text = "which port has the staging database?", STORE[1]
    old, new = hit(text, status="superseded"), hit(text)
    judged = gate.local([old, new], query, holding(STORE))
    assert judged == [new, old]
    assert (old.verdict, old.reason) == (REJECTED, "not in force: superseded")


def test_what_the_dense_leg_says_raises_or_lowers_the_strength() -> None:
    def times(closeness: float | None) -> float:
        found = hit(STORE[1], closeness=closeness)
        query = "which port does the printer of the staging database have?"
        return gate.weighed([found], query, holding(STORE))[id(found)]

    assert times(-0.7) == 0
    assert times(0.0) < times(0.3) < times(0.6)
    assert times(0.6) > 1 > times(0.0)
    assert times(None) > 1


def test_only_the_first_hits_are_weighed() -> None:
    far = [hit(f"Fern number {number}.") for number in range(gate.LOOKED_AT)]
    late = hit(STORE[1])
    judged = gate.local([*far, late], "which port has the staging database?", holding(STORE))
    assert late in judged
    assert (late.verdict, late.reason) == (REJECTED, "far behind the best")


def test_only_the_statement_counts_and_of_a_session_each_line() -> None:
    body = "Ferns grow slowly.\n\n" + STORE[1]
    memory, session = hit(body), hit(body, where=SESSION)
    gate.local([memory, session], "which port has the staging database?", holding(STORE))
    assert (memory.verdict, session.verdict) == (REJECTED, ACCEPTED)


def test_a_word_that_every_memory_holds_tells_little() -> None:
    plants = ["moss", "fern", "reed", "alga", "kelp", "oak", "elm", "ash"] * 10
    texts = [f"Acmecorp sells {plant}{number}." for number, plant in enumerate(plants)]
    assert passing("does Acmecorp sell them?", texts) == []
    assert passing("does Acmecorp sell them?", texts[:1]) == texts[:1]


def test_a_name_of_many_parts_is_hardly_shared_by_chance() -> None:
    def times(name: str) -> float:
        found = hit(f"`{name}` needs ferns.")
        return gate.weighed([found], f"{name} throws", holding(STORE))[id(found)]

    assert times("sower") == times("mossSower") < times("loadMossFromSower")
    assert times("loadMossReedSower") == times("loadMossReedSowerOfKelp")


def test_an_identifier_counts_once_however_it_is_written() -> None:
    def times(query: str) -> float:
        found = hit("Set `cache_dir` before the first run.")
        return gate.weighed([found], query, holding(STORE))[id(found)]

    assert times("where is cache_dir set?") == times("where is cacheDir set?")
    assert times("where is cache_dir set?") == times("where is cache-dir cache_dir set?")


WORDS = [
    *("heron", "pond", "moss", "fern", "reed", "run", "test", "fix", "the", "port", "database"),
    *("提交", "cache_dir", "lib/a.py", "42"),
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


@given(TEXTS, st.lists(TEXTS.filter(bool), max_size=5, unique=True), st.floats(0.1, 3))
def test_more_caution_lets_less_pass(query: str, texts: list[str], caution: float) -> None:
    assert set(passing(query, texts, caution=caution * 1.5)) <= set(
        passing(query, texts, caution=caution)
    )


@given(TEXTS, TEXTS.filter(bool), st.integers(1, 30))
def test_words_of_something_else_never_make_a_hit_stronger(
    query: str, text: str, count: int
) -> None:
    def times(asked: str) -> float:
        found = hit(text)
        return gate.weighed([found], asked, holding(STORE))[id(found)]

    others = " ".join(f"zebra{'abcdefghijklmnopqrstuvwxyzäöüß'[n]}" for n in range(count))
    assert times(f"{others} {query}") <= times(query) + 1e-9


@given(st.text(max_size=300), st.text(min_size=1, max_size=300))
def test_any_text_can_be_weighed(query: str, text: str) -> None:
    found = hit(text)
    judged = gate.local([found], query, holding([text]))
    assert judged == [found]


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (commonwords.FILLER_SHARE, ["exactly", "things", "Looking", "probably", "继"]),
        (commonwords.EVERYDAY_SHARE, ["tests", "Testing", "committed", "functions", "README"]),
        (commonwords.NUMBER_SHARE, ["42", "100"]),
        (0.0, ["heron", "cacheDir", "5433", "E0502"]),
    ],
)
def test_usual_words_are_known_in_each_of_their_forms(share: float, words: list[str]) -> None:
    assert {commonwords.usual_share(normal_form(word)) for word in words} == {share}
