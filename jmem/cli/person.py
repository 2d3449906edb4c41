"""Whether a person has typed a command."""

from __future__ import annotations

import os
import sys

from jmem import headless


def person_here() -> bool:
    """Whether somebody sits at the terminal that the command reads from. An agent may run its
    commands on a terminal too; it says so in their environment."""
    return sys.stdin.isatty() and not headless.run_by_agent(os.environ)
