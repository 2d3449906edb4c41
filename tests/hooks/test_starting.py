"""What a session begins with: ready, the same for every prompt cache, and once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import jmem
from jmem import briefing, config, scopes
from jmem.fence import CLOSE
from jmem.hooks import command
from jmem.model import NoteFile
from pipelines import run
from pipelines.run import Options

Hook = Callable[..., str]
Noted = Callable[..., NoteFile]


def distil(here: Path, clock_now: Any = None) -> None:
    from jmem import clock

    scope = scopes.resolve(here)
    run.distil(scope, (), config.load(scope.directory), Options(), now=clock.now())


def start(hook: Hook, session: str = "5e55", source: str = "startup", **fields: Any) -> str:
    return hook("SessionStart", session=session, source=source, **fields)


def test_what_lies_ready_is_what_jmem_inject_prints(
    hook: Hook, note: Noted, here: Path, started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    note("Tests run with `make test-fast`.", kind="preference")
    note("The <jmem-memory> tag is ours.", scope="global")
    distil(here)
    note("Staging listens on port 5433.\nSince July.\nAnd more.")
    made = start(hook, "one")
    assert made == jmem.build_injection(here)
    assert "make test-fast" in made and "port 5433" in made
    started.clear()
    monkeypatch.setattr(briefing, "build_injection", None)  # it is not needed any more
    monkeypatch.setattr(briefing, "prepare", None)
    assert start(hook, "two") == made
    assert started == []


def test_a_note_only_adds_lines_at_the_end(hook: Hook, note: Noted, here: Path) -> None:
    """An agent that pays for a changed prefix pays ten times as much (a peer's users did)."""
    note("Tests run with `make test-fast`.")
    distil(here)
    before = start(hook, "one").removesuffix(f"\n{CLOSE}\n")
    for number in range(3):
        note(f"Fact number {number} of the orchard.")
        after = start(hook, f"session {number}").removesuffix(f"\n{CLOSE}\n")
        assert after.startswith(before) and f"Fact number {number}" in after
        before = after


@pytest.mark.parametrize(
    "change",
    [
        lambda note: Path(note.path).write_text("---\nkind: fact\n---\nStaging moved to 5434.\n"),
        lambda note: Path(note.path).with_name("mine.md").write_text("Staging moved to 5434."),
        lambda note: (Path(note.path).parents[1] / "MEMORY.md").write_text(
            "# Memory\n\n## staging\n- Staging moved to 5434. (user, 2026-07-04) ^m7k2q9xa\n"
        ),
        lambda note: config.store("summary_inject_tokens", "900"),
    ],
    ids=["a note rewritten", "a file put there", "a line by hand", "a setting"],
)
def test_nothing_stale_is_given(
    hook: Hook, note: Noted, here: Path, change: Callable[[NoteFile], object]
) -> None:
    written = note("Staging listens on port 5433.")
    start(hook, "one")
    change(written)
    assert start(hook, "two") == jmem.build_injection(here)


def test_the_second_hook_that_tells_of_one_start_gives_nothing(hook: Hook, note: Noted) -> None:
    note("Staging listens on port 5433.")
    assert "5433" in start(hook)
    assert start(hook) == ""
    assert "5433" in start(hook, source="compact")
    assert "5433" in start(hook, "another session")


def test_what_a_session_begins_with_does_not_surface_again(
    hook: Hook, note: Noted, refreshed: Callable[[], None]
) -> None:
    note("Deploy the billing service with tools/ship.sh, never with kubectl.")
    refreshed()
    prompt = "please deploy the billing service with tools/ship.sh to staging"
    assert "kubectl" in hook("UserPromptSubmit", session="elsewhere", prompt=prompt)
    assert "kubectl" in start(hook)
    assert hook("UserPromptSubmit", prompt=prompt) == ""


def test_a_project_gets_its_scope_where_a_person_works(hook: Hook, here: Path) -> None:
    """The night reads the sessions of scopes that exist; a program's run leaves nothing behind."""
    assert start(hook, "5e55", agent_id="a1") == ""
    assert not scopes.resolve(here).exists
    assert start(hook) == ""
    assert scopes.resolve(here).exists


def test_a_run_without_a_person_reads_and_leaves_nothing(
    hook: Hook,
    note: Noted,
    here: Path,
    started: list[list[str]],
    refreshed: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
    note("Always ask in the orchard first.", scope="global")
    assert "orchard" in start(hook)
    hook("UserPromptSubmit", prompt="where is the orchard?")
    refreshed()
    assert started == [] and not scopes.resolve(here).exists
    config.store("headless_writes", "true")
    assert "orchard" in start(hook, "two")
    assert scopes.resolve(here).exists


def test_a_sub_agent_begins_with_the_same(hook: Hook, note: Noted) -> None:
    note("Staging listens on port 5433.")
    given = hook("SubagentStart", agent_id="a1", agent_type="Explore")
    assert given == start(hook)


@pytest.mark.parametrize("variable", ["JMEM_ENABLED", ""])
def test_memory_that_is_switched_off_gives_nothing(
    hook: Hook, note: Noted, here: Path, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    note("Staging listens on port 5433.")
    if variable:
        monkeypatch.setenv(variable, "false")
    else:
        (here / ".jmem.yaml").write_text("enabled: false\n")
    assert start(hook) == "" == start(hook, "two")


def test_jmem_s_own_question_to_an_agent_is_not_answered(hook: Hook, tmp_path: Path) -> None:
    child = tmp_path / "jmem-child-x"
    child.mkdir()
    assert command.reply("claude-code", "SessionStart", {"cwd": str(child)}, os.environ) == {}
    assert list(Path(os.environ["JMEM_HOME"]).glob("projects/*")) == []


def test_the_text_stays_below_what_clients_cut(hook: Hook, note: Noted, here: Path) -> None:
    config.store("summary_inject_tokens", "9000")
    written = note("Staging listens on port 5433. " * 20)
    summary = Path(written.path).parents[1] / "memory_summary.md"
    summary.write_text("v1\n\n" + "- 提交前先运行测试。\n" * 2_000, "utf-8")
    text = start(hook)
    assert 7_000 < len(text.encode()) < 9_900
    assert "Staging listens" in text
