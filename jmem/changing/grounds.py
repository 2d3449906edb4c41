"""Why something is known: every reference of a memory's evidence back to its words.

A note is digested and a summary may be rewritten or gone: what the files do not hold any more is
looked for in git. What a purge took out is nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from jmem import clock, config, inputs, reading, sessions
from jmem.changing.biography import Step, history
from jmem.errors import CorruptStore, NotFound
from jmem.formats import notefile, sessionfile
from jmem.layout import NOTES_DIR, SUMMARIES_DIR
from jmem.model import Memory, NoteFile
from jmem.provenance import IMPORT_REF
from jmem.redact import redact
from jmem.scopes import Scope
from jmem.storage import files
from jmem.storage.memories import Loaded
from jmem.storage.past import Past, Touch, undone
from jmem.transcripts.reader import Found


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """One thing that a memory rests on.

    ``ref``: the reference as the memory has it; ``text``: its words, empty where they are gone.
    ``at``: where they stand: a path relative to the scope root, with ``line`` (from 1; 0 for a
    whole file), and ``commit`` where only git has them. ``transcript``: the session's file, if
    it is still there. ``told``: what is known of it besides.
    """

    ref: str
    text: str = ""
    at: str = ""
    line: int = 0
    commit: str = ""
    transcript: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """Why a memory is known. ``decisions``: what was decided on it, oldest first, with the line
    of each run, but for those that were taken back; ``replaced``: the memories whose place it
    took; ``successor``: what took its."""

    scope: Scope
    path: str
    memory: Memory
    grounds: tuple[Ground, ...]
    decisions: tuple[Step, ...]
    replaced: tuple[Memory, ...] = ()
    successor: Memory | None = None


def explain(scope: Scope, identity: str, among: Loaded | None = None) -> Explained:
    """Why a memory is known, whatever its status. ``identity``: its id or the beginning of it;
    ``among``: the memories that it is looked for in, where they have been read already.

    Raises NotFound; a note that waits is none yet.
    """
    loaded = among or reading.all_memories(scope)
    stored = reading.found_in(loaded, scope, identity)
    memory, known = stored.memory, loaded.memories
    try:
        steps = history(scope, memory.id)
    except NotFound:  # a file that a person has just put there: git knows nothing of it
        steps = []
    search = _Search(scope, memory, steps)
    gone = undone(Past(scope.root).log(runs_only=True)) if steps else {}
    void = {*gone, *gone.values()}
    return Explained(
        scope=scope,
        path=stored.path,
        memory=memory,
        grounds=tuple(search.ground(ref) for ref in memory.evidence if not _is_key(ref)),
        decisions=tuple(step for step in steps if step.commit and step.run not in void),
        replaced=tuple(known[key] for key in memory.supersedes if key in known),
        successor=known.get(memory.superseded_by),
    )


class _Search:
    """What the references of one memory lead to."""

    def __init__(self, scope: Scope, memory: Memory, steps: list[Step]) -> None:
        self._scope = scope
        self._memory = memory
        self._steps = steps
        self._touched: dict[str, list[Touch]] = {}

    def ground(self, ref: str) -> Ground:
        """What one reference leads to; one of an unknown form leads nowhere."""
        kind, _, rest = ref.partition(":")
        if kind == "note":
            return self._note(ref, rest)
        if kind == "session":
            return self._session(ref, inputs.session_of_ref(ref), ref.rpartition("#")[2])
        if kind == "hand":
            return self._hand(ref, rest)
        return Ground(ref=ref)

    def _note(self, ref: str, key: str) -> Ground:
        def words(text: str, path: str) -> Ground | None:
            name = path.rpartition("/")[2]
            note = notefile.parse(text, path=path, name=name, found=clock.EPOCH)
            if note.id != key:
                return None
            told = f"said by {note.source} on {clock.day(note.time)}{_imported(note)}"
            return Ground(ref=ref, text=redact(note.text), told=told)

        return self._first(NOTES_DIR, key, words) or self._written(ref, key)

    def _session(self, ref: str, session: str, number: str) -> Ground:
        def words(text: str, path: str) -> Ground | None:
            try:
                summary = sessionfile.parse(text, found=clock.EPOCH)
            except CorruptStore:
                return None
            if summary.session != session:
                return None
            told = f"of the session that began at {clock.text(summary.started)}"
            for item in summary.items:
                if str(item.number) == number:
                    lines = enumerate(text.split("\n"), start=1)
                    line = next((n for n, row in lines if row.rstrip().endswith(f"^{item.id}")), 0)
                    return Ground(ref=ref, text=redact(item.text), line=line, told=told)
            return None

        if number.isdecimal():
            found = self._first(SUMMARIES_DIR, session, words) or Ground(ref=ref)
        else:
            found = Ground(ref=ref, told=f"the note {number} was taken in this session")
        return replace(found, transcript=self._transcripts.get(session, ""))

    def _hand(self, ref: str, rest: str) -> Ground:
        """A line that a person wrote, or what a person did on a day."""
        if clock.parse(rest) is None:
            return self._written(ref, rest)
        for step in self._steps:
            if step.commit and step.by != "run" and clock.day(step.at) == rest:
                told = "; ".join((f"a person: {step.what}", *step.why))
                return Ground(ref=ref, text=step.after, commit=step.commit, told=told)
        return Ground(ref=ref, told=f"a person confirmed or changed it on {rest}")

    def _written(self, ref: str, key: str) -> Ground:
        """Words that were never a note: the first ones that the memory of that id had."""
        steps = self._steps if key == self._memory.id else _story(self._scope, key)
        for step in steps:
            if step.commit and step.after:
                by = "a person's line" if ref.startswith("hand:") else "written as a memory"
                return Ground(ref=ref, text=step.after, commit=step.commit, told=by)
        return Ground(ref=ref)

    def _first(
        self, directory: str, named: str, words: Callable[[str, str], Ground | None]
    ) -> Ground | None:
        """What is made of the first file that names something: one that stands, else of git."""
        for path in sorted((self._scope.root / directory).glob("*.md")):
            text = files.read_text(path) or ""
            at = f"{directory}/{path.name}"
            found = words(text, at) if named in text else None
            if found is not None:
                return replace(found, at=at)
        for touch in self._touches(directory):
            text = (touch.after or touch.before or b"").decode("utf-8", "replace")
            found = words(text, touch.path) if named in text else None
            if found is not None:
                gone = touch.after is None
                commit = self._past.parent(touch.commit.sha) if gone else touch.commit.sha
                return replace(found, at=touch.path, commit=commit)
        return None

    def _touches(self, directory: str) -> list[Touch]:
        """Every change of a directory's files, newest first; read once, for all references."""
        if directory not in self._touched:
            self._touched[directory] = self._past.touches([directory])[::-1]
        return self._touched[directory]

    @cached_property
    def _past(self) -> Past:
        return Past(self._scope.root)

    @cached_property
    def _transcripts(self) -> dict[str, str]:
        """The sessions whose transcripts are still there -> path."""
        listed = sessions.find(config.load(self._scope.directory), project=self._scope.directory)
        found = (each.info for each in listed if isinstance(each, Found))
        return {sessions.session_key(info): str(info.path) for info in found}


def _is_key(ref: str) -> bool:
    """Whether a reference only keeps an import from coming twice: the note beside it tells all."""
    return ref.startswith(IMPORT_REF)


def _imported(note: NoteFile) -> str:
    return f", imported from {redact(note.imported.told)}" if note.imported else ""


def _story(scope: Scope, key: str) -> list[Step]:
    try:
        return history(scope, key)
    except NotFound:
        return []
