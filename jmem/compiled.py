"""The settings compiled for whoever has no time to read YAML: ``.cache/hook.json`` of a scope.

What it holds is believed only while every source of it looks as it did: the settings file, the
repository's own, the table of settings in this program, and the ``JMEM_*`` variables.
"""

from __future__ import annotations

import json
import os
from os.path import dirname, join

from jmem import discretion, places, switch
from jmem.digests import sha256
from jmem.layout import CACHE_DIR, CONFIG_FILE, REPOSITORY_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jmem.places import Place

HOOK_FILE = "hook.json"
_FORMAT = 2
_NOT_SETTINGS = frozenset({"JMEM_HOME", "JMEM_NOW", "JMEM_PROJECT", "JMEM_EPHEMERAL"})


def settings(scope_root: str, directory: str, *, warned: bool = False) -> dict[str, Any] | None:
    """The settings by name; None where none are compiled or a source has changed since.

    ``warned``: also where something in a source was not taken, which a person would be told.
    """
    try:
        with open(join(scope_root, CACHE_DIR, HOOK_FILE), encoding="utf-8") as source:
            held = json.load(source)
        told = warned or not held["warnings"]
        if told and held["format"] == _FORMAT and held["sources"] == _sources(directory):
            found: dict[str, Any] = held["settings"]
            discretion.choose(found)
            return found
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def says(place: Place, *names: str) -> bool:
    """Whether these switches are on in a place: as compiled, else, for ``enabled``, as far as
    :mod:`jmem.switch` sees."""
    found = settings(place.root, place.directory, warned=True)
    if found is None:
        return not switch.is_off(place.directory)
    return all(found[name] for name in names)


def write(
    scope_root: str, directory: str, values: Mapping[str, Any], *, warnings: bool = False
) -> None:
    """Compile the settings for a scope; where its cache cannot be written, nothing happens.

    ``warnings``: whether something in a source was not taken.
    """
    from contextlib import suppress
    from pathlib import Path

    from jmem.storage import files

    cache = Path(scope_root) / CACHE_DIR
    body = {
        "format": _FORMAT,
        "sources": _sources(directory),
        "warnings": warnings,
        "settings": dict(values),
    }
    if cache.is_dir() and os.access(cache, os.W_OK):
        with suppress(OSError):  # the disk is full, or the directory went meanwhile
            files.atomic_write(cache / HOOK_FILE, json.dumps(body).encode())


def _sources(directory: str) -> list[str]:
    """What each source looks like from outside."""
    named = [join(places.root(), CONFIG_FILE), join(dirname(__file__), "settings.py")]
    if directory:
        named.append(join(directory, REPOSITORY_FILE))
    return [*map(_look, named), _environment()]


def _look(path: str) -> str:
    try:
        stat = os.stat(path)
    except OSError:
        return f"{path} -"
    return f"{path} {stat.st_size} {stat.st_mtime_ns}"


def _environment() -> str:
    chosen = sorted(
        f"{name}={value}"
        for name, value in os.environ.items()
        if name.startswith("JMEM_") and name not in _NOT_SETTINGS
    )
    return sha256("\n".join(chosen).encode("utf-8", "replace")).hexdigest()[:16]
