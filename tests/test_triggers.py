"""What a memory warns of: only what it names in code form, and only what is specific."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import shellwords, triggers


def warns(kind: str, text: str, tool: str = "Bash", **arguments: Any) -> bool:
    act = shellwords.of_tool(tool, arguments)
    return any(triggers.matches(each, act) for each in triggers.of_memory(kind, text))


TESTS = "Run the tests with `make test-fast`, never plain `go test ./...`."


@pytest.mark.parametrize(
    ("kind", "text", "command"),
    [
        ("preference", TESTS, "go test ./... -run Login"),
        ("pitfall", "`git push --force` broke main once", "git push origin main --force"),
        ("pitfall", "`git push --force` broke main once", "cd app && sudo git push --force"),
        ("pitfall", "Deploys need the VPN; tools/ship.sh hangs", "./tools/ship.sh staging"),
        ("pitfall", "Deploys need the VPN; tools/ship.sh hangs", "bash -lc 'tools/ship.sh now'"),
        ("correction", "CI fails where `--no-verify` was used", 'git commit -m "x" --no-verify'),
        ("preference", "Use `pnpm install` instead of `npm`", "CI=1 npm install"),
        ("preference", "不要用 `yarn install`，用 `pnpm install`。", "yarn install"),
        ("preference", "Run tests with make quick, never plain pytest.", "pytest -q tests"),
        ("preference", "Do not use git push --force on main", "git push --force"),
        ("preference", "提交前不要直接用 npm 安装", "npm i"),
        ("correction", "Not with `pip install X`: use `uv add X`", "pip install X"),
    ],
)
def test_an_act_that_a_memory_names_brings_it_up(kind: str, text: str, command: str) -> None:
    assert warns(kind, text, command=command)
    assert warns(kind, text, command=["bash", "-lc", command])


@pytest.mark.parametrize(
    ("kind", "text", "command"),
    [
        ("preference", TESTS, "make test-fast"),
        ("preference", TESTS, "go test ./login"),
        ("preference", TESTS, "go build ./..."),
        ("pitfall", "`git push --force` broke main once", "git push origin main"),
        ("pitfall", "`git push --force` broke main once", "git commit -m 'git push --force'"),
        ("pitfall", "`git push --force` broke main", "cat > n <<'EOF'\ngit push --force\nEOF"),
        ("pitfall", "`git push --force` broke main", "echo 'use git push --force' | tee x"),
        ("fact", "Deploy with `make ship-it` from main", "make ship-it"),
        ("fact", "The server does not start without `make db`", "make db"),
        ("preference", "Don't forget to run `make gen` first", "make gen"),
        ("preference", "Run tests with make quick, never plain pytest.", "make quick"),
        ("preference", "Do not use git push --force on main", "git push origin main"),
        ("fact", "The tests do not need docker; psql is enough", "docker ps"),
        ("fact", "It is not the git hooks that fail", "git.sh status"),
        ("pitfall", "The release notes come from `git log`; see `AGENTS.md`", "git log -3"),
        ("pitfall", "The word `install` is ambiguous, and so is `npm`", "npm install"),
        ("pitfall", "See https://example.org/tools/ship.sh for why", "tools/ship.sh"),
    ],
)
def test_any_other_act_does_not(kind: str, text: str, command: str) -> None:
    assert not warns(kind, text, command=command)


def test_an_edit_counts_and_a_look_does_not() -> None:
    text = "`config/prod.yaml` is generated; edit the template"
    assert warns("pitfall", text, "Edit", file_path="/srv/orchard/config/prod.yaml")
    assert warns("pitfall", text, "apply_patch", input="*** Update File: config/prod.yaml\n@@\n")
    assert not warns("pitfall", text, "Read", file_path="/srv/orchard/config/prod.yaml")
    assert not warns("pitfall", text, "Edit", file_path="/srv/orchard/config/prod.yaml.orig")
    assert not warns("pitfall", text, "Write", file_path="x.md", content="see config/prod.yaml")


PARTS = st.sampled_from(
    [
        "git",
        "push",
        "'",
        '"',
        "`",
        "\\",
        "\n",
        "<<EOF",
        "EOF",
        "&&",
        "|",
        "$(",
        ")",
        "X=1",
        "never ",
    ]
)


@given(st.lists(st.one_of(PARTS, st.text(max_size=8)), max_size=20).map(" ".join))
def test_any_text_is_read_without_harm(text: str) -> None:
    commands = list(shellwords.commands_in(text))
    assert all(words and all(isinstance(word, str) for word in words) for words in commands)
    for trigger in triggers.of_memory("pitfall", text):
        triggers.matches(trigger, shellwords.of_tool("Bash", {"command": text}))


@given(st.lists(st.from_regex(r"\A[a-z][a-z./-]{0,8}\Z"), min_size=1, max_size=5))
def test_quotes_make_no_difference(words: list[str]) -> None:
    quoted = " ".join(
        f"'{word}'" if number % 2 else f'"{word}"' for number, word in enumerate(words)
    )
    assert list(shellwords.commands_in(quoted)) == list(shellwords.commands_in(" ".join(words)))
