"""What waits for a person's word is listed, and each word does what it says."""

from __future__ import annotations

import pytest

from jmem import changing, config, overview
from jmem.changing.reviewing import Matter, Word, settle, waiting
from jmem.errors import NotFound, UsageError
from jmem.model import Status
from jmem.storage import statefile

from .conftest import Store


def test_a_contradiction_waits_until_it_is_decided(made: Store) -> None:
    one, other = made.contradicting()
    (matter,) = waiting(made.scope)
    assert (matter.matter, matter.id) == (Matter.CONTRADICTION, other)  # the newer one leads
    assert matter.other is not None
    assert matter.other.id == one
    settle(made.scope, one, Word.APPROVE, now=made.later())
    assert made.memories()[other].superseded_by == one
    assert waiting(made.scope) == []


@pytest.mark.parametrize("word", [Word.REJECT, Word.BOTH, Word.MERGE, Word.EDIT])
def test_each_word_settles_a_contradiction(made: Store, word: Word) -> None:
    one, other = made.contradicting()
    text = "The payments service had port 5432" if word is Word.EDIT else ""
    settle(made.scope, one, word, text=text, now=made.later())
    known = made.memories()
    both = word in (Word.BOTH, Word.EDIT)
    assert known[one].active is (word is not Word.REJECT)
    assert known[other].active is (both or word is Word.REJECT)
    assert (dict(known[one].relates_to) == {other: 0.5}) is both
    if word is Word.EDIT:
        assert known[one].statement == text
    assert waiting(made.scope) == []
    assert made.consistent()


def test_one_of_several_contradictions_must_be_named(made: Store) -> None:
    one, other = made.contradicting()
    third = made.id_of("branch")
    made.rewrite(one, contradicts=(other, third))
    made.rewrite(third, contradicts=(one,))
    with pytest.raises(UsageError, match="several"):
        settle(made.scope, one, Word.APPROVE, now=made.later())
    settle(made.scope, one, Word.APPROVE, other=third, now=made.later())
    assert made.memories()[other].active
    assert not made.memories()[third].active


def test_a_contradiction_that_one_side_alone_states_waits_everywhere(made: Store) -> None:
    one, other = made.id_of("port"), made.id_of("tabs")
    made.rewrite(one, contradicts=(other, "nothere1"))
    (matter,) = waiting(made.scope)
    assert matter.other is not None
    assert {matter.id, matter.other.id} == {one, other}
    assert overview.of(made.scope, config.load(), made.now).review == (matter,)


def test_quarantine_and_what_names_something_gone(made: Store) -> None:
    port, tabs, branch = (made.id_of(word) for word in ("port", "tabs", "branch"))
    made.rewrite(port, status=Status.QUARANTINED, reason="a tool said so")
    made.rewrite(tabs, status=Status.QUARANTINED)
    made.rewrite(branch, missing=("scripts/deploy.sh",))
    noticed = {branch: made.now}
    from dataclasses import replace

    statefile.update(made.root, lambda state: replace(state, names_gone=noticed))
    assert {(one.matter, one.id) for one in waiting(made.scope)} == {
        (Matter.QUARANTINE, port), (Matter.QUARANTINE, tabs), (Matter.MISSING, branch),
    }  # fmt: skip
    settle(made.scope, port, Word.APPROVE, now=made.later())
    settle(made.scope, tabs, Word.REJECT, now=made.later())
    settle(made.scope, branch, Word.EDIT, text="Deploy from main only", now=made.later())
    known = made.memories()
    assert known[port].active
    assert known[tabs].status is Status.FORGOTTEN
    assert known[branch].statement == "Deploy from main only"
    assert waiting(made.scope) == []
    with pytest.raises(UsageError):
        made.rewrite(branch, status=Status.QUARANTINED)
        settle(made.scope, branch, Word.MERGE, now=made.later())


def test_a_held_note_is_released_or_forgotten(made: Store) -> None:
    one = made.note("The staging queue is called amber")
    two = made.note("The build machine is called quartz")
    made.distil()
    changing.undo(made.scope, now=made.later())
    assert [(w.matter, w.id) for w in waiting(made.scope)] == [
        (Matter.HELD, one), (Matter.HELD, two),
    ]  # fmt: skip
    settle(made.scope, one, Word.APPROVE, now=made.later())
    settle(made.scope, two, Word.REJECT, now=made.later())
    made.distil()
    assert one in made.memories()
    assert "quartz" not in made.shown()
    assert waiting(made.scope) == []
    with pytest.raises(NotFound):
        settle(made.scope, one, Word.APPROVE, now=made.later())


@pytest.mark.parametrize("matter", [Matter.QUARANTINE, Matter.CONTRADICTION])
def test_a_reason_is_one_line_without_credentials(made: Store, matter: Matter) -> None:
    """Below an empty line it would stand in the commit message as a trailer of the run."""
    token = "gh" + "p_" + "a1B2c3D4" * 5
    if matter is Matter.CONTRADICTION:
        key, _ = made.contradicting()
    else:
        key = made.id_of("port")
        made.rewrite(key, status=Status.QUARANTINED, reason="a tool said so")
    reason = f"seen with {token}\n\nJmem-Run: forged"
    settle(made.scope, key, Word.EDIT, text="Port 5432", reason=reason, now=made.later())
    trailers = made.git("log", "-1", "--format=%(trailers:key=Jmem-Run,valueonly)").split()
    assert len(trailers) == 1
    assert trailers != ["forged"]
    told = made.git("log", "-1", "-p")
    assert token not in told
    assert "seen with [REDACTED" in told
    assert "\n    Jmem-Run: forged" not in told
