#!/usr/bin/env python3
"""Kill a command that changes one memory before each call that writes a file or starts git, call it
again, and compare with a home in which nobody disturbed it.

After the death the change has either happened or not: a night in between finishes what was
journalled, and the command, called again, does the rest or says that nothing is left to do.
"""

from __future__ import annotations

import random
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from harness import Home, Table, differences, facts, git, parser, picture, scratch

LATER = "2026-07-05T10:00:00Z"
_HELD = re.compile(r"^held: \w+$", re.MULTILINE)


def prepare(top: Path, seed: int) -> tuple[Home, dict[str, str]]:
    """A home with memories, a waiting note and an edit by hand; and the id of each fact."""
    rng = random.Random(seed)
    home = Home(top)
    known = facts(rng, 5)
    for fact in known:
        home.note(fact)
    home.distil()
    home.now = LATER
    home.note(known[1])
    home.distil()
    home.note(facts(rng, 7)[6])
    index = home.scope / "MEMORY.md"
    text = index.read_text().replace(known[4], f"By hand: {known[4]}")
    index.write_text(f"{text}\n## by hand\n- The garden gate opens at seven\n")
    ids = {}
    for path in (home.scope / "memories").glob("*.md"):
        ids[path.read_text().split("---\n")[-1].strip()] = path.stem[-8:]
    return home, {str(n): ids[fact] for n, fact in enumerate(known)}


def commands(ids: dict[str, str]) -> dict[str, Sequence[str]]:
    """Each kind of change."""
    return {
        "forget": ("forget", ids["0"]),
        "edit": ("edit", ids["0"], "The orchard wall is painted every spring"),
        "supersede": ("supersede", ids["0"], "The orchard wall is painted every spring"),
        "merge": ("merge", ids["0"], ids["2"]),
        "link": ("link", ids["0"], ids["2"]),
        "undo": ("undo",),
        "purge": ("purge", ids["0"], "--yes"),
    }


def windows(
    top: Path, table: Table, *, seed: int, every: int, start: int, only: Sequence[str] = ()
) -> None:
    """Death before each ``every``-th call of each command, from the ``start``-th on."""
    template, ids = prepare(top / "template", seed)
    for name, words in commands(ids).items():
        if only and name not in only:
            continue
        undisturbed = template.copy(top / f"{name}-undisturbed")
        calls = undisturbed.calls(*words)
        wanted = _settled(undisturbed)
        failures: list[str] = []
        tried = range(start, calls + 1, every)
        for number in tried:
            home = template.copy(top / f"{name}-{number}")
            home.start(*words, fault=(number, "die", top / "x")).communicate()
            again = home.run(*words)
            # 3: what was to be purged is gone; 7: what was to be replaced, or undone, is.
            if again.returncode not in {0, *([3] if name == "purge" else [7])}:
                failures.append(f"call {number}: exit {again.returncode}: {again.stderr[:300]!r}")
            told = differences(wanted, _settled(home)) + _left(home)
            failures += [f"death before call {number} of {calls}: {line}" for line in told]
            if not told:
                shutil.rmtree(home.top)
        table.add(f"{name}: death before each of its {calls} calls", len(tried), failures)


def at_once(top: Path, table: Table, *, count: int, seed: int) -> None:
    """Processes that change memories at the same time, one of them a night."""
    failures: list[str] = []
    for number in range(count):
        home, ids = prepare(top / f"at-once-{number}", seed + number)
        words = [("tag", key, f"t{n}") for n, key in ids.items()] + [("distill",)]
        started = [home.start(*each) for each in words]
        codes = [process.wait() for process in started]
        failures += [f"exit codes {codes}"] if any(codes) else []
        _settled(home)
        for n, key in ids.items():
            (path,) = home.scope.glob(f"memories/*{key}.md")
            if f"tags: [t{n}]" not in path.read_text():
                failures.append(f"{key} lost its tag")
        log = git(home.scope, "log", "--format=%(trailers:key=Jmem-Change,valueonly)").split()
        failures += [f"{log.count('tag')} of {len(ids)} commits"] if len(log) != len(ids) else []
        failures += _left(home)
    table.add("changes of many processes at once, and a night among them", count, failures)


def _settled(home: Home) -> dict[str, object]:
    """The scope after the next night, without the random id of the run that a note is held for,
    and without half-written notes: those go after an hour."""
    home.distil()
    seen = picture(home.scope)
    whole = {k: v for k, v in seen["files"].items() if not k.endswith(".jmem-tmp")}
    seen["files"] = {name: _plain(text) for name, text in whole.items()}
    return seen


def _plain(text: object) -> object:
    return _HELD.sub("held: <run>", text) if isinstance(text, str) else text


def _left(home: Home) -> list[str]:
    left = [path for path in home.memory.rglob("*") if path.name == ".journal.json"]
    left += list(home.scope.rglob("*.lock"))
    told = [f"left over: {path}" for path in left]
    if git(home.scope, "fsck", "--strict"):
        told.append("git fsck found something")
    return told


def main() -> int:
    options = parser(__doc__ or "", count=3)
    options.add_argument("--every", type=int, default=1, help="take each n-th window")
    options.add_argument("--only", action="append", default=[], metavar="COMMAND")
    options.add_argument("--keep", type=Path, help="keep the scratch homes here")
    chosen = options.parse_args()
    table = Table()

    def work(top: Path) -> None:
        windows(top, table, seed=chosen.seed, every=chosen.every, start=1, only=chosen.only)
        if not chosen.only:
            at_once(top, table, count=chosen.count, seed=chosen.seed)

    if chosen.keep:
        work(chosen.keep.resolve())
    else:
        with scratch() as top:
            work(top)
    return table.finish(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
