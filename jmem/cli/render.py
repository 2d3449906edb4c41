"""Printing: results on stdout, messages on stderr, and JSON in one versioned envelope.

Whatever is printed passes through here, and is masked here (:mod:`jmem.outgoing`): no command has
to think of it. Only :func:`address` prints as it stands what is there to be opened.
"""

from __future__ import annotations

import io
import json
import os
import sys

from jmem import outgoing
from jmem.errors import JmemError
from jmem.formats import text as texts

TYPE_CHECKING = False  # what typing costs is paid by every cold recall
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

VERSION = 1
plural = texts.plural
"""The word with its count, for the commands."""


def forgive_encodings() -> None:
    """From here on, what a terminal cannot show is replaced and stops nothing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def flush() -> None:
    """Hand on what was printed; raises what printing does."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _not_taken(error) from error


def _put(text: str) -> None:
    """Print. Raises JmemError where standard output does not take it, BrokenPipeError where nobody
    reads it."""
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _not_taken(error) from error


def _not_taken(error: OSError) -> JmemError:
    """What is said of output that cannot be written: the store is not at fault."""
    nobody_listens()
    return JmemError(
        f"the output cannot be written: {(error.strerror or str(error)).lower()}",
        hint="what this changed is changed all the same: look before you run it again",
    )


def nobody_listens() -> None:
    """The reader of our output is gone (head, less): what is still to be written goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def envelope(command: str, data: Any = None, *, error: Mapping[str, Any] | None = None) -> None:
    """Print a result (or an error) as one JSON object: version, command, data or error.

    Every text in it is masked; a ``Path``, which somebody is to open, stands as it is.
    """
    body: dict[str, Any] = {"version": VERSION, "command": command}
    if error is None:
        body["data"] = outgoing.masked(data)
    else:
        body["error"] = outgoing.masked(dict(error))
    shown = json.dumps(body, ensure_ascii=False, indent=1, default=os.fspath)
    try:
        shown.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # a path that is not UTF-8, or a terminal that is not
        shown = json.dumps(body, indent=1, default=os.fspath)
    _put(shown + "\n")


def text(whole: str) -> None:
    """Print a result that has its line ends already."""
    _put(outgoing.masked(whole))


def whole(document: str) -> None:
    """Print a document of jmem's own making as it stands: its texts were masked when it was made,
    and what else is in it (keys, hashes) has to stay what it is."""
    _put(document)


def cut(text: str, most: int) -> str:
    """The beginning of a text, at most so many bytes of it: masked before, for half a credential
    would not be recognised."""
    return texts.cut_at_word(outgoing.masked(text), most)


def line(text: str = "") -> None:
    """Print one line of a result."""
    _put(outgoing.masked(text) + "\n")


def address(path: str | os.PathLike[str]) -> None:
    """Print the path of a file or directory as it stands: it is there to be opened."""
    _put(os.fspath(path) + "\n")


def message(text: str) -> None:
    """Print one line for a person, on stderr."""
    own_message(outgoing.masked(text))


def own_message(text: str) -> None:
    """Print one line for a person, on stderr, that holds no words but jmem's own: as it stands."""
    sys.stderr.write(f"jmem: {text}\n")
