"""The one lazy idiom: a table of ``name -> "module:attribute"``, resolved at first use."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # what typing costs is paid by every hook
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def load(target: str) -> Any:
    """The object that ``"module:attribute"`` names."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def lookup(table: Mapping[str, str], name: str, owner: str) -> Any:
    """The object behind a public name of ``owner``, for a module's ``__getattr__``.

    Raises AttributeError for a name that the table does not hold.
    """
    target = table.get(name)
    if target is None:
        raise AttributeError(f"module {owner!r} has no attribute {name!r}")
    return load(target)
