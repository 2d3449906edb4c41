"""Lines of JSON over real pipes: bounded, whole, and never anything else."""

from __future__ import annotations

import json
import os
import threading
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.mcp.wire import MAX_LINE, NotJson, TooLong, Wire


class Pipe:
    """Two pipes with a wire between them; ``give`` is what the client writes before it goes."""

    def __init__(self) -> None:
        self.client_in, sink = os.pipe()
        source, self.client_out = os.pipe()
        self.ends = [sink, source]
        self.wire = Wire(source, sink)

    def give(self, *parts: bytes) -> None:
        def write() -> None:
            for part in parts:
                os.write(self.client_out, part)
            os.close(self.client_out)

        self.writer = threading.Thread(target=write)
        self.writer.start()

    def close(self) -> None:
        if hasattr(self, "writer"):
            self.writer.join(timeout=10)
        for descriptor in (*self.ends, self.client_in):
            os.close(descriptor)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    opened = Pipe()
    yield opened
    opened.close()


def test_messages_come_one_a_line_however_they_arrive(pipe: Pipe) -> None:
    pipe.give(b'{"a"', b": 1}\n\n  \r\n[2]", b'\n"\xc3\xa9"\r\n7')
    assert [pipe.wire.receive() for _ in range(4)] == [{"a": 1}, [2], "é", 7]
    with pytest.raises(EOFError):
        pipe.wire.receive()


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"\xff\xfe{}",
        b"NaN",
        b'{"a": Infinity}',
        b"[" * 100_000,
        b"9" * 5_000,
        '{"a":1}'.encode("utf-16"),
    ],
)
def test_what_is_no_json_is_passed_over(pipe: Pipe, line: bytes) -> None:
    pipe.give(line.replace(b"\n", b"") + b"\n[1]\n")
    with pytest.raises(NotJson):
        pipe.wire.receive()
    assert pipe.wire.receive() == [1]


def test_a_huge_line_is_never_in_memory(pipe: Pipe) -> None:
    pipe.give(*[b"x" * 65_536] * 400, b"\n[1]\n")
    tracemalloc.start()
    with pytest.raises(TooLong):
        pipe.wire.receive()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * MAX_LINE
    assert pipe.wire.receive() == [1]


def test_the_largest_line_is_read_and_one_more_byte_is_not(pipe: Pipe) -> None:
    whole = b'"' + b"x" * (MAX_LINE - 2) + b'"'
    pipe.give(whole + b"\n", b" " + whole + b"\n")
    assert len(str(pipe.wire.receive())) == MAX_LINE - 2
    with pytest.raises(TooLong):
        pipe.wire.receive()


def test_a_huge_line_without_end_ends_too(pipe: Pipe) -> None:
    pipe.give(*[b"x" * 65_536] * 40)
    with pytest.raises(TooLong):
        pipe.wire.receive()
    with pytest.raises(EOFError):
        pipe.wire.receive()


def test_waiting_has_an_end(pipe: Pipe) -> None:
    os.write(pipe.client_out, b'{"half": ')
    with pytest.raises(TimeoutError):
        pipe.wire.receive(0.01)
    pipe.give(b"1}\n")
    assert pipe.wire.receive(5) == {"half": 1}


def test_pipes_that_do_not_block_are_waited_for(pipe: Pipe) -> None:
    for descriptor in pipe.ends:
        os.set_blocking(descriptor, False)
    large = ["x" * 300_000]
    read: list[bytes] = []

    def listen() -> None:
        with os.fdopen(os.dup(pipe.client_in), "rb") as sent:
            read.append(sent.readline())

    reader = threading.Thread(target=listen)
    reader.start()
    pipe.give(b"[1]\n")
    assert pipe.wire.receive() == [1]
    pipe.wire.send(large)
    reader.join(timeout=10)
    assert json.loads(read[0]) == large


@given(st.lists(st.text(max_size=20), max_size=4))
def test_what_is_sent_is_one_line_of_ascii(texts: list[str]) -> None:
    source, sink = os.pipe()
    Wire(-1, sink).send({"texts": texts})
    os.close(sink)
    with os.fdopen(source, "rb") as sent:
        data = sent.read()
    assert data.count(b"\n") == 1
    assert json.loads(data.decode("ascii")) == {"texts": texts}
