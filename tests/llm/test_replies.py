"""What counts as a reply, in both forms of server: the rest is a failure that says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jmem.llm.model import Flaw, Model, ModelRejected, Reply, Request, UnusableReply, estimate

Opened = Callable[..., Model]
JSON = '{"items": ["{a}", "b"]}'
DATA = {"items": ["{a}", "b"]}


def said(server: Any, provider: str, text: str) -> Any:
    return server.chat(text) if provider == "openai" else server.message(text)


@pytest.fixture(params=["openai", "anthropic"])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_plain_reply(server: Any, opened: Opened, question: Request, provider: str) -> None:
    server.does(said(server, provider, "It holds."))
    model = opened(provider)
    assert model.complete(question) == Reply("It holds.", None, 11, 7, False, "m-1")
    assert model.name == f"{provider}:m"


@pytest.mark.parametrize(
    "text",
    [
        JSON,
        f"\n{JSON}\n",
        f"\ufeff{JSON}",
        f"Here it is:\n```json\n{JSON}\n```\nIs that {{right}}?",
        f'For example {{"a": 1}}. The answer: {JSON}',
    ],
)
def test_json_is_found_in_the_reply(
    server: Any, opened: Opened, structured: Request, provider: str, text: str
) -> None:
    server.does(said(server, provider, text))
    assert opened(provider).complete(structured).data == DATA


@pytest.mark.parametrize(
    "text", ["I cannot say.", '{"items": ["a"', '["items"]', '"items"', "{'items': 1}"]
)
def test_a_reply_without_json_cannot_be_used(
    server: Any, opened: Opened, structured: Request, provider: str, text: str
) -> None:
    server.does(said(server, provider, text))
    with pytest.raises(UnusableReply) as failed:
        opened(provider).complete(structured)
    assert (failed.value.flaw, failed.value.tokens) == (Flaw.NOT_JSON, 18)


@pytest.mark.parametrize(
    ("finish", "flaw"),
    [
        ("length", Flaw.TRUNCATED),
        ("content_filter", Flaw.REFUSED),
        ("tool_calls", Flaw.MALFORMED),
    ],
)
def test_a_completion_that_did_not_end_well(
    server: Any, opened: Opened, structured: Request, finish: str, flaw: Flaw
) -> None:
    server.does(server.chat(JSON, finish=finish))
    with pytest.raises(UnusableReply) as failed:
        opened().complete(structured)
    assert (failed.value.flaw, failed.value.tokens) == (flaw, 18)
    assert len(server.requests) == 1


def test_a_completion_that_refuses(server: Any, opened: Opened, structured: Request) -> None:
    server.does(server.chat(None, refusal="I will not."))
    with pytest.raises(UnusableReply) as failed:
        opened().complete(structured)
    assert failed.value.flaw is Flaw.REFUSED


@pytest.mark.parametrize(
    ("stop", "flaw"),
    [
        ("max_tokens", Flaw.TRUNCATED),
        ("model_context_window_exceeded", Flaw.TRUNCATED),
        ("refusal", Flaw.REFUSED),
        ("tool_use", Flaw.MALFORMED),
    ],
)
def test_a_message_that_did_not_end_well(
    server: Any, opened: Opened, structured: Request, stop: str, flaw: Flaw
) -> None:
    server.does(server.message(JSON, stop=stop))
    with pytest.raises(UnusableReply) as failed:
        opened("anthropic").complete(structured)
    assert (failed.value.flaw, failed.value.tokens) == (flaw, 18)


@pytest.mark.parametrize(
    ("body", "flaw"),
    [
        ({"choices": []}, Flaw.EMPTY),
        ({"choices": [{"message": {"content": "  "}}]}, Flaw.EMPTY),
        ({"choices": [None]}, Flaw.EMPTY),
        ({"choices": [{"message": "hello"}]}, Flaw.EMPTY),
        ({"choices": "hello"}, Flaw.MALFORMED),
        ({}, Flaw.MALFORMED),
        ([], Flaw.MALFORMED),
        (b"<html>Log in first</html>", Flaw.MALFORMED),
        (b'{"choices": [' + b"[" * 100_000, Flaw.MALFORMED),
        (b"\xff\xfe\x00", Flaw.MALFORMED),
        ({"error": {"message": "overloaded"}}, Flaw.MALFORMED),
    ],
)
def test_a_body_that_is_no_completion(
    server: Any, opened: Opened, question: Request, body: object, flaw: Flaw
) -> None:
    server.does(server.says(200, body))
    with pytest.raises(UnusableReply) as failed:
        opened().complete(question)
    assert failed.value.flaw is flaw
    assert question.tokens <= failed.value.tokens <= question.tokens + 50


@pytest.mark.parametrize("body", [{"content": "hello"}, {}, {"type": "error", "error": {"a": 1}}])
def test_a_body_that_is_no_message(
    server: Any, opened: Opened, question: Request, body: object
) -> None:
    server.does(server.says(200, body))
    with pytest.raises(UnusableReply) as failed:
        opened("anthropic").complete(question)
    assert failed.value.flaw is Flaw.MALFORMED


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": 0, "completion_tokens": -3}, {"prompt_tokens": "many"}]
)
def test_tokens_that_nobody_counted_are_estimated(
    server: Any, opened: Opened, question: Request, usage: object
) -> None:
    body = {"choices": [{"message": {"content": "好的, yes"}}], "usage": usage}
    server.does(server.says(200, body))
    reply = opened().complete(question)
    assert reply == Reply("好的, yes", None, question.tokens, estimate("好的, yes"), True, "m")


def test_an_estimate_is_a_third_of_the_bytes_rounded_up() -> None:
    assert [estimate(text) for text in ("", "a", "abc", "abcd", "好", "\ud800")] == [
        0, 1, 1, 2, 1, 1,
    ]  # fmt: skip


def test_a_thought_before_the_reply_is_not_the_reply(
    server: Any, opened: Opened, structured: Request, question: Request
) -> None:
    thought = 'maybe {"items": []}'
    server.does(
        server.chat(f"<think>{thought}</think>\n{JSON}"),
        server.chat(f"<think>{thought}</think>\nYes."),
        server.chat(f"<think>{thought}"),
    )
    model = opened()
    assert model.complete(structured).data == DATA
    assert model.complete(question).text == "Yes."
    with pytest.raises(UnusableReply) as failed:
        model.complete(structured)
    assert failed.value.flaw is Flaw.EMPTY


def test_a_reply_in_parts(server: Any, opened: Opened, structured: Request) -> None:
    parts = [{"type": "text", "text": JSON[:9]}, {"type": "text", "text": JSON[9:]}, "?", {}]
    server.does(server.chat(parts))
    assert opened().complete(structured).data == DATA


@pytest.mark.parametrize("more", [1, 100_000])
def test_a_call_over_the_window_is_never_made(
    server: Any, opened: Opened, question: Request, provider: str, more: int
) -> None:
    fits = question.tokens + 50
    server.does(said(server, provider, "yes"))
    model = opened(provider, window_tokens=fits, max_output_tokens=50)
    assert model.complete(question).text == "yes"
    longer = Request(system="Be brief.", prompt="What holds?" + "abc" * more, max_output_tokens=50)
    with pytest.raises(ModelRejected, match="do not fit") as failed:
        model.complete(longer)
    assert (failed.value.tokens, len(server.requests)) == (0, 1)


def test_an_answer_is_no_longer_than_the_settings_allow(
    server: Any, opened: Opened, question: Request, provider: str
) -> None:
    server.does(said(server, provider, "yes"))
    opened(provider, max_output_tokens=20).complete(question)
    opened(provider, max_output_tokens=60).complete(question)
    assert [body["max_tokens"] for body in server.bodies] == [20, 50]
