"""The commands and symbols of a project that a text names, in code and not in prose. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jmem.references import tells_of_absence

MOST = 8
_LONGEST = 8_000
_SPAN = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)")
_PROMPT = re.compile(r"^[ \t]*\$[ \t]+(\S.{0,200})$", re.MULTILINE)
_FENCE = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_AND = re.compile(r"&&|\|\||[;|]")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=\S*")
_NAME = re.compile(r"[A-Za-z][\w:.-]*")
_ELSEWHERE = re.compile(r"-(?:C|f|w|-prefix|-workspace|-filter|-file|-directory|-justfile)\b.*")
"""Options by which a runner works on another project, or on another file of it."""
_SYMBOL = re.compile(r"(?:\w+(?:\.|::|#))*([A-Za-z_]\w*)(\(\))?")
_SHAPED = re.compile(r"[a-z0-9]+[A-Z]|[A-Z]+[a-z0-9]+[A-Z]|[A-Za-z0-9]_+[A-Za-z0-9]")
_PACKAGES = ("npm", "pnpm", "yarn", "bun")
_ENVIRONMENTS = ("uv", "poetry", "pdm")

MAKE, PACKAGE, JUST, SCRIPT = "make", "npm run", "just", "script"


@dataclass(frozen=True, slots=True)
class Command:
    """A name that a file of the project gives to something that can be run.

    ``runner``: MAKE (a target), PACKAGE (a script of ``package.json``), JUST (a recipe), SCRIPT (a
    script of ``pyproject.toml``).
    """

    runner: str
    name: str

    def __str__(self) -> str:
        return self.name if self.runner == SCRIPT else f"{self.runner} {self.name}"


def commands_in(text: str) -> tuple[Command, ...]:
    """The commands in the code of a text that only its project can know, each once.

    One for another directory is none, nor is any in a text that speaks of what is not there.
    """
    if tells_of_absence(text):
        return ()
    found = (command for line in _code(text) for part in _AND.split(line) for command in _in(part))
    return tuple(dict.fromkeys(found))[:MOST]


def symbols_in(text: str) -> tuple[str, ...]:
    """The identifiers that stand alone in code (``retry_limit``, ``RetryQueue``, ``App.run()``):
    the last part of each, each once. Plain words, files, flags and numbers are none."""
    if tells_of_absence(text):
        return ()
    found = []
    for span in _SPAN.findall(text[:_LONGEST]):
        match = _SYMBOL.fullmatch(span.strip())
        if match and len(match[1]) > 3 and (match[2] or _SHAPED.search(match[1])):
            found.append(match[1])
    return tuple(dict.fromkeys(found))[:MOST]


def _code(text: str) -> Iterator[str]:
    text = text[:_LONGEST]
    for block in _FENCE.findall(text):
        yield from block.split("\n")
    yield from _SPAN.findall(_FENCE.sub("", text))
    yield from _PROMPT.findall(text)


def _in(part: str) -> Iterator[Command]:
    words = part.split()
    while words and (words[0] in ("$", "sudo", "time") or _ASSIGNED.fullmatch(words[0])):
        del words[0]
    if len(words) < 2 or any(map(_ELSEWHERE.fullmatch, words)):
        return
    runner, rest = words[0], words[1:]
    names = [word for word in rest if _NAME.fullmatch(word)]
    if runner == "make":
        yield from (Command(MAKE, name) for name in names)
    elif runner == "just" and names and names[0] == rest[0]:
        yield Command(JUST, names[0])
    elif runner in _PACKAGES and rest[0] in ("run", "run-script") and len(rest) > 1:
        yield from (Command(PACKAGE, name) for name in names[1:2] if name == rest[1])
    elif runner in _PACKAGES and rest[0] == "test":
        yield Command(PACKAGE, "test")
    elif runner in _ENVIRONMENTS and rest[0] == "run" and len(rest) > 1:
        yield from (Command(SCRIPT, name) for name in names[1:2] if name == rest[1])
