"""How long a client waits for the MCP server: for its first reply, and for each of many notes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

COMMAND = str(Path(sys.executable).with_name("jmem"))
OPENING = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench"}}


def first_reply(where: Path, environment: dict[str, str]) -> tuple[float, float]:
    """Wall seconds from the start of a server to its first reply, and CPU seconds of its life."""
    before = os.times()
    started = time.perf_counter()
    with _server(where, environment) as server:
        _asked(server, "initialize", OPENING)
        wall = time.perf_counter() - started
        server.communicate()
    after = os.times()
    cpu = after.children_user + after.children_system
    return wall, cpu - before.children_user - before.children_system


def notes(where: Path, environment: dict[str, str], count: int) -> dict[str, float]:
    """Milliseconds for each of so many notes through one connection.

    ``first_ms`` loads what the others find loaded. The disk alone: two files written and synced,
    which is what a note cannot do without.
    """
    taken = []
    with _server(where, environment) as server:
        _asked(server, "initialize", OPENING)
        for number in range(count):
            text = (
                f"Gate {number} of orchard {number * 7919 % count} opens at {number % 24} o'clock"
            )
            call = {"name": "memory_note", "arguments": {"text": text}}
            started = time.perf_counter()
            reply = _asked(server, "tools/call", call)
            taken.append(1000 * (time.perf_counter() - started))
            assert not reply["result"]["isError"], reply
        server.communicate()
    disk = sorted(_synced(where, number) for number in range(count))
    ordered = sorted(taken)
    return {
        "count": count,
        "first_ms": round(taken[0], 2),
        "p50_ms": round(ordered[count // 2], 2),
        "p99_ms": round(ordered[count * 99 // 100], 2),
        "disk_p50_ms": round(disk[count // 2], 2),
        "disk_p99_ms": round(disk[count * 99 // 100], 2),
    }


def _server(where: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen([COMMAND, "mcp"], cwd=where, env=environment, stdin=pipe, stdout=pipe)


def _asked(server: subprocess.Popen[bytes], method: str, params: dict[str, Any]) -> Any:
    assert server.stdin is not None and server.stdout is not None
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    server.stdin.write(json.dumps(request).encode() + b"\n")
    server.stdin.flush()
    return json.loads(server.stdout.readline())


def _synced(where: Path, number: int) -> float:
    """Milliseconds to make a small file durable: its bytes, then its name."""
    started = time.perf_counter()
    for path, flags in ((where / f"{number}", os.O_CREAT | os.O_WRONLY), (where, os.O_RDONLY)):
        descriptor = os.open(path, flags, 0o600)
        if flags != os.O_RDONLY:
            os.write(descriptor, b"x" * 400)
        os.fsync(descriptor)
        os.close(descriptor)
    return 1000 * (time.perf_counter() - started)
