"""A model behind a server: what every provider does the same.

A provider is a ``Shape``: pure translation of a request into a body, and of a body into what
was said. Calling, retrying, stepping down to what the server understands, booking tokens and
judging the reply happen here, once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from jmem.formats import jsonscan
from jmem.llm.http import Answer, Call, Endpoint
from jmem.llm.model import (
    Flaw,
    ModelRejected,
    Reply,
    Request,
    UnusableReply,
    estimate,
    estimate_bytes,
    room,
)
from jmem.llm.quote import quote
from jmem.llm.settings import LlmSettings
from jmem.llm.structured import Form, parse, spoken

_NOT_UNDERSTOOD: Final = frozenset({400, 422, 501})
_TOO_LONG = re.compile(r"context.{0,8}(length|window|size)|too (long|large|many tokens)")


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server is known to understand; ``limit`` is its name for the answer's length."""

    form: Form = Form.SCHEMA
    limit: str = "max_tokens"
    limit_tried: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What stands in a server's reply. Counts are None where it states none."""

    text: str
    model: str = ""
    flaw: Flaw | None = None
    why: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None


class NotAReply(ValueError):
    """A body that is not of the form that the provider's replies have."""


class Shape(Protocol):
    """One provider's form of a conversation."""

    def payload(
        self, request: Request, *, model: str, answer_tokens: int, dialect: Dialect
    ) -> dict[str, Any]:
        """The body to send."""
        ...

    def following(self, dialect: Dialect, complaint: str) -> Dialect | None:
        """What to try after a complaint; None when it is not about the form of the request."""
        ...

    def read(self, body: Mapping[str, Any]) -> Said:
        """What the server's reply says. Raises NotAReply for a body of another form."""
        ...


class RemoteModel:
    """A model that a server answers for. It remembers what the server understands."""

    def __init__(
        self, shape: Shape, endpoint: Endpoint, settings: LlmSettings, *, dialect: Dialect
    ) -> None:
        self.name = endpoint.name
        self.window_tokens = settings.window_tokens
        self._shape = shape
        self._endpoint = endpoint
        self._settings = settings
        self._dialect = dialect

    def complete(self, request: Request) -> Reply:
        """The answer. Raises CallFailed."""
        answer_tokens = room(
            request, window=self.window_tokens, ceiling=self._settings.max_output_tokens
        )
        call = Call(self._endpoint, cost=request.tokens + answer_tokens)
        answer = self._ask(call, request, answer_tokens)
        said = self._said(answer, spent=call.spent, request=request, most=answer_tokens)
        tokens_in = call.spent + (said.tokens_in or request.tokens)
        guessed = min(estimate(said.text), answer_tokens)  # it was told to stop there
        tokens_out = guessed if said.tokens_out is None else said.tokens_out
        data, flaw, why = None, said.flaw, said.why
        text = spoken(said.text)
        if flaw is None and not text.strip():
            flaw, why = Flaw.EMPTY, "the reply is empty"
        elif flaw is None and request.schema is not None:
            data = parse(text, request.schema)
            if data is None:
                flaw, why = Flaw.NOT_JSON, "the reply holds no JSON"
                self._ignored_schema()
        if flaw is not None:
            raise UnusableReply(f"{self.name}: {why}", flaw=flaw, tokens=tokens_in + tokens_out)
        return Reply(
            text=text,
            data=data,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            estimated=bool(call.spent) or not said.tokens_in or said.tokens_out is None,
            model=said.model or self._settings.model,
        )

    def _ask(self, call: Call, request: Request, answer_tokens: int) -> Answer:
        """The server's answer in the first dialect that it takes."""
        dialect, last = self._dialect, None
        while True:
            payload = self._shape.payload(
                request,
                model=self._settings.model,
                answer_tokens=answer_tokens,
                dialect=dialect,
            )
            if payload != last:  # without a schema, some dialects differ in nothing
                answer, last = call.post(payload), payload
            if answer.ok:
                self._dialect = dialect
                return answer
            complaint = answer.body.decode("utf-8", "replace").lower()
            following = (
                self._shape.following(dialect, complaint)
                if answer.status in _NOT_UNDERSTOOD
                else None
            )
            if following is None:
                raise self._rejected(answer, complaint, spent=call.spent)
            dialect = following

    def _ignored_schema(self) -> None:
        """It took the schema and did not follow it: from now on it is told in words as well."""
        if self._dialect.form is Form.SCHEMA:
            self._dialect = replace(self._dialect, form=Form.OBJECT)

    def _said(self, answer: Answer, *, spent: int, request: Request, most: int) -> Said:
        body = jsonscan.whole(answer.body.decode("utf-8", "replace"))
        try:
            if isinstance(body, dict) and not body.get("error"):
                return self._shape.read(body)
            why = complaint_in(body, answer.body) if isinstance(body, dict) else "it is not JSON"
        except NotAReply as error:
            why = str(error)
        raise UnusableReply(
            f"{self.name}: what came back is no reply: {quote(why, self._endpoint.secrets)}",
            flaw=Flaw.MALFORMED,
            hint="llm.base_url may name another kind of server",
            tokens=spent + request.tokens + min(estimate_bytes(len(answer.body)), most),
        )

    def _rejected(self, answer: Answer, complaint: str, *, spent: int) -> ModelRejected:
        if 300 <= answer.status < 400:
            said = "it answers from another address, and redirects are not followed"
        else:
            body = jsonscan.whole(answer.body.decode("utf-8", "replace"))
            said = quote(complaint_in(body, answer.body), self._endpoint.secrets)
        return ModelRejected(
            f"{self.name} refused the call with HTTP {answer.status}: {said or 'without a word'}",
            hint=_hint(answer.status, complaint),
            tokens=spent,
        )


def model_of(body: Mapping[str, Any]) -> str:
    """The name by which a server calls the model that replied; empty where it does not."""
    name = body.get("model")
    return quote(name) if isinstance(name, str) else ""


def count_of(usage: Any, *names: str) -> int | None:
    """The sum of the named counts; None where a server states none that can be true."""
    if not isinstance(usage, dict):
        return None
    counts = [usage.get(name) for name in names]
    real = [each if isinstance(each, int) and each > 0 else 0 for each in counts]
    return sum(real) or None


def _hint(status: int, complaint: str) -> str:
    """The setting that a refusal points to."""
    if status in (401, 403):
        return "llm.api_key_env names the variable that holds the key"
    if status in (402, 429):
        return "the provider's account is used up; llm.provider and llm.model choose another"
    if status == 413 or _TOO_LONG.search(complaint):
        return "llm.window_tokens and llm.max_output_tokens say how much the model can hold"
    if 300 <= status < 400:
        return "llm.base_url must be the server's own address"
    return "llm.model and llm.base_url say what is asked, and where"


def complaint_in(body: Any, raw: bytes) -> str:
    """The words of a complaint, where servers usually put them; else all of it."""
    found = body
    for name in ("error", "message"):
        if isinstance(found, dict) and name in found:
            found = found[name]
    if isinstance(found, dict) and "detail" in found:
        found = found["detail"]
    return found if isinstance(found, str) else raw.decode("utf-8", "replace")
