#!/usr/bin/env python3
"""Edit the memory by hand, at random, and compare with what the architecture says must follow.

The oracle knows nothing of jmem's code: it reads memory files and views as text. ``edits``:
rounds of one to three edits on a growing scope, some with a commit of the person's own in between.
``during``: an edit while a distillation stands still before one of its writes. ``mass``: more than
half of a view deleted. ``forgotten``: what was forgotten comes back only when the user says so.
"""

from __future__ import annotations

import os
import pty
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness import COMMAND, Home, Table, claude_session, git, parser, scratch

WORDS = ("--include-recent", "--max-age-days", "0", "--max-sessions", "0")
TOPICS = ("testing", "deployment", "api", "docs")


def sentence(rng: random.Random) -> str:
    """A statement that shares no rare word with any other."""

    def word() -> str:
        return "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(4))

    return f"The {word()} {word()} follows the {word()} {word()} before every {word()}"


@dataclass
class Fact:
    """A memory file as the oracle reads it."""

    path: Path
    text: str

    def field(self, name: str) -> str:
        found = re.search(rf"^{name}: (.*)$", self.text, re.MULTILINE)
        return found[1].strip('"') if found else ""

    @property
    def id(self) -> str:
        return self.field("id")

    @property
    def active(self) -> bool:
        return self.field("status") in ("active", "")

    @property
    def statement(self) -> str:
        body = self.text.split("\n---\n", 1)[-1] if self.text.startswith("---") else self.text
        return " ".join(body.strip().split("\n\n")[0].split())


def facts_of(scope: Path) -> dict[str, Fact]:
    found = {}
    for path in sorted((scope / "memories").glob("*.md")):
        fact = Fact(path, path.read_text())
        found[fact.id or path.name] = fact
    return found


@dataclass
class Round:
    """One round of edits: what was there, what is expected of each memory, what was done."""

    scope: Path
    rng: random.Random
    before: dict[str, Fact]
    done: list[str] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)
    checks: list[Callable[[dict[str, Fact]], str]] = field(default_factory=list)
    silent: bool = False

    @property
    def index(self) -> Path:
        return self.scope / "MEMORY.md"

    def lines(self) -> list[str]:
        return self.index.read_text().split("\n")

    def write(self, lines: list[str]) -> None:
        self.index.write_text("\n".join(lines))

    def pick(self) -> Fact | None:
        """A memory that no edit of this round has touched yet and that the index shows."""
        shown = self.index.read_text() if self.index.exists() else ""
        free = [
            fact
            for key, fact in self.before.items()
            if fact.active and key not in self.touched and f"^{key}" in shown
        ]
        if not free:
            return None
        fact = self.rng.choice(free)
        self.touched.add(fact.id)
        return fact

    def where(self, fact: Fact) -> int:
        return next(n for n, line in enumerate(self.lines()) if line.endswith(f"^{fact.id}"))

    def expect(self, told: str, check: Callable[[dict[str, Fact]], bool]) -> None:
        self.checks.append(lambda after: "" if check(after) else told)

    def expect_same(self, fact: Fact) -> None:
        self.expect(
            f"{fact.id} should not have changed",
            lambda after: fact.id in after and after[fact.id].text == fact.text,
        )


def change_line(r: Round) -> None:
    fact = r.pick()
    if fact is None:
        return
    new = sentence(r.rng)
    lines = r.lines()
    lines[r.where(fact)] = lines[r.where(fact)].replace(fact.statement, new)
    r.write(lines)
    r.expect(
        f"{fact.id} should say {new!r} by the user's word",
        lambda after: (
            after[fact.id].statement == new
            and after[fact.id].field("source") == "user"
            and after[fact.id].field("trust") == "high"
        ),
    )


def delete_line(r: Round) -> None:
    shown = [fact for fact in r.before.values() if fact.active]
    if len(shown) < 8:
        return
    fact = r.pick()
    if fact is None:
        return
    lines = r.lines()
    del lines[r.where(fact)]
    r.write(lines)
    r.expect(
        f"{fact.id} should be forgotten and recorded",
        lambda after: (
            after[fact.id].field("status") == "forgotten"
            and f'"{fact.id}"' in (r.scope / "forgotten.jsonl").read_text()
        ),
    )


def move_line(r: Round) -> None:
    """To the end of its own group."""
    fact = r.pick()
    if fact is None:
        return
    lines = r.lines()
    at = r.where(fact)
    line = lines.pop(at)
    end = at
    while end < len(lines) and lines[end].startswith("- "):
        end += 1
    lines.insert(end, line)
    r.write(lines)
    r.expect_same(fact)


def move_to_heading(r: Round) -> None:
    fact = r.pick()
    if fact is None:
        return
    lines = r.lines()
    line = lines.pop(r.where(fact))
    topic = r.rng.choice([*TOPICS, "my own corner"])
    heading = f"## {topic}"
    if heading not in lines:
        lines += ["", heading]
    lines.insert(lines.index(heading) + 1, line)
    r.write(lines)
    r.expect(
        f"{fact.id} should be about {topic}",
        lambda after: (
            after[fact.id].field("topic") == topic and after[fact.id].statement == fact.statement
        ),
    )


def copy_line(r: Round) -> None:
    """A second line with the id and another text is an addition."""
    fact = r.pick()
    if fact is None:
        return
    lines = r.lines()
    at = r.where(fact)
    new = sentence(r.rng)
    place = at + r.rng.randrange(2)  # the copy above the original, or below
    lines.insert(place, lines[at].replace(fact.statement, new))
    r.write(lines)
    r.expect_same(fact)
    expect_new(r, new)


def copy_line_unchanged(r: Round) -> None:
    fact = r.pick()
    if fact is None:
        return
    lines = r.lines()
    lines.insert(r.where(fact), lines[r.where(fact)])
    r.write(lines)
    r.expect(
        f"{fact.id} should stand once, as it was",
        lambda after: [f.id for f in after.values() if f.statement == fact.statement] == [fact.id],
    )


def strip_id(r: Round) -> None:
    fact = r.pick()
    if fact is None:
        return
    lines = r.lines()
    at = r.where(fact)
    lines[at] = lines[at].replace(f" ^{fact.id}", "")
    r.write(lines)
    r.expect_same(fact)


def strip_id_and_reword(r: Round) -> None:
    """Half of the words are left: still the same memory."""
    fact = r.pick()
    if fact is None:
        return
    words = fact.statement.split()
    words[r.rng.randrange(1, 3)] = "changed"
    words[-1] = "evening"
    new = " ".join(words)
    lines = r.lines()
    at = r.where(fact)
    lines[at] = f"- {new}"
    r.write(lines)
    r.expect(f"{fact.id} should say {new!r}", lambda after: after[fact.id].statement == new)


def strip_id_and_replace(r: Round) -> None:
    """None of the words is left: one is forgotten, another one new."""
    shown = [fact for fact in r.before.values() if fact.active]
    fact = r.pick() if len(shown) >= 8 else None
    if fact is None:
        return
    new = re.sub("^The|the|follows|before|every", "", sentence(r.rng))
    new = " ".join(new.split())
    lines = r.lines()
    lines[r.where(fact)] = f"- {new}"
    r.write(lines)
    r.expect(
        f"{fact.id} should be forgotten",
        lambda after: after[fact.id].field("status") == "forgotten",
    )
    expect_new(r, new)


def rename_heading(r: Round) -> None:
    lines = r.lines()
    headings = [n for n, line in enumerate(lines) if line.startswith("## ")]
    for at in r.rng.sample(headings, len(headings)):
        end = next((n for n in headings if n > at), len(lines))
        keys = [key for line in lines[at:end] for key in re.findall(r"\^([a-z][a-z0-9]{7})$", line)]
        if keys and not r.touched & set(keys) and all(key in r.before for key in keys):
            new = f"renamed {r.rng.randrange(10**6)}"
            lines[at] = f"## {new}"
            r.write(lines)
            r.touched |= set(keys)
            r.expect(
                f"{keys} should be about {new}",
                lambda after, keys=keys, new=new: all(
                    after[key].field("topic") == new for key in keys
                ),
            )
            return


def new_line(r: Round) -> None:
    new = sentence(r.rng)
    lines = r.lines()
    form = r.rng.choice(["- {}", "{}", "* {}", "- {} #byhand", "  - {}"])
    headings = [n for n, line in enumerate(lines) if line.startswith("## ")]
    at = (r.rng.choice(headings) + 1) if headings else len(lines)
    lines.insert(at, form.format(new))
    r.write(lines)
    expect_new(r, new)


def expect_new(r: Round, statement: str) -> None:
    r.expect(
        f"{statement!r} should be a memory by the user's word",
        lambda after: (
            [f.field("source") for f in after.values() if f.statement == statement and f.active]
            == ["user"]
        ),
    )


def edit_file(r: Round) -> None:
    fact = r.pick()
    if fact is None:
        return
    new = sentence(r.rng)
    text = fact.text.replace(fact.statement, new) + "\nWhy: because I say so.\n"
    fact.path.write_text(text)
    r.expect(
        f"the file of {fact.id} should stay as the person wrote it",
        lambda after: after[fact.id].text == text,
    )


def edit_file_and_line(r: Round) -> None:
    """The file says it better than the line."""
    fact = r.pick()
    if fact is None:
        return
    lines = r.lines()
    at = r.where(fact)
    lines[at] = lines[at].replace(fact.statement, sentence(r.rng))
    r.write(lines)
    text = fact.text.replace(fact.statement, sentence(r.rng))
    fact.path.write_text(text)
    r.expect(
        f"the file of {fact.id} should beat its line",
        lambda after: after[fact.id].text == text,
    )


def remove_file(r: Round) -> None:
    if len(r.before) < 8:
        return
    fact = r.pick()
    if fact is None:
        return
    fact.path.unlink()
    r.expect(
        f"{fact.id} should be gone and recorded",
        lambda after: (
            fact.id not in after
            and f'"{fact.id}"' in (r.scope / "forgotten.jsonl").read_text()
            and all(f.statement != fact.statement for f in after.values())
        ),
    )


def rename_file(r: Round) -> None:
    fact = r.pick()
    if fact is None:
        return
    target = fact.path.with_name(f"my-name-{r.rng.randrange(10**6)}.md")
    fact.path.rename(target)
    r.expect(
        f"{fact.id} should keep its id and its new name",
        lambda after: after[fact.id].path == target and after[fact.id].text == fact.text,
    )


def copy_file(r: Round) -> None:
    fact = r.pick()
    if fact is None:
        return
    name = r.rng.choice(["aaa-copy", "zzz-copy"]) + f"-{r.rng.randrange(10**6)}.md"
    new = sentence(r.rng)
    fact.path.with_name(name).write_text(fact.text.replace(fact.statement, new))
    r.expect_same(fact)
    r.expect(
        f"the copy of {fact.id} should have an id of its own",
        lambda after: (
            [f.path.name for f in after.values() if f.statement == new and f.id] == [name]
            and all(f.id != fact.id for f in after.values() if f.statement == new)
        ),
    )


def add_file(r: Round) -> None:
    new = sentence(r.rng)
    path = r.scope / "memories" / f"mine-{r.rng.randrange(10**6)}.md"
    path.write_text(f"{new}\n\nWith some detail below.\n")
    r.expect(
        f"{new!r} should be a memory with an id",
        lambda after: (
            [bool(f.id) for f in after.values() if f.path == path] == [True]
            and "With some detail below." in path.read_text()
        ),
    )


def silence_view(r: Round) -> None:
    """A view that says nothing is rebuilt, and nothing is forgotten. Comes last in a round."""
    what = r.rng.choice(["missing", "empty", "blank", "bytes", "bytes in a comment", "markers"])
    r.done[-1] += f" ({what})"
    text = r.index.read_bytes()
    if what == "missing":
        r.index.unlink()
    elif what in ("empty", "blank"):
        r.index.write_bytes(b"" if what == "empty" else b" \n\n")
    elif what == "bytes":
        r.index.write_bytes(text + b"\n- caf\xe9 au lait\n")
    elif what == "bytes in a comment":
        r.index.write_bytes(text + b"\n<!-- caf\xe9 -->\n")
    else:
        middle = text.split(b"\n")
        half = len(middle) // 2
        middle[half:half] = [b"<<<<<<< mine", b"- one thing", b"=======", b"- another thing"]
        r.index.write_bytes(b"\n".join([*middle, b">>>>>>> theirs", b""]))
    for key, fact in r.before.items():
        if key not in r.touched:
            r.expect_same(fact)


ON_LINES = (
    change_line,
    delete_line,
    move_line,
    move_to_heading,
    copy_line,
    copy_line_unchanged,
    strip_id,
    strip_id_and_reword,
    strip_id_and_replace,
    rename_heading,
    new_line,
)
ON_FILES = (edit_file, remove_file, rename_file, copy_file, add_file)


def play(r: Round) -> None:
    """Choose and do the edits of a round."""
    if r.rng.random() < 0.12:
        for act in r.rng.sample(ON_FILES, r.rng.randrange(2)):
            r.done.append(act.__name__)
            act(r)
        r.done.append("silence_view")
        silence_view(r)
    else:
        acts = [*ON_LINES, *ON_FILES, edit_file_and_line]
        for act in r.rng.sample(acts, r.rng.randrange(1, 4)):
            r.done.append(act.__name__)
            act(r)
    if r.rng.random() < 0.25:
        r.done.append("a commit of their own")
        git(r.scope, "add", "--all")
        git(r.scope, "commit", "-q", "--allow-empty", "-m", "My own changes")


def judge(r: Round, after: dict[str, Fact]) -> list[str]:
    """What does not follow from the edits, and what does not hold at any time."""
    told = []
    for check in r.checks:
        try:
            problem = check(after)
        except (KeyError, FileNotFoundError) as missing:
            problem = f"it is not there: {missing}"
        told.append(problem)
    for key, fact in r.before.items():
        if key not in r.touched and (key not in after or after[key].text != fact.text):
            told.append(f"{key} was not touched and has changed")
    return [line for line in told if line] + disagreement(r.scope, after)


def disagreement(scope: Path, after: dict[str, Fact]) -> list[str]:
    """Where the views do not show just the memories in force, each once."""
    shown: list[str] = []
    for path in [scope / "MEMORY.md", *sorted((scope / "topics").glob("*.md"))]:
        shown += re.findall(r"\^([a-z][a-z0-9]{7})$", path.read_text(), re.MULTILINE)
    wanted = sorted(fact.id for fact in after.values() if fact.active)
    if sorted(shown) == wanted:
        return []
    return [f"the views show {sorted(set(shown) ^ set(wanted))} wrongly, or one twice"]


def edits(top: Path, table: Table, *, count: int, seed: int) -> None:
    """``count`` rounds, one after the other on scopes that grow and shrink."""
    rng = random.Random(seed)
    failures: list[str] = []
    done = 0
    home = None
    for number in range(count):
        if home is None or number % 40 == 0:
            home = Home(top / f"edits-{number}")
            large = (number // 40) % 3 == 2
            stock(home, rng, 240 if large else 16)
        r = Round(home.scope, rng, facts_of(home.scope))
        play(r)
        done += len(r.done)
        first = home.distil(check=None)
        told = [] if first.returncode == 0 else [f"exit {first.returncode}: {first.stderr!r}"]
        told += judge(r, facts_of(home.scope))
        second = home.distil(check=None)
        if b"nothing new" not in second.stdout:
            told.append(f"a second run found something: {second.stdout.decode()[:300]}")
        failures += [f"round {number} {r.done}: {line}" for line in told]
        if told:
            home = None
        elif rng.random() < 0.3:
            for _ in range(2):
                home.note(sentence(rng), "--tag", rng.choice(TOPICS))
            home.distil()
    table.add("every edit by hand leads to what the architecture says", done, failures)


def stock(home: Home, rng: random.Random, count: int) -> None:
    """Memories to edit; many of them only where the views must overflow into topics/."""
    home.run("path", check=0)
    home.note(sentence(rng), "--tag", TOPICS[0])
    for number in range(count - 1):
        if count > 50:
            path = home.scope / "memories" / f"m{number:04}.md"
            path.write_text(f"---\ntopic: {TOPICS[number % 4]}\n---\n{sentence(rng)}\n")
        else:
            home.note(sentence(rng), "--tag", TOPICS[number % 4])
    home.distil()


# -- while a distillation runs ----------------------------------------------------------------


def during(top: Path, table: Table, *, count: int, seed: int) -> None:
    """A distillation stands still before one of its writes; meanwhile a person edits."""
    rng = random.Random(seed)
    template = Home(top / "during-template")
    stock(template, rng, 12)
    template.now = "2026-07-05T10:00:00Z"
    fresh = [sentence(rng) for _ in range(4)]
    for text in fresh:
        template.note(text)
    calls = template.copy(top / "during-count").calls("distill")
    failures: list[str] = []
    for number in range(count):
        home = template.copy(top / f"during-{number}")
        where = rng.randrange(1, calls + 1) if count < calls else number % calls + 1
        r = Round(home.scope, rng, facts_of(home.scope))
        flag = home.top / "flag"
        process = home.start("distill", fault=(where, "wait", flag))
        deadline = time.monotonic() + 60
        while not Path(f"{flag}.here").exists() and time.monotonic() < deadline:
            if process.poll() is not None:
                break
            time.sleep(0.005)
        late = sentence(rng)
        home.note(late)
        act = rng.choice([*ON_LINES, *ON_FILES])
        r.done.append(act.__name__)
        act(r)
        Path(f"{flag}.go").touch()
        _, errors = process.communicate()
        told = [] if process.returncode == 0 else [f"exit {process.returncode}: {errors!r}"]
        last = home.distil(check=None)
        if last.returncode != 0:
            told.append(f"the next run: exit {last.returncode}: {last.stderr!r}")
        after = facts_of(home.scope)
        told += judge(r, after)
        for text in [*fresh, late]:
            held = [fact for fact in after.values() if fact.statement == text]
            if len(held) != 1 or held[0].field("strength") != "1":
                told.append(f"the note {text!r} was applied {len(held)} times")
        if list((home.scope / "notes").glob("*.md")):
            told.append("a note is still waiting")
        quiet = home.distil(check=None)
        if b"nothing new" not in quiet.stdout:
            told.append(f"a third run found something: {quiet.stdout.decode()[:300]}")
        failures += [f"{r.done} before call {where} of {calls}: {line}" for line in told]
    table.add("an edit while a distillation runs is followed, and nothing is lost", count, failures)


# -- guards -----------------------------------------------------------------------------------


MASSES = ("lines", "files")


def mass(top: Path, table: Table, *, seed: int, ways: Sequence[str] = MASSES) -> None:
    """More than half of a view, or of the memory files, gone at once is refused."""
    rng = random.Random(seed)
    failures: list[str] = []
    for what in ways:
        home = Home(top / f"mass-{what}")
        stock(home, rng, 12)
        before = facts_of(home.scope)
        if what == "lines":
            index = home.scope / "MEMORY.md"
            lines = index.read_text().split("\n")
            gone = [n for n, line in enumerate(lines) if "^" in line][:7]
            index.write_text("\n".join(line for n, line in enumerate(lines) if n not in gone))
        else:
            for fact in list(before.values())[:7]:
                fact.path.unlink()
        left = facts_of(home.scope)
        refused = home.distil(check=None)
        if refused.returncode != 7 or b"--accept-deletions" not in refused.stderr:
            failures.append(f"{what}: exit {refused.returncode}: {refused.stderr!r}")
        if facts_of(home.scope) != left:
            failures.append(f"{what}: the refused run changed a memory")
        home.distil("--accept-deletions")
        active = [fact for fact in facts_of(home.scope).values() if fact.active]
        if len(active) != 5:
            failures.append(f"{what}: {len(active)} are left, not 5")
        failures += [f"{what}: {line}" for line in disagreement(home.scope, facts_of(home.scope))]
    told = "more than half gone at once: exit 7 until --accept-deletions"
    table.add(told, len(ways), failures)


def note_on_terminal(home: Home, text: str) -> None:
    """A note as a person types it: with a terminal on standard input."""
    master, slave = pty.openpty()
    try:
        subprocess.run(
            [str(COMMAND), "note", text],
            cwd=home.project,
            env=home.environment(),
            stdin=slave,
            capture_output=True,
            check=True,
        )
    finally:
        os.close(master)
        os.close(slave)


RULE = "Always wrap the kiln exporter in a retry loop."


def forgotten(top: Path, table: Table) -> None:
    """What was forgotten stays so: for an old session, for an agent; not for the user."""
    failures: list[str] = []
    ways = ("line", "file", "retraction")
    for way in ways:
        home = Home(top / f"forgotten-{way}")
        turns = ["Please look at the kiln.", RULE, "Thanks."]
        home.note("The orchard gate opens at seven")
        home.note("The cellar door needs two keys")

        grown = [*turns, "One more thing: it is hot."]

        def session(turns: list[str], home: Home = home) -> None:
            claude_session(
                home.sessions, "5e55cccc-0009", turns, cwd=str(home.project), day="2026-07-03"
            )

        session(turns)
        home.distil(*WORDS)

        def held(home: Home = home) -> list[Fact]:
            return [f for f in facts_of(home.scope).values() if "kiln" in f.statement and f.active]

        if len(held()) != 1:
            failures.append(f"{way}: the session gave {len(held())} memories")
            continue
        fact = held()[0]
        home.now = "2026-07-05T10:00:00Z"
        if way == "line":
            index = home.scope / "MEMORY.md"
            lines = index.read_text().split("\n")
            index.write_text("\n".join(line for line in lines if f"^{fact.id}" not in line))
        elif way == "file":
            fact.path.unlink()
        else:
            home.note(f"No longer true: {RULE}")
        home.distil(*WORDS)
        steps: list[tuple[str, Callable[[], object]]] = [
            ("at once", lambda: None),
            (
                "from the grown session",
                lambda session=session, grown=grown: session(grown),
            ),
            ("from an agent's note", lambda home=home: home.note(RULE)),
            (
                "from an agent that says the user said so",
                lambda home=home: home.note(RULE, "--source", "user"),
            ),
            (
                "after state.json was lost",
                lambda home=home: (home.scope / "state.json").unlink(),
            ),
            (
                "after its session summary was removed as well",
                lambda home=home: [
                    (home.scope / "state.json").unlink(),
                    *(path.unlink() for path in (home.scope / "session_summaries").glob("*.md")),
                ],
            ),
        ]
        home.now = "2026-07-06T10:00:00Z"
        for told, step in steps:
            step()
            done = home.distil(*WORDS, check=None)
            if done.returncode != 0:
                failures.append(f"{way}, {told}: exit {done.returncode}: {done.stderr!r}")
            if held():
                failures.append(f"forgotten by {way}, it came back {told}")
        home.now = "2026-07-07T10:00:00Z"
        note_on_terminal(home, RULE)
        home.distil(*WORDS)
        if len(held()) != 1:
            failures.append(f"forgotten by {way}, the user's later note gave {len(held())}")
    table.add("forgotten facts come back only by the user's later word", len(ways) * 7, failures)


def main() -> int:
    options = parser(__doc__ or "", count=200)
    options.add_argument("--only", choices=["edits", "during", "mass", "forgotten"])
    chosen = options.parse_args()
    table = Table()
    with scratch() as top:
        if chosen.only in (None, "edits"):
            edits(top, table, count=chosen.count, seed=chosen.seed)
        if chosen.only in (None, "during"):
            during(top, table, count=max(chosen.count // 2, 1), seed=chosen.seed)
        if chosen.only in (None, "mass"):
            mass(top, table, seed=chosen.seed)
        if chosen.only in (None, "forgotten"):
            forgotten(top, table)
    return table.finish(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
