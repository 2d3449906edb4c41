"""The parts of a text: what it states, and the detail below."""

from __future__ import annotations

import re

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(\S.*)")


def statement_of(text: str) -> str:
    """The first paragraph of a text on one line. Headings above it stand in front of it, with a
    colon: ``# Plan`` and ``- measure it`` state ``Plan: - measure it``."""
    headings, paragraph, _ = _parts(text)
    words = " ".join(" ".join(paragraph).split())
    above = " ".join(" ".join(headings).split()).rstrip(" :")
    return f"{above}: {words}" if above else words


def detail_of(text: str) -> str:
    """What follows the first paragraph of a text."""
    return "\n".join(_parts(text)[2]).strip()


def _parts(text: str) -> tuple[list[str], list[str], list[str]]:
    """The headings above the first paragraph, its lines, and the lines after it. Of a text that is
    nothing but headings the first of them is the paragraph."""
    lines = text.strip().split("\n")
    headings: list[str] = []
    for number, line in enumerate(lines):
        heading = _HEADING.fullmatch(line)
        if heading:
            headings.append(heading[1])
        elif line.strip():
            start = number
            break
    else:
        headings, start = [], 0
    end = next((n for n in range(start, len(lines)) if not lines[n].strip()), len(lines))
    return headings, lines[start:end], lines[end:]
