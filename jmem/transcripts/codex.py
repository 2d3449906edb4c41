"""Sessions of Codex: rollouts with a payload a line, the bare lines of mid 2025, and the one
JSON object of the TypeScript command line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jmem.transcripts import heldby
from jmem.transcripts.beginning import Beginning
from jmem.transcripts.codex_lines import ITEMS, Reading, Record, records, text_of
from jmem.transcripts.discovery import files_under
from jmem.transcripts.entries import Entry, Report, SessionInfo, cut
from jmem.transcripts.jsonl import JsonObject, objects
from jmem.transcripts.profile import Profile, stem

_ENVELOPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
_CWD = re.compile(r"<cwd>([^<]{1,1000})</cwd>|Current working directory: (.{1,1000})")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")


class Codex:
    """The reader of Codex's session files."""

    agent = "codex"
    in_project = ()

    def roots(self, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
        """The folders that hold sessions, whether they exist or not."""
        configured = environ.get("CODEX_HOME")
        base = Path(configured) if configured else home / ".codex"
        return (base / "sessions", base / "archived_sessions")

    def discover(self, root: Path) -> Iterator[Path]:
        """Every rollout under a root."""
        return (path for path in files_under(root) if path.name.startswith("rollout-"))

    def recognises(self, beginning: Beginning) -> bool:
        """Whether the first objects of a file are Codex's."""
        return any(_is_ours(line) for line in beginning.objects)

    def sessions(self, path: Path) -> Iterator[SessionInfo]:
        """What the first and last lines say of the session.

        A fork holds the head of its parent too: the first one is the file's own.
        """
        profile = Profile.of(path)
        found = [record for line in profile.objects for record in records(line)]
        head = next((record.payload for record in found if record.kind == "session_meta"), {})
        source = head.get("source")
        originator = str(head.get("originator") or "")
        cwds = _cwds(found)
        models = list(_named(found, "turn_context", "model"))
        yield profile.info(
            agent=self.agent,
            id=_id_of(path, head),
            cwds=cwds,
            version=cut(str(head.get("cli_version") or ""), 40),
            subagent=isinstance(source, dict) or head.get("thread_source") == "subagent",
            headless=source == "exec" or originator.startswith(("codex_exec", "codex_sdk")),
            forked_from=cut(str(head.get("forked_from_id") or ""), 100),
            model=models[0] if models else "",
            provider=heldby.chosen(_providers(found, models)),
            distillation=heldby.is_distillation(cwds, _prompts(found)),
        )

    def entries(self, info: SessionInfo, report: Report | None = None) -> Iterator[Entry]:
        """The entries of the session in order; what was left out is counted in the report."""
        report = Report() if report is None else report
        return self.entries_of(objects(Path(info.path), report), report)

    def entries_of(self, lines: Iterable[JsonObject], report: Report) -> Iterator[Entry]:
        """The entries that consecutive lines of a session hold."""
        reading = Reading(report)
        for line in lines:
            for record in records(line):
                yield from reading.entries(record)


def _is_ours(line: JsonObject) -> bool:
    if isinstance(line.get("payload"), dict):
        return line.get("type") in _ENVELOPES
    if line.get("record_type") == "state" or isinstance(line.get("items"), list):
        return "record_type" in line or isinstance(line.get("session"), dict)
    if line.get("type") in ITEMS:
        return "call_id" in line or _has_codex_parts(line.get("content"))
    return "type" not in line and {"id", "timestamp", "instructions"} <= line.keys()


def _has_codex_parts(content: object) -> bool:
    parts = content if isinstance(content, list) else []
    kinds = [part.get("type") for part in parts if isinstance(part, dict)]
    return any(kind in ("input_text", "output_text") for kind in kinds)


def _id_of(path: Path, head: Mapping[str, Any]) -> str:
    given = head.get("id")
    if isinstance(given, str) and given:
        return cut(given, 100)
    in_name = _UUID.search(stem(path))
    return in_name[0] if in_name else stem(path)


def _named(found: Sequence[Record], kind: str, key: str) -> Iterator[str]:
    """What the records of a kind say under a key."""
    values = (record.payload.get(key) for record in found if record.kind == kind)
    return (cut(value, 100) for value in values if isinstance(value, str) and value)


def _providers(found: Sequence[Record], models: Sequence[str]) -> Iterator[str]:
    for kind in ("session_meta", "turn_context"):
        yield from _named(found, kind, "model_provider")
    yield from map(heldby.provider_of, models)


def _prompts(found: Sequence[Record]) -> Iterator[str]:
    """What was sent as the user's words, on whichever side it was written down."""
    for record in found:
        if record.payload.get("role") == "user":
            yield text_of(record.payload.get("content"))
        elif record.payload.get("type") == "user_message":
            yield text_of(record.payload.get("message"))


def _cwds(found: Sequence[Record]) -> list[str]:
    """Every directory named, by the lines that say so or in the context that the client sent."""
    cwds = [record.payload.get("cwd") for record in found if record.kind in _ENVELOPES]
    named = [cut(cwd, 1000) for cwd in cwds if isinstance(cwd, str) and cwd]
    if not named:
        texts = (text_of(record.payload.get("content")) for record in found)
        matches = (_CWD.search(text) for text in texts)
        named = [(match[1] or match[2]).strip() for match in matches if match]
    return list(dict.fromkeys(named))
