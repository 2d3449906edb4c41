"""Where the ``jmem`` command begins. A hook starts here too, so this imports almost nothing."""

from __future__ import annotations

import os
import sys

_QUICK = {
    "hook": "jmem.hooks.command",
    "mcp": "jmem.mcp.command",
    "recall": "jmem.cli.quick",
}
"""The commands that click is too slow for: name -> the module whose ``answer`` takes the arguments
and returns an exit code, or None where click has to do it."""


def main() -> int:
    """Run the command line and return its exit code."""
    quick = _QUICK.get(sys.argv[1]) if len(sys.argv) > 1 else None
    if quick:
        __import__(quick)
        try:
            code: int | None = sys.modules[quick].answer(sys.argv[2:])
        except KeyboardInterrupt:
            sys.stderr.write("jmem: interrupted\n")
            return 130
        if code is not None:
            if sys.argv[1] == "hook":
                os._exit(code)  # all is written; tearing Python down would cost a tenth of the time
            return code
    from jmem.cli.app import run

    return run(sys.argv[1:])
