"""The regression set: invented sessions, and exactly what is worth keeping of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.phase1.extract import extract

TEXT = Path(__file__).with_name("sessions.txt").read_text(encoding="utf-8")


def cases() -> list[tuple[str, list[str], list[str]]]:
    found = []
    for block in TEXT.split("\n# ")[1:]:
        title, *lines = block.splitlines()
        expected = [line[2:] for line in lines if line.startswith("+ ")]
        found.append((title, [line for line in lines if line[:1] != "+"], expected))
    return found


@pytest.mark.parametrize(
    ("lines", "expected"), [pytest.param(*case[1:], id=case[0]) for case in cases()]
)
def test_a_session_gives_exactly_these_items(lines, expected, tell, info):
    extraction = extract(info, tell(*lines), project="/srv/orchard")
    assert [f"{item.kind}: {item.text}" for item in extraction.items] == expected


def test_the_set_is_large_enough():
    assert len(cases()) >= 30
