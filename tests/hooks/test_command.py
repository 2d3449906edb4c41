"""``jmem hook`` as a process: it never fails an agent, never holds it up, and stays behind nowhere.

Peers' hooks kept sessions from ending when their worker was down, and left hundreds of helpers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem.hooks import watchdog
from jmem.model import NoteFile

PROGRAM = "import sys; from jmem.entry import main; sys.exit(main())"
FACT = "Staging listens on port 5433."


def begin(event: str, **options: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-c", PROGRAM, "hook", "claude-code", event],
        stdin=options.pop("stdin", subprocess.PIPE),
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        **options,
    )


def payload(event: str, **fields: Any) -> bytes:
    told = {"session_id": "5e55", "hook_event_name": event, "cwd": str(Path.cwd())}
    return json.dumps({**told, **fields}).encode()


def ended(hook: subprocess.Popen[bytes], given: bytes | None) -> tuple[int, bytes, bytes]:
    out, err = hook.communicate(given, timeout=20)
    return hook.returncode, out or b"", err or b""


def failures(memory_home: Path) -> list[dict[str, Any]]:
    lines = [
        json.loads(line)
        for file in memory_home.glob("log/events-*.jsonl")
        for line in file.read_text().splitlines()
    ]
    return [line for line in lines if line["event"] == "hook failed"]


def test_a_session_start_prints_the_reply_and_nothing_else(
    note: Callable[..., NoteFile], refreshed: Callable[[], None]
) -> None:
    note(FACT)
    refreshed()
    code, out, err = ended(begin("SessionStart"), payload("SessionStart", source="startup"))
    assert (code, err) == (0, b"")
    said = json.loads(out)
    assert FACT in said["hookSpecificOutput"]["additionalContext"]


def a_file_for_the_root(home: Path, root: Path) -> None:
    home.write_text("not a directory")


def a_corrupt_index(home: Path, root: Path) -> None:
    (root / ".cache" / "index.sqlite3").write_bytes(b"SQLite format 3\0" + b"x" * 5_000)


def directories_for_files(home: Path, root: Path) -> None:
    for name in ("hook.json", "injection.json", "triggers.json", "fresh.jsonl"):
        (root / ".cache" / name).unlink(missing_ok=True)
        (root / ".cache" / name).mkdir()
    (home / "sessions").write_text("")


def settings_that_cannot_be_read(home: Path, root: Path) -> None:
    (home / "config.yaml").write_text("recall: [\n")


@pytest.mark.parametrize(
    "break_it",
    [
        a_file_for_the_root,
        a_corrupt_index,
        directories_for_files,
        settings_that_cannot_be_read,
    ],
)
def test_a_broken_store_fails_no_agent(
    break_it: Callable[[Path, Path], None],
    memory_home: Path,
    note: Callable[..., NoteFile],
    refreshed: Callable[[], None],
) -> None:
    written = note(FACT)
    refreshed()
    root = Path(written.path).parents[1]
    if break_it is a_file_for_the_root:
        memory_home.rename(memory_home.with_name("moved"))
    break_it(memory_home, root)
    hooks = {
        event: begin(event) for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop")
    }
    for event, hook in hooks.items():
        given = payload(event, prompt="which port has staging?", tool_input={"command": "ls"})
        code, out, err = ended(hook, given)
        assert (code, err) == (0, b""), event
        assert not out or json.loads(out)


@pytest.mark.parametrize(
    "given",
    [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"session_id": 5, "cwd": [], "prompt": {}}'],
    ids=["nothing", "cut", "no object", "no text", "deep", "other types"],
)
def test_whatever_is_said_to_it_it_ends_well(given: bytes) -> None:
    assert ended(begin("UserPromptSubmit"), given) == (0, b"", b"")


def test_closed_streams_a_full_disk_and_a_reader_that_left_fail_no_agent(
    note: Callable[..., NoteFile], refreshed: Callable[[], None], memory_home: Path
) -> None:
    note(FACT)
    refreshed()
    start = payload("SessionStart", source="startup")
    with Path("/dev/full").open("wb") as full:
        hook = begin("SessionStart", stdout=full)
        assert ended(hook, start)[::2] == (0, b"")
    reader, writer = os.pipe()
    os.close(reader)
    hook = begin("SessionStart", stdout=writer)
    os.close(writer)
    assert ended(hook, start.replace(b"5e55", b"5e56"))[::2] == (0, b"")
    closed = f"{sys.executable} -P -c '{PROGRAM}' hook claude-code SessionStart <&- >&-"
    done = subprocess.run(["sh", "-c", closed], capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert {line["hook"] for line in failures(memory_home)} == {"SessionStart"}


def test_what_goes_wrong_is_logged_without_a_word_of_what_was_said(
    memory_home: Path, note: Callable[..., NoteFile]
) -> None:
    note(FACT)
    (memory_home / "config.yaml").write_text("recall: [\n")
    given = payload("SessionStart", source="startup", prompt="the password is swordfish")
    assert ended(begin("SessionStart"), given) == (0, b"", b"")
    (line,) = failures(memory_home)
    assert (line["agent"], line["hook"], line["why"]) == (
        "claude-code",
        "SessionStart",
        "ConfigError",
    )
    assert "swordfish" not in str(line)


def test_a_call_that_can_never_work_is_logged(memory_home: Path) -> None:
    assert ended(begin("SessionStart"), b"{") == (0, b"", b"")
    assert [line["why"] for line in failures(memory_home)] == ["no payload"]


def test_the_deadline_ends_what_hangs(memory_home: Path) -> None:
    """A client that keeps standard input open must not keep the hook."""
    begun = time.monotonic()
    hook = begin("SessionStart")
    assert hook.wait(timeout=20) == 0
    assert watchdog.SECONDS <= time.monotonic() - begun < 5
    assert hook.stdout is not None and hook.stdout.read() == b""
    assert [line["why"] for line in failures(memory_home)] == ["late"]
    hook.communicate()


def residents(marker: str) -> list[int]:
    """The processes whose environment holds the marker."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if marker.encode() in entry.read_bytes():
                found.append(int(entry.parts[2]))
        except OSError:
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_parallel_hooks_leave_nothing_running(tmp_path: Path, memory_home: Path) -> None:
    transcript = tmp_path / "5e55.jsonl"
    transcript.write_text(
        json.dumps(
            {
                "type": "user",
                "sessionId": "5e55",
                "uuid": "u1",
                "timestamp": "2026-07-04T10:00:00Z",
                "cwd": str(Path.cwd()),
                "entrypoint": "cli",
                "message": {"role": "user", "content": "Always run make test-fast here."},
            }
        )
        + "\n"
    )
    marker = f"JMEM_TEST_MARKER={tmp_path}"
    environ = {**os.environ, "JMEM_TEST_MARKER": str(tmp_path)}
    hooks = [begin("Stop", env=environ) for _ in range(6)]
    given = payload("Stop", transcript_path=str(transcript))
    assert {ended(hook, given)[:2] for hook in hooks} == {(0, b"")}
    until = time.monotonic() + 20
    most = 0
    while (running := residents(marker)) and time.monotonic() < until:
        most = max(most, len(running))
        time.sleep(0.05)
    assert running == []
    assert (memory_home / "sessions").is_dir()
