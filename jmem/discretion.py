"""What is masked beside credentials, by the user's own choice, in this process.

Whoever loads the settings puts the choice here, and :mod:`jmem.redact` reads it: redaction
stands below the settings and is called in a hundred places that have none in hand. Only the
user's own settings can hold such a choice, so it is the same for every scope.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Choice = tuple[bool, tuple[str, ...], tuple[str, ...]]

NOTHING: Choice = (False, (), ())
"""Personal data or not, words, patterns."""
_chosen = NOTHING


def choose(settings: Mapping[str, Any]) -> None:
    """Mask from now on what these settings, by name, say; nothing more where they are silent."""
    global _chosen  # noqa: PLW0603 - the one thing that this module is for
    _chosen = (
        bool(settings.get("redact.personal", False)),
        tuple(settings.get("redact.words", ())),
        tuple(settings.get("redact.extra", ())),
    )


def choose_again(choice: Choice) -> None:
    """Back to a choice that was in force before."""
    global _chosen  # noqa: PLW0603 - the one thing that this module is for
    _chosen = choice


def chosen() -> Choice:
    """The choice in force."""
    return _chosen
