"""Where the parts of a drawing stand. Pure: from counts and links to positions, in units of the
drawing; the same input is always drawn the same."""

from __future__ import annotations

import math
from collections.abc import Sequence

Point = tuple[float, float]
_TURN = math.pi * (3 - math.sqrt(5))
"""The golden angle: points that are set by it never line up."""
_ROUNDS = 110
_PULL = 0.9
"""How strongly everything is drawn to the middle, so that what is unlinked does not drift off."""


def sprung(
    count: int, links: Sequence[tuple[int, int, float]], width: float, height: float
) -> list[Point]:
    """Positions of ``count`` points in a box, linked ones (by index, with a weight above 0) close
    together: Fruchterman and Reingold's springs. Takes time in the square of ``count``."""
    if count == 0:
        return []
    ideal = math.sqrt(1.0 / count)
    xs = [0.5 + 0.4 * math.sqrt((i + 0.5) / count) * math.cos(i * _TURN) for i in range(count)]
    ys = [0.5 + 0.4 * math.sqrt((i + 0.5) / count) * math.sin(i * _TURN) for i in range(count)]
    for step in range(_ROUNDS):
        warm = 0.1 * (1 - step / _ROUNDS) ** 1.5 + 0.001
        dx, dy = _pushed(xs, ys, ideal * ideal)
        for a, b, weight in links:
            x, y = xs[a] - xs[b], ys[a] - ys[b]
            pull = math.hypot(x, y) / ideal * weight
            dx[a] -= x * pull
            dy[a] -= y * pull
            dx[b] += x * pull
            dy[b] += y * pull
        for i in range(count):
            x, y = dx[i] + (0.5 - xs[i]) * _PULL, dy[i] + (0.5 - ys[i]) * _PULL
            far = math.hypot(x, y) or 1.0
            xs[i] += x / far * min(far, warm)
            ys[i] += y / far * min(far, warm)
    return _fitted(xs, ys, width, height)


def packed(radii: Sequence[float], gap: float) -> list[Point]:
    """Centres of circles around (0, 0) that do not touch, the first ones in the middle."""
    placed: list[tuple[float, float, float]] = []
    for radius in radii:
        turn = 0.0
        while True:
            x, y = 1.45 * turn * math.cos(turn), turn * math.sin(turn)
            if all(math.hypot(x - a, y - b) >= radius + r + gap for a, b, r in placed):
                break
            turn += 1.8 / (1.0 + turn / 8)
        placed.append((x, y, radius))
    return [(x, y) for x, y, _ in placed]


def wrapped(text: str, width: int, lines: int) -> list[str]:
    """A text on a few lines of so many characters, without marks of code, cut with an ellipsis."""
    rows = [""]
    for word in text.replace("`", "").split():
        if rows[-1] and len(rows[-1]) + 1 + len(word) > width:
            rows.append("")
        rows[-1] = f"{rows[-1]} {word}".strip()
    cut = [row if len(row) <= width else f"{row[: width - 1]}…" for row in rows[:lines]]
    if len(rows) > lines and not cut[-1].endswith("…"):
        cut[-1] = f"{cut[-1][: width - 1].rstrip()}…"
    return cut


def _pushed(xs: Sequence[float], ys: Sequence[float], force: float) -> tuple[list[float], ...]:
    """How far every point is pushed away by all others."""
    count = len(xs)
    dx, dy = [0.0] * count, [0.0] * count
    for i in range(count):
        here_x, here_y, sum_x, sum_y = xs[i], ys[i], 0.0, 0.0
        for j in range(i):
            x, y = here_x - xs[j], here_y - ys[j]
            push = force / (x * x + y * y + 1e-6)
            x, y = x * push, y * push
            sum_x += x
            sum_y += y
            dx[j] -= x
            dy[j] -= y
        dx[i] += sum_x
        dy[i] += sum_y
    return dx, dy


def _fitted(xs: Sequence[float], ys: Sequence[float], width: float, height: float) -> list[Point]:
    left, top = min(xs), min(ys)
    wide, high = (max(xs) - left) or 1.0, (max(ys) - top) or 1.0
    if len(xs) == 1:
        return [(width / 2, height / 2)]
    return [
        ((x - left) / wide * width, (y - top) / high * height) for x, y in zip(xs, ys, strict=True)
    ]
