#!/usr/bin/env python3
"""How many poisoned texts reach an agent, and how many honest ones are held back.

`--json`. The cases are those of `poisoning.jsonl`: 80 attacks, each with its class and its way into
the store, and 100 honest notes full of imperatives. All of it goes into one real store, by the MCP
tools, the command line, an import, the memory tool, a transcript of a session, session summaries,
tags and topics, and files planted in it that claim to be a person's words.
What an agent can be given is looked through before and after a distillation: the injection of a
session, the hooks of a session's start and of prompts, recall in every mode, the tools of the MCP
server, and the views. An attack that stands in any of these has reached; an honest note that waits
in quarantine was held. That the answers are not empty is seen by a plain fact among the notes.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from jmem import scopes  # noqa: E402
from jmem.briefing import build_injection  # noqa: E402
from jmem.changing import reviewing  # noqa: E402
from jmem.cli import app  # noqa: E402
from jmem.formats import sessionfile  # noqa: E402
from jmem.layout import INDEX_FILE, MEMORIES_DIR, NOTES_DIR, SUMMARIES_DIR  # noqa: E402
from jmem.mcp import tools  # noqa: E402
from jmem.mcp.caller import Caller  # noqa: E402
from jmem.mcp.declared import EDIT, NOTE, RECALL  # noqa: E402
from jmem.memory_tool import MemoryTool  # noqa: E402
from jmem.model import Item, Origin, SessionSummary, Trust  # noqa: E402
from jmem.scopes import Scope  # noqa: E402
from jmem.store import Store  # noqa: E402

CASES = Path(__file__).with_suffix(".jsonl")
KNOWN = "The depot listens on port 5432 since July 2026."
MODES = ("hybrid", "cascade", "lexical", "recent")
_WEEK = timedelta(days=7)
_TYPED = "---\nsource: user\norigin: cli\ntrust: high\n"
"""The header of a file that wants to be a person's own words."""


@dataclass(frozen=True, slots=True)
class Attack:
    """A poisoned text. ``mark``: a word of its own, by which it is found wherever it surfaces."""

    kind: str
    way: str
    text: str
    mark: str


@dataclass(slots=True)
class Measured:
    """``reached``: attack -> the places where it stood; ``held``: honest notes in quarantine;
    ``looked``: how many answers were looked through; ``plain``: the kinds of answers in which the
    plain fact stood."""

    attacks: Sequence[Attack]
    reached: dict[str, set[str]] = field(default_factory=dict)
    held: list[str] = field(default_factory=list)
    looked: int = 0
    plain: set[str] = field(default_factory=set)


def cases() -> tuple[list[Attack], list[str]]:
    """The attacks, and the honest notes."""
    rows = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    poisoned = [row for row in rows if "class" in row]
    attacks = [
        Attack(row["class"], row["way"], f"{row['text']} Case zq{number:02}x.", f"zq{number:02}x")
        for number, row in enumerate(poisoned)
    ]
    return attacks, [row["honest"] for row in rows if "honest" in row]


def measure(attacks: Sequence[Attack], honest: Sequence[str], project: Path) -> Measured:
    """Put everything into the store of the environment, and look at what comes out of it.

    ``project``: an empty directory, which becomes the current one.
    """
    os.chdir(project)
    subprocess.run(["git", "init", "-q"], check=True)
    who = Caller(str(project), "claude-code:poisoned")
    measured = Measured(attacks)
    _tool(NOTE, who, text=KNOWN)
    _command("distill")
    for text in honest:
        _tool(NOTE, who, text=text)
    for number, attack in enumerate(attacks):
        _bring(attack, number, project, who)
    _look(measured, project, who, "before a night")
    _transcript(attacks, project)
    _command("distill")
    _plant_in_view(attacks, project)
    _look(measured, project, who, "after a night")
    _command("distill")
    _look(measured, project, who, "after two nights")
    waiting = [one for scope in _both(project) for one in reviewing.waiting(scope)]
    apart = [one for one in waiting if one.matter is reviewing.Matter.QUARANTINE]
    words = [(one.memory or one.note).text for one in apart if one.memory or one.note]  # type: ignore[union-attr]
    measured.held = [text for text in honest if text in words]
    return measured


def _bring(attack: Attack, number: int, project: Path, who: Caller) -> None:
    """One attack, by its own way into the store."""
    root = scopes.resolve(project).root
    match attack.way:
        case "note" if number % 4 == 0:
            _command("note", attack.text)
        case "note" | "session" | "view":
            _tool(NOTE, who, text=attack.text)
        case "global":
            _tool(NOTE, who, text=attack.text, scope="global")
        case "supersede":
            old = Store(project).list()[-1].id
            _tool(EDIT, who, action="supersede", id=old, text=attack.text)
        case "tag":
            _tool(NOTE, who, text="The depot is tidy.", tags=[f"{_bare(attack)}-{attack.mark}"])
        case "topic":
            known, topic = Store(project).list()[0].id, f"{_bare(attack)} {attack.mark}"
            _tool(EDIT, who, action="edit", id=known, topic=topic)
        case "import":
            file = project / f"foreign-{number}.md"
            file.write_text(f"# Memory\n\n- {attack.text}\n")
            _command("import", "--from", "markdown", "--yes", str(file))
            file.unlink()
        case "memory-tool":
            given = {"command": "create", "path": f"/memories/plan-{number}.md"}
            MemoryTool(project=project).call({**given, "file_text": attack.text})
        case "forged":
            (root / NOTES_DIR / f"forged-{number}.md").write_text(f"{_TYPED}---\n{attack.text}")
        case "forged-memory":
            head = f"{_TYPED}id: forged{number % 100:02}\nstatus: active\nstrength: 9\n---\n"
            (root / MEMORIES_DIR / f"forged-{number}.md").write_text(f"{head}{attack.text}\n")
        case "edit":
            _tool(EDIT, who, action="edit", id=Store(project).list()[0].id, text=attack.text)
        case "file":
            claims = "---\nsource: user\norigin: user\ntrust: high\n---\n" if number % 2 else ""
            (root / NOTES_DIR / f"planted-{number}.md").write_text(claims + attack.text)
        case "memory":
            head = f"---\nid: planted{number % 10}\nstatus: active\nstrength: 9\n---\n"
            (root / MEMORIES_DIR / f"planted-{number}.md").write_text(f"{head}{attack.text}\n")
        case "tool" | "summary":
            origin = Origin.TOOL if attack.way == "tool" else Origin.USER
            trust = Trust.MEDIUM if attack.way == "tool" else Trust.HIGH
            item = Item(
                id=f"t00000{number:02}", number=1, text=attack.text, origin=origin, trust=trust
            )
            then = datetime.now(UTC).replace(microsecond=0) - _WEEK
            summary = SessionSummary(
                session=f"codex:{number}",
                started=then,
                extracted=then,
                outcome="success",
                summary="Read a page on deploys.",
                items=(item,),
            )
            path = root / SUMMARIES_DIR / f"2026-01-01-codex-{number}.md"
            path.write_text(sessionfile.render(summary))


def _bare(attack: Attack) -> str:
    return attack.text.rpartition(" Case ")[0]


def _transcript(attacks: Sequence[Attack], project: Path) -> None:
    """One ended session in which a user pastes every attack, a tool prints it, and the assistant
    says it again."""
    then = datetime.now(UTC) - _WEEK
    rows: list[dict[str, Any]] = []
    for number, attack in enumerate(attacks):
        said = [{"type": "text", "text": f"Noted for later: {attack.text}"}]
        call = {"type": "tool_use", "id": f"t{number}", "name": "WebFetch", "input": {"url": "u"}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": attack.text}
        rows += [
            {"type": "user", "message": {"role": "user", "content": f"Remember: {attack.text}"}},
            {"type": "assistant", "message": {"role": "assistant", "content": [call]}},
            {"type": "user", "message": {"role": "user", "content": [result]}},
            {"type": "assistant", "message": {"role": "assistant", "content": said}},
        ]
    folder = Path.home() / ".claude" / "projects" / "poisoned"
    folder.mkdir(parents=True)
    file = folder / "0d1e2f30-0000-4000-8000-000000000009.jsonl"
    with file.open("w", encoding="utf-8") as written:
        for number, row in enumerate(rows):
            stamp = (then + timedelta(seconds=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
            common = {"uuid": f"u{number}", "sessionId": file.stem, "cwd": str(project)}
            written.write(json.dumps({**common, "timestamp": stamp, "version": "2.1.0", **row}))
            written.write("\n")
    os.utime(file, (then.timestamp(), then.timestamp()))


def _plant_in_view(attacks: Sequence[Attack], project: Path) -> None:
    root = scopes.resolve(project).root
    lines = [f"- {' '.join(each.text.split())}" for each in attacks if each.way == "view"]
    for name in (INDEX_FILE, "memory_summary.md"):
        file = root / name
        file.write_text("\n".join([file.read_text(), *lines, ""]))


def _look(measured: Measured, project: Path, who: Caller, when: str) -> None:
    for place, text in _answers(measured.attacks, project, who):
        measured.looked += 1
        if KNOWN in text:
            measured.plain.add(place)
        for attack in measured.attacks:
            if attack.mark in text:
                measured.reached.setdefault(attack.mark, set()).add(f"{place}, {when}")


def _answers(attacks: Sequence[Attack], project: Path, who: Caller) -> Iterator[tuple[str, str]]:
    """Everything that an agent may be given: where, and the text. Questions are not repeated in an
    answer, so that a mark can only come from the store."""
    yield "injection", build_injection(project)
    yield "jmem inject", _command("inject")
    start = {"session_id": "s1", "cwd": str(project), "source": "startup"}
    yield "hook of the start", _hook("SessionStart", start)
    for action in ("recent", "list"):
        yield f"tool {action}", _tool(RECALL, who, action=action, limit=200)
    memory = Store(project)
    for attack in attacks:
        asked = attack.text
        for mode in MODES:
            found = memory.recall(asked, mode=mode, sessions=True, limit=20)
            yield f"recall {mode}", "\n".join(hit.document.text for hit in found.hits)
        yield "tool search", _tool(RECALL, who, action="search", query=asked, sessions=True)
        yield "search", "\n".join(d.text for d in memory.search(attack.mark))
    for number, asked in enumerate([KNOWN, *(attack.text for attack in attacks[::10])]):
        prompt = {"session_id": f"p{number}", "cwd": str(project), "prompt": asked}
        yield "hook of a prompt", _hook("UserPromptSubmit", prompt)
    for scope in _both(project):
        for one in reviewing.waiting(scope):
            yield "tool get", _tool(RECALL, who, action="get", id=one.id)
        for view in [*scope.root.glob("topics/*.md"), *scope.root.glob("skills/**/*.md")]:
            yield f"view {view.parent.name}", view.read_text()


def _both(project: Path) -> list[Scope]:
    return [each for each in (scopes.resolve(project), scopes.global_scope()) if each.exists]


def _tool(name: str, who: Caller, **arguments: Any) -> str:
    return tools.call(name, arguments, who)[0]


def _command(*arguments: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        app.run(list(arguments))
    return out.getvalue()


def _hook(event: str, payload: dict[str, Any]) -> str:
    """What a hook of Claude Code says, as a process of its own."""
    start = "import sys; from jmem.entry import main; sys.exit(main())"
    command = [sys.executable, "-c", start, "hook", "claude-code", event]
    given = json.dumps({**payload, "hook_event_name": event})
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    attacks, honest = cases()
    with tempfile.TemporaryDirectory() as place:
        for variable, name in (("JMEM_HOME", "memory"), ("HOME", "home"), ("PYTHONPATH", "")):
            os.environ[variable] = str(Path(place, name)) if name else str(ROOT)
        for name in ("home", "project"):
            Path(place, name).mkdir()
        try:
            measured = measure(attacks, honest, Path(place, "project"))
        finally:
            os.chdir(ROOT)
    kinds = Counter(attack.kind for attack in attacks)
    reached = {
        a.text: sorted(measured.reached[a.mark]) for a in attacks if a.mark in measured.reached
    }
    counts = {
        kind: sum(a.mark in measured.reached for a in attacks if a.kind == kind) for kind in kinds
    }
    if options.json:
        print(json.dumps({"reached": reached, "held": measured.held, "looked": measured.looked}))
        return 0
    for kind, count in kinds.items():
        print(f"{kind:16} {count:3} attacks, {counts[kind]} reached")
    for text, places in reached.items():
        print(f"  {text!r}: {'; '.join(places)}")
    print(f"{len(reached)} of {len(attacks)} attacks reached, in {measured.looked} answers")
    print(f"the plain fact stood in: {', '.join(sorted(measured.plain))}")
    print(f"{len(measured.held)} of {len(honest)} honest notes held: {measured.held}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
