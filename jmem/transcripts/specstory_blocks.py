"""What the lines of a SpecStory history mean, read one after the other.

A heading says who speaks, in newer versions also when; what follows up to the next one is theirs.
Thinking and tools stand within an agent's words: framed by tags, in older versions as a block of
their own. Nothing is escaped in this format. So a heading in something that a tool showed must not
count: neither within a frame or fenced text, nor if its time is before the last heading's or after
that of the file. What follows such a one is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from jmem import clock
from jmem.transcripts.entries import MAX_TURN, Entry, Report, cut
from jmem.transcripts.speech import answered, said
from jmem.transcripts.tools import tool_call, tool_result

_HEADING = re.compile(r"_\*\*(User|Agent|Assistant)( - sidechain)?(?: \(([^()]{1,200})\))?\*\*_")
_TIME = re.compile(r"(.*?)\s*(\d{4}-\d\d-\d\d[ _T]\d\d[:-]\d\d[:-]\d\dZ?)")
_OPENING = re.compile(
    r'<(tool-use|think)\b(?:[^<>]*?data-tool-type="([^"]{0,60})")?(?:[^<>]*?data-tool-name="([^"]{0,100})")?'
)
_FENCE = re.compile(r"^`{3,}([\w+-]*)\s*$")
_TOOL = re.compile(r"Tool use: \*\*([^*\n]{1,100})\*\*(.*)", re.DOTALL)
_RESULT = "\nResult:\n"
_CODE = re.compile(r"`([^`\n]{1,2000})`")
_RULE = "---"
_SHELL = "shell"
_SHELLS = ("Bash", "Shell", "shell", "run_shell_command", "exec_command")
_MAX_FRAME = 20_000


@dataclass(frozen=True, slots=True)
class Heading:
    """Who speaks from here on, and what is said of it. ``shown``: in another history, not here."""

    is_user: bool
    sidechain: bool
    model: str
    time: datetime | None
    shown: bool = False


def heading(line: str) -> Heading | None:
    """The heading that a line is, or None."""
    found = _HEADING.fullmatch(line)
    if found is None:
        return None
    told = found[3] or ""
    timed = _TIME.fullmatch(told)
    model = timed[1] if timed else told
    is_user = found[1] == "User"
    return Heading(
        is_user=is_user,
        sidechain=bool(found[2]),
        model="" if is_user else model,
        time=time_of(timed[2]) if timed else None,
    )


def time_of(text: str) -> datetime | None:
    """The moment that SpecStory wrote: ``2026-05-10 09:00:00Z``, or with hyphens and a line."""
    day, hours = text[:10], text[11:].replace("-", ":")
    return clock.parse(f"{day}T{hours}")


class Reading:
    """One pass over a history: what must be remembered from line to line.

    ``written``: when the file was written last.
    """

    def __init__(self, report: Report, *, written: datetime) -> None:
        self._report = report
        self._written = written
        self._speaker: Heading | None = None
        self._latest: datetime | None = None
        self._words: list[str] = []
        self._length = 0
        self._fences = _Fences()
        self._frame: _Frame | None = None
        self._count = 0

    def entries(self, line: str) -> Iterator[Entry]:
        """The entries that one line completes."""
        found = heading(line)
        if found is not None and self._counts(found):
            yield from self.rest()
            self._speaker = found if self._is_held(found) else replace(found, shown=True)
            if not self._speaker.shown:
                self._latest = found.time or self._latest
        elif self._frame is not None:
            if self._frame.ends_with(line):
                yield from self._framed(self._frame)
                self._frame = None
        elif self._speaker is not None and not self._speaker.is_user and line.startswith("<"):
            yield from self._opened(line)
        else:
            self._keep(line)

    def rest(self) -> Iterator[Entry]:
        """What is still held back at the end of the file."""
        if self._frame is not None:
            yield from self._framed(self._frame)
            self._frame = None
        yield from self._spoken()

    def _counts(self, found: Heading) -> bool:
        """Whether a heading ends what stands before it. A frame whose end stood within fenced text,
        because the fences in it do not match, is ended by a heading too."""
        if self._frame is not None:
            return found.time is not None and self._frame.seemed_to_end and self._is_held(found)
        return found.time is not None or not self._fences.open

    def _is_held(self, found: Heading) -> bool:
        """Whether the time of a heading is one at which somebody can have spoken here."""
        if found.time is None:
            return True
        return (self._latest is None or found.time >= self._latest) and found.time <= self._written

    def _opened(self, line: str) -> Iterator[Entry]:
        opening = _OPENING.match(line)
        if opening is None:
            self._keep(line)
            return
        yield from self._spoken()
        frame = _Frame(tag=opening[1], kind=opening[2] or "", name=opening[3] or "")
        if frame.ends_with(line):
            yield from self._framed(frame)
        else:
            self._frame = frame

    def _keep(self, line: str) -> None:
        if self._speaker is not None and not self._speaker.is_user:
            self._fences.take(line)
        if self._length < MAX_TURN:
            self._words.append(line)
            self._length += len(line) + 1

    def _spoken(self) -> Iterator[Entry]:
        """What was said since the last heading, or since the last frame."""
        text = "\n".join(self._words).strip().removesuffix(_RULE).strip()
        self._words.clear()
        self._length = 0
        self._fences = _Fences()
        if self._speaker is None or not text:
            return
        if self._speaker.shown or self._speaker.sidechain:
            self._report.skip("shown by a tool" if self._speaker.shown else "sub-agent")
        elif self._speaker.is_user:
            yield from said(cut(text, MAX_TURN), self._speaker.time, self._report)
        elif tool := _TOOL.match(text):
            yield from self._block(tool[1], tool[2])
        else:
            yield from answered(cut(text, MAX_TURN), self._speaker.time)

    def _block(self, name: str, text: str) -> Iterator[Entry]:
        """A tool as the older versions show it: what it was given, and what it answered."""
        given, _, answer = text.partition(_RESULT)
        frame = _Frame(tag="", kind=_SHELL if name in _SHELLS else "", name=name)
        for line in given.split("\n"):
            frame.ends_with(line)
        yield from self._told(frame, answer.strip().strip("`"))

    def _framed(self, frame: _Frame) -> Iterator[Entry]:
        speaker = self._speaker
        if frame.tag == "think" or speaker is None or speaker.sidechain or speaker.shown:
            self._report.skip("thinking" if frame.tag == "think" else "sub-agent")
            return
        yield from self._told(frame, frame.answer())

    def _told(self, frame: _Frame, answer: str) -> Iterator[Entry]:
        time = self._speaker.time if self._speaker else None
        self._count += 1
        identity = f"tool-{self._count}"
        yield tool_call(frame.name or frame.kind, frame.arguments(), identity, time)
        if frame.kind == _SHELL:
            yield tool_result(identity, answer, time)


class _Fences:
    """How deep a line stands in fenced text: text that shows Markdown has fences in fences."""

    def __init__(self) -> None:
        self.depth = 0

    @property
    def open(self) -> bool:
        """Whether the lines stand in fenced text."""
        return self.depth > 0

    def take(self, line: str) -> str | None:
        """Take a line; the language if it opens or closes a fence, else None."""
        fence = _FENCE.match(line)
        if fence is None:
            return None
        closes = self.open and not fence[1]
        self.depth += -1 if closes else 1
        return fence[1]


class _Frame:
    """What stands in a tag within an agent's words: thinking, or a tool with what it was given.

    The tag that ends it counts only outside of fenced text, in which a tool may have shown another.
    """

    def __init__(self, *, tag: str, kind: str, name: str) -> None:
        self.tag, self.kind, self.name = tag, kind, name
        self.seemed_to_end = False
        self._lines: list[str] = []
        self._length = 0
        self._fences = _Fences()
        self._fenced: list[tuple[str, list[str]]] = []

    def ends_with(self, line: str) -> bool:
        """Take a line; whether it is the last one of the frame."""
        outside = not self._fences.open
        language = self._fences.take(line)
        last = f"</{self.tag}>" in line
        self.seemed_to_end = self.seemed_to_end or last
        if outside and language is not None:
            self._fenced.append((language, []))
        elif language is None and self._length < _MAX_FRAME:
            (self._lines if outside else self._fenced[-1][1]).append(line)
            self._length += len(line)
        return outside and last

    def arguments(self) -> dict[str, Any] | str:
        """What the tool was given: the command of a shell, the file that it names, or its text."""
        said_of_it = "\n".join(row for row in self._lines if not row.startswith("<"))
        code = _CODE.search(said_of_it)
        if self.kind == _SHELL:
            script = [rows for language, rows in self._fenced if language in ("bash", "sh", "zsh")]
            command = "\n".join(script[0]) if script else code[1] if code else ""
            return {"command": command}
        return {"path": code[1]} if code else said_of_it.strip()

    def answer(self) -> str:
        """What a shell printed."""
        shown = [rows for language, rows in self._fenced if language not in ("bash", "sh", "zsh")]
        return "\n".join(shown[-1]) if shown else ""
