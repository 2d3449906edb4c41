"""Which hooks may take longer than the deadline: what they would lose comes only once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jmem.hooks import watchdog
from jmem.model import NoteFile

Hook = Callable[..., str]


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """One for each time that a hook was given longer."""
    times: list[bool] = []
    monkeypatch.setattr(watchdog, "be_patient", lambda: times.append(True))
    return times


def test_only_a_start_that_finds_nothing_ready_may_take_longer(
    hook: Hook, note: Callable[..., NoteFile], patient: list[bool]
) -> None:
    note("The orchard gate opens at seven")
    assert "opens at seven" in hook("SessionStart", session="one", source="startup")
    assert patient == [True]
    assert "opens at seven" in hook("SessionStart", session="two", source="startup")
    assert patient == [True]


def test_a_turn_is_handed_over_though_the_machine_is_busy(hook: Hook, patient: list[bool]) -> None:
    """Nobody waits for the text of a hook that has none."""
    hook("UserPromptSubmit", prompt="When does the orchard gate open?")
    assert patient == []
    hook("Stop")
    assert patient == [True]


def test_a_wish_is_heard_though_the_machine_is_busy(hook: Hook, patient: list[bool]) -> None:
    assert "Nothing of this session" in hook("UserPromptSubmit", prompt="/memory off")
    assert patient == [True]
