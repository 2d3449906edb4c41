"""A scope on disk as what is shared of it, and what was merged as changes of the scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from jmem import clock, discretion, lifecycle, scopes
from jmem.changing.carrying import Found
from jmem.formats import memoryfile, notefile, projectfile, sessionfile, sharedtree, skillfile
from jmem.formats.text import slugify
from jmem.layout import FORGOTTEN_FILE, NOTES_DIR, PROJECT_FILE, SKILLS_DIR, SUMMARIES_DIR
from jmem.merging import lines, whole
from jmem.merging.content import Content
from jmem.model import Memory, NoteFile, SessionSummary
from jmem.storage import files, foreign, skills
from jmem.storage.journal import Output
from jmem.storage.memories import Stored, file_text


def content(found: Found, *, masked: bool = True) -> Content:
    """What is shared of the scope, as others read it: memories with what people did by hand, notes
    with an id, and those session summaries that a run has decided on. ``masked``: without what the
    user's settings name beside credentials."""
    taken = found.snapshot
    memories = {key: _as_written(found, key) for key in found.memories}
    notes = {note.id: _raw(note) for note in (*taken.notes, *taken.held) if note.id}
    lines = (taken.forgotten_data or b"").decode("utf-8", "replace").split("\n")
    everything = sharedtree.render(
        Content(
            memories=memories,
            notes=notes,
            summaries={one.session: one for one in _decided(found).values()},
            skills=_own_skills(found.scope.root),
            forgotten=tuple(line for line in lines if line.strip()),
            key=taken.key,
        )
    )
    asked = masked and discretion.chosen() != discretion.NOTHING
    return sharedtree.parse(everything, believed=not asked).content


def outputs(found: Found, ours: Content, merged: Content) -> Iterator[Output]:
    """The files that become others with the merge; memory files among them."""
    stored = found.snapshot.loaded.stored
    for key, memory in merged.memories.items():
        if memory != ours.memories.get(key):
            yield from _memory_file(stored.get(key), memory)
    yield from _note_files(found, ours, merged)
    yield from _summary_files(found, ours, merged)
    for name, text in merged.skills.items():
        if text != ours.skills.get(name):
            yield _output(found, f"{SKILLS_DIR}/{name}/{skillfile.FILE_NAME}", text)
    for name in ours.skills.keys() - merged.skills.keys():
        yield _output(found, f"{SKILLS_DIR}/{name}/{skillfile.FILE_NAME}", None)
    if merged.forgotten != ours.forgotten:
        yield _output(found, FORGOTTEN_FILE, "".join(f"{line}\n" for line in merged.forgotten))
    project = scopes.read_project(found.scope.root)
    if project is not None and project.key != merged.key:
        text = projectfile.render(replace(project, key=merged.key))
        yield _output(found, PROJECT_FILE, text)


def as_read(memories: Mapping[str, Memory], strange: Iterable[str]) -> dict[str, Memory]:
    """The memories as they will be read here, where these ids are words of another machine."""
    doubted = {*strange}
    return {
        key: lifecycle.set_apart(foreign.lowered(memory) if key in doubted else memory)
        for key, memory in memories.items()
    }


def from_elsewhere(ours: Content, merged: Content) -> set[str]:
    """The ids of what says something else with the merge, or is believed more, or was purged."""
    found = {
        key
        for key, memory in merged.memories.items()
        if key not in ours.memories or _words(memory) != _words(ours.memories[key])
    }
    found |= {
        key
        for key, note in merged.notes.items()
        if key not in ours.notes or note.text != ours.notes[key].text
    }
    before = set(ours.forgotten)
    found |= {
        entry.id
        for entry in lines.read([line for line in merged.forgotten if line not in before])
        if entry.purged
    }
    for session, summary in merged.summaries.items():
        known = ours.summaries.get(session)
        said = {item.id for item in known.items} if known else set()
        found |= {item.id for item in summary.items} - said
    return found | {
        foreign.of_skill(name)
        for name, text in merged.skills.items()
        if text != ours.skills.get(name)
    }


def _words(memory: Memory) -> tuple[object, ...]:
    return (
        memory.text,
        memory.topic,
        memory.reason,
        memory.cluster,
        memory.missing,
        memory.origin,
        memory.trust,
        memory.active,
    )


def _as_written(found: Found, key: str) -> Memory:
    """The memory as its file has it; as a person's line has it where that differs."""
    stored, memory = found.snapshot.loaded.stored[key], found.memories[key]
    name = stored.path.rpartition("/")[2]
    said = memoryfile.parse(stored.text, name=name, found=stored.memory.created)
    if memory == stored.memory:
        return replace(said, id=key)
    return replace(foreign.as_said(memory, stored.memory, said), id=key)


def _raw(note: NoteFile) -> NoteFile:
    """The note as its file has it, whatever is believed of it here."""
    text = files.read_text(Path(note.path)) or ""
    said = notefile.parse(text, path="", name="", found=note.time)
    return said if said.id == note.id and said.text else replace(note, path="", name="")


def _decided(found: Found) -> dict[str, SessionSummary]:
    """The session summaries as the last run left them, by path."""
    taken = found.snapshot
    tree = found.history.tree(taken.last) if taken.last else {}
    paths = [path for path in tree if path.startswith(f"{SUMMARIES_DIR}/")]
    data = found.history.read([tree[path] for path in paths])
    known = {}
    for path, said in zip(paths, data, strict=True):
        summary = sessionfile.parse(said.decode("utf-8", "replace"), found=clock.EPOCH)
        if summary.session and path in taken.summaries:
            known[path] = summary
    return known


def _own_skills(root: Path) -> dict[str, str]:
    found = {}
    for skill in skills.listed(root):
        text = files.read_text(root / SKILLS_DIR / skill.name / skillfile.FILE_NAME)
        if text is not None and (skill.owned_by_person or not skill.memory):
            found[skill.name] = text
    return found


def _memory_file(stored: Stored | None, memory: Memory) -> Iterator[Output]:
    plain = replace(stored, said=None) if stored else None
    path, text = file_text(memory, plain)
    before = files.digest(stored.text.encode()) if stored else ""
    if stored is None or text != stored.text:
        yield Output(path=path, before=before, after=text)


def _note_files(found: Found, ours: Content, merged: Content) -> Iterator[Output]:
    taken = found.snapshot
    known = {note.id: note for note in (*taken.notes, *taken.held) if note.id}
    for key, note in merged.notes.items():
        if note == ours.notes.get(key):
            continue
        if key in known:
            path = Path(known[key].path)
            old = files.read_text(path) or ""
            there = replace(note, cwd=known[key].cwd)
            yield _output(found, f"{NOTES_DIR}/{path.name}", notefile.render(there, previous=old))
        else:
            slug = slugify(note.text) or "note"
            name = f"{clock.stamp(note.time)}-{slug}-{key}.md"
            yield _output(found, f"{NOTES_DIR}/{name}", notefile.render(note))


def _summary_files(found: Found, ours: Content, merged: Content) -> Iterator[Output]:
    here = {one.session: (path, one) for path, one in found.snapshot.summaries.items()}
    decided = {one.session: one for one in _decided(found).values()}
    for session, summary in merged.summaries.items():
        if summary == ours.summaries.get(session):
            continue
        text = sessionfile.render(summary)
        if session not in here:
            yield _output(found, _summary_path(summary), text)
            continue
        path, standing = here[session]
        if standing == decided.get(session):
            yield _output(found, path, text)
        else:  # a run has yet to decide on what stands there besides
            both = sessionfile.render(whole.summary(decided.get(session), standing, summary))
            yield replace(_output(found, path, both), committed=text)
    for session in ours.summaries.keys() - merged.summaries.keys():
        path, standing = here[session]
        if standing == decided.get(session):
            yield _output(found, path, None)


def _summary_path(summary: SessionSummary) -> str:
    session = slugify(summary.session.rpartition(":")[2].replace("-", ""), 12) or "session"
    return f"{SUMMARIES_DIR}/{clock.stamp(summary.started)}-{session}.md"


def _output(found: Found, path: str, text: str | None) -> Output:
    before = files.digest(files.read_bytes(found.scope.root / path))
    return Output(path=path, before=before, after=text)
