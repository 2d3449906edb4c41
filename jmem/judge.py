"""Asking a model which hits help: several ballots at once, and a verdict for each hit.

Nothing that was not judged surfaces: where the model cannot be asked, or its replies cannot be
used, every hit stays as it is, and the outcome says why.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from jmem import judging
from jmem.errors import JmemError
from jmem.formats.text import clean_text
from jmem.judging import Breaker
from jmem.llm.model import CallFailed, Model, ModelUnavailable, Request, UnusableReply
from jmem.llm.settings import LlmSettings
from jmem.redact import redact
from jmem.retrieval.hit import ACCEPTED, REJECTED, Hit
from jmem.transcripts.heldby import DISTILLATION_MARK

MAX_VOTES: Final = 9
_ANSWER_TOKENS: Final = 4096
"""Far more than an array needs: models that think first spend it on that."""
_READ_CHARACTERS: Final = 400_000
"""How much of a request's end is searched for credentials before it is cut to what is shown: half
a key is not recognised. That much takes a fifth of a second, and less than a call."""


class Outcome(StrEnum):
    """How it went with a question as a whole; the last five are degradations."""

    JUDGED = "judged"
    NOTHING_FOUND = "nothing found"
    NOT_CONFIGURED = "no model is configured"
    PAUSED = "paused after a failure"
    UNAVAILABLE = "model not available"
    UNPARSEABLE = "replies could not be used"
    REFUSED = "model cannot be used"

    @property
    def degraded(self) -> bool:
        """Whether a model should have judged and did not."""
        return self not in (Outcome.JUDGED, Outcome.NOTHING_FOUND)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What came of a question.

    ``hits`` hold all that were given: accepted ones first, the most useful before others. ``why``
    says in one line what failed, even where the question was judged all the same; ``news`` is the
    same line where a person must do something about it and was not told yet. ``tokens`` is what
    the calls cost, ``breaker`` what the next question must be given.
    """

    hits: tuple[Hit, ...]
    outcome: Outcome
    breaker: Breaker
    why: str = ""
    news: str = ""
    tokens: int = 0

    @property
    def accepted(self) -> tuple[Hit, ...]:
        """The hits that may surface, the most useful first."""
        return tuple(hit for hit in self.hits if hit.verdict == ACCEPTED)

    @property
    def rejected(self) -> tuple[Hit, ...]:
        """The hits that were found not to help; those that were not judged are not among them."""
        return tuple(hit for hit in self.hits if hit.verdict == REJECTED)


@dataclass(frozen=True, slots=True)
class _Cast:
    """One ballot and what it cost; ``error`` where there was none."""

    ballot: tuple[int, ...] | None
    tokens: int
    error: JmemError | None = None


def judge(
    hits: Sequence[Hit],
    request: str,
    open_model: Callable[[], Model | None],
    *,
    now: float,
    votes: int = 2,
    min_agree: int = 2,
    breaker: Breaker | None = None,
    pause: float = judging.PAUSE_SECONDS,
    today: str = "",
) -> Judged:
    """Ask ``votes`` times at once, and set the verdict and the reason of each hit.

    ``hits`` are in the order of the search; the first ``judging.POOL`` are shown, fewer where the
    model's window holds no more. ``now`` counts seconds on the clock of the breaker, ``pause``
    those for which a model that failed is left alone. No error of a model or its settings is
    raised: the outcome tells of it, and the hits are not judged.
    """
    breaker = breaker or Breaker()
    given = tuple(hits)
    if not given:
        return Judged(hits=(), outcome=Outcome.NOTHING_FOUND, breaker=breaker)
    if breaker.open(now, pause):
        why = f"not asked again for {breaker.until - now:.0f} s"
        return Judged(hits=given, outcome=Outcome.PAUSED, breaker=breaker, why=why)
    try:
        model = open_model()
    except JmemError as error:
        return _settled(
            given, [_Cast(None, 0, error)], breaker, now=now, pause=pause, min_agree=min_agree
        )
    if model is None:
        return Judged(hits=given, outcome=Outcome.NOT_CONFIGURED, breaker=breaker)
    asked, shown = _fitted(given, request, today, model.window_tokens)
    cast = _vote(model, asked, shown, max(1, min(votes, MAX_VOTES)))
    return _settled(given, cast, breaker, now=now, pause=pause, min_agree=min_agree, shown=shown)


def fingerprint(settings: LlmSettings, environ: Mapping[str, str]) -> str:
    """What a breaker is bound to: who is asked, where, and whether there is a key (not which)."""
    named = settings.api_key_env
    parts = [
        *(settings.provider, settings.model, settings.base_url, list(settings.command), named),
        bool(environ.get(named)) if named else None,
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def _fitted(hits: Sequence[Hit], request: str, today: str, window: int) -> tuple[Request, int]:
    """The question without credentials, and how many hits it shows: as many as the window holds.

    A session that holds it is known by its first line.
    """
    said = redact(clean_text(request[-_READ_CHARACTERS:]))
    answer_tokens = min(_ANSWER_TOKENS, window // 4)
    shown = min(len(hits), judging.POOL)
    while True:
        asked = Request(
            system=f"{DISTILLATION_MARK}\n{judging.SYSTEM}",
            prompt=judging.question(hits[:shown], said, today=today),
            max_output_tokens=answer_tokens,
        )
        if shown == 1 or asked.tokens + answer_tokens <= window:
            return asked, shown
        shown -= 1


def _vote(model: Model, asked: Request, count: int, votes: int) -> list[_Cast]:
    """The ballots, asked for at the same time."""
    if votes == 1:
        return [_cast(model, asked, count)]
    with ThreadPoolExecutor(max_workers=votes) as voters:
        running = [voters.submit(_cast, model, asked, count) for _ in range(votes)]
        return [each.result() for each in running]


def _cast(model: Model, asked: Request, count: int) -> _Cast:
    try:
        reply = model.complete(asked)
    except CallFailed as error:
        return _Cast(None, error.tokens, error)
    except JmemError as error:
        return _Cast(None, 0, error)
    return _Cast(judging.ballot(reply.text, count), reply.tokens_in + reply.tokens_out)


def _settled(
    hits: tuple[Hit, ...],
    cast: Sequence[_Cast],
    breaker: Breaker,
    *,
    now: float,
    pause: float,
    min_agree: int,
    shown: int = judging.POOL,
) -> Judged:
    """The verdicts, and the breaker after what happened."""
    ballots = [each.ballot for each in cast]
    valid = sum(each is not None for each in ballots)
    judged = valid >= max(1, min(min_agree, len(ballots)))
    outcome, why = _failure(cast)
    news = ""
    if outcome is Outcome.UNAVAILABLE:
        breaker = breaker.armed(now, pause)
    elif outcome is Outcome.REFUSED:
        news = "" if breaker.knows(why) else why
        breaker = breaker.told(why)
    elif valid:
        breaker = breaker.closed()
    return Judged(
        hits=tuple(judging.tally(hits, ballots, min_agree=min_agree, shown=shown)),
        outcome=Outcome.JUDGED if judged else outcome,
        breaker=breaker,
        why=why,
        news=news,
        tokens=sum(each.tokens for each in cast),
    )


def _failure(cast: Sequence[_Cast]) -> tuple[Outcome, str]:
    """The gravest failure among the ballots, and its words.

    What only a person can mend comes first: behind it the others may be only a consequence.
    """
    permanent = [each.error for each in cast if each.error and not _passes(each.error)]
    transient = [each.error for each in cast if isinstance(each.error, ModelUnavailable)]
    for errors, outcome in ((permanent, Outcome.REFUSED), (transient, Outcome.UNAVAILABLE)):
        if errors:
            return outcome, _words(errors[0])
    unusable = next((each.error for each in cast if each.error), None)
    if unusable is not None:
        return Outcome.UNPARSEABLE, _words(unusable)
    if any(each.ballot is None for each in cast):
        return Outcome.UNPARSEABLE, "a reply holds no array of candidates"
    return Outcome.JUDGED, ""


def _passes(error: JmemError) -> bool:
    """Whether a failure can be gone at the next question, with nobody's help."""
    return isinstance(error, ModelUnavailable | UnusableReply)


def _words(error: JmemError) -> str:
    return f"{error.message} ({error.hint})" if error.hint else error.message
