"""Text as a reader sees it: without mark-up, escapes and characters that do not show.

``**Password:** ...`` and a token with ``\\_`` in it are what the other rules know, once what stands
between is gone. Only the neighbourhoods of such places are copied, each character with its place
in the text, so that what is found in the copy can be masked in the text.
"""

from __future__ import annotations

import re

from jmem.redact.patterns import lazy
from jmem.redact.values import BLANK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jmem.redact.shapes import Span

_MARK = lazy(
    r":(?:\*{1,3}|_{2,3})(?=[ \t])"  # the end of an emphasis that holds the colon
    r"|:[ ][|>][+-]?[ ]{0,9}\r?\n[ ]{1,40}"  # a block of YAML
    r"|</?(?:b|i|u|em|strong|code|kbd|tt|mark|span)>"
    r"|&(?:nbsp|lowbar|#95|#160);|%5[Ff]"
    r"|\\(?=[_:-])"
)
# What marks begin with: to find these is many times as fast as to search for the pattern.
_SIGNS = (":*", ":_", ": |", ": >", "<", "&", "%5", "\\_", "\\:", "\\-")
_FOREIGN = lazy(r"\?+")
_STRANGE = lazy(
    r"[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]+"
    r"|[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff3f\uff0d]+"
)
_WIDE = {0xFEE0 + code: code for code in range(0x21, 0x7F)}
_SPACES = ("&nbsp;", "&#160;")
_UNDERSCORES = ("&lowbar;", "&#95;", "%5f")
_BEFORE, _AFTER = 80, 200
_BREAK = "\n" + BLANK + "\n"
"""Between two neighbourhoods: no value and no gap reaches across it."""


class Copy:
    """The neighbourhoods of a text's mark-up without it; empty where there is none."""

    def __init__(self, text: str, plain: str) -> None:
        """``plain``: the text with ``?`` for each character that is not ASCII."""
        parts: list[str] = []
        places: list[int] = []
        for start, end, marks in _neighbourhoods(text, plain):
            parts.append(_BREAK)
            places += [start] * len(_BREAK)
            at = start
            for mark in marks:
                shown = _shown(mark.group())
                parts += (text[at : mark.start()], shown)
                places += range(at, mark.start())
                # One that becomes shorter ends where its last character ends.
                places += range(mark.end() - len(shown), mark.end())
                at = mark.end()
            parts.append(text[at:end])
            places += range(at, end)
        self.text = "".join(parts)
        self._places = places

    def mapped(self, spans: Iterable[Span]) -> Iterator[Span]:
        """Yield the spans of the copy as spans of the text."""
        for start, end, label in spans:
            if BLANK not in self.text[start:end]:
                yield self._places[start], self._places[end - 1] + 1, label


def _neighbourhoods(text: str, plain: str) -> Iterator[tuple[int, int, list[re.Match[str]]]]:
    """The stretches of the text around its marks, apart from each other, with their marks."""
    begin, stop = 0, 0
    marks: list[re.Match[str]] = []
    for mark in _marks(text, plain):
        if marks and mark.start() - _BEFORE > stop:
            yield begin, stop, marks
            marks = []
        if not marks:
            begin = _word(text, max(stop, mark.start() - _BEFORE), mark.start())
        marks.append(mark)
        stop = min(len(text), mark.end() + _AFTER)
    if marks:
        yield begin, stop, marks


def _marks(text: str, plain: str) -> list[re.Match[str]]:
    """All that is not shown as it is written, in order."""
    found: list[re.Match[str]] = []
    if not text.isascii():
        for run in _FOREIGN.finditer(plain):
            found += _STRANGE.finditer(text, *run.span())
    for sign in _SIGNS:
        at = plain.find(sign)
        while at >= 0:
            mark = _MARK.match(text, at)
            if mark:
                found.append(mark)
            at = plain.find(sign, at + len(sign))
    found.sort(key=lambda mark: mark.start())
    return found


def _word(text: str, at: int, limit: int) -> int:
    """Where the first whole word from here begins: half a word can look like another."""
    while 0 < at < limit and text[at - 1].isalnum():
        at += 1
    return at


def _shown(mark: str) -> str:
    """What a reader sees of a mark."""
    if mark[0] == ":":
        return ": " if mark[1] == " " else ":"
    if mark in _SPACES:
        return " "
    if mark.lower() in _UNDERSCORES:
        return "_"
    return mark.translate(_WIDE) if mark[0] >= "\uff0d" and mark[0] <= "\uff5a" else ""
