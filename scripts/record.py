#!/usr/bin/env python3
"""Record a terminal session for the README: run the commands, and draw what they print as an SVG.

Every line of the picture comes from the command that stands above it. The same jmem makes the same
picture: the clock stands still, the scratch home has one place, and ids are drawn from a seed.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path

from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROOT = Path(__file__).parents[1]
SCRATCH = Path(tempfile.gettempdir()) / "jmem-recording"
COLUMNS, ROWS = 96, 27
WIDTH, HEIGHT, MARGIN = 8.4, 19, 18
TARGET = ROOT / "internal-doc" / "images" / "session.svg"
LAUNCH = """
import os, random, sys
os.urandom = random.Random(sys.argv.pop(1)).randbytes
from jmem.entry import main
sys.exit(main())
"""
"""``jmem``, but what it draws at random comes from a seed."""
THEME = TerminalTheme(
    (22, 27, 34),
    (209, 215, 224),
    [
        *((72, 79, 88), (255, 123, 114), (86, 211, 100), (227, 179, 65)),
        *((121, 192, 255), (210, 168, 255), (86, 212, 221), (209, 215, 224)),
    ],
)
_DIM, _PROMPT, _COMMENT = "#8b949e", "#56d364", "#e3b341"


@dataclass(frozen=True)
class Step:
    """A command on a day, and what is said before it. ``{id}`` is that of the memory ``about``."""

    command: str
    now: str
    comment: str = ""
    about: str = ""


STEPS = (
    Step(
        'jmem note "The staging database listens on port 5432"',
        "2026-07-04T08:30:00Z",
        "one fact, on disk and readable at once",
    ),
    Step('jmem note --kind pitfall "npm ci fails on Node 18; use Node 20"', "2026-07-04T08:31:00Z"),
    Step(
        "jmem distill --sessions ../sessions",
        "2026-07-05T03:17:00Z",
        "at night: notes and two Claude Code sessions become memory",
    ),
    Step("jmem list", "2026-07-05T09:00:00Z", "in the morning"),
    Step(
        'jmem recall "npm ci fails on my machine, which Node version do I need?"',
        "2026-07-05T09:01:00Z",
    ),
    Step("jmem explain {id}", "2026-07-05T09:02:00Z", "why is that believed?", about="5433"),
    Step("jmem forget {id}", "2026-07-05T09:03:00Z", "wrong? forget it, or edit it", about="npm"),
    Step("jmem status", "2026-07-05T09:04:00Z"),
)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("target", nargs="?", type=Path, default=TARGET)
    chosen = options.parse_args()
    if SCRATCH.exists():
        print(f"{SCRATCH} exists; remove it first", file=sys.stderr)
        return 1
    try:
        picture = drawn(list(recorded()))
    finally:
        shutil.rmtree(SCRATCH, ignore_errors=True)
    chosen.target.parent.mkdir(parents=True, exist_ok=True)
    chosen.target.write_text(picture, encoding="utf-8")
    print(f"{chosen.target}: {len(picture.encode()) / 1000:.0f} kB")
    return 0


def recorded() -> Iterator[tuple[list[Text], list[Text]]]:
    """What is typed and what is printed, step by step."""
    project = SCRATCH / "shop"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    samples = [sys.executable, str(ROOT / "scripts" / "sample_sessions.py")]
    sessions = [str(SCRATCH / "sessions"), str(project), "2026-07-04"]
    subprocess.run([*samples, *sessions], check=True)
    for number, step in enumerate(STEPS):
        typed = step.command.replace("{id}", _id_of(step, project) if step.about else "")
        words = shlex.split(typed)[1:]
        out = _in_terminal([*_jmem(number), *words], project, step.now)
        above = [Text(), Text(f"# {step.comment}", _COMMENT)] if step.comment else [Text()]
        prompt = Text.assemble(("$ ", _PROMPT), (typed, "bold"))
        shown = out.replace("\r\n", "\n").replace(str(SCRATCH), "~").rstrip("\n")
        rows = [row for line in shown.split("\n") for row in _wrapped(Text.from_ansi(line))]
        yield [*above, *_wrapped(prompt)], rows


def _wrapped(line: Text) -> Iterator[Text]:
    """A line as a terminal breaks it: where it is full."""
    for start in range(0, max(len(line.plain), 1), COLUMNS):
        yield line[start : start + COLUMNS]


def _jmem(seed: int) -> list[str]:
    return [sys.executable, "-c", LAUNCH, str(seed)]


def _environment(now: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    home = {"HOME": str(SCRATCH), "JMEM_HOME": str(SCRATCH / ".jmem"), "JMEM_NOW": now}
    return {**kept, **home, "TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LINES": str(ROWS)}


def _id_of(step: Step, project: Path) -> str:
    command = [*_jmem(0), "search", step.about, "--json"]
    done = subprocess.run(
        command, cwd=project, env=_environment(step.now), capture_output=True, check=True
    )
    return str(json.loads(done.stdout)["data"][0]["id"])


def _in_terminal(command: Sequence[str], directory: Path, now: str) -> str:
    """What a command prints on a terminal of its own."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(directory)
        os.execvpe(command[0], list(command), _environment(now))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    read = bytearray()
    try:
        while data := os.read(terminal, 65536):
            read += data
    except OSError:  # the end of a terminal, on Linux
        pass
    os.close(terminal)
    os.waitpid(child, 0)
    return read.decode("utf-8", "replace")


def drawn(steps: Sequence[tuple[list[Text], list[Text]]]) -> str:
    """The session as an SVG that plays by itself, and shows its end where nothing may move."""
    lines: list[Text] = []
    shown: list[tuple[float, int]] = []
    at = 0.0
    for typed, printed in steps:
        lines += typed
        shown.append((at, len(lines)))
        at += 1.1
        lines += printed
        shown.append((at, len(lines)))
        at += max(2.0, 0.45 * len(printed))
    at += 3.0
    body = "\n".join(_line(line, number) for number, line in enumerate(lines) if line.plain.strip())
    width, height = COLUMNS * WIDTH + 2 * MARGIN, ROWS * HEIGHT + 2 * MARGIN
    frames = [(100 * moment / at, count) for moment, count in shown]
    cover = _keyframes("cover", [(p, count * HEIGHT) for p, count in frames])
    film = _keyframes("film", [(p, -max(0, count - ROWS) * HEIGHT) for p, count in frames])
    end = -max(0, len(lines) - ROWS) * HEIGHT
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}"
role="img">
<title>A terminal session with jmem</title>
<style>
text {{ font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
fill: {THEME.foreground_color.hex}; white-space: pre }}
.film {{ transform: translateY({end}px); animation: film {at:.1f}s step-end infinite }}
.cover {{ transform: translateY({len(lines) * HEIGHT}px);
animation: cover {at:.1f}s step-end infinite }}
{film}
{cover}
@media (prefers-reduced-motion: reduce) {{ .film, .cover {{ animation: none }} }}
</style>
<rect width="100%" height="100%" rx="10" fill="{THEME.background_color.hex}"/>
<svg y="{MARGIN}" width="{width:.0f}" height="{ROWS * HEIGHT}">
<g class="film"><g transform="translate({MARGIN})">
{body}</g>
<rect class="cover" width="100%" height="{len(lines) * HEIGHT}"
fill="{THEME.background_color.hex}"/>
</g></svg></svg>
"""


def _keyframes(name: str, frames: Sequence[tuple[float, int]]) -> str:
    steps = " ".join(f"{at:.2f}% {{ transform: translateY({y}px) }}" for at, y in frames)
    return f"@keyframes {name} {{ {steps} }}"


def _line(line: Text, number: int) -> str:
    """One line of the terminal; its length is fixed, whatever font a viewer has."""
    line = line.copy()
    line.rstrip()
    runs = []
    for start, end, style in _runs(line):
        words = escape(line.plain[start:end], quote=False)
        drawn_as = _attributes(style)
        runs.append(f"<tspan{drawn_as}>{words}</tspan>" if drawn_as else words)
    length = f"{len(line.plain) * WIDTH:.1f}"
    return f'<text y="{number * HEIGHT + 14}" textLength="{length}">{"".join(runs)}</text>'


def _runs(line: Text) -> Iterator[tuple[int, int, Style]]:
    """The parts of a line that look alike."""
    edges = {0, len(line.plain), *(edge for span in line.spans for edge in (span.start, span.end))}
    ordered = sorted(edge for edge in edges if edge <= len(line.plain))
    for start, end in pairwise(ordered):
        style = Style.parse(str(line.style)) if line.style else Style()
        for span in line.spans:
            if span.start <= start and end <= span.end:
                given = span.style
                style += given if isinstance(given, Style) else Style.parse(given)
        yield start, end, style


def _attributes(style: Style) -> str:
    colour = style.color.get_truecolor(THEME).hex if style.color else _DIM if style.dim else ""
    fill = f' fill="{colour}"' if colour else ""
    return fill + (' font-weight="bold"' if style.bold else "")


if __name__ == "__main__":
    sys.exit(main())
