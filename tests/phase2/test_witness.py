"""A claim that a user said something is believed when the session's transcript bears it out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest

from jmem.model import NoteFile, Origin, Source, Trust
from jmem.transcripts.entries import Entry, Report, Role, SessionInfo, Turn
from jmem.transcripts.reader import Found, Reader
from pipelines.phase2.witness import believed

NOW = datetime(2026, 7, 4, tzinfo=UTC)


class Session:
    """A reader over turns in memory."""

    agent = "claude-code"

    def __init__(self, *turns: tuple[Role, str]) -> None:
        self._turns = turns

    def entries(self, path: Path, report: Report | None = None) -> Iterator[Entry]:
        for role, text in self._turns:
            yield Turn(role=role, text=text, time=NOW)


def note(text: str, *, source: Source = Source.USER, session: str = "claude-code:s1") -> NoteFile:
    return NoteFile(
        path="",
        name="n.md",
        id="abcdefgh",
        text=text,
        kind="preference",
        source=source,
        origin=Origin.UNKNOWN,
        trust=Trust.MEDIUM,
        session=session,
        cwd="",
        tags=(),
        time=NOW,
    )


def weighed(given: NoteFile, *turns: tuple[Role, str]) -> NoteFile:
    info = SessionInfo(agent="claude-code", id="s1", path="s1.jsonl")
    found = Found(reader=cast(Reader, Session(*turns)), info=info)
    return believed([given], [found])[0]


def test_what_the_user_said_is_believed() -> None:
    given = note("Always run the tests with make test-fast")
    after = weighed(
        given, (Role.USER, "please remember: always run the tests with make test-fast!")
    )
    assert (after.trust, after.origin) == (Trust.HIGH, Origin.USER)


@pytest.mark.parametrize(
    ("given", "turn"),
    [
        (note("Always use tabs"), (Role.USER, "always use spaces")),
        (note("Always use tabs"), (Role.ASSISTANT, "always use tabs")),
        (note("Always use tabs", session="claude-code:other"), (Role.USER, "always use tabs")),
        (note("Always use tabs", source=Source.AGENT), (Role.USER, "always use tabs")),
    ],
    ids=["other words", "the assistant's words", "another session", "no claim"],
)
def test_a_claim_without_a_witness_stays_a_claim(given: NoteFile, turn: tuple[Role, str]) -> None:
    assert weighed(given, turn) == given
