#!/usr/bin/env python3
"""Several machines note, change, forget, distil, pull and push at random, and are killed at it.

Real processes, each machine with a root of all memory of its own, one bare repository between
them; one act in ten is killed with SIGKILL, half of those with all that it had started. At the end
everybody pulls and pushes until nothing is new. Then all of them hold the same; every fact that was
ever noted is known, waits, or was forgotten; none is in force twice, none that was forgotten is;
and git finds nothing wrong with any repository.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

from harness import NOW, Home, Table, facts, git, parser, scratch

MEMORIES = "memories"
_ACTS = ("note", "note", "note", "edit", "forget", "distil", "distil", "push", "push", "pull")
_UNTIL_QUIET = 12
_EACH = 100
"""Acts of one team; then another one begins, with another number of machines."""


class Team:
    """The machines, and what was said and taken back on any of them."""

    def __init__(self, top: Path, rng: random.Random, count: int, kills: float) -> None:
        self.rng = rng
        self.kills = kills
        self.bare = top / "shared.git"
        self.bare.mkdir(parents=True)
        git(self.bare, "init", "--quiet", "--bare", ".")
        self.homes = [Home(top / f"machine{number}") for number in range(count)]
        self.moment = datetime.fromisoformat(NOW)
        self.waiting = facts(rng, 4000)
        self.said: dict[str, str] = {}
        self.gone: set[str] = set()
        self.killed = 0
        self.failed: list[str] = []
        for home in self.homes:
            self.run(home, "remote", "add", str(self.bare), "--mine", "--as", "orchard")

    def act(self) -> None:
        """One thing happens on one machine, and may be killed at it."""
        home = self.rng.choice(self.homes)
        what = self.rng.choice(_ACTS)
        words = {
            "note": self._note,
            "edit": lambda: self._edit(home),
            "forget": lambda: self._forget(home),
            "distil": lambda: ("distill",),
            "push": lambda: ("push",),
            "pull": lambda: ("pull",),
        }[what]()
        if not words:
            return
        if self.rng.random() < self.kills:
            self._killed(home, words)
        else:
            self.run(home, *words)

    def run(self, home: Home, *words: str) -> None:
        """One command on one machine; what it refuses is remembered."""
        self._tick(home)
        done = home.run(*words)
        if done.returncode not in (0, 4):  # busy: others were faster again and again
            told = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
            self.failed.append(f"{home.top.name}: jmem {' '.join(words)}: {told[-300:]}")

    def settle(self) -> int:
        """Everybody distils what waits and shares it until nothing is new; how often that took."""
        for home in self.homes:
            self.run(home, "distill")
        for number in range(_UNTIL_QUIET):
            before = self._head()
            for home in self.homes:
                self.run(home, "push")  # it pulls first
            if self._head() == before:
                return number
        self.failed.append(f"still not quiet after {_UNTIL_QUIET} rounds of pulling and pushing")
        return _UNTIL_QUIET

    def shared(self, home: Home) -> dict[str, object]:
        """What a machine holds of what is shared: memories and notes by id, what was forgotten."""
        held: dict[str, object] = {}
        for path in sorted((home.scope / MEMORIES).glob("*.md")):
            held[path.stem[-8:]] = path.read_text()
        for path in sorted((home.scope / "notes").glob("*.md")):
            held[f"note {_field(path.read_text(), 'id')}"] = path.read_text().partition("\n---\n")[
                2
            ]
        file = home.scope / "forgotten.jsonl"
        held["forgotten"] = sorted(file.read_text().split("\n")) if file.exists() else []
        return held

    def _note(self) -> tuple[str, ...]:
        text = self.waiting.pop()
        self.said[text] = text
        return ("note", text)

    def _edit(self, home: Home) -> tuple[str, ...]:
        known = self.known(home)
        if not known:
            return ()
        key = self.rng.choice(sorted(known))
        text = self.waiting.pop()
        self.said[text] = text
        self.gone.add(known[key])  # in its words it need not be known any more
        return ("edit", key, text)

    def _forget(self, home: Home) -> tuple[str, ...]:
        known = self.known(home)
        if len(known) < 4:
            return ()
        key = self.rng.choice(sorted(known))
        self.gone.add(known[key])
        return ("forget", key)

    def known(self, home: Home) -> dict[str, str]:
        """The memories in force on a machine: id -> statement."""
        found = {}
        for path in (home.scope / MEMORIES).glob("*.md"):
            text = path.read_text()
            if _field(text, "status") == "active":
                found[path.stem[-8:]] = text.partition("\n---\n")[2].strip().split("\n")[0]
        return found

    def _killed(self, home: Home, words: tuple[str, ...]) -> None:
        self._tick(home)
        process = home.start(*words, start_new_session=True)
        time.sleep(self.rng.random() * 0.9)
        whole = self.rng.random() < 0.5
        if process.poll() is None:
            self.killed += 1
            if whole:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.communicate()

    def _tick(self, home: Home) -> None:
        self.moment += timedelta(minutes=1)
        home.now = self.moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    def _head(self) -> str:
        return git(self.bare, "for-each-ref", "--format=%(objectname)")


def rounds(top: Path, table: Table, *, count: int, seed: int, kills: float = 0.1) -> None:
    """``count`` acts on two to five machines, and what must be true afterwards."""
    rng = random.Random(seed)
    team = Team(top, rng, rng.randint(2, 5), kills)
    started = time.monotonic()
    for _ in range(count):
        team.act()
    quiet = team.settle()
    wrong = [*team.failed, *_differences(team), *_lost(team), *_doubled(team), *_broken(team)]
    told = (
        f"{len(team.homes)} machines ({team.killed} kills, seed {seed}) hold the same, "
        f"{len(team.known(team.homes[0]))} memories in force; quiet after {quiet} rounds; "
        f"{time.monotonic() - started:.0f} s"
    )
    table.add(told, count, wrong)


def _differences(team: Team) -> list[str]:
    first = team.shared(team.homes[0])
    found = []
    for home in team.homes[1:]:
        other = team.shared(home)
        unlike = sorted(k for k in first.keys() | other.keys() if first.get(k) != other.get(k))
        if unlike:
            found.append(f"{home.top.name} differs in {len(unlike)}: {', '.join(unlike[:4])}")
    return found


def _lost(team: Team) -> list[str]:
    """Facts that are neither known nor waiting, that nobody took back or reworded, and of which no
    night says why it did not keep them (they resemble what was forgotten)."""
    held = "\n".join(str(value) for value in team.shared(team.homes[0]).values())
    missing = [fact for fact in team.said if fact not in held and fact not in team.gone]
    found = []
    for fact in missing:
        told = _mentions(team, fact)
        refused = any(f"NOOP: {fact} (not kept: " in line for line in told)
        if not refused and not _noted_in_vain(team, fact):
            found.append(f"lost: {fact}; {told}")
    return found


def _mentions(team: Team, fact: str) -> list[str]:
    """What the histories of the machines say of a fact, for whoever looks for the fault."""
    return [
        f"{home.top.name}: {line}"
        for home in team.homes
        for line in git(home.scope, "log", "--reverse", "--format=%B").split("\n")
        if fact in line
    ]


def _noted_in_vain(team: Team, fact: str) -> bool:
    """Whether the process died before the note was written, so that nobody was told it was."""
    pattern = fact.encode()
    for home in team.homes:
        objects = subprocess.run(
            ["git", "cat-file", "--batch-all-objects", "--batch", "--unordered"],
            cwd=home.scope, capture_output=True, check=True,
        ).stdout  # fmt: skip
        if pattern in objects:
            return False
    return True


def _doubled(team: Team) -> list[str]:
    statements = list(team.known(team.homes[0]).values())
    return [f"twice in force: {one}" for one in {s for s in statements if statements.count(s) > 1}]


def _broken(team: Team) -> list[str]:
    found = []
    for place in [team.bare, *(home.scope for home in team.homes)]:
        done = subprocess.run(
            ["git", "fsck", "--strict"], cwd=place, capture_output=True, check=False
        )
        if done.returncode:
            found.append(f"git fsck in {place.name}: {done.stderr.decode()[-200:]}")
    for home in team.homes:
        if (home.scope / ".journal.json").exists():
            found.append(f"{home.top.name}: a journal is left")
    return found


def _field(text: str, name: str) -> str:
    head = text.partition("\n---\n")[0]
    return next(
        (row.partition(": ")[2] for row in head.split("\n") if row.startswith(f"{name}:")), ""
    )


def main() -> int:
    chosen = parser(__doc__ or "", count=500).parse_args()
    table = Table()
    for number, done in enumerate(range(0, chosen.count, _EACH)):
        with scratch() as top:
            some = min(_EACH, chosen.count - done)
            rounds(top, table, count=some, seed=chosen.seed + number)
        print(f"after {done + some}: {table.rows[-1]}", file=sys.stderr, flush=True)
    return table.finish(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
