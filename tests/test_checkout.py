"""What a memory names of its project: found in code, looked for in the files, never executed."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jmem import checkout, hygiene
from jmem.checkout import Checkout
from jmem.mentions import Command, commands_in, symbols_in
from jmem.model import Memory, Status

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("Run `make test-fast` first.", ["make test-fast"]),
        ("Run `make lint test && git push`.", ["make lint", "make test"]),
        ("`CI=1 make -j4 check V=1`", ["make check"]),
        ("`npm run build`, then `pnpm run e2e:ci`", ["npm run build", "npm run e2e:ci"]),
        ("`yarn test`", ["npm run test"]),
        ("`just deploy staging`", ["just deploy"]),
        ("`uv run orchard --port 5433`", ["orchard"]),
        ("$ make seed\n", ["make seed"]),
        ("```sh\nmake seed\ncd web; npm run dev\n```\n", ["make seed", "npm run dev"]),
        ("Make sure to make coffee, npm run or not.", []),
        ("`make -C web build` and `npm --prefix web run dev`", []),
        ("`make test-old` was removed in June.", []),
        ("`npm install` and `just --list` and `make`", []),
    ],
)
def test_commands_stand_in_code(text: str, commands: list[str]) -> None:
    assert [str(command) for command in commands_in(text)] == commands


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("`retry_limit` of `RetryQueue` in `App.start()`", ("retry_limit", "RetryQueue", "start")),
        ("`MAX_RETRIES` in `orchard::Queue::push_all`", ("MAX_RETRIES", "push_all")),
        ("`parseHTTPHeader` reads it", ("parseHTTPHeader",)),
        ("`pytest`, `main`, `--no-cache`, `5433`, `src/queue.py`, `config.toml`, `a b_c`", ()),
        ("retry_limit without code", ()),
        ("`retry_limit` no longer exists", ()),
    ],
)
def test_symbols_are_shaped_like_one(text: str, symbols: tuple[str, ...]) -> None:
    assert symbols_in(text) == symbols


@pytest.mark.parametrize("piece", ["`a_", "make a ", "$ make ", "```\n", "a.", "\n```"])
def test_a_hostile_text_takes_no_time(piece: str) -> None:
    started = time.process_time()
    text = "`" + piece * 50_000
    commands_in(text), symbols_in(text)
    assert time.process_time() - started < 1


FILES = {
    "Makefile": ".PHONY: seed\nVERSION := 1\ntest test-fast: build\n\techo make hidden:\n",
    "web/package.json": '{"scripts": {"build": "vite build"}}',
    "justfile": "alias d := deploy\ndeploy target='x':\n    echo\n",
    "pyproject.toml": '[project.scripts]\norchard = "orchard:main"\n',
    "src/queue.py": "class RetryQueue:\n    retry_limit = 3\n",
    "src/blob.bin": "\0 hidden_symbol",
    "node_modules/x/index.js": "function elsewhereOnly() {}",
}


@pytest.fixture
def orchard(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "orchard" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "orchard"


@pytest.mark.parametrize(
    ("runner", "name", "there"),
    [
        ("make", "test-fast", True),
        ("make", "seed", True),
        ("make", "VERSION", False),
        ("make", "hidden", False),
        ("npm run", "build", True),
        ("npm run", "deploy", False),
        ("just", "deploy", True),
        ("just", "d", True),
        ("just", "release", False),
        ("script", "orchard", True),
        ("script", "pytest", None),
    ],
)
def test_a_command_is_looked_for_in_the_file_that_would_name_it(
    orchard: Path, runner: str, name: str, there: bool | None
) -> None:
    assert Checkout(str(orchard)).has_command(Command(runner, name)) is there


@pytest.mark.parametrize(
    "more", ["include common.mk\n", "%.txt: %.md\n\tcp $< $@\n", "$(NAMES):\n\techo\n"]
)
def test_where_others_may_name_it_nobody_can_tell(orchard: Path, more: str) -> None:
    (orchard / "Makefile").write_text(FILES["Makefile"] + more)
    assert Checkout(str(orchard)).has_command(Command("make", "nope")) is None
    assert Checkout(str(orchard)).has_command(Command("make", "seed")) is True


@pytest.mark.parametrize("broken", ["{", "[1]", '{"scripts": 3}'])
def test_a_file_that_cannot_be_read_is_no_proof(orchard: Path, broken: str) -> None:
    (orchard / "web" / "package.json").write_text(broken)
    assert Checkout(str(orchard)).has_command(Command("npm run", "build")) is not True


def test_without_such_a_file_nobody_can_tell(tmp_path: Path) -> None:
    assert Checkout(str(tmp_path)).has_command(Command("make", "test")) is None


def test_a_symbol_is_a_whole_word_of_a_text_file(orchard: Path) -> None:
    wanted = ["RetryQueue", "retry_limit", "retry_lim", "hidden_symbol", "elsewhereOnly"]
    assert Checkout(str(orchard)).has_symbols(wanted) == {
        "RetryQueue": True,
        "retry_limit": True,
        "retry_lim": False,
        "hidden_symbol": False,
        "elsewhereOnly": False,
    }


@pytest.mark.parametrize("bound", ["MAX_BYTES", "MAX_FILES"])
def test_beyond_the_bounds_nobody_can_tell(
    orchard: Path, bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkout, bound, 3)
    assert Checkout(str(orchard)).has_symbols(["nowhere_at_all"]) == {"nowhere_at_all": None}


def memory(text: str, **fields: Any) -> Memory:
    return replace(Memory(id="m0000001", text=text, created=NOW, updated=NOW), **fields)


def night(held: Memory, directory: Path, day: int) -> Memory:
    looked = hygiene.look([held], str(directory))
    changed = hygiene.checked({held.id: held}, looked, NOW + timedelta(days=day))
    return changed.get(held.id, held)


def test_what_still_holds_is_confirmed_at_most_once_a_month(orchard: Path) -> None:
    held = memory("Run `make seed` before the tests of `RetryQueue` in `src/queue.py`.")
    seen = []
    for day in range(95):
        held = night(held, orchard, day)
        if held.confirmed and held.confirmed not in seen:
            seen.append(held.confirmed)
    assert seen == [NOW + timedelta(days=day) for day in (30, 60, 90)]
    assert held == replace(memory(held.text), confirmed=seen[-1])


def test_what_is_gone_is_flagged_until_it_is_back(orchard: Path) -> None:
    held = night(memory("Run `make seed`, then read `src/queue.py`."), orchard, 40)
    assert (held.missing, held.confirmed) == ((), NOW + timedelta(days=40))
    (orchard / "src" / "queue.py").unlink()
    (orchard / "Makefile").write_text("test:\n")
    flagged = night(held, orchard, 41)
    assert flagged.missing == ("src/queue.py", "make seed")
    assert flagged.confirmed == held.confirmed
    (orchard / "src" / "queue.py").touch()
    (orchard / "Makefile").write_text(FILES["Makefile"])
    back = night(flagged, orchard, 42)
    assert (back.missing, back.confirmed) == ((), NOW + timedelta(days=42))


def test_a_symbol_is_gone_only_where_it_was_there_before(orchard: Path) -> None:
    text = "`RetryQueue` of `src/queue.py` retries three times."
    foreign = night(memory("`os.walk_everywhere` is slow, see `src/queue.py`."), orchard, 40)
    assert (foreign.missing, foreign.confirmed) == ((), None)
    known = night(memory(text), orchard, 40)
    (orchard / "src" / "queue.py").write_text("class Retries: pass\n")
    assert night(memory(text), orchard, 41).missing == ()
    assert night(known, orchard, 41).missing == ("RetryQueue",)
    edited = replace(known, updated=NOW + timedelta(days=41))
    assert night(edited, orchard, 42).missing == ()


def test_without_the_project_nothing_is_said(orchard: Path, tmp_path: Path) -> None:
    flagged = memory("Run `make seed`.", missing=("make seed",))
    assert night(flagged, tmp_path / "away", 40) == flagged
    forgotten = replace(flagged, status=Status.FORGOTTEN)
    assert night(forgotten, orchard, 40) == forgotten
    assert night(flagged, orchard, 1).missing == ()


def test_somebody_looks_again_within_a_month(orchard: Path) -> None:
    held = memory("Run `make seed`.")
    looked = hygiene.look([held], str(orchard))
    month = hygiene.CONFIRMED_AGAIN
    assert hygiene.next_look({held.id: held}, looked, NOW) == NOW + month
    late = NOW + timedelta(days=100)
    assert hygiene.next_look({held.id: held}, looked, late) == late + month
    silent = memory("The staging database listens on port 5433.")
    assert hygiene.next_look({silent.id: silent}, hygiene.look([silent], str(orchard)), NOW) is None
