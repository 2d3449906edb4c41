"""Which acts of an agent a memory warns of: commands, paths and flags that it names. Pure.

A remembered rule that stands in the context is still broken now and then, so it is said again at
the moment of the act. That only helps where it is rare: a memory triggers on what it names in code
form, and only where that is specific (a command of two words, a path, a long flag). What a memory
forbids in so many words (``never `npm install```, ``not plain pytest``) triggers whatever its kind
is; then what it recommends beside it does not.
"""

from __future__ import annotations

import re

from jmem.retrieval.patterns import LazyPattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from jmem.shellwords import Act

WARNING_KINDS = ("correction", "pitfall")
"""Kinds whose memories warn of everything specific that they name."""
COMMAND, PATH, FLAG = "command", "path", "flag"

_EVERYDAY = frozenset(
    {
        *("git log", "git status", "git diff", "git show", "git add", "git commit", "git branch"),
        *("--help", "--version", "--verbose", "README.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md"),
    }
)
"""What every session does or names: a memory that merely mentions it warns of nothing there."""
_MOST = 8
_LONGEST = 4_000
_SPAN = LazyPattern(r"(?<!`)`([^`\n]{2,160})`(?!`)")
_GAP = (
    r"(?:(?!\b(?:without|unless|before|until|except|but|forget|skip|omit)\b|之前|除非|忘|先"
    r"|[.!?;。！？；`]).){0,40}$"
)
_FORBIDS = LazyPattern(
    r"(?:\b(?:never|don'?t|do not|avoid|instead of|rather than|must not|should not)\b"
    r"|不要|别|不能|禁止|而不是|避免|勿|不得"
    rf"|\bnot(?: (?:with|via|by|using|use|run|plain|just|the)){{0,2}} ?$){_GAP}",
    re.IGNORECASE,
)
_PROGRAMS = (
    "git|npm|pnpm|yarn|bun|npx|pip3?|pipx|uv|poetry|conda|pytest|unittest|tox|nox|mypy|ruff|eslint"
    "|prettier|jest|vitest|mocha|cargo|cmake|gradle|mvn|docker(?:-compose)?|podman|kubectl|terraform"
    "|ansible|psql|mysql|redis-cli|curl|wget|ssh|scp|rsync|sudo|brew|apt(?:-get)?|systemctl|python3?"
    "|tsc|webpack|vite|composer|dotnet|xcodebuild|flutter"
)
"""Programs that are no other word, so that prose names them without code marks too."""
_IN_PROSE = LazyPattern(
    r"(?:\b(?:never|don'?t|do not|avoid|instead of|rather than|must not|should not|not)\b ?"
    r"|不要|别|禁止|而不是|避免|勿|不得)(?:(?:with|via|by|using|use|run|call|plain|just|the|bare|再|直接"
    rf"|用|使用|运行|跑) ?){{0,3}}({_PROGRAMS})(?![\w/-]|\.\w)"
    r"((?: (?:push|pull|commit|reset|rebase|merge|add|install|run|test|build|exec|up|down|apply"
    r"|compose|publish|--?[a-z][\w-]*)(?![\w/]|\.\w)){0,3})",
    re.IGNORECASE,
)
_PLACEHOLDER = LazyPattern(r"<[^>]*>|\{[^}]*\}|\$\w+|\[[^\]]*\]|…|^\.\.\.$")
_PATH = LazyPattern(
    r"(?:\./)?((?:[\w@.+-]+/)+[\w@.+-]+)/?|(\w[\w+-]*(?:\.[\w+-]+)*\.[A-Za-z]\w{0,7})"
)
_LOOSE_PATH = LazyPattern(
    r"(?<![\w./~:@$%+`\\-])(?:\./)?((?:[\w@-][\w.@+-]*/){1,12}[\w@-][\w.@+-]*\.[A-Za-z]\w{0,7})"
    r"(?![\w/])"
)
_FLAG = LazyPattern(r"--[a-z][\w-]{2,}")
_PROGRAM = LazyPattern(r"[A-Za-z][\w.+-]*")


def of_memory(kind: str, text: str) -> list[list[Any]]:
    """The triggers of a memory, each as ``[what, value]``: COMMAND with its words, PATH, FLAG."""
    text = text[:_LONGEST]
    spans = [(each.start(), each[1].strip()) for each in _SPAN().finditer(text)]
    forbidden = [(at, span) for at, span in spans if _FORBIDS().search(text[:at])]
    found: list[list[Any]] = []
    prose = [each for each in _IN_PROSE().finditer(text) if "`" not in each[0]]
    if forbidden or prose:
        for _, span in forbidden:
            found += _of_span(span, least=1)
        found += [[COMMAND, [each[1].lower(), *each[2].split()]] for each in prose]
    elif kind in WARNING_KINDS:
        for _, span in spans:
            found += [] if span in _EVERYDAY else _of_span(span, least=2)
        found += [[PATH, each[1]] for each in _LOOSE_PATH().finditer(text)]
    return _each_once(found)[:_MOST]


def matches(trigger: Iterable[Any], act: Act) -> bool:
    """Whether an act is what a trigger names."""
    what, value = trigger
    if what == FLAG:
        return any(word.partition("=")[0] == value for words in act.commands for word in words)
    if what == PATH:
        named = [*act.paths, *(word for words in act.commands for word in words)]
        return any(_is_path(word, value) for word in named)
    return any(_is_command(words, value) for words in act.commands)


def _of_span(span: str, *, least: int) -> Iterator[list[Any]]:
    """What a piece of code is, where it is specific: at least so many words of a command."""
    words = [word for word in span.split() if not _PLACEHOLDER().search(word)]
    if not words:
        return
    if len(words) == 1 and _FLAG().fullmatch(words[0]):
        yield [FLAG, words[0]]
    elif len(words) == 1 and (path := _PATH().fullmatch(words[0])):
        yield [PATH, path[1] or path[2]]
    elif len(words) >= least and _PROGRAM().fullmatch(words[0].rpartition("/")[2]):
        yield [COMMAND, words]


def _is_path(word: str, path: str) -> bool:
    word = word.removeprefix("./").rstrip("/")
    return word == path or word.endswith("/" + path)


def _is_command(words: tuple[str, ...], wanted: list[str]) -> bool:
    """Whether the command begins with the same program and holds the other words in their order."""
    if not words or words[0].rpartition("/")[2] != wanted[0].rpartition("/")[2]:
        return False
    rest = iter(words[1:])
    return all(any(_same(word, each) for word in rest) for each in wanted[1:])


def _same(word: str, wanted: str) -> bool:
    return word == wanted or (wanted.startswith("--") and word.startswith(wanted + "="))


def _each_once(found: list[list[Any]]) -> list[list[Any]]:
    return [each for number, each in enumerate(found) if each not in found[:number]]
