#!/usr/bin/env python3
"""Timers that fire twice, clocks that jump, and the law that a second run does nothing.

``windows``: hourly firings, some of them twice or together, over days of an invented clock that
jumps a day ahead and back: one run a window, every note consumed once. ``noop``: the second run
changes no byte and no time of any file of the scope but ``state.json``, makes no commit, says so.
"""

from __future__ import annotations

import random
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hands import sentence
from harness import Home, Table, claude_session, git, parser, scratch
from races import not_once

COOLDOWN = timedelta(hours=6)


def text_of(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def windows(top: Path, table: Table, *, count: int, seed: int) -> None:
    """A scheduled run every hour of an invented clock; the oracle knows only the cooldown."""
    rng = random.Random(seed)
    home = Home(top / "windows")
    moment = datetime(2026, 7, 4, 10, 17, tzinfo=UTC)
    texts: list[str] = []
    failures: list[str] = []
    stamp: datetime | None = None
    jumped = 0
    for number in range(count):
        if jumped:
            moment, jumped = moment - timedelta(days=jumped), 0
        elif rng.random() < 0.15:
            moment, jumped = moment + timedelta(days=1), 1
        moment += timedelta(hours=1)
        home.now = text_of(moment)
        texts.append(sentence(rng))
        home.note(texts[-1])
        due = stamp is None or stamp > moment or stamp + COOLDOWN <= moment
        firings = rng.choice([1, 2, 2])
        if rng.random() < 0.3:
            processes = [home.start("distill", "--scheduled") for _ in range(firings)]
            results = [(*process.communicate(), process.returncode) for process in processes]
        else:
            done = [home.distil("--scheduled", check=None) for _ in range(firings)]
            results = [(run.stdout, run.stderr, run.returncode) for run in done]
        ran = sum(1 for out, _, code in results if code == 0 and b"not due" not in out)
        odd = [one for one in results if one[2] not in (0, 4)]
        if odd:
            failures.append(f"firing {number}: {odd}")
        if ran != int(due):
            failures.append(f"firing {number} at {home.now}: {ran} runs, due: {due}: {results}")
        stamp = moment if due else stamp
    home.now = text_of(moment + timedelta(days=2))
    home.distil("--scheduled")
    failures += not_once(home, texts)
    table.add(
        "scheduled firings: one run a window, nothing lost, nothing repeated", count, failures
    )


def state_of(scope: Path) -> dict[str, tuple[bytes, int, int]]:
    """Every file with its bytes, time and number; git's own files too."""
    return {
        path.relative_to(scope).as_posix(): (
            path.read_bytes(),
            path.stat().st_mtime_ns,
            path.stat().st_ino,
        )
        for path in sorted(scope.rglob("*"))
        if path.is_file()
    }


def noop(top: Path, table: Table, *, seed: int, steps_of: int = 1) -> None:
    """After every kind of run the second one touches nothing; of ``steps_of`` kinds one is
    tried."""
    rng = random.Random(seed)
    home = Home(top / "noop")
    home.note("The first one makes the scope.")
    failures: list[str] = []
    words = ("--include-recent", "--max-age-days", "0")

    def by_hand() -> None:
        index = home.scope / "MEMORY.md"
        index.write_text(index.read_text() + f"- {sentence(rng)}\n")

    def session() -> None:
        turns = ["Please tidy up.", "Always squash commits before a merge.", "Thanks."]
        claude_session(home.sessions, "5e55dddd-01", turns, cwd=str(home.project), day="2026-07-03")

    steps = {
        "notes": lambda: [home.note(sentence(rng)) for _ in range(3)],
        "an edit by hand": by_hand,
        "a session": session,
        "a view removed": (home.scope / "MEMORY.md").unlink,
        "a lost state": (home.scope / "state.json").unlink,
    }
    tried = list(steps.items())[seed % steps_of :: steps_of]
    for number, (what, step) in enumerate(tried):
        step()
        home.now = f"2026-07-{5 + number:02}T10:00:00Z"
        home.distil(*words)
        before, head = state_of(home.scope), git(home.scope, "rev-parse", "HEAD")
        for more in range(2):
            home.now = f"2026-07-{5 + number:02}T1{1 + more}:00:00Z"
            done = home.distil(*words)
            after = state_of(home.scope)
            changed = {
                path
                for path in before.keys() | after.keys()
                if before.get(path) != after.get(path) and path != "state.json"
            }
            if changed:
                failures.append(f"after {what}, run {more + 2} touched {sorted(changed)}")
            if git(home.scope, "rev-parse", "HEAD") != head:
                failures.append(f"after {what}, run {more + 2} made a commit")
            if done.stdout.strip().split(b"\n")[0] != b"nothing new":
                failures.append(f"after {what}, run {more + 2} said {done.stdout!r}")
    table.add("a second run changes no byte but state.json, and says so", len(tried) * 2, failures)


def main() -> int:
    options = parser(__doc__ or "", count=60)
    options.add_argument("--only", choices=["windows", "noop"])
    chosen = options.parse_args()
    table = Table()
    with scratch() as top:
        if chosen.only in (None, "windows"):
            windows(top, table, count=chosen.count, seed=chosen.seed)
        if chosen.only in (None, "noop"):
            noop(top, table, seed=chosen.seed)
    return table.finish(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
