"""Asking a server: one POST with a deadline, bounded, and tried again where that can help.

The calls are asynchronous inside and plain outside. It is the only way to hold a deadline
against a server that sends a byte now and then: the client's own timeouts begin again with
every byte, in the headers as in the body.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, Final

import httpx

from jmem import clock
from jmem.llm.model import Flaw, ModelRejected, ModelUnavailable, UnusableReply
from jmem.llm.quote import quote
from jmem.llm.settings import Limits

RETRIED: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_OUT_OF_MONEY = b"insufficient_quota"
"""What OpenAI says with 429 when waiting does not help."""
_CONNECT_SECONDS = 10.0
_COMPLAINT_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered; of a complaint at most the first 64 KiB."""

    status: int
    body: bytes
    headers: Mapping[str, str]

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where to ask, and how long to wait. ``secrets`` never show in a message."""

    name: str
    url: str
    headers: Mapping[str, str]
    secrets: tuple[str, ...]
    seconds: float
    local: bool
    limits: Limits

    def __repr__(self) -> str:
        return f"<Endpoint {self.name}>"


class _Lost(Exception):
    """An attempt that brought no answer."""

    def __init__(self, what: str, *, again: bool, billed: bool) -> None:
        super().__init__(what)
        self.again = again
        self.billed = billed


class Call:
    """One question to a server: its posts share a deadline.

    ``spent`` counts what the lost attempts may have cost: one that was sent and not answered
    is booked in full (``cost``), since the provider may have done the work.
    """

    def __init__(self, endpoint: Endpoint, *, cost: int) -> None:
        self.spent = 0
        self._endpoint = endpoint
        self._limits = endpoint.limits
        self._cost = cost
        self._tried: list[str] = []
        self._deadline = time.monotonic() + endpoint.limits.patience * endpoint.seconds

    def post(self, payload: Mapping[str, Any]) -> Answer:
        """The server's answer, unless it is one to try again; redirects are not followed.

        Raises ModelUnavailable when no attempt was answered, UnusableReply for a reply
        without end, ModelRejected for a proxy that cannot be one.
        """
        content = json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
        return asyncio.run(self._persist(content))

    async def _persist(self, content: bytes) -> Answer:
        wait: float | None
        async with self._client() as client:
            for number in range(self._limits.attempts):
                try:
                    answer = await self._attempt(client, content)
                except _Lost as lost:
                    self._tried.append(str(lost))
                    self.spent += self._cost if lost.billed else 0
                    if not lost.again:
                        break
                    wait = None
                else:
                    if answer.status not in RETRIED or _OUT_OF_MONEY in answer.body:
                        return answer
                    self._tried.append(f"HTTP {answer.status}")
                    wait = asked_wait(answer.headers)
                if number + 1 == self._limits.attempts:
                    break
                if wait is None:
                    step = self._limits.backoff_seconds
                    wait = step * 2**number + step * self._limits.jitter()
                if wait > self._deadline - time.monotonic():
                    self._tried.append(f"no time to wait {wait:.0f} s")
                    break
                await asyncio.sleep(wait)
        raise ModelUnavailable(
            f"{self._endpoint.name} is not available: {self._tried[-1]}",
            tried=tuple(self._tried),
            hint=f"tried: {', then '.join(self._tried)}",
            tokens=self.spent,
        )

    def _client(self) -> httpx.AsyncClient:
        try:
            return httpx.AsyncClient(
                headers={**self._endpoint.headers, "accept-encoding": "identity"},
                timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
                follow_redirects=False,
                verify=_trusted(),
                # What is meant for this machine must not go through a proxy.
                trust_env=not self._endpoint.local,
            )
        except (ValueError, ImportError, httpx.InvalidURL) as error:
            raise ModelRejected(
                "the proxy that the environment names cannot be used",
                hint="check HTTP_PROXY, HTTPS_PROXY and ALL_PROXY",
            ) from error

    async def _attempt(self, client: httpx.AsyncClient, content: bytes) -> Answer:
        seconds = min(self._endpoint.seconds, self._deadline - time.monotonic())
        try:
            async with asyncio.timeout(seconds):
                return await self._exchange(client, content)
        except TimeoutError as error:
            # It was slow, not absent: asking the same again costs as much and ends the same.
            raise _Lost(f"no answer within {seconds:g} s", again=False, billed=True) from error
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
            raise _Lost(self._why("no connection", error), again=True, billed=False) from error
        except httpx.TransportError as error:
            raise _Lost(self._why("cut off", error), again=True, billed=True) from error

    async def _exchange(self, client: httpx.AsyncClient, content: bytes) -> Answer:
        async with client.stream("POST", self._endpoint.url, content=content) as response:
            answered = Answer(response.status_code, b"", response.headers)
            limit = self._limits.max_bytes if answered.ok else _COMPLAINT_BYTES
            body = bytearray()
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > limit:
                    break
            if answered.ok and len(body) > limit:
                raise UnusableReply(
                    f"{self._endpoint.name} sent more than {limit} bytes",
                    flaw=Flaw.TOO_LARGE,
                    tokens=self.spent + self._cost,
                )
            return Answer(response.status_code, bytes(body[:limit]), response.headers)

    def _why(self, what: str, error: Exception) -> str:
        said = quote(str(error), self._endpoint.secrets)
        return f"{what} ({said})" if said else what


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates that count; reading them takes longer than many a call."""
    return httpx.create_ssl_context()


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that ``retry-after`` asks for, in either of its forms; None without one.

    A date is read by the server's own clock, where it tells the time: ours may be wrong.
    """
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    until = _moment(text)
    if until is None:
        return None
    now = _moment(headers.get("date", "")) or clock.now()
    return max(0.0, (until - now).total_seconds())


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
