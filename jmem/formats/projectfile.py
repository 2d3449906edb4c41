"""``project.yaml``: which directory a scope belongs to, and the format of the scope."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from jmem.errors import CorruptStore
from jmem.formats import header
from jmem.formats.fields import scalar, words

FORMAT = 1
_FORMAT = re.compile(r"^format:\s*[\"']?(\d{1,9})", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """``key`` (hex) keys the hashes in ``forgotten.jsonl``; ``directory`` is empty for global.
    ``apart``: it was cleared here, and is shared with no remote until somebody says so."""

    key: str
    directory: str = ""
    aliases: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    apart: bool = False
    format: int = FORMAT


def render(project: Project) -> str:
    """The file's text; directory and aliases are absolute paths."""
    fields: dict[str, header.Value] = {
        "format": str(project.format),
        "directory": project.directory,
        "aliases": list(project.aliases),
        "remotes": list(project.remotes),
        "apart": "yes" if project.apart else "",
        "key": project.key,
    }
    return header.render(fields, "").removeprefix("---\n").removesuffix("---\n\n")


def refuse_newer(text: str) -> None:
    """Raise CorruptStore for a scope whose format a later jmem made; cheap, for every note."""
    found = _FORMAT.search(text)
    if found and int(found[1]) > FORMAT:
        raise CorruptStore(
            f"it is of format {found[1]}, newer than the {FORMAT} that this jmem understands",
            hint="upgrade jmem: pipx upgrade jmem",
        )


def parse(text: str) -> Project:
    """What a project file says. Raises CorruptStore for no YAML and for a newer format."""
    fields, _ = header.parse(f"---\n{text}\n---\n")
    refuse_newer(text)
    return Project(
        key=scalar(fields, "key"),
        directory=_path(fields.get("directory")),
        aliases=_paths(fields.get("aliases")),
        remotes=words(fields, "remotes"),
        apart=bool(scalar(fields, "apart")),
    )


def _path(value: Any) -> str:
    """A path as it stands there: two spaces in it are two."""
    return value if isinstance(value, str) else ""


def _paths(value: Any) -> tuple[str, ...]:
    items = value if isinstance(value, list) else [value]
    return tuple(path for item in items if (path := _path(item)))
