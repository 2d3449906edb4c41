"""Sessions of GitHub Copilot CLI: events with a payload, an object a line.

Known from the schema of the events that its makers publish, and from samples that others collected;
no session of a real client was at hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jmem.transcripts import heldby
from jmem.transcripts.beginning import Beginning
from jmem.transcripts.copilot_events import Reading, payload
from jmem.transcripts.discovery import files_under
from jmem.transcripts.entries import Entry, Report, SessionInfo, cut
from jmem.transcripts.jsonl import JsonObject, objects
from jmem.transcripts.profile import Profile, stem

_STARTED = ("session.start", "session.resume")
_EVENTS = "events"
_TRUSTED = re.compile(r"^Folder (.{1,1000}) has been added to trusted folders")


class Copilot:
    """The reader of Copilot CLI's session files."""

    agent = "copilot"
    in_project = ()

    def roots(self, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
        """The folder that holds a folder, or in older versions a file, for every session."""
        configured = environ.get("COPILOT_HOME")
        return ((Path(configured) if configured else home / ".copilot") / "session-state",)

    def discover(self, root: Path) -> Iterator[Path]:
        """The events of every session; what the agent keeps beside them is none."""
        for path in files_under(root, (".jsonl",)):
            if path.parent == root or stem(path) == _EVENTS:
                yield path

    def recognises(self, beginning: Beginning) -> bool:
        """Whether the first objects of a file are Copilot CLI's."""
        return any(_is_ours(line) for line in beginning.objects)

    def sessions(self, path: Path) -> Iterator[SessionInfo]:
        """What the first and last events say of the session."""
        profile = Profile.of(path)
        lines = profile.objects
        heads = [payload(line) for line in lines if line.get("type") in _STARTED]
        cwds = _cwds(lines, heads)
        models = _models(lines, heads)
        prompts = (str(payload(each).get("content") or "") for each in lines if _is_prompt(each))
        yield profile.info(
            agent=self.agent,
            id=_id_of(path, heads),
            cwds=cwds,
            version=cut(str(_first(heads, "copilotVersion")), 40),
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


def _is_ours(line: JsonObject) -> bool:
    kind = line.get("type")
    dotted = isinstance(kind, str) and "." in kind
    return dotted and isinstance(line.get("data"), dict) and "parentId" in line


def _is_prompt(line: JsonObject) -> bool:
    return line.get("type") == "user.message"


def _id_of(path: Path, heads: Sequence[Mapping[str, Any]]) -> str:
    named = stem(path)
    return str(_first(heads, "sessionId") or (path.parent.name if named == _EVENTS else named))


def _first(heads: Sequence[Mapping[str, Any]], key: str) -> object:
    return next((head[key] for head in heads if head.get(key)), "")


def _cwds(lines: Sequence[JsonObject], heads: Sequence[Mapping[str, Any]]) -> list[str]:
    """Every directory named; older versions say it only where the user trusts a folder."""
    changed = [payload(line) for line in lines if line.get("type") == "session.context_changed"]
    contexts = [head.get("context") for head in heads] + list(changed)
    named = [context.get("cwd") for context in contexts if isinstance(context, dict)]
    if not any(named):
        told = (payload(line).get("message") for line in lines)
        matches = (_TRUSTED.match(text) for text in told if isinstance(text, str))
        named = [match[1] for match in matches if match]
    return list(dict.fromkeys(cut(cwd, 1000) for cwd in named if isinstance(cwd, str) and cwd))


def _models(lines: Sequence[JsonObject], heads: Sequence[Mapping[str, Any]]) -> list[str]:
    keys = ("newModel", "selectedModel", "chosenModel", "model")
    held = (*heads, *map(payload, lines))
    found = (each.get(key) for each in held for key in keys)
    return list(dict.fromkeys(cut(name, 100) for name in found if isinstance(name, str) and name))
