"""The server as a process: what a client sees of it from its start to its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jmem import store
from jmem.cli import app
from jmem.mcp import command
from jmem.mcp.serving import ROOTS_SECONDS
from jmem.scopes import resolve

if TYPE_CHECKING:
    from tests.mcp.conftest import Connection

    Connect = Callable[..., Connection]

FACT = "The staging database listens on port 5433"


def texts(directory: Path) -> list[str]:
    return [note.text for note in store.recent_notes(resolve(directory).root)]


@pytest.mark.parametrize("how", [None, signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_and_leaves_whole_files(
    connect: Connect, here: Path, how: signal.Signals | None
) -> None:
    server = connect()
    server.begin()
    assert "pending, readable now" in server.call("memory_note", text=FACT)
    started = time.monotonic()
    assert server.end(how) == (0, b"", b"")
    assert time.monotonic() - started < 5
    assert texts(here) == [FACT]
    assert all(path.suffix == ".md" for path in (resolve(here).root / "notes").iterdir())


def test_the_first_reply_loads_next_to_nothing() -> None:
    program = (
        "import sys, os; before = set(sys.modules)\n"
        "from jmem.mcp.serving import Server; from jmem.mcp.wire import Wire\n"
        "import jmem.mcp.command\n"
        "source, sink = os.pipe(); out, back = os.pipe()\n"
        'os.write(sink, b\'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}\\n\'\n'
        '    b\'{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}\\n\'); os.close(sink)\n'
        "Server(Wire(source, back), {}).run()\n"
        "import json; print(json.dumps(sorted(set(sys.modules) - before)))\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, check=True)
    loaded = set(json.loads(done.stdout))
    own = {name for name in loaded if name.startswith("jmem")}
    assert own <= {"jmem", "jmem.headless"} | {f"jmem.mcp{each}" for each in _LIGHT}
    heavy = {"click", "dataclasses", "pathlib", "typing", "yaml", "datetime", "logging", "inspect"}
    assert not heavy & loaded


_LIGHT = ("", ".caller", ".command", ".declared", ".protocol", ".serving", ".wire")


def test_what_a_library_prints_does_not_reach_the_client(here: Path) -> None:
    program = (
        "import os, sys\n"
        "from jmem.mcp import tools\n"
        "def loud(*_):\n"
        "    print('printed'); os.write(1, b'written\\n'); os.system('echo child')\n"
        "    return 'quiet', sys.stdin.read() != ''\n"
        "tools.call = loud\n"
        "from jmem.mcp import command; sys.exit(command.answer([]))\n"
    )
    call = {"name": "memory_recall", "arguments": {}}
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        input=request.encode(),
        capture_output=True,
        cwd=here,
        check=True,
        timeout=20,
    )
    reply = json.loads(done.stdout)
    assert reply["result"] == {"content": [{"type": "text", "text": "quiet"}], "isError": False}
    assert sorted(done.stderr.split()) == [b"child", b"printed", b"written"]


def test_a_client_that_reads_no_more_ends_it(connect: Connect) -> None:
    server = connect()
    server.begin()
    assert server.process.stdout is not None
    server.process.stdout.close()
    server.send({"jsonrpc": "2.0", "id": 9, "method": "ping"})
    assert server.process.wait(timeout=20) == 0
    assert server.process.stderr is not None
    assert server.process.stderr.read() == b""


def test_without_standard_input_there_is_nobody(here: Path) -> None:
    program = "import os; os.close(0); from jmem.mcp import command; os._exit(command.answer([]))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, timeout=20, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_huge_line_is_refused_and_the_next_one_answered(connect: Connect) -> None:
    server = connect()
    server.begin()
    server.send_line(b'{"jsonrpc": "2.0", "id": 5, "method": "' + b"x" * 20_000_000 + b'"}')
    assert server.receive()["error"]["code"] == -32600
    server.send_line(b"not json")
    assert server.receive()["error"]["code"] == -32700
    assert server.ask("ping")["result"] == {}


def test_the_roots_of_a_client_say_which_project(connect: Connect, tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    shop.mkdir()
    server = connect(Path("/"))
    server.begin("Visual Studio Code", roots={})
    question = server.receive()
    assert question["method"] == "roots/list"
    call = {"name": "memory_note", "arguments": {"text": FACT}}
    server.send({"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": call})
    server.send({"jsonrpc": "2.0", "id": "b", "method": "ping"})
    roots = {"roots": [{"uri": shop.as_uri(), "name": "shop"}]}
    server.send({"jsonrpc": "2.0", "id": question["id"], "result": roots})
    assert [server.receive()["id"] for _ in range(2)] == ["a", "b"]
    assert texts(shop) == [FACT]


def test_a_client_that_does_not_tell_its_roots_is_not_waited_for_twice(connect: Connect) -> None:
    server = connect(Path("/"))
    server.begin("Visual Studio Code", roots={"listChanged": True})
    assert server.receive()["method"] == "roots/list"
    call = {"name": "memory_note", "arguments": {"text": FACT}}
    reply = server.ask("tools/call", **call)
    assert reply["result"]["isError"]
    assert "there is no project here" in reply["result"]["content"][0]["text"]
    server.send({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})
    assert server.receive()["method"] == "roots/list"
    started = time.monotonic()
    server.send({"jsonrpc": "2.0", "id": "jmem-roots", "error": {"code": -1, "message": "no"}})
    assert server.ask("tools/call", **call)["result"]["isError"]
    assert time.monotonic() - started < ROOTS_SECONDS


def test_a_project_that_is_named_needs_no_roots(connect: Connect, here: Path) -> None:
    server = connect(Path("/"), CLAUDE_PROJECT_DIR=str(here), CLAUDE_CODE_SESSION_ID="5f0c")
    server.begin("claude-code", roots={})
    assert server.receive()["method"] == "roots/list"
    server.call("memory_note", text=FACT)
    (note,) = store.recent_notes(resolve(here).root)
    assert note.session == "claude-code:5f0c"


def test_codex_tells_project_and_session_in_the_call(connect: Connect, here: Path) -> None:
    server = connect(Path("/"))
    server.begin("codex-mcp-client")
    turn = {"session_id": "0199", "workspaces": {str(here): {}}}
    server.call("memory_note", meta={"x-codex-turn-metadata": turn}, text=FACT)
    (note,) = store.recent_notes(resolve(here).root)
    assert note.session == "codex:0199"


def test_many_servers_write_into_one_inbox_and_none_stays(connect: Connect, here: Path) -> None:
    servers = [connect() for _ in range(3)]
    for server in servers:
        server.begin()
    for number in range(4):
        for index, server in enumerate(servers):
            call = {"name": "memory_note", "arguments": {"text": f"Gate {index} opens at {number}"}}
            server.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call})
    for server in servers:
        assert [server.receive()["id"] for _ in range(4)] == list(range(4))
        assert server.end() == (0, b"", b"")
    assert len(texts(here)) == len(set(texts(here))) == 12
    assert len({note.id for note in store.recent_notes(resolve(here).root)}) == 12


def test_help_comes_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.answer(["--help"]) is None
    assert app.run(["mcp", "--help"]) == 0
    assert "memory_note" in capsys.readouterr().out


def test_children_do_not_hold_the_clients_pipes(connect: Connect) -> None:
    """A detached child that inherited the pipe would keep a client waiting for its end."""
    server = connect()
    server.begin()
    server.call("memory_recall", action="recent")
    descriptors = Path(f"/proc/{server.process.pid}/fd")
    if not descriptors.is_dir():
        pytest.skip("only Linux shows the descriptors of a process")
    for name in os.listdir(descriptors):
        flags = (descriptors.parent / "fdinfo" / name).read_text().partition("flags:")[2].split()[0]
        target = os.readlink(descriptors / name)
        assert int(name) <= 2 or target.startswith("/") or int(flags, 8) & os.O_CLOEXEC


def test_an_ephemeral_server_writes_nothing(here: Path, memory_home: Path) -> None:
    call = {"name": "memory_note", "arguments": {"text": FACT}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    start = "import sys; from jmem.entry import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", start, "mcp", "--ephemeral"],
        input=json.dumps(asked) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "ephemeral" in done.stdout
    assert not list(memory_home.rglob("*.md"))
