"""The facade for whoever writes: notes and the run lock. ``reading``, ``briefing`` and ``clearing``
are its counterparts for looking things up, for what a session is given, and for deleting a scope.

Each function resolves its scope, asks the settings whether it may, and leaves the work to the
layer below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from jmem import changing, clock, config, layout, paths, reading, scopes
from jmem.amendment import AGENT, Author
from jmem.config import Settings
from jmem.disclosure import shown
from jmem.errors import CorruptStore, NotFound, UsageError
from jmem.model import DEFAULT_KIND, Memory, Note, NoteFile, Source
from jmem.relations import WEIGHT
from jmem.scopes import Scope
from jmem.storage import inbox, locks
from jmem.storage.locks import Held

if TYPE_CHECKING:
    from jmem.changing.biography import Step
    from jmem.changing.carrying import Changed
    from jmem.changing.grounds import Explained
    from jmem.changing.reviewing import Waiting
    from jmem.reading import Related
    from jmem.retrieval.hit import Document
    from jmem.retrieving import Recalled

T = TypeVar("T")


def take_note(
    note: Note,
    *,
    project: str | Path | None = None,
    into: Scope | None = None,
    now: datetime | None = None,
    believed: bool = False,
) -> NoteFile:
    """Write a note into the inbox of its scope (``into``, where whoever asks has it; else
    ``global``, or the project of ``project`` or ``note.cwd``), readable at once.

    Raises UsageError for an empty or oversize note and where there is no project, Refused where
    memory is switched off, CorruptStore where it is not known whose scope ``into`` is.
    """
    if into is not None:
        scope = into
        if not scope.is_global and not scope.directory:
            raise CorruptStore(
                f"{scope.root / layout.PROJECT_FILE} does not say whose memory this is",
                hint="nothing was written; jmem doctor says what is wrong",
            )
    elif note.scope == layout.GLOBAL_SCOPE:
        scope = scopes.global_scope()
    else:
        scope = scopes.for_writing(scopes.resolve(project or note.cwd or None))
    config.refuse_when_off(config.load(scope.directory), note.cwd)
    scopes.make(scope)
    return inbox.add(scope.root, note, now=now or clock.now(), believed=believed)


def write_note(note: Note, *, project: str | Path | None = None) -> Path:
    """Write a note and return the path of its file. Raises as ``take_note`` does."""
    return Path(take_note(note, project=project).path)


class Store:
    """Memory as a program uses it: that of one project, and that of all.

    ``project``: a directory (default: as the command line finds it); ``by``: whose word a change
    is. An id, or the beginning of one, is looked for in the project, then in the global scope.
    Where memory is switched off, reading finds nothing and what brings words raises Refused;
    forgetting and undoing go on working. Changes raise NotFound for an id that nobody has, Busy
    where another process holds the lock for too long, and UsageError for what makes no sense.
    """

    def __init__(self, project: str | Path | None = None, *, by: Author = AGENT) -> None:
        self._project = project
        self._by = by

    def remember(
        self,
        text: str,
        *,
        kind: str = DEFAULT_KIND,
        tags: Sequence[str] = (),
        scope: str = "project",
        session: str = "",
    ) -> NoteFile:
        """Write one fact into the inbox of ``project`` or ``global``; it is found at once.

        Raises UsageError for an empty or oversize text and where there is no project.
        """
        note = Note(
            text=text,
            kind=kind,
            tags=tuple(tags),
            scope=scope,
            session=session,
            source=self._by.source,
            origin=self._by.origin,
        )
        believed = self._by.source is Source.USER
        return take_note(note, project=self._project, believed=believed)

    def recall(
        self,
        prompt: str,
        *,
        mode: str = "hybrid",
        scope: str = "all",
        kind: str = "",
        tag: str = "",
        since: str = "",
        sessions: bool = False,
        limit: int = 0,
        judge: str = "",
        now: datetime | None = None,
    ) -> Recalled:
        """The memories that help with a prompt, maybe none: ``.surfaced`` of the result.

        ``mode``: hybrid, cascade, lexical, dense or recent. ``scope``: all, project or global.
        ``since``: a day (``2026-07-04``). ``sessions``: look in session summaries too. ``limit`` 0
        and an empty ``judge`` are those of the settings. Raises ConfigError for settings that
        cannot work.
        """
        from jmem import recall
        from jmem.retrieval import focus
        from jmem.retrieving import Recalled

        settings = self._settings()
        query = focus.of_prompt(prompt)
        if not settings.enabled:
            return Recalled(query, [], 0)
        wanted = recall.wanted(
            settings.everything(),
            mode=mode,
            kind=kind,
            tag=tag,
            since=since,
            sessions=sessions,
            limit=limit,
            judge=judge,
        )
        moment = now or clock.now()
        result = recall.recall(query, self._scopes(scope), settings, wanted, now=moment)
        recall.log(result, by="program", now=moment)
        return shown(result)

    def search(
        self,
        words: str,
        *,
        scope: str = "all",
        kind: str = "",
        tag: str = "",
        since: str = "",
        everything: bool = False,
        limit: int = 0,
    ) -> list[Document]:
        """The memories and waiting notes that hold every word, in any order, best first.

        ``scope``: all, project or global; ``since``: a day; ``everything``: also what is not in
        force; ``limit`` 0 means all.
        """
        from jmem import recall

        found = recall.search(
            words,
            self._scopes(scope),
            self._settings(),
            kind=kind,
            tag=tag,
            since=since,
            everything=everything,
            limit=limit,
        )
        return shown(found)

    def list(
        self, *, scope: str = "project", everything: bool = False, limit: int = 0, **wanted: str
    ) -> list[Memory]:
        """The memories in force, best first (of ``all`` scopes: the project's before the global
        ones); ``everything``: then the others. ``wanted``: ``status``, ``kind``, ``topic``,
        ``tag``. ``limit`` 0 means all."""
        found = [
            memory
            for each in self._scopes(scope)
            for memory in reading.chosen(
                reading.all_memories(each).memories, clock.now(), everything=everything, **wanted
            )
        ]
        return shown(found[:limit] if limit else found)

    def get(self, identity: str) -> Memory | NoteFile:
        """The memory, or the waiting note, with this id. Raises NotFound."""
        return self._read(
            lambda scope: (
                reading.find_note(scope, identity) or reading.find_memory(scope, identity).memory
            )
        )

    def related(self, identity: str) -> Related:
        """What is around a memory: its relations, and what is near. Raises NotFound."""
        return self._read(lambda scope: reading.related(scope, identity))

    def history(self, identity: str) -> Sequence[Step]:
        """What happened to a memory, oldest first, from git. Raises NotFound."""
        return self._read(lambda scope: changing.history(scope, identity))

    def explain(self, identity: str) -> Explained:
        """Why a memory is known: the words that it rests on, and what was decided. Raises
        NotFound."""
        return self._read(lambda scope: changing.explain(scope, identity))

    def review(self, *, scope: str = "project") -> Sequence[Waiting]:
        """What waits for a person's word in ``project``, ``global`` or ``all``."""
        from jmem.changing import reviewing

        return shown([one for each in self._scopes(scope) for one in reviewing.waiting(each)])

    def settle(
        self, identity: str, word: str, *, other: str = "", text: str = "", reason: str = ""
    ) -> Changed:
        """Give the word on what waits: approve, reject, both, edit (with ``text``) or merge;
        ``other``: which of several memories that contradict it is meant."""
        from jmem.changing import reviewing

        if word not in set(reviewing.Word):
            raise UsageError(f"{word!r} is none of {', '.join(reviewing.Word)}")
        given = partial(reviewing.settle, identity=identity, word=reviewing.Word(word))
        return self._change(partial(given, other=other, text=text, reason=reason))

    def forget(self, identity: str, reason: str = "") -> Changed:
        """Put a memory, or a waiting note, out of force for good."""
        return self._change(partial(changing.forget, identity=identity, reason=reason))

    def restore(self, identity: str) -> Changed:
        """Bring a memory back into force; what had taken its place steps back."""
        return self._change(partial(changing.restore, identity=identity))

    def edit(
        self,
        identity: str,
        text: str = "",
        *,
        whole: bool = False,
        kind: str = "",
        topic: str = "",
    ) -> Changed:
        """Change words, kind or topic; a ``text`` of one paragraph is the statement and leaves the
        detail below it, unless it is the ``whole``."""
        words = partial(changing.edit, identity=identity, text=text, whole=whole)
        return self._change(partial(words, kind=kind, topic=topic))

    def supersede(
        self, identity: str, text: str = "", *, new_id: str = "", reason: str = ""
    ) -> Changed:
        """Put a new ``text``, or the memory ``new_id``, in the place of an old one."""
        new = partial(changing.supersede, identity=identity, text=text, new_id=new_id)
        return self._change(partial(new, reason=reason))

    def merge(self, keep: str, other: str, *, reason: str = "") -> Changed:
        """Make one memory of two of the same scope: ``keep``, with what both rest on."""
        return self._change(partial(changing.merge, keep=keep, other=other, reason=reason))

    def tag(self, identity: str, *tags: str) -> Changed:
        """Give a memory tags."""
        return self._change(partial(changing.tag, identity=identity, tags=tags))

    def untag(self, identity: str, *tags: str) -> Changed:
        """Take tags from a memory; one that it has not is no error."""
        return self._change(partial(changing.untag, identity=identity, tags=tags))

    def link(self, one: str, other: str, weight: float = WEIGHT) -> Changed:
        """Relate two memories of the same scope, with a weight above 0 and at most 1."""
        return self._change(partial(changing.link, one=one, other=other, weight=weight))

    def unlink(self, one: str, other: str) -> Changed:
        """Take the relation between two memories away."""
        return self._change(partial(changing.unlink, one=one, other=other))

    def undo(self, run: str = "", *, scope: str = "project") -> Changed:
        """Take a run of ``project`` or ``global`` back: the newest, or the one of this id or
        commit. Raises NotFound, and Refused where it cannot be separated from later changes."""
        return changing.undo(self._named(scope)[0], run, by=self._by)

    def _settings(self) -> Settings:
        return config.load(scopes.resolve(self._project).directory)

    def _scopes(self, word: str) -> Sequence[Scope]:
        """Those that exist of the scopes that a word names; none where memory is off."""
        found = {each.name: each for each in self._named(word) if each.exists}
        return [*found.values()] if self._settings().enabled else []

    def _named(self, word: str) -> tuple[Scope, ...]:
        project, everywhere = scopes.resolve(self._project), scopes.global_scope()
        named = {"project": (project,), "global": (everywhere,), "all": (project, everywhere)}
        if word not in named:
            raise UsageError(f"{word!r} is none of {', '.join(named)}")
        return named[word]

    def _read(self, act: Callable[[Scope], T]) -> T:
        if not self._settings().enabled:
            raise NotFound("memory is switched off: nothing is found")
        return shown(scopes.where_known(act, scopes.resolve(self._project)))

    def _change(self, act: Callable[..., Changed]) -> Changed:
        project = scopes.resolve(self._project)
        return scopes.where_known(lambda scope: act(scope, by=self._by), project)


def recent_notes(scope_root: Path, limit: int = 0) -> list[NoteFile]:
    """The notes of a scope's inbox, newest first; ``limit`` 0 means all."""
    return inbox.listed(scope_root, limit)


def try_lock_pipeline(scope_root: Path) -> Held | None:
    """The run lock of a scope, or None where a distillation holds it. Does not wait."""
    return locks.try_hold(paths.lock_file(scope_root, "run"))
