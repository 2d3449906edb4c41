"""What every soak program needs: a scratch home, the installed command, faults, and a comparison
that does not depend on random ids or on the time of day."""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import forkserver

from jmem import places

NOW = "2026-07-04T10:00:00Z"
COMMAND = Path(sys.executable).with_name("jmem")
ENTRY = "import sys; from jmem.entry import main; sys.exit(main())"

FAULT = """
import os, subprocess, sys, time
where, what, flag = int(sys.argv.pop(1)), sys.argv.pop(1), sys.argv.pop(1)
seen = 0
def before(real):
    def call(*arguments, **options):
        global seen
        seen += 1
        if seen == where:
            if what == "die":
                os._exit(137)
            if what == "wait":
                open(flag + ".here", "w").close()
                while not os.path.exists(flag + ".go"):
                    time.sleep(0.005)
        return real(*arguments, **options)
    return call
for name in ("replace", "rename", "link", "unlink", "mkdir", "fsync", "truncate", "write"):
    setattr(os, name, before(getattr(os, name)))
subprocess.Popen.__init__ = before(subprocess.Popen.__init__)
from jmem.entry import main
code = main()
if what == "count":
    with open(flag, "w") as file:
        file.write(str(seen))
sys.stdout.flush()
os._exit(code)
"""
"""``jmem`` with every call that changes the disk or starts git counted; before the one numbered
``where`` it dies, or waits for a file to appear."""


@dataclass
class Home:
    """A scratch home with one project, and the command run in it."""

    top: Path
    now: str = NOW
    extra: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path in (self.top, self.user, self.project):
            path.mkdir(parents=True, exist_ok=True)

    @property
    def memory(self) -> Path:
        return self.top / "memory"

    @property
    def user(self) -> Path:
        return self.top / "user"

    @property
    def project(self) -> Path:
        return self.top / "orchard"

    @property
    def sessions(self) -> Path:
        return self.top / "sessions"

    @property
    def scope(self) -> Path:
        """The one project scope; its name holds a hash of the scratch path."""
        found = [p for p in (self.memory / "projects").iterdir() if not p.name.startswith(".")]
        assert len(found) == 1, found
        return found[0]

    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self.user),
            "JMEM_HOME": str(self.memory),
            "JMEM_NOW": self.now,
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            **({"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}),
            **self.extra,
        }

    def start(self, *words: str, fault: tuple[int, str, Path] | None = None, **options: Any) -> Any:
        """Start the command; with a fault, its first part is a number as ``FAULT`` explains."""
        head = [str(COMMAND)]
        if fault is not None:
            head = [sys.executable, "-c", FAULT, str(fault[0]), fault[1], str(fault[2])]
        return subprocess.Popen(
            [*head, *words],
            cwd=self.project,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **options,
        )

    def run(self, *words: str, stdin: bytes = b"", check: int | None = None) -> Any:
        done = forkserver.run(words, cwd=self.project, env=self.environment(), stdin=stdin)
        if check is not None and done.returncode != check:
            told = (done.stdout + done.stderr).decode("utf-8", "replace")
            raise AssertionError(f"jmem {' '.join(words)}: exit {done.returncode}: {told}")
        return done

    def note(self, text: str, *words: str) -> None:
        self.run("note", *words, text, check=0)

    def distil(self, *words: str, check: int | None = 0) -> Any:
        places = ["--sessions", str(self.sessions)] if self.sessions.exists() else []
        return self.run("distill", *places, *words, check=check)

    def calls(self, *words: str) -> int:
        """How many counted calls a command makes."""
        target = self.top / "count"
        self.start(*words, fault=(0, "count", target)).communicate()
        return int(target.read_text())

    def copy(self, top: Path) -> Home:
        """The same home elsewhere. The project keeps its scope: the copy is renamed for it."""
        shutil.copytree(self.top, top, symlinks=True)
        copied = Home(top, self.now, dict(self.extra))
        old = copied.scope
        wanted = old.with_name(places.slug(str(copied.project)))
        if old != wanted:
            old.rename(wanted)
            project = wanted / "project.yaml"
            text = project.read_text().replace(str(self.top), str(top))
            project.write_text(text)
        return copied


@contextmanager
def scratch() -> Iterator[Path]:
    """A directory that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="jmem-soak-") as path:
        yield Path(path).resolve()


def git(scope: Path, *words: str, stdin: bytes | None = None) -> str:
    """Git as a person runs it in the scope."""
    person = ["-c", "user.name=A Person", "-c", "user.email=person@example.org"]
    done = subprocess.run(
        ["git", *person, *words], cwd=scope, input=stdin, capture_output=True, check=True
    )
    return done.stdout.decode("utf-8", "replace")


_ID = r"[a-z][a-z0-9]{7}"
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\dZ")
_STAMP = re.compile(r"(\d{8})-\d{6}(?=-)")


def picture(scope: Path) -> dict[str, Any]:
    """What a scope comes to: its files and decisions, ids numbered and times cut to the day.

    Half-written files of the scope's own directory are left out: they go after an hour.

    Ids are numbered by the statements they stand for, for the ids themselves are random; lines of
    views are sorted within their headings, for equal ranks are ordered by id.
    """
    names = _numbered(scope)

    def plain(text: str) -> str:
        text = _TIME.sub(r"\1", text)
        return re.sub(rf"\b{_ID}\b", lambda match: names.get(match[0], match[0]), text)

    files: dict[str, Any] = {}
    for path in sorted(scope.rglob("*")):
        relative = path.relative_to(scope).as_posix()
        hidden = relative.startswith((".git/", ".cache", ".usage")) or path.name == "state.json"
        if hidden or path.is_dir() or (path.parent == scope and path.name.endswith(".jmem-tmp")):
            continue
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        name = _STAMP.sub(r"\1", plain(relative))
        if relative in ("MEMORY.md", "memory_summary.md") or relative.startswith("topics/"):
            files[name] = _sorted_lines(re.sub(r"begin [0-9a-f]{8}", "begin", plain(text)))
        elif relative == "forgotten.jsonl":
            files[name] = sorted(plain(line) for line in text.splitlines())
        elif relative == "project.yaml":
            files[name] = [line for line in text.splitlines() if not line.startswith("directory")]
        else:
            files[name] = plain(text)
    return {"files": files, "runs": _runs(scope, plain), "extracted": _extracted(scope, plain)}


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """What two pictures disagree on, one line each."""
    told = []
    for part in one:
        if one[part] == other[part]:
            continue
        if isinstance(one[part], dict):
            for key in sorted(one[part].keys() | other[part].keys()):
                left, right = one[part].get(key), other[part].get(key)
                if left != right:
                    told.append(f"{part} {key}: {left!r} != {right!r}"[:1500])
        else:
            left, right = ([x for run in made[part] for x in run] for made in (one, other))
            lines = [f"-{line}" for line in left if line not in right]
            lines += [f"+{line}" for line in right if line not in left]
            told.append(f"{part}: {lines or 'in another order'}"[:1500])
    return told


def _numbered(scope: Path) -> dict[str, str]:
    rows = []
    for path in (scope / "memories").glob("*.md"):
        text = path.read_bytes().decode("utf-8", "replace")
        identity = re.search(rf"^id: ({_ID})$", text, re.MULTILINE)
        rows.append((text.split("---\n")[-1], identity[1] if identity else path.stem[-8:]))
    for path in (scope / "session_summaries").glob("*.md"):
        found = re.findall(rf"^(\d+\. .*) \^({_ID})$", path.read_text(), re.MULTILINE)
        rows += [(f"{path.name} {text}", identity) for text, identity in found]
    names: dict[str, str] = {}
    for _, identity in sorted(rows):
        names.setdefault(identity, f"<{len(names)}>")
    for path in sorted((scope / "notes").glob("*.md")):
        found = re.findall(rf"^id: ({_ID})$", path.read_bytes().decode("utf-8", "replace"), re.M)
        for identity in found:
            names.setdefault(identity, f"<note {path.name}>")
    return names


def _sorted_lines(text: str) -> list[str]:
    heading, rows = "", []
    for line in text.splitlines():
        heading = line if line.startswith("#") else heading
        rows.append(f"{heading} | {line}")
    return sorted(rows)


def _runs(scope: Path, plain: Callable[[str], str]) -> list[list[str]]:
    if not (scope / ".git").exists():
        return []
    log = git(scope, "log", "--reverse", "-z", "--grep=^Jmem-Run: ", "--format=%B")
    runs = []
    for body in log.split("\0"):
        lines = [re.sub(rf"hand:{_ID}", "hand:<>", line) for line in plain(body).splitlines()]
        runs.append(sorted(line for line in lines if line and not line.startswith("Jmem-Run")))
    return runs


def _extracted(scope: Path, plain: Callable[[str], str]) -> dict[str, str]:
    state = json.loads((scope / "state.json").read_text())
    return {
        key: plain(f"{record['summary_file']} {record['failed']} {record['reason']}")
        for key, record in state["extracted"].items()
    }


# -- invented content -------------------------------------------------------------------------

_SERVICES = (
    "billing", "search", "harvest", "ledger", "courier", "beacon", "atlas", "meadow", "quarry",
    "lantern", "anchor", "cobalt", "thistle", "juniper", "falcon", "marble", "saffron", "tundra",
    "willow", "ember",
)  # fmt: skip
_PLACES = ("worker", "gateway", "exporter", "scheduler", "console", "importer", "mirror", "proxy")
_FORMS = (
    "The {service} {place} listens on port {number}",
    "Run the {service} {place} checks with `make {service}-{place}` and {number} seconds of time",
    "The {service} {place} keeps its logs for {number} days",
    "Retry a failed upload of the {service} {place} after {number} minutes",
    "The {service} {place} needs {number} MB of memory on the build machines",
    "Name branches of the {service} {place} team with the prefix `{service}/{number}`",
    "The dashboard of the {service} {place} is refreshed every {number} seconds",
    "Pin the {service} {place} client to version {number}.2 in every manifest",
)  # fmt: skip


def facts(rng: random.Random, count: int) -> list[str]:
    """Different invented facts, each about a subject of its own."""
    subjects = [(s, p, f) for s in _SERVICES for p in _PLACES for f in _FORMS]
    rng.shuffle(subjects)
    chosen = []
    for number in range(count):
        service, place, form = subjects[number % len(subjects)]
        suffix = f" in region {number // len(subjects) + 1}" if number >= len(subjects) else ""
        chosen.append(
            form.format(service=service, place=place, number=rng.randrange(2000, 9000)) + suffix
        )
    return chosen


def changed(fact: str, rng: random.Random) -> str:
    """The same fact with another number."""
    return re.sub(r"\d{4}", lambda match: str(int(match[0]) + rng.randrange(3, 900)), fact, count=1)


def claude_session(path: Path, name: str, turns: list[str], *, cwd: str, day: str) -> None:
    """A session file as Claude Code writes it, with these user turns."""
    lines: list[dict[str, Any]] = []
    for number, text in enumerate(turns):
        answer = [{"type": "text", "text": "Done, as you said."}]
        for role, content in (("user", text), ("assistant", answer)):
            lines.append(
                {
                    "type": role,
                    "uuid": f"{name}-{number}-{role}",
                    "sessionId": name,
                    "cwd": cwd,
                    "version": "2.1.40",
                    "timestamp": f"{day}T08:{number:02}:00Z",
                    "message": {"role": role, "content": content},
                }
            )
    _write_lines(path / f"{name}.jsonl", lines)


def codex_session(path: Path, name: str, turns: list[str], *, cwd: str, day: str) -> None:
    """A rollout as Codex writes it, with these user turns."""
    head = {"id": name, "cwd": cwd, "originator": "codex_cli_rs", "source": "cli"}
    lines: list[dict[str, Any]] = [
        {"timestamp": f"{day}T09:00:00Z", "type": "session_meta", "payload": head}
    ]
    for number, text in enumerate(turns):
        for role, part, said in (
            ("user", "input_text", text),
            ("assistant", "output_text", "Done, as you said."),
        ):
            payload = {"type": "message", "role": role, "content": [{"type": part, "text": said}]}
            lines.append(
                {
                    "timestamp": f"{day}T09:{number + 1:02}:00Z",
                    "type": "response_item",
                    "payload": payload,
                }
            )
    _write_lines(path / f"rollout-{day}T09-00-00-{name}.jsonl", lines)


def _write_lines(path: Path, lines: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


# -- results ----------------------------------------------------------------------------------


@dataclass
class Table:
    """What was claimed, how often it was tried, and what did not hold."""

    rows: list[tuple[str, int, list[str]]] = field(default_factory=list)

    def add(self, claim: str, tried: int, failures: list[str]) -> None:
        self.rows.append((claim, tried, failures))

    @property
    def held(self) -> bool:
        return not any(failures for _, _, failures in self.rows)

    def finish(self, *, as_json: bool) -> int:
        """Print it, and return the exit code."""
        if as_json:
            data = {
                claim: {"tried": tried, "failed": len(failures), "failures": failures[:20]}
                for claim, tried, failures in self.rows
            }
            print(json.dumps(data, indent=1, ensure_ascii=False))
        else:
            for claim, tried, failures in self.rows:
                print(f"{'held' if not failures else 'FAILED':6}  {tried:6}  {claim}")
                for failure in failures[:10]:
                    print(f"          {failure}")
        return 0 if self.held else 1


def parser(text: str, *, count: int) -> argparse.ArgumentParser:
    """The options that every soak program has."""
    made = argparse.ArgumentParser(description=text)
    made.add_argument("--count", type=int, default=count)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--json", action="store_true")
    return made
