"""The git repository of a scope: what was there before every change, and why it changed.

How git is run, and what has no effect on it, is :mod:`jmem.storage.isolation`.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from jmem import clock
from jmem.errors import JmemError
from jmem.layout import GIT_DIR, KEPT_OUT_OF_GIT
from jmem.storage import files, isolation

RUN_TRAILER = "Jmem-Run"
CHANGE_TRAILER = "Jmem-Change"
"""Beside the trailer of a run: it carried out one decision of a person or an agent."""
UNDO_TRAILER = "Jmem-Undo"
"""The run that such a commit took back."""
_LOCK_PATIENCE = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit of a scope. ``run`` is empty where no run of jmem made it; ``change`` names the
    decision of a person where it was no distillation, ``undoes`` the run that it took back."""

    sha: str
    at: datetime
    subject: str
    body: str
    run: str
    change: str = ""
    undoes: str = ""


class History:
    """The repository of one scope root. Every method may raise JmemError where git fails."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._git_dir = root / GIT_DIR

    @property
    def exists(self) -> bool:
        """Whether the scope has a whole repository: the making of one may have been cut short."""
        return all(
            (self._git_dir / name).exists() for name in ("HEAD", "config", "objects", "refs")
        )

    def ensure(self) -> None:
        """Make the repository where there is none, and what it must not hold or transform."""
        files.refuse_links(self.root, (GIT_DIR,))
        self._clear_stale_locks()
        if not self.exists:
            self._run("init", "--quiet", "--template=", "--shared=0600")
        info = self._git_dir / "info"
        files.make_directory(info)
        for name, lines in (
            ("exclude", KEPT_OUT_OF_GIT),
            ("attributes", ("* -text -filter -ident -working-tree-encoding -diff",)),
        ):
            data = ("\n".join(lines) + "\n").encode()
            if files.read_bytes(info / name) != data:
                files.atomic_write(info / name, data)

    def commit_all(self, message: str, *, now: datetime) -> str:
        """Commit the whole scope and return the commit, or an empty string for no change."""
        self._run("add", "--all")
        if not self._run("status", "--porcelain=v1", "-z", "--untracked-files=no"):
            return ""
        return self._commit(message, now)

    def commit_exactly(
        self,
        message: str,
        *,
        base: str,
        contents: Mapping[str, bytes | None],
        now: datetime,
    ) -> str:
        """Commit the tree of ``base`` with these contents (None: no file) in it.

        What else stands in the scope is left out: whoever wrote it since ``base`` was not seen,
        and it must not look as if jmem had written it.
        """
        self._run("read-tree", *(["--reset", base] if base else ["--empty"]))
        names = "".join(f"{path}\x00" for path in contents).encode()
        self._run("update-index", "--add", "--remove", "-z", "--stdin", stdin=names)
        staged = self._staged()
        for path, data in contents.items():
            if staged.get(path, "") != (blob_hash(data) if data is not None else ""):
                self._stage(path, data)  # somebody wrote there in this very moment
        return self._commit(message, now)

    def _commit(self, message: str, now: datetime) -> str:
        date = {"GIT_AUTHOR_DATE": clock.text(now), "GIT_COMMITTER_DATE": clock.text(now)}
        self._run("commit", "--quiet", "--allow-empty", "-F", "-", stdin=message.encode(), env=date)
        files.remove(self._git_dir / "COMMIT_EDITMSG")  # a copy of the message, as public as umask
        return self.head()

    def _staged(self) -> dict[str, str]:
        """Path -> git's hash of everything in the index."""
        rows = self._run("ls-files", "--stage", "-z").split("\x00")
        pairs = (row.partition("\t") for row in rows if row)
        return {path: head.split()[1] for head, _, path in pairs}

    def head(self) -> str:
        """The newest commit, or an empty string in an empty repository."""
        if not self.exists:
            return ""
        return self._run("rev-parse", "--verify", "--quiet", "HEAD", allowed=(0, 1)).strip()

    def last_run(self) -> Commit | None:
        """The newest commit that a run of jmem made: what jmem last wrote."""
        return next(iter(self.log(limit=1, runs_only=True)), None)

    def log(
        self,
        *,
        limit: int = 0,
        runs_only: bool = False,
        since: datetime | None = None,
        tip: str = "HEAD",
    ) -> list[Commit]:
        """The commits, newest first; ``since``: made then or later, ``tip``: the one to begin
        with."""
        options = [f"--max-count={limit}"] if limit else []
        if since is not None:
            options.append(f"--since={clock.text(since)}")
        if runs_only:
            options.append(f"--grep=^{RUN_TRAILER}: ")
        trailers = "".join(
            f"%(trailers:key={key},valueonly,separator=%x2C)%x00"
            for key in (RUN_TRAILER, CHANGE_TRAILER, UNDO_TRAILER)
        )
        form = f"%H%x00%cI%x00%s%x00%b%x00{trailers}"
        try:
            fields = self._run("log", "-z", f"--format={form}", *options, tip, "--").split("\x00")
        except JmemError:
            if self.head():
                raise
            return []  # nothing was committed yet
        commits = []
        for start in range(0, len(fields) - 7, 8):
            sha, date, subject, body, *told = fields[start : start + 7]
            run, change, undoes = (value.strip().rpartition(",")[2] for value in told)
            commits.append(
                Commit(
                    sha=sha.strip(),
                    at=clock.parse(date) or clock.EPOCH,
                    subject=subject,
                    body=body.strip(),
                    run=run,
                    change=change if run else "",
                    undoes=undoes if run else "",
                )
            )
        if not runs_only:
            return commits
        runs = [commit for commit in commits if commit.run]
        if limit and len(commits) == limit > len(runs):  # a message that only quotes the trailer
            return self.log(runs_only=True, since=since, tip=tip)[:limit]
        return runs

    def tree(self, commit: str) -> dict[str, str]:
        """The files of a commit: path -> git's hash of its content (see ``blob_hash``)."""
        listing = self._run("ls-tree", "-r", "-z", "--full-tree", commit)
        found = {}
        for row in listing.split("\x00"):
            head, tab, path = row.partition("\t")
            if tab and head.split()[1] == "blob":
                found[path] = head.split()[2]
        return found

    def read(self, hashes: Sequence[str]) -> list[bytes]:
        """The contents behind git's hashes, in their order, in one call of git."""
        if not hashes:
            return []
        output = self._bytes("cat-file", "--batch", stdin="\n".join(hashes).encode() + b"\n")
        return list(_batch(output, len(hashes)))

    def versions(self, path: str) -> list[bytes]:
        """What a file held in each commit that changed it, newest first."""
        rows = self._run("log", "-z", "--format=", "--raw", "--no-abbrev", "--", path).split("\x00")
        hashes = [row.split()[3] for row in rows if row.strip().startswith(":")]
        return self.read([found for found in hashes if found.strip("0")])

    def diff(self, old: str, new: str) -> str:
        """The difference between two commits, for people."""
        return self._run("diff", "--text", "--no-ext-diff", "--no-textconv", f"{old}..{new}")

    def commit_of(self, ref: str) -> str:
        """The commit that a ref names; empty for none."""
        name = f"{ref}^{{commit}}"
        return self._run("rev-parse", "--verify", "--quiet", name, allowed=(0, 1)).strip()

    def point(self, ref: str, commit: str) -> None:
        """Let a name of our own stand for a commit."""
        self._run("update-ref", ref, commit)

    def collect_garbage(self) -> None:
        """Let git pack its objects where there are many loose ones."""
        self._run("gc", "--auto", "--quiet")

    def _stage(self, path: str, data: bytes | None) -> None:
        if data is None:
            self._run("rm", "--cached", "--quiet", "--ignore-unmatch", "--", path)
            return
        blob = self._run("hash-object", "-w", "--stdin", stdin=data).strip()
        self._run("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")

    def _clear_stale_locks(self) -> None:
        """Remove locks that a killed run left behind; this run holds the scope's own lock."""
        deadline = time.monotonic() + _LOCK_PATIENCE
        left = [*self._git_dir.glob("*.lock"), *self._git_dir.glob("refs/**/*.lock")]
        while left and time.monotonic() < deadline:
            time.sleep(0.05)  # a git that outlived its killed parent, or a person's own command
            left = [path for path in left if path.exists()]
        for path in left:
            files.remove(path)

    def _run(
        self,
        *arguments: str,
        stdin: bytes | None = None,
        env: Mapping[str, str] | None = None,
        allowed: Iterable[int] = (0,),
        deadline: float | None = None,
    ) -> str:
        output = self._bytes(*arguments, stdin=stdin, env=env, allowed=allowed, deadline=deadline)
        return output.decode("utf-8", "replace")

    def _bytes(
        self,
        *arguments: str,
        stdin: bytes | None = None,
        env: Mapping[str, str] | None = None,
        allowed: Iterable[int] = (0,),
        deadline: float | None = None,
    ) -> bytes:
        git = _gitpython()
        command = ["git", *arguments]
        with isolation.no_inherited_variables(), tempfile.TemporaryFile() as source:
            if stdin is not None:
                source.write(stdin)
                source.seek(0)
            status, output, errors = git.Git(str(self.root)).execute(
                command,
                istream=source,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
                kill_after_timeout=deadline,
                env={**isolation.environment(self._git_dir, self.root), **(env or {})},
            )
        if status not in tuple(allowed):
            first = str(errors).strip().split("\n")[0]
            raise JmemError(
                f"git {arguments[0]} failed in {self.root}: {first}",
                hint="nothing is lost; jmem doctor looks at the repository",
            )
        return bytes(output)


def blob_hash(data: bytes) -> str:
    """Git's hash of a file with this content."""
    return hashlib.sha1(b"blob %d\x00" % len(data) + data, usedforsecurity=False).hexdigest()


def git_available() -> bool:
    """Whether there is a git to run."""
    return shutil.which("git") is not None


def _gitpython() -> Any:
    """GitPython, imported at first use: it costs 90 ms and raises where git is missing."""
    try:
        import git
    except ImportError:
        git = None  # type: ignore[assignment]
    if git is None or not git_available():
        raise JmemError(
            "git was not found, and memory is not changed without its history",
            hint="install git, then run this again: notes wait in the inbox and are read meanwhile",
        )
    return git


def _batch(output: bytes, count: int) -> Iterator[bytes]:
    """The contents in the output of ``git cat-file --batch``."""
    position = 0
    for _ in range(count):
        line_end = output.index(b"\n", position)
        head = output[position:line_end].split()
        if len(head) != 3:
            raise JmemError("git does not have an object that it listed")
        size = int(head[2])
        yield output[line_end + 1 : line_end + 1 + size]
        position = line_end + 1 + size + 1
