"""Masking of credentials in text: on every way into the store and out of it."""

from __future__ import annotations

import re

from jmem.redact import assignments, headers, shapes
from jmem.redact.shapes import Span

_MARKER = re.compile(r"\[REDACTED(?::[a-z0-9-]{1,40})?\]")
_ROUNDS = 12


def redact(text: str) -> str:
    """The text with every credential in it replaced by ``[REDACTED:what]``.

    Never raises, never touches an existing marker, and is idempotent: it goes on until a
    pass finds nothing. At most ten times as long as the text. What stands around a secret
    (the key, the quotes, the user of an address) stays.
    """
    for _ in range(_ROUNDS):
        masked = _pass(text)
        if masked == text:
            break
        text = masked
    return text


def _pass(text: str) -> str:
    # U+0130 is the one character that grows when lowered; positions must agree.
    lower = text.replace("\u0130", "I").lower()
    spans: list[Span] = [
        *headers.find(text, lower),
        *shapes.find(text),
        *assignments.find(text, lower),
    ]
    if not spans:
        return text
    markers = [match.span() for match in _MARKER.finditer(text)] if "[REDACTED" in text else []
    parts: list[str] = []
    done = 0
    for start, end, label in _disjoint(spans, markers):
        parts += (text[done:start], "[REDACTED:", label, "]")
        done = end
    parts.append(text[done:])
    return "".join(parts)


def _disjoint(spans: list[Span], markers: list[tuple[int, int]]) -> list[Span]:
    """The spans in order, merged where they overlap, without what is masked already."""
    merged: list[Span] = []
    for start, end, label in sorted(spans, key=lambda span: (span[0], -span[1])):
        if merged and start < merged[-1][1]:
            first, last, kept = merged[-1]
            merged[-1] = (first, max(last, end), kept)
        else:
            merged.append((start, end, label))
    if not markers:
        return merged
    free: list[Span] = []
    index = 0
    for start, end, label in merged:
        while index < len(markers) and markers[index][1] <= start:
            index += 1
        at, cursor = start, index
        while cursor < len(markers) and markers[cursor][0] < end:
            if markers[cursor][0] - at >= 4:
                free.append((at, markers[cursor][0], label))
            at = markers[cursor][1]
            cursor += 1
        if end - at >= 4:
            free.append((at, end, label))
    return free
