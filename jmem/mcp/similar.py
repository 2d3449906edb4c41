"""What is known already that resembles a text: by the index as it stands, and by the notes that
arrived since. Nothing is brought up to date for it: a note is not kept waiting.

A process that serves a whole session keeps the words of the newest notes, so that they are not
read again for each further one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from jmem.layout import NOTES_DIR
from jmem.retrieval import searchtext
from jmem.retrieval.hit import NOTE
from jmem.storage import files, freshfile
from jmem.storage.index.database import Damaged
from jmem.storage.index.reading import Reader

MOST = 3
_SHARE = 0.6
"""The share of a text's words that another one holds and is similar for."""
_LEAST_TERMS = 3
_TELLING = 6
"""Rarest words by which the index is asked: what is similar holds some of them, and the words that
stand everywhere would be weighed for hundreds of others."""
_KEPT = 100
"""Newest notes that are compared: older ones the index knows, as soon as anybody recalls."""
_READ_BYTES = 64_000


@dataclass(frozen=True, slots=True)
class Like:
    """Something that resembles a text; ``where`` is ``memory`` or ``note``, ``share`` (0 to 1) is
    how much of the text's words it holds."""

    id: str
    where: str
    text: str
    share: float


@dataclass(frozen=True, slots=True)
class _Arrival:
    id: str
    name: str
    text: str
    terms: frozenset[str]


class _Arrivals:
    """The newest notes of a scope, by the lines that were appended when they arrived."""

    def __init__(self, scope_root: str) -> None:
        self._file = Path(freshfile.path_in(scope_root))
        self._read_to = 0
        self._known: dict[str, _Arrival] = {}

    def known(self) -> Iterable[_Arrival]:
        """Those that were not told of to be gone; whether its file still is, the caller asks."""
        size = self._size()
        if size < self._read_to:  # the inbox was emptied, and begun anew
            self._read_to = 0
            self._known.clear()
        if size > self._read_to:
            self._read(max(self._read_to, size - _READ_BYTES))
        return self._known.values()

    def _size(self) -> int:
        try:
            return self._file.lstat().st_size
        except OSError:
            return 0

    def _read(self, start: int) -> None:
        data = files.read_bytes(self._file, start=start) or b""
        whole = data.rfind(b"\n") + 1
        for line in data[:whole].split(b"\n"):
            found = _arrival(line)
            if found is not None:
                self._known[found.name] = found
        for name in list(self._known)[:-_KEPT]:
            del self._known[name]
        self._read_to = start + whole


_arrivals: dict[str, _Arrivals] = {}


def to(text: str, roots: Sequence[tuple[str, str]]) -> list[Like]:
    """What resembles a text in some scopes (name, root), most alike first, at most MOST."""
    terms = _terms(text)
    if len(terms) < _LEAST_TERMS:
        return []
    found: dict[str, Like] = {}
    for name, root in roots:
        for like in (*_indexed(terms, name, root), *_arrived(terms, root)):
            found.setdefault(like.id, like)
    return sorted(found.values(), key=lambda like: -like.share)[:MOST]


def _indexed(terms: frozenset[str], name: str, root: str) -> list[Like]:
    """What the index knows, without what is no longer as it was indexed."""
    reader = Reader.open(root, name)
    if reader is None:
        return []
    try:
        _, held = reader.holding(sorted(terms))
        telling = sorted(held, key=lambda term: (held[term], term))[:_TELLING]
        hits = reader.words(telling, limit=2 * MOST)
        alike = [
            (hit, share)
            for hit in hits
            if (share := _share(terms, _terms(hit.document.text))) >= _SHARE
        ]
        return [
            Like(hit.document.key, hit.document.where, hit.document.text, share)
            for hit, share in alike
            if reader.intact([hit])
        ]
    except Damaged:
        return []
    finally:
        reader.close()


def _arrived(terms: frozenset[str], root: str) -> list[Like]:
    known = _arrivals.setdefault(root, _Arrivals(root)).known()
    alike = [(each, share) for each in known if (share := _share(terms, each.terms)) >= _SHARE]
    alike.sort(key=lambda pair: -pair[1])
    there = (pair for pair in alike if (Path(root) / NOTES_DIR / pair[0].name).exists())
    return [Like(each.id, NOTE, each.text, share) for each, share in islice(there, MOST)]


def _share(terms: frozenset[str], others: frozenset[str]) -> float:
    return len(terms & others) / len(terms)


def _terms(text: str) -> frozenset[str]:
    return frozenset(searchtext.query_terms(text))


def _arrival(line: bytes) -> _Arrival | None:
    try:
        found = json.loads(line)
        text = _bare(str(found["text"]))
        return _Arrival(str(found["id"]), str(found["name"]), text, _terms(text))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _bare(bullet: str) -> str:
    """The text of a note in the bullet that is shown of it: without kind, day and source."""
    return bullet.partition("] ")[2].rpartition(" (")[0]
