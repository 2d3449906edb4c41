"""What the operating system refuses, as an error of jmem: in words, and with what to do."""

from __future__ import annotations

import errno

from jmem.errors import JmemError, NotFound
from jmem.places import DirectoryGone


def of_system(error: OSError) -> JmemError:
    """The error that a person is told of."""
    if isinstance(error, DirectoryGone):
        return NotFound(
            "the current directory does not exist any more",
            hint="go to one that does, or name one: --project DIR, --global",
        )
    place = error.filename or "the store"
    reason = (error.strerror or str(error)).lower()
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = "free some and run this again; nothing was lost"
        return JmemError(f"no space is left for {place}", hint=hint)
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        hint = "let your user read and write it, or set JMEM_HOME elsewhere"
        return JmemError(f"cannot read or write {place}: {reason}", hint=hint)
    return JmemError(f"{place}: {reason}", hint="jmem doctor looks for the cause")
