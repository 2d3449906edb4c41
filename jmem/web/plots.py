"""Figures as plots: from numbers per day to bars and curves, in units of the drawing. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from jmem import clock

WIDTH, HEIGHT = 720.0, 190.0
LEFT, _TOP, _BOTTOM = 46.0, 12.0, 24.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar; ``series`` counts from 0."""

    x: float
    y: float
    width: float
    height: float
    series: int
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A label on an axis."""

    x: float = 0.0
    y: float = 0.0
    label: str = ""
    anchor: str = "middle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """One plot with its table: ``rows`` of a day and one value for each series."""

    title: str
    told: str
    series: Sequence[str]
    rows: Sequence[tuple[str, Sequence[int]]]
    ticks: Sequence[Tick]
    days: Sequence[Tick]
    bars: Sequence[Bar] = ()
    curve: str = ""
    area: str = ""
    width: float = WIDTH
    height: float = HEIGHT
    left: float = field(default=LEFT)


def stacked(
    title: str, told: str, days: Sequence[str], series: Mapping[str, Sequence[int]]
) -> Plot:
    """Bars a day, the series on top of each other."""
    top = _round_up(max((sum(values) for values in zip(*series.values(), strict=True)), default=0))
    step = (WIDTH - LEFT) / max(len(days), 1)
    bars = []
    for place, day in enumerate(days):
        base = HEIGHT - _BOTTOM
        for number, (name, values) in enumerate(series.items()):
            high = values[place] / top * (HEIGHT - _TOP - _BOTTOM)
            if not values[place]:
                continue
            base -= high
            said = f"{day}: {values[place]:,} {name}"
            bars.append(
                Bar(
                    x=LEFT + place * step + step * 0.12,
                    y=base,
                    width=step * 0.76,
                    height=high,
                    series=number,
                    told=said,
                )
            )
    return _plot(title, told, days, series, top, bars=bars)


def curve(title: str, told: str, days: Sequence[str], name: str, values: Sequence[int]) -> Plot:
    """One line over the days."""
    top = _round_up(max(values, default=0))
    step = (WIDTH - LEFT) / max(len(days) - 1, 1)
    points = [(LEFT + place * step, _height(value, top)) for place, value in enumerate(values)]
    path = " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    floor = HEIGHT - _BOTTOM
    area = f"M{LEFT} {floor} L{path} L{WIDTH} {floor} Z" if points else ""
    return _plot(title, told, days, {name: values}, top, curve=f"M{path}", area=area)


def _plot(
    title: str,
    told: str,
    days: Sequence[str],
    series: Mapping[str, Sequence[int]],
    top: int,
    *,
    bars: Sequence[Bar] = (),
    curve: str = "",
    area: str = "",
) -> Plot:
    columns = list(zip(*series.values(), strict=True))
    rows = [(day, values) for day, values in zip(days, columns, strict=True) if any(values)]
    half = [top] if top == 1 else [top // 2, top]
    ticks = [Tick(y=_height(value, top), label=_short(value)) for value in (0, *half)]
    return Plot(
        title=title,
        told=told,
        series=list(series),
        rows=rows[::-1],
        ticks=ticks,
        days=_dates(days),
        bars=bars,
        curve=curve,
        area=area,
    )


def _dates(days: Sequence[str]) -> list[Tick]:
    if not days:
        return []
    places = sorted({0, len(days) // 2, len(days) - 1})
    anchors = {0: "start", len(days) - 1: "end"}
    step = (WIDTH - LEFT) / max(len(days) - 1, 1)
    return [
        Tick(x=LEFT + place * step, label=_day(days[place]), anchor=anchors.get(place, "middle"))
        for place in places
    ]


def _day(day: str) -> str:
    moment = clock.parse(day)
    return f"{moment.day} {moment:%b}" if moment else day


def _height(value: float, top: int) -> float:
    return HEIGHT - _BOTTOM - value / top * (HEIGHT - _TOP - _BOTTOM)


def _round_up(value: int) -> int:
    """The next number that reads well on an axis."""
    if value <= 1:
        return 1
    size = int(10 ** math.floor(math.log10(value)))
    return next(step * size for step in (1, 2, 4, 6, 8, 10, 20) if step * size >= value)


def _short(value: int) -> str:
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return str(value)
