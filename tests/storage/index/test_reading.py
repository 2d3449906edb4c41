"""What the index answers: the best first, only what was asked for, and how sure the words are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from jmem.model import Status
from jmem.retrieval.hit import MEMORY, NOTE
from jmem.storage.index import database, sync, vectors
from jmem.storage.index.filters import Filters

if TYPE_CHECKING:
    from tests.storage.index.conftest import Place

THEN = datetime(2026, 7, 4, 10, tzinfo=UTC)


@pytest.fixture
def team(place: Place) -> Place:
    place.memory("pitfall1", "The cache must be cleared before a release.", kind="pitfall")
    place.memory("release1", "Releases are frozen on Fridays.", tags=("ci", "release"))
    place.memory("chinese1", "提交前先运行测试。", topic="测试")
    place.memory("ident001", "memory_rerank_cadence lives in crates/x/src/y.rs.")
    place.memory("olddead1", "Releases were frozen on Mondays.", status=Status.SUPERSEDED)
    older = THEN - timedelta(days=90)
    place.memory("ancient1", "The release manager is Ida.", created=older, updated=older)
    place.note("20260704-note", "Deploys need two approvals and a release manager.")
    return place


def test_the_document_that_holds_more_of_the_query_comes_first(team: Place) -> None:
    hits = team.hits("who is the release manager")
    assert hits[0].document.key == "ancient1" or hits[0].document.where == NOTE
    assert [hit.lexical_rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.coverage for hit in hits] == sorted((h.coverage for h in hits), reverse=True)
    assert all(0 < hit.coverage <= 1 for hit in hits)


def test_coverage_is_whole_for_all_of_the_words_and_low_where_most_are_strange(team: Place) -> None:
    whole = team.hits("frozen releases Fridays")[0]
    part = team.hits("frozen yoghurt recipes without refined sugar")[0]
    assert whole.coverage == pytest.approx(1.0)
    assert part.coverage < 0.4
    assert team.hits("what is this") == []
    assert team.hits("quantum chromodynamics") == []


def test_one_note_is_enough_for_an_answer(place: Place) -> None:
    """With few documents FTS5's own idf is zero or below; ours must not be."""
    place.note("only", "Deploys need two approvals.")
    (hit,) = place.hits("how many approvals do deploys need")
    assert hit.coverage > 0.5


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("运行测试", "chinese1"),
        ("memory_rerank_cadence", "ident001"),
        ("memoryRerankCadence", "ident001"),
        ("rerank", "ident001"),
        ("crates/x/src/y.rs", "ident001"),
        ("y.rs", "ident001"),
        ("pitfall cache", "pitfall1"),
        ("clearing caches", "pitfall1"),
    ],
)
def test_scripts_identifiers_kinds_and_other_forms_of_a_word(
    team: Place, query: str, key: str
) -> None:
    assert team.keys(query)[0] == key


FILTERS = [
    (Filters(), {"release1", "pitfall1", "ancient1", "note"}),
    (Filters(where=(MEMORY,)), {"release1", "pitfall1", "ancient1"}),
    (Filters(where=(NOTE,)), {"note"}),
    (Filters(kind="pitfall"), {"pitfall1"}),
    (Filters(tag="ci"), {"release1"}),
    (Filters(tag="c"), set()),
    (Filters(where=(MEMORY,), since="2026-07-01"), {"release1", "pitfall1"}),
    (Filters(statuses=("superseded",)), {"olddead1"}),
    (Filters(where=(MEMORY,), statuses=()), {"release1", "pitfall1", "ancient1", "olddead1"}),
]


@pytest.mark.parametrize(("filters", "wanted"), FILTERS)
def test_only_what_was_asked_for(team: Place, filters: Filters, wanted: set[str]) -> None:
    hits = team.hits("release", filters)
    assert {hit.document.key if hit.document.where != NOTE else "note" for hit in hits} == wanted
    assert len(team.reader().recent(limit=50, filters=filters)) >= len(wanted)


def test_documents_by_key_recent_ones_and_what_they_carry(team: Place) -> None:
    sync.sync(team.scope)
    reader = team.reader()
    found = reader.documents(["release1", "olddead1", "nobody00"])
    assert set(found) == {"release1", "olddead1"}
    document = found["release1"]
    assert (document.tags, document.day, document.scope) == (
        ("ci", "release"),
        "2026-07-04",
        "api-1a2b3c4d",
    )
    assert not found["olddead1"].active
    assert reader.recent(limit=50)[-1].key == "ancient1"
    assert reader.count() == 6


def test_a_rare_word_weighs_more_and_an_unknown_one_most(team: Place) -> None:
    sync.sync(team.scope)
    rarity = team.reader().rarity(["release", "Fridays", "zebra", "the"])
    assert 0 == rarity["the"] < rarity["release"] < rarity["Fridays"] < rarity["zebra"]


def test_common_words_choose_no_pool_where_rare_ones_do(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They still count when the pool is ordered."""
    monkeypatch.setattr("jmem.storage.index.reading._POSTINGS", 3)
    for number in range(8):
        place.note(f"n{number}", f"The server of team {number} listens.")
    place.note("rare", "The zebra server sleeps.")
    place.note("rarer", "A zebra grazes.")
    hits = place.hits("zebra server")
    assert [hit.document.text for hit in hits] == ["The zebra server sleeps.", "A zebra grazes."]
    assert hits[0].coverage == pytest.approx(1.0)


def test_vectors_are_kept_by_content_and_model(team: Place) -> None:
    sync.sync(team.scope)
    db = database.open_for_writing(str(team.index), 1.0)
    waiting = vectors.missing(db, "m1")
    assert len(waiting) == 6, "what is out of force needs no vector"
    texts = dict(waiting)
    assert any(
        text.startswith("Releases are frozen on Fridays. · ci · release") for text in texts.values()
    )
    rows = [(name, index.to_bytes(2, "big")) for index, name in enumerate(texts)]
    before = team.reader().generation
    assert vectors.store(db, "m1", [*rows, ("gone", b"xx")]) == 6
    vectors.store(db, "m2", rows[:2])
    assert vectors.missing(db, "m1") == []
    assert team.reader().generation > before
    assert len(team.reader().vectors("m1")) == 6
    assert len(team.reader().vectors("m1", filters=Filters(tag="ci"))) == 1
    (team.root / "memories" / "release1.md").unlink()
    team.memory(
        "pitfall1", "The cache must be cleared before a release.", kind="pitfall", strength=4
    )
    sync.sync(team.scope)
    assert len(vectors.missing(db, "m1")) == 0, "the same text was embedded again"
    assert db.execute("SELECT count(*) FROM vectors WHERE model = 'm1'").fetchone() == (5,)
    assert vectors.sweep(db, "m1") >= 1
    assert db.execute("SELECT DISTINCT model FROM vectors").fetchall() == [("m1",)]
    db.close()


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("release manager", {"ancient1", "note"}),
        ("manager, releases: the", {"ancient1", "note"}),
        ("release manager Osaka", set()),
        ("approvals deploy", {"note"}),
        ("rerank y.rs", {"ident001"}),
        ("测试运行", {"chinese1"}),
        ("测试 提交", {"chinese1"}),
        ("提交运行", {"chinese1"}),
        ("提试", set()),
        ("the", set()),
        ('" OR *', set()),
    ],
)
def test_every_word_has_to_be_there_in_any_order(team: Place, words: str, keys: set[str]) -> None:
    team.hits("")  # brings the index up to date
    reader = team.reader()
    hits = reader.every_word(words, limit=50)
    reader.close()
    assert {"note" if hit.document.where == NOTE else hit.document.key for hit in hits} == keys


def test_what_is_not_in_force_is_looked_up_only_when_asked_for(team: Place) -> None:
    team.hits("")
    reader = team.reader()
    everything = Filters(statuses=())
    assert not reader.every_word("frozen mondays", limit=5)
    (hit,) = reader.every_word("mondays frozen", limit=5, filters=everything)
    reader.close()
    assert hit.document.key == "olddead1"
