"""Purging: a memory, or any text, gone from files, views, notes, summaries, state, caches,
sessions, logs and the whole history, and looked for afterwards.

It may be run again where it was killed: what names a memory stays in the history until the history
itself has been written again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from jmem import clock, forgotten, ids, paths, purgemarks
from jmem.amendment import PERSON, Author
from jmem.changing.carrying import Changed, Found, Wanted, carry_out
from jmem.changing.doomed import heeded_target, named_target, text_target
from jmem.erasing import MASK
from jmem.errors import Busy, CorruptStore, NotFound, UsageError
from jmem.forgotten import Forgotten
from jmem.formats import memoryfile, viewline
from jmem.layout import INDEX_FILE, MEMORIES_DIR, TOPICS_DIR
from jmem.model import Decision, Memory, Op, Verdict
from jmem.provenance import IMPORT_REF
from jmem.purged import Target
from jmem.scopes import Scope
from jmem.state import State
from jmem.storage import curated, files, fingerprint, locks, memories, statefile, traces
from jmem.storage.journal import Output
from jmem.storage.rewriting import Rewriter, Rewriting
from jmem.undoing import without_references


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """What a purge found and what is left. ``found``: files (below the root of all memory) that
    held it, ``objects``: how many objects of git did; ``left`` and ``objects_left``: the same
    afterwards, in the scope and in what all scopes share; ``elsewhere``: files of other scopes,
    and ids of other memories that say the same, which are not touched. ``remotes``: the scope's
    repository names others that may hold copies."""

    scope: str
    what: str
    found: tuple[str, ...] = ()
    objects: int = 0
    left: tuple[str, ...] = ()
    objects_left: int = 0
    elsewhere: tuple[str, ...] = ()
    remotes: bool = False
    dry_run: bool = False


def purge(
    scope: Scope,
    identity: str = "",
    *,
    text: str = "",
    by: Author = PERSON,
    now: datetime | None = None,
    dry_run: bool = False,
) -> Purged:
    """Remove a memory or a note (by its id) or a text from everything that jmem keeps of a scope.

    What else the files say stays: of a text, ``(purged)`` stands in its place. Other scopes and
    the agents' own transcripts are not touched. Raises NotFound where nothing is known of it, Busy
    where a distillation runs.
    """
    if bool(identity) == bool(text.strip()):
        raise UsageError("give either an id or a text")
    if not scope.exists:
        raise NotFound(f"there is no memory of {scope.directory or 'all projects'} yet")
    held = locks.try_hold(paths.lock_file(scope.root, "run"))
    if held is None:
        raise Busy(f"a distillation of {scope.name} is running", hint="wait until it ends")
    with held:
        past = Rewriter(scope.root)
        if past.unfinished:
            past.sweep()
        target = text_target(text) if text else named_target(scope, past, identity)
        found, elsewhere = _search(scope, target)
        objects = _objects(past, target)
        done = Purged(
            scope=scope.name,
            what=next(iter(target.memories), "a text"),
            found=found,
            objects=objects,
            elsewhere=elsewhere,
            remotes=past.exists and past.has_remotes(),
            dry_run=dry_run,
        )
        if dry_run:
            return done
        _remove(scope, past, target, by, now=now, known=bool(found or objects))
        left, _ = _search(scope, target)
        return Purged(
            scope=done.scope,
            what=done.what,
            found=found,
            objects=objects,
            left=left,
            objects_left=_objects(past, target),
            elsewhere=elsewhere,
            remotes=done.remotes,
        )


def heed(
    scope: Scope, entry: Forgotten, said: Iterable[str], *, now: datetime | None = None
) -> None:
    """Purge what was purged on another machine, or here before it was fetched again. ``said``: the
    passages that bear a mark of the entry. Raises Busy where a distillation runs."""
    held = locks.try_hold(paths.lock_file(scope.root, "run"))
    if held is None:
        raise Busy(f"a distillation of {scope.name} is running", hint="wait until it ends")
    with held:
        target = heeded_target(entry, said)
        _remove(scope, Rewriter(scope.root), target, PERSON, now=now, heeded=entry)


def _remove(
    scope: Scope,
    past: Rewriter,
    target: Target,
    by: Author,
    *,
    now: datetime | None,
    known: bool = False,
    heeded: Forgotten | None = None,
) -> None:
    """Out of the files as one change, then out of the history and everything beside them.
    ``known``: it stood somewhere, so that it must not come back even if no file holds it now;
    ``heeded``: what says so already."""

    def decide(found: Found) -> Wanted | Changed:
        return _wanted(found, target, by, known=known, heeded=heeded)

    carry_out(scope, decide, now=now, adds=False)
    with curated.changing(scope.root):
        _erase(scope, past, target)


def _erase(scope: Scope, past: Rewriter, target: Target) -> None:
    """The history and everything beside the curated files, without it."""
    curated.remove_abandoned(scope.root)

    def clean(path: str, data: bytes) -> bytes | None:
        after = target.cleaned(path, data.decode("utf-8", "surrogateescape"))
        return None if after is None else after.encode("utf-8", "surrogateescape")

    _clean_hidden(scope, target)
    traces.clean(paths.root(), scope.root, found=target.eraser.found, mask=target.eraser.clean)
    how = Rewriting(file=clean, message=target.message, rename=target.renamed, named=target.in_name)
    ahead = past.look_ahead(how)
    told = filter(target.in_name, fingerprint.look(scope.root))  # what git never saw among them
    names = {**ahead.names, **{path: target.renamed(path) for path in told}}
    for old, new in names.items():
        if (scope.root / old).is_file() and not (scope.root / new).exists():
            (scope.root / old).rename(scope.root / new)
    traces.rename(scope.root, names)
    past.rewrite(how, ahead)
    commits = {commit.run: commit.sha for commit in past.log(runs_only=True)}
    statefile.update(scope.root, lambda state: _with_new_commit(state, commits))


def _with_new_commit(state: State, commits: Mapping[str, str]) -> State:
    """The state that names the last run's commit as it is called since it was written again."""
    last = state.last_consolidation
    if last is None or last.run not in commits:
        return state
    return replace(state, last_consolidation=replace(last, commit=commits[last.run]))


def _wanted(
    found: Found, target: Target, by: Author, *, known: bool, heeded: Forgotten | None
) -> Wanted | Changed:
    """The curated files without it, in one commit; nothing where none of them holds it."""
    stored = found.snapshot.loaded.stored
    texts = {
        key: memoryfile.render(memory, previous=stored[key].text)
        for key, memory in found.memories.items()
    }
    left = [key for key, said in texts.items() if target.cleaned(stored[key].path, said) is None]
    changed: dict[str, Memory] = {}
    written: list[Output] = []
    for key, memory in found.memories.items():
        if key in left:
            continue
        clean = without_references(memory, left)
        said = memoryfile.render(clean, previous=stored[key].text)
        after = target.cleaned(stored[key].path, said)
        if after is not None and after != texts[key]:
            path, before = stored[key].path, files.digest(stored[key].text.encode())
            changed[key] = memories.parse(after.encode(), path=path, found=found.now).memory
            written.append(Output(path=path, before=before, after=after))
    others = list(_others(found, target))
    shown = found.snapshot.views.items()
    views = any(target.touches(p, data.decode("utf-8", "replace")) for p, data in shown)
    what = next(iter(target.memories), "a text")
    if not (left or written or others or views or known):
        return Changed(what="purge", id=what, message="", scope=found.scope.name)
    entries = _forgotten(found, target)
    told = {*heeded.evidence} if heeded else None
    ref = f"by {by.source}"
    verdict = Verdict(ref=ref, op=Op.DELETE, target=what, reason="purge", decider=by.source.value)
    return Wanted(
        what="purge",
        decision=Decision(verdict=verdict, subject=what, statement=MASK),
        line=f"DELETE purge {what}: {MASK} (on request; {ref})",
        message=f"purged {what}",
        memories=changed,
        left=left,
        forget=tuple(one for one in entries if told is None or {*one.evidence} - told),
        files=(*written, *others),
        clean=target.cleaned,
    )


def _others(found: Found, target: Target) -> Iterator[Output]:
    """The files of the scope that are neither memories nor views, where they hold it."""
    root = found.scope.root
    for path in sorted(fingerprint.look(root)):
        data = files.read_bytes(root / path)
        legible = path not in found.snapshot.loaded.unreadable
        if data is None or _is_hidden(path) or (_is_rendered(path) and legible):
            continue
        said = data.decode("utf-8", "replace")
        after = target.cleaned(path, said)
        if after != said:
            yield Output(path=path, before=files.digest(data), after=after)


def _clean_hidden(scope: Scope, target: Target) -> None:
    """The files that no change writes: a person's own, and what a killed writer left."""
    for path in filter(_is_hidden, sorted(fingerprint.look(scope.root))):
        said = traces.text_of(scope.root / path)
        after = target.cleaned(path, said)
        if after == said:
            continue
        if after is None or path.endswith(files.TEMPORARY_SUFFIX):
            files.remove(scope.root / path)
        else:
            files.atomic_write(scope.root / path, after.encode("utf-8", "surrogateescape"))


def _is_hidden(path: str) -> bool:
    return path.startswith(".") or "/." in path


def _is_rendered(path: str) -> bool:
    """Whether the carrying out of a change writes the file from the memories."""
    return path == INDEX_FILE or path.startswith((f"{MEMORIES_DIR}/", f"{TOPICS_DIR}/"))


def _forgotten(found: Found, target: Target) -> Iterator[Forgotten]:
    """What must not come back: its words, the items and notes behind it, and what was imported."""
    key = found.snapshot.key
    refs = (*sorted(target.items), *sorted(f"note:{note}" for note in target.notes))
    refs += tuple(sorted(_imported(found, target)))
    texts = target.eraser.texts
    words = forgotten.hashes(" ".join(texts), key) if target.everywhere else frozenset()
    for one in target.memories & found.memories.keys():
        words |= forgotten.hashes(found.memories[one].statement, key)
    identity = next(iter(target.memories), "") or ids.new_id(os.urandom)
    yield Forgotten(
        id=identity,
        date=found.now,
        words=words,
        evidence=refs,
        purged="text" if target.everywhere else "memory",
        marks=purgemarks.marks(texts, key),
    )


def _imported(found: Found, target: Target) -> set[str]:
    """The references to what was imported and goes: it must not be imported again."""
    own = (found.memories[one].evidence for one in target.memories & found.memories.keys())
    refs = {ref for evidence in own for ref in evidence if ref.startswith(IMPORT_REF)}
    notes = (*found.snapshot.notes, *found.snapshot.held)
    gone = [note.imported for note in notes if note.id in target.notes and note.imported]
    return refs | {imported.ref for imported in gone if imported.key}


def _search(scope: Scope, target: Target) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files that hold it: of this scope and of all scopes together; and of other scopes."""
    root = paths.root()
    here, elsewhere = [], []
    for path in traces.everything(root):
        own = path.is_relative_to(scope.root)
        shared = traces.is_shared(path.relative_to(root).parts)
        said = traces.text_of(path)
        name = _below(root, path)
        named = own and ".git" not in path.parts and target.in_name(_below(scope.root, path))
        if named or (_leaks(target, said) if own else shared and target.eraser.found(said)):
            here.append(name)
        elif target.eraser.found(said):
            elsewhere.append(name)
    return tuple(here), tuple(elsewhere)


def _below(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()


def _objects(past: Rewriter, target: Target) -> int:
    return sum(
        1 for _, data in past.objects() if _leaks(target, data.decode("utf-8", "surrogateescape"))
    )


def _leaks(target: Target, said: str) -> bool:
    """Whether a file holds it, other than as the words of a memory that was not named."""
    if target.everywhere or not target.eraser.found(said):
        return target.eraser.found(said)
    if said.startswith("---\n"):
        try:
            other = memoryfile.parse(said, name="", found=clock.EPOCH)
        except CorruptStore:
            return True
        if other.id and other.id not in target.memories | target.notes and "\nstatus: " in said:
            return False
    kept = [line for line in said.split("\n") if viewline.parse(line).id in ("", *target.memories)]
    return target.eraser.found("\n".join(kept))
