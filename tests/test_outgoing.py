"""What leaves jmem is masked, whatever its shape."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.outgoing import each_masked, masked
from jmem.redact import redact

TOKEN = "ghp" + "_" + "a1B2c3D4e5F6" * 3
PARTS = (
    TOKEN,
    "password: ",
    "hunter2" + "XYZ!9",
    "postgres://ada:" + "s3cr3t-Pa55" + "@db.example/x",
    "-----BEGIN " + "PRIVATE KEY-----\n",
    "MIIEvQ" + "IBADANBgkq" * 6 + "\n",
    "-----END " + "PRIVATE KEY-----",
    "\x1e",
    "\n",
    "The depot listens on port 5432. ",
    "api_key = ",
    '"',
)
_texts = st.lists(st.sampled_from(PARTS), max_size=6).map("".join)


@given(st.lists(_texts, max_size=8))
def test_many_texts_are_masked_like_each_on_its_own(texts: list[str]) -> None:
    assert each_masked(texts) == [redact(text) for text in texts]


def test_every_text_of_a_structure_is_masked_and_nothing_else_changes() -> None:
    held = {"a": [TOKEN, 3, None, {TOKEN: True}], "b": ("plain", Path("/home") / TOKEN)}
    clean = "[REDACTED:github-token]"
    wanted = {"a": [clean, 3, None, {clean: True}], "b": ["plain", Path("/home") / TOKEN]}
    assert masked(held) == wanted
    plain = {"a": ["plain", 1.5], "b": "text"}
    assert masked(plain) is plain
    assert masked(TOKEN) == clean


@pytest.mark.parametrize(
    "path",
    [
        "/root/projects/here-8ca163a3/memories/x-a9qszm66.md",
        "/var/tmp/runs-of-root/run-815/machine16/memory/projects/here-8ca163a3: error",
        "/home/ada/.jmem/projects/api-1a2b3c4d/notes/20261130-150245-the-amber-depot.md",
    ],
)
def test_a_path_is_no_credential(path: str) -> None:
    assert masked(f"noted a9qszm66 (pending): {path}") == f"noted a9qszm66 (pending): {path}"
