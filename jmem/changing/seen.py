"""What a person had before them when they decided: a change of anything else is not carried out.

Who looks at a memory and changes it later sends the digest of the text with the change, as a
request over HTTP sends ``If-Match``. It is compared under the lock of the change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from jmem.digests import sha256
from jmem.errors import Refused
from jmem.model import Memory, NoteFile
from jmem.redact import redact

_NOTHING: Mapping[str, str] = {}
_expected: ContextVar[Mapping[str, str]] = ContextVar("expected", default=_NOTHING)


class Stale(Refused):
    """The ``text`` under ``key`` is not the one that was seen; ``digest`` is that of it."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(
            f"{key} was changed since you looked at it: nothing was done",
            hint="compare what it says now, and decide again",
        )
        self.key = key
        self.text = text
        self.digest = digest(text)


def digest(text: str) -> str:
    """The digest of a text as it is shown, which is masked: what is masked in its file by then
    (a commit does so) is the same text to who saw it."""
    return sha256(redact(text).strip().encode("utf-8", "replace")).hexdigest()[:32]


@contextmanager
def expecting(seen: Mapping[str, str]) -> Iterator[None]:
    """Changes in this block are carried out only while the texts are those that were seen: id of
    a memory or name of a note -> digest. Else they raise Stale."""
    token = _expected.set(seen)
    try:
        yield
    finally:
        _expected.reset(token)


def compare(memories: Mapping[str, Memory], notes: Mapping[str, NoteFile]) -> None:
    """Raise Stale where one of these is not as it was seen. The caller holds the lock; what is
    gone altogether is found by whoever decides."""
    for key, known in _expected.get().items():
        now = memories.get(key) or notes.get(key)
        if now is not None and digest(now.text) != known:
            raise Stale(key, now.text)
