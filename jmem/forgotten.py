"""What must not come back: ``forgotten.jsonl`` as values. It holds no text, only keyed hashes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from jmem import clock, purgemarks
from jmem.model import Input, Memory, Origin, Source

SAME_SHARE = 0.8
_WORD = re.compile("[一-鿿぀-ヿ가-힯]|[^\\W_]+")
_EMPTY = frozenset(
    _WORD.findall(
        "a an and are as at be by do does for from has have in is it its now of on or our should "
        "so that the then this to use used uses using was we were when which will with you "
        "的 了 是 在 和 与 请 要"
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """One forgotten memory: its id, since when, its evidence, and hashes of its content words.

    ``filed``: it was deleted as a file of the memory tool. Deleting and writing anew is how a model
    rewrites a file, so what it writes through the tool afterwards is welcome. ``key``: what the
    hashes are keyed with, where another machine had forgotten it before both shared a key.
    ``purged``: it was not forgotten but purged, wherever it stands: ``memory`` (this one, and its
    words beside other memories) or ``text`` (any words). ``marks`` tell those (jmem.purgemarks).
    """

    id: str
    date: datetime
    words: frozenset[str]
    evidence: tuple[str, ...] = ()
    filed: bool = False
    key: str = ""
    purged: str = ""
    marks: frozenset[str] = frozenset()


def entry(memory: Memory, at: datetime, key: str) -> Forgotten:
    """The entry for a memory that is forgotten now."""
    return Forgotten(
        id=memory.id,
        date=at,
        words=hashes(memory.statement, key),
        evidence=memory.evidence,
    )


def hashes(text: str, key: str) -> frozenset[str]:
    """Keyed hashes of the content words of a text."""
    words = {word for word in _WORD.findall(text.lower()) if word not in _EMPTY}
    secret = key.encode()[:64]
    return frozenset(
        hashlib.blake2b(word.encode("utf-8", "replace"), key=secret, digest_size=6).hexdigest()
        for word in words
    )


def refusal(item: Input, entries: Iterable[Forgotten], key: str, *, marked: bool = True) -> str:
    """Why an input must not come back, or an empty string.

    What a user says again after the day of forgetting is welcome. ``marked``: neither must anything
    that says what was purged inside of other words.
    """
    said_again = item.source is Source.USER and item.origin in (Origin.USER, Origin.CLI)
    words: dict[str, frozenset[str]] = {}
    for known in entries:
        if said_again and item.time > known.date:
            continue
        if known.filed and item.filed and item.time >= known.date:
            continue
        secret = known.key or key
        if secret not in words:
            words[secret] = hashes(item.text, secret)
        if marked and any(purgemarks.passages(item.text, known.marks, secret)):
            return f"it says what was purged on {clock.day(known.date)}"
        if any(item.ref == ref or _whole(ref, item.ref) for ref in known.evidence):
            return f"its evidence was forgotten on {clock.day(known.date)}"
        if _alike(words[secret], known.words):
            return f"it was forgotten on {clock.day(known.date)}"
    return ""


def render(entries: Iterable[Forgotten]) -> str:
    """The file: one JSON object a line."""
    return "".join(
        json.dumps(
            {
                "id": item.id,
                "date": clock.text(item.date),
                "words": sorted(item.words),
                "evidence": list(item.evidence),
                **({"filed": True} if item.filed else {}),
                **({"key": item.key} if item.key else {}),
                **({"purged": item.purged, "marks": sorted(item.marks)} if item.purged else {}),
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )
        + "\n"
        for item in entries
    )


def render_restored(keys: Iterable[str], at: datetime) -> str:
    """Lines that take back what an earlier line says of these ids: the file is only appended to."""
    rows = ({"id": key, "date": clock.text(at), "restored": True} for key in keys)
    return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)


def parse(text: str) -> list[Forgotten]:
    """The entries of the file that were not taken back; lines that are none are skipped."""
    entries: list[Forgotten] = []
    for line in text.split("\n"):
        try:
            data = json.loads(line)
            if data.get("restored") is True:
                entries = [known for known in entries if known.id != data["id"]]
                continue
            date = clock.parse(data["date"])
            words = frozenset(str(word) for word in data["words"])
            evidence = tuple(str(ref) for ref in data.get("evidence", ()))
            identity, filed = str(data["id"]), data.get("filed") is True
            key, purged = str(data.get("key") or ""), str(data.get("purged") or "")
            marks = frozenset(str(mark) for mark in data.get("marks", ()))
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        if date is not None:
            entries.append(
                Forgotten(
                    id=identity,
                    date=date,
                    words=words,
                    evidence=evidence,
                    filed=filed,
                    key=key,
                    purged=purged,
                    marks=marks,
                )
            )
    return entries


def _whole(ref: str, item: str) -> bool:
    """Whether a reference names a whole session (it ends in ``#``) and the item is one of it."""
    return ref.endswith("#") and item.startswith(ref)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if not one or not other:
        return False
    return len(one & other) >= SAME_SHARE * max(len(one), len(other))
