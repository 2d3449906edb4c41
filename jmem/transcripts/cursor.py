"""Sessions of Cursor's agent: the transcript that it writes, an object a line.

Known from samples that others collected; no session of a real client was at hand. A line has
neither time nor directory nor id: the session ended when its file was written last, and was held in
the directory that the folder's name stands for, if there is one such. Not read are the older
``.txt`` transcripts, and the databases of chats: what orders their messages is documented nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from jmem.transcripts import heldby
from jmem.transcripts.beginning import Beginning
from jmem.transcripts.blocks import blocks, joined
from jmem.transcripts.discovery import files_under
from jmem.transcripts.entries import Entry, Report, SessionInfo
from jmem.transcripts.flattened import directory_of
from jmem.transcripts.jsonl import JsonObject, objects
from jmem.transcripts.profile import Profile, stem
from jmem.transcripts.speech import answered, said
from jmem.transcripts.tools import tool_call, tool_result

_FOLDER = "agent-transcripts"
_ROLES = ("user", "assistant")
_TYPED = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL)
_HIDDEN = "[REDACTED]"
_CALLS = ("tool_use", "tool_call", "tool-call")
_RESULTS = ("tool_result", "tool-result")


class Cursor:
    """The reader of Cursor's agent transcripts."""

    agent = "cursor"
    in_project = ()

    def roots(self, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
        """The folder that holds a folder for every project."""
        return (home / ".cursor" / "projects",)

    def discover(self, root: Path) -> Iterator[Path]:
        """The transcripts of every project, the sub-agents' among them."""
        for path in files_under(root, (".jsonl",)):
            if _FOLDER in path.relative_to(root).parts:
                yield path

    def recognises(self, beginning: Beginning) -> bool:
        """Whether the first objects of a file are a transcript of Cursor's."""
        return any(_is_ours(line) for line in beginning.objects)

    def sessions(self, path: Path) -> Iterator[SessionInfo]:
        """What the file itself, its place and its first lines say of the session."""
        profile = Profile.of(path)
        folder = next((each for each in path.parents if each.name == _FOLDER), None)
        directory = directory_of(folder.parent.name) if folder else ""
        cwds = [directory] if directory else []
        prompts = (_typed(joined(_content(line))) for line in profile.objects)
        yield profile.info(
            agent=self.agent,
            id=stem(path),
            cwds=cwds,
            times=[datetime.fromtimestamp(profile.mtime, tz=UTC)],
            subagent=path.parent.name == "subagents",
            distillation=heldby.is_distillation(cwds, prompts),
        )

    def entries(self, info: SessionInfo, report: Report | None = None) -> Iterator[Entry]:
        """The entries of the session in order; what was left out is counted in the report."""
        report = Report() if report is None else report
        return self.entries_of(objects(Path(info.path), report), report)

    def entries_of(self, lines: Iterable[JsonObject], report: Report) -> Iterator[Entry]:
        """The entries that consecutive lines of a session hold."""
        for line in lines:
            if _is_ours(line):
                yield from _message(line, report)
            else:
                report.skip(f"{str(line.get('type'))[:40]} line")


def _is_ours(line: JsonObject) -> bool:
    message = line.get("message")
    if line.get("role") not in _ROLES or not isinstance(message, dict):
        return False
    return isinstance(message.get("content"), str | list) and "type" not in line


def _content(line: JsonObject) -> list[dict[str, object]]:
    message = line.get("message")
    return blocks(message.get("content")) if isinstance(message, dict) else []


def _message(line: JsonObject, report: Report) -> Iterator[Entry]:
    """The entries of one line: an assistant's blocks in order, or what the user typed."""
    content = _content(line)
    if line["role"] == "user":
        text = joined(content)
        if text:
            yield from said(_typed(text), None, report)
        for block in content:
            if block.get("type") in _RESULTS:
                text = joined(blocks(block.get("content")))
                failed = block.get("is_error") is True
                yield tool_result(block.get("tool_use_id"), text, None, failed=failed)
        return
    for block in content:
        kind = block.get("type")
        if kind == "text" and block.get("text") != _HIDDEN:
            yield from answered(str(block.get("text") or ""), None)
        elif kind in _CALLS:
            yield tool_call(block.get("name"), block.get("input"), block.get("id"), None)
        else:
            report.skip("thinking" if kind in ("text", "thinking") else "unknown block")


def _typed(text: str) -> str:
    """What the user typed: the client marks it, where it puts anything beside it."""
    return "\n\n".join(found.strip() for found in _TYPED.findall(text)) or text
