"""Sessions that the user does not want to be remembered: by a mark that a hook set when they said
so, and by their own words in the transcript, where there was no hook."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from jmem import changing, places, scopes, wishes
from jmem.formats import notefile
from jmem.inputs import session_of_ref
from jmem.layout import NOTES_DIR
from jmem.model import NoteFile, Status
from jmem.scopes import Scope
from jmem.sessions import Candidate, session_key
from jmem.storage import inbox, memories, sessionmarks
from jmem.storage.past import Past
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
    """Forget what a session, by any of its names, has brought already, in its scope and in the
    global one: its notes, and the memories that rest on it alone."""
    for each in (scope, scopes.global_scope()):
        _forget(each, lambda note: note.session in names)
        for key in _resting_on(each, names) if each.exists else ():
            changing.forget(each, key, UNWANTED)


def take_back_marked(scope: Scope) -> None:
    """Forget what every session that a hook marked has brought in a scope, whether the session can
    be read or not: the hook's own process may not have come to it."""
    folder = places.sessions()
    _forget(scope, lambda note: bool(note.session) and sessionmarks.is_off(folder, note.session))
    if not (scope.exists and sessionmarks.any_off(folder)):
        return
    held = memories.load(scope.root).memories.values()
    named = {session_of_ref(ref) for memory in held for ref in memory.evidence} - {""}
    unwanted = {name for name in named if sessionmarks.is_off(folder, name)}
    for key in list(_resting_on(scope, unwanted)) if unwanted else ():
        changing.forget(scope, key, UNWANTED)


def _forget(scope: Scope, goes: Callable[[NoteFile], bool]) -> None:
    for note in inbox.listed(scope.root) if scope.exists else ():
        if note.id and goes(note):
            changing.forget(scope, note.id, UNWANTED)


def _resting_on(scope: Scope, names: Collection[str]) -> Iterator[str]:
    """The memories in force that nothing but the session bears witness to."""
    held = {
        memory.id: memory.evidence
        for memory in memories.load(scope.root).memories.values()
        if memory.status in (Status.ACTIVE, Status.QUARANTINED) and memory.evidence
        if all(ref.startswith("note:") or session_of_ref(ref) in names for ref in memory.evidence)
    }
    noted = _noted(scope, names) if held else frozenset()
    for key, refs in held.items():
        if all(ref in noted or session_of_ref(ref) in names for ref in refs):
            yield key


def _noted(scope: Scope, names: Collection[str]) -> frozenset[str]:
    """References to the notes of a session that were digested: git still has them."""
    past = Past(scope.root)
    found = set()
    for touch in past.touches([f"{NOTES_DIR}/"]) if past.exists else ():
        text = (touch.before or touch.after or b"").decode("utf-8", "replace")
        name = touch.path.removeprefix(f"{NOTES_DIR}/")
        note = notefile.parse(text, path=touch.path, name=name, found=touch.commit.at)
        if note.session in names:
            found.add(f"note:{note.id}")
    return frozenset(found)


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
