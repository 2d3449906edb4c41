"""The files of a session: one taker, no event lost, nothing believed that was not written whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from jmem import pending, pendingstate
from jmem.pendingstate import Numbers
from jmem.storage import sessionstate

NUMBERS = Numbers()
PAYLOAD: dict[str, Any] = {"at": 1.0, "generation": "g", "epoch": 0, "turn": 1, "offers": []}


@pytest.fixture
def folder(memory_home: Path) -> str:
    return str(memory_home / "sessions")


def known(state: dict[str, Any]) -> list[str]:
    return list(state["known"])


def learned(key: str) -> dict[str, Any]:
    return pending.learned([key], now=1.0)


def test_a_payload_is_taken_once(folder: str) -> None:
    assert sessionstate.take(folder, "s1") is None
    sessionstate.put(folder, "s1", PAYLOAD)
    assert sessionstate.standing(folder, "s1") == {"version": 1, **PAYLOAD}
    assert sessionstate.take(folder, "s2") is None
    assert sessionstate.take(folder, "s1") == {"version": 1, **PAYLOAD}
    assert sessionstate.take(folder, "s1") is None
    assert os.listdir(folder) == []


def test_the_last_payload_that_is_put_waits(folder: str) -> None:
    sessionstate.put(folder, "s1", PAYLOAD)
    sessionstate.put(folder, "s1", PAYLOAD | {"turn": 2})
    taken = sessionstate.take(folder, "s1")
    assert taken is not None
    assert taken["turn"] == 2


def answers_at_once(processes: list[subprocess.Popen[str]]) -> list[str]:
    """One line to each process at the same moment, and the line that each answers."""
    gate = threading.Barrier(len(processes))
    found: list[str] = []

    def ask(process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        gate.wait()
        process.stdin.write("s1\n")
        process.stdin.flush()
        found.append(process.stdout.readline().strip())

    threads = [threading.Thread(target=ask, args=(process,)) for process in processes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_of_many_processes_exactly_one_takes(folder: str) -> None:
    """Real processes, let go at the same moment, round after round."""
    rounds, racers = 40, 4
    program = (
        "import sys\n"
        "from jmem.storage import sessionstate\n"
        "for line in sys.stdin:\n"
        "    taken = sessionstate.take(sys.argv[1], line.strip())\n"
        "    print('-' if taken is None else taken['turn'], flush=True)\n"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-P", "-c", program, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(racers)
    ]
    try:
        for number in range(rounds):
            sessionstate.put(folder, "s1", PAYLOAD | {"turn": number})
            found = answers_at_once(processes)
            assert sorted(found) == sorted(["-"] * (racers - 1) + [str(number)])
    finally:
        for process in processes:
            process.communicate(timeout=10)


def test_hooks_append_while_preparers_fold_and_no_event_is_lost(folder: str) -> None:
    program = (
        "import sys\n"
        "from jmem import pending\n"
        "from jmem.pendingstate import Numbers\n"
        "from jmem.storage import sessionstate\n"
        "who = sys.argv[2]\n"
        "for number in range(15):\n"
        "    event = pending.learned([f'{who}-{number}'], now=1.0)\n"
        "    if who.startswith('hook'):\n"
        "        assert sessionstate.append(sys.argv[1], 's1', event)\n"
        "    else:\n"
        "        sessionstate.update(sys.argv[1], 's1', lambda _: [event], Numbers())\n"
    )
    names = ["hook1", "hook2", "preparer1", "preparer2"]
    processes = [
        subprocess.Popen([sys.executable, "-P", "-c", program, folder, name]) for name in names
    ]
    assert [process.wait(timeout=60) for process in processes] == [0] * len(names)
    state = sessionstate.read(folder, "s1", NUMBERS)
    assert set(known(state)) == {f"{name}-{number}" for name in names for number in range(15)}


def test_a_hook_reads_what_the_preparer_has_not_folded_yet(folder: str) -> None:
    sessionstate.append(folder, "s1", learned("a"))
    sessionstate.update(folder, "s1", lambda _: [], NUMBERS)
    sessionstate.append(folder, "s1", learned("b"))
    assert known(sessionstate.read(folder, "s1", NUMBERS)) == ["a", "b"]
    assert known(sessionstate.update(folder, "s1", lambda _: [learned("c")], NUMBERS)) == [*"abc"]
    assert known(sessionstate.read(folder, "s1", NUMBERS)) == [*"abc"]


def test_change_decides_on_the_newest_state(folder: str) -> None:
    sessionstate.append(folder, "s1", learned("a"))
    seen: list[list[str]] = []

    def change(state: dict[str, Any]) -> list[dict[str, Any]]:
        seen.append(known(state))
        return []

    sessionstate.update(folder, "s1", change, NUMBERS)
    assert seen == [["a"]]


def test_an_event_that_is_being_written_is_read_when_it_is_whole(folder: str) -> None:
    sessionstate.append(folder, "s1", learned("a"))
    log = Path(folder, "s1.log")
    line = json.dumps(learned("b"))
    with log.open("a") as file:
        file.write(line[:20])
    assert known(sessionstate.update(folder, "s1", lambda _: [], NUMBERS)) == ["a"]
    with log.open("a") as file:
        file.write(line[20:] + "\n")
    assert known(sessionstate.read(folder, "s1", NUMBERS)) == ["a", "b"]


@pytest.mark.parametrize("damage", ["cut", "flipped", "garbage", "empty", "directory", "link"])
@pytest.mark.parametrize("suffix", [".json", ".pending", ".log"])
def test_damage_is_no_error_and_never_believed(folder: str, suffix: str, damage: str) -> None:
    sessionstate.update(folder, "s1", lambda _: [learned("folded")], NUMBERS)
    sessionstate.append(folder, "s1", learned("logged"))
    sessionstate.put(folder, "s1", PAYLOAD)
    path = Path(folder, f"s1{suffix}")
    data = path.read_bytes()
    path.unlink()
    match damage:
        case "cut":
            path.write_bytes(data[:-7])
        case "flipped":
            path.write_bytes(data.replace(b"o", b"p"))
        case "garbage":
            path.write_bytes(b"\xff\x00[[[\n{}\n[1]\n" + b"[" * 5_000 + b"\n")
        case "empty":
            path.write_bytes(b"")
        case "directory":
            path.mkdir()
        case "link":
            path.symlink_to(Path(folder).parent / "elsewhere")
    state = sessionstate.read(folder, "s1", NUMBERS)
    assert state.keys() == pendingstate.new().keys()
    assert set(known(state)) <= {"folded", "logged"}
    taken = sessionstate.take(folder, "s1")
    assert taken in (None, {"version": 1, **PAYLOAD})
    assert (taken is None) == (suffix == ".pending")
    appended = sessionstate.append(folder, "s1", learned("after"))
    assert appended == (suffix != ".log" or damage != "directory")
    assert ("after" in known(sessionstate.read(folder, "s1", NUMBERS))) == appended
    assert not (Path(folder).parent / "elsewhere").exists()


def test_a_log_that_was_begun_anew_is_read_from_its_start(folder: str) -> None:
    for _ in range(3):
        sessionstate.append(folder, "s1", learned("a"))
    sessionstate.update(folder, "s1", lambda _: [], NUMBERS)
    Path(folder, "s1.log").unlink()
    sessionstate.append(folder, "s1", learned("b"))
    assert known(sessionstate.read(folder, "s1", NUMBERS)) == ["a", "b"]


def test_of_a_log_beyond_its_bound_the_end_is_read(folder: str) -> None:
    size = len(json.dumps(learned("m00"), separators=(",", ":"))) + 2
    for number in range(20):
        sessionstate.append(folder, "s1", learned(f"m{number:02}"))
    data, start = sessionstate._new_lines(str(Path(folder, "s1.log")), 0, most=size * 4)
    assert start == size * 16
    assert data.count(b"\n") == 8


@pytest.mark.parametrize("session", ["../../etc/passwd", "", ".", "a/b", "x" * 300, "日本", "a\0b"])
def test_an_id_of_any_form_stays_in_the_folder(folder: str, session: str) -> None:
    assert sessionstate.append(folder, session, learned("a"))
    assert sessionstate.append(folder, session + "2", learned("b"))
    assert known(sessionstate.read(folder, session, NUMBERS)) == ["a"]
    assert all(name.startswith("id-") for name in os.listdir(folder) if len(name) > 20)
    assert len(os.listdir(folder)) == 2


def test_everything_is_private(folder: str) -> None:
    sessionstate.append(folder, "s1", learned("a"))
    sessionstate.update(folder, "s1", lambda _: [], NUMBERS)
    sessionstate.put(folder, "s1", PAYLOAD)
    assert Path(folder).stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in Path(folder).iterdir()} == {0o600}


def test_a_place_that_cannot_be_written_is_told_by_append(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("a file")
    assert not sessionstate.append(str(tmp_path / "sessions"), "s1", learned("a"))
    assert sessionstate.take(str(tmp_path / "sessions"), "s1") is None
    assert sessionstate.sweep(str(tmp_path / "sessions"), now=1e12) == 0


def test_a_session_that_has_been_still_goes_as_a_whole(folder: str) -> None:
    for session in ("still", "awake"):
        sessionstate.update(folder, session, lambda _: [], NUMBERS)
        sessionstate.put(folder, session, PAYLOAD)
        sessionstate.append(folder, session, learned("a"))
    Path(folder, "still.pending.7-ab.taken").write_text("of a hook that was killed")
    Path(folder, "strange.txt").write_text("not ours")
    for path in Path(folder).iterdir():
        os.utime(path, (1_000, 1_000))
    os.utime(Path(folder, "awake.log"), (5_000, 5_000))  # one file is enough
    assert sessionstate.sweep(folder, now=6_000, keep_seconds=4_000) == 4
    assert sorted(os.listdir(folder)) == [
        "awake.json",
        "awake.log",
        "awake.pending",
        "strange.txt",
    ]
    sessionstate.forget(folder, "awake")
    assert os.listdir(folder) == ["strange.txt"]


def test_a_hook_loads_next_to_nothing() -> None:
    program = (
        "import sys; import json, os, time, hashlib, re, sqlite3; before = set(sys.modules)\n"
        "import jmem.pending, jmem.freshturn, jmem.retrieval.focus, jmem.storage.sessionstate\n"
        "print(*sorted(m for m in set(sys.modules) - before if not m.startswith('jmem')))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) <= {"__future__", "unicodedata", "_sha2", "_sha256"}
