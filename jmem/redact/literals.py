"""Literals: where a value ends, and whether the value behind a telling word is a secret."""

from __future__ import annotations

from jmem.redact import values
from jmem.redact.patterns import lazy

STRONG, FIRM, PLAIN, WEAK = 4, 3, 2, 1
"""How surely a word announces a secret: password; api key, access token; token; key."""

_QUOTED = lazy(
    r"@?[rbfuL]?(?:\\{1,3}\"([^\"\\\n]{1,1000}+)\\|\"((?:[^\"\\\n]|\\.){1,1000}+)\""
    r"|\\{1,3}'([^'\\\n]{1,1000}+)\\|'((?:[^'\\\n]|\\.){1,1000}+)'|`([^`\n]{1,1000}+)`)"
)
# An escaped line end (text inside JSON) ends a value as a real one does.
_BARE = lazy(r"(?:[^\s\"'`,;\\，。；、\0]|\\(?![nrt\"'\\])|[,;](?![\s\w\"'`\\\0])){1,256}+")
_REST = lazy(r"(?:[^\s\"'`,;\\，。；、\0]|\\(?![nrt\"'\\]))*+")
_SENTENCE = lazy(
    r"^[A-Z][a-z]* |[.!?:]$|password|secret|token"
    r"|\b(?:the|your|must|is|enter|please|for|to|not|a)\b"
)
_DESCRIPTION = lazy(
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


def is_quoted_secret(value: str, strength: int) -> bool:
    """Whether a string literal behind a telling word is a secret."""
    if len(value) < (4 if strength == STRONG else 8) or _is_elsewhere(value):
        return False
    if strength == STRONG:
        if " " in value:
            return not _SENTENCE.search(value)
        return not _DESCRIPTION.match(value)
    if " " in value:
        return False
    return _is_token(value, strength) or (strength == FIRM and len(value) >= 12 and value.isalpha())


def is_bare_secret(value: str, line: str, strength: int, *, loose: bool) -> bool:
    """Whether an unquoted value behind a telling word is a secret.

    ``line`` is what follows on its line, ``loose`` says that the assignment is written as
    program code is.
    """
    if len(value) < (4 if strength == STRONG else 8):
        return False
    if _is_elsewhere(value) or values.is_code(value):
        return False
    if strength != STRONG:
        return _is_token(value, PLAIN if loose else strength)
    if not values.is_name(value):
        return not _DESCRIPTION.match(value)
    if values.mixed(value) and not loose:
        return "_" not in value or not values.is_wordy(value)
    if values.is_random(value, 12):
        return True
    word = not loose and len(value) >= 6 and value.islower() and "_" not in value
    return word and line.strip()[:1] in ("", "#")


def _is_token(value: str, strength: int) -> bool:
    if strength == FIRM and (values.mixed(value) or (value.isdigit() and len(value) >= 10)):
        return True
    return values.is_random(value, 8) or values.has_symbols(value, 4)
