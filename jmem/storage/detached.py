"""Starting a process that nobody waits for, with what a hook has loaded anyway."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_ALONE: tuple[dict[str, Any], ...] = ({"setsid": True}, {"setpgroup": 0})
"""How it is set apart from its parent; not every system knows sessions here."""


def start(command: Sequence[str]) -> bool:
    """Start a program on its own, with nothing to read and nobody to hear it.

    ``command``: the absolute path of the program, then its words. False where it cannot be started.
    """
    silent = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    for alone in _ALONE:
        try:
            os.posix_spawn(
                command[0], list(command), dict(os.environ), file_actions=silent, **alone
            )
        except NotImplementedError:
            continue
        except OSError:
            return False
        return True
    return False
