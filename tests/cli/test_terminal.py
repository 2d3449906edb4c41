"""What a terminal gets: colours where it has them, and nothing of a memory that steers it."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem import scopes
from jmem.cli import terminal
from jmem.cli.terminal import bad, name, warning

Jmem = Callable[..., Any]
SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def pictured(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a terminal of 60 columns showed what is printed."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


def on_a_terminal(*arguments: str, **variables: str) -> str:
    """What the command line writes to a terminal of its own."""
    ours, theirs = pty.openpty()
    known = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment = {**known, "TERM": "xterm-256color", "COLUMNS": "80", **variables}
    program = [sys.executable, "-c", "import sys; from jmem.entry import main; sys.exit(main())"]
    with os.fdopen(ours, "rb", buffering=0) as shown:
        done = subprocess.run(
            [*program, *arguments], stdout=theirs, stderr=theirs, env=environment, check=False
        )
        os.close(theirs)
        data = b""
        while True:
            try:
                piece = shown.read(65_536)
            except OSError:  # the other side of a terminal is gone
                break
            if not piece:
                break
            data += piece
    assert done.returncode == 0
    return data.decode()


def test_a_terminal_gets_colours_and_the_same_words(jmem: Jmem, known: str) -> None:
    plain = jmem("log").out
    shown = on_a_terminal("log", JMEM_NOW="2026-07-05T03:00:00Z")
    assert SEQUENCE.search(shown) and not SEQUENCE.search(plain)
    words = SEQUENCE.sub("", shown).split()
    assert words == plain.split()


@pytest.mark.parametrize("variables", [{"TERM": "dumb"}, {"NO_COLOR": "1"}])
def test_one_without_colours_gets_none(jmem: Jmem, known: str, variables: dict[str, str]) -> None:
    shown = on_a_terminal("diff", JMEM_NOW="2026-07-05T03:00:00Z", **variables)
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]", shown)
    assert "Always run `make test` before a commit." in SEQUENCE.sub("", shown)


def test_a_large_import_shows_how_far_it_is(here: Path) -> None:
    lines = [f"- The crane {number} stands at the quay\n" for number in range(50)]
    (here / "cranes.md").write_text("".join(lines))
    shown = on_a_terminal("import", "cranes.md")
    assert re.search(r"Importing  \[-+\]    0%", shown) and "100%" in shown
    assert "imported 50 facts from 1 file" in shown
    (here / "one.md").write_text("The quay is red\n")
    assert "Importing" not in on_a_terminal("import", "one.md")


def test_a_memory_cannot_steer_the_terminal(jmem: Jmem, known: str, pictured: None) -> None:
    (file,) = scopes.resolve().root.glob("memories/*.md")
    file.write_text(file.read_text().replace("Always", "\x1b]0;owned\x07\x1b[2JAlways"))
    assert jmem("distill").code == 0
    for command in (("history", known), ("diff",), ("log",), ("status",)):
        shown = jmem(*command).out
        assert shown and not re.search("[\x07\x1b]", SEQUENCE.sub("", shown)), command


def test_lines_of_a_column_are_wrapped_below_it(
    pictured: None, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal.fields([("memories", "word " * 20), ("", warning("look here"))])
    rows = SEQUENCE.sub("", capsys.readouterr().out).rstrip("\n").split("\n")
    assert len(rows) == 4 and all(len(row.rstrip()) <= 60 for row in rows)
    assert rows[0].startswith("  memories  word")
    assert all(row.startswith(" " * 12) for row in rows[1:])


def test_a_pipe_gets_whole_lines(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.fields([("memories", "word " * 40), ("", ["at ", name("m7k2q9xa")])])
    assert (
        capsys.readouterr().out
        == f"  memories  {('word ' * 40).rstrip()}\n            at m7k2q9xa\n"
    )
    terminal.table(("who", "inputs"), [["rules", "7"], [bad("a model"), "1,200"]], right=[1])
    assert capsys.readouterr().out == "who      inputs\nrules         7\na model   1,200\n"


def test_what_is_masked_is_masked_in_colour_too(
    pictured: None, capsys: pytest.CaptureFixture[str]
) -> None:
    token = "ghp" + "_" + "a1B2c3D4e5F6" * 3
    terminal.line("it is ", bad(token))
    terminal.table(("what",), [[token]])
    terminal.fields([("what", token)])
    assert token not in capsys.readouterr().out


def test_rich_is_loaded_for_a_terminal_only(here: Path) -> None:
    code = "import sys; from jmem.cli import app; app.run(['status']); print('rich' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=here
    )
    assert done.stdout.endswith("False\n")


@pytest.mark.parametrize(("columns", "topic"), [("90", True), ("50", False)])
def test_a_list_is_a_table_that_fits(
    jmem: Jmem,
    known: str,
    pictured: None,
    monkeypatch: pytest.MonkeyPatch,
    columns: str,
    topic: bool,
) -> None:
    jmem("note", "The staging database listens on port 5433, and on no other one since the move.")
    monkeypatch.setenv("COLUMNS", columns)
    for command in (("list",), ("search", "make"), ("notes",)):
        shown = SEQUENCE.sub("", jmem(*command).out)
        if command != ("notes",):
            assert max(map(len, shown.split("\n"))) <= int(columns)
            assert known in shown and ("topic" in shown) is topic
    monkeypatch.delenv("FORCE_COLOR")
    assert jmem("list").out.startswith("ci: Always run `make test` before a commit. #ci (")
