"""What a language model is to jmem: a request, a reply, and three ways to fail.

    ModelError                  8  (jmem.errors)
    └── CallFailed                 a call was made, or tried, and brought nothing
        ├── ModelUnavailable       it may work later: retries are exhausted or time is up
        ├── ModelRejected          it will never work like this: a setting must change
        └── UnusableReply          there was a reply, and it cannot be used

Each failure carries the ``tokens`` that are gone all the same, for the budget to book. Where
they are not known they are estimated, and never too low on purpose.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from jmem.errors import ModelError

_FRAME = 100
"""Tokens of what a provider adds to a request: roles, and the words that ask for JSON."""


@dataclass(frozen=True, slots=True)
class Request:
    """One question. With a ``schema`` (JSON Schema) the reply must be JSON of that form."""

    system: str
    prompt: str
    schema: Mapping[str, Any] | None = None
    schema_name: str = "reply"
    max_output_tokens: int = 4096

    @property
    def tokens(self) -> int:
        """How many tokens the question takes, by the estimate that the window guard uses."""
        return _FRAME + sum(map(estimate, (self.system, self.prompt, self.schema_text)))

    @property
    def schema_text(self) -> str:
        """The schema as one line of JSON; empty without one."""
        if self.schema is None:
            return ""
        return json.dumps(dict(self.schema), ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer. ``data`` is its JSON where a schema was asked, else None.

    ``tokens_in`` holds what lost attempts before it may have cost; ``estimated`` says that not
    every number came from the provider. ``model`` is the name that the provider reports.
    """

    text: str
    data: Any
    tokens_in: int
    tokens_out: int
    estimated: bool
    model: str


class Model(Protocol):
    """Whoever answers. ``name`` is ``provider:model``, for records."""

    @property
    def name(self) -> str: ...

    @property
    def window_tokens(self) -> int:
        """What question and answer may take together."""
        ...

    def complete(self, request: Request) -> Reply:
        """The answer. Raises CallFailed, and nothing else that is foreseen."""
        ...


class Flaw(StrEnum):
    """What is wrong with a reply that cannot be used."""

    TRUNCATED = "truncated"
    REFUSED = "refused"
    EMPTY = "empty"
    NOT_JSON = "not-json"
    MALFORMED = "malformed"
    TOO_LARGE = "too-large"


class CallFailed(ModelError):
    """A call brought nothing; ``tokens`` are spent."""

    def __init__(self, message: str, *, hint: str = "", tokens: int = 0) -> None:
        super().__init__(message, hint=hint)
        self.tokens = tokens


class ModelUnavailable(CallFailed):
    """It may work later. ``tried`` says how each attempt ended."""

    def __init__(
        self, message: str, *, tried: tuple[str, ...], hint: str = "", tokens: int = 0
    ) -> None:
        super().__init__(message, hint=hint, tokens=tokens)
        self.tried = tried


class ModelRejected(CallFailed):
    """It will never work like this; the hint names the setting to change."""


class UnusableReply(CallFailed):
    """There was a reply, and ``flaw`` says why it cannot be used."""

    def __init__(self, message: str, *, flaw: Flaw, hint: str = "", tokens: int = 0) -> None:
        super().__init__(message, hint=hint, tokens=tokens)
        self.flaw = flaw


def estimate(text: str) -> int:
    """The tokens of a text where nobody counted them: a third of its bytes, rounded up."""
    return estimate_bytes(len(text.encode("utf-8", "replace")))


def estimate_bytes(count: int) -> int:
    """The tokens of so many bytes of text, rounded up."""
    return -(-count // 3)


def room(request: Request, *, window: int, ceiling: int) -> int:
    """How many tokens the answer may take: what is asked, at most ``ceiling``.

    Raises ModelRejected when question and answer do not fit the window: such a call is not
    made. Callers fit their prompts by ``Request.tokens``, which is what counts here.
    """
    answer = min(request.max_output_tokens, ceiling)
    if request.tokens + answer > window:
        raise ModelRejected(
            f"about {request.tokens} tokens and {answer} for the answer do not fit"
            f" the model's window of {window}",
            hint="llm.window_tokens says how much the model can hold",
        )
    return answer
