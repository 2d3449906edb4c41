"""What became of the memories that each engine made."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from jmem import quality
from jmem.model import Memory, Status
from jmem.quality import Credit

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)


def memory(key: str, **fields: Any) -> Memory:
    return Memory(id=key, text="Use uv.", created=NOW, updated=NOW, **fields)


def test_kept_edited_and_forgotten_are_counted_for_each_engine() -> None:
    known = {
        "openai:m decide-1": Credit(inputs=7, made=("a", "b", "c", "d", "e"), edited=("c",)),
        "rules": Credit(inputs=2, made=("z",)),
    }
    memories = [
        memory("a"),
        memory("b", evidence=("note:b", "hand:2026-07-04")),
        memory("c"),
        memory("d", status=Status.FORGOTTEN),
        memory("z", evidence=("hand:z",)),
    ]
    counted = quality.counts(known, {one.id: one for one in memories})
    assert counted["openai:m decide-1"] == {
        "inputs": 7,
        "made": 5,
        "kept": 1,
        "edited": 2,
        "forgotten": 2,
    }
    assert counted["rules"]["kept"] == 1


def test_credits_add_up_and_name_a_memory_once() -> None:
    one = {"rules": Credit(inputs=2, made=("a",))}
    other = {"rules": Credit(inputs=1, made=("a", "b"), edited=("a",)), "m": Credit(inputs=1)}
    total = quality.summed(one, other)
    assert total["rules"] == Credit(inputs=3, made=("a", "b"), edited=("a",))
    assert total["m"].inputs == 1


def test_an_edited_file_counts_for_who_made_it() -> None:
    known = {"rules": Credit(made=("a", "b")), "m": Credit(made=("c",))}
    assert quality.of_edits(known, {"b", "x"}) == {"rules": Credit(edited=("b",))}


def test_credits_survive_the_state_file_and_nonsense_does_not() -> None:
    known = {"rules": Credit(inputs=2, made=("a", "b"), edited=("a",)), "m": Credit()}
    assert quality.from_json(quality.to_json(known)) == known
    assert quality.from_json({"x": 3, "y": {"inputs": "many", "made": 4}}) == {"y": Credit()}
    assert quality.from_json([1]) == {}
