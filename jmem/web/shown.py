"""Text of memory as the page shows it: masked, with what hides made visible, and never as markup.

Memory is hostile until proven otherwise: whoever could write it may have meant it for this page.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from jmem import discretion, disguise
from jmem.redact import redact

_CODE = re.compile(r"`([^`\n]{1,200})`")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_HELD = 8_192
"""Texts that stay masked: a page says most words again and again."""


def text(value: Any) -> Any:
    """What a template prints: texts masked and made visible, everything else as it is.

    It stands behind every expression of every template; what is markup already passes.
    """
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return _shown(str(value), discretion.chosen())


def prose(value: str) -> Markup:
    """A statement or detail as markup: what stands in backticks is code, and nothing else is."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text(value)))))  # noqa: S704 - escaped


def editable(value: str) -> str:
    """A text to be edited: masked, and without the characters that hide, for what is shown in
    their place must not be saved."""
    masked = redact(value)
    hides = disguise.why(masked)
    plain = disguise.removed(masked) if hides else masked
    return _CONTROL.sub("", plain)


def is_left(typed: str, stored: str) -> bool:
    """Whether somebody who was given a text to edit left it as it was shown: then what is stored
    stays, for what is masked in it is not what they meant to write."""
    return typed.strip() == editable(stored).strip()


def hides_something(value: str) -> bool:
    """Whether a text that is to be edited is not shown as it is stored."""
    return editable(value) != value


def field(value: str) -> Markup:
    """A text to be edited as what stands in a field of a form."""
    return escape(editable(value))


def plainly(value: str) -> Markup:
    """A name that comes back to the server in a form, as it is: escaped, and nothing else."""
    return escape(value)


@lru_cache(maxsize=_HELD)
def _shown(value: str, choice: discretion.Choice) -> str:
    """The text under a choice of what is masked, which is one for the whole process."""
    masked = redact(value)
    if masked.isascii() and masked.isprintable():
        return masked
    return disguise.named(_CONTROL.sub(lambda found: disguise.number(found.group()), masked))
