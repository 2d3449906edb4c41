"""What is to be changed in the files of an agent, as values; and doing it, all of it or nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from jmem.agents import record as records
from jmem.agents.record import Record
from jmem.agents.targets import JsonFile, OwnFile, Target, TomlFile
from jmem.errors import JmemError, Refused
from jmem.formats.patch import taken_back
from jmem.storage import configfile, files

BACKUP = ".jmem-backup"
_NOTHING = ("", "{}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One file: its bytes before and after (None: no file), and what will be recorded of it.
    ``own``: nothing else is in it."""

    path: Path
    before: bytes | None
    after: bytes | None
    record: Record | None
    own: bool = False


def to_add(agent: str, targets: Iterable[Target | OwnFile]) -> list[Change]:
    """What connects the agent; nothing where everything is in place.

    Raises Refused where one of the files cannot be changed: then none of them should be.
    """
    known = records.load()
    changes = (_joined(agent, target, known.get(str(target.path))) for target in targets)
    return _allowed(change for change in changes if change)


def to_remove(agent: str, targets: Iterable[Target | OwnFile]) -> list[Change]:
    """What takes every entry of the agent out again, also where jmem would now put none.

    Raises Refused where one of the files cannot be changed.
    """
    known = records.load()
    mine = {path: made for path, made in known.items() if made.agent == agent}
    wanted = {str(target.path): target for target in targets}
    places = {path: wanted.get(path) or _recorded(path, mine[path]) for path in mine}
    # A file that two clients read is cleared for the one that it was written for.
    places |= {path: target for path, target in wanted.items() if path not in known}
    changes = (_parted(target, mine.get(path)) for path, target in places.items())
    return _allowed(change for change in changes if change)


def _recorded(path: str, made: Record) -> Target | OwnFile:
    """A file that jmem once wrote and would not write now: the folders are others by now."""
    if not made.back:
        return OwnFile(Path(path), "")
    if path.endswith(".toml"):
        return TomlFile(Path(path), ("mcp_servers", "jmem"), {})
    return JsonFile(Path(path), {})


def _allowed(changes: Iterator[Change]) -> list[Change]:
    found = list(changes)
    for change in found:
        configfile.refuse_unwritable(change.path)
    return found


def _joined(agent: str, target: Target | OwnFile, made: Record | None) -> Change | None:
    before = configfile.read(target.path)
    if isinstance(target, OwnFile):
        after = target.text.encode()
        if before == after:
            return None
        if before is not None and (made is None or files.digest(before) != made.digest):
            raise Refused(f"{target.path} is there already, and not as jmem wrote it")
        record = Record(agent=agent, created=True, digest=files.digest(after))
        return Change(path=target.path, before=before, after=after, record=record, own=True)
    text = _decoded(target.path, before)
    try:
        if text and target.holds(text):
            return None
        after_text, back = target.added(_bare(target, text, made))
    except ValueError as error:
        raise Refused(f"{target.path}: {error}", hint="mend it, or add jmem by hand") from error
    after = after_text.encode()
    record = Record(
        agent=agent,
        created=before is None or (made is not None and made.created),
        digest=files.digest(after),
        back=back,
        directories=made.directories if made else (),
        backup=made.backup if made else "",
    )
    return Change(path=target.path, before=before, after=after, record=record)


def _parted(target: Target | OwnFile, made: Record | None) -> Change | None:
    before = configfile.read(target.path)
    if before is None:
        return None
    if isinstance(target, OwnFile):
        mine = before == target.text.encode() or (made and files.digest(before) == made.digest)
        gone = Change(path=target.path, before=before, after=None, record=None)
        return gone if mine else None  # what a person made of it is theirs
    text = _decoded(target.path, before)
    try:
        bare = _bare(target, text, made)
    except ValueError as error:
        raise Refused(
            f"{target.path}: {error}", hint="mend it, or take jmem's entries out by hand"
        ) from error
    if bare == text:
        return None
    created = made is not None and made.created and bare.strip() in _NOTHING
    after = None if created else bare.encode()
    return Change(path=target.path, before=before, after=after, record=None)


def _bare(target: Target, text: str, made: Record | None) -> str:
    """The text as it would be if jmem had never been there. Raises ValueError."""
    if made is not None and (back := taken_back(text, made.back)) is not None:
        if files.digest(text.encode()) == made.digest:
            return back
        try:
            if target.foreign(back) == target.foreign(text):
                return back
        except ValueError:  # it was edited right beside it: the entries tell by themselves
            pass
    return target.removed(text)


def _decoded(path: Path, data: bytes | None) -> str:
    try:
        return (data or b"").decode()
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is not UTF-8", hint="mend it, or add jmem by hand") from error


# -- doing it -------------------------------------------------------------------------------------


def carry_out(changes: Iterable[Change]) -> list[Path]:
    """Make the changes, durably, and record them; the backups that stay.

    Where one fails, those before it are taken back and the error is raised again.
    """
    original = records.load()
    known = dict(original)
    done: list[Change] = []
    kept: list[Path] = []
    try:
        for change in changes:
            backup = _one(change, known)
            done.append(change)
            kept += (backup,) if backup else ()
        _tidy(original, done)
    except (OSError, JmemError):
        for change in reversed(done):
            _undo(change)
        records.save(original)
        raise
    return kept


def _one(change: Change, known: dict[str, Record]) -> Path | None:
    """One file. The record is written first: without its file it does no harm."""
    key, made = str(change.path), known.get(str(change.path))
    if change.record is None:
        backup = _cleared(change, made)
        if known.pop(key, None):
            records.save(known)
        return backup
    record = change.record
    if change.before is not None and not record.created and not record.backup:
        record = replace(record, backup=str(_backed_up(change.path, change.before)))
    known[key] = record
    records.save(known)
    assert change.after is not None
    folders = configfile.write(change.path, change.after, known=change.before)
    if folders:
        known[key] = replace(record, directories=tuple(map(str, folders)))
        records.save(known)
    return Path(record.backup) if record.backup else None


def _cleared(change: Change, made: Record | None) -> Path | None:
    """Write a file of which nothing is recorded any more; the backup stays while it tells more."""
    if change.after is not None:
        configfile.write(change.path, change.after, known=change.before)
    elif change.before is not None:
        configfile.remove(change.path, known=change.before)
    if made is None or not made.backup:
        return None
    backup = Path(made.backup)
    if files.read_bytes(backup) == change.after:
        files.remove(backup)
        return None
    return backup if backup.exists() else None


def _tidy(original: Mapping[str, Record], done: Iterable[Change]) -> None:
    """Remove the folders that were made for files which are gone, the innermost first."""
    gone = [original.get(str(change.path)) for change in done if change.record is None]
    folders = {folder for made in gone if made for folder in made.directories}
    for folder in sorted(folders, key=len, reverse=True):
        configfile.remove_empty(Path(folder))


def _backed_up(path: Path, data: bytes) -> Path:
    """A copy beside the file, under a name that is free."""
    names = itertools.chain(
        (path.name + BACKUP,), (f"{path.name}{BACKUP}-{n}" for n in range(2, 100))
    )
    made = files.create_whole(path.parent, names, data)
    if made is None:
        raise Refused(f"there are a hundred backups of {path} already", hint="remove some")
    return made


def _undo(change: Change) -> None:
    if change.before is None:
        assert change.after is not None
        configfile.remove(change.path, known=change.after)
    else:
        configfile.write(change.path, change.before, known=change.after)


def recorded() -> Mapping[str, Record]:
    """Path -> record of every file that jmem changed. Raises CorruptStore."""
    return records.load()
