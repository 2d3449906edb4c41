"""Where the ``jmem`` command begins. A hook starts here too, so this imports almost nothing."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line and return its exit code."""
    if sys.argv[1:2] == ["recall"]:
        from jmem.cli import quick

        try:
            code = quick.answer(sys.argv[2:])
        except KeyboardInterrupt:
            sys.stderr.write("jmem: interrupted\n")
            return 130
        if code is not None:
            return code
    from jmem.cli.app import run

    return run(sys.argv[1:])
