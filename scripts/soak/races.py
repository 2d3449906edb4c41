#!/usr/bin/env python3
"""Many processes at once: notes, updates of the state, distillations.

``notes``: every note of every writer can be read afterwards, and a reader that looks all the time
never sees a part of one. ``state``: no update is lost. ``distil``: of two distillations one is
told that it is busy, and nothing is done twice. ``meanwhile``: notes that are written while
distillations run are consumed exactly once.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import threading
from pathlib import Path

from hands import sentence
from harness import Home, Table, parser, scratch

_WRITER = """
import sys
from jmem.model import Note
from jmem.store import write_note
who, count = sys.argv[1], int(sys.argv[2])
for number in range(count):
    write_note(Note(text=f"Writer {who} says number {number}.\\n\\n" + "detail " * 40 + "END"))
"""

_COUNTER = """
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from jmem.state import record_usage
from jmem.storage import statefile
for _ in range(int(sys.argv[2])):
    statefile.update(Path(sys.argv[1]), lambda s: record_usage(s, "MEMORY.md", datetime.now(UTC)))
"""

_USER = """
import sys
from jmem.storage import statefile
for _ in range(int(sys.argv[2])):
    statefile.record_usage(sys.argv[1] + "/MEMORY.md")
"""


def start(home: Home, program: str, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *words],
        cwd=home.project,
        env=home.environment(),
        stderr=subprocess.PIPE,
    )


def finished(processes: list[subprocess.Popen[bytes]]) -> list[str]:
    told = []
    for process in processes:
        _, errors = process.communicate()
        if process.returncode:
            told.append(f"a writer ended with {process.returncode}: {errors.decode()[-400:]}")
    return told


def torn(text: str) -> bool:
    return not (text.startswith("---\n") and text.endswith("END\n") and text.count("\n---\n") == 1)


def notes(top: Path, table: Table, *, writers: int, each: int) -> None:
    """Every file whole at every moment, and none lost."""
    home = Home(top / "notes")
    home.note("The first one makes the scope.")
    inbox = home.scope / "notes"
    failures: list[str] = []
    looked = 0
    stop = threading.Event()

    def reader() -> None:
        nonlocal looked
        seen: set[str] = set()
        while not stop.is_set():
            for path in inbox.glob("*.md"):
                if path.name in seen or "writer" not in path.name:
                    continue
                seen.add(path.name)
                looked += 1
                if torn(path.read_text()):
                    failures.append(f"{path.name} was seen in parts")

    watching = threading.Thread(target=reader)
    watching.start()
    processes = [start(home, _WRITER, str(number), str(each)) for number in range(writers)]
    failures += finished(processes)
    stop.set()
    watching.join()
    found = re.findall(
        r"^Writer (\d+) says number (\d+)\.$",
        "\n".join(path.read_text() for path in inbox.glob("*.md")),
        re.MULTILINE,
    )
    wanted = {(str(w), str(n)) for w in range(writers) for n in range(each)}
    if len(found) != writers * each or set(found) != wanted:
        failures.append(f"{len(set(found))} of {writers * each} notes are there")
    ids = re.findall(
        r"^id: (\w{8})$", "\n".join(p.read_text() for p in inbox.glob("*.md")), re.MULTILINE
    )
    if len(set(ids)) != writers * each + 1:
        failures.append("two notes share an id")
    left = list(inbox.glob(".*"))
    failures += [f"left over: {path.name}" for path in left]
    table.add(f"notes of {writers} processes, none torn and none lost", len(found), failures)


def state(top: Path, table: Table, *, writers: int, each: int) -> None:
    """The exact sum, of updates and of usage events beside them."""
    home = Home(top / "state")
    home.note("The first one makes the scope.")
    processes = [start(home, _COUNTER, str(home.scope), str(each)) for _ in range(writers)]
    processes += [start(home, _USER, str(home.scope), str(each)) for _ in range(2)]
    failures = finished(processes)
    failures += finished([start(home, _COUNTER, str(home.scope), "1")])
    text = (home.scope / "state.json").read_text()
    count = int((re.search(r'"usage_count": (\d+)', text) or ["", "0"])[1])
    wanted = (writers + 2) * each + 1
    if count != wanted:
        failures.append(f"the sum is {count}, not {wanted}")
    table.add("updates of the state, each counted once", wanted, failures)


def distil(top: Path, table: Table, *, count: int, seed: int) -> None:
    """Two at once: one does the work, the other is busy or comes after it."""
    rng = random.Random(seed)
    failures: list[str] = []
    busy = 0
    for number in range(count):
        home = Home(top / f"distil-{number}")
        texts = [sentence(rng) for _ in range(6)]
        for text in texts:
            home.note(text)
        processes = [home.start("distill") for _ in range(2)]
        outputs = [process.communicate() for process in processes]
        codes = sorted(process.returncode for process in processes)
        if codes not in ([0, 0], [0, 4]):
            failures.append(f"exit codes {codes}: {outputs}")
        busy += codes == [0, 4]
        if codes == [0, 4] and not any(b"already running" in errors for _, errors in outputs):
            failures.append(f"the busy one does not say so: {outputs}")
        failures += not_once(home, texts)
    if not busy:
        failures.append("no two ever met")
    table.add(
        "two distillations at once: one is busy (exit 4), nothing is doubled", count, failures
    )


def not_once(home: Home, texts: list[str]) -> list[str]:
    """The notes that did not become exactly one memory, with strength 1."""
    held = [path.read_text() for path in (home.scope / "memories").glob("*.md")]
    told = []
    for text in texts:
        mine = [memory for memory in held if text in memory]
        if len(mine) != 1 or "strength: 1\n" not in mine[0]:
            told.append(f"{text!r} is in {len(mine)} memories")
    waiting = len(list((home.scope / "notes").glob("*.md")))
    return told + ([f"{waiting} notes wait"] if waiting else [])


def meanwhile(top: Path, table: Table, *, count: int, seed: int) -> None:
    """Distillations one after the other while notes come in."""
    rng = random.Random(seed)
    home = Home(top / "meanwhile")
    home.note("The first one makes the scope.")
    texts = [sentence(rng) for _ in range(count)]
    failures: list[str] = []
    runs = 0
    done = threading.Event()

    def write() -> None:
        for text in texts:
            home.note(text)
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    while not done.is_set():
        home.distil()
        runs += 1
    writer.join()
    last = home.distil()
    quiet = home.distil() if b"nothing new" not in last.stdout else last
    if b"nothing new" not in quiet.stdout:
        failures.append("the last run left something")
    failures += not_once(home, texts)
    log = subprocess.run(
        ["git", "log", "--format=%B"], cwd=home.scope, capture_output=True, text=True, check=True
    ).stdout
    refs = re.findall(r"; note:(\w{8})\)$", log, re.MULTILINE)
    if len(refs) != len(set(refs)) or len(refs) != count + 1:
        failures.append(f"{len(refs)} decisions on {len(set(refs))} of {count + 1} notes")
    table.add(f"notes during {runs} distillations, each consumed exactly once", count, failures)


def main() -> int:
    options = parser(__doc__ or "", count=500)
    options.add_argument("--writers", type=int, default=8)
    options.add_argument("--only", choices=["notes", "state", "distil", "meanwhile"])
    chosen = options.parse_args()
    table = Table()
    with scratch() as top:
        if chosen.only in (None, "notes"):
            notes(top, table, writers=chosen.writers, each=chosen.count)
        if chosen.only in (None, "state"):
            each = max(chosen.count * 2 // 5, 1)
            state(top, table, writers=chosen.writers, each=each)
        if chosen.only in (None, "distil"):
            distil(top, table, count=min(chosen.count, 20), seed=chosen.seed)
        if chosen.only in (None, "meanwhile"):
            meanwhile(top, table, count=min(chosen.count, 60), seed=chosen.seed)
    return table.finish(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
