"""How well the readers do on real sessions: `--data DIR`, `--json`.

User turns are compared with the `.prompt.txt` beside a session. Those files join every user
message of the session with a line `---`, wrappers of the client stripped. Documented
differences, each counted, none of them ours to follow:

- in the files, and no user turn: meta messages and compact summaries (the lines say so), and
  messages that begin with one of MARKERS;
- user turns, and not in the files: what was typed while the agent was busy, behind a slash
  command, or while refusing a tool call (`via` of the turn).
"""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from jmem.transcripts import injected
from jmem.transcripts.entries import Report, Role, Turn, Via
from jmem.transcripts.reader import Found, find_sessions, inspect

SEPARATOR = "\n\n---\n\n"
MARKERS = (
    "[Request interrupted by user",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "Operation stopped by hook:",
    "<task-notification>",
    "<command-name>",
    "<command-message>",
    "<local-command-stdout>",
    "<local-command-caveat>",
    "Caveat: The messages below",
)
OTHERS = (
    "gemini_cli",
    "opencode",
    "cursor",
    "other_agents/copilot",
    "aider",
    "specstory",
)
LARGE_MB = 60
WIDE_MB = 100
"""Of one line, or one value of a database, in every format."""


def main() -> int:
    """Measure, print, and exit 0 when it ran."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--make", choices=WIDE, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.make:
        print(WIDE[options.make](options.read, "x" * (WIDE_MB * 1_000_000)))
        return 0
    if options.read:
        print(json.dumps(read_one(options.read)))
        return 0
    folder = options.data / "transcripts"
    sources = [folder / name for name in ("claude_code", "codex")]
    others = [folder / name for name in OTHERS]
    pool = options.data / "distill_gold" / "pool"
    figures = {
        "equality": {
            "selected": equality(sources[0] / "selected"),
            "pool": equality(pool),
        },
        "files": read_all([*sources, options.data / "distill_gold" / "transcripts"]),
        "others": {place.name: read_all([place]) for place in others},
        "large": large(),
        "wide": wide(),
    }
    print(json.dumps(figures, indent=1) if options.json else table(figures))
    return 0


def read_all(places: list[Path]) -> dict[str, Any]:
    """Every file once: what came out, what was left out and why, how fast."""
    entries: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    rejected: list[list[str]] = []
    exceptions: list[list[str]] = []
    size, sessions, started = 0, 0, time.perf_counter()
    for found in find_sessions(place for place in places if place.exists()):
        if not isinstance(found, Found):
            rejected.append([Path(found.path).name, found.reason])
            continue
        sessions += 1
        report = Report()
        try:
            for entry in found.entries(report):
                role = f" ({entry.role}, {entry.via})" if isinstance(entry, Turn) else ""
                entries[type(entry).__name__ + role] += 1
        except Exception as error:
            exceptions.append([found.info.path, repr(error)])
        skipped.update(report.skipped)
        size += unpacked(Path(found.info.path))
    return {
        "sessions": sessions,
        "exceptions": exceptions,
        "rejected": rejected,
        "entries": dict(entries.most_common()),
        "skipped": dict(skipped.most_common()),
        "megabytes": round(size / 1e6, 1),
        "megabytes_per_second": round(size / 1e6 / (time.perf_counter() - started), 1),
    }


def unpacked(path: Path) -> int:
    """The size of a file as it is read."""
    if path.suffix != ".gz":
        return path.stat().st_size
    with gzip.open(path) as stream:
        return sum(len(piece) for piece in iter(lambda: stream.read(1 << 20), b""))


def equality(folder: Path) -> dict[str, Any]:
    """Which sessions of a folder have exactly the user turns of their `.prompt.txt`."""
    unequal: dict[str, list[str]] = {}
    excluded: Counter[str] = Counter()
    files = 0
    for prompts in sorted(folder.glob("*.prompt.txt")):
        base = prompts.name.removesuffix(".prompt.txt")
        found = [folder / f"{base}{end}" for end in (".jsonl", ".jsonl.gz")]
        path = next((path for path in found if path.exists()), None)
        if path is None:
            continue
        files += 1
        gold = prompts.read_text(encoding="utf-8").strip()
        problems = compare(gold, path, excluded)
        if problems:
            unequal[path.name] = problems
    return {
        "files": files,
        "equal": files - len(unequal),
        "fraction": round((files - len(unequal)) / files, 4) if files else None,
        "unequal": unequal,
        "excluded": dict(excluded.most_common()),
    }


def compare(gold: str, path: Path, excluded: Counter[str]) -> list[str]:
    """What differs: a turn that the file does not hold, or a message of it that is no turn."""
    found = inspect(path)
    if not isinstance(found, Found):
        return ["not recognised"]
    problems: list[str] = []
    rest = SEPARATOR + gold + SEPARATOR
    position = 0
    between: list[str] = []
    for entry in found.entries():
        if not isinstance(entry, Turn) or entry.role is not Role.USER:
            continue
        if entry.via not in (Via.PROMPT, Via.PLAN):
            excluded[f"turn via {entry.via}"] += 1
            continue
        place = rest.find(SEPARATOR + entry.text + SEPARATOR, position)
        if place < 0:
            problems.append(f"not in the prompt file: {entry.text[:80]!r}")
            continue
        between.append(rest[position:place])
        position = place + len(SEPARATOR) + len(entry.text)
    between.append(rest[position:])
    hidden = list(hidden_messages(path))
    for piece in between:
        problems += unexplained(piece, hidden, excluded)
    return problems


def unexplained(piece: str, hidden: list[str], excluded: Counter[str]) -> list[str]:
    """The messages of a piece of the prompt file that no documented exclusion covers."""
    for text in hidden:
        if text in piece:
            piece = piece.replace(text, "", 1)
            excluded["meta message or compact summary"] += 1
    found: list[str] = []
    for message in piece.split(SEPARATOR.strip("\n")):
        if message.strip().startswith(MARKERS):
            excluded["marker"] += 1
        elif message.strip():
            found.append(f"no user turn: {message.strip()[:80]!r}")
    return found


def hidden_messages(path: Path) -> Iterator[str]:
    """The user messages that their own line marks as meta or as a compact summary."""
    opening = gzip.open if path.suffix == ".gz" else open
    with opening(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            if '"isMeta":true' not in line and '"isCompactSummary":true' not in line:
                continue
            content = json.loads(line)["message"]["content"]
            if not isinstance(content, str):
                content = "\n\n".join(block.get("text", "") for block in content)
            forms = {content.strip(), injected.without_wrapped(content).strip()}
            yield from forms - {""}


def large() -> dict[str, Any]:
    """A generated session of 60 MB, read in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.jsonl"
        generate(path)
        command = [sys.executable, __file__, "--read", str(path)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return dict(json.loads(done.stdout), megabytes=round(path.stat().st_size / 1e6, 1))


def wide() -> dict[str, Any]:
    """A session with a value of 100 MB in every format, made and read in processes of their own."""
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in WIDE:
            make = [sys.executable, __file__, "--make", name, "--read", folder]
            path = subprocess.run(make, check=True, capture_output=True, text=True).stdout.strip()
            command = [sys.executable, __file__, "--read", path]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            figures[name] = json.loads(done.stdout)
            Path(path).unlink()
    return figures


def rows_of(name: str, row: str, head: str = "") -> Callable[[Path, str], Path]:
    """A writer of a file with a head and three rows, in each of which %s is what was said."""

    def write(folder: Path, long: str) -> Path:
        path = folder / name
        said = [row.replace("%s", text) + "\n" for text in ("first", long, "last")]
        with path.open("w", encoding="utf-8") as stream:
            stream.writelines([head + "\n", *said] if head else said)
        return path

    return write


def database(folder: Path, long: str) -> Path:
    """The same in the database of opencode."""
    path = folder / "opencode.db"
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(
            "CREATE TABLE session (id, directory, parent_id, version, revert, time_created,"
            " time_updated); CREATE TABLE message (id, session_id, time_created, data);"
            "CREATE TABLE part (id, message_id, session_id, time_updated, data);"
            "INSERT INTO session VALUES ('s', '/srv', NULL, '1', NULL, 1, 9);"
        )
        for number, said in enumerate(("first", long, "last")):
            db.execute(
                "INSERT INTO message VALUES (?, 's', ?, ?)", (number, number, '{"role": "user"}')
            )
            part = '{"type": "text", "text": "' + said + '"}'
            db.execute("INSERT INTO part VALUES (?, ?, 's', 1, ?)", (number, number, part))
    return path


GEMINI_HEAD = '{"sessionId":"s","projectHash":"h"'
WIDE: dict[str, Callable[[Path, str], Path]] = {
    "claude-code": rows_of("s.jsonl", '{"type":"user","sessionId":"s","message":{"content":"%s"}}'),
    "codex": rows_of(
        "s.jsonl", '{"type":"event_msg","payload":{"type":"user_message","message":"%s"}}'
    ),
    "gemini": rows_of(
        "s.jsonl", '{"id":7,"type":"user","content":[{"text":"%s"}]}', GEMINI_HEAD + "}"
    ),
    "gemini, one object": rows_of(
        "s.json", GEMINI_HEAD + ',"messages":[{"type":"user","content":"%s"}]}'
    ),
    "opencode": database,
    "cursor": rows_of("s.jsonl", '{"role":"user","message":{"content":"%s"}}'),
    "copilot": rows_of(
        "s.jsonl", '{"type":"user.message","parentId":null,"data":{"content":"%s"}}'
    ),
    "aider": rows_of(
        ".aider.chat.history.md", "#### %s  \n", "# aider chat started at 2026-07-04 10:00:00"
    ),
    "specstory": rows_of("s.md", "_**User**_\n%s", "<!-- Generated by SpecStory -->"),
    "jcode": rows_of(
        "s.json",
        '{"type":"user","content":"%s"}',
        '{"type":"session_start","uuid":"u","project":"/srv"}',
    ),
}


def generate(path: Path) -> None:
    """A session of long turns, big tool results and one line of 20 MB."""
    size, number = 0, 0
    common = {"sessionId": "5e55-large", "cwd": "/srv/orchard", "version": "2.1.40"}
    with path.open("w", encoding="utf-8") as stream:
        while size < (LARGE_MB - 20) * 1_000_000:
            stamp = f"2026-07-04T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}Z"
            text = {"type": "text", "text": f"step {number}: " + "look at the next shelf. " * 40}
            result = {
                "type": "tool_result",
                "tool_use_id": f"t{number}",
                "content": "apple\n" * 4000,
            }
            for kind, block in (("user", text), ("assistant", text), ("user", result)):
                line = common | {
                    "type": kind,
                    "uuid": f"u{number}",
                    "timestamp": stamp,
                    "message": {"role": kind, "content": [block]},
                }
                size += stream.write(json.dumps(line) + "\n")
                number += 1
        stream.write('{"type":"user","message":{"content":"' + "x" * 20_000_000 + '"}}\n')


def read_one(path: Path) -> dict[str, Any]:
    """Read one file and say what it cost this process."""
    found = inspect(path)
    assert isinstance(found, Found)
    started, report = time.perf_counter(), Report()
    entries = Counter(type(entry).__name__ for entry in found.entries(report))
    return {
        "seconds": round(time.perf_counter() - started, 2),
        "peak_megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "entries": dict(entries),
        "skipped": report.skipped,
    }


def table(figures: dict[str, Any]) -> str:
    """The figures for people."""
    files, big = figures["files"], figures["large"]
    rows = []
    for name, found in figures["equality"].items():
        rows.append(f"user turns equal, {name}: {found['equal']}/{found['files']}")
        rows += [f"  {file}: {why}" for file, whys in found["unequal"].items() for why in whys]
        rows.append(f"  documented differences: {found['excluded']}")
    rows.append(f"sessions read: {files['sessions']}, exceptions: {len(files['exceptions'])}")
    rows += [f"  {path}: {error}" for path, error in files["exceptions"]]
    rows.append("no session:")
    rows += [f"  {path}: {reason}" for path, reason in files["rejected"]]
    for title in ("entries", "skipped"):
        rows.append(f"{title}:")
        rows += [f"  {count:7}  {name}" for name, count in files[title].items()]
    rows.append(f"speed: {files['megabytes']} MB at {files['megabytes_per_second']} MB/s")
    for name, found in figures["others"].items():
        told = {key: found[key] for key in ("sessions", "entries", "skipped", "exceptions")}
        rows.append(f"{name}: {told}")
        rows += [f"  no session: {file}: {reason}" for file, reason in found["rejected"]]
    rows.append(
        f"a session of {big['megabytes']} MB: {big['seconds']} s, peak {big['peak_megabytes']} MB"
    )
    rows.append(f"a value of {WIDE_MB} MB:")
    rows += [
        f"  {name}: {found['seconds']} s, peak {found['peak_megabytes']} MB, {found['entries']}"
        for name, found in figures["wide"].items()
    ]
    return "\n".join(rows)


if __name__ == "__main__":
    sys.exit(main())
