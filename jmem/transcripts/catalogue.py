"""What was read of the beginnings and ends of session files, kept until they change.

Derived, and deletable at any time: without it the next run reads the files again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jmem import clock
from jmem.storage import files
from jmem.transcripts import reader as readers
from jmem.transcripts.entries import SessionInfo
from jmem.transcripts.reader import Found, Rejected

CATALOGUE_FILE = "sessions.json"
_CATALOGUE_FORMAT = 3


class Catalogue:
    """What is known of session files, kept between runs; derived, and deletable at any time."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._old = self._load()
        self._new: dict[str, Any] = {}

    def look_up(self, path: Path) -> list[Found | Rejected]:
        """The sessions in a file, read again only where it has changed, or what is beside it."""
        known = self._old.get(str(path))
        if known is not None and known.get("looks") == _looks([str(path), *known["beside"]]):
            self._new[str(path)] = known
            return [_from_json(each) for each in known["found"]]
        before = _looks([str(path)])
        found = readers.every_session(path)
        beside = sorted({name for each in found for name in _beside(each)})
        # What changes while it is read is read again the next time.
        self._new[str(path)] = {
            "looks": before + _looks(beside),
            "beside": beside,
            "found": [_to_json(each) for each in found],
        }
        return found

    def save(self) -> None:
        """Write the catalogue where it has changed; one that cannot be written is no loss."""
        merged = {**self._old, **self._new}
        if merged == self._old:
            return
        data = {"format": _CATALOGUE_FORMAT, "files": merged}
        try:
            files.make_directory(self._file.parent)
            encoded = json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode()
            files.atomic_write(self._file, encoded)
        except OSError:
            return

    def _load(self) -> dict[str, Any]:
        try:
            data = json.loads(files.read_bytes(self._file) or b"{}")
            found = data["files"] if data.get("format") == _CATALOGUE_FORMAT else {}
        except (ValueError, KeyError, AttributeError, OSError):
            return {}
        return found if isinstance(found, dict) else {}


def _looks(names: Iterable[str]) -> list[list[int]]:
    """The size and the time of each file; two zeros for one that is not there."""
    looks = []
    for name in names:
        try:
            stat = Path(name).stat()
        except OSError:
            looks.append([0, 0])
        else:
            looks.append([stat.st_size, stat.st_mtime_ns])
    return looks


def _beside(result: Found | Rejected) -> tuple[str, ...]:
    return result.info.beside if isinstance(result, Found) else ()


def _to_json(result: Found | Rejected) -> dict[str, Any]:
    if isinstance(result, Rejected):
        return {"path": result.path, "reason": result.reason}
    info = result.info
    return {
        "agent": info.agent,
        "id": info.id,
        "path": info.path,
        "cwd": info.cwd,
        "cwds": list(info.cwds),
        "started": clock.text(info.started) if info.started else "",
        "ended": clock.text(info.ended) if info.ended else "",
        "subagent": info.subagent,
        "headless": info.headless,
        "version": info.version,
        "forked_from": info.forked_from,
        "model": info.model,
        "provider": info.provider,
        "distillation": info.distillation,
        "size_bytes": info.size_bytes,
        "mtime": info.mtime,
        "start": info.start,
        "beside": list(info.beside),
        "copy_of": info.copy_of,
    }


def _from_json(data: Mapping[str, Any]) -> Found | Rejected:
    if "reason" in data:
        return Rejected(path=data["path"], reason=data["reason"])
    info = SessionInfo(
        agent=data["agent"],
        id=data["id"],
        path=data["path"],
        cwd=data["cwd"],
        cwds=tuple(data["cwds"]),
        started=clock.parse(data["started"]),
        ended=clock.parse(data["ended"]),
        subagent=data["subagent"],
        headless=data["headless"],
        version=data["version"],
        forked_from=data["forked_from"],
        model=data["model"],
        provider=data["provider"],
        distillation=data["distillation"],
        size_bytes=data["size_bytes"],
        mtime=data["mtime"],
        start=data["start"],
        beside=tuple(data["beside"]),
        copy_of=data["copy_of"],
    )
    return Found(reader=readers.reader_for(info.agent), info=info)
