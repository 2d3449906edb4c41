"""Starting other programs: with a deadline, in their own group, without a shell."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from jmem.errors import JmemError, NotFound


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended and what it said."""

    code: int
    output: str
    errors: str


def run(command: Sequence[str], *, stdin: str = "", timeout: float = 20.0) -> Finished:
    """Run a program to its end. Raises NotFound without one, JmemError past the deadline."""
    if shutil.which(command[0]) is None:
        raise NotFound(f"there is no {command[0]} on this machine")
    try:
        done = subprocess.run(
            list(command),
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            check=False,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired as error:
        raise JmemError(f"{command[0]} did not answer within {timeout:.0f} s") from error
    return Finished(done.returncode, done.stdout, done.stderr)
