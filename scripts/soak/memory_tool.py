#!/usr/bin/env python3
"""The memory tool on jmem answers as the reference backend of the ``anthropic`` package does.

Random sequences of commands, with nights in between, are given to both; the two answers and all
files must be the same. What differs on purpose (internal-doc/decisions/0043) is told apart, checked
for what it should be, and counted.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from anthropic.lib.tools import ToolError
from anthropic.tools import BetaLocalFilesystemMemoryTool
from harness import Table, parser

from jmem import config, scopes
from jmem.formats.text import clean_text
from jmem.memory_tool import MemoryTool, ToolFailure
from pipelines import run
from pipelines.run import Options

Command = dict[str, Any]
NAMES = ("notes.md", "progress.md", "a.txt", "naïve.md", "提交.md", "b c.md")
FOLDERS = ("", "", "project/", "project/api/", "people/", "project/api/v2/deep/")
ODD = ("/memories/../etc/passwd", "/memoriesx/a.md", "/etc/passwd", "/memories/.hidden.md")
ODD_TOO = ("/memories/%2e%2e%2fa", "/memories/a\\..\\b", "/memories/a/../b.md", "")
WORDS = ("create", "create", "view", "view", *("str_replace",) * 2, "insert", "delete", "rename")
LINES = (
    "# Progress",
    "- the port of staging is {}",
    "- step {} is done",
    "",
    "The build takes {} minutes.",
    "    indented {}",
    "提交前先运行测试 {}",
    "```sh",
    "make test-{}",
    "---",
    "key: value {}",
    "a\tb {}",
)
REFUSED = (
    ("an empty file", re.compile(r"would be empty|old_str is empty")),
    ("a path that is no plain one", re.compile(r"escape|must start|cannot be used")),
    ("a file where a directory is needed", re.compile(r"is a file\.$")),
    ("a directory into itself", re.compile(r"into itself$")),
)
OF_THE_DISK = ("OSError", "NotADirectoryError", "IsADirectoryError", "FileNotFoundError")
_SIZE = re.compile(r"^[\d.]+[BKMG](?=\t)")


class Pair:
    """One scope of jmem and one folder of the reference, in which the same happened."""

    def __init__(self, top: Path, draw: random.Random) -> None:
        self.draw = draw
        self.project = top / "project"
        self.project.mkdir()
        self.ours = MemoryTool(self.project)
        self.reference = BetaLocalFilesystemMemoryTool(str(top / "reference"))
        self.root = top / "reference" / "memories"
        self.now = datetime.now(tz=UTC)
        self.seen: Counter[str] = Counter()

    def step(self) -> str:
        """Give one random command to both, or let a night pass; what differs, or nothing."""
        if self.draw.random() < 0.06:
            self.now += timedelta(days=1)
            scope = scopes.make(scopes.resolve(self.project))
            run.distil(scope, [], config.load(), Options(), now=self.now)
            self.seen["a night"] += 1
            return self._files()
        command = self._command()
        failed, told = _answer(self.ours, command)
        for name, pattern in REFUSED:
            if failed and pattern.search(told):
                self.seen[name] += 1
                return self._files()
        wanted_failure, wanted = _answer(self.reference, command)
        tidied = self._tidy()
        self.seen[str(command["command"])] += 1
        if failed and wanted_failure and wanted in OF_THE_DISK:
            self.seen["an error of the reference's disk"] += 1
            return self._files()
        if tidied and command["command"] == "str_replace" and not failed:
            self.seen["outer white space"] += 1
            told, wanted = told.partition("\n")[0], wanted.partition("\n")[0]
        if (failed, _shape(told)) != (wanted_failure, _shape(wanted)):
            return f"{command}\n  ours: {told!r}\n  reference: {wanted!r}"
        return self._files()

    def _files(self) -> str:
        """What differs between the files, if any."""
        for path in sorted(p for p in self.root.rglob("*") if p.is_file()):
            command = {"command": "view", "path": f"/memories/{path.relative_to(self.root)}"}
            ours, wanted = _answer(self.ours, command), _answer(self.reference, command)
            if ours != wanted:
                return f"{command}\n  ours: {ours!r}\n  reference: {wanted!r}"
        return ""

    def _tidy(self) -> bool:
        """Bring the reference's files into the form in which jmem keeps a text; whether one was not
        in it. Directories that hold nothing go."""
        changed = False
        for path in sorted(self.root.rglob("*"), reverse=True):
            if path.is_dir():
                if not any(path.iterdir()):
                    path.rmdir()
                continue
            data = path.read_bytes()
            tidy = f"{clean_text(data.decode())}\n".encode()
            if data != tidy:
                path.write_bytes(tidy)
                changed = True
        return changed

    def _command(self) -> Command:
        draw, known = self.draw, list(self._known())
        word = draw.choice(WORDS)
        path = draw.choice(known) if known and draw.random() < 0.75 else self._fresh()
        if word == "view":
            where = draw.choice((path, "/memories", path.rpartition("/")[0]))
            ranges = ([1, 2], [2, -1], [0, 3], [3, 1], [2, 400])
            ranged = draw.random() < 0.3 and (self.root / where[10:]).is_file()
            return _of(word, path=where, **({"view_range": draw.choice(ranges)} if ranged else {}))
        if word == "create":
            return _of(
                word, path=path if draw.random() < 0.2 else self._fresh(), file_text=_text(draw)
            )
        if word == "str_replace":
            return _of(word, path=path, old_str=self._part(path), new_str=self._part(""))
        if word == "insert":
            line = draw.choice((0, 1, 2, 3, -1, 99))
            return _of(word, path=path, insert_line=line, insert_text=_text(draw))
        if word == "delete":
            return _of(word, path=draw.choice((path, path, path.rpartition("/")[0])))
        old = draw.choice((path, path, path.rpartition("/")[0]))
        return _of(word, old_path=old, new_path=self._fresh())

    def _known(self) -> Iterator[str]:
        for path in sorted(self.root.rglob("*")):
            if path.is_file():
                yield f"/memories/{path.relative_to(self.root)}"

    def _fresh(self) -> str:
        if self.draw.random() < 0.06:
            return self.draw.choice((*ODD, *ODD_TOO))
        return f"/memories/{self.draw.choice(FOLDERS)}{self.draw.choice(NAMES)}"

    def _part(self, path: str) -> str:
        """A part of a file, mostly one that is there; a few words where there is no such file."""
        file = self.root / path[10:] if path else None
        if file is None or not file.is_file() or self.draw.random() < 0.1:
            return self.draw.choice(
                ("now this", "", f"line {self.draw.randrange(9)}", "two\nlines")
            )
        text = file.read_text("utf-8")
        start = self.draw.randrange(len(text))
        return text[start : start + self.draw.choice((1, 4, 12, 40))]


def _of(word: str, **given: Any) -> Command:
    return {"command": word, **given}


def _text(draw: random.Random) -> str:
    lines = [draw.choice(LINES).format(draw.randrange(100)) for _ in range(draw.randrange(1, 7))]
    return "\n".join(lines) + draw.choice(("", "\n", "\n\n"))


def _answer(tool: Any, command: Command) -> tuple[bool, str]:
    """Whether a command failed, and what was said of it."""
    try:
        return False, tool.run(command) if isinstance(tool, MemoryTool) else tool.call(command)
    except (ToolFailure, ToolError) as failure:
        return True, str(failure)
    except OSError as failure:  # the reference lets them through
        return True, type(failure).__name__


def _shape(told: str) -> str:
    """An answer without the sizes of directories: with the reference they are those of its disk."""
    lines = told.split("\n")
    if not told.startswith("Here're the files"):
        return told
    return "\n".join(
        _SIZE.sub("", line) if number == 1 or line.endswith("/") else line
        for number, line in enumerate(lines)
    )


def sequences(table: Table, *, count: int, steps: int, start: int) -> Counter[str]:
    """``count`` sequences of ``steps`` commands; what was seen, in counts."""
    failures: list[str] = []
    seen: Counter[str] = Counter()
    before = os.environ.get("JMEM_HOME")
    for number in range(start, start + count):
        top = Path(tempfile.mkdtemp(prefix="jmem-memory-tool-"))
        os.environ["JMEM_HOME"] = str(top / "home")
        try:
            pair = Pair(top, random.Random(number))
            found = (f"sequence {number}: {why}" for _ in range(steps) if (why := pair.step()))
            failures += [why] if (why := next(found, "")) else []
            seen += pair.seen
        finally:
            shutil.rmtree(top, ignore_errors=True)
    if before is None:
        del os.environ["JMEM_HOME"]
    else:
        os.environ["JMEM_HOME"] = before
    table.add("the memory tool answers as the reference does", count, failures)
    return seen


def main() -> int:
    options = parser(__doc__ or "", count=500)
    options.add_argument("--steps", type=int, default=12)
    chosen = options.parse_args()
    table = Table()
    seen = sequences(table, count=chosen.count, steps=chosen.steps, start=chosen.seed)
    if not chosen.json:
        print(", ".join(f"{name}: {number}" for name, number in seen.most_common()))
    return table.finish(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
