"""The file of all vectors is believed only while it says what the index says."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jmem.retrieval.nearest import Vectors
from jmem.storage.index import database, packed, reading, sync, vectors
from jmem.storage.index.filters import Filters

if TYPE_CHECKING:
    from tests.storage.index.conftest import Place

MODEL = "m1"


def fill(place: Place, model: str = MODEL) -> None:
    """Index what is there, each text with a vector that only it has."""
    sync.sync(place.scope)
    db = database.open_for_writing(str(place.index), 1.0)
    waiting = vectors.missing(db, model)
    taken = db.execute("SELECT count(*) FROM vectors").fetchone()[0]
    rows = [
        (name, struct.pack("<2e", 1.0, taken + number)) for number, (name, _) in enumerate(waiting)
    ]
    vectors.store(db, model, rows)
    db.close()


def held(vectors: Vectors) -> dict[str, float]:
    """The number by which :func:`fill` tells the vectors apart."""
    return dict(vectors.nearest([0.0, 1.0], 100))


@pytest.fixture(autouse=True)
def kept_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "LEAST", 2)


@pytest.fixture
def filled(place: Place) -> Place:
    for number in range(4):
        place.note(f"n{number}", f"Team {number} listens.")
    fill(place)
    return place


@pytest.fixture
def row_by_row(monkeypatch: pytest.MonkeyPatch) -> Callable[[Place], dict[str, float]]:
    """What the index says without the file."""

    def read(place: Place) -> dict[str, float]:
        with monkeypatch.context() as patched:
            patched.setattr(packed, "load", lambda *_: None)
            patched.setattr(packed, "keep", lambda *_: None)
            return held(place.reader().vectors(MODEL))

    return read


def kept(place: Place) -> Path:
    return place.root / ".cache" / packed.FILE


def test_the_second_process_reads_the_file_and_finds_the_same(
    filled: Place, row_by_row: Callable[[Place], dict[str, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = held(filled.reader().vectors(MODEL))
    assert first == row_by_row(filled)
    assert kept(filled).exists()
    reader = filled.reader()
    asked = []
    monkeypatch.setattr(reading.Reader, "rows", spying(reader.rows, asked))
    assert held(reader.vectors(MODEL)) == first
    assert not [sql for sql in asked if "FROM vectors" in sql]


def spying(rows: Callable[..., object], asked: list[str]) -> Callable[..., object]:
    def ask(_: object, sql: str, values: object) -> object:
        asked.append(sql)
        return rows(sql, values)

    return ask


def test_every_change_of_the_index_and_every_other_question_passes_the_file_by(
    filled: Place, row_by_row: Callable[[Place], dict[str, float]]
) -> None:
    before = held(filled.reader().vectors(MODEL))
    filled.note("n9", "Team 9 sleeps.")
    (filled.root / "notes" / "n1.md").unlink()
    sync.sync(filled.scope)
    assert len(filled.reader().vectors(MODEL)) == 3, "the new one has no vector yet"
    fill(filled)
    after = held(filled.reader().vectors(MODEL))
    assert after == row_by_row(filled)
    assert len(after) == 4
    assert after != before
    assert len(filled.reader().vectors("m2")) == 0
    fill(filled, "m2")
    assert held(filled.reader().vectors("m2")).keys() == after.keys()
    assert held(filled.reader().vectors(MODEL)) == after
    assert len(filled.reader().vectors(MODEL, filters=Filters(kind="pitfall"))) == 0
    assert held(filled.reader().vectors(MODEL)) == after, "what was filtered was kept"


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: b"",
        lambda whole: whole[:-1],
        lambda whole: whole + b"\0",
        lambda whole: b"[]\n" + whole,
        lambda whole: whole.replace(b'"names"', b'"nomen"'),
        lambda whole: b"\xff" * 5000,
        lambda whole: whole.partition(b"\n")[0],
    ],
)
def test_a_damaged_file_is_made_again(
    filled: Place, row_by_row: Callable[[Place], dict[str, float]], damage: Callable[[bytes], bytes]
) -> None:
    filled.reader().vectors(MODEL)
    whole = kept(filled).read_bytes()
    kept(filled).write_bytes(damage(whole))
    assert held(filled.reader().vectors(MODEL)) == row_by_row(filled)
    assert kept(filled).read_bytes() == whole


def test_where_nothing_can_be_written_the_index_is_asked(filled: Place) -> None:
    kept(filled).mkdir()
    assert len(filled.reader().vectors(MODEL)) == 4


def test_of_few_vectors_nothing_is_kept(filled: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "LEAST", 5)
    filled.reader().vectors(MODEL)
    assert not kept(filled).exists()
