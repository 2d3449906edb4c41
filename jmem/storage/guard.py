"""The path guard: what may be written inside a scope, decided by code and not by a prompt."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from jmem.errors import Refused

PATH_ARGUMENTS = ("file_path", "path", "dir", "directory", "root")
_ENCODED = re.compile(r"%(?:2e|2f|5c|00|25)", re.IGNORECASE)
_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_FORBIDDEN_FILES = ("state.json", "project.yaml", "forgotten.jsonl")


class PathGuard:
    """Confines writes to the curated files of one scope root.

    Refused, with a message that a model can act on: anything that resolves outside the root
    (``..``, absolute, encoded, through a link), hidden files and ``.git``, state and lock files.
    """

    def __init__(self, root: Path, *, own: Collection[str] = ()) -> None:
        """``own``: names that jmem itself may write and nobody else."""
        self.root = root
        self._own = frozenset(own)
        self._real = root.resolve()

    def check(self, path: str | Path) -> Path:
        """The absolute path inside the root. Raises Refused."""
        text = str(path)
        if not text or "\x00" in text:
            raise Refused(
                "the path is empty or holds a NUL; use a path inside the memory directory"
            )
        decoded = unquote(unquote(text))
        if _ENCODED.search(text) or decoded != text:
            raise Refused(f"{text!r} holds an encoded character; write the path plainly")
        if "\\" in text or _WINDOWS.match(text) or text.startswith("~"):
            raise Refused(f"{text!r} is not a path of the memory directory; use forward slashes")
        joined = self.root / text
        try:
            relative = joined.relative_to(self.root)
        except ValueError:
            raise Refused(f"{text!r} lies outside the memory directory") from None
        self._check_parts(text, relative.parts)
        if not joined.resolve().is_relative_to(self._real):
            raise Refused(f"{text!r} leads outside the memory directory")
        return joined

    def check_call(self, arguments: Mapping[str, Any]) -> None:
        """Check every path argument of a tool call; a ``command`` is refused altogether."""
        if "command" in arguments:
            raise Refused("commands are not available here; use read, grep, write and edit")
        for name in PATH_ARGUMENTS:
            value = arguments.get(name)
            if value is not None:
                self.check(str(value))

    def _check_parts(self, text: str, parts: tuple[str, ...]) -> None:
        if ".." in parts:
            raise Refused(f"{text!r} climbs with '..'; use a path inside the memory directory")
        current = self.root
        for part in parts:
            if part.startswith("."):
                raise Refused(f"{text!r} is hidden or part of .git, which is not yours to touch")
            current = current / part
            if current.is_symlink():
                raise Refused(f"{text!r} goes through a symbolic link")
        name = parts[-1].lower() if parts else ""
        kept = name in _FORBIDDEN_FILES and name not in self._own
        if not parts or kept or name.endswith(".lock"):
            raise Refused(f"{text!r} is kept by jmem itself and cannot be written")
