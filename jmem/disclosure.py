"""What a program is given of memory: the values themselves, with their words masked. Pure."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass, replace
from typing import Any, TypeVar

from jmem.outgoing import each_masked

T = TypeVar("T")

_WORDS = frozenset(
    ("after", "before", "cluster", "reason", "tags", "text", "told", "topic", "what", "why")
)
"""The fields that hold words of somebody's; the others are ids, moments, and places to look."""


def shown(value: T) -> T:
    """The value with its words masked, and those of the values in it: a memory, a note, a hit, a
    list of them, what is around one, why it is known. What has nothing to mask is given as it is.
    """
    texts = dict.fromkeys(_words_in(value))
    listed = list(texts)
    clean = each_masked(listed)
    if clean == listed:
        return value
    found: T = _with(value, dict(zip(listed, clean, strict=True)), told=False)
    return found


def _words_in(value: Any, *, told: bool = False) -> Iterator[str]:
    if type(value) is str:  # a word of a closed set (an enum) is nobody's
        if told:
            yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _words_in(item, told=told)
    else:
        for name in _fields(value):
            yield from _words_in(getattr(value, name), told=name in _WORDS)


def _with(value: Any, clean: Mapping[str, str], *, told: bool) -> Any:
    if type(value) is str:
        return clean[value] if told else value
    if isinstance(value, list | tuple):
        return type(value)(_with(item, clean, told=told) for item in value)
    old = {name: getattr(value, name) for name in _fields(value)}
    new = {name: _with(held, clean, told=name in _WORDS) for name, held in old.items()}
    changed = {name: held for name, held in new.items() if held is not old[name]}
    if not changed:
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **changed)
    other = copy.copy(value)
    for name, held in changed.items():
        setattr(other, name, held)
    return other


def _fields(value: Any) -> Iterable[str]:
    """The fields of a value of jmem's own; none of anything else."""
    kind = type(value)
    if not kind.__module__.startswith("jmem.") or isinstance(value, str):
        return ()
    names: Iterable[str] = getattr(kind, "__dataclass_fields__", ())
    return names or getattr(kind, "__slots__", ())
