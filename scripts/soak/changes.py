#!/usr/bin/env python3
"""Any sequence of notes, nights, commands, edits by hand and undoings keeps the laws of the store.

A Hypothesis state machine in this process, on real files and a real git: ids are unique; of the
versions of one fact at most one is in force; every view is the rendering of the memory files, but
for lines that a person added and no night has decided on; what was forgotten is not in force
again unless somebody restored it; no word that a note, an edit or a line ever brought is lost from
git; and after the last night there is nothing new.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from harness import Table, facts, parser
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from jmem import chains, changing, config, scopes, store
from jmem.errors import NotFound, Refused, UsageError
from jmem.formats import viewline, views
from jmem.model import Memory, Note, Status
from jmem.storage import memories
from pipelines import run
from pipelines.run import Options

FACTS = facts(random.Random(20), 60)
START = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
PICK = st.integers(0, 10_000)
LAWS = ("ids_are_unique", "one_version_holds", "views_are_the", "what_was_forgotten")


class Changes(RuleBasedStateMachine):
    """One scope and everything that may happen to it."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp(prefix="jmem-changes-"))
        self.before = os.environ.get("JMEM_HOME")
        os.environ["JMEM_HOME"] = str(self.home)
        self.scope = scopes.global_scope()
        self.now = START
        self.fresh = 0
        self.said: set[str] = set()
        self.forgotten: set[str] = set()
        self.pending = False

    # -- what may happen ----------------------------------------------------------------------

    @initialize()
    def begin(self) -> None:
        for fact in FACTS[:6]:
            self._note(fact)
        self.distil()

    @rule(pick=PICK)
    def note(self, pick: int) -> None:
        self._note(FACTS[pick % 24])

    @rule()
    def distil(self) -> None:
        run.distil(self.scope, [], config.load(), Options(accept_deletions=True), now=self._later())
        self.pending = False

    @rule(pick=PICK)
    def forget(self, pick: int) -> None:
        memory = self._any(pick)
        if self._try(lambda: changing.forget(self.scope, memory.id, now=self._later())):
            self.forgotten.add(memory.id)

    @rule(pick=PICK)
    def restore(self, pick: int) -> None:
        memory = self._any(pick)
        if self._try(lambda: changing.restore(self.scope, memory.id, now=self._later())):
            self.forgotten.discard(memory.id)

    @rule(pick=PICK)
    def edit(self, pick: int) -> None:
        memory, text = self._any(pick), self._text()
        self._try(lambda: changing.edit(self.scope, memory.id, text=text, now=self._later()), text)

    @rule(pick=PICK)
    def supersede(self, pick: int) -> None:
        memory, text = self._any(pick), self._text()
        self._try(lambda: changing.supersede(self.scope, memory.id, text, now=self._later()), text)

    @rule(one=PICK, two=PICK)
    def merge(self, one: int, two: int) -> None:
        keep, other = self._any(one), self._any(two)
        self._try(lambda: changing.merge(self.scope, keep.id, other.id, now=self._later()))

    @rule(one=PICK, two=PICK)
    def link(self, one: int, two: int) -> None:
        first, other = self._any(one), self._any(two)
        self._try(lambda: changing.link(self.scope, first.id, other.id, now=self._later()))

    @rule(pick=PICK)
    def undo(self, pick: int) -> None:
        """The newest run or change, or one of those before it; the first night stays."""
        runs = self._git("log", "--grep=^Jmem-Run: ", "--format=%H").split()[:-1][:8]
        if runs and self._try(
            lambda: changing.undo(self.scope, runs[pick % len(runs)], now=self._later())
        ):
            self.forgotten = {m.id for m in self._memories() if m.status is Status.FORGOTTEN}

    @rule(pick=PICK)
    def line_edited(self, pick: int) -> None:
        memory, text = self._shown(pick), self._text()
        if memory is not None:
            self._in_view(memory.id, lambda line: line.replace(memory.statement, text))
            self.said.add(text)

    @rule(pick=PICK)
    def line_removed(self, pick: int) -> None:
        active = [memory for memory in self._memories() if memory.active]
        memory = self._shown(pick)
        if memory is not None and len(active) > 4 and not self.pending:
            self._in_view(memory.id, lambda _: "")
            self.forgotten.add(memory.id)

    @rule()
    def line_added(self) -> None:
        text = self._text()
        with self._index.open("a") as index:
            index.write(f"\n## by hand\n- {text}\n")
        self.pending = True
        self.said.add(text)

    @rule(pick=PICK)
    def file_edited(self, pick: int) -> None:
        memory, text = self._any(pick), self._text()
        path = next(self.scope.root.glob(f"memories/*{memory.id}.md"))
        path.write_text(path.read_text().rstrip("\n") + f"\n\nWhy: {text}\n")
        self.pending = True
        self.said.add(text)

    # -- what must hold -----------------------------------------------------------------------

    @invariant()
    def ids_are_unique(self) -> None:
        names = [path.stem[-8:] for path in self.scope.root.glob("memories/*.md")]
        assert sorted(names) == sorted(memory.id for memory in self._memories())

    @invariant()
    def one_version_holds(self) -> None:
        known = {memory.id: memory for memory in self._memories()}
        for key in known:
            versions = chains.chain(known, key)
            assert sum(known[one].active for one in versions) <= 1, versions

    @precondition(lambda self: not self.pending)
    @invariant()
    def views_are_the_rendering(self) -> None:
        if not self._index.exists():
            return
        texts = {"MEMORY.md": self._index.read_text()}
        for path in self.scope.root.glob("topics/*.md"):
            texts[f"topics/{path.name}"] = path.read_text()
        kept = {
            path: "\n".join(line for line in text.split("\n") if not _is_waiting(line))
            for path, text in texts.items()
        }
        assert views.agree(kept, self._memories()), (kept, self._memories())

    @precondition(lambda self: not self.pending)
    @invariant()
    def what_was_forgotten_stays_forgotten(self) -> None:
        back = [m for m in self._memories() if m.active and m.id in self.forgotten]
        assert not back, back

    def teardown(self) -> None:
        try:
            self.distil()
            self.views_are_the_rendering()
            report = run.distil(self.scope, [], config.load(), Options(), now=self._later())
            assert report.outcome is run.Outcome.NOTHING_NEW, report
            assert not (self.scope.root / ".journal.json").exists()
            self._git("fsck", "--strict")
            objects = self._git("cat-file", "--batch-all-objects", "--batch", "--unordered")
            lost = [text for text in self.said if text not in objects]
            assert not lost, lost
        finally:
            shutil.rmtree(self.home, ignore_errors=True)
            os.environ.pop("JMEM_HOME")
            if self.before is not None:
                os.environ["JMEM_HOME"] = self.before

    # -- means --------------------------------------------------------------------------------

    @property
    def _index(self) -> Path:
        return self.scope.root / "MEMORY.md"

    def _later(self) -> datetime:
        self.now += timedelta(hours=7)
        return self.now

    def _note(self, text: str) -> None:
        store.take_note(Note(text=text, scope="global", source="agent"), now=self._later())
        self.said.add(text)

    def _text(self) -> str:
        self.fresh += 1
        return f"{FACTS[24 + self.fresh % 36]}, as of remark {self.fresh}"

    def _memories(self) -> list[Memory]:
        return sorted(memories.load(self.scope.root).memories.values(), key=lambda m: m.id)

    def _any(self, pick: int) -> Memory:
        """The oldest are the same in every replay, whatever their random ids are."""
        known = sorted(self._memories(), key=lambda m: (m.created, m.text))
        return known[pick % len(known)]

    def _shown(self, pick: int) -> Memory | None:
        shown = self._index.read_text() if self._index.exists() else ""
        known = sorted(self._memories(), key=lambda m: (m.created, m.text))
        known = [m for m in known if m.active and f"{m.statement} " in shown]
        return known[pick % len(known)] if known else None

    def _in_view(self, key: str, change: Callable[[str], str]) -> None:
        lines = self._index.read_text().split("\n")
        lines = [change(line) if line.endswith(f"^{key}") else line for line in lines]
        self._index.write_text("\n".join(lines))
        self.pending = True

    def _try(self, act: Callable[[], changing.Changed], text: str = "") -> bool:
        """Whether a command changed anything; that a guard refuses it is no failure."""
        try:
            if not act().commit:
                return False
        except (Refused, NotFound, UsageError):
            return False
        self.pending = False
        self.said |= {text} if text else set()
        return True

    def _git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.scope.root), *words], capture_output=True, check=True
        )
        return done.stdout.decode("utf-8", "replace")


def _is_waiting(line: str) -> bool:
    parsed = viewline.parse(line)
    return line.startswith("- ") and not parsed.id


def sequences(table: Table, *, count: int, steps: int, start: int, shrink: bool = False) -> None:
    """``count`` sequences of at most ``steps`` things that happen."""
    chosen = settings(
        max_examples=count,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        phases=[Phase.generate, *([Phase.shrink] if shrink else [])],
        print_blob=False,
        suppress_health_check=list(HealthCheck),
    )
    failures = []
    try:
        machine = seed(start)(type("Seeded", (Changes,), {}))
        run_state_machine_as_test(machine, settings=chosen)
    except Exception as error:
        told = "\n".join(getattr(error, "__notes__", ())).split("\n")
        steps_taken = [line for line in told if not any(name in line for name in LAWS)]
        failures.append("\n".join([repr(error)[:1500], *dict.fromkeys(steps_taken)]))
    table.add("any sequence of changes keeps the laws of the store", count, failures)


def main() -> int:
    options = parser(__doc__ or "", count=200)
    options.add_argument("--steps", type=int, default=30)
    options.add_argument("--shrink", action="store_true", help="look for the shortest failure")
    chosen = options.parse_args()
    table = Table()
    sequences(
        table, count=chosen.count, steps=chosen.steps, start=chosen.seed, shrink=chosen.shrink
    )
    return table.finish(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
