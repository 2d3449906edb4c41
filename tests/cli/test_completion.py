"""What a shell offers where a command is half typed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem.settings import BY_NAME

Jmem = Callable[..., Any]
Offered = Callable[[str], dict[str, str]]


@pytest.fixture
def offered(jmem: Jmem, monkeypatch: pytest.MonkeyPatch) -> Offered:
    """``offered("list --ki")``: word -> what it means, as the script of bash is told."""

    def run(typed: str) -> dict[str, str]:
        monkeypatch.setenv("_JMEM_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", f"jmem {typed}")
        monkeypatch.setenv("COMP_CWORD", str(len(f"jmem {typed}.".split()) - 1))
        told = jmem().out
        monkeypatch.delenv("_JMEM_COMPLETE")
        rows = [line.partition(",")[2].partition("\t") for line in told.split("\n") if line]
        return {word: said for word, _, said in rows}

    return run


def test_commands_and_options_are_offered(offered: Offered) -> None:
    assert offered("fo") == {"forget": "Forget a memory or a waiting note, for good."}
    assert {"note", "distill", "doctor", "completion"} <= offered("").keys()
    assert not {"learn", "prepare"} & offered("").keys()  # hidden
    assert list(offered("list --top")) == ["--topic"]
    assert list(offered("cron in")) == ["install"]


def test_ids_are_offered_with_what_they_say(jmem: Jmem, known: str, offered: Offered) -> None:
    jmem("search", "test")  # the index is not built for a shell that asks
    assert offered(f"show {known[:2]}") == {known: "Always run `make test` before a commit."}
    assert offered("show zzz9") == {}
    jmem("forget", known)
    jmem("search", "test")
    assert offered("restore ")[known].startswith("[forgotten] ")


def test_secrets_are_masked_also_where_they_would_be_cut(
    jmem: Jmem, known: str, offered: Offered
) -> None:
    index = Path(os.environ["JMEM_HOME"])
    (path,) = index.glob("projects/*/memories/*.md")
    secret = "ghp_" + "a8" * 18
    path.write_text(path.read_text().replace("Always run", f"{'x' * 40} {secret}"))
    jmem("search", "test")
    assert "ghp" not in offered("show ")[known]


def test_kinds_topics_tags_and_settings_are_offered(
    jmem: Jmem, known: str, offered: Offered
) -> None:
    jmem("search", "test")
    assert offered("list --kind f")["fact"] == "1"
    assert "pitfall" in offered("note --kind ")
    assert offered("list --topic ") == {"ci": "1"}
    assert offered("search x --tag ") == {"ci": "1"}
    assert offered("config ").keys() == BY_NAME.keys()
    assert offered("config recall.judge ").keys() == {"auto", "llm", "local", "off"}
    assert offered("config enabled ")["true"] == "the default"
    assert {"approve", "merge"} <= offered(f"review {known} ").keys()
    run = jmem("log", "--json").data[0]["run"]
    assert run in offered("undo ")


def test_where_nothing_is_known_nothing_is_offered_and_nothing_fails(
    offered: Offered, memory_home: Path
) -> None:
    assert offered("show ") == offered("undo ") == offered("list --topic ") == {}
    assert not memory_home.exists()


def test_the_script_of_bash_fills_in_words_and_shows_meanings(
    jmem: Jmem, known: str, tmp_path: Path
) -> None:
    jmem("note", "The lamp is red.")
    jmem("search", "test")
    program = tmp_path / "jmem"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nfrom jmem.entry import main\nsys.exit(main())\n"
    )
    program.chmod(0o755)
    script = (
        'eval "$(jmem completion bash)"\n'
        'ask() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_TYPE=9\n'
        '  _jmem_completion; printf "%s\\n" "${COMPREPLY[@]}"; echo --; }\n'
        f"ask jmem show {known[:3]}\nask jmem show ''\nask jmem stat\n"
    )
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        [bash, "--norc", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    one, several, command, _ = done.stdout.split("--\n")
    assert one == f"{known}\n"  # nothing but the word is filled in
    assert f"{known}  (Always run `make test` before a commit.)" in several
    assert "(The lamp is red.)" in several
    assert command.split()[0] in ("stats", "status")


@pytest.mark.parametrize(("shell", "sign"), [("zsh", "compdef"), ("fish", "complete ")])
def test_the_other_shells_have_a_script_that_they_can_read(
    jmem: Jmem, shell: str, sign: str, tmp_path: Path
) -> None:
    script = tmp_path / "script"
    script.write_text(jmem("completion", shell).out)
    assert sign in script.read_text()
    if program := shutil.which(shell):
        subprocess.run([program, "-n", str(script)], check=True)


def test_a_shell_that_is_not_known_is_refused(jmem: Jmem) -> None:
    ran = jmem("completion", "tcsh")
    assert ran.code == 2
    assert "'bash', 'zsh', 'fish'" in ran.err
