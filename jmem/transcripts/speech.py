"""What was said, without what a client put into anybody's mouth. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from jmem.transcripts import injected
from jmem.transcripts.entries import MAX_TURN, Report, Role, Turn, Via, cut


def said(
    text: str, time: datetime | None, report: Report, *, via: Via = Via.PROMPT
) -> Iterator[Turn]:
    """The turn that a user's message is; the report counts why where it is none."""
    typed, reason = injected.typed(text)
    if typed:
        yield Turn(role=Role.USER, text=cut(typed, MAX_TURN), time=time, via=via)
    else:
        report.skip(reason)


def answered(text: str, time: datetime | None) -> Iterator[Turn]:
    """The turn that an assistant's message is, if there is text in it."""
    spoken = injected.without_wrapped(text).strip()
    if spoken:
        yield Turn(role=Role.ASSISTANT, text=cut(spoken, MAX_TURN), time=time)
