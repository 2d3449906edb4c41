"""Paths as a model writes them: everything lies below ``/memories``, and nothing leads out."""

from __future__ import annotations

from jmem.formats import filedpath
from jmem.memory_tool.failure import ToolFailure
from jmem.redact import redact

ROOT = "/memories"


def inside(path: str) -> str:
    """The path below ``/memories``, without slashes at its ends; empty for ``/memories`` itself.

    Raises ToolFailure for whatever is not plainly below it: another root, ``..`` (also encoded),
    a backslash, a hidden name, a credential, an order, a path that is too long or too deep.
    """
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise ToolFailure(f"Path must start with {ROOT}, got: {path[: filedpath.MAX_PATH_BYTES]}")
    parts = [part for part in path.removeprefix(ROOT).split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ToolFailure(f"Path {path} would escape {ROOT} directory")
    below = "/".join(parts)
    why = filedpath.flaw(below) if below else ""
    if redact(below) != below:
        raise ToolFailure("The path looks as if it held a secret: choose another name.")
    if why:
        shown = path[: filedpath.MAX_PATH_BYTES]
        raise ToolFailure(f"The path {shown} cannot be used: {why}.")
    return below
