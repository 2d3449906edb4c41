"""Speaking with another git repository: what it has, fetching it, and pushing to it.

What is shared of a scope is a line of commits of its own, apart from the history of the scope,
which never leaves the machine. Every call has a deadline, asks nobody anything, starts no program
that a repository names, and uses no protocol but files, ssh and https.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from jmem import clock
from jmem.errors import JmemError, Refused
from jmem.layout import MEMORIES_DIR, NOTES_DIR, SKILLS_DIR, SUMMARIES_DIR
from jmem.storage import isolation
from jmem.storage.history import History

DEADLINE = 60.0
"""Seconds that one call may take."""
MAX_FILES = 200_000
MAX_TOTAL_BYTES = 512 * 1024 * 1024
MAX_SKILLS = 1_000
_PLAIN = "100644"
_FLAT = (MEMORIES_DIR, NOTES_DIR, SUMMARIES_DIR)
SPACE = "refs/jmem"
"""Where our names for shared commits stand, below the name of the remote."""
_OF_USER = r"^credential\.(.*\.)?(helper|username)$|^http\.(.*\.)?(proxy|sslcainfo)$"


class Unreachable(JmemError):
    """The other repository does not answer, or lets nobody in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """Another repository that holds what is shared. ``trusted``: it holds nothing but the user's
    own words. ``branch`` is that of this scope there."""

    name: str
    url: str
    branch: str
    trusted: bool = False

    def ref(self, what: str) -> str:
        """Our own name for a commit: ``fetched``, ``met`` (what both had last),
        ``here`` (our own history then), ``sending``, or ``cleaned/<commit>``: what that commit of
        the remote says without what was purged here."""
        return f"{SPACE}/{self.name}/{what}"


class Entry(NamedTuple):
    """A file or directory of a commit; ``size`` in bytes, 0 for what is no file."""

    mode: str
    kind: str
    sha: str
    size: int
    path: str


class Exchange(History):
    """The repository of a scope, speaking with others. Methods that reach one raise Unreachable."""

    def remotes(self) -> list[Remote]:
        """The repositories that the scope knows, by name."""
        if not self.exists:
            return []
        text = self._run("config", "--local", "--null", "--list")
        rows = (entry.partition("\n") for entry in text.split("\x00") if entry)
        known: dict[str, dict[str, str]] = {}
        for key, _, value in rows:
            section, _, rest = key.partition(".")
            name, _, field = rest.rpartition(".")
            if section == "remote":
                known.setdefault(name, {})[field] = value
        return [
            Remote(
                name=name,
                url=fields["url"],
                branch=fields["jmembranch"],
                trusted=fields.get("jmemtrusted") == "true",
            )
            for name, fields in sorted(known.items())
            if {"url", "jmembranch"} <= fields.keys()
        ]

    def add(self, remote: Remote) -> None:
        """Know this repository from here on; nothing is fetched."""
        for field, value in (
            ("url", remote.url),
            ("jmembranch", remote.branch),
            ("jmemtrusted", "true" if remote.trusted else "false"),
        ):
            self._run("config", "--local", f"remote.{remote.name}.{field}", value)

    def drop(self, name: str) -> None:
        """Know it no more, nor what was fetched from it."""
        self._run("config", "--local", "--remove-section", f"remote.{name}", allowed=(0, 128))
        for ref in self._run("for-each-ref", "--format=%(refname)", f"{SPACE}/{name}/").split():
            self._run("update-ref", "-d", ref)

    def holds(self, ancestor: str, commit: str) -> bool:
        """Whether the history of a commit holds another one."""
        count = self._run("rev-list", "--count", f"{commit}..{ancestor}", allowed=(0, 128))
        return count.strip() == "0"

    def newest(self, remote: Remote) -> str:
        """The commit of the scope's branch there; empty where there is no such branch."""
        wanted = f"refs/heads/{remote.branch}"
        output = self._speak("ls-remote", "--upload-pack=git-upload-pack", "--", remote.url, wanted)
        rows = (line.partition("\t") for line in output.split("\n"))
        return next((sha for sha, _, name in rows if name == wanted), "")

    def fetch(self, remote: Remote) -> str:
        """Bring the scope's branch here and return its commit. It must be there."""
        ref = remote.ref("fetched")
        self._speak(
            "fetch",
            "--upload-pack=git-upload-pack",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            "--no-auto-maintenance",
            "--",
            remote.url,
            f"+refs/heads/{remote.branch}:{ref}",
        )
        return self.commit_of(ref)

    def contents(self, commit: str) -> dict[str, bytes]:
        """The files of a shared commit, by path; of a directory that no scope has its name alone,
        with ``/`` behind it. Raises Refused for links, other repositories, and more than a scope
        can come to."""
        found: dict[str, str] = {}
        other: dict[str, bytes] = {}
        total = 0
        for mode, kind, sha, size, path in self._entries(commit):
            if kind == "tree":
                other[f"{path}/"] = b""
                continue
            if mode != _PLAIN or kind != "blob":
                raise Refused(
                    f"{path!r} of the remote is no plain file (mode {mode}): nothing was taken",
                    hint="jmem never shares such a thing: look at who writes there",
                )
            found[path], total = sha, total + size
        if len(found) > MAX_FILES or total > MAX_TOTAL_BYTES:
            raise Refused(f"the remote holds {len(found)} files, {total} bytes: nothing was taken")
        return {**other, **dict(zip(found, self.read(list(found.values())), strict=True))}

    def _entries(self, commit: str) -> Iterator[Entry]:
        """What stands where a scope has files. No other directory is entered: one that holds
        itself a hundred times over costs a stranger nothing."""
        inside: list[str] = []
        skills: list[str] = []
        for entry in self._listed(commit):
            if entry.kind == "tree" and entry.path in _FLAT:
                inside.append(f"{entry.path}/")
            elif entry.kind == "tree" and entry.path == SKILLS_DIR:
                inside.append(f"{SKILLS_DIR}/")
            else:
                yield entry
        for entry in self._listed(commit, *inside) if inside else ():
            if entry.kind == "tree" and entry.path.startswith(f"{SKILLS_DIR}/"):
                skills.append(f"{entry.path}/")
            else:
                yield entry
        if len(skills) > MAX_SKILLS:
            raise Refused(f"the remote holds {len(skills)} skills: nothing was taken")
        yield from self._listed(commit, *skills) if skills else ()

    def _listed(self, commit: str, *paths: str) -> Iterator[Entry]:
        """What stands at the top of a commit, or right in these directories (``name/``)."""
        rows = self._run("ls-tree", "-l", "-z", "--full-tree", commit, "--", *paths)
        for row in filter(None, rows.split("\x00")):
            head, _, path = row.partition("\t")
            mode, kind, sha, size = head.split()
            yield Entry(mode, kind, sha, 0 if size == "-" else int(size), path)

    def write(
        self, files: Mapping[str, bytes], message: str, *, parent: str, ref: str, now: datetime
    ) -> str:
        """Make a commit of exactly these files and name it ``ref``; nothing else changes."""
        stream = b"".join(_stream(files, message, parent=parent, ref=ref, now=now))
        self._run("update-ref", "-d", ref)
        self._bytes("fast-import", "--quiet", "--date-format=raw", stdin=stream)
        return self.commit_of(ref)

    def push(self, remote: Remote, commit: str, *, expected: str) -> bool:
        """Put a commit on the scope's branch there, if it still is ``expected`` (empty: not there
        yet). False where somebody else was faster."""
        branch = f"refs/heads/{remote.branch}"
        try:
            self._speak(
                "push",
                f"--receive-pack={_receiver(remote.url)}",
                "--quiet",
                "--no-verify",
                "--no-recurse-submodules",
                f"--force-with-lease={branch}:{expected}",
                "--",
                remote.url,
                f"{commit}:{branch}",
            )
        except Unreachable:
            if self.newest(remote) == expected:
                raise
            return self.newest(remote) == commit
        return True

    def _speak(self, *arguments: str) -> str:
        away = any(word.startswith("https://") for word in arguments)
        more = {**isolation.NETWORK, **(self._of_user() if away else {})}
        env = isolation.environment(self._git_dir, self.root, more)
        try:
            return self._run(*arguments, env=env, deadline=DEADLINE)
        except JmemError as error:
            raise Unreachable(
                f"the remote refuses, or is out of reach: {error.message.partition(': ')[2]}",
                hint="is the address right, and may you read and write there? jmem remote list",
            ) from error

    def _of_user(self) -> dict[str, str]:
        """How the user's own git gets through to https: who knows the password, which proxy."""
        found: dict[str, str] = {}
        for file in (Path("~/.config/git/config"), Path("~/.gitconfig")):
            options = ("--file", str(file.expanduser()), "--includes", "--null", "--get-regexp")
            text = self._run("config", *options, _OF_USER, allowed=(0, 1))
            rows = (row.partition("\n") for row in text.split("\x00") if row)
            found |= {name: value for name, _, value in rows}
        return found


def _receiver(url: str) -> str:
    """The program that takes a push: in a directory of this machine it is started here, and would
    run the hooks of that repository."""
    here = url.startswith(("/", "file://"))
    return "git -c core.hooksPath=/dev/null receive-pack" if here else "git-receive-pack"


def _stream(
    files: Mapping[str, bytes], message: str, *, parent: str, ref: str, now: datetime
) -> Iterator[bytes]:
    said = message.encode()
    when = int((now - clock.EPOCH).total_seconds())
    yield b"commit %s\n" % ref.encode()
    yield b"committer jmem <jmem@localhost> %d +0000\n" % when
    yield b"data %d\n%s\n" % (len(said), said)
    if parent:
        yield b"from %s\n" % parent.encode()
    yield b"deleteall\n"
    for path, data in sorted(files.items()):
        yield b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)
