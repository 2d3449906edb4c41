#!/usr/bin/env python3
"""What must not go wrong quietly: each hazard gives one clear line, the right exit code, and loses
nothing.

A read-only store and a full disk need mounts, which only root can make: without them those rows
are skipped, and say so.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness import Home, Table, parser, scratch

FACTS = ("The orchard gate opens at seven", "The cellar door needs two keys")
LATER = "2026-07-05T10:00:00Z"


class Skipped(Exception):
    """This machine cannot show the hazard."""


class Case:
    """One hazard: what was run and what did not hold. ``share``: of how many variants of the
    same damage one is tried."""

    def __init__(self, home: Home, share: int = 1) -> None:
        self.home = home
        self.share = share
        self.told: list[str] = []
        self.tried = 0

    def check(self, told: str, held: object) -> None:
        self.tried += 1
        if not held:
            self.told.append(told)

    def says(self, done: Any, code: int, *words: str) -> None:
        """The command ended so, and each line on stderr is jmem's own and names what to do."""
        errors = done.stderr.decode("utf-8", "replace")
        self.check(f"exit {done.returncode}, not {code}: {errors}", done.returncode == code)
        self.check(f"a traceback: {errors}", "Traceback" not in errors)
        lines = [line for line in errors.split("\n") if line]
        self.check(f"not one line: {errors!r}", len(lines) == (1 if words else 0))
        for word in words:
            self.check(f"{word!r} is not in {errors!r}", word in errors)

    def known(self) -> str:
        memories = (self.home.scope / "memories").glob("*.md")
        return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in memories)

    def waiting(self) -> list[Path]:
        return sorted((self.home.scope / "notes").glob("*.md"))

    def knows(self, *texts: str) -> None:
        """Each of the texts is a memory, once."""
        held = self.known()
        for text in texts:
            self.check(f"{text!r} is known {held.count(text)} times", held.count(text) == 1)

    def first_night(self) -> None:
        self.home.note(FACTS[0])
        self.home.distil()
        self.home.now = LATER
        self.home.note(FACTS[1])


def too_large(case: Case) -> None:
    for text in (b"x" * (64 * 1024 + 1), "ä".encode() * (32 * 1024) + b"x", b"x " * 10**6):
        case.says(case.home.run("note", "-", stdin=text), 2, "64 KiB", "split it")
    case.check("something was written", not list(case.home.memory.rglob("*.md")))
    case.says(case.home.run("note", "-", stdin=b"x" * (64 * 1024)), 0)
    case.check("64 KiB were not taken", len(case.waiting()) == 1)
    case.home.distil()


def empty(case: Case) -> None:
    for text in (b"", b" \n\t\n", b"\x00\x00", b"\xef\xbb\xbf"):
        done = case.home.run("note", stdin=text)
        case.check(f"{text!r}: exit {done.returncode}", done.returncode == 2)
        case.check(f"{text!r}: {done.stderr!r}", b"the note is empty (write" in done.stderr)
    case.says(case.home.run("note", ""), 2, "empty", "jmem note")
    case.check("something was written", not list(case.home.memory.rglob("*.md")))


def nuls(case: Case) -> None:
    case.says(case.home.run("note", stdin=b"The\x00 gate\x00 opens at seven"), 0, "NUL")
    case.check("a NUL was kept", "The gate opens at seven" in case.waiting()[0].read_text())


def not_utf8(case: Case) -> None:
    done = case.home.run("note", stdin=b"The caf\xe9 opens at seven \xff\xfe\x80")
    case.says(done, 0, "not all UTF-8")
    case.check("the rest was lost", "opens at seven" in case.waiting()[0].read_text())
    case.home.distil()
    case.check("the note was lost", "opens at seven" in case.known())


@contextmanager
def mounted(path: Path, *words: str) -> Iterator[Callable[..., None]]:
    """A mount that is gone afterwards; yields a function to mount again with other options."""

    def mount(*arguments: str) -> None:
        done = subprocess.run(["mount", *arguments], capture_output=True, check=False)
        if done.returncode:
            raise Skipped(f"mounting is not possible: {done.stderr.decode().strip()}")

    if os.geteuid() != 0 or shutil.which("mount") is None:
        raise Skipped("mounting needs root")
    path.mkdir(parents=True, exist_ok=True)
    mount(*words, str(path))
    try:
        yield lambda options: mount("-o", f"remount,{options}", str(path))
    finally:
        subprocess.run(["umount", str(path)], capture_output=True, check=False)


def read_only(case: Case) -> None:
    home = case.home
    with mounted(home.memory, "-t", "tmpfs", "-o", "size=20m,mode=700", "tmpfs") as again:
        case.first_night()
        before = case.known()
        again("ro")
        case.says(home.run("note", "A third fact"), 1, "read-only", "JMEM_HOME")
        case.says(home.run("distill"), 1, "read-only", "JMEM_HOME")
        case.says(home.run("distill", "--scheduled"), 1, "read-only")
        for command in ("list", "notes", "inject", "status", "log"):
            done = home.run(command)
            case.check(f"{command}: exit {done.returncode}: {done.stderr!r}", done.returncode == 0)
        case.check("something was changed", case.known() == before)
        again("rw")
        home.distil()
        case.knows(*FACTS)


def full_disk(case: Case) -> None:
    home = case.home
    with mounted(home.memory, "-t", "tmpfs", "-o", "size=3m,mode=700", "tmpfs"):
        case.first_night()
        for room in (0, 1, 2, 3, 5, 8, 12, 16, 24, 32):
            ballast = home.memory / "ballast"
            stat = os.statvfs(home.memory)
            size = max(stat.f_bavail * stat.f_frsize - room * 4096, 0)
            ballast.write_bytes(b"x" * size)
            noted = home.run("note", f"Fact {room} came on a full disk")
            case.check(f"note: exit {noted.returncode}", noted.returncode in (0, 1))
            if noted.returncode:
                case.says(noted, 1, "no space", "nothing was lost")
            done = home.run("distill")
            case.check(
                f"room {room}: exit {done.returncode}: {done.stderr!r}",
                done.returncode in (0, 1) and b"Traceback" not in done.stderr,
            )
            if done.returncode:
                errors = done.stderr.decode()
                case.check(f"room {room}: {errors!r}", len(errors.strip().split("\n")) == 1)
                case.check(f"room {room}: {errors!r}", "nothing" in errors and "lost" in errors)
            ballast.unlink()
            home.distil()
            case.knows(*FACTS)
            if noted.returncode == 0:
                case.knows(f"Fact {room} came on a full disk")
            left = list(home.memory.rglob("*.jmem-tmp"))
            case.check(f"room {room}: left over {left}", not left)
            check = subprocess.run(
                ["git", "fsck", "--strict"], cwd=home.scope, capture_output=True, check=False
            )
            case.check(f"room {room}: {check.stderr!r}", check.returncode == 0)


def no_git(case: Case) -> None:
    case.first_night()
    nothing = case.home.top / "nothing"
    nothing.mkdir()
    case.home.extra["PATH"] = str(nothing)
    case.says(case.home.run("note", "The third step is loose"), 0)
    for words in (("distill",), ("distill", "--scheduled")):
        done = case.home.run(*words)
        if b"not due" not in done.stdout:
            case.says(done, 1, "git was not found", "install git")
    for command in ("list", "inject", "status", "notes"):
        case.says(case.home.run(command), 0)
    del case.home.extra["PATH"]
    case.home.distil()
    case.knows(*FACTS, "The third step is loose")


def corrupt_state(case: Case) -> None:
    case.first_night()
    junks = (b"{", b"", b"[1]", b"\xff\x00", b'{"version": "x"}', b"9" * 9)
    for number, junk in enumerate(junks[:: case.share]):
        case.home.now = f"2026-07-{6 + number:02}T10:00:00Z"
        (case.home.scope / "state.json").write_bytes(junk)
        case.says(case.home.run("note", f"Note {number} is about a state"), 0)
        done = case.home.run("distill")
        case.says(done, 0, "was corrupt", "kept as", "rebuilds")
        kept = [p.read_bytes() for p in case.home.scope.glob("state.json.corrupt-*")]
        case.check(f"{junk!r} was not kept", junk in kept)
        state = json.loads((case.home.scope / "state.json").read_text())
        case.check("the new state is incomplete", state["incomplete"] is False)
        case.knows(*FACTS, f"Note {number} is about a state")


def corrupt_memory(case: Case) -> None:
    case.first_night()
    path = next((case.home.scope / "memories").glob("*.md"))
    good = path.read_bytes()
    bad = {
        "bytes": b"\xff\xfe\x00\x01",
        "yaml": good.replace(b"kind: fact", b"kind: [fact"),
        "empty": b"",
        "no body": good.split(FACTS[0].encode())[0],
        "markers": b"<<<<<<< mine\n" + good + b"=======\n" + good + b">>>>>>> theirs\n",
    }
    for number, (what, data) in enumerate(list(bad.items())[:: case.share]):
        path.write_bytes(data)
        text = f"Fact {number} came beside a corrupt one"
        case.home.note(text)
        for _ in range(2 if number == 0 else 1):  # it is said again as long as it is so
            done = case.home.run("distill")
            case.says(done, 5, path.name, "mend")
        case.check(f"{what}: the file was touched", path.read_bytes() == data)
        shown = (case.home.scope / "MEMORY.md").read_text()
        case.check(f"{what}: its line is gone: {shown}", shown.count(FACTS[0]) == 1)
        case.check(f"{what}: the note was not applied", case.known().count(text) == 1)
        path.write_bytes(good)
        case.home.distil()
        case.knows(*FACTS, text)


def foreign_notes(case: Case) -> None:
    case.first_night()
    inbox = case.home.scope / "notes"
    outside = case.home.top / "outside.md"
    outside.write_text("The outside must not come in\n")
    (inbox / "plain.md").write_text("The plain file has no header\n")
    (inbox / "rule.md").write_text("---\nThe ruled file begins with a rule\n---\nand goes on\n")
    (inbox / "binary.md").write_bytes(bytes(range(256)) * 3)
    (inbox / "huge.md").write_text("huge " * 200_000)
    (inbox / "empty.md").touch()
    (inbox / ".hidden.md").write_text("The hidden file stays\n")
    (inbox / "picture.png").write_bytes(b"\x89PNG\r\n")
    (inbox / "folder.md").mkdir()
    (inbox / "folder.md" / "inside.md").write_text("The inner file stays\n")
    (inbox / "link.md").symlink_to(outside)
    os.mkfifo(inbox / "pipe.md")
    done = case.home.distil(check=None)
    case.check(f"exit {done.returncode}: {done.stderr!r}", done.returncode == 0)
    case.knows(*FACTS, "The plain file has no header", "The ruled file begins with a rule")
    left = sorted(path.name for path in inbox.iterdir())
    wanted = ["empty.md", "folder.md", "huge.md", "link.md", "picture.png", "pipe.md"]
    case.check(f"left: {left}", [n for n in left if n != "binary.md"] == [".hidden.md", *wanted])
    case.check("the link was followed", "outside" not in case.known())
    case.check("the outside was touched", outside.read_text() == "The outside must not come in\n")
    quiet = case.home.distil()
    case.check(f"the next run: {quiet.stdout!r}", b"nothing new" in quiet.stdout)


def linked_scope(case: Case) -> None:
    case.first_night()
    scope = case.home.scope
    target = case.home.top / "elsewhere"
    scope.rename(target)
    scope.symlink_to(target)
    before = {path: path.stat().st_mtime_ns for path in target.rglob("*") if path.is_file()}
    for words in (("note", "A third fact"), ("distill",)):
        case.says(case.home.run(*words), 7, "symbolic link", "a real one")
    after = {path: path.stat().st_mtime_ns for path in target.rglob("*") if path.is_file()}
    case.check("something was written through the link", before == after)
    scope.unlink()
    target.rename(scope)
    inner = scope / "memories"
    inner.rename(case.home.top / "memories-elsewhere")
    inner.symlink_to(case.home.top / "memories-elsewhere")
    case.says(case.home.run("distill"), 7, "symbolic link", "a real one")
    inner.unlink()
    (case.home.top / "memories-elsewhere").rename(inner)
    case.home.distil()
    case.knows(*FACTS)


def repository_settings(case: Case) -> None:
    trap = case.home.top / "trap"
    (case.home.project / ".jmem.yaml").write_text(
        f"llm:\n  provider: command\n  command: touch {trap}\nsessions:\n  roots: [{trap}]\n"
    )
    done = case.home.run("note", FACTS[0])
    case.check(f"note: {done.returncode}: {done.stderr!r}", done.returncode == 0)
    case.check(f"not told: {done.stderr!r}", b".jmem.yaml" in done.stderr)
    done = case.home.run("distill")
    case.check(f"distill: {done.returncode}: {done.stderr!r}", done.returncode == 0)
    case.check(f"not told: {done.stderr!r}", b"llm.command" in done.stderr)
    case.check("the command ran", not trap.exists())
    case.knows(FACTS[0])


def corrupt_journal(case: Case) -> None:
    case.first_night()
    path = case.home.scope / ".journal.json"
    for junk in (b"", b"{", b"[]", b'{"format": 99}', b"\xff"):
        path.write_bytes(junk)
        case.says(case.home.run("distill"), 5, ".journal.json", "remove it")
        case.check(f"{junk!r} was touched", path.read_bytes() == junk)
        case.check("a note is gone", len(case.waiting()) == 1)
    path.unlink()
    case.home.distil()
    case.knows(*FACTS)


def newer_format(case: Case) -> None:
    case.first_night()
    path = case.home.scope / "project.yaml"
    good = path.read_text()
    newer = good.replace("format: 1", "format: 2")
    path.write_text(newer)
    case.home.run("note", "--global", "The global scope goes on", check=0)
    for words in (("note", "A third fact"), ("distill",)):
        case.says(case.home.run(*words), 5, "project.yaml", "newer", "upgrade")
    done = case.home.run("distill", "--scheduled")
    case.check(f"--scheduled: {done}", done.returncode == 5 and b"upgrade" in done.stdout)
    done = case.home.run("distill", "--all")
    case.check(f"--all: exit {done.returncode}: {done.stderr!r}", done.returncode == 5)
    held = "".join(p.read_text() for p in (case.home.memory / "global/memories").glob("*.md"))
    case.check("--all: the other scope did not go on", "The global scope goes on" in held)
    case.check("something was written", path.read_text() == newer and len(case.waiting()) == 1)
    path.write_text(good)
    case.home.distil()
    case.knows(*FACTS)


def wrong_setting(case: Case) -> None:
    case.first_night()
    config = case.home.memory / "config.yaml"
    for text in ("cooldown_hours: soon\n", "a: [\n"):
        config.write_text(text)
        case.says(case.home.run("distill"), 6, "config.yaml")
    config.unlink()
    case.home.distil()
    case.knows(*FACTS)


HAZARDS = (
    too_large,
    empty,
    nuls,
    not_utf8,
    read_only,
    full_disk,
    no_git,
    corrupt_state,
    corrupt_memory,
    foreign_notes,
    linked_scope,
    repository_settings,
    corrupt_journal,
    newer_format,
    wrong_setting,
)


def run(hazard: Callable[[Case], None], top: Path, table: Table, *, share: int = 1) -> None:
    case = Case(Home(top / hazard.__name__), share)
    name = hazard.__name__.replace("_", " ")
    try:
        hazard(case)
    except Skipped as why:
        table.add(f"{name} (skipped: {why})", 0, [])
        return
    except AssertionError as error:
        case.told.append(str(error))
    table.add(name, case.tried, case.told)


def main() -> int:
    options = parser(__doc__ or "", count=1)
    options.add_argument("--only", choices=[hazard.__name__ for hazard in HAZARDS])
    chosen = options.parse_args()
    table = Table()
    with scratch() as top:
        for hazard in HAZARDS:
            if chosen.only in (None, hazard.__name__):
                run(hazard, top, table)
    return table.finish(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
