"""Tensors in a safetensors file: where they lie, and single rows of one, without numpy."""

from __future__ import annotations

import hashlib
import json
import os

TYPE_CHECKING = False  # what typing costs is paid by every cold search
if TYPE_CHECKING:
    from typing import Any

_SAMPLE = 65_536
_LONGEST_HEADER = 64 * 1024 * 1024


class Tensor:
    """Where a tensor lies in its file, in bytes, and the type of its numbers (``F16``, ``F32``)."""

    __slots__ = ("kind", "shape", "start")

    def __init__(self, kind: str, shape: tuple[int, ...], start: int) -> None:
        self.kind = kind
        self.shape = shape
        self.start = start


class TensorFile:
    """A safetensors file. Raises OSError for one that is not there, ValueError for no such file."""

    def __init__(self, path: str) -> None:
        self.path = path
        with open(path, "rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if not 2 <= length <= _LONGEST_HEADER:
                raise ValueError(f"{path} is not a safetensors file")
            header = file.read(length)
            self._size = file.seek(0, os.SEEK_END)
        self._data = 8 + length
        self._tensors: dict[str, dict[str, Any]] = json.loads(header)

    def tensor(self, name: str) -> Tensor:
        """One tensor. Raises ValueError where the file does not hold it whole."""
        try:
            found = self._tensors[name]
            kind, shape = str(found["dtype"]), tuple(map(int, found["shape"]))
            start, end = found["data_offsets"]
            if self._data + end > self._size:
                raise ValueError(f"{self.path} is cut off")
        except (KeyError, TypeError) as error:
            raise ValueError(f"{self.path} holds no {name}") from error
        return Tensor(kind, shape, self._data + int(start))

    def fingerprint(self) -> str:
        """Eight characters that tell these weights from others, without reading them all.

        It is made from the header, the size, and the two ends of the file: another training
        changes every number.
        """
        with open(self.path, "rb") as file:
            digest = hashlib.sha256(file.read(self._data + _SAMPLE))
            file.seek(max(0, self._size - _SAMPLE))
            digest.update(file.read())
        digest.update(str(self._size).encode())
        return digest.hexdigest()[:8]
