"""Whether the agents that jmem was connected to still reach it: checks for ``jmem doctor``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from jmem.agents import codex, entries, registry
from jmem.agents import record as records
from jmem.agents.client import Client, Place
from jmem.agents.targets import OwnFile, Target, TomlFile
from jmem.doctor import Finding, Grade
from jmem.errors import JmemError
from jmem.formats import jsonc, tomlmerge
from jmem.storage import configfile


def examine() -> Iterator[Finding]:
    """A finding or more for each agent that is connected; for all others one line together."""
    try:
        place = registry.here()
        known = records.load()
    except JmemError as error:
        yield Finding(check="agents", grade=Grade.FAIL, message=error.message, remedy=error.hint)
        return
    connected = []
    for client in registry.CLIENTS.values():
        problems = list(_problems(client, place))
        recorded = any(made.agent == client.name for made in known.values())
        if not recorded and not problems and not _started(client, place):
            continue
        connected.append(client.title)
        yield from problems or [_fine(client)]
    idle = [client.title for client in registry.found(place) if client.title not in connected]
    if idle:
        yield Finding(
            check="agents",
            grade=Grade.WARN,
            message=f"{', '.join(idle)}: installed, but not connected to memory",
            remedy="jmem init",
        )


def _fine(client: Client) -> Finding:
    return Finding(check=client.name, grade=Grade.OK, message=f"{client.title} is connected")


def _problems(client: Client, place: Place) -> Iterator[Finding]:
    again = f"jmem init --agent {client.name}"
    missing = sorted({path for path in _started(client, place) if not os.access(path, os.X_OK)})
    if missing:
        yield Finding(
            check=client.name,
            grade=Grade.FAIL,
            message=f"{client.title} calls {', '.join(missing)}, which is gone",
            remedy=again,
        )
    elif _started(client, place) and (lacking := _lacking(client, place)):
        yield Finding(
            check=client.name,
            grade=Grade.WARN,
            message=f"{', '.join(lacking)}: not as jmem would write it now",
            remedy=f"{again} --dry-run shows the difference",
        )
    if client.name == codex.NAME and (waiting := untrusted(place)):
        yield Finding(
            check=client.name,
            grade=Grade.WARN,
            message=f"Codex skips {len(waiting)} hooks until you trust them",
            remedy="start codex, type /hooks, and accept those of jmem",
        )


def _started(client: Client, place: Place) -> set[str]:
    """The programs that jmem's entries in the agent's files start."""
    return {
        entries.command_of(entry)[0]
        for target in client.targets(place)
        if not isinstance(target, OwnFile)
        for entry in _ours(_value(target))
    }


def _lacking(client: Client, place: Place) -> list[str]:
    return [str(target.path) for target in client.targets(place) if not _is_there(target)]


def _is_there(target: Target | OwnFile) -> bool:
    data = _read(target.path)
    if isinstance(target, OwnFile):
        return data == target.text
    try:
        return data is not None and target.holds(data)
    except ValueError:
        return False


def _ours(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every entry in a value that starts jmem."""
    if isinstance(value, Mapping):
        if "command" in value and entries.is_ours(value):
            yield value
        for inner in value.values():
            yield from _ours(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _ours(inner)


def _value(target: Target) -> Any:
    text = _read(target.path)
    if text is None:
        return None
    try:
        if isinstance(target, TomlFile):
            return tomlmerge.parse(text)
        root = jsonc.parse(text)
    except ValueError:
        return None
    return root and root.value


def _read(path: Path) -> str | None:
    try:
        data = configfile.read(path)
        return None if data is None else data.decode()
    except (JmemError, OSError, ValueError):
        return None


def untrusted(place: Place) -> list[str]:
    """The hooks of jmem's that Codex has no trust on record for, by its own keys."""
    file = codex.hooks_file(place)
    try:
        root = jsonc.parse(_read(file) or "")
        config = tomlmerge.parse(_read(codex.folder(place) / "config.toml") or "")
    except ValueError:
        return []
    trusted = _inside(config, "hooks", "state")
    return [
        key
        for event, listed in _named(_inside(root and root.value, "hooks"))
        for number, group in _numbered(listed)
        for place_in, hook in _numbered(_inside(group, "hooks"))
        if entries.is_ours(hook)
        and _inside(trusted, key := _key(file, event, number, place_in), "trusted_hash") is None
    ]


def _inside(value: Any, *names: str) -> Any:
    """What stands under these names; None where nothing does, whatever stands there instead."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _named(value: Any) -> Iterable[tuple[str, Any]]:
    return value.items() if isinstance(value, Mapping) else ()


def _numbered(value: Any) -> Iterable[tuple[int, Any]]:
    return enumerate(value) if isinstance(value, list) else ()


def _key(file: Path, event: str, group: int, hook: int) -> str:
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in event)
    return f"{file}:{snake.lstrip('_')}:{group}:{hook}"
