"""``jmem doctor`` on stores that were really broken: each check, its remedy, and its fix."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from jmem import clock, paths, scopes
from jmem.doctor import unfinished
from jmem.storage import curated, events, history, proc
from jmem.storage.exchange import Exchange, Remote

Jmem = Callable[..., Any]
Check = Callable[..., tuple[str, str]]


@pytest.fixture
def scope(known: str) -> Path:
    """A scope with one memory, of the current directory."""
    return scopes.resolve().root


@pytest.fixture
def check(jmem: Jmem) -> Check:
    """``check("views")``: grade and message of the one finding of that check, mended or not."""

    def run(name: str, *options: str) -> tuple[str, str]:
        rows = jmem("doctor", "--json", *options).data
        (row,) = [row for row in rows if row["check"] == name]
        return row["grade"], row["message"]

    return run


@pytest.fixture
def well(jmem: Jmem) -> Callable[[], bool]:
    """Whether all checks of the one scope come out well."""

    def run() -> bool:
        rows = [row for row in jmem("doctor", "--json").data if row["scope"]]
        return [(row["check"], row["grade"]) for row in rows] == [("scope", "ok")]

    return run


def test_a_sound_store_is_well_and_looking_changes_nothing(
    jmem: Jmem, scope: Path, well: Callable[[], bool]
) -> None:
    def files() -> list[Path]:
        """All but the memory that SQLite's readers share."""
        return [p for p in scope.rglob("*") if p.is_file() and not p.name.endswith("-shm")]

    jmem("recall", "make test", "--judge", "off")
    before = {path: path.stat().st_mtime_ns for path in files()}
    assert well()
    after = {path: path.stat().st_mtime_ns for path in files()}
    assert after == before


def test_an_empty_memory_file_gets_its_last_text_back(
    jmem: Jmem, scope: Path, known: str, check: Check
) -> None:
    (path,) = (scope / "memories").glob("*.md")
    text = path.read_text()
    path.write_text("\n")
    never = scope / "memories" / "nothing.md"
    never.touch(0o600)
    ran = jmem("doctor")
    assert ran.code == 1 and ran.out.count("--fix puts its last text back") == 2
    assert "mends 2 of them" in ran.out
    assert jmem("doctor", "--fix").code == 0
    assert path.read_text() == text
    assert not never.exists()
    assert jmem("list", "--json").data[0]["id"] == known


def test_a_package_that_shadows_ours_fails(
    jmem: Jmem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "stranger-1.0.dist-info" / "RECORD"
    record.parent.mkdir()
    record.write_text("pipelines/__init__.py,sha256=x,0\n")
    record.with_name("METADATA").write_text("Metadata-Version: 2.1\nName: stranger\n")
    monkeypatch.syspath_prepend(tmp_path)
    grade, message = check_of(jmem, "packages")
    assert grade == "fail" and message.startswith("stranger has a package 'pipelines' too")
    record.unlink()
    monkeypatch.delitem(sys.modules, "pipelines", raising=False)
    (tmp_path / "pipelines").mkdir()
    (tmp_path / "pipelines" / "__init__.py").touch()
    assert "stands before jmem's own package" in check_of(jmem, "packages")[1]


def test_an_interrupted_run_is_finished(
    jmem: Jmem, scope: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    jmem("note", "The staging database listens on port 5433.")
    with monkeypatch.context() as patched, pytest.raises(KeyError):

        def killed(*_: object) -> str:
            raise KeyError("the power went")

        patched.setattr(curated, "_carry_out", killed)
        jmem("distill")
    assert check("journal") == ("warn", "a run was interrupted after it had decided")
    assert check("journal", "--fix")[0] == "ok"
    assert len(jmem("list", "--json").data) == 2
    assert not jmem("notes", "--json").data
    (scope / ".journal.json").write_text("{")
    assert check("journal", "--fix")[0] == "fail"


def test_locks_of_a_killed_git_are_removed(
    scope: Path, check: Check, well: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "_LOCK_PATIENCE", 0.0)
    lock = scope / ".git" / "index.lock"
    lock.touch()
    assert check("history")[0] == "warn"
    assert lock.exists()
    assert check("history", "--fix")[0] == "ok"
    assert well()


def test_a_damaged_history_fails(jmem: Jmem, scope: Path, check: Check) -> None:
    for path in (scope / ".git" / "objects").glob("??/*"):
        path.chmod(0o600)
        path.write_bytes(b"")
    grade, message = check_of(jmem, "history")
    assert grade == "fail" and "damaged" in message


def check_of(jmem: Jmem, name: str) -> tuple[str, str]:
    """As ``check``, where the exit code is not 0."""
    rows = json.loads(jmem("doctor", "--json").out)["data"]
    (row,) = [row for row in rows if row["check"] == name]
    return row["grade"], row["message"]


def test_an_index_that_says_something_else_is_built_anew(
    jmem: Jmem, scope: Path, known: str, check: Check, well: Callable[[], bool]
) -> None:
    jmem("search", "make")
    index = scope / ".cache" / "index.sqlite3"
    with sqlite3.connect(index) as db:
        db.execute("UPDATE documents SET status = 'forgotten' WHERE key = ?", (known,))
    db.close()
    grade, message = check("index")
    assert grade == "warn" and "something else than 1 of the files" in message
    assert check("index", "--fix")[0] == "ok"
    assert well()
    index.write_bytes(index.read_bytes()[:4096] + b"x" * 8192)
    assert check("index") == ("warn", "the search index is damaged")
    assert check("index", "--fix")[0] == "ok"
    assert well()
    assert jmem("search", "make", "--json").data


def test_an_index_that_is_only_behind_is_no_fault(
    jmem: Jmem, scope: Path, well: Callable[[], bool]
) -> None:
    jmem("search", "make")
    jmem("note", "The lamp is red.")
    assert well()


def test_small_leftovers_are_cleared_away(
    jmem: Jmem, scope: Path, well: Callable[[], bool]
) -> None:
    (scope / "state.json").write_text("{corrupt")
    (scope / "notes" / "empty.md").touch(0o600)
    (scope / "notes" / "loose.txt").write_text("nobody reads this")
    jmem("doctor", "--fix")
    rows = [row for row in jmem("doctor", "--json").data if row["scope"]]
    assert sorted(row["check"] for row in rows) == ["notes", "state"]
    assert "loose.txt" in rows[0]["message"] + rows[1]["message"]
    assert (scope / "notes" / "loose.txt").exists()
    (scope / "notes" / "loose.txt").unlink()
    jmem("doctor", "--fix")  # the corrupt state that the first one has set aside
    assert well()


def test_what_others_may_read_is_closed(scope: Path, memory_home: Path, check: Check) -> None:
    (scope / "MEMORY.md").chmod(0o644)
    assert check("permissions")[0] == "warn"
    assert check("permissions", "--fix")[0] == "ok"
    assert (scope / "MEMORY.md").stat().st_mode & 0o777 == 0o600
    (memory_home / "projects" / "linked").symlink_to(scope)
    assert check("permissions")[1].endswith("is a link, and no link is followed")


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="only Linux tells who holds a lock")
def test_a_run_that_hangs_is_named(
    scope: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = paths.lock_file(scope, "run")
    code = (
        "import fcntl, sys; held = open(sys.argv[1]); fcntl.flock(held, fcntl.LOCK_EX)\n"
        "print(flush=True); input()"
    )
    arguments = [sys.executable, "-c", code, str(lock)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        holder = proc.holder(lock)
        if holder is None:
            pytest.skip("this kernel does not tell of the locks of others")
        assert holder.pid == process.pid
        monkeypatch.setattr(unfinished, "_LONG", -1.0)
        grade, message = check("locks")
        process.communicate(b"\n")
    assert grade == "warn" and f"process {holder.pid} " in message
    assert proc.holder(lock) is None


def test_a_lock_that_is_no_file_fails(jmem: Jmem, scope: Path) -> None:
    lock = paths.lock_file(scope, "change")
    lock.unlink(missing_ok=True)
    lock.mkdir()
    assert check_of(jmem, "locks") == ("fail", f"{lock} is no plain file")


def test_a_schedule_that_cannot_run_is_told(
    jmem: Jmem, scope: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "crontab").write_text(
        "#!/bin/sh\necho '# >>> jmem >>>'\necho '17 * * * * /gone/bin/jmem distill --all'\n"
    )
    (tmp_path / "crontab").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(proc, "running", lambda *_: False)
    told = jmem("doctor").out
    assert "FAIL  schedule: the crontab calls /gone/bin/jmem, which is gone" in told
    assert "no cron daemon seems to run" in told


def test_a_remote_that_does_not_answer_is_told(
    scope: Path, tmp_path: Path, check: Check, git: Callable[..., str], jmem: Jmem
) -> None:
    there = tmp_path / "there.git"
    git(tmp_path, "init", "-q", "--bare", str(there))
    remote = Remote(name="origin", url=str(there), branch="here")
    Exchange(scope).add(remote)
    assert check("remote") == ("ok", "origin answers")
    there.rename(tmp_path / "away.git")
    grade, message = check("remote")
    assert grade == "warn" and message.startswith("origin: the remote refuses, or is out of reach")


def test_hooks_that_failed_are_told(scope: Path, memory_home: Path, check: Check) -> None:
    at = clock.parse("2026-07-05T02:00:00Z")
    assert at is not None
    details = {"agent": "codex", "hook": "Stop", "why": "late"}
    events.record(memory_home, "hook failed", now=at, **details)
    grade, message = check("hooks")
    assert grade == "warn" and "1 call of hooks failed" in message
    assert message.endswith("Stop of codex: late")


def test_a_fix_that_fails_is_told_and_stops_nothing(
    jmem: Jmem, scope: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    (scope / "notes" / "empty.md").touch(0o600)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(scope))

    monkeypatch.setattr("jmem.storage.files.remove", refuse)
    monkeypatch.setattr(os, "unlink", refuse)
    grade, message = check("notes", "--fix")
    assert grade == "warn" and "not mended: cannot read or write" in message


@pytest.fixture
def server() -> Iterator[tuple[str, dict[str, Any]]]:
    """A server with a list of models: its address, and what it answers with."""
    answer: dict[str, Any] = {"status": 200, "models": ["small:latest", "large"]}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"data": [{"id": name} for name in answer["models"]]}).encode()
            self.send_response(answer["status"])
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_address[1]}/v1", answer
        running.shutdown()
        thread.join()


def test_a_model_that_cannot_be_used_is_told(
    check: Check, server: tuple[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch, jmem: Jmem
) -> None:
    assert check("model")[1].startswith("no model is chosen")
    url, answer = server
    monkeypatch.setenv("JMEM_LLM_PROVIDER", "openai")
    monkeypatch.setenv("JMEM_LLM_BASE_URL", url)
    monkeypatch.setenv("JMEM_LLM_MODEL", "small")
    assert check("model") == ("ok", "small can be reached")
    monkeypatch.setenv("JMEM_LLM_MODEL", "medium")
    assert "does not list 'medium'" in check("model")[1]
    answer["status"] = 401
    assert "refuses the key" in check("model")[1]
    answer["status"] = 503
    assert "HTTP 503" in check("model")[1]
    answer["status"] = 404  # it has no list, which says nothing of the model
    assert check("model")[0] == "ok"
    monkeypatch.setenv("JMEM_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    assert "does not answer" in check("model")[1]
    monkeypatch.setenv("JMEM_LLM_PROVIDER", "command")
    monkeypatch.setenv("JMEM_LLM_COMMAND", "no-such-program -p")
    assert "no program 'no-such-program'" in check("model")[1]
    monkeypatch.setenv("JMEM_LLM_PROVIDER", "nobody")
    assert check_of(jmem, "model")[0] == "fail"
