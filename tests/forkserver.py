"""Starts ``jmem`` as processes that have everything imported already: a program of the suite.

Importing costs a command more than most of what the tests ask of it. Each line on standard input is
a request: arguments, environment, directory, and files for the three streams. The answer is a line
with the exit code of a process that was forked for it, and that nothing else ever ran in.
"""

from __future__ import annotations

import json
import os
import pkgutil
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from typing import Any


def _import_everything() -> None:
    """Every module; those of an extra may be missing, and say so when a command wants them."""
    for package in ("jmem", "pipelines"):
        place = import_module(package).__path__
        for module in pkgutil.walk_packages(place, f"{package}."):
            with suppress(ImportError):
                import_module(module.name)


def _run(request: dict[str, Any]) -> int:
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
                code = _run(json.loads(line))
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
