"""Telling the weights of one model from those of another without reading them all."""

from __future__ import annotations

import hashlib
import os

_SAMPLE = 65_536


def fingerprint(path: str) -> str:
    """Eight characters made from a file's size and its two ends: training changes every number.

    Raises OSError for a file that cannot be read.
    """
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read(_SAMPLE))
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _SAMPLE))
        digest.update(file.read())
    digest.update(str(size).encode())
    return digest.hexdigest()[:8]
