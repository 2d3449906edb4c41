"""What an agent is about to do, read from the arguments of its tool: simple commands, and the files
that it changes. Pure, and light: no shell is asked, and what looks odd is left alone."""

from __future__ import annotations

import re

from jmem.retrieval.patterns import LazyPattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_LONGEST = 20_000
_FILES = ("file_path", "filePath", "notebook_path", "absolute_path", "path", "target_file")
_HEREDOC = LazyPattern(
    r"<<-?[ \t]*(['\"]?)(\w+)\1[^\n]*\n.*?(?:^[ \t]*\2[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_TOKEN = LazyPattern(
    r"""(?P<end>\n|&&|\|\||[;|&(){}])|(?P<word>(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s;|&(){}'"\\])+)"""
    r"""|[ \t]+|.""",
    re.DOTALL,
)
_QUOTES = LazyPattern(r"""'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)""", re.DOTALL)
_ASSIGNED = LazyPattern(r"[A-Za-z_]\w*=.*", re.DOTALL)
_PATCHED = LazyPattern(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)
_BEFORE = frozenset({"sudo", "time", "env", "nohup", "exec", "command", "then", "do", "else", "!"})
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "fish"})
_READS = LazyPattern(
    r"(?:^|[_-])(?:read|grep|glob|list|ls|search|find|view|fetch|cat)(?:$|[_-])", re.IGNORECASE
)


class Act:
    """``commands``: each simple command as its words. ``paths``: the files that are changed."""

    __slots__ = ("commands", "paths")

    def __init__(self, commands: tuple[tuple[str, ...], ...], paths: tuple[str, ...]) -> None:
        self.commands = commands
        self.paths = paths


def of_tool(name: str, arguments: Mapping[str, Any]) -> Act:
    """What a tool is about to do; a tool that only looks does nothing."""
    command = arguments.get("command", arguments.get("cmd", ""))
    if isinstance(command, list):
        words = tuple(str(word) for word in command)
        commands = tuple(_unwrapped(words))
        command = " ".join(words)
    else:
        command = str(command)[:_LONGEST]
        commands = tuple(commands_in(command))
    patch = next(
        (t for key in ("patch", "input", "patchText") if isinstance(t := arguments.get(key), str)),
        command,
    )
    paths = [each[1].strip() for each in _PATCHED().finditer(patch[:_LONGEST])]
    if not _READS().search(name.lower()):
        paths += [value for key in _FILES if isinstance(value := arguments.get(key), str)]
    return Act(() if paths and patch.startswith("*** Begin") else commands, tuple(paths))


def commands_in(line: str) -> Iterator[tuple[str, ...]]:
    """The simple commands of a command line as words without their quotes; what is fed to them
    (here documents) is no command."""
    words: list[str] = []
    for token in _TOKEN().finditer(_HEREDOC().sub("\n", line[:_LONGEST])):
        if token["word"]:
            words.append(_QUOTES().sub(_unquoted, token["word"]))
        elif token["end"]:
            yield from _unwrapped(tuple(words))
            words = []
    yield from _unwrapped(tuple(words))


def _unwrapped(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The command without what stands before it; what a shell is told to run, instead of it."""
    while words and (words[0] in _BEFORE or _ASSIGNED().fullmatch(words[0])):
        words = words[1:]
    if not words:
        return
    if words[0].rpartition("/")[2] in _SHELLS:
        for number, flag in enumerate(words[1:-1], start=2):
            if flag.startswith("-") and flag.endswith("c"):
                yield from commands_in(words[number])
                return
    yield words


def _unquoted(match: re.Match[str]) -> str:
    return str(next(part for part in match.groups() if part is not None))
