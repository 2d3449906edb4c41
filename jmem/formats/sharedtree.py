"""The files in which a scope is shared: one an item, named by its id, in canonical form.

What another machine says is taken through the same readers as everything else, and nothing but
what jmem can say is left of it: neither file names nor unknown keys of strangers get in.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from jmem import clock, ids
from jmem.errors import CorruptStore
from jmem.formats import memoryfile, notefile, sessionfile, skillfile
from jmem.layout import FORGOTTEN_FILE, MEMORIES_DIR, NOTES_DIR, SKILLS_DIR, SUMMARIES_DIR
from jmem.merging.content import Content
from jmem.model import Memory, NoteFile
from jmem.redact import redact

FORMAT = 1
HEAD_FILE = "scope.json"
"""The format of the files, and the key of the hashes in ``forgotten.jsonl``."""
MAX_BYTES = 1024 * 1024
"""A larger file is none of ours."""
MAX_FORGOTTEN = 16 * 1024 * 1024
_KEY = re.compile(r"[0-9a-f]{32}")
_FORGOTTEN = {
    "id": re.compile(r"[\w.:-]{0,80}[a-z0-9]{8}", re.ASCII),
    "date": re.compile(r"[\d:TZ-]{20}", re.ASCII),
    "key": re.compile(r"[0-9a-f]{0,64}"),
    "purged": re.compile(r"memory|text"),
    "filed": re.compile("True"),
    "restored": re.compile("True"),
}
_HASH = re.compile(r"[0-9a-f]{4,64}")
_FORGOTTEN_LISTS = {
    "words": _HASH,
    "marks": re.compile(r"[1-9][0-9]{0,8}:[0-9a-f]{16}"),
    "evidence": re.compile(r"[\w.:#/-]{1,200}", re.ASCII),
}
_SESSION = re.compile(r"[a-z][a-z0-9-]{0,31}:[\w.-]{1,100}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """What the files of another machine say. ``left_out``: path -> why it was not taken,
    ``masked``: paths in which a credential stood."""

    content: Content
    left_out: Mapping[str, str]
    masked: tuple[str, ...]


def render(content: Content) -> dict[str, bytes]:
    """The files, by path. Where a note was written, and in which order, stays at home."""
    texts = {HEAD_FILE: json.dumps({"format": FORMAT, "key": content.key}, indent=1) + "\n"}
    for key, memory in content.memories.items():
        texts[f"{MEMORIES_DIR}/{key}.md"] = memoryfile.render(memory)
    for key, note in content.notes.items():
        texts[f"{NOTES_DIR}/{key}.md"] = notefile.render(replace(note, cwd=""))
    for session, summary in content.summaries.items():
        texts[_path_of_summary(session)] = sessionfile.render(summary)
    for name, text in content.skills.items():
        texts[f"{SKILLS_DIR}/{name}/{skillfile.FILE_NAME}"] = text
    if content.forgotten:
        texts[FORGOTTEN_FILE] = "".join(f"{line}\n" for line in content.forgotten)
    return {path: text.encode("utf-8", "replace") for path, text in sorted(texts.items())}


def parse(files: Mapping[str, bytes], *, believed: bool = False) -> Received:
    """What the files say; what is none of ours, or cannot be read, is left out. ``believed``: they
    were written here, and no credential is looked for.

    Raises CorruptStore where they are of a newer format, or no files of a scope.
    """
    key = _head(files.get(HEAD_FILE))
    left_out: dict[str, str] = {}
    masked: list[str] = []
    found: dict[str, dict[str, object]] = {name: {} for name in _READERS}
    for path, data in sorted(files.items()):
        directory, _, name = path.partition("/")
        reader = _READERS.get(directory)
        if reader is None or not name:
            if path not in (HEAD_FILE, FORGOTTEN_FILE):
                left_out[path] = "it is no file of a scope"
            continue
        try:
            text = _text(data)
            clean = text if believed else redact(text)
            identity, value = reader(path, clean)
        except CorruptStore as error:
            left_out[path] = error.message
            continue
        found[directory][identity] = value
        if clean != text:
            masked.append(path)
    content = Content(
        memories=found[MEMORIES_DIR],  # type: ignore[arg-type]
        notes=found[NOTES_DIR],  # type: ignore[arg-type]
        summaries=found[SUMMARIES_DIR],  # type: ignore[arg-type]
        skills=found[SKILLS_DIR],  # type: ignore[arg-type]
        forgotten=tuple(_lines(files.get(FORGOTTEN_FILE, b""))),
        key=key,
    )
    return Received(content=content, left_out=left_out, masked=tuple(masked))


def _head(data: bytes | None) -> str:
    try:
        head = json.loads(data or b"")
        form, key = int(head["format"]), str(head["key"])
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptStore(
            "what is there is no memory that jmem shared", hint="name another --as, or another URL"
        ) from error
    if form > FORMAT:
        raise CorruptStore(
            f"it is of format {form}, newer than the {FORMAT} that this jmem understands",
            hint="upgrade jmem: pipx upgrade jmem",
        )
    return key if _KEY.fullmatch(key) else ""


def _text(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise CorruptStore(f"it is larger than {MAX_BYTES // 1024} KiB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CorruptStore("it is not UTF-8") from error


def _memory(path: str, text: str) -> tuple[str, Memory]:
    identity = _named(path)
    memory = memoryfile.parse(text, name=f"{identity}.md", found=clock.EPOCH)
    if memory.id != identity:
        raise CorruptStore("its name is not its id")
    return identity, replace(
        memory,
        superseded_by=memory.superseded_by if ids.is_id(memory.superseded_by) else "",
        supersedes=_ids(memory.supersedes),
        contradicts=_ids(memory.contradicts),
        derived_from=_ids(memory.derived_from),
    )


def _note(path: str, text: str) -> tuple[str, NoteFile]:
    identity = _named(path)
    note = notefile.parse(text, path="", name="", found=clock.EPOCH)
    if note.id != identity or not note.text:
        raise CorruptStore("its name is not its id, or it says nothing")
    return identity, replace(note, cwd="")


def _summary(path: str, text: str) -> tuple[str, object]:
    summary = sessionfile.parse(text, found=clock.EPOCH)
    if not _SESSION.fullmatch(summary.session) or path != _path_of_summary(summary.session):
        raise CorruptStore("its name is not that of its session")
    return summary.session, summary


def _skill(path: str, text: str) -> tuple[str, object]:
    name = path.removeprefix(f"{SKILLS_DIR}/").removesuffix(f"/{skillfile.FILE_NAME}")
    if not skillfile.NAME.fullmatch(name) or len(name) > skillfile.MAX_NAME:
        raise CorruptStore("it is no skill")
    return name, text


_READERS: Mapping[str, Callable[[str, str], tuple[str, object]]] = {
    MEMORIES_DIR: _memory,
    NOTES_DIR: _note,
    SUMMARIES_DIR: _summary,
    SKILLS_DIR: _skill,
}


def _lines(data: bytes) -> Iterator[str]:
    """The lines of ``forgotten.jsonl`` that are one, with nothing in them but what jmem writes."""
    for line in data[:MAX_FORGOTTEN].decode("utf-8", "replace").split("\n"):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(row, dict) or not ids.is_id(str(row.get("id"))[-8:]):
            continue
        known = {name: value for name, value in row.items() if _is_said(name, value)}
        if known.keys() == row.keys():
            yield line
        elif known.keys() >= {"id", "date"}:
            yield json.dumps(known, ensure_ascii=False, separators=(",", ":"))


def _is_said(name: str, value: object) -> bool:
    """Whether jmem writes such a field into ``forgotten.jsonl``."""
    if isinstance(value, list):
        pattern = _FORGOTTEN_LISTS.get(name)
        return pattern is not None and all(
            isinstance(one, str) and pattern.fullmatch(one) and redact(one) == one for one in value
        )
    pattern = _FORGOTTEN.get(name)
    return pattern is not None and pattern.fullmatch(str(value)) is not None


def _named(path: str) -> str:
    identity = path.partition("/")[2].removesuffix(".md")
    if not ids.is_id(identity):
        raise CorruptStore("its name is no id")
    return identity


def _ids(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(value for value in values if ids.is_id(value))


def _path_of_summary(session: str) -> str:
    mark = hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()[:16]
    return f"{SUMMARIES_DIR}/{mark}.md"
