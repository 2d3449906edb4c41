"""Tensors in a safetensors file: where they lie, and single rows of one, without numpy."""

from __future__ import annotations

import json
import os

_LONGEST_HEADER = 64 * 1024 * 1024


class Tensor:
    """Where a tensor lies in its file, in bytes, and the type of its numbers (``F16``, ``F32``)."""

    __slots__ = ("kind", "shape", "start")

    def __init__(self, kind: str, shape: tuple[int, ...], start: int) -> None:
        self.kind = kind
        self.shape = shape
        self.start = start


class TensorFile:
    """A safetensors file. Raises OSError for one that is not there, ValueError for another."""

    def __init__(self, path: str) -> None:
        self.path = path
        with open(path, "rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if not 2 <= length <= _LONGEST_HEADER:
                raise ValueError(f"{path} is not a safetensors file")
            header = json.loads(file.read(length))
            size = file.seek(0, os.SEEK_END)
        try:
            self._tensors = {
                str(name): Tensor(
                    str(about["dtype"]),
                    tuple(map(int, about["shape"])),
                    8 + length + int(about["data_offsets"][0]),
                )
                for name, about in header.items()
                if name != "__metadata__"
            }
            ends = [about.get("data_offsets", (0, 0))[1] for about in header.values()]
            whole = 8 + length + max(ends, default=0) <= size
        except (AttributeError, KeyError, TypeError, IndexError) as error:
            raise ValueError(f"{path} is not a safetensors file") from error
        if not whole:
            raise ValueError(f"{path} is cut off")

    def tensor(self, name: str) -> Tensor:
        """One tensor. Raises ValueError where the file does not hold it."""
        if name not in self._tensors:
            raise ValueError(f"{self.path} holds no {name}")
        return self._tensors[name]

    def holds(self, name: str) -> bool:
        """Whether there is such a tensor."""
        return name in self._tensors
