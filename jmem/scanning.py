"""Credentials that stand in the store already: found where they are, told without being shown.

What jmem writes is masked before it is written; a secret gets in by a person's hand, by a program
that writes files there, or by an older jmem that did not know its form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from jmem.formats.sharedtree import HEAD_FILE
from jmem.layout import PROJECT_FILE
from jmem.redact import redact
from jmem.scopes import Scope
from jmem.storage import traces
from jmem.storage.past import Past

_MARKER = re.compile(r"\[REDACTED:([a-z0-9-]{1,40})\]")
_HINGE = 24
"""So many characters behind a masked part say where the text goes on."""
_WITH_KEY = (PROJECT_FILE, HEAD_FILE)
"""The files that hold the scope's own key: its own, and the one that is shared."""
_MAX_BYTES = 8 * 1024 * 1024
"""A larger file is none that jmem writes as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A credential and where it stands. ``line`` counts from 1; ``commit`` is empty for a file as
    it is now; ``text`` is the credential itself and is never told."""

    scope: str
    file: str
    line: int
    kind: str
    commit: str = ""
    text: str = field(repr=False)


def scan(scope: Scope) -> list[Secret]:
    """Every credential in the files of a scope and in its history, by the rules of
    :mod:`jmem.redact`; what stands in both is told for both. Writes nothing. The scope's own key,
    which opens nothing but hashes of what was forgotten here, is none."""
    return [*_in_files(scope), *_in_history(scope)]


def _in_files(scope: Scope) -> Iterator[Secret]:
    for path in traces.everything(scope.root):
        inside = path.relative_to(scope.root)
        if ".git" in inside.parts or str(inside) == PROJECT_FILE:
            continue
        if path.is_symlink() or not path.is_file():
            continue
        if path.stat().st_size <= _MAX_BYTES:
            for line, kind, text in found(traces.text_of(path)):
                yield Secret(scope=scope.name, file=str(inside), line=line, kind=kind, text=text)


def _in_history(scope: Scope) -> Iterator[Secret]:
    history = Past(scope.root)
    if not history.exists:
        return
    for commit, path, data in history.everything_said():
        if path not in _WITH_KEY and len(data) <= _MAX_BYTES:
            for line, kind, text in found(data.decode("utf-8", "surrogateescape")):
                yield Secret(
                    scope=scope.name, file=path, line=line, kind=kind, commit=commit, text=text
                )


def found(text: str) -> list[tuple[int, str, str]]:
    """The credentials in a text: line, kind, the credential."""
    if "\x00" in text:
        return []  # no text: a database, an index of git
    masked = redact(text)
    if masked == text:
        return []
    secrets = []
    at = position = 0
    for marker in _MARKER.finditer(masked):
        position += marker.start() - at
        at = marker.end()
        if text.startswith(marker[0], position):
            position += len(marker[0])  # masked long ago
            continue
        following = _MARKER.search(masked, at)
        behind = masked[at : following.start() if following else len(masked)][:_HINGE]
        end = text.find(behind, position + 1) if behind else -1
        end = len(text) if end < 0 else end
        line = text.count("\n", 0, position) + 1
        secrets.append((line, marker[1], text[position:end]))
        position = end
    return secrets
