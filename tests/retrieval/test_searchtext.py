"""Text as search tokens: the same thing asked for in another form is found."""

from __future__ import annotations

import re
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.retrieval import searchtext
from jmem.retrieval.hit import Document
from jmem.retrieval.porter import stem
from jmem.retrieval.searchtext import match_expression, normal_form, prepared, query_terms

SUFFIXES = """
    s es ies sses ed eed ing at bl iz y ational tional enci izer logi bli alli entli eli ousli
    ization ation ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti
    ical ful ness al ance ement ment ent sion tion ou ism ate e ll
    """.split()  # noqa: SIM905 - a table of words reads better as text
STEMS = st.text("abcdeiouylmnrstwxz", max_size=5)
INVENTED = st.builds(
    lambda a, b, c: a + b + c, STEMS, st.sampled_from(SUFFIXES), st.sampled_from(["", *SUFFIXES])
)


@given(st.lists(INVENTED, min_size=20, max_size=60))
def test_stems_are_those_of_fts5(words: list[str]) -> None:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter ascii')")
    db.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)")
    db.executemany("INSERT INTO t(rowid, x) VALUES(?, ?)", enumerate(words))
    found = {words[number]: term for term, number in db.execute("SELECT term, doc FROM v")}
    assert {word: stem(word) for word in found} == found


FOUND_BY = [
    ("memory_rerank_cadence", "memory_rerank_cadence"),
    ("memory_rerank_cadence", "memoryRerankCadence"),
    ("memory_rerank_cadence", "memory-rerank-cadence"),
    ("memory_rerank_cadence", "the cadence of the rerank"),
    ("see crates/x/src/y.rs", "crates/x/src/y.rs"),
    ("see crates/x/src/y.rs", "y.rs"),
    ("see crates/memory_core/src/y.rs", "memory_core"),
    ("error[E0502]: cannot borrow", "E0502"),
    ("error[E0502]: cannot borrow", "e0502"),
    ("`MAX_INDEX_BYTES` is 25_000", "max_index_bytes"),
    ("jmem.storage.index", "the index of the storage"),
    ("foo::bar::Baz", "bar"),
    ("run with --no-verify", "--no-verify"),
    ("send an e-mail", "email"),
    ("GitHub Actions", "github"),
    ("the café is closed", "cafe"),
    ("die Straße", "STRASSE"),
    ("python3.11 on x86_64", "python3.11"),
    ("deploys are frozen", "deploying"),
    ("提交前先运行测试", "运行测试"),
    ("提交前先运行测试", "测试"),
    ("エラーが発生した", "エラー"),
    ("テストを실행하다", "실행"),
    ("released on 2026-07-04", "2026-07-04"),
    ("हिन्दी में लिखें", "हिन्दी"),
]


@pytest.mark.parametrize(("written", "asked"), FOUND_BY)
def test_what_is_written_is_found_by_what_is_asked(written: str, asked: str) -> None:
    wanted = set(query_terms(asked))
    held = set(prepared(written).split())
    assert wanted & held
    whole = normal_form(asked)
    assert whole in held or " " in asked


APART = [("1.2.3", "12.3"), ("version 1.2", "12"), ("a_b", "c_d"), ("运行", "行运")]


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_differs_has_another_normal_form(one: str, other: str) -> None:
    assert normal_form(one.rsplit(maxsplit=1)[-1]) != normal_form(other)


def test_stop_words_are_nobodys_question() -> None:
    assert query_terms("What is the thing that doesn't work when we don't use it?") == [
        "thing",
        "work",
        "us",
    ]
    assert prepared("it is what it is") == ""
    assert normal_form("the") == ""


def test_the_end_of_a_long_query_is_kept() -> None:
    words = [f"w{'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}q" for n in range(100)]
    terms = query_terms(" ".join([*words, words[0]]), limit=64)
    assert len(terms) == 64
    assert terms == [*words[37:], words[0]]


def test_a_long_hash_is_one_token() -> None:
    assert prepared("9f86d081884c7d659a2feaa0c55ad015") == "9f86d081884c7d659a2feaa0c55ad015"


def test_a_month_can_be_asked_for_by_its_name() -> None:
    document = Document(key="a", text="A fact.", updated="2026-07-04", scope="api-1a2b3c4d")
    tokens = searchtext.prepared(searchtext.of_document(document)).split()
    assert {"juli", "2026_07_04", "api", "fact"} <= set(tokens)
    assert "1a2b3c4d" not in tokens
    assert searchtext.day_words("never") == "never"


def test_what_is_embedded_says_where_and_not_when() -> None:
    document = Document(
        key="a",
        text="Use make.\n\nIt caches.",
        topic="build",
        tags=("ci", "dev"),
        updated="2026-07-04",
        scope="api-1a2b3c4d",
    )
    assert searchtext.to_embed(document) == "Use make. · ci · dev · build · api: It caches."


@given(st.text(max_size=80))
def test_tokens_are_what_fts5_takes_as_they_are(text: str) -> None:
    tokens = prepared(text).split(" ") if prepared(text) else []
    assert all(re.fullmatch(r"(?:[a-z0-9_]|[^\x00-\x7f])+", token) for token in tokens)
    assert set(query_terms(text)) <= set(tokens)
    db = sqlite3.connect(":memory:")
    db.execute("""CREATE VIRTUAL TABLE t USING fts5(x, tokenize="ascii tokenchars '_'")""")
    db.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, row)")
    stored = " ".join(tokens).encode("utf-8", "replace").decode()
    db.execute("INSERT INTO t VALUES(?)", (stored,))
    assert {term for (term,) in db.execute("SELECT term FROM v")} == set(stored.split())
    expression = match_expression(stored.split()[:5])
    if expression:
        query = "SELECT count(*) FROM t WHERE t MATCH ?"
        assert db.execute(query, (expression,)).fetchone() == (1,)


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_plain_text_is_parted_as_any_other(text: str) -> None:
    assert searchtext._ASCII_CHUNK().findall(text) == searchtext._CHUNK().findall(text)
