"""A private directory for a while, where somebody who is not trusted may write.

Nothing in it is durable: it holds a copy, and it is gone when its work is done.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from jmem.errors import Refused
from jmem.storage import files

PREFIX = "jmem-copy-"


@contextmanager
def private_copy(texts: Mapping[str, str]) -> Iterator[Path]:
    """A fresh directory, 0700, that holds these texts by their paths; removed whatever happens.

    Raises Refused where there is no room for it.
    """
    with ExitStack() as stack:
        try:
            made = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
            root = Path(stack.enter_context(made)).resolve()
            for path, text in texts.items():
                write(root / path, text)
        except OSError as error:
            raise Refused(f"there could be no private copy: {error.strerror}") from error
        yield root


def write(path: Path, text: str) -> None:
    """Put a text into a file of the copy, not durably and never through a link."""
    files.make_directory(path.parent)
    flags = os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_NOFOLLOW
    with open(os.open(path, flags, 0o600), "wb") as file:  # noqa: PTH123 - an open descriptor
        file.write(text.encode("utf-8", "replace"))


def contents(root: Path) -> dict[str, str | None]:
    """Every file below the directory as path -> text; None for what is no plain file."""
    found: dict[str, str | None] = {}
    for place, directories, names in os.walk(root):
        links = [name for name in directories if (Path(place) / name).is_symlink()]
        for name in (*names, *links):
            path = Path(place) / name
            found[path.relative_to(root).as_posix()] = files.read_text(path)
    return found
