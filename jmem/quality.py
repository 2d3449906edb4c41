"""What each engine brought: memories made, and what became of them. Pure.

An engine is a decider and the version of its prompts. Only ids are kept; whether a memory is in
force, edited or forgotten stands in its file, and is counted when somebody asks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jmem.model import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """``inputs``: how many an engine has decided on. ``made``: the memories that it made of
    them, ``edited``: those whose files a person changed."""

    inputs: int = 0
    made: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()


def summed(known: Mapping[str, Credit], fresh: Mapping[str, Credit]) -> dict[str, Credit]:
    """The credits of all runs after one more."""
    total = dict(known)
    for engine, credit in fresh.items():
        before = total.get(engine, Credit())
        total[engine] = Credit(
            inputs=before.inputs + credit.inputs,
            made=tuple(dict.fromkeys((*before.made, *credit.made))),
            edited=tuple(dict.fromkeys((*before.edited, *credit.edited))),
        )
    return total


def of_edits(known: Mapping[str, Credit], touched: Collection[str]) -> dict[str, Credit]:
    """The credits that say which engine's memories a person edited in their files."""
    edits = {engine: [key for key in c.made if key in touched] for engine, c in known.items()}
    return {engine: Credit(edited=tuple(keys)) for engine, keys in edits.items() if keys}


def counts(known: Mapping[str, Credit], memories: Mapping[str, Memory]) -> dict[str, Any]:
    """For each engine: inputs decided on, memories made, and how many of these are in force as
    they were made, were edited by a person, or were forgotten again."""
    told = {}
    for engine, credit in sorted(known.items()):
        made = {key: memories.get(key) for key in credit.made}
        gone = {key for key, m in made.items() if m is None or m.status == "forgotten"}
        edited = {k for k, m in made.items() if m and (k in credit.edited or _edited(m))} - gone
        kept = {key for key, m in made.items() if m and m.active} - edited
        told[engine] = {
            "inputs": credit.inputs,
            "made": len(made),
            "kept": len(kept),
            "edited": len(edited),
            "forgotten": len(gone),
        }
    return told


def _edited(memory: Memory) -> bool:
    """Whether a person changed its statement; what a person wrote to begin with is no edit."""
    return any(ref.startswith("hand:") for ref in memory.evidence[1:])


def to_json(known: Mapping[str, Credit]) -> dict[str, Any]:
    """The credits as JSON data: ids joined by spaces, for there are many."""
    return {
        engine: {
            "inputs": credit.inputs,
            "made": " ".join(credit.made),
            "edited": " ".join(credit.edited),
        }
        for engine, credit in sorted(known.items())
    }


def from_json(data: Any) -> dict[str, Credit]:
    """The credits in JSON data; parts of the wrong shape are left out."""
    rows = data.items() if isinstance(data, dict) else ()
    return {str(engine): _credit(row) for engine, row in rows if isinstance(row, dict)}


def _credit(row: Mapping[str, Any]) -> Credit:
    inputs, made, edited = row.get("inputs"), row.get("made"), row.get("edited")
    return Credit(
        inputs=inputs if isinstance(inputs, int) else 0,
        made=tuple(made.split()) if isinstance(made, str) else (),
        edited=tuple(edited.split()) if isinstance(edited, str) else (),
    )
