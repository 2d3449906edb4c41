"""What jmem told an agent is known by the names of its tools and of its command."""

from __future__ import annotations

import pytest

from jmem.transcripts.entries import Report, ToolCall, ToolResult
from jmem.transcripts.own import left_out


def talk(name, command=""):
    call = ToolCall(name=name, arguments="", call_id="c1", time=None, command=command)
    other = ToolCall(name="Bash", arguments="", call_id="c2", time=None, command="ls")
    results = [ToolResult(call_id=key, text=key, failed=False, time=None) for key in ("c1", "c2")]
    return [call, other, *results]


@pytest.mark.parametrize(
    "name",
    [
        "mcp__jmem__memory_recall",
        "mcp_jmem_memory_note",
        "jmem_memory_edit",
        "jmem-memory_note",
        "mcp__plugin_jmem_jmem__memory_recall",
        "memory_recall",
    ],
)
def test_a_call_of_our_tools_is_left_out(name):
    report = Report()
    assert [entry.call_id for entry in left_out(iter(talk(name)), report)] == ["c2", "c2"]
    assert report.skipped == {"call of jmem": 1, "answer of jmem": 1}


@pytest.mark.parametrize("command", ["jmem recall hedges", "/opt/bin/jmem list --json"])
def test_of_a_command_of_ours_the_answer_is_left_out(command):
    entries = list(left_out(iter(talk("Bash", command))))
    assert [(type(entry), entry.call_id) for entry in entries] == [
        (ToolCall, "c1"),
        (ToolCall, "c2"),
        (ToolResult, "c2"),
    ]


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("Bash", "cd jmem && make test"),
        ("Bash", "pytest tests/jmem"),
        ("Bash", "jmem-lint all"),
        ("create_jmemory", ""),
        ("memory_note_list", ""),
        ("read_memory", ""),
    ],
)
def test_nothing_else_is(name, command):
    assert list(left_out(iter(talk(name, command)))) == talk(name, command)


def test_an_answer_without_a_name_is_nobodys():
    call = ToolCall(name="memory_note", arguments="", call_id="", time=None)
    answer = ToolResult(call_id="", text="x", failed=False, time=None)
    assert list(left_out(iter([call, answer]))) == [answer]
