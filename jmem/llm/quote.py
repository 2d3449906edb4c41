"""Words of another program in a message of ours."""

from __future__ import annotations

from collections.abc import Iterable

from jmem.formats.text import clean_text, cut_at_word
from jmem.redact import redact

_LONGEST = 200
_READ = 2000


def quote(text: str, secrets: Iterable[str] = ()) -> str:
    """The text as one short line without the given secrets or anything else that is one."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, "[REDACTED:key]")
    return cut_at_word(redact(" ".join(clean_text(text[:_READ]).split())), _LONGEST)
