"""Members of a series are as alike as statements can be, and none of them changes another."""

from __future__ import annotations

import pytest

from pipelines.rules.compare import Relation, at_a_glance, compare
from pipelines.rules.replacement import repeats


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("fact number 1 about thing1", "fact number 2 about thing2"),
        ("Fact 7: the flange rotates", "Fact 8: the flange is fixed"),
        ("note number 17 from worker 3", "note number 18 from worker 3"),
        ("note 17 of process 3", "note 17 of process 4"),
        ("w0 wrote the note 3", "w1 wrote the note 3"),
        ("Service A listens on port 8001", "Service B listens on port 8002"),
        ("Module 5 handles feature 5", "Module 6 handles feature 6"),
        ("Step 1: build the image", "Step 2: deploy the image"),
        ("Issue #12 is about caching", "Issue #13 is about locks"),
        ("Notiz Nummer 4", "Notiz Nummer 5"),
        ("笔记编号 4", "笔记编号 5"),
    ],
)
def test_another_member_of_a_series_is_another_fact(known: str, new: str) -> None:
    assert compare(known, new).relation is Relation.DIFFERENT
    assert at_a_glance(known, new).relation is Relation.DIFFERENT
    assert not repeats(known, new)


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Service A listens on port 8001", "Service A listens on port 8002"),
        ("Step 1 is to build the image with docker", "Step 1 is to build the image with podman"),
        ("Issue #12 is open", "Issue #12 is closed"),
        ("Retry 3 times before giving up", "Retry 5 times before giving up"),
        ("Node 18 is required", "Node 20 is required"),
    ],
)
def test_another_value_of_the_same_member_is_a_change(known: str, new: str) -> None:
    assert compare(known, new).relation is Relation.SUPERSEDES
