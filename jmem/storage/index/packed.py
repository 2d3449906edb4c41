"""The vectors of a scope in one piece, ``.cache/vectors``: a new process reads them at once.

Read row by row from the index they take longer than all the rest of a search. The file is derived
from the index and taken only where it says that it was made of just this: the same generation of
the index, model and filters. It may be missing, behind or damaged.
"""

from __future__ import annotations

import json
from os.path import join

from jmem.layout import CACHE_DIR
from jmem.retrieval.nearest import Vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FILE = "vectors"
LEAST = 1000
"""Of fewer vectors the index is as fast."""
_LONGEST_HEADER = 4096


def load(scope_root: str, made_of: str) -> Vectors | None:
    """The vectors that were kept of ``made_of``; None where others were, or none."""
    try:
        with open(join(scope_root, CACHE_DIR, FILE), "rb") as file:
            header = json.loads(file.readline(_LONGEST_HEADER))
            if header["made_of"] != made_of:
                return None
            keys = file.read(header["names"]).decode().split("\n")
            rows = file.read()
        if len(keys) == header["count"] and len(rows) == header["bytes"]:
            return Vectors(keys, rows)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def keep(scope_root: str, made_of: str, keys: Sequence[str], rows: bytes) -> None:
    """Keep the vectors for the next process; where that cannot be, nothing happens.

    ``rows`` holds one vector for each key. Of fewer than LEAST nothing is kept.
    """
    if len(keys) < LEAST:
        return
    from pathlib import Path

    from jmem.storage import files

    names = "\n".join(keys).encode()
    header = {"made_of": made_of, "count": len(keys), "names": len(names), "bytes": len(rows)}
    cache = Path(scope_root) / CACHE_DIR
    try:
        if cache.is_dir() and not cache.is_symlink():
            files.atomic_write(cache / FILE, json.dumps(header).encode() + b"\n" + names + rows)
    except OSError:
        return
