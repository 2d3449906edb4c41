"""The clients in their pinned versions, and jmem as a user has it: a wheel in an environment."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PINS = Path(__file__).with_name("package.json")
ROOT = Path(__file__).resolve().parents[2]
INSPECTOR = "@modelcontextprotocol/inspector"


@dataclass(frozen=True, slots=True)
class Installed:
    """Where everything is. ``clients``: the folder of the npm packages; ``jmem``: the script."""

    clients: Path
    jmem: Path

    @property
    def python(self) -> Path:
        """The interpreter of jmem's environment."""
        return self.jmem.with_name("python")

    @property
    def path(self) -> str:
        """The ``PATH`` of the isolated home: the clients, their node, and the system."""
        modules = self.clients / "node_modules"
        return f"{modules}/.bin:{modules}/node/bin:/usr/bin:/bin"

    def version(self, package: str) -> str:
        """The version of a package that is really there."""
        file = self.clients / "node_modules" / package / "package.json"
        return str(json.loads(file.read_text("utf-8"))["version"])


def install_clients(folder: Path) -> None:
    """Have npm bring the pinned versions into the folder, unless they are there."""
    pins = PINS.read_text("utf-8")
    wanted = json.loads(pins)["dependencies"]
    there = Installed(folder, Path())
    if all(_has(there, package, version) for package, version in wanted.items()):
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(pins, "utf-8")
    print(f"installing the clients into {folder} (once; 1.6 GB)", file=sys.stderr)
    command = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)


def _has(there: Installed, package: str, version: str) -> bool:
    try:
        return there.version(package) == version
    except OSError:
        return False


def install_jmem(folder: Path) -> Path:
    """Build the checkout's wheel, install it into a new environment, and return the script."""
    pip = ("-m", "pip", "--disable-pip-version-check", "--quiet")
    wheels = folder / "wheel"
    _run(sys.executable, *pip, "wheel", "--no-deps", "--wheel-dir", wheels, ROOT)
    [wheel] = wheels.glob("jmem-*.whl")
    environment = folder / "environment"
    _run(sys.executable, "-m", "venv", environment)
    _run(environment / "bin" / "python", *pip, "install", wheel)
    return environment / "bin" / "jmem"


def _run(*command: str | Path) -> None:
    subprocess.run([str(word) for word in command], check=True, stdout=sys.stderr)
