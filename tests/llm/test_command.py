"""A program that answers is a guest: it sees little, says little, and is gone in time."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem.llm.model import (
    CallFailed,
    Flaw,
    Model,
    ModelRejected,
    ModelUnavailable,
    Request,
    UnusableReply,
    estimate,
)
from jmem.llm.providers import Limits, LlmSettings, open_model

Agent = Callable[..., Model]


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    """A model behind a Python program: ``agent("print(1)", timeout=5.0, **variables)``."""

    def make(program: str, *, timeout: float = 20.0, max_bytes: int = 10_000, **more: str) -> Model:
        script = tmp_path / "agent.py"
        script.write_text(f"import json, os, sys, time\n{program}\n")
        model = open_model(
            LlmSettings(
                provider="command",
                command=(sys.executable, "-I", str(script)),
                timeout_seconds=timeout,
            ),
            environ={"PATH": os.environ["PATH"], **more},
            limits=Limits(max_bytes=max_bytes),
        )
        assert model is not None
        return model

    return make


def test_the_prompt_comes_in_and_the_reply_goes_out(agent: Agent, question: Request) -> None:
    reply = agent("print(sys.stdin.read().upper())").complete(question)
    assert reply.text == "BE BRIEF.\n\nWHAT HOLDS?"
    assert (reply.tokens_in, reply.tokens_out) == (question.tokens, estimate(reply.text))
    assert reply.estimated


def test_json_is_found_in_what_an_agent_prints(agent: Agent, structured: Request) -> None:
    """Some repeat the prompt, with its schema, before they answer."""
    program = "print(sys.stdin.read()); print('Done:'); print('{\"items\": [\"a\"]}')"
    assert agent(program).complete(structured).data == {"items": ["a"]}


@pytest.mark.parametrize(
    ("program", "flaw"),
    [("print('no')", Flaw.NOT_JSON), ("", Flaw.EMPTY), ("print('x' * 10_001)", Flaw.TOO_LARGE)],
)
def test_a_reply_that_cannot_be_used(
    agent: Agent, structured: Request, program: str, flaw: Flaw
) -> None:
    with pytest.raises(UnusableReply) as failed:
        agent(program).complete(structured)
    assert failed.value.flaw is flaw
    assert failed.value.tokens >= structured.tokens


def test_megabytes_are_not_taken(agent: Agent, question: Request) -> None:
    with pytest.raises(UnusableReply) as failed:
        agent("while True: print('x' * 1000)", timeout=60.0).complete(question)
    assert failed.value.flaw is Flaw.TOO_LARGE
    assert failed.value.tokens < question.tokens + 10_000


def test_it_fails_with_its_first_word(agent: Agent, question: Request) -> None:
    program = "sys.stderr.write('\\nnot logged in\\nTraceback'); sys.exit(3)"
    with pytest.raises(ModelUnavailable, match=r"exit code 3: not logged in$") as failed:
        agent(program).complete(question)
    assert failed.value.tried == ("exit code 3",)


def test_its_keys_are_in_no_error(agent: Agent, question: Request, key: str) -> None:
    program = "sys.exit('the key ' + os.environ['ANTHROPIC_AUTH_TOKEN'] + ' is old')"
    with pytest.raises(ModelUnavailable, match=r"the key .* is old") as failed:
        agent(program, ANTHROPIC_AUTH_TOKEN=key).complete(question)
    assert key not in failed.value.message + failed.value.hint + repr(failed.value)


def test_it_sees_only_what_it_needs(agent: Agent, question: Request) -> None:
    kept = {
        "HOME": "/h",
        "LC_ALL": "C.UTF-8",
        "XDG_CONFIG_HOME": "/h/c",
        "https_proxy": "http://192.0.2.1",
        "OPENAI_BASE_URL": "http://192.0.2.1",
        "CODEX_HOME": "/h/codex",
    }
    dropped = {
        "JMEM_HOME": "/m",
        "JMEM_ENABLED": "true",
        "GIT_DIR": "/g",
        "CLAUDECODE": "1",
        "CLAUDE_CODE_ENTRYPOINT": "cli",
        "AWS_SECRET_ACCESS_KEY": "x",
        "PYTHONPATH": "/p",
        "TERM": "xterm",
    }
    reply = agent("print(json.dumps(dict(os.environ)))", **kept, **dropped).complete(question)
    seen = {name: value for name, value in json.loads(reply.text).items() if name != "LC_CTYPE"}
    assert seen == {
        "PATH": os.environ["PATH"],
        **kept,
        "TERM": "dumb",
        "JMEM_ENABLED": "false",
        "JMEM_CHILD": "1",
    }


def test_it_sits_in_an_empty_directory_of_its_own(agent: Agent, question: Request) -> None:
    place, _, listing = (
        agent("print(os.getcwd(), os.listdir())").complete(question).text.partition(" ")
    )
    assert listing == "[]" and not Path(place).exists()


def test_it_ends_at_the_deadline_with_all_it_started(
    agent: Agent, question: Request, tmp_path: Path
) -> None:
    file = tmp_path / "pid"
    program = (
        f"child = os.fork()\nif child: open({str(file)!r}, 'w').write(str(child))\ntime.sleep(600)"
    )
    with pytest.raises(ModelUnavailable, match="no answer within 1 s") as failed:
        agent(program, timeout=1.0).complete(question)
    assert failed.value.tokens >= question.tokens + 50
    assert ended(int(file.read_text()))


def ended(pid: int) -> bool:
    """Whether a process is gone, or only waits for its parent to notice."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        status = Path(f"/proc/{pid}/stat")
        if status.exists() and ") Z " in status.read_text():
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("program", ["/nowhere/agent", "no-such-agent-anywhere", "here-only"])
def test_a_program_that_is_not_there(here: Path, question: Request, program: str) -> None:
    """One that only a relative PATH finds is another program in every project."""
    (here / "here-only").write_text("#!/bin/sh\necho stolen\n")
    (here / "here-only").chmod(0o755)
    settings = LlmSettings(provider="command", command=(program,))
    model = open_model(settings, environ={"PATH": ".:/nowhere"})
    assert model is not None
    with pytest.raises(ModelRejected) as failed:
        model.complete(question)
    assert "llm.command" in failed.value.hint


def test_a_program_that_cannot_be_run(question: Request, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    model = open_model(LlmSettings(provider="command", command=(str(broken),)), environ={})
    assert model is not None
    with pytest.raises(ModelRejected, match="cannot run"):
        model.complete(question)


@pytest.mark.parametrize(
    ("chosen", "name"),
    [
        ({"command": ("/usr/bin/claude", "-p")}, "command:claude"),
        ({"command": ("~/bin/agent",)}, "command:agent"),
        ({"command": ("codex", "exec", "-"), "model": "small"}, "command:small"),
    ],
)
def test_its_name_in_records(chosen: dict[str, Any], name: str) -> None:
    model = open_model(LlmSettings(provider="command", **chosen), environ={"HOME": "/h"})
    assert model is not None and model.name == name


def test_a_call_over_the_window_is_never_made(question: Request) -> None:
    settings = LlmSettings(
        provider="command", command=("/nowhere",), window_tokens=101, max_output_tokens=100
    )
    model = open_model(settings, environ={})
    assert model is not None
    with pytest.raises(CallFailed, match="do not fit"):
        model.complete(question)
