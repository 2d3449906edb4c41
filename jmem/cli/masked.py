"""What a command says when it masked something in the words that it was given."""

from __future__ import annotations

from jmem.cli import render
from jmem.formats.text import clean_text
from jmem.redact import labels

_NO_CREDENTIALS = frozenset(("email", "extra", "phone", "user", "word"))


def tell(given: str) -> list[str]:
    """Say how much was masked and what it was; also returned, for JSON."""
    named = labels(clean_text(given))
    if named:
        what = "passage" if _NO_CREDENTIALS.intersection(named) else "credential"
        kinds = ", ".join(named)  # such as "password, token", which reads as a password itself
        render.own_message(f"masked {render.plural(len(named), what)}: {kinds}")
    return named
