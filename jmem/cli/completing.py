"""What a shell offers where a command is half typed: commands, options, ids with what they say,
kinds, topics, tags, settings and their values.

The words come from the index, which is neither built nor brought up to date for it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    shell_complete,
)

from jmem import outgoing, scopes
from jmem.cli.lazygroup import LazyGroup
from jmem.errors import JmemError
from jmem.formats.text import cut_at_word
from jmem.model import KINDS
from jmem.scopes import Scope
from jmem.settings import BY_NAME, SETTINGS, OneOf
from jmem.storage.index import browsing
from jmem.storage.index.begun import begun
from jmem.storage.index.reading import Reader

VARIABLE = "_JMEM_COMPLETE"
_MOST = 40
_BYTES = 70
Offer = Callable[[click.Context, str], Iterable[tuple[str, str]]]
"""Words that begin so, each with what it means."""


def answer(group: LazyGroup) -> int:
    """Print what a shell asks for in the variables that its script sets; the exit code. A store
    that cannot be read offers nothing: a shell shows no errors."""
    try:
        add_completion_class(_Bash)
        dressed = _Completing(name="jmem", params=group.params, lazy=group.lazy)
        return shell_complete(dressed, {}, "jmem", VARIABLE, os.environ[VARIABLE])
    except (JmemError, OSError, click.ClickException):
        return 1


class _Bash(BashComplete):
    """What the script of ``jmem completion bash`` reads: with what each word means behind it."""

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """One line; a tab stands before the meaning."""
        said = " ".join(item.help.split()) if item.help else ""
        return f"{item.type},{item.value}" + (f"\t{said}" if said else "")


class _Offering(click.ParamType[str]):
    """A type of parameter whose values are offered, and not checked."""

    name = "text"

    def __init__(self, offer: Offer) -> None:
        self._offer = offer

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[Any]]:
        """The words that are offered, each once."""
        return [
            CompletionItem(word, help=said or None)
            for word, said in dict(self._offer(ctx, incomplete)).items()
            if word.startswith(incomplete)
        ]


class _Completing(LazyGroup):
    """The commands with the values of their parameters offered."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, its parameters dressed."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            _dress(command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        """The commands that begin so, and the options of the group."""
        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, ctx, incomplete)
        return [
            CompletionItem(name, help=said)
            for name, said in self.told(ctx)
            if name.startswith(incomplete)
        ]


def _dress(command: click.Command) -> None:
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            _dress(inner)
    for parameter in command.params:
        plain = isinstance(parameter.type, click.types.StringParamType)
        name = (parameter.metavar or parameter.name or "").strip("[].").upper()
        if plain and name == "DIR":
            parameter.type = click.Path(file_okay=False)
        elif plain and name == "FILE":
            parameter.type = click.Path()
        elif plain and (offer := _OFFERS.get(name)):
            parameter.type = _Offering(offer)


def _scopes(ctx: click.Context) -> list[Scope]:
    """The scopes that the options typed so far mean; else the project's and the global one."""
    if ctx.params.get("everywhere"):
        return [scopes.global_scope()]
    own = scopes.resolve(ctx.params.get("project"))
    return [own] if own.is_global or ctx.params.get("project") else [own, scopes.global_scope()]


def _indexes(ctx: click.Context) -> Iterator[Reader]:
    for scope in _scopes(ctx):
        reader = Reader.open(str(scope.root), scope.name)
        if reader is not None:
            with closing(reader):
                yield reader


def _ids(ctx: click.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """Ids, each with the beginning of what it says, masked before it is cut."""
    for reader in _indexes(ctx):
        for key, status, text in begun(reader, incomplete, limit=_MOST):
            said = cut_at_word(outgoing.masked(" ".join(text.partition("\n\n")[0].split())), _BYTES)
            yield key, said if status == "active" else f"[{status}] {said}"


def _known(column: str, *usual: str) -> Offer:
    def offer(ctx: click.Context, _: str) -> Iterator[tuple[str, str]]:
        counted: dict[str, int] = dict.fromkeys(usual, 0)
        for reader in _indexes(ctx):
            for word, count in browsing.counts(reader, column).items():
                counted[word] = counted.get(word, 0) + count
        for word, count in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])):
            yield word, f"{count}" if count else ""

    return offer


def _runs(ctx: click.Context, _: str) -> Iterator[tuple[str, str]]:
    from jmem.storage.history import History  # only where a run is asked for

    for scope in _scopes(ctx)[:1]:
        for commit in History(scope.root).log(limit=_MOST, runs_only=True):
            yield commit.run, outgoing.masked(commit.subject)


def _settings(_: click.Context, __: str) -> Iterator[tuple[str, str]]:
    for setting in SETTINGS:
        yield setting.name, setting.help


def _values(ctx: click.Context, _: str) -> Iterator[tuple[str, str]]:
    setting = BY_NAME.get(ctx.params.get("name") or "")
    if setting is not None:
        words = setting.read.words if isinstance(setting.read, OneOf) else ()
        for word in ("true", "false") if isinstance(setting.default, bool) else words:
            yield word, "the default" if word == str(setting.default).lower() else ""


def _words(_: click.Context, __: str) -> Iterator[tuple[str, str]]:
    from jmem.changing.reviewing import Word  # the command has loaded it already

    for word in Word:
        yield word.value, ""


_OFFERS: Mapping[str, Offer] = {
    "ID": _ids,
    "OLD": _ids,
    "KEEP": _ids,
    "OTHER": _ids,
    "KIND": _known("kind", *KINDS),
    "TOPIC": _known("topic"),
    "TAG": _known("tag"),
    "RUN": _runs,
    "NAME": _settings,
    "VALUE": _values,
    "WORD": _words,
}
"""The name of a parameter -> what is offered for it."""
