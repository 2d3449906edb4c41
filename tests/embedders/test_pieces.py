"""The kept pieces say what the tokenizer says, and are never believed when they cannot be."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from jmem.embedders import pieces

WORDS = {"b": 7, "a": 3, "é": 70_000, "\n": 4, "▁提": 0}


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({"model": {"vocab": WORDS, "merges": []}}), "utf-8")
    return path


def numbers(tokenizer: Path, cache: Path) -> dict[str, int]:
    found = pieces.load(str(tokenizer), str(cache))
    table = found.table()
    assert table == {name: found.get(name, -1) for name in table}
    assert found.get("zz", -1) == found.get("", -1) == -1
    return table


def test_every_piece_that_can_be_asked_for_is_found(tokenizer: Path, tmp_path: Path) -> None:
    expected = {name: number for name, number in WORDS.items() if name != "\n"}
    assert numbers(tokenizer, tmp_path / "cache") == expected  # made
    assert numbers(tokenizer, tmp_path / "cache") == expected  # read back


@pytest.mark.parametrize("damage", [lambda kept: kept[:-1], lambda _: b"", lambda kept: kept[40:]])
def test_damaged_pieces_are_made_again(tokenizer: Path, tmp_path: Path, damage) -> None:
    expected = numbers(tokenizer, tmp_path / "cache")
    (kept,) = (tmp_path / "cache").iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(damage(whole))
    assert numbers(tokenizer, tmp_path / "cache") == expected
    assert kept.read_bytes() == whole


def test_pieces_of_another_tokenizer_are_not_taken(tokenizer: Path, tmp_path: Path) -> None:
    numbers(tokenizer, tmp_path / "cache")
    tokenizer.write_text(json.dumps({"model": {"vocab": {"new": 1}}}), "utf-8")
    os.utime(tokenizer, ns=(1, 1))
    assert numbers(tokenizer, tmp_path / "cache") == {"new": 1}


def test_where_nothing_can_be_kept_the_tokenizer_is_read(tokenizer: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a directory")
    assert numbers(tokenizer, tmp_path / "file" / "cache")["a"] == 3


def test_a_file_without_a_vocabulary_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ValueError, match="vocabulary"):
        pieces.load(str(tmp_path / "tokenizer.json"), str(tmp_path))
