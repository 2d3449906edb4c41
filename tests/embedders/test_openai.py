"""An embeddings server on loopback, asked as a user's settings say, whatever it sends back."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from jmem.embedders import providers
from jmem.embedders.embedder import Embedder
from jmem.errors import ConfigError
from jmem.llm.model import ModelRejected, ModelUnavailable, UnusableReply

np = pytest.importorskip("numpy")
KEY = "not-a-real-key-0123456789"


class Embeddings:
    """A server. It counts the letters a, b and c; ``reply`` overrides what it sends."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.status = 200
        self.reply: Any = None
        embeddings = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                embeddings.asked.append(body)
                embeddings.keys.append(self.headers["authorization"])
                sent = json.dumps(embeddings.answer(body["input"])).encode()
                self.send_response(embeddings.status if self.path == "/v1/embeddings" else 404)
                self.send_header("content-length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def answer(self, texts: list[str]) -> Any:
        if self.reply is not None:
            return self.reply
        rows = [[text.count(letter) + 1.0 for letter in "abc"] for text in texts]
        data = [{"index": place, "embedding": row} for place, row in enumerate(rows)]
        return {"data": data[::-1]}  # the order is the server's own affair

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def server() -> Iterator[Embeddings]:
    embeddings = Embeddings()
    yield embeddings
    embeddings.close()


def opened(url: str, *, key_in: str = "", **environ: str) -> Embedder:
    settings = {
        "recall.embedder_model": "letters-1",
        "recall.embedder_base_url": url,
        "recall.embedder_api_key_env": key_in,
    }
    embedder = providers.open_embedder("openai", settings, cache="", environ=environ)
    assert embedder is not None
    return embedder


def unit(*numbers: float) -> Any:
    return pytest.approx(np.array(numbers) / np.linalg.norm(numbers), abs=1e-6)


def test_vectors_come_in_the_order_of_the_texts_and_have_length_one(server: Embeddings) -> None:
    embedder = opened(server.url)
    vectors = embedder.documents(["aab", "", "c"])
    assert vectors.dtype == np.float32
    assert vectors[0] == unit(3, 2, 1)
    assert not vectors[1].any()
    assert vectors[2] == unit(1, 1, 2)
    assert embedder.query("aab") == unit(3, 2, 1)
    assert embedder.query(" ") == [0, 0, 0]
    assert all("" not in body["input"] for body in server.asked)
    assert server.asked[0]["model"] == "letters-1"


def test_many_texts_are_asked_in_several_calls(server: Embeddings) -> None:
    vectors = opened(server.url).documents(["a" * number for number in range(150)])
    assert len(server.asked) == 3
    assert vectors[149] == unit(150, 1, 1)
    assert opened(server.url).documents([]).shape == (0, 0)


def test_of_a_long_query_the_end_is_sent_and_of_a_document_the_beginning(
    server: Embeddings,
) -> None:
    embedder = opened(server.url)
    embedder.query("a" * 50_000 + "b")
    embedder.documents(["a" + "b" * 50_000])
    (query,), (document,) = (body["input"] for body in server.asked)
    assert query.endswith("ab")
    assert document.startswith("ab")
    assert len(query) == len(document) < 10_000


def test_the_address_is_part_of_the_id(server: Embeddings) -> None:
    here, there = opened(server.url), opened("http://127.0.0.1:1/v1")
    assert here.id != there.id
    assert here.id.startswith("openai:letters-1")


def test_a_key_goes_only_where_the_user_said(server: Embeddings) -> None:
    opened(server.url, OPENAI_API_KEY=KEY).query("a")
    opened(server.url, key_in="MY_KEY", MY_KEY=KEY).query("a")
    assert server.keys == [None, f"Bearer {KEY}"]


def test_settings_that_cannot_work_are_named_as_the_user_wrote_them() -> None:
    for settings, named in (
        ({}, "recall.embedder_model"),
        ({"recall.embedder_model": "m", "recall.embedder_base_url": "here"}, "base_url"),
        ({"recall.embedder_model": "m"}, "OPENAI_API_KEY"),
    ):
        with pytest.raises(ConfigError, match=named) as caught:
            providers.open_embedder("openai", settings, cache="", environ={})
        assert "llm." not in caught.value.message + caught.value.hint


def test_a_refusal_names_the_settings_and_never_the_key(server: Embeddings) -> None:
    server.status, server.reply = 401, {"error": {"message": f"bad key {KEY}"}}
    with pytest.raises(ModelRejected, match="HTTP 401: bad key") as caught:
        opened(server.url, key_in="MY_KEY", MY_KEY=KEY).query("a")
    assert KEY not in caught.value.message
    assert "recall.embedder_api_key_env" in caught.value.hint


@pytest.mark.parametrize(
    "reply",
    [
        [],
        {"data": []},
        {"data": [{"index": 0, "embedding": []}]},
        {"data": [{"index": 7, "embedding": [1, 2]}]},
        {"data": [{"index": 0, "embedding": ["x"]}]},
        {"data": [{"index": 0, "embedding": [0, 0]}]},
        {"data": [{"index": 0, "embedding": [1e400]}]},
        {"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]},
        {"choices": [{"message": {"content": "Hello"}}]},
    ],
)
def test_what_are_no_vectors_is_refused(server: Embeddings, reply: Any) -> None:
    server.reply = reply
    with pytest.raises(UnusableReply, match="openai:letters-1 sent"):
        opened(server.url).query("a")


def test_vectors_of_several_lengths_are_refused(server: Embeddings) -> None:
    rows = [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1, 2, 3]}]
    server.reply = {"data": rows}
    with pytest.raises(UnusableReply, match="more than one length"):
        opened(server.url).documents(["a", "b"])


def test_nobody_waits_long_for_a_server_that_fails(server: Embeddings) -> None:
    server.status = 500
    with pytest.raises(ModelUnavailable, match="HTTP 500"):
        opened(server.url).query("a")
    assert len(server.asked) == 1


def test_no_credential_is_sent_also_where_a_long_query_is_cut(server: Embeddings) -> None:
    token = "gh" + "p_" + "a1B2c3D4" * 5
    embedder = opened(server.url)
    for tail in (0, 5_980):  # whole, and cut in its middle
        embedder.query(f"Push with {token} " + "b" * tail)
    sent = "".join(text for body in server.asked for text in body["input"])
    assert token[-10:] not in sent
    assert "[REDACTED" in sent
