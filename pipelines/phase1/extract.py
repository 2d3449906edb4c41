"""The summary of a session without a model: a pure function of its entries.

Most sessions hold nothing durable, and then none is found. A wrong item is worse than a
missed one: whatever is doubtful is left to the summary, which nobody injects as a fact.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jmem.transcripts.entries import (
    Compaction,
    Entry,
    Role,
    SessionInfo,
    ToolCall,
    ToolResult,
    Turn,
)
from pipelines.phase1.commands import Commands
from pipelines.phase1.durable import DurableItem, Words, best
from pipelines.phase1.excerpts import Excerpts
from pipelines.phase1.outline import Outline
from pipelines.phase1.unwanted import UNWANTED, Wishes

MIN_ENTRIES = 4
"""A session of fewer entries has no course that a summary could tell. It may still hold a word of
the user's that lasts: one request, and the answer to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What phase 1 makes of a session. Without a summary there is nothing to write down.

    ``carried`` and ``said`` are excerpts beside it (``pipelines.phase1.excerpts``). ``by_model``:
    a model was asked; ``refused``: why items that it proposed were left out.
    """

    summary: str = ""
    carried: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    outcome: str = "uncertain"
    slug: str = ""
    items: tuple[DurableItem, ...] = ()
    user_turns: int = 0
    entries: int = 0
    by_model: bool = False
    refused: tuple[str, ...] = ()


def extract(info: SessionInfo, entries: Iterable[Entry], *, project: str) -> Extraction:
    """The summary and the durable items of a session, read once from beginning to end.

    ``project`` is the directory that paths are shown relative to (empty: where the session began).
    A sub-agent's session, one of fewer than four entries without a durable item, and one that the
    user does not want to be remembered give nothing.
    """
    outline, words, commands = Outline(project or info.cwd), Words(), Commands()
    excerpts, wishes = Excerpts(), Wishes()
    user_turns = count = 0
    for entry in excerpts.follow(wishes.follow(entries)):
        count += 1
        match entry:
            case Turn(role=Role.USER):
                user_turns += 1
                outline.user(entry)
                words.add(entry)
            case Turn():
                outline.assistant(entry)
            case ToolCall():
                outline.call(entry)
                commands.call(entry)
            case ToolResult():
                outline.result(entry)
                commands.result(entry)
            case Compaction():
                pass
    if wishes.unwanted:
        return Extraction(user_turns=user_turns, entries=count, refused=(UNWANTED,))
    if not user_turns or info.subagent:
        return Extraction(user_turns=user_turns, entries=count)
    chosen = best([*words.candidates(), *commands.candidates()])
    if count < MIN_ENTRIES and not chosen:
        return Extraction(user_turns=user_turns, entries=count)
    summary = outline.summary()
    carried, said = excerpts.beside(summary)
    return Extraction(
        summary=summary,
        carried=carried,
        said=said,
        outcome=outline.outcome(),
        slug=outline.slug(),
        items=tuple(candidate.item for candidate in chosen),
        user_turns=user_turns,
        entries=count,
    )
