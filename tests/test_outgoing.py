"""What leaves jmem is masked, whatever its shape."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import clock
from jmem.disclosure import shown
from jmem.model import NoteFile, Origin, Source, Trust
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


def test_a_value_is_given_with_its_words_masked_and_its_places_as_they_are() -> None:
    note = NoteFile(
        path=f"/notes/{TOKEN}.md",
        name="n.md",
        id="n1234567",
        text=f"Log in with {TOKEN}.",
        kind="fact",
        source=Source.USER,
        origin=Origin.CLI,
        trust=Trust.HIGH,
        session="",
        cwd="",
        tags=("ci",),
        time=clock.EPOCH,
    )
    (masked_note,) = shown([note])
    assert masked_note == replace(note, text="Log in with [REDACTED:github-token].")
    assert shown(replace(note, text="Log in.")).source is Source.USER
