"""The scripted model of scripts/e2e: one suite over the four protocols that it speaks."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from conversation import Asked, Piece
from scripted_model import ScriptedModel
from story import Scene, Story

PROMPT = "How is the gate oiled?"
LINE = "Every two weeks."
NOTE = "The gate is oiled every two weeks"
JSON = dict[str, Any]


@dataclass(frozen=True)
class Protocol:
    """A client of one protocol: how it asks, and how it goes on after its tool was called."""

    path: str
    request: Callable[[bool], JSON]
    go_on: Callable[[JSON, JSON], None]
    called: Callable[[JSON], JSON]
    said: Callable[[JSON], str]
    streamed: str


def _anthropic_on(body: JSON, reply: JSON) -> None:
    result = {"type": "tool_result", "tool_use_id": reply["content"][0]["id"], "content": "Noted"}
    body["messages"] += [
        {"role": "assistant", "content": reply["content"]},
        {"role": "user", "content": [result]},
    ]


def _responses_on(body: JSON, reply: JSON) -> None:
    call = reply["output"][0]
    result = {"type": "function_call_output", "call_id": call["call_id"], "output": "Noted"}
    body["input"] += [call, result]


def _chat_on(body: JSON, reply: JSON) -> None:
    message = reply["choices"][0]["message"]
    identity = message["tool_calls"][0]["id"]
    body["messages"] += [message, {"role": "tool", "tool_call_id": identity, "content": "Noted"}]


def _gemini_on(body: JSON, reply: JSON) -> None:
    content = reply["candidates"][0]["content"]
    name = content["parts"][0]["functionCall"]["name"]
    result = {"functionResponse": {"name": name, "response": {"output": "Noted"}}}
    body["contents"] += [content, {"role": "user", "parts": [result]}]


PROTOCOLS = {
    "anthropic": Protocol(
        path="/v1/messages?beta=true",
        request=lambda stream: {
            "model": "m",
            "stream": stream,
            "system": [{"type": "text", "text": "Be brief."}],
            "messages": [{"role": "user", "content": PROMPT}],
            "tools": [{"name": "mcp__jmem__memory_note"}],
        },
        go_on=_anthropic_on,
        called=lambda reply: reply["content"][0]["input"],
        said=lambda reply: reply["content"][0]["text"],
        streamed="event: message_stop",
    ),
    "responses": Protocol(
        path="/v1/responses",
        request=lambda stream: {
            "model": "m",
            "stream": stream,
            "instructions": "Be brief.",
            "input": [{"role": "user", "content": [{"type": "input_text", "text": PROMPT}]}],
            "tools": [
                {"type": "function", "name": "shell"},
                {
                    "type": "namespace",
                    "name": "mcp__jmem",
                    "tools": [{"type": "function", "name": "memory_note"}],
                },
            ],
        },
        go_on=_responses_on,
        called=lambda reply: json.loads(reply["output"][0]["arguments"]),
        said=lambda reply: reply["output"][0]["content"][0]["text"],
        streamed="event: response.completed",
    ),
    "chat": Protocol(
        path="/v1/chat/completions",
        request=lambda stream: {
            "model": "m",
            "stream": stream,
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": PROMPT},
            ],
            "tools": [{"type": "function", "function": {"name": "jmem_memory_note"}}],
        },
        go_on=_chat_on,
        called=lambda reply: json.loads(
            reply["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]
        ),
        said=lambda reply: reply["choices"][0]["message"]["content"],
        streamed="data: [DONE]",
    ),
    "gemini": Protocol(
        path="/v1beta/models/m:generateContent",
        request=lambda stream: {
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "contents": [{"role": "user", "parts": [{"text": PROMPT}]}],
            "tools": [{"functionDeclarations": [{"name": "mcp_jmem_memory_note"}]}],
        },
        go_on=_gemini_on,
        called=lambda reply: reply["candidates"][0]["content"]["parts"][0]["functionCall"]["args"],
        said=lambda reply: reply["candidates"][0]["content"]["parts"][0]["text"],
        streamed='"finishReason": "STOP"',
    ),
}


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(Story((Scene(PROMPT, LINE, note=NOTE),)).answer) as running:
        yield running


def post(model: ScriptedModel, path: str, body: JSON) -> str:
    request = urllib.request.Request(model.url + path, json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=10) as reply:
        return str(reply.read().decode())


@pytest.mark.parametrize("name", PROTOCOLS)
def test_it_calls_the_tool_and_then_says_its_line(model: ScriptedModel, name: str) -> None:
    protocol = PROTOCOLS[name]
    body = protocol.request(False)
    first = json.loads(post(model, protocol.path, body))
    assert protocol.called(first) == {"text": NOTE}
    protocol.go_on(body, first)
    assert protocol.said(json.loads(post(model, protocol.path, body))) == LINE

    last = model.asked[-1]
    assert [piece.role for piece in last.pieces] == ["system", "user", "call", "result"]
    assert {"Be brief.", PROMPT} <= set(last.text.splitlines())
    assert "Noted" in last.pieces[-1].text


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_stream_carries_the_same_answer(model: ScriptedModel, name: str) -> None:
    protocol = PROTOCOLS[name]
    path = protocol.path.replace(":generate", ":streamGenerate")
    told = post(model, path, protocol.request(True))
    assert protocol.streamed in told
    assert NOTE in told
    assert told.endswith("\n\n")


@pytest.mark.parametrize("name", PROTOCOLS)
def test_without_the_tool_it_only_speaks(model: ScriptedModel, name: str) -> None:
    protocol = PROTOCOLS[name]
    body = protocol.request(False)
    del body["tools"]
    assert protocol.said(json.loads(post(model, protocol.path, body))) == LINE


def test_it_is_in_the_scene_whose_prompt_came_last() -> None:
    story = Story((Scene("one?", "One."), Scene("two?", "Two.")))
    asked = _asked("one? ", "two? ", "one? again")
    assert story.answer(asked) == story.answer(_asked("one?"))
    assert story.answer(asked) != story.answer(_asked("one?", "two?"))


def test_what_it_does_not_serve_is_refused_and_told(model: ScriptedModel) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(model, "/v1/telemetry", {})
    caught.value.close()
    assert caught.value.code == 404
    assert model.refused == ["POST /v1/telemetry"]
    assert not model.asked


def _asked(*prompts: str) -> Asked:
    pieces = tuple(Piece("user", prompt) for prompt in prompts)
    return Asked(path="/", model="m", stream=False, pieces=pieces, tools=())
