"""Sessions of Gemini CLI: one JSON object until version 0.39, an object a line since."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jmem.transcripts import heldby
from jmem.transcripts.beginning import Beginning
from jmem.transcripts.discovery import files_under
from jmem.transcripts.entries import Entry, Report, SessionInfo, cut
from jmem.transcripts.gemini_lines import Reading, messages, rewound, text_of
from jmem.transcripts.jsonl import JsonObject, objects
from jmem.transcripts.moments import moment
from jmem.transcripts.profile import Profile, first_objects, stem

_CHATS = "chats"
_TIMES = ("timestamp", "startTime", "lastUpdated")


class Gemini:
    """The reader of Gemini CLI's session files.

    A line may come again under the same id with more in it, and user and client may take lines
    back: so a run of lines cannot be read by itself.
    """

    agent = "gemini"
    in_project = ()

    def roots(self, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
        """The folder that holds a folder for every project."""
        configured = environ.get("GEMINI_CLI_HOME")
        return ((Path(configured) if configured else home) / ".gemini" / "tmp",)

    def discover(self, root: Path) -> Iterator[Path]:
        """The sessions in the chats of every project, the sub-agents' among them."""
        for path in files_under(root, (".json", ".jsonl")):
            if _CHATS in path.relative_to(root).parts:
                yield path

    def recognises(self, beginning: Beginning) -> bool:
        """Whether the first objects of a file are Gemini CLI's."""
        return any(_is_head(line) for line in beginning.objects)

    def sessions(self, path: Path) -> Iterator[SessionInfo]:
        """What the head and the first and last messages say of the session.

        The head names its project by a hash alone: the directory is what the client keeps beside.
        """
        profile = Profile.of(path)
        head = next((line for line in profile.objects if _is_head(line)), {})
        updates = [line["$set"] for line in profile.objects if isinstance(line.get("$set"), dict)]
        spoken = [message for line in profile.objects for message in messages(line)]
        cwds = _directories(path, head, updates)
        models = [cut(name, 100) for each in spoken if isinstance(name := each.get("model"), str)]
        prompts = (text_of(each.get("content")) for each in spoken if each.get("type") == "user")
        told = [each.get(key) for each in (head, *updates, *spoken) for key in _TIMES]
        yield profile.info(
            agent=self.agent,
            id=str(head.get("sessionId") or stem(path)),
            cwds=cwds,
            times=map(moment, told),
            subagent=head.get("kind") == "subagent" or _is_nested(path),
            model=models[0] if models else "",
            provider=heldby.chosen(map(heldby.provider_of, models)),
            distillation=heldby.is_distillation(cwds, prompts),
        )

    def entries(self, info: SessionInfo, report: Report | None = None) -> Iterator[Entry]:
        """The entries of the session in order; what was left out is counted in the report."""
        report = Report() if report is None else report
        path = Path(info.path)
        reading = Reading(report, rewound(path))
        for line in objects(path, report):
            yield from reading.entries(line)


def _is_head(line: JsonObject) -> bool:
    return isinstance(line.get("sessionId"), str) and isinstance(line.get("projectHash"), str)


def _is_nested(path: Path) -> bool:
    """Whether the file stands in the folder of another session: then an agent started it."""
    return path.parent.name != _CHATS and path.parent.parent.name == _CHATS


def _directories(
    path: Path, head: Mapping[str, Any], updates: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Every directory of the session, that of its project first."""
    project = _project(path, str(head.get("projectHash") or ""))
    named = [each.get("directories") for each in (head, *updates)]
    more = (name for each in named if isinstance(each, list) for name in each)
    found = [cut(name, 1000) for name in (project, *more) if isinstance(name, str) and name]
    return list(dict.fromkeys(found))


def _project(path: Path, digest: str) -> str:
    """The directory of the project in whose chats a file stands.

    The client writes it beside them since it names the folders by words; where it does not, it is
    that one of the directories which it knows whose hash the session gives.
    """
    chats = next((folder for folder in path.parents if folder.name == _CHATS), None)
    if chats is None or len(chats.parents) < 3:
        return ""
    try:
        return (chats.parent / ".project_root").read_text("utf-8").strip()
    except (OSError, ValueError):
        base = chats.parents[2]
    known = [
        name for file in ("projects.json", "trustedFolders.json") for name in _keys(base / file)
    ]
    return next((name for name in known if _hash(name) == digest), "")


def _keys(file: Path) -> list[str]:
    """The directories that a file of the client is about; none where there is no such file."""
    if not file.is_file():
        return []
    content = next(iter(first_objects(file)), {})
    inner = content.get("projects", content)
    return [name for name in inner if isinstance(name, str)] if isinstance(inner, dict) else []


def _hash(directory: str) -> str:
    return hashlib.sha256(directory.encode("utf-8", "replace")).hexdigest()
