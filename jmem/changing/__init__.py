"""Changes of curated memories, one decision at a time, and ways to take them back.

Each goes through the same commit of what is found, snapshot, journal, rendering and commit as a
distillation, under the lock of a change. The command line, MCP and Python call these functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jmem._lazy import lookup

if TYPE_CHECKING:
    from jmem.amendment import AGENT as AGENT
    from jmem.amendment import PERSON as PERSON
    from jmem.changing.biography import history as history
    from jmem.changing.carrying import Changed as Changed
    from jmem.changing.grounds import Explained as Explained
    from jmem.changing.grounds import explain as explain
    from jmem.changing.purging import purge as purge
    from jmem.changing.relating import link as link
    from jmem.changing.relating import tag as tag
    from jmem.changing.relating import unlink as unlink
    from jmem.changing.relating import untag as untag
    from jmem.changing.single import decide as decide
    from jmem.changing.single import edit as edit
    from jmem.changing.single import forget as forget
    from jmem.changing.single import merge as merge
    from jmem.changing.single import restore as restore
    from jmem.changing.single import supersede as supersede
    from jmem.changing.takeback import undo as undo

_PUBLIC = {
    "AGENT": "jmem.amendment:AGENT",
    "Changed": "jmem.changing.carrying:Changed",
    "Explained": "jmem.changing.grounds:Explained",
    "PERSON": "jmem.amendment:PERSON",
    "decide": "jmem.changing.single:decide",
    "edit": "jmem.changing.single:edit",
    "explain": "jmem.changing.grounds:explain",
    "forget": "jmem.changing.single:forget",
    "history": "jmem.changing.biography:history",
    "link": "jmem.changing.relating:link",
    "merge": "jmem.changing.single:merge",
    "purge": "jmem.changing.purging:purge",
    "restore": "jmem.changing.single:restore",
    "supersede": "jmem.changing.single:supersede",
    "tag": "jmem.changing.relating:tag",
    "unlink": "jmem.changing.relating:unlink",
    "undo": "jmem.changing.takeback:undo",
    "untag": "jmem.changing.relating:untag",
}

__all__ = sorted(_PUBLIC)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    return lookup(_PUBLIC, name, __name__)
