"""Sessions of the two agents that are called jcode. Both keep them in ``~/.jcode/sessions``.

The one written in Rust keeps a session as one JSON object, and what was said since in a journal
beside it. The one written in Go keeps an object a line, in a ``.json`` file too. Both are known
from their sources; no session of either was at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from jmem.transcripts import heldby
from jmem.transcripts.beginning import Beginning
from jmem.transcripts.discovery import files_under
from jmem.transcripts.entries import Entry, Report, SessionInfo, cut
from jmem.transcripts.jcode_lines import Reading, head_of, is_ours, messages, words_of
from jmem.transcripts.jsonl import objects
from jmem.transcripts.moments import moment
from jmem.transcripts.profile import Profile, stem

_JOURNAL = ".journal.jsonl"
_SUBAGENTS = "subagents"


class JCode:
    """The reader of both formats.

    A session of the first is written anew as it grows, and both stand in ``.json`` files: neither
    has lines that could be read by themselves.
    """

    agent = "jcode"
    in_project = ()

    def roots(self, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
        """The folder that holds all sessions."""
        configured = environ.get("JCODE_HOME")
        return ((Path(configured) if configured else home / ".jcode") / "sessions",)

    def discover(self, root: Path) -> Iterator[Path]:
        """The sessions and those of sub-agents; a journal is read with its session."""
        for path in files_under(root, (".json", ".jsonl")):
            if not path.name.endswith(_JOURNAL):
                yield path

    def recognises(self, beginning: Beginning) -> bool:
        """Whether a file begins as a session of either."""
        return any(map(is_ours, beginning.objects[:1]))

    def sessions(self, path: Path) -> Iterator[SessionInfo]:
        """What the head and the last lines say of the session.

        A session with a parent may be a fork or the work of a sub-agent, which are not told apart:
        it is taken for a sub-agent's, whose "user" is an agent.
        """
        profile, journal = Profile.of(path), _journal_of(path)
        later = Profile.of(journal) if journal.is_file() else None
        lines = [*profile.objects, *(later.objects if later else ())]
        head = head_of(lines)
        said = [message for line in lines for message in messages(line)]
        cwd = cut(str(head.get("working_dir") or head.get("project") or ""), 1000)
        cwds = [cwd] if cwd else []
        model = cut(str(head.get("model") or ""), 100)
        provider = cut(str(head.get("provider_key") or head.get("provider") or ""), 100)
        times = [head.get("created_at"), head.get("updated_at")]
        info = profile.info(
            agent=self.agent,
            id=str(head.get("id") or head.get("uuid") or stem(path)),
            cwds=cwds,
            times=map(moment, [*times, *(message.get("timestamp") for message in said)]),
            subagent=bool(head.get("parent_id")) or path.parent.name == _SUBAGENTS,
            headless=head.get("is_debug") is True,
            model=model,
            provider=heldby.chosen((provider, heldby.provider_of(model))),
            distillation=heldby.is_distillation(cwds, map(words_of, said)),
            beside=(str(journal),),
        )
        if later is not None:
            size, time = info.size_bytes + later.size, max(info.mtime, later.mtime)
            info = replace(info, size_bytes=size, mtime=time)
        yield info

    def entries(self, info: SessionInfo, report: Report | None = None) -> Iterator[Entry]:
        """The entries of the session in order; what was left out is counted in the report."""
        report = Report() if report is None else report
        path, reading = Path(info.path), Reading(report)
        journal = _journal_of(path)
        for file in (path, journal) if journal.is_file() else (path,):
            for line in objects(file, report):
                yield from reading.entries(line)


def _journal_of(path: Path) -> Path:
    """The file that holds what was said since the session was written as a whole."""
    return path.with_name(stem(path) + _JOURNAL)
