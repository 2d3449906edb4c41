"""The tolerant line reader, and the law that no line raises."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jmem.transcripts import injected, jsonl, lines
from jmem.transcripts.beginning import Beginning
from jmem.transcripts.claude_code import ClaudeCode
from jmem.transcripts.codex import Codex
from jmem.transcripts.entries import Report, Turn

A = b'{"a": 1}'


@pytest.mark.parametrize(
    ("content", "expected", "skipped"),
    [
        (b"\xef\xbb\xbf" + A + b"\r\n" + A + b"\r\n", 2, {}),
        (A + A + b"\n", 2, {}),
        (A + b" \t" + A, 2, {}),
        (b"\n\n  \n" + A, 1, {}),
        (b"\x00\x00\x00" + A + b"\x00\n\x00\x00\n", 1, {}),
        (b'{"a": "\xff\xfe"}\n', 1, {}),
        (b'{"a": "cut of', 0, {"not JSON": 1}),
        (b'{"a": {"b": "torn' + A + b"\n", 1, {"not JSON": 1}),
        (b"plain words\n" + A, 1, {"not JSON": 1}),
        (b"[1]\n42\nnull\n" + A, 1, {"not an object": 3}),
        (b"[" * 100_000 + b"\n" + A, 1, {"not JSON": 1}),
        (b"9" * 10_000 + b"\n" + A, 1, {"not JSON": 1}),
    ],
)
def test_dirt(tmp_path: Path, content: bytes, expected: int, skipped: dict[str, int]) -> None:
    path = tmp_path / "dirty.jsonl"
    path.write_bytes(content)
    report = Report()
    assert len(list(jsonl.objects(path, report))) == expected
    assert report.skipped == skipped


def test_an_object_inside_a_torn_line_is_no_line(tmp_path: Path) -> None:
    path = tmp_path / "torn.jsonl"
    path.write_bytes(b'{"data": {"type": "user"}, "more": "torn\n')
    assert list(jsonl.objects(path, Report())) == []


def test_a_line_of_any_length_takes_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE", 100_000)
    path = tmp_path / "wide.jsonl"
    path.write_bytes(A + b"\n" + b'{"b": "' + b"x" * 30_000_000 + b'"}\n' + A)
    tracemalloc.start()
    report = Report()
    assert len(list(jsonl.objects(path, report))) == 2
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert report.skipped == {"line too long": 1}
    assert peak < 5_000_000


def test_wrappers_without_an_end_take_linear_time() -> None:
    text = "<ide_selection>" * 20_000 + "<system-reminder>" * 20_000
    assert injected.without_wrapped(text) == text


line_pieces = st.sampled_from(
    [
        {"type": "user", "message": {"role": "user", "content": "hi"}, "uuid": "1"},
        {"type": "user", "message": {"content": [{"type": "tool_result", "content": [None]}]}},
        {
            "type": "assistant",
            "message": {"content": [{"type": "tool_use", "input": {"command": 1}}]},
        },
        {"type": "queue-operation", "operation": "remove", "content": []},
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": {}}},
        {"type": "session_meta", "payload": {"source": {}, "cwd": 3, "id": []}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": 4}},
        {"type": "response_item", "payload": {"type": "function_call", "arguments": "{"}},
        {"type": "response_item", "payload": {"type": "function_call_output", "output": {}}},
        {"type": "event_msg", "payload": {"type": "item_completed", "item": {"content": [1]}}},
        {"session": {}, "items": [{"type": "message"}, 5]},
    ]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=8,
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A line of a session with one of its values replaced, or bytes flipped."""
    line = json.loads(json.dumps(draw(line_pieces)))
    inner = line
    for _ in range(draw(st.integers(0, 2))):
        nested = [value for value in inner.values() if isinstance(value, dict)]
        inner = nested[0] if nested else inner
    if inner:
        inner[draw(st.sampled_from(sorted(inner)))] = draw(json_values)
    written = json.dumps(line).encode("utf-8", "surrogatepass")
    if draw(st.booleans()):
        place = draw(st.integers(0, len(written)))
        written = written[:place] + draw(st.binary(max_size=6)) + written[place:]
    return written


@pytest.mark.parametrize("reader", [ClaudeCode(), Codex()])
@given(rows=st.lists(mutated() | st.binary(max_size=60), max_size=8))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_line_raises(reader: ClaudeCode | Codex, rows: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"\n".join(rows))
    (info,) = reader.sessions(path)
    for entry in reader.entries(info):
        if isinstance(entry, Turn):
            entry.text.encode()
    reader.recognises(Beginning.of(path))


@pytest.mark.parametrize("reader", [ClaudeCode(), Codex()])
@given(garbage=st.lists(st.binary(max_size=40), min_size=6, max_size=6))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_order_is_kept_between_garbage(
    reader: ClaudeCode | Codex, garbage: list[bytes], tmp_path: Path
) -> None:
    spoken = [f"word {number}" for number in range(5)]
    rows: list[bytes] = []
    for text, dirt in zip(spoken, garbage, strict=False):
        item = {"type": "message", "role": "user", "content": text}
        codex = {"type": "response_item", "payload": item}
        claude = {"type": "user", "message": {"role": "user", "content": text}}
        rows += [dirt, json.dumps(codex if isinstance(reader, Codex) else claude).encode()]
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"\n".join(rows))
    (info,) = reader.sessions(path)
    assert [entry.text for entry in reader.entries(info) if isinstance(entry, Turn)] == spoken
