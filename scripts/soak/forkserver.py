"""Runs ``jmem`` in processes that have everything imported already.

Importing costs a command more than most of what tests ask of it. ``run`` starts this file as a
program, once; each line that it sends there is a request: arguments, environment, directory, and
files for the three streams. The answer is a line with the exit code of a process that was forked
for it, and that nothing else ever ran in.
"""

from __future__ import annotations

import atexit
import json
import os
import pkgutil
import select
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[2]


def run(
    arguments: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: bytes = b"",
    timeout: float = 300,
) -> subprocess.CompletedProcess[bytes]:
    """``jmem`` with these arguments, as ``subprocess.run`` would return it."""
    command = ["jmem", *arguments]
    if _of_python(env) != _STARTED_WITH:
        program = "import sys; from jmem.entry import main; sys.exit(main())"
        return subprocess.run(
            [sys.executable, "-P", "-c", program, *arguments],
            cwd=cwd,
            env=env,
            input=stdin,
            capture_output=True,
            check=False,
            timeout=timeout,
        )
    server = _server()
    assert server.stdin and server.stdout
    with tempfile.TemporaryDirectory() as place:
        streams = [Path(place) / name for name in ("in", "out", "err")]
        streams[0].write_bytes(stdin)
        request = {
            "arguments": list(map(str, arguments)),
            "environment": dict(env),
            "directory": str(cwd),
            "streams": list(map(str, streams)),
        }
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        if not select.select([server.stdout], [], [], timeout)[0]:
            server.kill()
            raise subprocess.TimeoutExpired(command, timeout)
        code = int(server.stdout.readline())
        out, err = streams[1].read_bytes(), streams[2].read_bytes()
        return subprocess.CompletedProcess(command, code, out, err)


def _of_python(environment: Mapping[str, str]) -> dict[str, str]:
    """What the interpreter itself looks at when it starts: a forked one looks no more."""
    return {
        name: value
        for name, value in environment.items()
        if name.startswith("PYTHON") and name != "PYTHONDONTWRITEBYTECODE"
    }


_STARTED_WITH = _of_python(os.environ)


@cache
def _server() -> subprocess.Popen[str]:
    server = subprocess.Popen(
        [sys.executable, "-P", __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=CHECKOUT,
    )
    atexit.register(server.communicate)
    return server


def _import_everything() -> None:
    """Every module; those of an extra may be missing, and say so when a command wants them."""
    for package in ("jmem", "pipelines"):
        place = import_module(package).__path__
        for module in pkgutil.walk_packages(place, f"{package}."):
            with suppress(ImportError):
                import_module(module.name)


def _become(request: dict[str, Any]) -> int:
    """Become the process that was asked for."""
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["directory"])
    modes = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT)
    for number, (path, mode) in enumerate(zip(request["streams"], modes, strict=True)):
        opened = os.open(path, mode, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)  # the old one has read requests ahead
    sys.argv = ["jmem", *request["arguments"]]
    from jmem.entry import main

    return main()


def main() -> None:
    """Answer requests until there are no more."""
    _import_everything()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            code: Any = 1
            try:
                code = _become(json.loads(line))
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
            except BaseException:
                traceback.print_exc()
            with suppress(OSError, ValueError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
