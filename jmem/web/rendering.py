"""Templates: where they are, what they may use, and how a page is made of one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from jmem import clock
from jmem.changing import seen
from jmem.formats.text import plural
from jmem.telling import in_words
from jmem.web import shown

HERE = Path(__file__).parent
STATIC = HERE / "static"
_DAY, _HOUR, _MINUTE = 86_400, 3_600, 60


def at(*parts: str, **query: str) -> Markup:
    """The address of a page; empty parameters are left out. Nothing of it is masked."""
    path = "/" + "/".join(quote(part, safe="") for part in parts)
    asked = urlencode({name: value for name, value in query.items() if value})
    return escape(f"{path}?{asked}" if asked else path)


def when(moment: datetime | str | None) -> Markup:
    """A moment as people say it, with the whole of it to be read by machines and by pointing."""
    known = clock.parse(moment) if isinstance(moment, str) else moment
    if known is None:
        return escape(moment or "never")
    whole = clock.text(known)
    told = _ago(clock.now() - known, known)
    shown_whole = whole.replace("T", " ").replace("Z", " UTC")
    return Markup('<time datetime="{}" title="{}">{}</time>').format(whole, shown_whole, told)


def _ago(past: timedelta, moment: datetime) -> str:
    seconds = past.total_seconds()
    if not 0 <= seconds < 7 * _DAY:
        return f"{moment.day} {moment:%b %Y}"
    for size, word in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        if seconds >= size:
            return f"{plural(int(seconds // size), word)} ago"
    return "just now"


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        finalize=shown.text,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        digest=seen.digest,
        editable=shown.field,
        hides_something=shown.hides_something,
        in_words=in_words,
        plainly=shown.plainly,
        prose=shown.prose,
        when=when,
    )
    made.globals.update(at=at, plural=plural)
    return made


_TEMPLATES = _environment()


def rendered(template: str, values: Mapping[str, Any]) -> str:
    """The text of a page, or of a part of one."""
    return _TEMPLATES.get_template(template).render(values)
