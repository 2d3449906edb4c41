"""Writing an export where the user said: never over something, and for nobody else to read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from jmem.errors import Refused
from jmem.storage import files


def write(output: Path, made: Mapping[str, str]) -> list[Path]:
    """Write the texts: one with an empty name to ``output`` itself, others to paths below it.

    Raises Refused where a file, or something in the directory, is there already.
    """
    output = output.expanduser()
    if output.is_symlink() or output.is_file() or (output.is_dir() and any(output.iterdir())):
        raise Refused(f"{output} exists already", hint="name a new file, or an empty directory")
    if "" in made and output.is_dir():
        raise Refused(f"{output} is a directory", hint="name a new file in it")
    written = []
    for name, text in made.items():
        path = output / name if name else output
        files.make_directory(path.parent)
        created = files.create_whole(path.parent, [path.name], text.encode())
        if created is None:
            raise Refused(f"{path} exists already", hint="name a new file")
        written.append(created)
    return written
