"""What jmem keeps beside the files that git sees: state, caches, sessions, logs. Found and cleaned
when something is purged."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from jmem import state as states
from jmem.layout import CACHE_DIR, CONFIG_FILE, STATE_FILE, USAGE_FILE
from jmem.state import State
from jmem.storage import files, inbox, statefile
from jmem.storage.injectionfile import INJECTION_FILE

Found = Callable[[str], bool]


def everything(root: Path) -> Iterator[Path]:
    """Every file below the root of all memory, but what git keeps as its objects."""
    for directory, names, held in os.walk(root):
        if directory.endswith("/.git"):
            names[:] = [name for name in names if name != "objects"]
        yield from (Path(directory, name) for name in sorted(held))


def text_of(path: Path) -> str:
    """A file as text, whatever it holds; empty where it is gone."""
    return (files.read_bytes(path) or b"").decode("utf-8", "surrogateescape")


def clean(root: Path, scope_root: Path, *, found: Found, mask: Callable[[str], str]) -> None:
    """Take what ``found`` finds out of a scope's state and caches, and out of what all scopes
    share. What can be made again is removed, of a log the line."""
    for path in sorted((scope_root / CACHE_DIR).rglob("*")):
        if path.is_file():  # the index among it: a page of it may hold a part of the text
            files.remove(path)
    for path in scope_root.glob(f"{STATE_FILE}.*"):
        if found(text_of(path)):
            files.remove(path)
    if found(text_of(scope_root / STATE_FILE)):
        statefile.update(scope_root, lambda state: _through_text(state, mask))
    if found(text_of(scope_root / USAGE_FILE)):
        _forget_usage(scope_root)
    for path in everything(root):
        if not is_shared(path.relative_to(root).parts) or not found(text_of(path)):
            continue
        if path.suffix in (".jsonl", ".log"):
            kept = [line for line in text_of(path).split("\n") if not found(line)]
            files.atomic_write(path, "\n".join(kept).encode("utf-8", "surrogateescape"))
        elif path.name == CONFIG_FILE:
            files.atomic_write(path, mask(text_of(path)).encode("utf-8", "surrogateescape"))
        else:
            files.remove(path)


def rename(scope_root: Path, names: Mapping[str, str]) -> None:
    """Let the state and the list of waiting notes know files by their new names, old -> new."""

    def renamed(text: str) -> str:
        for old, new in names.items():
            text = text.replace(json.dumps(old, ensure_ascii=False), json.dumps(new))
        return text

    if names and (scope_root / STATE_FILE).exists():
        statefile.update(scope_root, lambda state: _through_text(state, renamed))
        _forget_usage(scope_root)
    for note in reversed(inbox.listed(scope_root)):
        inbox.renew(scope_root, note.name)


def _through_text(state: State, change: Callable[[str], str]) -> State:
    return states.from_json(
        json.loads(change(json.dumps(states.to_json(state), ensure_ascii=False)))
    )


def _forget_usage(scope_root: Path) -> None:
    """Empty the events of use, after the state has counted them."""
    statefile.update(scope_root, lambda state: state)
    if (scope_root / USAGE_FILE).exists():
        os.truncate(scope_root / USAGE_FILE, 0)


def is_shared(parts: Sequence[str]) -> bool:
    """Whether a file, by the parts of its path below the root of all memory, holds what several
    scopes say: what a session is given lies ready in one scope, and tells of the global one too."""
    return parts[0] not in ("global", "projects") or parts[-1] == INJECTION_FILE
