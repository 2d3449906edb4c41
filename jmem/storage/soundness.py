"""Whether the repository of a scope is whole, and what killed runs left in it."""

from __future__ import annotations

from pathlib import Path

from jmem.errors import JmemError
from jmem.storage.history import History


class Soundness(History):
    """The repository of one scope root, examined."""

    def flaw(self) -> str:
        """What is wrong with it, in git's words; empty for nothing."""
        try:
            self._run("fsck", "--connectivity-only", "--no-dangling", "--no-progress")
        except JmemError as error:
            return error.message
        return ""

    def stale_locks(self) -> list[Path]:
        """Git's own locks. Where no run of jmem holds the scope, nobody needs them."""
        return [*self._git_dir.glob("*.lock"), *self._git_dir.glob("refs/**/*.lock")]
