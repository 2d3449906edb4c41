"""The static embedder over the real table: its vectors mean something, with numpy and without."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jmem.embedders import providers
from jmem.embedders.embedder import Embedder

np = pytest.importorskip("numpy")
pytestmark = pytest.mark.skipif(
    not providers.available(providers.STATIC), reason="the wordllama wheel is not installed"
)

TEXTS = [
    "Run the database migrations before you start the server",
    "The user prefers short answers",
    "Chickens lay eggs in the barn",
    "提交前先运行测试",
    "",
]


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    opened = providers.open_embedder("static", {}, cache=str(tmp_path_factory.mktemp("cache")))
    assert opened is not None
    return opened


def nearest(embedder: Embedder, query: list[float]) -> str:
    return TEXTS[int(np.argmax(embedder.documents(TEXTS) @ np.asarray(query)))]


def test_vectors_have_length_one_and_an_empty_text_has_none(embedder: Embedder) -> None:
    vectors = embedder.documents(TEXTS)
    assert vectors.shape == (5, embedder.dimensions) == (5, 256)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1, 1, 0], abs=1e-5)
    assert embedder.documents([]).shape == (0, 256)
    assert embedder.documents(["", "…"]).any() == np.False_


def test_other_words_of_the_same_meaning_are_near(embedder: Embedder) -> None:
    assert nearest(embedder, embedder.query("hens in a stable")) == TEXTS[2]
    assert nearest(embedder, embedder.query("brief replies")) == TEXTS[1]
    assert nearest(embedder, embedder.query("测试")) == TEXTS[3]


def test_a_query_and_a_document_of_the_same_words_have_the_same_vector(embedder: Embedder) -> None:
    for text in TEXTS:
        document = embedder.documents([text])[0]
        assert embedder.query(text) == pytest.approx(document.tolist(), abs=1e-5)


def test_how_texts_are_grouped_changes_nothing(embedder: Embedder) -> None:
    many = [f"{text} {number}" for number in range(150) for text in TEXTS]
    together = embedder.documents(many)
    assert together[7] == pytest.approx(embedder.documents([many[7]])[0], abs=1e-6)
    assert together[-2] == pytest.approx(embedder.documents([many[-2]])[0], abs=1e-6)


def test_a_rare_word_outweighs_common_ones(embedder: Embedder) -> None:
    question = "which server answers when the barn burns"
    asked: list[str] = []

    def rarity(words: list[str]) -> dict[str, float]:
        asked.extend(words)
        return {word: 9.0 if word == "barn" else 0.0 for word in words}

    weighed = embedder.query(question, rarity)
    assert nearest(embedder, weighed) == TEXTS[2]
    assert asked == question.split()  # each word once, as it is written
    assert embedder.query(question, lambda _: {}) == embedder.query(question)


def test_characters_of_an_unspaced_script_are_weighed_one_by_one(embedder: Embedder) -> None:
    asked: list[str] = []

    def rarity(words: list[str]) -> dict[str, float]:
        asked.extend(words)
        return dict.fromkeys(words, 1.0)

    assert embedder.query("运行，测试 naïve", rarity) == pytest.approx(
        embedder.query("运行，测试 naïve")
    )
    assert asked == ["运", "行", "，", "测", "试", "naïve"]


def test_the_end_of_a_long_query_counts(embedder: Embedder) -> None:
    noise = "chickens and eggs " * 3000
    assert nearest(embedder, embedder.query(noise + "database migrations " * 300)) == TEXTS[0]


def test_a_query_needs_no_numpy(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from jmem.embedders import providers\n"
        f"opened = providers.open_embedder('static', {{}}, cache={str(tmp_path)!r})\n"
        "assert opened and opened.query('hens in a stable', dict.fromkeys)\n"
        "heavy = {'numpy', 'wordllama', 'tokenizers', 'typing', 'dataclasses', 'logging'}\n"
        "print(*heavy & set(sys.modules))\n"
    )
    program = program.replace("dict.fromkeys", "lambda terms: dict.fromkeys(terms, 1.0)")
    for _ in range(2):  # the second time with the pieces that the first one kept
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
    assert done.stdout.split() == []
    assert os.listdir(tmp_path)
