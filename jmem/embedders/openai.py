"""Vectors from a server with an ``/embeddings`` endpoint, such as OpenAI's; only where the user
named one. What is embedded leaves the machine then, unless the server is on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jmem.errors import ConfigError
from jmem.formats import jsonscan
from jmem.llm import settings as chosen
from jmem.llm.http import Call, Endpoint
from jmem.llm.model import Flaw, ModelRejected, UnusableReply
from jmem.llm.quote import quote
from jmem.llm.remote import complaint_in
from jmem.llm.settings import Limits, LlmSettings, loopback
from jmem.redact import redact

if TYPE_CHECKING:
    from jmem.embedders.embedder import Embedder, Matrix, Rarity

DEFAULT_URL = "https://api.openai.com/v1"
DEFAULT_KEY = "OPENAI_API_KEY"
_SECTION = "recall.embedder_"
_SECONDS = 30.0
_QUERY_SECONDS = 5.0
_BATCH = 64
_CHARACTERS = 6000
"""Of a document the beginning, of a query the end: what fits the window of every such model, also
where each character is a token."""
_NOTHING = "."
"""What is asked about in place of an empty text, which servers refuse; its vector is not used."""


class RemoteEmbedder:
    """Vectors from a server. ``dimensions`` are whatever it sends, the same for all."""

    def __init__(self, endpoint: Endpoint, model: str, base: str) -> None:
        self.id = f"openai:{model}@{base}"
        self.outside = not loopback(base)
        self._endpoint = endpoint
        self._impatient = replace(endpoint, seconds=_QUERY_SECONDS, limits=Limits(attempts=1))
        self._model = model

    def documents(self, texts: Sequence[str]) -> Matrix:
        """The vectors of some texts, one a row.

        Raises CallFailed where the server does not answer, refuses, or sends something else.
        """
        return self._vectors([text.strip()[:_CHARACTERS] for text in texts], self._endpoint)

    def query(self, text: str, rarity: Rarity | None = None) -> list[float]:
        """The vector of what is searched for; without credentials, of a long one the end.

        The model weighs by itself. Somebody waits for it: the server is asked once. Raises
        CallFailed, as :meth:`documents`.
        """
        end = redact(text).strip()[-_CHARACTERS:]  # half a credential would not be recognised
        vector: list[float] = self._vectors([end], self._impatient)[0].tolist()
        return vector

    def _vectors(self, texts: list[str], endpoint: Endpoint) -> Matrix:
        rows: list[list[float]] = []
        for first in range(0, len(texts), _BATCH):
            rows += self._ask(
                [text or _NOTHING for text in texts[first : first + _BATCH]], endpoint
            )
        if len({len(row) for row in rows}) > 1:
            raise self._unusable("vectors of more than one length")
        vectors = np.asarray(rows, np.float32).reshape(len(rows), -1 if rows else 0)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise self._unusable("a vector without a direction")
        vectors /= lengths
        vectors[[place for place, text in enumerate(texts) if not text]] = 0
        return vectors

    def _ask(self, texts: list[str], endpoint: Endpoint) -> list[list[float]]:
        answer = Call(endpoint, cost=0).post({"model": self._model, "input": texts})
        body = jsonscan.whole(answer.body.decode("utf-8", "replace"))
        if not answer.ok:
            said = quote(complaint_in(body, answer.body), self._endpoint.secrets)
            raise ModelRejected(
                f"{self._endpoint.name} refused the call with HTTP {answer.status}: {said}",
                hint=f"{_SECTION}model, {_SECTION}base_url and {_SECTION}api_key_env"
                " say what is asked, where, and with which key",
            )
        try:
            rows = _rows(body, len(texts))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise self._unusable("something else than a vector for each text") from error
        return rows

    def _unusable(self, what: str) -> UnusableReply:
        return UnusableReply(
            f"{self._endpoint.name} sent {what}",
            flaw=Flaw.MALFORMED,
            hint=f"{_SECTION}base_url may name another kind of server",
        )


def _rows(body: Any, count: int) -> list[list[float]]:
    """The vectors in the order of the texts; servers may send them in another."""
    data = body["data"]
    rows: dict[int, list[float]] = {}
    for place, each in enumerate(data):
        rows[int(each.get("index", place))] = [float(number) for number in each["embedding"]]
    if len(data) != count or any(not rows[place] for place in range(count)):
        raise ValueError("the vectors are not as many as the texts")
    return [rows[place] for place in range(count)]


def open_embedder(
    files: list[str], settings: Mapping[str, Any], *, cache: str, environ: Mapping[str, str]
) -> Embedder:
    """The embedder behind ``{base_url}/embeddings``; nothing is asked yet. Raises ConfigError."""
    server = LlmSettings(
        provider="openai",
        model=settings.get(f"{_SECTION}model", ""),
        base_url=settings.get(f"{_SECTION}base_url", ""),
        api_key_env=settings.get(f"{_SECTION}api_key_env", ""),
        timeout_seconds=_SECONDS,
        section=_SECTION,
    )
    if not server.model:
        raise ConfigError(f"{_SECTION}model is not set", hint="name a model that the server knows")
    base = chosen.address(server, DEFAULT_URL)
    key = chosen.key(server, DEFAULT_KEY, environ)
    endpoint = Endpoint(
        name=f"openai:{server.model}",
        url=f"{base}/embeddings",
        headers={
            "content-type": "application/json",
            **({"authorization": f"Bearer {key}"} if key else {}),
        },
        secrets=(key,) if key else (),
        seconds=server.timeout_seconds,
        local=chosen.loopback(base),
        limits=Limits(max_bytes=64 * 1024 * 1024),
    )
    return RemoteEmbedder(endpoint, server.model, base)
