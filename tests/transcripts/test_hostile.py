"""No file raises, whatever stands in it, and none takes more memory than its bound."""

from __future__ import annotations

import copy
import shutil
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jmem.transcripts import lines, opencode_database
from jmem.transcripts.entries import Turn
from jmem.transcripts.growing import part_of
from jmem.transcripts.reader import Found, every_session

LEAN = settings(
    deadline=None,
    max_examples=6,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
damages = st.tuples(st.floats(0, 1), st.integers(0, 400), st.binary(max_size=40))


def conversation(each):
    return [
        *each.head(),
        *each.user("Plant a hedge"),
        *each.assistant("On it."),
        *each.tool("dig --deep", "dug", failed=True),
        *each.context(),
        *(each.compaction("It grows.") if "compactions" not in each.lacks else []),
        *each.user("Now water it"),
    ]


def read(path: Path) -> list[str]:
    """What was said in all sessions of a file, read in both ways."""
    said = []
    for found in every_session(path):
        if isinstance(found, Found):
            said += [entry.text for entry in found.entries() if isinstance(entry, Turn)]
            part_of(found, 0)
    for text in said:
        text.encode()
    return said


@LEAN
@given(places=st.lists(damages, min_size=1, max_size=3))
def test_no_damage_raises(each, tmp_path: Path, places) -> None:
    whole = tmp_path / "whole"
    if not whole.exists():
        each.save(whole, *conversation(each))
    torn = tmp_path / "torn"
    shutil.rmtree(torn, ignore_errors=True)
    shutil.copytree(whole, torn)
    for path in sorted(each for each in torn.rglob("*") if each.is_file()):
        content = path.read_bytes()
        for place, length, dirt in places:
            begin = int(place * len(content))
            content = content[:begin] + dirt + content[begin + length :]
        path.write_bytes(content)
    for path in sorted(each for each in torn.rglob("*") if each.is_file()):
        read(path)


@LEAN
@given(data=st.data())
def test_no_value_raises(each, tmp_path: Path, data: st.DataObject) -> None:
    """Any value may stand where the client wrote another."""
    rows = copy.deepcopy(conversation(each))
    held = [row for row in rows if isinstance(row, dict)]
    if not held:
        pytest.skip("no format of values")
    inner = data.draw(st.sampled_from(held))
    if "parts" in inner:  # the writer itself needs the message that holds them
        inner = data.draw(st.sampled_from([*inner["parts"], {}]))
        protected = {"id", "messageID"}
    else:
        protected = {"role"} if "role" in inner and each.reader.agent == "jcode" else set()
        protected |= {"$set"} | ({"id"} if each.name == "session.json" else set())
    for _ in range(data.draw(st.integers(0, 3))):
        nested = [value for key, value in inner.items() if isinstance(value, dict)]
        inner = nested[0] if nested else inner
    keys = sorted(inner.keys() - protected)
    if keys:
        inner[data.draw(st.sampled_from(keys))] = data.draw(json_values)
    read(each.save(tmp_path, *rows))


def test_a_value_of_any_length_takes_bounded_memory(
    each, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE", 200_000)
    monkeypatch.setattr(opencode_database, "MAX_LINE", 200_000)
    wide = [*each.head(), *each.user("x" * 12_000_000), *each.user("Plant a hedge")]
    path = each.save(tmp_path, *wide, *each.assistant("Yes."), *each.user("Now water it"))
    tracemalloc.start()
    texts = read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6_000_000
    if each.name not in ("session.json", "5e55-0001.json") or each.reader.agent == "opencode":
        assert texts[0] == "Plant a hedge" and texts[-1] == "Now water it"
