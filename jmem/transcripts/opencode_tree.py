"""The tree of small JSON files in which opencode kept its sessions before its database.

``storage/session/PROJECT/SESSION.json`` is the head of one; ``storage/message/SESSION/`` holds its
messages and ``storage/part/MESSAGE/`` their parts. The oldest versions kept the messages in
``storage/session/message/``, or all parts in one folder.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from jmem.errors import NotFound
from jmem.transcripts import heldby
from jmem.transcripts.entries import Report, SessionInfo, cut
from jmem.transcripts.jsonl import JsonObject, objects
from jmem.transcripts.moments import moment
from jmem.transcripts.opencode_parts import Message, provider_of, text_of
from jmem.transcripts.profile import safe_id, stem


def is_head(found: JsonObject) -> bool:
    """Whether an object is the head of a session."""
    time = found.get("time")
    named = isinstance(found.get("id"), str) and "title" in found
    return named and isinstance(time, dict) and ("projectID" in found or "directory" in found)


def session(path: Path, agent: str) -> SessionInfo:
    """What the head of a session and its messages say. Raises NotFound."""
    tree = _Tree(path, Report())
    spoken = tree.messages()
    files = [file for message in spoken for file in tree.parts_of(message)]
    looks = [_look(file) for file in (path, *_files(tree.folder), *files)]
    directory = cut(str(tree.head.get("directory") or ""), 1000)
    cwds = (directory,) if directory else ()
    answers = [found for found in spoken if found.get("role") == "assistant"]
    models = [cut(name, 100) for each in answers if isinstance(name := each.get("modelID"), str)]
    providers = [name for each in answers if isinstance(name := each.get("providerID"), str)]
    times = tree.head.get("time")
    named = map(moment, times.values() if isinstance(times, dict) else ())
    known = [time for time in (*named, *map(_time_of, spoken)) if time is not None]
    return SessionInfo(
        agent=agent,
        id=tree.id,
        path=str(path),
        cwd=directory,
        cwds=cwds,
        started=min(known, default=None),
        ended=max(known, default=None),
        subagent=bool(tree.head.get("parentID")),
        version=cut(str(tree.head.get("version") or ""), 40),
        model=models[0] if models else "",
        provider=provider_of(providers, models),
        distillation=heldby.is_distillation(cwds, _first_words(files)),
        size_bytes=sum(size for size, _ in looks),
        mtime=max(time for _, time in looks),
        beside=(str(tree.folder),),
    )


def messages(path: Path, report: Report) -> Iterator[Message]:
    """The messages of a session in order, up to where the user went back to. Raises NotFound."""
    tree = _Tree(path, report)
    revert = tree.head.get("revert")
    back = revert.get("messageID") if isinstance(revert, dict) else None
    for found in tree.messages():
        if back is not None and found.get("id") == back:
            return
        yield Message(found, tree.objects(tree.parts_of(found)))


class _Tree:
    """The files of one session, found from its head. Raises NotFound without one."""

    def __init__(self, path: Path, report: Report) -> None:
        self.head = next(objects(path, report), {})
        self.id = safe_id(str(self.head.get("id") or "")) or stem(path)
        self._report = report
        self._seen: set[str] = set()
        storage = path.parents[min(2, len(path.parents) - 1)]
        oldest = path.parent.parent / "message" / self.id  # beside session/info/
        self.folder = oldest if oldest.is_dir() else storage / "message" / self.id
        self._parts = self.folder.parents[1] / "part"

    def messages(self) -> list[JsonObject]:
        """The messages without their parts, in order."""
        return sorted(self.objects(_files(self.folder)), key=_order)

    def parts_of(self, message: Mapping[str, Any]) -> Sequence[Path]:
        """The files of a message's parts, in their order."""
        identity = safe_id(str(message.get("id") or ""))
        for place in (self._parts / identity, self._parts / self.id / identity):
            if identity and place.is_dir():
                return _files(place)
        return self._in_one_folder.get(identity, ())

    def objects(self, files: Iterable[Path]) -> Iterator[JsonObject]:
        """The objects in files, each id once; a file that was removed meanwhile is left out."""
        for file in files:
            try:
                found = next(objects(file, self._report), None)
            except NotFound:
                self._report.skip("file that cannot be read")
                continue
            if found is None:
                continue
            identity = str(found.get("id") or file)
            if identity in self._seen:
                self._report.skip("the same file again")
                continue
            self._seen.add(identity)
            yield found

    @cached_property
    def _in_one_folder(self) -> Mapping[str, Sequence[Path]]:
        """The files of parts that all lie in one folder, by their message."""
        by_message: dict[str, list[Path]] = defaultdict(list)
        for file in _files(self._parts):
            found = next(objects(file, Report()), {})
            by_message[str(found.get("messageID") or "")].append(file)
        return by_message


def _order(message: Mapping[str, Any]) -> tuple[float, str]:
    time = _time_of(message)
    return time.timestamp() if time else 0.0, str(message.get("id"))


def _time_of(message: Mapping[str, Any]) -> datetime | None:
    time = message.get("time")
    return moment(time.get("created")) if isinstance(time, dict) else None


def _look(file: Path) -> tuple[int, float]:
    """The size and the time of a file; nothing for one that was removed meanwhile."""
    try:
        status = file.stat()
    except OSError:
        return 0, 0.0
    return status.st_size, status.st_mtime


def _first_words(parts: Sequence[Path]) -> list[str]:
    return [text_of([next(objects(file, Report()), {})]) for file in parts[:3]]


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.json") if path.is_file())
