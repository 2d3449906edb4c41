"""The command line in this process, with its exit code, standard output and standard error."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jmem.cli import app

NIGHT = "2026-07-05T03:00:00Z"


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The data in the envelope of a command that succeeded."""
        body = json.loads(self.out)
        assert set(body) == {"version", "command", "data"}
        assert body["version"] == 1
        return body["data"]

    @property
    def error(self) -> dict[str, Any]:
        """The error in the envelope of a command that did not."""
        body = json.loads(self.out)
        assert set(body) == {"version", "command", "error"}
        error: dict[str, Any] = body["error"]
        assert error["exit_code"] == self.code != 0
        return error


@pytest.fixture
def jmem(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """``jmem("note", "a fact", stdin=b"")``: every error ends at the one boundary."""
    monkeypatch.setenv("JMEM_NOW", NIGHT)

    def run(*arguments: str | Path, stdin: bytes = b"", terminal: bool = False) -> Ran:
        streams = [
            io.TextIOWrapper(io.BytesIO(data), encoding="utf-8") for data in (stdin, b"", b"")
        ]
        source, out, err = streams
        if terminal:
            monkeypatch.setattr(source, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(sys, "stdin", source)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = app.run([str(word) for word in arguments])
        out.flush()
        err.flush()
        texts = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
        return Ran(code, *texts)

    return run


@pytest.fixture
def known(jmem: Callable[..., Ran]) -> str:
    """The id of a memory that a distilled note became."""
    note = jmem("note", "Always run `make test` before a commit.", "--tag", "ci", "--json").data
    assert jmem("distill").code == 0
    return str(note["id"])
