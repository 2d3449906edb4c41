"""Whose call it is: the project, the session and whether a person is there, client by client."""

from __future__ import annotations

from pathlib import Path

import pytest

from jmem.mcp import caller
from jmem.mcp.caller import CODEX_META, NO_PERSON, SUB_AGENT, of_call


def test_without_a_word_from_the_client_it_is_the_current_directory(here: Path) -> None:
    found = of_call({}, {}, "opencode")
    assert (found.directory, found.session, found.reads_only) == (str(here), "", "")


@pytest.mark.parametrize("client", ["claude-code", "inspector", ""])
def test_claude_code_names_project_and_session_in_its_environment(client: str) -> None:
    environ = {"CLAUDE_PROJECT_DIR": "/shop", "CLAUDE_CODE_SESSION_ID": "5f0c"}
    found = of_call({}, environ, client)
    assert (found.directory, found.session) == ("/shop", "claude-code:5f0c")
    assert caller.has_project(environ, client)


@pytest.mark.parametrize(
    "client", ["codex-mcp-client", "opencode", "Visual Studio Code", "gemini-cli-mcp-client"]
)
def test_a_client_started_from_another_one_is_not_taken_for_it(client: str, here: Path) -> None:
    environ = {
        "CLAUDE_PROJECT_DIR": "/shop",
        "CLAUDE_CODE_SESSION_ID": "5f0c",
        "CLAUDE_CODE_ENTRYPOINT": "sdk-cli",
    }
    found = of_call({}, environ, client)
    assert (found.directory, found.session, found.reads_only) == (str(here), "", "")


def test_the_user_names_the_project_above_all() -> None:
    environ = {"JMEM_PROJECT": "~/other", "CLAUDE_PROJECT_DIR": "/shop"}
    assert of_call({}, environ, "claude-code").directory == "~/other"


def test_codex_names_both_in_the_call() -> None:
    turn = {"session_id": "0199", "workspaces": {"/shop": {}, "relative": {}}}
    found = of_call({CODEX_META: turn}, {}, "codex-mcp-client")
    assert (found.directory, found.session) == ("/shop", "codex:0199")
    strange = {CODEX_META: {"session_id": 5, "workspaces": ["/x"]}}
    assert of_call(strange, {}, "codex-mcp-client").session == ""


@pytest.mark.parametrize("turn", [{"thread_source": "subagent"}, {"subagent_kind": "review"}])
def test_a_sub_agent_of_codex_reads_only(turn: dict[str, str]) -> None:
    assert of_call({CODEX_META: turn}, {}, "codex-mcp-client").reads_only == SUB_AGENT


@pytest.mark.parametrize(("trigger", "said"), [("exec", NO_PERSON), ("user", ""), (None, "")])
def test_a_run_of_codex_without_a_person_reads_only(trigger: str | None, said: str) -> None:
    turn = {"turn_trigger": trigger, "thread_source": "user"}
    assert of_call({CODEX_META: turn}, {}, "codex-mcp-client").reads_only == said


@pytest.mark.parametrize(("entrypoint", "said"), [("cli", ""), ("sdk-cli", NO_PERSON)])
def test_a_run_of_claude_code_without_a_person_reads_only(entrypoint: str, said: str) -> None:
    environ = {"CLAUDE_CODE_ENTRYPOINT": entrypoint}
    assert of_call({}, environ, "claude-code").reads_only == said


def test_roots_say_where_and_the_current_directory_which(tmp_path: Path, here: Path) -> None:
    there = tmp_path / "my shop"
    there.mkdir()
    address = there.as_uri()
    assert of_call({}, {}, "opencode", [address]).directory == str(there)
    assert of_call({}, {}, "opencode", [address, here.parent.as_uri()]).directory == str(here)


@pytest.mark.parametrize("address", ["https://example.org/x", "file://host/x", "x", "file://[", ""])
def test_an_address_that_is_no_directory_here_says_nothing(address: str, here: Path) -> None:
    assert of_call({}, {}, "opencode", [address]).directory == str(here)


def test_a_directory_that_is_gone_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert of_call({}, {}, "opencode").directory is None
    assert of_call({}, {}, "opencode", ["file:///shop"]).directory == "/shop"
