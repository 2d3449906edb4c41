"""Which files a tool call of the agent opened."""

from __future__ import annotations

import pytest

from jmem.usage import credited, paths_of_call

ROOT = "/memory/projects/orchard-00000000"


def counted(arguments: dict[str, object]) -> list[str]:
    return [found for path in paths_of_call(arguments) if (found := credited(path, ROOT))]


@pytest.mark.parametrize("name", ["file_path", "path", "dir", "directory", "root"])
def test_a_path_argument_counts(name: str) -> None:
    assert counted({name: f"{ROOT}/MEMORY.md", "other": f"{ROOT}/x.md"}) == ["MEMORY.md"]


@pytest.mark.parametrize(
    "command",
    [
        f"cat {ROOT}/MEMORY.md",
        f"grep -n port '{ROOT}/MEMORY.md' | head",
        f'sed -n 1,5p "{ROOT}/MEMORY.md";ls',
        f"cat <{ROOT}/topics/../MEMORY.md",
        f"(cat {ROOT}/MEMORY.md)",
        ["bash", "-lc", f"cat {ROOT}/MEMORY.md"],
    ],
)
def test_every_token_of_a_command_counts(command: object) -> None:
    assert counted({"command": command}) == ["MEMORY.md"]


@pytest.mark.parametrize(
    "path",
    [
        "/elsewhere/MEMORY.md", f"{ROOT}-2/MEMORY.md", f"{ROOT}/../MEMORY.md", f"{ROOT}/state.json",
        f"{ROOT}/.git/x.md", f"{ROOT}/.cache/x.md", f"{ROOT}/topics/.x.md", ROOT,
        f"{ROOT}/", "MEMORY.md",
    ],
)  # fmt: skip
def test_what_is_no_memory_file_does_not_count(path: str) -> None:
    assert credited(path, ROOT) == ""


@pytest.mark.parametrize("arguments", [{}, {"path": None}, {"path": 3}, {"command": {"a": 1}}])
def test_odd_arguments_are_no_paths(arguments: dict[str, object]) -> None:
    assert list(paths_of_call(arguments)) == []
