"""jmem as a plugin of Claude Code: a folder that can be handed on, instead of entries in files."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jmem.agents import claude
from jmem.agents.client import text_of
from jmem.agents.entries import SERVER
from jmem.errors import Refused
from jmem.storage import configfile

_WHAT = "Long-term memory for coding agents, in plain files on your own machine"
_README = f"""\
# jmem

{_WHAT}: notes during the day, curated at night, given to the next session, and recalled when a
prompt needs them. The plugin holds the memory tools, the hooks, and a skill (`/jmem:jmem`). It
calls the `jmem` command by its path on the machine that it was written on: install jmem there, and
write the folder anew (`jmem init --plugin DIR`) on another machine or when that path changes.
"""


def files(script: str) -> dict[str, str]:
    """Path in the folder -> text."""
    described: dict[str, dict[str, Any]] = {
        ".claude-plugin/plugin.json": {
            "name": SERVER,
            "version": version("jmem"),
            "description": _WHAT,
            "author": {"name": "jmem"},
            "license": "MIT",
        },
        ".mcp.json": {"mcpServers": {SERVER: claude.server(script)}},
        "hooks/hooks.json": claude.hooks(script),
    }
    texts = {
        path: json.dumps(value, ensure_ascii=False, indent=2) + "\n"
        for path, value in described.items()
    }
    return {**texts, "README.md": _README, "skills/jmem/SKILL.md": text_of("skill.md")}


def write(folder: Path, script: str) -> list[Path]:
    """Write the plugin. Raises Refused where the folder holds something else than a plugin."""
    known = folder / ".claude-plugin" / "plugin.json"
    if folder.exists() and any(folder.iterdir()) and not known.exists():
        raise Refused(f"{folder} is not empty and no plugin", hint="name an empty folder")
    written = []
    for name, text in files(script).items():
        path = folder / name
        configfile.refuse_unwritable(path)
        configfile.write(path, text.encode(), known=configfile.read(path))
        written.append(path)
    return written
