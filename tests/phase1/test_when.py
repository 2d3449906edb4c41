"""The rules that say when a running session is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.transcripts.entries import Entry, Role, Turn
from jmem.transcripts.growing import part_of
from jmem.transcripts.reader import Found, inspect
from pipelines.phase1.when import ASKED, ENDED, MANY_TURNS, TOPIC_CHANGE, Thresholds, due, said

PARSER = "Explain how the parser of the invoices joins its two passes into a single tree."
PAINT = "Draw the floor plan of our greenhouse and paint every wooden bench light green."


def spoken(*texts: str) -> list[Entry]:
    return [Turn(role=Role.USER, text=text, time=None) for text in texts]


@pytest.mark.parametrize(
    ("texts", "ended", "reason"),
    [
        ([], True, ""),
        (["Go on."] * 30, True, ENDED),
        (["Go on."] * 30, False, ""),
        (["The gate opens at seven. Remember that."], False, ASKED),
        (["Go on.", "记住：泵的控制端口是 7001。", "Go on."], True, ASKED),
        (["Do you remember that?"], False, ""),
        (["Go on."] * 40, False, MANY_TURNS),
        ([PARSER] * 3, True, ENDED),
        ([PARSER] * 11, False, ""),
        ([PARSER] * 12, False, MANY_TURNS),
        ([PARSER] * 4 + [PAINT], False, TOPIC_CHANGE),
        ([PARSER] * 3 + [PAINT], False, ""),
        ([PARSER] * 4 + ["Yes, please go on."], False, ""),
        ([PARSER] * 4 + [PARSER + " " + "And why?"], False, ""),
    ],
)
def test_when_it_is_due(texts: list[str], ended: bool, reason: str) -> None:
    assert due(said(spoken(*texts)), ended=ended, numbers=Thresholds()) == reason


def test_the_answers_belong_to_the_turn() -> None:
    answer = Turn(role=Role.ASSISTANT, text=PAINT, time=None)
    told = said([*spoken(PARSER), answer, *spoken(PARSER)])
    assert told.turns == (f"{PARSER}\n{PAINT}", PARSER)
    assert told.bytes == len(PARSER) * 2 + len(PAINT)


def line(number: int) -> bytes:
    text = f"雨 {number} " + "x" * (number % 7)
    row = {
        "type": "user",
        "uuid": f"u{number}",
        "sessionId": "5e55",
        "timestamp": "2026-07-04T10:00:00Z",
        "message": {"role": "user", "content": text},
    }
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


@given(cuts=st.lists(st.integers(0, 2_400), max_size=6).map(sorted))
def test_the_parts_of_a_file_hold_every_line_once(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int]
) -> None:
    """Whatever was written when it was looked at, within a line or a character too."""
    file = tmp_path_factory.mktemp("s") / "5e55.jsonl"
    whole = b"".join(line(number) for number in range(12))
    file.write_bytes(whole[: len(line(0))])
    found = inspect(file)
    assert isinstance(found, Found)
    read: list[Entry] = []
    end = 0
    for size in [*cuts, len(whole)]:
        file.write_bytes(whole[: max(size, end)])
        part = part_of(found, end)
        read += part.entries
        end = part.end
    file.write_bytes(whole)
    assert read == list(found.entries()) and len(read) == 12


def test_of_a_part_that_is_too_long_the_end_is_read(tmp_path: Path) -> None:
    file = tmp_path / "5e55.jsonl"
    file.write_bytes(b"".join(line(number) for number in range(12)))
    found = inspect(file)
    assert isinstance(found, Found)
    part = part_of(found, 0, most=len(line(11)) + 20)
    assert [entry.text for entry in part.entries if isinstance(entry, Turn)] == ["雨 11 xxxx"]
    assert part.end == file.stat().st_size


def test_a_file_that_was_begun_anew_is_read_from_its_start(tmp_path: Path) -> None:
    file = tmp_path / "5e55.jsonl"
    file.write_bytes(line(1))
    found = inspect(file)
    assert isinstance(found, Found)
    assert len(part_of(found, 10_000).entries) == 1
