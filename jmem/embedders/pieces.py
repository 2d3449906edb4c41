"""The pieces of a tokenizer, ready at once: looked up in a sorted list that is kept on disk.

A ``tokenizer.json`` takes longer to parse than a whole search may take. What is kept beside it
is derived, and made again where it is missing, damaged or older than what it was made from.
"""

from __future__ import annotations

import hashlib
import json
import os
from bisect import bisect_left

TYPE_CHECKING = False  # what typing costs is paid by every cold search
if TYPE_CHECKING:
    from collections.abc import Mapping

_DIGEST = 32
_WIDTH = 4


class Pieces:
    """Pieces in order, each with its number."""

    def __init__(self, names: list[str], numbers: bytes) -> None:
        self._names = names
        self._numbers = numbers

    def get(self, piece: str, default: int) -> int:
        """The number of a piece, or the default for what is none."""
        at = bisect_left(self._names, piece)
        if at == len(self._names) or self._names[at] != piece:
            return default
        return int.from_bytes(self._numbers[_WIDTH * at : _WIDTH * at + _WIDTH], "little")

    def table(self) -> dict[str, int]:
        """The same as a dictionary: faster where many are looked up, slower to make."""
        numbers = memoryview(self._numbers).cast("I")
        return dict(zip(self._names, numbers, strict=True))


def load(tokenizer: str, cache: str) -> Pieces:
    """The pieces of the tokenizer file, through a derived file in the directory ``cache``.

    Where that cannot be written, the pieces are read from the tokenizer each time. Raises OSError
    for a tokenizer that is not there, ValueError for one that holds no vocabulary.
    """
    about = os.stat(tokenizer)
    stamp = f"{about.st_size} {about.st_mtime_ns} {tokenizer}".encode()
    kept = os.path.join(cache, f"pieces-{hashlib.sha256(stamp).hexdigest()[:16]}")
    try:
        with open(kept, "rb") as file:
            return _parsed(file.read())
    except (OSError, ValueError):
        pass
    blob = _rendered(_vocabulary(tokenizer))
    _keep(kept, blob)
    return _parsed(blob)


def _vocabulary(tokenizer: str) -> Mapping[str, int]:
    with open(tokenizer, encoding="utf-8") as file:
        data = json.load(file)
    try:
        found = data["model"]["vocab"]
    except (KeyError, TypeError) as error:
        raise ValueError(f"{tokenizer} holds no vocabulary") from error
    return {str(name): int(number) for name, number in found.items()}


def _rendered(vocabulary: Mapping[str, int]) -> bytes:
    """Digest, count, numbers, names: one a line, for white space never reaches an encoder."""
    ordered = sorted((name, number) for name, number in vocabulary.items() if "\n" not in name)
    numbers = b"".join(number.to_bytes(_WIDTH, "little") for _, number in ordered)
    names = "\n".join(name for name, _ in ordered).encode()
    body = len(ordered).to_bytes(_WIDTH, "little") + numbers + names
    return hashlib.sha256(body).digest() + body


def _parsed(blob: bytes) -> Pieces:
    body = blob[_DIGEST:]
    if hashlib.sha256(body).digest() != blob[:_DIGEST]:
        raise ValueError("the kept pieces are damaged")
    end = _WIDTH + _WIDTH * int.from_bytes(body[:_WIDTH], "little")
    return Pieces(body[end:].decode().split("\n"), body[_WIDTH:end])


def _keep(path: str, blob: bytes) -> None:
    from pathlib import Path

    from jmem.storage import files

    try:
        files.make_directory(Path(path).parent)
        files.atomic_write(Path(path), blob)
    except OSError:
        return  # a read-only place: slower, and as right
