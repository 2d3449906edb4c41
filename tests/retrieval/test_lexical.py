"""Words of every script become terms, and an index finds the texts that hold them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.retrieval.lexical import LexicalIndex
from jmem.retrieval.stems import stem
from jmem.retrieval.tokens import terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Deploys, deployed and deploying", {"deploy"}),
        ("src/parser/lex.py", {"src/parser/lex.py", "src", "parser", "lex", "py"}),
        ("run_fast_tests", {"run_fast_tests", "run", "fast", "test"}),
        ("HTTPServerError", {"httpservererror", "http", "server", "error"}),
        ("--no-cache", {"--no-cache", "cach"}),
        ("v2.10.3", {"v2.10.3", "v", "2", "10", "3"}),
        ("安装依赖", {"安", "装", "依", "赖", "安装", "装依", "依赖"}),
        ("用pnpm安装", {"pnpm", "安", "装", "安装"}),
        ("Größe der Straße", {"größe", "der", "straße"}),
        ("база данных", {"база", "данных"}),
        ("the of and 的 了", set()),
        ("", set()),
    ],
)
def test_text_becomes_terms(text: str, expected: set[str]) -> None:
    assert set(terms(text)) == expected


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("tests", "testing"), ("configure", "configures"), ("migrate", "migration"),
        ("policy", "policies"), ("running", "runs"), ("caches", "cache"), ("build", "builds"),
    ],
)  # fmt: skip
def test_forms_of_a_word_share_a_stem(left: str, right: str) -> None:
    assert stem(left) == stem(right)


@pytest.mark.parametrize(
    ("left", "right"), [("class", "clash"), ("server", "serve"), ("bus", "but")]
)
def test_different_words_keep_different_stems(left: str, right: str) -> None:
    assert stem(left) != stem(right)


def filled() -> LexicalIndex:
    index = LexicalIndex()
    index.add("a", "The staging database listens on port 5433")
    index.add("b", "Run the linter before every commit")
    index.add("c", "部署之前先备份数据库")
    return index


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("which port has the staging db database", "a"),
        ("committing without linter", "b"),
        ("数据库备份", "c"),
        ("5433", "a"),
    ],
)
def test_the_text_that_shares_the_telling_words_comes_first(query: str, best: str) -> None:
    assert filled().candidates(query, 3)[0][0] == best


def test_a_query_of_unknown_words_finds_nothing() -> None:
    assert filled().candidates("zebra quagga", 3) == []


def test_what_is_removed_is_not_found_and_removing_it_again_is_no_error() -> None:
    index = filled()
    index.remove("a")
    index.remove("a")
    assert "a" not in index
    assert index.candidates("staging port 5433", 3) == []


def test_adding_under_a_known_id_replaces_its_text() -> None:
    index = filled()
    index.add("a", "Nothing of the kind")
    assert index.candidates("staging 5433", 3) == []
    assert len(index) == 3


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    index = LexicalIndex()
    for number in range(20):
        index.add(f"m{number}", f"service number {number} runs")
    index.add("rare", "quorum runs")
    assert index.idf("quorum") > index.idf("servic")


def test_coverage_is_the_held_share_of_a_texts_weight() -> None:
    index = filled()
    assert index.coverage("staging database port", "a") == pytest.approx(1.0)
    assert index.coverage("zebra", "a") == 0.0
    assert 0.0 < index.coverage("staging zebra", "a") < 1.0


def test_a_word_that_stands_everywhere_does_not_slow_a_query_down() -> None:
    index = LexicalIndex()
    for number in range(6000):
        index.add(f"m{number}", f"common word{number}")
    assert index.candidates("common word17", 1)[0][0] == "m17"


@given(st.lists(st.text(max_size=60), max_size=8), st.text(max_size=60))
def test_adding_and_removing_leaves_no_trace(texts: list[str], query: str) -> None:
    index = filled()
    before = index.candidates(query, 9)
    for number, text in enumerate(texts):
        index.add(f"t{number}", text)
    for number in range(len(texts)):
        index.remove(f"t{number}")
    assert index.candidates(query, 9) == before
    assert len(index) == 3


@given(st.text(max_size=300))
def test_any_text_has_terms_and_none_is_empty_or_endless(text: str) -> None:
    assert all(0 < len(term) <= 64 for term in terms(text))
