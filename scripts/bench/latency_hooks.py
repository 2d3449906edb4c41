#!/usr/bin/env python3
"""How long hooks take as whole processes in a store of 10,000 memories, beside a bare Python.

Interleaved runs in a scratch home, wall time; ``ratio`` is the median divided by that of
``python -c pass`` in the same rounds, ``ratio_p95`` the same of both 95th percentiles. The memories
are made up, as in recall_speed.py. A prompt is answered from what was prepared for it (*pending*),
or at once by words.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import recall_speed

COMMAND = str(Path(sys.executable).with_name("jmem"))
BARE = "python -c pass"
RULE = "Deploys of the orchard need the VPN: `make ship-it` hangs without it."


def once(words: list[str], where: Path, payload: bytes) -> tuple[float, bytes]:
    """Seconds that a process took, and what it said."""
    started = time.perf_counter()
    done = subprocess.run(words, cwd=where, input=payload, check=True, capture_output=True)
    return time.perf_counter() - started, done.stdout


def hook(event: str, session: str, where: Path, **fields: Any) -> tuple[list[str], Path, bytes]:
    told = {"session_id": session, "cwd": str(where), "hook_event_name": event, **fields}
    return [COMMAND, "hook", "claude-code", event], where, json.dumps(told).encode()


@contextmanager
def store(memories: int) -> Iterator[tuple[Path, list[str]]]:
    """A project with so many memories, everything ready; and questions about them."""
    with tempfile.TemporaryDirectory(prefix="jmem-latency-") as top:
        project = Path(top) / "orchard"
        project.mkdir()
        os.environ.update(HOME=top, JMEM_RECALL_EMBEDDER="none")
        questions = recall_speed.make_store(Path(top) / "memory", project, memories)
        note = [COMMAND, "note", "--kind", "pitfall", RULE]
        subprocess.run(note, cwd=project, check=True, capture_output=True)
        write_views(project)
        subprocess.run([COMMAND, "prepare", "--project", str(project)], check=True)
        yield project, questions


def write_views(project: Path) -> None:
    """The index and the summary of the store, as a night leaves them."""
    from jmem import clock, scopes
    from jmem.formats import summaryfile, views
    from jmem.storage import memories

    root = scopes.resolve(project).root
    held = list(memories.load(root).memories.values())
    for path, text in views.render(held, clock.now()).items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, "utf-8")
    profile = "\n".join(f"- {memory.statement[:150]}" for memory in held[:40])
    (root / "memory_summary.md").write_text(f"{summaryfile.VERSION_LINE}\n\n{profile}\n", "utf-8")


def let_wait(project: Path, session: str, question: str) -> None:
    """Let memories wait for the next prompt of a session, as a process does at a turn's end."""
    from jmem import clock, config, preparing, scopes

    scope = scopes.resolve(project)
    settings = config.load(scope.directory)
    preparing.prepare(session, [("user", question)], [scope], settings, now=clock.now())


def measure(rounds: int, memories: int = 10_000) -> dict[str, dict[str, float]]:
    """A row for each kind of hook: milliseconds, and its ratios."""
    times: dict[str, list[float]] = {}
    given: dict[str, int] = {}

    def take(name: str, words: list[str], where: Path, payload: bytes = b"") -> None:
        seconds, said = once(words, where, payload)
        times.setdefault(name, []).append(seconds)
        given[name] = given.get(name, 0) + bool(said)

    with store(memories) as (project, questions):
        for number in range(rounds):
            session, asked = f"session-{number}", questions[number % len(questions)]
            take(BARE, [sys.executable, "-c", "pass"], project)
            take("session start", *hook("SessionStart", session, project, source="startup"))
            take(
                "prompt, at once by words",
                *hook("UserPromptSubmit", session, project, prompt=asked),
            )
            waiting = f"waiting-{number}"
            once(*hook("UserPromptSubmit", waiting, project, prompt="how is the orchard today"))
            let_wait(project, f"claude-code:{waiting}", asked)
            take("prompt, pending", *hook("UserPromptSubmit", waiting, project, prompt=asked))
            tool = {"tool_name": "Bash", "tool_input": {"command": "ls -l | wc"}}
            take("before a tool, nothing", *hook("PreToolUse", session, project, **tool))
            tool["tool_input"] = {"command": "git pull && make ship-it"}
            take("before a tool, a warning", *hook("PreToolUse", session, project, **tool))
            take("after a tool", *hook("PostToolUse", session, project, **tool))
            take("turn end", *hook("Stop", session, project, transcript_path="/no/such/file"))
    bare = times.pop(BARE)
    rows = {name: row(taken, bare) for name, taken in times.items()}
    for name, each in rows.items():
        each["answered"] = round(given[name] / rounds, 2)
    return {BARE: row(bare, bare), **rows}


def row(taken: list[float], bare: list[float]) -> dict[str, float]:
    median, base = statistics.median(taken), statistics.median(bare)
    return {
        "median_ms": round(1000 * median, 1),
        "p95_ms": round(1000 * p95(taken), 1),
        "ratio": round(median / base, 2),
        "ratio_p95": round(p95(taken) / p95(bare), 2),
    }


def p95(taken: list[float]) -> float:
    return sorted(taken)[min(len(taken) - 1, int(0.95 * len(taken)))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="not used: the memories are made up")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    show(measure(chosen.rounds, chosen.memories), as_json=chosen.json)
    return 0


def show(rows: dict[str, dict[str, float]], *, as_json: bool) -> None:
    """Print the figures."""
    if as_json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'':28} {'median ms':>9} {'p95 ms':>8} {'ratio':>6} {'p95':>6} {'answered':>9}")
    for name, each in rows.items():
        told = f"{each['answered']:9.2f}" if "answered" in each else ""
        print(
            f"{name:28} {each['median_ms']:9.1f} {each['p95_ms']:8.1f} {each['ratio']:6.2f} "
            f"{each['ratio_p95']:6.2f} {told}"
        )


if __name__ == "__main__":
    sys.exit(main())
