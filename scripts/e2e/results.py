"""What came of each step, and the table of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

HELD, MISSED = "yes", "**no**"
BEGIN, END = "<!-- begin results -->\n", "<!-- end results -->\n"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of one client. ``missed`` says what did not hold; empty where all did."""

    name: str
    seconds: float
    told: str = ""
    missed: str = ""


@dataclass
class Row:
    """A client with its version and its steps, in order."""

    title: str
    version: str
    steps: list[Step] = field(default_factory=list)

    @property
    def held(self) -> bool:
        return not any(step.missed for step in self.steps)

    @property
    def seconds(self) -> float:
        return sum(step.seconds for step in self.steps)


def table(rows: Sequence[Row]) -> str:
    """Client by step in Markdown, and under it a line for each step that did not hold."""
    names = list(dict.fromkeys(step.name for row in rows for step in row.steps))
    lines = [_line(["client", "version", *names, "seconds"])]
    lines.append(_line(["---"] * 2 + [":-:"] * len(names) + ["--:"]))
    for row in rows:
        held = {step.name: MISSED if step.missed else HELD for step in row.steps}
        cells = [held.get(name, "") for name in names]
        lines.append(_line([row.title, row.version, *cells, f"{row.seconds:.0f}"]))
    misses = [f"- {r.title}, {s.name}: {s.missed}" for r in rows for s in r.steps if s.missed]
    return "\n".join(lines + (["", *misses] if misses else [])) + "\n"


def placed(text: str, document: str) -> str:
    """The document with the text between its two marks. Raises ValueError without them."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError("the document has no place for results")
    return f"{before}{begin}{text}{end}{after}"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
