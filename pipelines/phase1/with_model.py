"""The summary of a session by a model: it proposes, and code keeps what it can check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from importlib.resources import files
from itertools import chain, islice

from jmem import clock
from jmem.formats.text import slugify, truncate_utf8
from jmem.llm.model import Flaw, ModelRejected, Reply, Request, UnusableReply
from jmem.meter import Meter
from jmem.transcripts.entries import Entry, SessionInfo
from jmem.transcripts.heldby import DISTILLATION_MARK
from pipelines import talks
from pipelines.phase1 import reply
from pipelines.phase1.checks import Checks
from pipelines.phase1.evidence import Evidence, gather
from pipelines.phase1.excerpts import Excerpts
from pipelines.phase1.extract import MIN_ENTRIES, Extraction, extract
from pipelines.phase1.reply import Malformed, Told
from pipelines.phase1.unwanted import UNWANTED, Wishes
from pipelines.talks import Talk

PURPOSE = "phase 1"
MAX_KNOWN = 80
_SHARE = 0.7
"""The most of a model's window that a session may fill."""
_KNOWN_SHARE = 0.1
_ANSWER_SHARE = 8
_MAX_ANSWER = 8_192
_LEAST = 500
"""Tokens of a session that are worth asking about."""
_COMPLAINT = 300
_TRIES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known before a session is read.

    ``statements``: memories, best first; ``earlier``: what was taken from this very session when
    it was shorter. ``stated``: whether the project's own instructions say something.
    """

    statements: Sequence[str] = ()
    earlier: Sequence[str] = ()
    stated: Callable[[str], bool] = lambda _: False


def extract_with_model(
    info: SessionInfo,
    entries: Iterable[Entry],
    meter: Meter,
    *,
    project: str,
    known: Sequence[str],
    now: datetime,
) -> Extraction:
    """Read one session by itself. Raises CallFailed, or BudgetExhausted before a call."""
    about = Known(statements=known)
    window = meter.model.window_tokens
    talk = converse(info, entries, window_tokens=window, project=project, known=about, now=now)
    return talks.alone(talk, meter, PURPOSE)


def converse(
    info: SessionInfo,
    entries: Iterable[Entry],
    *,
    window_tokens: int,
    project: str,
    known: Known,
    now: datetime,
) -> Talk[Extraction]:
    """The conversation about a session, whose entries have been redacted.

    A sub-agent's session, and one that the user does not want to be remembered, are not asked
    about. One of fewer than four entries is read by the rules: they take what the user lays down,
    and there is no course in it to be told. A reply that cannot be used is asked for once more,
    with what was wrong; the second time UnusableReply is raised.
    """
    frame = _Frame(info, project, known, now, window_tokens)
    excerpts, wishes = Excerpts(), Wishes()
    coming = iter(entries)
    begun = list(islice(coming, MIN_ENTRIES))
    if len(begun) < MIN_ENTRIES:
        return extract(info, begun, project=project)
    entries = chain(begun, coming)
    seen = gather(excerpts.follow(wishes.follow(entries)), max_bytes=frame.room)
    extraction = Extraction(user_turns=seen.user_turns, entries=seen.entries)
    if wishes.unwanted:
        return replace(extraction, refused=(UNWANTED,))
    if not seen.user_turns or info.subagent:
        return extraction
    told = yield from _ask(frame, seen)
    checks = Checks(
        rows=seen.rows,
        known=known.statements[:MAX_KNOWN],
        earlier=known.earlier,
        stated=known.stated,
        moment=info.started,
    )
    checked = checks.check(told.claims)
    summary = told.summary or "\n".join(f"- {item.text}" for item in checked.items)
    carried, said = excerpts.beside(summary)
    return Extraction(
        summary=summary,
        carried=carried,
        said=said,
        outcome=told.outcome,
        slug=slugify(told.slug, 48),
        items=checked.items,
        user_turns=seen.user_turns,
        entries=seen.entries,
        by_model=True,
        refused=checked.refused,
    )


def _ask(frame: _Frame, seen: Evidence) -> Talk[Told]:
    complaint = ""
    for left in reversed(range(_TRIES)):
        try:
            answer: Reply = yield frame.request(seen.text, complaint)
            return reply.read(answer.data)
        except Malformed as error:
            failure = UnusableReply(f"the reply cannot be used: {error}", flaw=Flaw.MALFORMED)
        except UnusableReply as error:
            failure = error
        if not left:
            raise failure
        complaint = truncate_utf8(failure.message, _COMPLAINT)
    raise AssertionError("unreachable")


class _Frame:
    """All of a question but the session: its bytes decide how much of the session fits."""

    def __init__(
        self, info: SessionInfo, project: str, known: Known, now: datetime, window_tokens: int
    ) -> None:
        self._answer = min(_MAX_ANSWER, window_tokens // _ANSWER_SHARE)
        self._head = "\n".join(_head(info, project, known, now, window_tokens))
        fixed = self.request("", "x" * _COMPLAINT).tokens
        tokens = min(int(window_tokens * _SHARE), window_tokens - fixed - self._answer) - 1
        if tokens < _LEAST:
            raise ModelRejected(
                f"a window of {window_tokens} tokens is too small to read sessions with",
                hint="llm.window_tokens says how much the model can hold",
            )
        self.room = tokens * 3

    def request(self, record: str, complaint: str) -> Request:
        """The question about a record, with what was wrong with the last answer."""
        parts = [self._head, "BEGIN RECORD", record, "END RECORD"]
        if complaint:
            parts += ["", f"Your last reply could not be used: {complaint}", "Reply again."]
        return Request(
            system=f"{DISTILLATION_MARK}\n\n{_system()}",
            prompt="\n".join(parts),
            schema=reply.SCHEMA,
            schema_name="session",
            max_output_tokens=self._answer,
        )


def _head(
    info: SessionInfo, project: str, known: Known, now: datetime, window_tokens: int
) -> Iterator[str]:
    began = f" It began on {clock.text(info.started)}." if info.started else ""
    yield f"Project: {project or info.cwd or 'unknown'}.{began} Today is {clock.day(now)}."
    room = int(window_tokens * _KNOWN_SHARE) * 3
    earlier, statements = list(known.earlier), list(known.statements[:MAX_KNOWN])
    for title, texts in (
        ("Taken from this session before; repeat word for word what still holds:", earlier),
        ("Known already; say none of it again in any words:", statements),
    ):
        shown = []
        for text in texts:
            line = f"- {' '.join(text.split())}"
            room -= len(line.encode("utf-8", "replace")) + 1
            if room < 0:
                break
            shown.append(line)
        if shown:
            yield from ("", title, *shown)
    yield ""


@cache
def _system() -> str:
    return files("pipelines").joinpath("prompts", "phase1_system.md").read_text("utf-8").strip()
