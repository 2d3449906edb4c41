"""Starting other programs: with a deadline, in their own group, without a shell."""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

from jmem.errors import JmemError, NotFound
from jmem.layout import CHILD_PREFIX

APART_PREFIX = CHILD_PREFIX
"""How the name of the directory begins in which ``run_apart`` runs a program."""
_CHUNK = 65_536
_ERRORS = 262_144
_TICK = 0.1


class TimedOut(JmemError):
    """A program did not end before its deadline."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended and what it said; ``cut`` if it said more than it was allowed to."""

    code: int
    output: str
    errors: str
    cut: bool = False


def run(command: Sequence[str], *, stdin: str = "", timeout: float = 20.0) -> Finished:
    """Run a program to its end. Raises NotFound without one, JmemError past the deadline."""
    if shutil.which(command[0]) is None:
        raise NotFound(f"there is no {command[0]} on this machine")
    try:
        done = subprocess.run(
            list(command),
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            check=False,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired as error:
        raise JmemError(f"{command[0]} did not answer within {timeout:.0f} s") from error
    return Finished(done.returncode, done.stdout, done.stderr)


def run_apart(
    command: Sequence[str],
    *,
    stdin: str,
    timeout: float,
    environment: Mapping[str, str],
    max_bytes: int,
) -> Finished:
    """Run a program that is not trusted to behave, away from everything that is ours.

    It gets an empty directory of its own, which goes when it ends, and no variable but those
    given. Whatever it started in its process group ends with it, at the deadline at the
    latest. It is stopped once it has said more than ``max_bytes``.
    Raises NotFound when it cannot be started, TimedOut past the deadline.
    """
    with tempfile.TemporaryDirectory(prefix=APART_PREFIX, ignore_cleanup_errors=True) as place:
        try:
            process = subprocess.Popen(
                list(command),
                cwd=place,
                env=dict(environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            reason = error.strerror or "it cannot be started"
            raise NotFound(f"cannot run {command[0]}: {reason}") from error
        with process:
            try:
                return _converse(process, stdin.encode("utf-8", "replace"), timeout, max_bytes)
            finally:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)


def _converse(
    process: subprocess.Popen[bytes], said: bytes, timeout: float, max_bytes: int
) -> Finished:
    """Feed the program and read it until it is gone, silent, too loud, or late."""
    assert process.stdin and process.stdout and process.stderr
    deadline = time.monotonic() + timeout
    output, errors = bytearray(), bytearray()
    left = memoryview(said)
    with selectors.DefaultSelector() as selector:
        for pipe, event in (
            (process.stdin, selectors.EVENT_WRITE),
            (process.stdout, selectors.EVENT_READ),
            (process.stderr, selectors.EVENT_READ),
        ):
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, event)
        while len(output) <= max_bytes:
            # Asked before the pipes are: what an ended program has written is then all there,
            # and a child that it left behind with the pipes open is not waited for.
            ended = process.poll() is not None
            ready = selector.select(0 if ended else _TICK)
            for key, _ in ready:
                if key.fileobj is process.stdin:
                    left = _feed(selector, process.stdin, left)
                elif key.fileobj is process.stdout:
                    _drain(selector, process.stdout, output, max_bytes + 1)
                else:
                    _drain(selector, process.stderr, errors, _ERRORS)
            if ended and not any(key.fileobj is not process.stdin for key, _ in ready):
                break
            if time.monotonic() > deadline:
                raise TimedOut(f"it did not end within {timeout:g} s")
    cut = len(output) > max_bytes
    return Finished(
        -signal.SIGKILL if cut else process.wait(),
        output[:max_bytes].decode("utf-8", "replace"),
        errors.decode("utf-8", "replace"),
        cut,
    )


def _feed(selector: selectors.BaseSelector, pipe: IO[bytes], left: memoryview) -> memoryview:
    try:
        left = left[os.write(pipe.fileno(), left[:_CHUNK]) :]
    except BlockingIOError:
        return left
    except BrokenPipeError:  # it does not read; what it says still counts
        left = left[:0]
    if not left:
        selector.unregister(pipe)
        pipe.close()
    return left


def _drain(selector: selectors.BaseSelector, pipe: IO[bytes], kept: bytearray, limit: int) -> None:
    """Take what is there; what goes over the limit is read and dropped."""
    try:
        data = os.read(pipe.fileno(), _CHUNK)
    except BlockingIOError:
        return
    if not data:
        selector.unregister(pipe)
    kept += data[: max(0, limit - len(kept))]
