"""What a lost ``state.json`` knew, as far as the files and the history still know it; and a history
in place of a lost one."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from jmem import clock, edits
from jmem.errors import CorruptStore, Refused
from jmem.formats import sessionfile
from jmem.layout import INDEX_FILE, MEMORIES_DIR, SUMMARIES_DIR
from jmem.state import ConsolidationRecord, ExtractRecord, State
from jmem.storage import curated, files, masking, memories, statefile
from jmem.storage.curated import SESSION_TRAILER
from jmem.storage.history import CHANGE_TRAILER, RUN_TRAILER, History

BEGINNING = "beginning"
"""What the first commit of a history calls itself that stands in for a lost one."""


def rebuilt(scope_root: Path, history: History, state: State) -> State:
    """The state with every extraction that a session summary or a commit trailer bears witness to.

    Without them a session would be read again, and what was forgotten might come back.
    """
    extracted: dict[str, ExtractRecord] = {}
    runs = history.log(runs_only=True)
    for commit in reversed(runs):
        for line in commit.body.split("\n"):
            name, _, session = line.partition(": ")
            if name == SESSION_TRAILER and session:
                extracted[session] = ExtractRecord(at=commit.at, reason="known from the history")
    for path in sorted((scope_root / SUMMARIES_DIR).glob("*.md")):
        text = files.read_text(path) or ""
        try:
            summary = sessionfile.parse(text, found=clock.EPOCH)
        except CorruptStore:
            continue
        if summary.session:
            relative = path.relative_to(scope_root).as_posix()
            record = ExtractRecord(
                at=summary.extracted, summary_file=relative, extracted_by=summary.extracted_by
            )
            extracted[summary.session] = record
    last = state.last_consolidation
    newest = next((run for run in runs if not run.change), None)
    if last is None and newest is not None:
        last = ConsolidationRecord(
            at=newest.at, commit=newest.sha, run=newest.run, changed_at=newest.at
        )
    return replace(
        state,
        extracted={**extracted, **state.extracted},
        last_consolidation=last,
        incomplete=False,
    )


def begun_anew(
    scope_root: Path,
    history: History,
    state: State,
    *,
    now: datetime,
    accept_deletions: bool = False,
) -> bool:
    """Begin a history where that of earlier runs is gone, and tell whether it was.

    What stands in the scope counts as what the last run wrote: nobody can say any more what a
    person changed since. Raises Refused where most of what the views list has no file any more.
    """
    last = state.last_consolidation
    if history.exists or last is None:
        return False
    lost, had = memories.vanished(scope_root, memories.load(scope_root))
    if edits.most(lost, had) and not accept_deletions:
        raise Refused(
            f"{lost} of {had} entries are gone from {MEMORIES_DIR}, and the history in git is gone "
            "too: no memory was changed",
            hint="if you meant it: jmem distill --accept-deletions; if not, put the files back "
            f"from a copy ({INDEX_FILE} still shows what they said)",
        )
    trailers = f"{RUN_TRAILER}: {last.run}\n{CHANGE_TRAILER}: {BEGINNING}\n"
    message = f"Begin the history anew\n\nThe earlier one is gone.\n\n{trailers}"
    with curated.changing(scope_root):
        masking.mask(scope_root)
        history.ensure()
        commit = history.commit_all(message, now=now)
    begun = replace(last, commit=commit)
    statefile.update(scope_root, lambda old: replace(old, last_consolidation=begun))
    return True
