"""Numbers as text: columns of blocks, which a terminal, a pipe and a mail all show."""

from __future__ import annotations

from collections.abc import Sequence

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_ASCII = " .#"


def bucketed(values: Sequence[int], most: int, *, level: bool = False) -> list[int]:
    """The values in at most so many groups of the same size, but for the first: summed up, or, of a
    ``level``, the last of each."""
    size = -(-len(values) // max(most, 1)) or 1
    first = len(values) % size
    starts = [0, *range(first, len(values), size)] if first else list(range(0, len(values), size))
    groups = [values[a:b] for a, b in zip(starts, [*starts[1:], len(values)], strict=True)]
    return [group[-1] if level else sum(group) for group in groups if group]


def columns(values: Sequence[int], height: int, *, blocks: bool = True) -> list[str]:
    """A plot as ``height`` rows of text, the top one first, a character for each value.

    The highest column fills the height; one that is not 0 is never invisible. ``blocks``: with
    eighths of a character, else in ASCII.
    """
    ramp = _EIGHTHS if blocks else _ASCII
    steps = len(ramp) - 1
    top = max(values, default=0)
    if top <= 0:
        return [" " * len(values)] * height
    filled = [max(round(value * height * steps / top), value > 0) for value in values]
    return [
        "".join(ramp[min(max(full - row * steps, 0), steps)] for full in filled)
        for row in range(height - 1, -1, -1)
    ]
