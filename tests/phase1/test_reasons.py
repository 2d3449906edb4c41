"""What the assistant found out goes into the summary, and becomes no item."""

from __future__ import annotations

import pytest

from jmem.transcripts.entries import Role, SessionInfo, Turn, Via
from pipelines.phase1.extract import extract
from pipelines.phase1.reasons import MAX_LINES, Reasons


def lines(*texts: str) -> list[str]:
    reasons = Reasons()
    for text in texts:
        reasons.add(text)
    return reasons.lines()


@pytest.mark.parametrize(
    "said",
    [
        "The root cause is that the queue reads its limit once, at start.",
        "Orchard v3 doesn't support a `retry` field in its manifest.",
        "The slow suite only runs when the `heavy` build tag is given.",
        "原因是队列在启动时只读取一次限制。",
    ],
)
def test_a_cause_or_a_limit_is_found(said: str) -> None:
    assert lines(f"I looked at it.\n\n- **{said}**\n\nNow let me fix this.") == [said]


@pytest.mark.parametrize(
    "said",
    [
        "Let me check whether the suite only runs when the tag is given.",
        "Should I change the manifest, because it doesn't support retries?",
        "All tests pass and the branch was pushed to the remote.",
        "```\nThe root cause is that the queue reads its limit once.\n```",
    ],
)
def test_talk_and_code_are_not(said: str) -> None:
    assert lines(said) == []


def test_causes_come_first_and_none_twice() -> None:
    found = lines(
        "The worker cannot run without the broker, because it reads its queue at start.",
        "The root cause is that the cache key leaves the locale out.",
        "So the root cause is that the cache key leaves out the locale.",
    )
    assert found == [
        "So the root cause is that the cache key leaves out the locale.",
        "The worker cannot run without the broker, because it reads its queue at start.",
    ]


def test_there_are_few_however_much_was_said() -> None:
    names = ["".join(chr(97 + int(digit)) for digit in str(number)) for number in range(500)]
    many = [f"The {n}queue requires {n}broker, {n}cache, {n}disk and {n}clock." for n in names]
    assert len(lines(*many)) == MAX_LINES


def test_they_stand_in_the_summary_alone() -> None:
    cause = "The root cause is that the cache key leaves the locale out."
    said = [(Role.USER, "Find out why the pages are mixed up."), (Role.ASSISTANT, cause)] * 2
    entries = [Turn(role=role, text=text, time=None, via=Via.PROMPT) for role, text in said]
    info = SessionInfo(agent="codex", id="x", path="x.jsonl", mtime=0.0)
    found = extract(info, entries, project="")
    assert f"- Found: {cause}" in found.summary.splitlines()
    assert not found.items
