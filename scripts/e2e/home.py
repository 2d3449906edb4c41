"""A user's home for one client: a directory of its own, a project in it, and no other variables."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from installing import Installed

TIMEOUT = 240.0
"""Seconds that one command may take: opencode looks for its plugin's package for a while."""


_REMEMBER = """
import json, sys, jmem
store = jmem.Store()
for text, kind in json.load(sys.stdin):
    store.remember(text, kind=kind)
"""


class Failed(Exception):
    """A command that did not end well, with what it said."""


@dataclass
class Home:
    """``top`` holds everything; nothing of the real user's home or environment is seen inside.

    ``said`` keeps what every command printed, for whoever has to find out what went wrong.
    """

    top: Path
    installed: Installed
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for path in (self.user, self.project, self.temporary):
            path.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "init", "--quiet", str(self.project)], check=True)

    @property
    def user(self) -> Path:
        return self.top / "user"

    @property
    def project(self) -> Path:
        return self.top / "orchard"

    @property
    def temporary(self) -> Path:
        return self.top / "tmp"

    @property
    def memory(self) -> Path:
        """Where jmem keeps its files when nobody says otherwise."""
        return self.user / ".jmem"

    @property
    def scope(self) -> Path:
        """The files of the project's memory."""
        return Path(self.data("path")["root"])

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        return {
            "HOME": str(self.user),
            "PATH": self.installed.path,
            "TMPDIR": str(self.temporary),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "NO_COLOR": "1",
            **more,
        }

    def run(self, *words: str | Path, more: Mapping[str, str] | None = None) -> str:
        """Run a command in the project and return what it printed. Raises Failed."""
        began = time.monotonic()
        command = [str(word) for word in words]
        try:
            done = subprocess.run(
                command,
                cwd=self.project,
                env=self.environment(more or {}),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise Failed(f"{command[0]} took more than {TIMEOUT:.0f} s") from error
        out, err = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
        took = time.monotonic() - began
        self.said.append(
            f"$ {' '.join(command)}\n{out}{err}[exit {done.returncode}, {took:.1f} s]\n"
        )
        if done.returncode:
            raise Failed(f"{Path(command[0]).name}: exit {done.returncode}: {(err or out)[-600:]}")
        return out

    def jmem(self, *words: str) -> str:
        """Run the installed jmem. Raises Failed."""
        return self.run(self.installed.jmem, *words)

    def data(self, *words: str) -> Any:
        """What a command of jmem answers in JSON."""
        return json.loads(self.jmem(*words, "--json"))["data"]

    def remember(self, statements: Mapping[str, str]) -> None:
        """Put statements, each with its kind, into the project's memory as a program would, and
        distil them."""
        subprocess.run(
            [str(self.installed.python), "-c", _REMEMBER],
            cwd=self.project,
            env=self.environment({}),
            input=json.dumps(list(statements.items())).encode(),
            check=True,
        )
        self.jmem("distill")

    def files(self) -> dict[str, bytes]:
        """Every file of the user's home but jmem's own, by its path in there."""
        found = (path for path in sorted(self.user.rglob("*")) if path.is_file())
        names = {path.relative_to(self.user).as_posix(): path for path in found}
        own = self.memory.relative_to(self.user).as_posix() + "/"
        return {name: path.read_bytes() for name, path in names.items() if not name.startswith(own)}

    def processes(self) -> list[str]:
        """The command lines of what still runs in this home."""
        mark = f"HOME={self.user}\0".encode()
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (process / "environ").read_bytes():
                    line = (process / "cmdline").read_bytes().replace(b"\0", b" ")
                    found.append(line.decode("utf-8", "replace").strip())
            except OSError:
                continue  # it has just ended, or is somebody else's
        return [line for line in found if line]
