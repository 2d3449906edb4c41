"""What the lines of aider's chat history mean, read one after the other.

``#### `` begins each line of a prompt and ``> `` each line that aider itself wrote, both with two
blanks at the end; all else is the assistant. An assistant that writes such a heading itself ends
it without the blanks. What aider sends by itself stands there as a prompt, and is known by its
first words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from jmem.transcripts.entries import MAX_TURN, Entry, Report, Via, cut
from jmem.transcripts.speech import answered, said
from jmem.transcripts.tools import tool_call

STARTED = "# aider chat started at "
_PROMPT = "#### "
_NOTICE = "> "
_END = "  "
_NOTHING = "<blank>"
_EDITED = re.compile(r"> (?:Applied edit to|Creating empty file) (.{1,400}?)\s*$")
_MODEL = re.compile(r"> (?:Main model|Model|Models): (\S{1,100})")
_OF_AIDER = (
    "# Fix any errors below",
    "# Question:",
    "I ran this command:",
    "I added these files to the chat:",
    "The LLM did not conform to the edit format.",
)
_REFUSED = re.compile(r"# \d+ SEARCH/REPLACE block")
_RUN = re.compile(r"(?:!|/(?:run|test|git)\s)\s*(.+)", re.DOTALL)
_ASKED = re.compile(r"/(?:ask|code|architect)\s+(.+)", re.DOTALL)


def begun(line: str) -> datetime | None:
    """When a session began that this line begins, else None; aider writes the local time."""
    if not line.startswith(STARTED):
        return None
    try:
        naive = datetime.strptime(line[len(STARTED) :].strip(), "%Y-%m-%d %H:%M:%S")  # noqa: DTZ007
        return naive.astimezone().astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def is_prompt(line: str) -> bool:
    """Whether a line is one of a prompt."""
    return line.startswith(_PROMPT) and line.endswith(_END)


def model_in(line: str) -> str:
    """The model that a notice of aider names, or nothing."""
    found = _MODEL.match(line)
    return found[1] if found else ""


class Reading:
    """One pass over the lines of a session: what must be remembered from line to line."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._prompt: list[str] = []
        self._answer: list[str] = []
        self._length = 0
        self._asked = ""
        self._count = 0

    def entries(self, line: str) -> Iterator[Entry]:
        """The entries that one line completes."""
        if is_prompt(line):
            yield from self._answered()
            self._prompt.append(line[len(_PROMPT) :].rstrip())
            return
        yield from self._prompted()
        if line.startswith(_NOTICE.rstrip()) and (line.endswith(_END) or line == ">"):
            yield from self._notice(line)
        elif self._length < MAX_TURN:
            self._answer.append(line)
            self._length += len(line) + 1

    def rest(self) -> Iterator[Entry]:
        """What is still held back at the end of the session."""
        yield from self._prompted()
        yield from self._answered()
        yield from self._words_of_command()

    def _prompted(self) -> Iterator[Entry]:
        """The prompt that has ended, if there is one."""
        if not self._prompt:
            return
        text = "\n".join(self._prompt).strip()
        self._prompt.clear()
        if self._asked and text == self._asked:
            self._asked = ""  # the words of a command, sent now: they were not told yet
            yield from said(text, None, self._report, via=Via.COMMAND)
            return
        yield from self._words_of_command()
        if asked := _ASKED.match(text):
            self._asked = asked[1].strip()
        elif run := _RUN.match(text):
            self._count += 1
            yield tool_call("shell", {"command": run[1].strip()}, f"run-{self._count}", None)
        elif text.startswith("/"):
            self._report.skip("slash command")
        elif text in ("", _NOTHING):
            self._report.skip("no text")
        elif text.startswith(_OF_AIDER) or _REFUSED.match(text):
            self._report.skip("message of the client")
        else:
            yield from said(text, None, self._report)

    def _words_of_command(self) -> Iterator[Entry]:
        """The words behind a command that did not come again as a prompt."""
        if self._asked:
            yield from said(self._asked, None, self._report, via=Via.COMMAND)
            self._asked = ""

    def _answered(self) -> Iterator[Entry]:
        """What the assistant said since the last prompt, or the last notice."""
        text = "\n".join(self._answer).strip()
        self._answer.clear()
        self._length = 0
        if text:
            yield from self._words_of_command()
            yield from answered(cut(text, MAX_TURN), None)

    def _notice(self, line: str) -> Iterator[Entry]:
        """What aider itself says; of it only the files that it changed are evidence."""
        yield from self._answered()
        edited = _EDITED.match(line)
        if edited is None:
            self._report.skip("notice of the client")
            return
        self._count += 1
        yield tool_call("edit", {"path": edited[1]}, f"edit-{self._count}", None)
