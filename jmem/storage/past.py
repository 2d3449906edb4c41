"""The history of a scope, read commit by commit: which of them changed a file, and how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jmem.layout import MEMORIES_DIR, NOTES_DIR
from jmem.storage.history import Commit, History

_MARK = "\x01"
_NO_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""Git's name for the tree without files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """One file that a commit changed: its content before and after, None where it was not there."""

    commit: Commit
    path: str
    before: bytes | None
    after: bytes | None


class Past(History):
    """The repository of one scope root, asked about what was."""

    def uncommitted(self) -> list[str]:
        """The files that are not as they were committed, new ones among them."""
        options = ("--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")
        rows = self._run("status", *options).split("\x00")
        return [row[3:] for row in rows if row]

    def touches(self, pathspecs: Sequence[str], *, only: str = "") -> list[Touch]:
        """Every change of the files that the pathspecs match, oldest first; ``only``: those of one
        commit, against its first parent."""
        if not self.head():
            return []
        options = ["-z", "--raw", "--no-abbrev", "--no-renames", "--reverse", "-m"]
        options += ["--first-parent", "--no-walk", only] if only else []
        output = self._run("log", f"--format={_MARK}%H", *options, "--", *pathspecs)
        rows = list(_rows(output))
        blobs = sorted({sha for _, _, *pair in rows for sha in pair if sha})
        contents = dict(zip(blobs, self.read(blobs), strict=True))
        told = self.log(limit=1, tip=only) if only else self.log()
        commits = {commit.sha: commit for commit in told}
        return [
            Touch(
                commit=commits[sha],
                path=path,
                before=contents.get(before),
                after=contents.get(after),
            )
            for sha, path, before, after in rows
            if sha in commits
        ]

    def everything_said(self, *within: str) -> Iterator[tuple[str, str, bytes]]:
        """Each text of the history once: the commit that brought it, its path, what it says. The
        messages of commits are among them, with the path ``message``. ``within``: which commits,
        as git takes them; all without."""
        which = within or ("--all",)
        how = ("--reverse", "-m", "--root", "--raw", "--no-abbrev", "--format=\x01%h")
        output = self._run("log", *how, *which, "--")
        commit = ""
        brought: dict[str, tuple[str, str]] = {}
        for row in output.split("\n"):
            if row.startswith("\x01"):
                commit = row[1:11]
            elif row.startswith(":"):
                head, _, path = row.partition("\t")
                brought.setdefault(head.split()[3], (commit, path))
        brought = {blob: where for blob, where in brought.items() if blob.strip("0")}
        for (where, path), data in zip(brought.values(), self.read(list(brought)), strict=True):
            yield where, path, data
        for text in self._run("log", "-z", "--format=%h%n%B", *which, "--").split("\x00"):
            sha, _, message = text.partition("\n")
            yield sha[:10], "message", message.encode("utf-8", "replace")

    def of_memory(self, identity: str, path: str = "") -> list[Touch]:
        """Every change of a memory's file, by its id; ``path`` is where it stands now, if it does:
        a person may have given it a name of his own."""
        named = f":(glob){MEMORIES_DIR}/**/*{identity}.md"
        return self.touches([named, *([path] if path else [])])

    def of_commit(self, commit: str) -> list[Touch]:
        """What a commit changed of the memories."""
        return self.touches([f"{MEMORIES_DIR}/"], only=commit)

    def notes_in(self, commit: str) -> Mapping[str, bytes]:
        """The notes that stood in the inbox when the commit was made, by path."""
        listed = self.tree(commit)
        paths = [path for path in listed if path.startswith(f"{NOTES_DIR}/")]
        return dict(zip(paths, self.read([listed[path] for path in paths]), strict=True))

    def patch(self, commit: str) -> str:
        """What a commit changed, against its first parent, for people."""
        return self.diff(self.parent(commit) or _NO_TREE, commit)

    def parent(self, commit: str) -> str:
        """The first parent of a commit; empty where it has none."""
        line = self._run("rev-list", "--parents", "-n", "1", commit).split()
        return line[1] if len(line) > 1 else ""


def undone(runs: Iterable[Commit]) -> dict[str, str]:
    """Run -> the undoing that took it back, unless that was itself taken back. ``runs``: those of
    a scope, newest first."""
    gone: dict[str, str] = {}
    for commit in runs:  # a later undoing is known before what it took back
        if commit.undoes and commit.run not in gone:
            gone.setdefault(commit.undoes, commit.run)
    return gone


def _rows(output: str) -> Iterator[tuple[str, str, str, str]]:
    """Commit, path, hash before and after; an empty hash where there was no file."""
    sha, fields = "", iter(output.split("\x00"))
    for field in fields:
        head = field.strip()
        if head.startswith(_MARK):
            sha, _, head = head.removeprefix(_MARK).partition("\n")
            head = head.strip()
        if head.startswith(":"):
            _, _, before, after, _ = head.split()
            yield sha, next(fields), before.strip("0") and before, after.strip("0") and after
