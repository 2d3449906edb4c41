"""What only Codex's formats have."""

from __future__ import annotations

import json

import pytest

from jmem.transcripts.entries import Role, ToolCall, ToolResult, Turn
from jmem.transcripts.reader import inspect


def texts(writer, path, role=Role.USER):
    turns = [entry for entry in writer.entries(path) if isinstance(entry, Turn)]
    return [turn.text for turn in turns if turn.role is role]


def test_one_side_alone_is_enough(codex, save):
    item, event = codex.user("Plant a hedge")
    for line in (item, event):
        assert texts(codex, save(*codex.head(), line)) == ["Plant a hedge"]


def test_three_sides_give_one_turn(codex, save):
    item = {"type": "UserMessage", "content": [{"type": "text", "text": "Plant a hedge"}]}
    completed = codex.line("event_msg", type="item_completed", item=item)
    path = save(*codex.head(), completed, *codex.user("Plant a hedge"))
    assert texts(codex, path) == ["Plant a hedge"]


def test_the_ide_prefix_is_not_the_prompt(codex, save):
    text = (
        "# Context from my IDE setup:\n\n## Open tabs:\n- a\n\n## My request for Codex:\nPlant it"
    )
    assert texts(codex, save(*codex.head(), *codex.user(text))) == ["Plant it"]


@pytest.mark.parametrize(
    "text",
    [
        "<user_instructions>x</user_instructions>",
        "<turn_aborted>\n  <reason>interrupted</reason>\n</turn_aborted>",
        "<skill>\n<name>x</name></skill>",
        "<brand_new_context>x</brand_new_context>",
    ],
)
def test_items_that_are_context(codex, save, text):
    item, _ = codex.user(text)
    assert texts(codex, save(*codex.head(), item)) == []


def test_hook_context_comes_as_a_developer(codex, save):
    part = [{"type": "input_text", "text": "User always wants hedges"}]
    line = codex.line("response_item", type="message", role="developer", content=part)
    assert texts(codex, save(*codex.head(), line)) == []


def test_image_markers_are_not_text(codex, save):
    parts = [{"type": "input_text", "text": t} for t in ("<image>", "</image>", "What is it?")]
    line = codex.line("response_item", type="message", role="user", content=parts)
    assert texts(codex, save(*codex.head(), line)) == ["What is it?"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"source": {"subagent": "review"}}, (True, False)),
        ({"thread_source": "subagent"}, (True, False)),
        ({"originator": "codex_exec"}, (False, True)),
        ({"source": "exec"}, (False, True)),
        ({}, (False, False)),
    ],
)
def test_who_sat_in_front(codex, save, fields, expected):
    (head,) = codex.head()
    head["payload"].update(fields)
    info = codex.info(save(head))
    assert (info.subagent, info.headless) == expected


def test_the_first_head_is_the_files_own(codex, save):
    head, parent = codex.head() + codex.head()
    head["payload"]["forked_from_id"] = "parent"
    parent["payload"].update(id="parent", cwd="/srv/elsewhere")
    info = codex.info(save(head, parent))
    assert (info.id, info.forked_from, info.cwd) == ("5e55-0001", "parent", "/srv/orchard")


@pytest.mark.parametrize(
    ("output", "text", "failed"),
    [
        ("plain", "plain", False),
        ("Exit code: 2\nOutput:\nno", "Exit code: 2\nOutput:\nno", True),
        ("Process exited with code 0\nok", "Process exited with code 0\nok", False),
        ('{"output":"x","metadata":{"exit_code":1}}', "x", True),
        ('{"output":"x","metadata":{"exit_code":0}}', "x", False),
        ('{"broken', '{"broken', False),
        ([{"type": "input_text", "text": "x"}], "x", False),
        ({"content": "x", "success": False}, "x", True),
        (None, "", False),
    ],
)
def test_results_in_every_shape(codex, save, output, text, failed):
    line = codex.line("response_item", type="function_call_output", call_id="c", output=output)
    (found,) = codex.entries(save(*codex.head(), line))
    assert isinstance(found, ToolResult) and (found.text, found.failed) == (text, failed)


def test_a_patch_names_its_files(codex, save):
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n*** Add File: b.py\n+x\n*** End Patch"
    line = codex.line(
        "response_item", type="custom_tool_call", name="apply_patch", input=patch, call_id="c"
    )
    on_a_shell = codex.line(
        "response_item",
        type="function_call",
        name="shell",
        arguments=json.dumps({"command": ["apply_patch", patch]}),
        call_id="d",
    )
    for call in codex.entries(save(*codex.head(), line, on_a_shell)):
        assert isinstance(call, ToolCall) and call.paths == ("a.py", "b.py") and not call.command


def test_the_bare_lines_of_2025(codex, save):
    head = {"id": "old-1", "timestamp": "2025-07-01T09:00:00Z", "instructions": None, "git": {}}
    context = "<environment_context>\n<cwd>/srv/old</cwd>\n</environment_context>"
    parts = [[{"type": "input_text", "text": text}] for text in (context, "Plant a hedge")]
    path = save(
        head,
        {"record_type": "state"},
        *({"type": "message", "role": "user", "content": part} for part in parts),
        {"type": "local_shell_call", "call_id": "c", "action": {"command": ["ls", "a b"]}},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "ok"}],
        },
    )
    found = inspect(path)
    assert (found.info.agent, found.info.id, found.info.cwd) == ("codex", "old-1", "/srv/old")
    user, call, assistant = found.entries()
    assert (user.text, call.command, assistant.text) == ("Plant a hedge", "ls 'a b'", "ok")


def test_the_one_object_of_the_typescript_client(codex, tmp_path):
    part = [{"type": "input_text", "text": "Plant a hedge"}]
    session = {"id": "ts-1", "timestamp": "2025-04-20T09:00:00Z", "instructions": ""}
    items = [{"type": "message", "role": "user", "content": part}]
    path = tmp_path / "rollout-2025-04-20-ts-1.json"
    path.write_text(json.dumps({"session": session, "items": items}, indent=2))
    assert inspect(path).info.id == "ts-1"
    assert texts(codex, path) == ["Plant a hedge"]


def test_discovers_rollouts_only(codex, save):
    path = save(*codex.head(), name="sessions/2026/07/04/rollout-2026-07-04T10-00-00-x.jsonl")
    save({"session_id": "a"}, name="sessions/history.jsonl")
    assert list(codex.reader.discover(path.parents[3])) == [path]
