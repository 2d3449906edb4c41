"""What is sent: the strictest form that a server understands, found once and remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jmem.llm.model import Model, ModelRejected, Request, UnusableReply
from jmem.llm.openai import ChatCompletions
from jmem.llm.remote import Dialect

Opened = Callable[..., Model]
JSON = '{"items": []}'
NO_FORMAT = {"error": {"message": "'response_format.type' must be 'text'"}}


def forms(server: Any) -> list[str]:
    return [body.get("response_format", {}).get("type", "words") for body in server.bodies]


def test_a_completion_is_asked_for_by_schema(
    server: Any, opened: Opened, structured: Request, key: str
) -> None:
    server.does(server.chat(JSON))
    opened().complete(structured)
    sent = server.requests[0]
    assert sent["path"] == "/chat/completions"
    assert sent["headers"]["authorization"] == f"Bearer {key}"
    assert sent["body"] == {
        "model": "m",
        "max_tokens": 50,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "What holds?"},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "items", "strict": True, "schema": structured.schema},
        },
    }


def test_a_message_is_asked_for_by_schema(
    server: Any, opened: Opened, structured: Request, key: str
) -> None:
    server.does(server.message(JSON))
    opened("anthropic", base_url=f"{server.url}/v1/").complete(structured)
    sent = server.requests[0]
    assert sent["path"] == "/v1/messages"
    assert sent["headers"]["x-api-key"] == key
    assert sent["headers"]["anthropic-version"] == "2023-06-01"
    assert sent["body"] == {
        "model": "m",
        "max_tokens": 50,
        "system": "Be brief.",
        "messages": [{"role": "user", "content": "What holds?"}],
        "output_config": {"format": {"type": "json_schema", "schema": structured.schema}},
    }


@pytest.mark.parametrize("status", [400, 422, 501])
def test_a_server_that_knows_no_format_is_asked_in_words_from_then_on(
    server: Any, opened: Opened, structured: Request, status: int
) -> None:
    refuse = server.says(status, NO_FORMAT)
    server.does(refuse, refuse, server.chat(JSON))
    model = opened()
    assert model.complete(structured).data == model.complete(structured).data == {"items": []}
    assert forms(server) == ["json_schema", "json_object", "words", "words"]
    assert structured.schema_text in server.bodies[-1]["messages"][0]["content"]


def test_a_server_that_knows_objects_is_told_the_schema_in_words(
    server: Any, opened: Opened, structured: Request
) -> None:
    server.does(server.says(400, NO_FORMAT), server.chat(JSON))
    model = opened()
    model.complete(structured)
    model.complete(structured)
    assert forms(server) == ["json_schema", "json_object", "json_object"]
    assert structured.schema_text in server.bodies[-1]["messages"][0]["content"]


def test_a_messages_server_without_structured_output_is_asked_in_words(
    server: Any, opened: Opened, structured: Request
) -> None:
    complaint = {"error": {"message": "output_config: Extra inputs are not permitted"}}
    server.does(server.says(400, complaint), server.message(f"Sure: {JSON}"))
    model = opened("anthropic")
    assert model.complete(structured).data == {"items": []}
    model.complete(structured)
    assert ["output_config" in body for body in server.bodies] == [True, False, False]
    assert structured.schema_text in server.bodies[-1]["system"]


def test_a_complaint_about_something_else_is_the_answer(
    server: Any, opened: Opened, structured: Request
) -> None:
    server.does(server.says(400, {"error": {"message": "temperature is too hot"}}))
    with pytest.raises(ModelRejected):
        opened().complete(structured)
    assert len(server.requests) == 1


def test_a_complaint_that_no_form_settles_is_the_answer(
    server: Any, opened: Opened, structured: Request, question: Request
) -> None:
    server.does(server.says(400, NO_FORMAT))
    with pytest.raises(ModelRejected):
        opened().complete(structured)
    assert forms(server) == ["json_schema", "json_object", "words"]
    with pytest.raises(ModelRejected):
        opened().complete(question)
    assert len(server.requests) == 4, "without a schema there is no other form to try"


def test_a_server_that_ignores_the_schema_is_told_it_in_words_next_time(
    server: Any, opened: Opened, structured: Request
) -> None:
    server.does(server.chat("Gladly!"), server.chat(JSON))
    model = opened()
    with pytest.raises(UnusableReply):
        model.complete(structured)
    assert model.complete(structured).data == {"items": []}
    assert structured.schema_text in server.bodies[-1]["messages"][0]["content"]


def test_the_other_name_of_the_longest_answer_is_tried(
    server: Any, opened: Opened, question: Request
) -> None:
    complaint = (
        "Unsupported parameter: 'max_tokens' is not supported with this model."
        " Use 'max_completion_tokens' instead."
    )
    server.does(server.says(400, {"error": {"message": complaint}}), server.chat("yes"))
    model = opened()
    model.complete(question)
    model.complete(question)
    sent = [sorted(body.keys() - {"model", "messages"}) for body in server.bodies]
    assert sent == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]


def test_an_answer_that_may_not_be_so_long_is_no_matter_of_names() -> None:
    complaint = "max_tokens is too large: 32000. this model supports at most 16384"
    assert ChatCompletions().following(Dialect(), complaint) is None
