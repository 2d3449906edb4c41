"""What a model is told, in the words of the tool's reference backend. Pure.

Where the reference says nothing, because it has no limit there, a last line in brackets does.
"""

from __future__ import annotations

from collections.abc import Sequence

from jmem.memory_tool.failure import ToolFailure

MAX_LINES = 999_999
MAX_LISTED = 200
"""So many names at once; a store may hold ten thousand."""
MAX_SHOWN_BYTES = 32 * 1024
"""So much of a file at once, at least one line."""
_MOST_PLACES = 50
_NUMBER_WIDTH = len(str(MAX_LINES))
_AROUND = 2
_UNITS = ("B", "K", "M", "G")


def size(number: int) -> str:
    """A number of bytes as ``0B``, ``17B``, ``1.5K``."""
    if number == 0:
        return "0B"
    power = min((number.bit_length() - 1) // 10, len(_UNITS) - 1)
    scaled = number / 1024**power
    return f"{int(scaled) if scaled == int(scaled) else f'{scaled:.1f}'}{_UNITS[power]}"


def numbered(lines: Sequence[str], start: int) -> list[str]:
    """Lines with their numbers in front, the first of which is ``start``."""
    return [
        f"{str(number).rjust(_NUMBER_WIDTH)}\t{line}" for number, line in enumerate(lines, start)
    ]


def content(path: str, text: str, view_range: Sequence[int] | None) -> str:
    """A file as it is shown: all of its lines, or those of a range (from 1; -1 is the end).

    Raises ToolFailure for a file of more lines than have a number.
    """
    lines = text.split("\n")
    if len(lines) > MAX_LINES:
        raise ToolFailure(f"File {path} exceeds maximum line limit of 999,999 lines.")
    first, last = 0, len(lines)
    if view_range and len(view_range) == 2:
        first = max(1, view_range[0]) - 1
        last = len(lines) if view_range[1] == -1 else view_range[1]
    chosen = lines[first:last]
    fitting = _fitting(chosen)
    shown = numbered(chosen[:fitting], first + 1)
    if fitting < len(chosen):
        left = f"{first + fitting + 1}, {first + len(chosen)}"
        shown.append(f"[{len(chosen) - fitting} more lines: view_range [{left}]]")
    return f"Here's the content of {path} with line numbers:\n" + "\n".join(shown)


def listing(
    path: str, total: int, entries: Sequence[tuple[int, str]], view_range: Sequence[int] | None
) -> str:
    """A directory: its own size, then size and path of each entry; of a long one a part at a time.

    ``entries``: size in bytes and name below the directory; ``view_range``: which of them.
    """
    first, last = 0, MAX_LISTED
    if view_range and len(view_range) == 2:
        first = max(1, view_range[0]) - 1
        last = len(entries) if view_range[1] == -1 else view_range[1]
        last = min(last, first + MAX_LISTED)
    chosen = entries[first:last]
    lines = [
        f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:",
        f"{size(total)}\t{path}",
        *(f"{size(number)}\t{path}/{name}" for number, name in chosen),
    ]
    if len(chosen) < len(entries):
        shown = f"{first + 1}-{first + len(chosen)}" if chosen else "none"
        following = first + len(chosen) + 1
        more = f"; view_range [{following}, {following + MAX_LISTED - 1}] shows more"
        rest = more if chosen and following <= len(entries) else ""
        lines.append(f"[{shown} of {len(entries)} entries{rest}]")
    return "\n".join(lines)


def replaced(path: str, text: str, old: str, new: str) -> str:
    """The text with the one place replaced where ``old`` stands.

    Raises ToolFailure where it stands nowhere, or in several places.
    """
    count = text.count(old)
    if count == 0:
        raise ToolFailure(
            f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
        )
    if count > 1:
        places = ", ".join(map(str, _places(text, old)))
        raise ToolFailure(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
            f"{places}. Please ensure it is unique"
        )
    return text.replace(old, new)


def snippet(text: str, changed_line: int) -> str:
    """The lines around a change, of which ``changed_line`` is the first (from 0)."""
    lines = text.split("\n")
    start = max(0, changed_line - _AROUND)
    shown = numbered(lines[start : changed_line + _AROUND + 1], start + 1)
    head = "The memory file has been edited. Here is the snippet showing the change"
    return f"{head} (with line numbers):\n" + "\n".join(shown)


def inserted(text: str, line: int, addition: str) -> str:
    """The text with lines put in after the line of this number; 0 is before the first.

    Raises ToolFailure for a number that the file does not have.
    """
    lines = text.removesuffix("\n").split("\n")
    if not 0 <= line <= len(lines):
        raise ToolFailure(
            f"Invalid `insert_line` parameter: {line}. "
            f"It should be within the range [0, {len(lines)}]."
        )
    lines.insert(line, addition.rstrip("\n"))
    return "\n".join(lines)


def _fitting(lines: Sequence[str]) -> int:
    """How many of the lines fit into one answer."""
    room = MAX_SHOWN_BYTES
    for number, line in enumerate(lines):
        room -= len(line.encode("utf-8", "replace")) + 1
        if room < 0 and number:
            return number
    return len(lines)


def _places(text: str, old: str) -> list[int]:
    """The lines in which a text stands, the first fifty."""
    found: list[int] = []
    at = text.find(old)
    while at != -1 and len(found) < _MOST_PLACES:
        found.append(text.count("\n", 0, at) + 1)
        at = text.find(old, at + 1)
    return found
