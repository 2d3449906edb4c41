"""Sessions of Claude Code: one JSON object a line, appended as the session goes.

A user turn is what the user really typed. Compact summaries become compactions; meta
messages, sub-agents, hooks, wrappers and notifications are left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from jmem import headless
from jmem.transcripts import heldby
from jmem.transcripts.beginning import Beginning
from jmem.transcripts.claude_code_lines import SPOKEN, Reading, text_of
from jmem.transcripts.discovery import files_under
from jmem.transcripts.entries import Entry, Report, SessionInfo, cut
from jmem.transcripts.jsonl import JsonObject, objects
from jmem.transcripts.profile import Profile, stem

_OTHER = ("progress", "attachment", "system", "queue-operation", "file-history-snapshot")


class ClaudeCode:
    """The reader of Claude Code's session files."""

    agent = "claude-code"
    in_project = ()

    def roots(self, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
        """The folders that hold sessions, whether they exist or not."""
        configured = environ.get("CLAUDE_CONFIG_DIR")
        if configured:
            return (Path(configured) / "projects",)
        return (home / ".claude" / "projects", home / ".config" / "claude" / "projects")

    def discover(self, root: Path) -> Iterator[Path]:
        """Every session file under a root, the sub-agents' among them."""
        yield from files_under(root, (".jsonl", ".jsonl.gz"))

    def recognises(self, beginning: Beginning) -> bool:
        """Whether the first objects of a file are Claude Code's."""
        return any(_is_ours(line) for line in beginning.objects)

    def sessions(self, path: Path) -> Iterator[SessionInfo]:
        """What the first and last lines say of the session."""
        profile = Profile.of(path)
        lines = profile.objects
        spoken = [line for line in lines if line.get("type") in SPOKEN]
        entrypoint = profile.first("entrypoint")
        cwds = profile.every("cwd")
        models = _models(spoken)
        prompts = (text_of(line) for line in spoken if line.get("type") == "user")
        yield profile.info(
            agent=self.agent,
            id=_id_of(path, profile.every("sessionId")),
            cwds=cwds,
            version=profile.first("version"),
            subagent=stem(path).startswith("agent-")
            or (bool(spoken) and all(line.get("isSidechain") is True for line in spoken)),
            headless=headless.started_by_program(entrypoint),
            model=models[0] if models else "",
            provider=heldby.chosen(map(heldby.provider_of, models)),
            distillation=heldby.is_distillation(cwds, prompts),
        )

    def entries(self, info: SessionInfo, report: Report | None = None) -> Iterator[Entry]:
        """The entries of the session in order; what was left out is counted in the report."""
        report = Report() if report is None else report
        return self.entries_of(objects(Path(info.path), report), report)

    def entries_of(self, lines: Iterable[JsonObject], report: Report) -> Iterator[Entry]:
        """The entries that consecutive lines of a session hold."""
        reading = Reading(report)
        for line in lines:
            yield from reading.entries(line)
        yield from reading.rest()


def _is_ours(line: JsonObject) -> bool:
    kind = line.get("type")
    if kind in SPOKEN:
        marks = ("sessionId", "uuid", "timestamp")
        return isinstance(line.get("message"), dict) and any(mark in line for mark in marks)
    if kind == "summary":
        return "leafUuid" in line
    return kind in _OTHER and ("sessionId" in line or "messageId" in line or "uuid" in line)


def _models(spoken: Sequence[JsonObject]) -> list[str]:
    """The models that answered, in order; what the client itself wrote has none."""
    messages = (line.get("message") for line in spoken)
    names = (message.get("model") for message in messages if isinstance(message, dict))
    return [cut(name, 100) for name in names if isinstance(name, str) and name[:1] not in ("", "<")]


def _id_of(path: Path, seen: Sequence[str]) -> str:
    """The session's id: a fork repeats lines of its parent, so the file's name decides."""
    name = stem(path)
    if name.startswith("agent-") or not seen:
        return name
    return next((session for session in seen if session in name), seen[-1])
