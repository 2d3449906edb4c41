"""Sessions that the user does not want to be remembered: by a mark that a hook set when they said
so, and by their own words in the transcript, where there was no hook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from jmem import changing, places, scopes, wishes
from jmem.model import NoteFile
from jmem.scopes import Scope
from jmem.sessions import Candidate, session_key
from jmem.storage import inbox, sessionmarks
from jmem.transcripts.entries import Entry, Role, SessionInfo, Turn

UNWANTED = "the user does not want it remembered"


def is_marked(candidate: Candidate) -> bool:
    """Whether a hook marked this session, or the one whose history it repeats."""
    info = candidate.found.info
    return any(sessionmarks.is_off(places.sessions(), name) for name in _names(info))


def _names(info: SessionInfo) -> Iterator[str]:
    yield session_key(info)
    if info.forked_from:
        yield f"{info.agent}:{info.forked_from}"


def take_back(scope: Scope, *names: str) -> None:
    """Forget the notes that a session, by any of its names, has brought already, in its scope and
    in the global one."""
    for each in (scope, scopes.global_scope()):
        _forget(each, lambda note: note.session in names)


def take_back_marked(scope: Scope) -> None:
    """Forget the notes in a scope of every session that a hook marked, whether it can be read or
    not."""
    folder = places.sessions()
    _forget(scope, lambda note: bool(note.session) and sessionmarks.is_off(folder, note.session))


def _forget(scope: Scope, goes: Callable[[NoteFile], bool]) -> None:
    for note in inbox.listed(scope.root) if scope.exists else ():
        if note.id and goes(note):
            changing.forget(scope, note.id, UNWANTED)


def is_unwanted(entries: Iterable[Entry]) -> bool:
    """Whether the user's last word on it in these entries is that it is not to be remembered."""
    wishes = Wishes()
    for _ in wishes.follow(entries):
        pass
    return wishes.unwanted


class Wishes:
    """Follows the entries of a session, and knows at their end what the user said of it last."""

    def __init__(self) -> None:
        self.unwanted = False

    def follow(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The same entries, in order."""
        for entry in entries:
            if isinstance(entry, Turn) and entry.role is Role.USER:
                wish = wishes.spoken(entry.text)
                self.unwanted = self.unwanted if wish is None else not wish.remember
            yield entry
