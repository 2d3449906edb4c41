"""The report: all that is known on one page that needs no server, to be kept or handed on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from markupsafe import Markup

from jmem import browsing, clock, figures, nights, overview
from jmem.config import Settings
from jmem.overview import Overview
from jmem.retrieval.hit import Document
from jmem.scopes import Scope
from jmem.web.pages.looking import row
from jmem.web.pages.standing import plots_of
from jmem.web.rendering import STATIC, rendered

_MOST = 100_000
_NIGHTS = 20


def of(scopes: Sequence[Scope], settings: Settings, now: datetime) -> str:
    """The page as text. Masked like every page; nothing in it is loaded from anywhere."""
    style = (STATIC / "style.css").read_text("utf-8")
    counted = figures.series(scopes, settings, now)
    cards = overview.of_all(scopes, settings, now)
    return rendered(
        "report.html",
        {
            "style": Markup(style),  # noqa: S704 - our own file, between tags that it has none of
            "title": f"What is remembered, {clock.day(now)}",
            "parts": [_part(card) for card in cards],
            "plots": plots_of(counted) if counted.days else [],
        },
    )


def _part(card: Overview) -> dict[str, object]:
    """One scope: where it stands, its memories by topic, its newest nights."""
    page = browsing.page([card.scope], browsing.Asked(), limit=_MOST)
    held = [each for each in page.documents if each.where == "memory"]
    return {
        "card": card,
        "topics": [
            (topic, [row(each) for each in some])
            for topic, some in groupby(sorted(held, key=_topic), key=_topic)
        ],
        "nights": nights.nights(card.scope, limit=_NIGHTS),
    }


def _topic(document: Document) -> str:
    return document.topic
