"""How the tables of patterns are written."""

from __future__ import annotations

import re


def any_of(*alternatives: str) -> re.Pattern[str]:
    """One pattern, blind to case, that matches what any of the alternatives matches."""
    return re.compile("|".join(f"(?:{alternative})" for alternative in alternatives), re.IGNORECASE)
