"""``memory_summary.md``: the profile that every session is given, and where to look for more.

The first line is ``v1``. jmem's part stands between two markers; the first carries a check sum of
the part, so that a part which a person has edited is recognised and left to that person.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from jmem import clock, precedence
from jmem.formats.text import cut_at_word
from jmem.formats.views import rank, topic_path
from jmem.layout import INDEX_FILE
from jmem.model import Memory

VERSION_LINE = "v1"
MAX_PROFILE_WORDS = 350
STATEMENT_BYTES = 300
_MAX_TOPICS = 30
_PART = re.compile(
    r"^<!-- jmem:begin (?P<sum>[0-9a-f]{8}) -->\n(?P<part>.*?)^<!-- jmem:end -->$",
    re.MULTILINE | re.DOTALL,
)
_LATIN_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class Merged:
    """The new text of the summary, or the old one where it belongs to a person."""

    text: str
    owned_by_person: bool


def render(
    memories: Iterable[Memory], index: str, as_of: datetime, *, profile: Sequence[str] = ()
) -> str:
    """jmem's part: the best facts and preferences within 350 words, and a routing table.

    ``index`` is the text of ``MEMORY.md``: the table says which topics it holds. ``profile``:
    sentences that a model made of the best memories, in their place. Of two that contradict each
    other only the leading one is told; the table counts both.
    """
    known = list(memories)
    ranked = rank(known, as_of)
    lines = [f"## What is known (as of {clock.day(as_of)})", ""]
    lines += [f"- {line}" for line in profile] or _profile(told(known, as_of)) or ["Nothing yet."]
    table = _routes(ranked, index)
    if table:
        lines += ["", "## Where to look", "", *table]
    return "\n".join(lines) + "\n"


def told(memories: Iterable[Memory], as_of: datetime) -> list[Memory]:
    """The memories that a profile may tell of, best first."""
    return rank(precedence.surfacing(memories), as_of)


def merge(part: str, existing: str | None) -> Merged:
    """The file with jmem's part in place; what a person wrote around it is kept.

    A part that a person edited, or a file without markers, stays as it is.
    """
    block = f"<!-- jmem:begin {_check_sum(part)} -->\n{part}<!-- jmem:end -->"
    if existing is None or not existing.strip():
        return Merged(f"{VERSION_LINE}\n\n{block}\n", owned_by_person=False)
    found = _PART.search(existing)
    if found is None or _check_sum(found["part"]) != found["sum"]:
        return Merged(existing, owned_by_person=True)
    text = existing[: found.start()] + block + existing[found.end() :]
    return Merged(text, owned_by_person=False)


def cleaned(text: str, clean: Callable[[str], str]) -> str:
    """The file with both parts cleaned; jmem's own part stays one that nobody edited."""
    found = _PART.search(text)
    if found is None or _check_sum(found["part"]) != found["sum"]:
        return clean(text)
    part = clean(found["part"])
    block = f"<!-- jmem:begin {_check_sum(part)} -->\n{part}<!-- jmem:end -->"
    return clean(text[: found.start()]) + block + clean(text[found.end() :])


def body(text: str) -> str:
    """What the file tells a reader: without the version line and the markers."""
    lines = text.removeprefix("\ufeff").split("\n")
    if lines and lines[0].strip() == VERSION_LINE:
        lines = lines[1:]
    kept = [line for line in lines if not line.startswith(("<!-- jmem:begin", "<!-- jmem:end"))]
    return "\n".join(kept).strip()


def count_words(text: str) -> int:
    """Words of alphabetic scripts, and every CJK character as a word of its own."""
    cjk = len(_CJK.findall(text))
    return cjk + len(_LATIN_WORD.findall(_CJK.sub(" ", text)))


def _check_sum(part: str) -> str:
    return hashlib.sha256(part.encode("utf-8", "replace")).hexdigest()[:8]


def _profile(ranked: Sequence[Memory]) -> list[str]:
    lines: list[str] = []
    words = 0
    for memory in ranked:
        line = f"- {cut_at_word(memory.statement, STATEMENT_BYTES)}"
        words += count_words(line)
        if words > MAX_PROFILE_WORDS:
            break
        lines.append(line)
    return lines


def _routes(ranked: Sequence[Memory], index: str) -> list[str]:
    counts: dict[str, int] = {}
    for memory in ranked:
        counts[memory.topic] = counts.get(memory.topic, 0) + 1
    rows = []
    for topic, count in list(counts.items())[:_MAX_TOPICS]:
        places = []
        if f"\n## {topic}\n" in index:
            places.append(f"{INDEX_FILE} under `## {topic}`")
        if f"\n## {topic}\n" not in index or f"more in {topic_path(topic)}" in index:
            places.append(topic_path(topic))
        rows.append(f"- for {topic} ({count}) see {' and '.join(places)}")
    if len(counts) > _MAX_TOPICS:
        rows.append(f"- for {len(counts) - _MAX_TOPICS} more topics see {INDEX_FILE} and topics/")
    return rows
