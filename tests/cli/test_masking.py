"""What a command prints is masked, whatever stands on disk."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jmem import clock, discretion, scopes
from jmem.formats import sessionfile
from jmem.layout import SUMMARIES_DIR
from jmem.model import Item, SessionSummary

Jmem = Callable[..., Any]
TOKEN = "ghp" + "_" + "a1B2c3D4e5F6" * 3
NAME = "Brunhilde"
BLOCK = "\n".join(
    [
        "-----BEGIN " + "PRIVATE KEY-----",
        *["MIIEvQIBADANBgkqhkiG" * 3] * 12,
        "-----END " + "PRIVATE KEY-----",
    ]
)
COMMANDS: dict[str, tuple[str, ...]] = {
    "list": ("list",),
    "list --all": ("list", "--all"),
    "show": ("show", "{memory}"),
    "show of a note": ("show", "{note}"),
    "search": ("search", "amber"),
    "recall": ("recall", "who is asked about the amber depot?"),
    "recall --explain": ("recall", "--explain", "--judge", "off", "the amber depot"),
    "notes": ("notes",),
    "log": ("log",),
    "diff": ("diff",),
    "history": ("history", "{memory}"),
    "explain": ("explain", "{memory}"),
    "explain of a session": ("explain", "codex:amber"),
    "review": ("review",),
    "status": ("status",),
    "stats": ("stats",),
    "diff --patch": ("diff", "--patch"),
    "sessions": ("sessions", "--all"),
    "skills": ("skills",),
    "related": ("related", "{memory}"),
    "inject": ("inject",),
    "edit": ("edit", "{memory}", "--topic", "depots"),
    "forget": ("forget", "{memory}"),
    "doctor": ("doctor",),
    "config": ("config", "llm.base_url"),
    "export": ("export",),
    "scan": ("scan",),
    "import": ("import", "--dry-run", "--yes", "{file}"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_chosen() -> Iterator[None]:
    discretion.choose({})
    yield
    discretion.choose({})


@pytest.fixture
def planted(jmem: Jmem, memory_home: Path) -> dict[str, str]:
    """A store into whose files and history somebody has written credentials past jmem."""
    said = jmem("note", f"The amber depot is run by {NAME}.", "--json").data
    assert jmem("distill").code == 0
    root = scopes.resolve().root
    secret = f"{NAME} logs in with {TOKEN}.\n\n{BLOCK}"
    (file,) = root.glob("memories/*.md")
    file.write_text(file.read_text() + f"\nThe amber depot: {secret}\n")
    (root / "notes" / "planted.md").write_text(f"---\nid: n1234567\n---\nAmber gate: {secret}\n")
    summary = SessionSummary(
        session="codex:amber",
        started=clock.now(),
        extracted=clock.now(),
        outcome="success",
        summary=secret,
        items=(Item(id="t0000001", number=1, text=f"The amber lamp: {TOKEN} of {NAME}"),),
    )
    name = f"{SUMMARIES_DIR}/2026-01-01-codex-amber.md"
    (root / name).write_text(sessionfile.render(summary))
    state = json.loads((root / "state.json").read_text())
    state["extracted"]["codex:amber"] = {
        "at": clock.text(clock.now()), "summary_file": name, "reason": secret, "error": secret,
        "fail_count": 1,
    }  # fmt: skip
    (root / "state.json").write_text(json.dumps(state))
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@depot.example", "-C", str(root)]
    subprocess.run([*git, "add", "-A"], check=True)
    message = f"night\n\nADD: {secret} (why; note:n1234567)\n\nJmem-Run: r1234567"
    subprocess.run([*git, "commit", "-qm", message], check=True)
    (memory_home / "config.yaml").write_text(
        f"redact:\n  words: [{NAME}]\nllm:\n  base_url: https://a:{'pw' + 'X' * 9}@x.example\n"
    )
    foreign = memory_home.parent / "foreign.md"
    foreign.write_text(f"# Memory\n\n- The amber shed: {secret}\n")
    return {"memory": said["id"], "note": "n1234567", "file": str(foreign)}


def test_nothing_that_is_masked_is_printed(
    jmem: Jmem, planted: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for way in ("in a pipe", "as JSON", "on a terminal"):
        if way == "on a terminal":
            monkeypatch.setenv("FORCE_COLOR", "1")
        for name, words in COMMANDS.items():
            discretion.choose({})
            told = [word.format(**planted) for word in words]
            ran = jmem(*told, *(["--json"] if way == "as JSON" and name != "export" else []))
            printed = ran.out + ran.err
            assert printed.strip(), name
            for hidden in (TOKEN, NAME, "MIIEvQIB", "XXXXX"):
                assert hidden not in printed, (name, way)


def test_who_asks_for_a_word_to_be_masked_can_see_which(
    jmem: Jmem, planted: dict[str, str]
) -> None:
    assert jmem("config", "redact.words").out == f"{NAME}\n"


def test_what_is_there_to_be_opened_is_printed_as_it_stands(
    jmem: Jmem, memory_home: Path, tmp_path: Path
) -> None:
    memory_home.mkdir()
    (memory_home / "config.yaml").write_text(f"redact:\n  words: [{memory_home.name}]\n")
    assert Path(jmem("path").out.strip()).is_relative_to(memory_home)
    assert Path(jmem("path", "--json").data["root"]).is_relative_to(memory_home)
    note = jmem("note", "The amber depot sleeps.", "--json").data
    assert Path(note["path"]).is_file()
