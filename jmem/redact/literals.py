"""Literals: where a value ends, and whether the value behind a telling word is a secret."""

from __future__ import annotations

import re

from jmem.redact import values

_QUOTED = re.compile(
    r"@?[rbfuL]?(?:\\{1,3}\"([^\"\\\n]{1,1000}+)\\|\"((?:[^\"\\\n]|\\.){1,1000}+)\""
    r"|\\{1,3}'([^'\\\n]{1,1000}+)\\|'((?:[^'\\\n]|\\.){1,1000}+)'|`([^`\n]{1,1000}+)`)"
)
_BARE = re.compile(r"(?:[^\s\"'`,;，。；、\0]|[,;](?![\s\w\"'`\0])){1,256}+")
_REST = re.compile(r"[^\s\"'`,;，。；、\0]*+")
_SENTENCE = re.compile(
    r"^[A-Z][a-z]* |[.!?:]$|password|secret|token"
    r"|\b(?:the|your|must|is|enter|please|for|to|not|a)\b"
)
_DESCRIPTION = re.compile(
    r"[a-z]*(?:[-_./ #][a-z]+)*[-_./ #](?:passw|secret|token|key)"
    r"|(?:passw[a-z]*|secrets?|tokens?|key)[-_./ ][a-z]+"
)
_CLOSERS = {")": "(", "]": "[", "}": "{", ">": "<"}


def quoted(text: str, at: int) -> tuple[int, int] | None:
    """The inside of the string literal that begins here."""
    match = _QUOTED.match(text, at)
    return match.span(match.lastindex) if match and match.lastindex else None


def bare(text: str, at: int) -> str:
    """The unquoted value that begins here, or as much of it as a verdict needs."""
    match = _BARE.match(text, at)
    return match.group() if match else ""


def bare_end(text: str, at: int, value: str) -> int:
    """Where an unquoted value ends; read only when the value is a secret, for linear time."""
    rest = _REST.match(text, at + len(value)) if len(value) >= 250 else None
    return rest.end() if rest else at + len(value)


def trimmed(value: str) -> str:
    """The value without what belongs to the sentence or the brackets around it."""
    while value:
        last = value[-1]
        unbalanced = last in _CLOSERS and value.count(last) > value.count(_CLOSERS[last])
        if not (unbalanced or last in ".:\\"):
            break
        value = value[:-1]
    return value.removesuffix("\\n")


def _is_elsewhere(value: str) -> bool:
    return values.is_placeholder(value) or values.is_stop_word(value) or values.is_place(value)


def is_quoted_secret(value: str, *, strong: bool) -> bool:
    """Whether a string literal behind a telling word is a secret."""
    if len(value) < (4 if strong else 8) or _is_elsewhere(value):
        return False
    if strong:
        if " " in value:
            return not _SENTENCE.search(value)
        return not _DESCRIPTION.match(value)
    return " " not in value and (values.is_random(value, 8) or values.has_symbols(value, 4))


def is_bare_secret(value: str, line: str, *, strong: bool, loose: bool) -> bool:
    """Whether an unquoted value behind a telling word is a secret.

    ``line`` is what follows on its line, ``loose`` says that the assignment is written as
    program code is.
    """
    if len(value) < (4 if strong else 8) or _is_elsewhere(value) or values.is_code(value):
        return False
    if not strong:
        return values.is_random(value, 8) or values.has_symbols(value, 4)
    if not values.is_name(value):
        return not _DESCRIPTION.match(value)
    if values.mixed(value) and not loose:
        return "_" not in value or not values.is_wordy(value)
    if values.is_random(value, 12):
        return True
    word = not loose and len(value) >= 6 and value.islower() and "_" not in value
    return word and line.strip()[:1] in ("", "#")
