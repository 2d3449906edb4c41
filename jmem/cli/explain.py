"""``jmem explain``: why a memory is known, and what became of a note or a session."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from jmem import clock, config, forgotten, scopes, sessions
from jmem import state as states
from jmem.cli import grounds, notefate, render
from jmem.cli.options import chosen_scope, json_option
from jmem.cli.sessions import as_row, wanted_of
from jmem.errors import CorruptStore, NotFound
from jmem.formats import sessionfile
from jmem.inputs import ref_of_item
from jmem.layout import FORGOTTEN_FILE
from jmem.model import Item, Memory, SessionSummary
from jmem.scopes import Scope
from jmem.state import ExtractRecord
from jmem.storage import files, memories, statefile
from jmem.storage.history import History
from jmem.storage.past import undone
from jmem.transcripts.reader import Found, Rejected

_DECISION = re.compile(r"(?P<what>[A-Z]+)[^:]*: .*\((?P<why>.*); (?P<ref>session:\S+#\d+)\)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Match:
    """A session that was found, or that only a state file still knows (``found`` is None)."""

    scope: Scope
    session: str
    found: Found | None


@click.command()
@click.argument("identity", metavar="ID")
@click.option("--retry", is_flag=True, help="Let the next distillation read it again.")
@click.option(
    "--sessions",
    "directory",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Look for sessions here.",
)
@click.option("--project", metavar="DIR", help="Whose session it is (default: as it says itself).")
@json_option
def explain(
    identity: str, *, retry: bool, directory: Path | None, project: str | None, as_json: bool
) -> None:
    """Tell why a memory is known: the words that it rests on, who decided and why.

    Or what became of a note. Or of a session: who read it, when, what was taken, and why or why
    not. ID is that of a memory, a note or a session, or the beginning of one; of a session with or
    without the agent's name.
    """
    if not (retry or directory):
        for asked in (grounds, notefate):
            if asked.told(identity, project, as_json=as_json):
                return
    match = _find(identity, directory, project)
    record = statefile.load(match.scope.root).extracted.get(match.session)
    if retry:
        if record is None:
            raise NotFound(f"{match.session} was not read yet", hint="jmem distill reads it")
        statefile.update(
            match.scope.root, lambda old: states.read_again(old, match.session), now=clock.now()
        )
    data = _as_data(match)
    if as_json:
        render.envelope("explain", data)
    else:
        _print(data)


def _find(wanted: str, directory: Path | None, project: str | None) -> _Match:
    """The one session that is meant. Raises NotFound."""
    settings = config.load()
    places = None if directory is None else [directory]
    owner = chosen_scope(project, everywhere=False) if project else None
    found = sessions.find(settings, places, project=owner.directory if owner else "")
    listing = sessions.by_scope(found, settings, project=owner)
    matches: dict[tuple[str, str], _Match] = {}
    for scope, items in listing.by_scope.values():
        for item in items:
            key = sessions.session_key(item.info)
            if _is_meant(wanted, key):
                matches[scope.name, key] = _Match(scope=scope, session=key, found=item)
    for scope in [owner] if owner else scopes.existing():
        for key in statefile.load(scope.root).extracted:
            if _is_meant(wanted, key):
                known = _Match(scope=scope, session=key, found=None)
                matches.setdefault((scope.name, key), known)
    exact = [m for m in matches.values() if wanted in (m.session, m.session.partition(":")[2])]
    chosen = exact if len(exact) == 1 else list(matches.values())
    if len(chosen) == 1:
        return chosen[0]
    if chosen:
        names = ", ".join(sorted(f"{m.session} in {m.scope.name}" for m in chosen)[:5])
        raise NotFound(
            f"{wanted!r} may be several sessions: {names}", hint="--project says whose it is"
        )
    raise _not_found(wanted, listing.rejected)


def _is_meant(wanted: str, key: str) -> bool:
    return bool(wanted) and (key.startswith(wanted) or key.partition(":")[2].startswith(wanted))


def _not_found(wanted: str, rejected: Sequence[Rejected]) -> NotFound:
    """Why there is no such session: a file of that name may be there, and be none."""
    for item in rejected:
        if wanted in Path(item.path).name:
            return NotFound(f"{item.path} is not read: {item.reason}")
    return NotFound(
        f"there is no memory, no note and no session {wanted!r}",
        hint="jmem list --all, jmem notes, jmem sessions --all",
    )


def _as_data(match: _Match) -> dict[str, Any]:
    scope, settings = match.scope, config.load(match.scope.directory)
    state = statefile.load(scope.root)
    record = state.extracted.get(match.session)
    if match.found is not None:
        wanted = wanted_of(settings, max_sessions=0)
        (candidate,) = sessions.select([match.found], state, wanted, clock.now())
        row = as_row(candidate, scope.name)
        info = match.found.info
        row |= {"model": info.model, "provider": info.provider}
    else:
        row = {"session": match.session, "scope": scope.name, "path": "", "cwd": "", "started": ""}
        row |= {"state": "extracted", "reason": "its transcript is gone", "model": ""}
        row |= {"provider": "", "summary": record.summary_file if record else ""}
    return {**row, **_told_of(record), "items": _items(scope, row["summary"])}


def _told_of(record: ExtractRecord | None) -> dict[str, Any]:
    """What is recorded of the last reading."""
    if record is None:
        return {"read": None, "extracted_by": "", "error": "", "fail_count": 0, "note": ""}
    return {
        "read": clock.text(record.at),
        "extracted_by": record.extracted_by,
        "error": record.error,
        "fail_count": record.fail_count,
        "note": record.reason,
    }


def _items(scope: Scope, path: str) -> list[dict[str, Any]]:
    text = files.read_text(scope.root / path) if path else None
    if text is None:
        return []
    try:
        summary = sessionfile.parse(text, found=clock.now())
    except CorruptStore:
        return []
    fates = _Fates(scope)
    return [_item(summary, item, fates) for item in summary.items]


def _item(summary: SessionSummary, item: Item, fates: _Fates) -> dict[str, Any]:
    ref = ref_of_item(summary.session, item.number)
    memory, fate = fates.of(ref)
    return {
        "number": item.number,
        "kind": item.kind,
        "text": item.text,
        "trust": item.trust.value,
        "evidence": ref,
        "memory": memory,
        "fate": fate,
    }


class _Fates:
    """What became of items, from the memory files, the forgotten, and the history."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def of(self, ref: str) -> tuple[str, str]:
        """The id of the memory that rests on an item, if any, and its fate in a few words."""
        memory = self._memories.get(ref)
        if memory is not None:
            return memory.id, _fate_of(memory)
        for entry in self._forgotten:
            if ref in entry.evidence:
                return entry.id, f"forgotten on {clock.day(entry.date)}"
        return "", self._decisions.get(ref, "waits for the next distillation")

    @cached_property
    def _memories(self) -> Mapping[str, Memory]:
        """Reference -> the memory that rests on it, one in force before any other."""
        held = memories.load(self._scope.root).memories.values()
        ordered = sorted(held, key=lambda memory: memory.active)
        return {ref: memory for memory in ordered for ref in memory.evidence}

    @cached_property
    def _forgotten(self) -> list[forgotten.Forgotten]:
        return list(forgotten.parse(files.read_text(self._scope.root / FORGOTTEN_FILE) or ""))

    @cached_property
    def _decisions(self) -> Mapping[str, str]:
        """Reference -> the last decision on it, as the message of its run has it."""
        found: dict[str, str] = {}
        runs = History(self._scope.root).log(runs_only=True)
        gone = undone(runs)
        for commit in runs:
            void = f"its run {commit.run} was taken back" if commit.run in gone else ""
            for line in commit.body.split("\n"):
                if match := _DECISION.match(line.strip()):
                    found.setdefault(match["ref"], void or f"{match['what']}: {match['why']}")
        return found


def _fate_of(memory: Memory) -> str:
    if memory.active:
        return "in force"
    by = f" by {memory.superseded_by}" if memory.superseded_by else ""
    return f"{memory.status}{by}" + (f": {memory.reason}" if memory.reason else "")


def _print(data: Mapping[str, Any]) -> None:
    render.line(f"{data['session']}  ({data['scope']})")
    who = " ".join(filter(None, (data["provider"], data["model"])))
    read = f"{data['read']} by {data['extracted_by'] or 'an older jmem'}" if data["read"] else ""
    failures = f"{data['fail_count']} in a row: {data['error']}" if data["fail_count"] else ""
    for name, value in (
        ("file", data["path"]),
        ("state", f"{data['state']}: {data['reason']}" if data["reason"] else data["state"]),
        ("held with", who),
        ("read", read),
        ("failures", failures),
        ("note", data["note"]),
        ("summary", data["summary"]),
    ):
        if value:
            render.line(f"  {name:9}  {value}")
    for item in data["items"]:
        where = f"{item['memory']}, " if item["memory"] else ""
        render.line(f"  {item['number']}. [{item['kind']}] {item['text']}")
        render.line(f"     {where}{item['fate']}")
