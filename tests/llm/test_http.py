"""Whatever a server does, a call ends, costs what it says, and keeps the key to itself."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

import pytest

from jmem.llm.http import asked_wait
from jmem.llm.model import (
    CallFailed,
    Flaw,
    Model,
    ModelRejected,
    ModelUnavailable,
    Request,
    UnusableReply,
)

Opened = Callable[..., Model]
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n"


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_tried_again(
    server: Any, opened: Opened, question: Request, status: int
) -> None:
    server.does(server.says(status, {}), server.chat("yes"))
    reply = opened().complete(question)
    assert (reply.text, reply.tokens_in, reply.estimated) == ("yes", 11, False)
    assert len(server.requests) == 2


def test_it_gives_up_after_three_attempts(server: Any, opened: Opened, question: Request) -> None:
    server.does(server.says(500, {}), server.says(503, {}), server.says(500, {}))
    with pytest.raises(ModelUnavailable) as failed:
        opened().complete(question)
    assert failed.value.tried == ("HTTP 500", "HTTP 503", "HTTP 500")
    assert (failed.value.tokens, failed.value.exit_code) == (0, 8)
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 405, 413, 418])
def test_what_will_not_pass_is_not_tried_again(
    server: Any, opened: Opened, question: Request, status: int
) -> None:
    server.does(server.says(status, {"error": {"message": "no such thing"}}))
    with pytest.raises(ModelRejected, match=f"HTTP {status}: no such thing") as failed:
        opened().complete(question)
    assert "llm." in failed.value.hint
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "body", "setting"),
    [
        (401, {"error": "bad key"}, "llm.api_key_env"),
        (404, {"detail": "no such model"}, "llm.model"),
        (400, {"error": {"message": "maximum context length is 8192"}}, "llm.window_tokens"),
        (429, {"error": {"code": "insufficient_quota"}}, "account"),
        (500, b"", "HTTP 500"),
    ],
)
def test_the_hint_says_what_to_change(
    server: Any, opened: Opened, question: Request, status: int, body: object, setting: str
) -> None:
    server.does(server.says(status, body))
    with pytest.raises(CallFailed) as failed:
        opened().complete(question)
    assert setting in failed.value.hint


def test_an_account_without_credit_is_not_asked_again(
    server: Any, opened: Opened, question: Request
) -> None:
    server.does(server.says(429, {"error": {"code": "insufficient_quota", "message": "pay"}}))
    with pytest.raises(ModelRejected):
        opened().complete(question)
    assert len(server.requests) == 1


def test_it_waits_as_long_as_it_is_asked_to(server: Any, opened: Opened, question: Request) -> None:
    """With a backoff of an hour, only obeying ``retry-after`` brings an answer."""
    date = format_datetime(datetime(2001, 7, 4, tzinfo=UTC), usegmt=True)
    server.does(
        server.says(429, {}, retry_after="0"),
        server.says(503, {}, retry_after=date),
        server.chat("yes"),
    )
    assert opened(backoff=3600.0).complete(question).text == "yes"


def test_it_does_not_wait_longer_than_the_call_may_take(
    server: Any, opened: Opened, question: Request
) -> None:
    server.does(server.says(429, {}, retry_after="3600"))
    with pytest.raises(ModelUnavailable) as failed:
        opened().complete(question)
    assert failed.value.tried == ("HTTP 429", "no time to wait 3600 s")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("asked", "date", "seconds"),
    [
        ("7", "", 7.0),
        ("0.5", "", 0.5),
        ("Sat, 04 Jul 2026 10:00:30 GMT", "Sat, 04 Jul 2026 10:00:00 GMT", 30.0),
        ("Sat, 04 Jul 2026 10:00:30 -0000", "Sat, 04 Jul 2026 10:00:00 GMT", 30.0),
        ("Sat, 04 Jul 2026 09:00:00 GMT", "Sat, 04 Jul 2026 10:00:00 GMT", 0.0),
        ("", "", None),
        ("soon", "", None),
        ("-1", "", None),
        ("Sat, 99 Jul 99999 10:00:30 GMT", "", None),
        ("9" * 5000, "", float("inf")),
    ],
)
def test_both_forms_of_retry_after(asked: str, date: str, seconds: float | None) -> None:
    assert asked_wait({"retry-after": asked, "date": date}) == seconds


@pytest.mark.parametrize("before", [b"", b"HTTP/1.1 200 OK\r\nx-slow: ", OK])
def test_a_slow_drip_ends_at_the_deadline(
    server: Any, opened: Opened, question: Request, before: bytes
) -> None:
    """Each byte comes in time; together they never end. Asking again would cost as much."""
    server.does(server.drips(before, b"a") if before else server.silent)
    with pytest.raises(ModelUnavailable, match=r"no answer within 0\.3 s") as failed:
        opened(timeout_seconds=0.3).complete(question)
    assert failed.value.tokens == question.tokens + 50
    assert len(server.requests) == 1


@pytest.mark.parametrize("sent", [b"", b"HTTP/1.1 200", OK + b'{"choices": [', b"nonsense\r\n\r\n"])
def test_a_cut_connection_is_tried_again_and_booked(
    server: Any, opened: Opened, question: Request, sent: bytes
) -> None:
    server.does(server.cut(sent), server.chat("yes"))
    reply = opened().complete(question)
    assert reply.text == "yes"
    assert (reply.tokens_in, reply.estimated) == (11 + question.tokens + 50, True)


def test_a_connection_that_is_always_cut(server: Any, opened: Opened, question: Request) -> None:
    server.does(server.cut(OK))
    with pytest.raises(ModelUnavailable, match="cut off") as failed:
        opened().complete(question)
    assert len(failed.value.tried) == 3
    assert failed.value.tokens == 3 * (question.tokens + 50)


def test_nobody_there_costs_nothing(server: Any, opened: Opened, question: Request) -> None:
    model = opened()
    server.close()
    with pytest.raises(ModelUnavailable, match="no connection") as failed:
        model.complete(question)
    assert (len(failed.value.tried), failed.value.tokens) == (3, 0)


@pytest.mark.parametrize("way", ["endless", "long"])
def test_a_body_over_the_bound_is_not_read_to_its_end(
    server: Any, opened: Opened, question: Request, way: str
) -> None:
    server.does(server.endless if way == "endless" else server.says(200, b" " * (8 * 2**20 + 1)))
    with pytest.raises(UnusableReply) as failed:
        opened().complete(question)
    assert failed.value.flaw is Flaw.TOO_LARGE
    assert failed.value.tokens == question.tokens + 50


def test_a_long_complaint_is_cut(server: Any, opened: Opened, question: Request) -> None:
    server.does(server.says(400, b"no " * 1_000_000))
    with pytest.raises(ModelRejected) as failed:
        opened().complete(question)
    assert len(failed.value.message) < 300


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(
    server: Any, opened: Opened, question: Request, status: int
) -> None:
    server.does(server.says(status, {}, location=f"{server.url}/elsewhere"))
    with pytest.raises(ModelRejected, match="not followed") as failed:
        opened().complete(question)
    assert "llm.base_url" in failed.value.hint
    assert len(server.requests) == 1


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
@pytest.mark.parametrize("status", [200, 400, 401, 500])
def test_a_key_that_the_server_repeats_is_in_no_error(
    server: Any, opened: Opened, question: Request, key: str, provider: str, status: int
) -> None:
    server.does(server.says(status, {"error": {"message": f"the key {key} is\x1b[31m bad"}}))
    model = opened(provider)
    with pytest.raises(CallFailed) as failed:
        model.complete(question)
    told = "".join(traceback.format_exception(failed.value))
    assert key not in told + repr(failed.value) + failed.value.hint + repr(model)
    assert "\x1b" not in told
    assert key in str(server.requests[0]["headers"])


def test_nothing_for_this_machine_goes_through_a_proxy(
    server: Any, opened: Opened, question: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://192.0.2.1:9")
    server.does(server.chat("yes"))
    assert opened().complete(question).text == "yes"


def test_half_a_surrogate_pair_is_sent_as_something(server: Any, opened: Opened) -> None:
    server.does(server.chat("yes"))
    opened().complete(Request(system="", prompt="a\ud800b"))
    assert server.bodies[0]["messages"] == [{"role": "user", "content": "a?b"}]
