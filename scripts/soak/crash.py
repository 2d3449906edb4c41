#!/usr/bin/env python3
"""Kill a distillation, run it again, and compare with a run that nobody disturbed.

``random``: SIGKILL at a random moment, in half of the cases to the whole process group, so that
git dies too. ``windows``: death before each call that writes a file or starts git, one after the
other. The input is a mix of notes, sessions, supersessions, retractions and people's edits.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from harness import (
    Home,
    Table,
    changed,
    claude_session,
    codex_session,
    differences,
    facts,
    parser,
    picture,
    scratch,
)

LATER = "2026-07-05T10:00:00Z"
WORDS = ("--include-recent", "--max-age-days", "0", "--max-sessions", "0")


def prepare(top: Path, seed: int) -> Home:
    """A home with a first night behind it and a mixed second one ahead."""
    rng = random.Random(seed)
    home = Home(top)
    known = facts(rng, 24)
    fresh = known[14:]
    for fact in known[:14]:
        home.note(fact)
    claude_session(
        home.sessions, "5e55aaaa-0001",
        ["Fix the importer.", "Always squash commits before a merge.", "Thanks, that is all."],
        cwd=str(home.project), day="2026-07-03",
    )  # fmt: skip
    home.distil(*WORDS)
    home.now = LATER
    for fact in fresh[:5]:
        home.note(fact)
    home.note(known[0])
    home.note(f"From now on: {changed(known[1], rng)}")
    home.note(changed(known[2], rng))
    home.note(f"No longer true: {known[3]}")
    claude_session(
        home.sessions, "5e55bbbb-0002",
        ["Please tidy up.", "Never push to the release branch.", f"Remember that {fresh[6]}."],
        cwd=str(home.project), day="2026-07-04",
    )  # fmt: skip
    codex_session(
        home.sessions, "0197aaaa-bbbb-7ccc-8ddd-eeeeffff0003",
        ["We use pnpm for the console, not npm.", "Always run the linter before a commit."],
        cwd=str(home.project), day="2026-07-04",
    )  # fmt: skip
    codex_session(
        home.sessions, "0197aaaa-bbbb-7ccc-8ddd-eeeeffff0004", ["What is in this folder?"],
        cwd=str(home.project), day="2026-07-04",
    )  # fmt: skip
    _edit(home.scope, known, fresh)
    return home


def _edit(scope: Path, known: list[str], fresh: list[str]) -> None:
    index = scope / "MEMORY.md"
    lines = index.read_text().split("\n")

    def line_of(fact: str) -> int:
        return next(number for number, line in enumerate(lines) if fact in line)

    lines[line_of(known[5])] = lines[line_of(known[5])].replace(known[5], f"By hand: {known[5]}")
    del lines[line_of(known[6])]
    lines += ["## by hand", f"- {fresh[7]}", ""]
    index.write_text("\n".join(lines))
    for path in sorted((scope / "memories").glob("*.md")):
        text = path.read_text()
        if known[7] in text:
            path.write_text(text + "\nWhy: a person wrote this detail.\n")
        elif known[8] in text:
            path.unlink()
        elif known[9] in text:
            path.write_text(re.sub("^topic: .*$", "topic: moved by hand", text, flags=re.M))


def finish(home: Home) -> list[str]:
    """Run again after a death, and once more, which must find nothing."""
    told = []
    first = home.distil(*WORDS, check=None)
    if first.returncode != 0:
        told.append(f"the next run: exit {first.returncode}: {first.stderr.decode()[:300]}")
    second = home.distil(*WORDS, check=None)
    if b"nothing new" not in second.stdout:
        told.append(f"the run after it found something: {second.stdout.decode()[:300]}")
    left = [str(path) for path in home.memory.rglob("*") if _is_left_over(path, home.scope)]
    return told + [f"left over: {path}" for path in left]


def _is_left_over(path: Path, scope: Path) -> bool:
    return path.name == ".journal.json" or (path.suffix == ".lock" and path.is_relative_to(scope))


def kill_at(home: Home, moment: float, *, group: bool) -> bool:
    """Kill a distillation after so many seconds; whether it was still running then."""
    process = home.start(
        "distill", "--sessions", str(home.sessions), *WORDS, start_new_session=True
    )
    time.sleep(moment)
    running = process.poll() is None
    if running:
        if group:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.communicate()
    return running


def random_kills(top: Path, table: Table, *, count: int, seed: int) -> None:
    """``count`` kills at random moments, spread over the whole run."""
    rng = random.Random(seed)
    template = prepare(top / "template", seed)
    undisturbed = template.copy(top / "undisturbed")
    started = time.monotonic()
    undisturbed.distil(*WORDS)
    duration = time.monotonic() - started
    wanted = picture(undisturbed.scope)
    failures: list[str] = []
    hit = 0
    for number in range(5 * count):
        if hit == count:
            break
        home = template.copy(top / f"kill-{number}")
        moment = rng.uniform(0.1, 1.0) * duration
        running = kill_at(home, moment, group=hit % 2 == 0)
        hit += running
        if not running:
            duration = moment  # it was slower when nobody watched
        told = finish(home) + differences(wanted, picture(home.scope))
        failures += [f"kill {number} after {moment:.3f} s: {line}" for line in told]
        if not told:
            shutil.rmtree(home.top)
    table.add("killed at a random moment, the next run ends as an undisturbed one", hit, failures)


def windows(top: Path, table: Table, *, seed: int, every: int = 1, start: int = 1) -> None:
    """Death before each call that changes the disk or starts git."""
    template = prepare(top / "window-template", seed)
    undisturbed = template.copy(top / "window-undisturbed")
    calls = undisturbed.calls("distill", "--sessions", str(undisturbed.sessions), *WORDS)
    wanted = picture(undisturbed.scope)
    failures: list[str] = []
    tried = 0
    for number in range(start, calls + 1, every):
        home = template.copy(top / f"window-{number}")
        process = home.start(
            "distill", "--sessions", str(home.sessions), *WORDS, fault=(number, "die", top / "x")
        )
        process.communicate()
        if process.returncode != 137:
            failures.append(f"call {number}: it did not die (exit {process.returncode})")
        tried += 1
        told = finish(home) + differences(wanted, picture(home.scope))
        failures += [f"death before call {number} of {calls}: {line}" for line in told]
        if not told:
            shutil.rmtree(home.top)
    table.add(f"death before each of the {calls} calls that write or start git", tried, failures)


def twice(top: Path, table: Table, *, count: int, seed: int) -> None:
    """Two deaths in a row: the run that finishes another one is killed as well."""
    rng = random.Random(seed)
    template = prepare(top / "twice-template", seed)
    undisturbed = template.copy(top / "twice-undisturbed")
    calls = undisturbed.calls("distill", "--sessions", str(undisturbed.sessions), *WORDS)
    wanted = picture(undisturbed.scope)
    failures: list[str] = []
    for number in range(count):
        home = template.copy(top / f"twice-{number}")
        places = []
        for _ in range(2):
            places.append(rng.randrange(1, calls + 1))
            home.start(
                "distill", "--sessions", str(home.sessions), *WORDS,
                fault=(places[-1], "die", top / "x"),
            ).communicate()  # fmt: skip
        told = finish(home) + differences(wanted, picture(home.scope))
        failures += [f"deaths before calls {places} of {calls}: {line}" for line in told]
        if not told:
            shutil.rmtree(home.top)
    table.add("two deaths in a row", count, failures)


def stale_locks(top: Path, table: Table, *, seed: int) -> None:
    """Locks that a killed git leaves behind, and a repository that is half made."""
    template = prepare(top / "lock-template", seed)
    undisturbed = template.copy(top / "lock-undisturbed")
    undisturbed.distil(*WORDS)
    wanted = picture(undisturbed.scope)
    names = ("index.lock", "HEAD.lock", "refs/heads/main.lock", "config.lock", "packed-refs.lock")
    failures: list[str] = []
    for name in names:
        home = template.copy(top / f"lock-{name.replace('/', '-')}")
        (home.scope / ".git" / name).touch()
        told = finish(home) + differences(wanted, picture(home.scope))
        failures += [f"{name}: {line}" for line in told]
    fresh = Home(top / "half-made")
    fresh.note("The orchard gate opens at seven")
    scope = fresh.scope
    subprocess.run(["git", "init", "-q", str(scope)], check=True, capture_output=True)
    shutil.rmtree(scope / ".git" / "objects")
    (scope / ".git" / "config.lock").touch()
    told = finish(fresh)
    failures += [f"a half-made repository: {line}" for line in told]
    table.add("stale locks of git and a half-made repository are overcome", 6, failures)


def main() -> int:
    options = parser(__doc__ or "", count=50)
    options.add_argument("--only", choices=["random", "windows", "twice", "locks"])
    options.add_argument("--every", type=int, default=1, help="take each n-th window")
    options.add_argument("--keep", type=Path, help="keep the scratch homes here")
    chosen = options.parse_args()
    table = Table()

    def work(top: Path) -> None:
        if chosen.only in (None, "random"):
            random_kills(top, table, count=chosen.count, seed=chosen.seed)
        if chosen.only in (None, "windows"):
            windows(top, table, seed=chosen.seed, every=chosen.every)
        if chosen.only in (None, "twice"):
            twice(top, table, count=max(chosen.count // 5, 1), seed=chosen.seed)
        if chosen.only in (None, "locks"):
            stale_locks(top, table, seed=chosen.seed)

    if chosen.keep:
        work(chosen.keep.resolve())
    else:
        with scratch() as top:
            work(top)
    return table.finish(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
