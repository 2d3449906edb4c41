"""``jmem scan``: what stands in the store is found, told without being shown, and purged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from jmem import scanning, scopes
from jmem.scopes import Scope
from jmem.storage.history import History

TOKEN = "ghp" + "_" + "a1B2c3D4e5F6" * 3
OTHER = "glpat" + "-" + "x9Y8z7W6v5U4t3S2r1Q0"
Jmem = Callable[..., Any]


def planted(here: Path, git: Callable[..., str]) -> Scope:
    """A scope with one token in a file, and another that is only in its history."""
    scope = scopes.resolve(here)
    History(scope.root).ensure()
    file = scope.root / "topics" / "planted.md"
    for text in (f"one\nthe token is {OTHER} here\n", "one\n"):
        file.write_text(text)
        git(scope.root, "add", "-A")
        git(scope.root, "commit", "-qm", "by hand")
    (scope.root / "notes" / "planted.md").write_text(f"first\n\nuse {TOKEN} for it\n")
    return scope


def test_a_store_without_credentials_is_clean(jmem: Jmem, known: str) -> None:
    ran = jmem("scan")
    assert (ran.code, ran.out) == (0, "")
    assert json.loads(jmem("scan", "--json").out)["data"] == []


def test_credentials_are_told_and_never_shown(
    jmem: Jmem, known: str, here: Path, git: Callable[..., str]
) -> None:
    planted(here, git)
    ran = jmem("scan")
    assert ran.code == 1
    assert "notes/planted.md:3  github-token" in ran.out
    assert ":topics/planted.md:2  gitlab-token" in ran.out
    as_json = jmem("scan", "--json")
    assert {(one["file"], one["line"]) for one in json.loads(as_json.out)["data"]} >= {
        ("notes/planted.md", 3),
        ("topics/planted.md", 2),
    }
    for told in (ran, as_json, jmem("scan", "--all")):
        assert TOKEN not in told.out + told.err and OTHER not in told.out + told.err


def test_what_was_found_is_purged_from_files_and_history(
    jmem: Jmem, known: str, here: Path, git: Callable[..., str]
) -> None:
    scope = planted(here, git)
    assert jmem("scan", "--purge").code == 2, "nobody is there to ask"
    assert jmem("scan", "--purge", "--yes").code == 0
    held = b"".join(path.read_bytes() for path in scope.root.rglob("*") if path.is_file())
    assert TOKEN.encode() not in held
    assert OTHER not in git(scope.root, "log", "--all", "-p")


@given(st.lists(st.sampled_from(["plain\n", f"{TOKEN}\n", f"a {OTHER} b\n", "\n", "é\n"])))
def test_each_is_found_on_its_own_line(lines: list[str]) -> None:
    found = [(line, text) for line, _, text in scanning.found("".join(lines))]
    wanted = [
        (number, token)
        for number, line in enumerate(lines, 1)
        for token in (TOKEN, OTHER)
        if token in line
    ]
    assert found == wanted


def test_the_key_of_a_shared_scope_is_no_credential(
    jmem: Jmem, known: str, tmp_path: Path, git: Callable[..., str]
) -> None:
    git(tmp_path, "init", "-q", "--bare", "there.git")
    assert jmem("remote", "add", tmp_path / "there.git", "--as", "orchard").code == 0
    assert jmem("push").code == 0
    assert jmem("scan", "--json").data == []
