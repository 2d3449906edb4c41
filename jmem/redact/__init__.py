"""Masking of credentials in text: on every way into the store and out of it."""

from __future__ import annotations

from jmem.redact import (
    addresses,
    assignments,
    chosen,
    commands,
    headers,
    logins,
    markup,
    prose,
    shapes,
    values,
)
from jmem.redact.patterns import lazy
from jmem.redact.shapes import Span

_MARKER = lazy(r"\[REDACTED(?::[a-z0-9-]{1,40})?\]")
_ROUNDS = 12
_LEAST = 4
# A token that is known by its form is named by it, wherever it stands.
_GENERAL = frozenset(
    (
        "authorization",
        "cookie",
        "credential",
        "key",
        "password",
        "secret",
        "service-key",
        "token",
        "url-password",
    )
)


def redact(text: str) -> str:
    """The text with every credential in it replaced by ``[REDACTED:what]``.

    Never raises, never touches an existing marker, and is idempotent: it goes on until a
    pass finds nothing. At most ten times as long as the text. What stands around a secret
    (the key, the quotes, the host of an address) stays. What the user's settings name beside
    credentials (:mod:`jmem.discretion`) is masked too.
    """
    for _ in range(_ROUNDS):
        masked = _pass(text)
        if masked == text:
            break
        text = masked
    return text


def labels(text: str) -> list[str]:
    """The names of what ``redact`` masks in a text, one for each place, in order."""
    before = iter(_MARKER.findall(text))
    known = next(before, None)
    named: list[str] = []
    for marker in _MARKER.findall(redact(text)):
        if marker == known:
            known = next(before, None)
        else:
            named.append(marker[len("[REDACTED:") : -1])
    return named


def _pass(text: str) -> str:
    """The text with what one search finds masked."""
    blanked, markers = text, []
    if "[REDACTED" in text:
        # Markers are blanked for the search: their own words must not lead it anywhere.
        markers = [match.span() for match in _MARKER.finditer(text)]
        blanked = _MARKER.sub(lambda match: values.BLANK * len(match.group()), text)
    plain = _ascii(blanked)
    lower = plain.lower()
    spans = [
        *addresses.find(blanked),
        *headers.find(blanked, lower),
        *commands.find(blanked, lower),
        *shapes.find(plain),
        *assignments.find(blanked, lower),
        *prose.find(blanked, lower),
        *chosen.find(blanked, lower),
    ]
    copy = markup.Copy(blanked, plain)
    if copy.text:
        spans += copy.mapped(_read(copy.text))
    spans += logins.beside(blanked, spans)
    parts: list[str] = []
    done = 0
    for start, end, label in _disjoint(spans, markers):
        parts += (text[done:start], "[REDACTED:", label, "]")
        done = end
    parts.append(text[done:])
    return "".join(parts)


def _ascii(text: str) -> str:
    """The text for what is ASCII, as tokens and English words are: several times as fast."""
    return text if text.isascii() else text.encode("ascii", "replace").decode("ascii")


def _read(text: str) -> list[Span]:
    """What is found in a text that has no mark-up left."""
    plain = _ascii(text)
    lower = plain.lower()
    return [*shapes.find(plain), *assignments.find(text, lower), *prose.find(text, lower)]


def _disjoint(spans: list[Span], markers: list[tuple[int, int]]) -> list[Span]:
    """The spans in order, merged where they overlap, without what is masked already."""
    merged: list[Span] = []
    for start, end, label in sorted(spans, key=lambda span: (span[0], -span[1])):
        if merged and start < merged[-1][1]:
            first, last, kept = merged[-1]
            if kept in _GENERAL and label not in _GENERAL:
                kept = label
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
            if markers[cursor][0] - at >= _LEAST:
                free.append((at, markers[cursor][0], label))
            at = markers[cursor][1]
            cursor += 1
        if at == start or end - at >= _LEAST:
            free.append((at, end, label))
    return free
