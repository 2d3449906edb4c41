"""Rewriting the history of a scope, so that nothing of a text is left in it.

Every commit is written again by ``git fast-export`` and ``git fast-import``, with its dates and its
trailers; then the old objects, logs and messages are removed.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from jmem.errors import Refused
from jmem.storage import files
from jmem.storage.exchange import SPACE
from jmem.storage.past import Past

CleanFile = Callable[[str, bytes], bytes | None]
"""Path and content of a file in a commit -> its content afterwards, None for no file."""
_LEFT_BEHIND = (
    "COMMIT_EDITMSG",
    "MERGE_MSG",
    "SQUASH_MSG",
    "ORIG_HEAD",
    "FETCH_HEAD",
    "MERGE_HEAD",
    "AUTO_MERGE",
    "gc.log",
)
_MARK_FILE = "jmem-rewriting"
_OF_REMOTES = ("met", "fetched", "sending")
_OWN = (b"blob", b"commit ", b"tag ", b"reset ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """How a history is written again. ``rename`` gives a file another name in every commit, where
    ``file`` changes one of its versions, or where ``named`` says that its name has to go."""

    file: CleanFile
    message: Callable[[str], str]
    rename: Callable[[str], str]
    named: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Ahead:
    """A history as it was exported, and the files that will have another name, old -> new."""

    exported: bytes
    names: Mapping[str, str]


@dataclass(slots=True)
class _Blob:
    content: bytes
    marks: dict[bytes, int] = field(default_factory=dict)


class Rewriter(Past):
    """The repository of one scope root, with the means to change what was."""

    @property
    def unfinished(self) -> bool:
        """Whether a rewriting was killed before everything old was removed."""
        return (self._git_dir / _MARK_FILE).exists()

    def look_ahead(self, how: Rewriting) -> Ahead:
        """What a rewriting comes to; nothing is changed.

        Raises Refused where no branch is checked out: commits that nothing names are not found.
        """
        if not self.head():
            return Ahead(b"", {})
        if not self._run("symbolic-ref", "--quiet", "HEAD", allowed=(0, 1)).strip():
            raise Refused(
                f"no branch is checked out in {self.root}",
                hint="check one out there (git switch main), then run this again",
            )
        options = ("--signed-tags=strip", "--tag-of-filtered-object=rewrite", "--reencode=no")
        exported = self._bytes("fast-export", "--all", *options)
        touched: set[str] = set()

        def look(path: str, content: bytes) -> bytes | None:
            after = how.file(path, content)
            if after != content or how.named(path):
                touched.add(path)
            return after

        for _ in _Translation(replace(how, file=look, rename=str), exported).stream():
            pass  # a file has one name in every commit, so all of its versions are looked at first
        names = {path: how.rename(path) for path in sorted(touched)}
        return Ahead(exported, {old: new for old, new in names.items() if old != new})

    def rewrite(self, how: Rewriting, ahead: Ahead) -> None:
        """Write every commit of every branch and tag again, and remove everything that none of
        them holds: objects, logs, messages."""
        if ahead.exported:
            files.atomic_write(self._git_dir / _MARK_FILE, b"")
            named = replace(how, rename=lambda path: ahead.names.get(path, path))
            stream = b"".join(_Translation(named, ahead.exported).stream())
            before = self._shared()
            self._bytes("fast-import", "--force", "--quiet", stdin=stream)
            for name, commit in self._shared().items():
                if before[name] != commit:  # the remote has it as it was, under its old name
                    self.point(f"{name.rpartition('/')[0]}/cleaned/{before[name]}", commit)
        self.sweep()

    def _shared(self) -> dict[str, str]:
        """The commits that remotes have or had, by our names for them."""
        output = self._run("for-each-ref", "--format=%(refname) %(objectname)", f"{SPACE}/")
        rows = (row.split() for row in output.splitlines())
        return {name: sha for name, sha in rows if name.rpartition("/")[2] in _OF_REMOTES}

    def sweep(self) -> None:
        """Remove what no branch or tag holds: the end of a rewriting, also of a killed one."""
        if not self.head():
            return
        self._run("read-tree", "HEAD")
        for name in _LEFT_BEHIND:
            files.remove(self._git_dir / name)
        self._run("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
        self._run("gc", "--prune=now", "--quiet")
        files.remove(self._git_dir / _MARK_FILE)

    def objects(self) -> Iterator[tuple[str, bytes]]:
        """Every object that is there, whether anything names it or not: its name and content."""
        if not self.exists:
            return
        output = self._bytes("cat-file", "--batch-all-objects", "--batch", "--unordered")
        position = 0
        while position < len(output):
            end = output.index(b"\n", position)
            name, _, size = output[position:end].split()
            start, position = end + 1, end + 1 + int(size) + 1
            yield name.decode(), output[start : position - 1]

    def has_remotes(self) -> bool:
        """Whether there is another repository that may hold copies of the commits."""
        return bool(self._run("remote").strip())


class _Translation:
    """One pass over what ``git fast-export`` wrote."""

    def __init__(self, how: Rewriting, exported: bytes) -> None:
        self._how = how
        self._in = exported
        self._at = 0
        self._blobs: dict[bytes, _Blob] = {}
        self._mark = _highest_mark(exported)

    def stream(self) -> Iterator[bytes]:
        """The input of ``git fast-import``. A blob is written where a file first needs it, so that
        what no file holds any more is not written at all."""
        while self._at < len(self._in):
            line = self._line()
            if line == b"blob":
                self._blob()
            elif line.startswith(b"commit "):
                yield from self._commit(line)
            elif line.startswith(b"data "):
                yield from self._said(line)  # the message of a tag
            else:
                yield line + b"\n"

    def _line(self) -> bytes:
        end = self._in.index(b"\n", self._at)
        line, self._at = self._in[self._at : end], end + 1
        return line

    def _data(self, line: bytes) -> bytes:
        size = int(line.removeprefix(b"data "))
        content = self._in[self._at : self._at + size]
        self._at += size
        if self._in[self._at : self._at + 1] == b"\n":
            self._at += 1
        return content

    def _blob(self) -> None:
        mark = self._line().removeprefix(b"mark ")
        line = self._line()
        while not line.startswith(b"data "):
            line = self._line()
        self._blobs[mark] = _Blob(self._data(line))

    def _said(self, line: bytes) -> Iterator[bytes]:
        text = self._data(line).decode("utf-8", "surrogateescape")
        data = self._how.message(text).encode("utf-8", "surrogateescape")
        yield b"data %d\n%s\n" % (len(data), data)

    def _commit(self, first: bytes) -> Iterator[bytes]:
        """A commit, after the blobs that it needs."""
        lines, blobs = [first + b"\n"], []
        while self._at < len(self._in):
            if self._in.startswith(_OWN, self._at):
                break
            line = self._line()
            if line.startswith(b"data "):
                lines += self._said(line)
            elif line.startswith(b"M "):
                wrote, changed = self._modified(line)
                blobs += wrote
                lines.append(changed)
            elif line.startswith(b"D "):
                lines.append(b"D " + self._renamed(_path(line[2:])) + b"\n")
            else:
                lines.append(line + b"\n")
        yield from (*blobs, *lines)

    def _modified(self, line: bytes) -> tuple[list[bytes], bytes]:
        _, mode, mark, quoted = line.split(b" ", 3)
        path = _path(quoted)
        blob = self._blobs.get(mark)
        if blob is None:  # another repository inside this one, named by its commit
            return [], line + b"\n"
        content = self._how.file(path.decode("utf-8", "surrogateescape"), blob.content)
        renamed = self._renamed(path)
        if content is None:
            return [], b"D " + renamed + b"\n"
        wrote = []
        if content not in blob.marks:
            self._mark += 1
            blob.marks[content] = self._mark
            head = b"blob\nmark :%d\ndata %d\n" % (self._mark, len(content))
            wrote.append(head + content + b"\n")
        return wrote, b"M %s :%d %s\n" % (mode, blob.marks[content], renamed)

    def _renamed(self, path: bytes) -> bytes:
        renamed = self._how.rename(path.decode("utf-8", "surrogateescape"))
        data = renamed.encode("utf-8", "surrogateescape")
        if data.startswith(b'"') or b"\n" in data or b"\\" in data:
            escaped = data.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
            return b'"' + escaped + b'"'
        return data


def _path(quoted: bytes) -> bytes:
    """A path of the stream; git quotes those with unusual characters as C does."""
    if quoted.startswith(b'"') and quoted.endswith(b'"'):
        return codecs.escape_decode(quoted[1:-1])[0]
    return quoted


def _highest_mark(exported: bytes) -> int:
    marks = exported.count(b"\nmark :") + exported.startswith(b"mark :")
    return max(marks, 0) + 1
