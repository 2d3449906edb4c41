"""The six commands of the memory tool over one scope of jmem.

A file that is created is a note in the inbox, readable at once, and a memory after the next
distillation, with its path and its words; changes of it are edits, and deleting it forgets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jmem import config, places, scopes, store
from jmem.amendment import Author
from jmem.changing import filing
from jmem.errors import JmemError, UsageError
from jmem.formats.text import clean_text
from jmem.layout import GLOBAL_SCOPE
from jmem.memory_tool import folder, wording
from jmem.memory_tool.addresses import ROOT, inside
from jmem.memory_tool.failure import ToolFailure
from jmem.memory_tool.folder import File, Folder
from jmem.model import MAX_NOTE_BYTES, Note, Origin, Source, Trust
from jmem.scopes import Scope
from jmem.storage import fingerprint, inbox, sessionmarks, statefile

MAX_FILES = 1000
"""So many files may the tool have put into one scope."""
_MODEL = Author(source=Source.AGENT, origin=Origin.ASSISTANT, trust=Trust.MEDIUM)


class MemoryTool:
    """Runs commands of the memory tool against the memory of a project, or that of all.

    ``project``: a directory (default: as the command line finds it); ``scope``: ``project`` or
    ``global``; ``session``: the name of the conversation (``<agent>:<id>``), which stands with
    what is written in it. May be used from several threads and processes at once.
    """

    def __init__(
        self, project: str | Path | None = None, *, scope: str = "project", session: str = ""
    ) -> None:
        if scope not in ("project", GLOBAL_SCOPE):
            raise UsageError(f"{scope!r} is neither project nor {GLOBAL_SCOPE}")
        self._project = project
        self._global = scope == GLOBAL_SCOPE
        self._session = session
        self._known: tuple[str, Folder] | None = None

    def call(self, command: Mapping[str, Any]) -> str:
        """What the model is told about a command, the input of its ``tool_use`` block; of one
        that was not carried out it begins with ``Error:``."""
        try:
            return self.run(command)
        except ToolFailure as failure:
            return f"Error: {failure.message}"

    def run(self, command: Mapping[str, Any]) -> str:
        """The same, but raises ToolFailure for a command that was not carried out."""
        word = command.get("command")
        if not isinstance(word, str) or word not in _COMMANDS:
            raise ToolFailure(f"Unknown command: {word}. It is one of: {', '.join(_COMMANDS)}.")
        act, wanted = _COMMANDS[word]
        try:
            return act(self, **_arguments(word, command, wanted))
        except ToolFailure:
            raise
        except JmemError as error:
            hint = f" ({error.hint})" if error.hint else ""
            raise ToolFailure(f"{error.message}{hint}") from error
        except OSError as error:
            raise ToolFailure(f"The store cannot be used: {error.strerror or error}") from error

    def view(self, path: str, view_range: Sequence[int] | None = None) -> str:
        """A file with numbered lines, or the names and sizes in a directory two levels deep."""
        below = inside(path)
        held = self._folder(looking=True)
        file = held.file(below)
        if file is not None:
            text = _readable(path, file).content
            if file.stored:
                statefile.record_usage(file.stored)
            return wording.content(path, text, view_range)
        if not held.exists(below):
            raise ToolFailure(f"The path {path} does not exist. Please provide a valid path.")
        total = sum(each.size for each in held.below(below))
        shown = f"{ROOT}/{below}" if below else ROOT
        return wording.listing(shown, total, held.entries(below), view_range)

    def create(self, path: str, file_text: str) -> str:
        """Write a new file."""
        below = inside(path)
        held = self._folder()
        if not below or held.exists(below):
            raise ToolFailure(f"File {path} already exists")
        _must_be_free(path, below, held)
        if held.own() >= MAX_FILES:
            raise ToolFailure(f"There are {MAX_FILES} files already: delete or join some first.")
        _must_fit(path, file_text)
        scope = self._scope()
        note = Note(
            text=file_text,
            source=Source.AGENT,
            origin=Origin.ASSISTANT,
            scope=GLOBAL_SCOPE if self._global else "project",
            session=self._session,
            cwd=scope.directory,
            filed=below,
        )
        written = store.take_note(note, project=self._project)
        told = [f"File created successfully at: {path}"]
        if why := inbox.held_back(written):
            told.append(f"[It is held until the user has read it: {why}]")
        elif written.text != clean_text(file_text):
            told.append("[What looked like a secret was masked before it was written]")
        return "\n".join(told)

    def str_replace(self, path: str, old_str: str, new_str: str) -> str:
        """Replace a text that stands in a file once."""
        if not old_str:
            raise ToolFailure("No replacement was performed, old_str is empty.")
        file = self._file(path)
        line = file.content.count("\n", 0, max(0, file.content.find(old_str)))

        def change(text: str) -> str:
            return wording.replaced(path, f"{text}\n", old_str, new_str)

        return wording.snippet(self._rewritten(path, file, change), line)

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        """Put lines into a file, after the line of this number."""
        file = self._file(path)

        def change(text: str) -> str:
            return wording.inserted(f"{text}\n", insert_line, insert_text)

        self._rewritten(path, file, change)
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        """Forget a file, or a directory of files that the tool has put there."""
        below = inside(path)
        if not below:
            raise ToolFailure(f"Cannot delete the {ROOT} directory itself")
        held = self._folder()
        file = held.file(below)
        chosen = [file] if file else _own(path, held.below(below))
        if not chosen:
            raise ToolFailure(f"The path {path} does not exist")
        filing.remove(self._scope(), [each.identity for each in chosen], by=_MODEL)
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        """Give a file another path, or a directory of files that the tool has put there."""
        old, new = inside(old_path), inside(new_path)
        if not old:
            raise ToolFailure(f"Cannot rename the {ROOT} directory itself")
        held = self._folder()
        if held.exists(new):
            raise ToolFailure(f"The destination {new_path} already exists")
        file = held.file(old)
        chosen = [file] if file else _own(old_path, held.below(old))
        if not chosen:
            raise ToolFailure(f"The path {old_path} does not exist")
        if new.startswith(f"{old}/"):
            raise ToolFailure(f"Cannot move {old_path} into itself")
        _must_be_free(new_path, new, held)
        moved = {each.identity: f"{new}{each.path.removeprefix(old)}" for each in chosen}
        for target in moved.values():
            inside(f"{ROOT}/{target}")
        filing.move(self._scope(), moved, by=_MODEL)
        return f"Successfully renamed {old_path} to {new_path}"

    def _rewritten(self, path: str, file: File, change: Callable[[str], str]) -> str:
        """The content of a file after a change of it."""

        def checked(text: str) -> str:
            after = change(text)
            _must_fit(path, after)
            return after

        filing.rewrite(self._scope(), file.identity, checked, by=_MODEL)
        changed = self._folder().file(file.path)
        if changed is None:
            raise ToolFailure(f"The file {path} no longer exists.")
        return changed.content

    def _file(self, path: str) -> File:
        below = inside(path)
        held = self._folder()
        file = held.file(below)
        if file is None and held.exists(below):
            raise ToolFailure(f"The path {path} is not a file.")
        if file is None:
            raise ToolFailure(f"The path {path} does not exist. Please provide a valid path.")
        return _readable(path, file)

    def _folder(self, *, looking: bool = False) -> Folder:
        """The files as they are now. Raises ToolFailure where memory is switched off, and in a
        session that the user keeps out of it, unless it is only for ``looking``."""
        scope = self._scope()
        if not config.load(scope.directory).enabled:
            raise ToolFailure("The user has switched memory off: nothing is read or written.")
        kept_out = sessionmarks.is_silent if looking else sessionmarks.is_off
        if self._session and kept_out(places.sessions(), self._session):
            raise ToolFailure("The user does not want this session to be remembered.")
        if not scope.exists:
            return Folder(())
        looks = f"{scope.root} {fingerprint.of(fingerprint.look(scope.root))}"
        known = self._known
        if known is None or known[0] != looks:  # reading 5,000 memories takes a second and more
            known = self._known = (looks, folder.load(scope))
        return known[1]

    def _scope(self) -> Scope:
        if self._global:
            return scopes.global_scope()
        return scopes.for_writing(scopes.resolve(self._project))


def _arguments(
    word: str, command: Mapping[str, Any], wanted: Mapping[str, Callable[[Any], bool]]
) -> dict[str, Any]:
    """The arguments of a command, each of its type. Raises ToolFailure; what is not known is left
    out, and what is null counts as absent."""
    given = {name: command[name] for name in wanted if command.get(name) is not None}
    for name, fits in wanted.items():
        if name not in given and name not in _OPTIONAL:
            raise ToolFailure(f"The command {word} needs `{name}`.")
        if name in given and not fits(given[name]):
            raise ToolFailure(f"`{name}` of the command {word} is of the wrong type.")
    return given


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _range(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_number, value))


_OPTIONAL = frozenset({"view_range"})
_COMMANDS: Mapping[str, tuple[Callable[..., str], Mapping[str, Callable[[Any], bool]]]] = {
    "view": (MemoryTool.view, {"path": _text, "view_range": _range}),
    "create": (MemoryTool.create, {"path": _text, "file_text": _text}),
    "str_replace": (
        MemoryTool.str_replace,
        {"path": _text, "old_str": _text, "new_str": _text},
    ),
    "insert": (
        MemoryTool.insert,
        {"path": _text, "insert_line": _number, "insert_text": _text},
    ),
    "delete": (MemoryTool.delete, {"path": _text}),
    "rename": (MemoryTool.rename, {"old_path": _text, "new_path": _text}),
}


def _readable(path: str, file: File) -> File:
    if file.held:
        raise ToolFailure(f"The file {path} is held until the user has read it ({file.held}).")
    return file


def _own(path: str, below: Sequence[File]) -> Sequence[File]:
    """The files of a directory, where the tool has put all of them there."""
    others = sum(not each.own for each in below)
    if others:
        raise ToolFailure(
            f"The directory {path} holds {others} that were not written with this tool: "
            "name those files one by one."
        )
    return below


def _must_be_free(path: str, below: str, held: Folder) -> None:
    """Raises ToolFailure where a directory of the path is a file."""
    parts = below.split("/")
    for number in range(1, len(parts)):
        above = "/".join(parts[:number])
        if held.file(above):
            raise ToolFailure(f"Cannot write {path}: {ROOT}/{above} is a file.")


def _must_fit(path: str, text: str) -> None:
    if not clean_text(text):
        raise ToolFailure(f"The file {path} would be empty: write a text, or delete the file.")
    if len(text.encode("utf-8", "replace")) > MAX_NOTE_BYTES:
        raise ToolFailure(
            f"The file {path} would be larger than {MAX_NOTE_BYTES // 1024} KiB: write several."
        )
