"""Where an imported fact stood before it came to jmem. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

IMPORT_REF = "import:"
"""How the evidence reference of what was imported begins."""
_KEY = re.compile("[0-9a-f]{16}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where an imported fact stood before. ``format``: that of the source (``claude-memory``);
    ``file``: its file, as it was named there; ``item``: the id that it had there, if any; ``key``:
    a keyed hash of its text, by which the same item is known when it comes again.
    """

    format: str
    file: str = ""
    item: str = ""
    key: str = ""

    @property
    def told(self) -> str:
        """The format and what is named in it, for people: ``claude-memory, commits.md``."""
        return ", ".join(filter(None, (self.format, self.file, self.item)))

    @property
    def ref(self) -> str:
        """The evidence reference that a memory made of it carries: ``import:<key>``."""
        return f"{IMPORT_REF}{self.key}"


def key_or_empty(text: str) -> str:
    """The text as the key of an item, or an empty string: only a hash is one."""
    return text if _KEY.fullmatch(text) else ""
