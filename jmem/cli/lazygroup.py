"""A group of commands that are imported when they are called, told of without being imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from jmem import _lazy, spelling
from jmem.cli.summaries import SUMMARIES

ENTRY_POINTS = "jmem.commands"
SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Begin": ("init", "cron", "doctor", "config", "completion"),
    "Remember": ("note", "notes", "distill", "sync", "import"),
    "Find": ("recall", "search", "list", "show", "related", "inject"),
    "Correct": (
        *("review", "edit", "forget", "restore", "supersede", "merge"),
        *("tag", "untag", "link", "unlink", "undo", "purge", "scan", "clear"),
    ),
    "Understand": ("status", "log", "diff", "history", "explain", "stats", "sessions", "path"),
    "Share": ("ui", "export", "remote", "push", "pull", "skills"),
}
"""The commands as ``--help`` shows them; those that stand nowhere come last."""


class LazyGroup(click.Group):
    """Imports a command when it is called; asks the entry points only for a name it lacks."""

    def __init__(self, *arguments: Any, lazy: Mapping[str, str], **settings: Any) -> None:
        """``lazy``: name -> ``module:attribute`` of each command."""
        super().__init__(*arguments, **settings)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The built-in commands in their order, then those of other packages."""
        others = sorted(_entry_points().keys() - self.lazy.keys())
        return [*list(self.lazy)[:3], *others, *list(self.lazy)[3:]]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name in self.lazy:
            command: click.Command = _lazy.load(self.lazy[cmd_name])
            return command
        target = _own_commands().get(cmd_name) or _entry_points().get(cmd_name)
        loaded: click.Command | None = _lazy.load(target) if target else None
        return loaded

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called. Raises UsageError with the nearest one for one that is not
        there."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            known = [*self.lazy, *_own_commands(), *_entry_points()]
            if args[0] in known or not (near := spelling.nearest(args[0], known)):
                raise
            message = f"no command {args[0]!r}: did you mean {near!r}?"
            raise click.UsageError(message, ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by what one wants to do, each with its line."""
        told = dict(self.told(ctx))
        sections = {title: [n for n in names if n in told] for title, names in SECTIONS.items()}
        placed = {name for names in sections.values() for name in names}
        sections["More"] = [name for name in told if name not in placed]
        room = formatter.width - 6 - max(map(len, told), default=0)
        for title, names in sections.items():
            if names:
                with formatter.section(title):
                    formatter.write_dl([(name, _cut(told[name], room)) for name in names])

    def told(self, ctx: click.Context) -> Iterator[tuple[str, str]]:
        """The commands that are shown, each with what it does in a line. Only those of other
        packages are imported for it; of jmem's own those without a line are hidden."""
        own = _own_commands()
        for name in self.list_commands(ctx):
            if name in SUMMARIES:
                yield name, SUMMARIES[name]
            elif name not in self.lazy and name not in own:
                command = self.get_command(ctx, name)
                if command is not None and not command.hidden:
                    yield name, command.get_short_help_str()


def _cut(text: str, room: int) -> str:
    """The text in one line of so many characters."""
    return text if len(text) <= room else f"{text[: max(room, 20) - 1].rstrip(' ,;:')}…"


def _own_commands() -> dict[str, str]:
    """What jmem's own distribution registers: one file to read instead of every package's."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        found = distribution("jmem").entry_points
    except PackageNotFoundError:
        return {}
    return {point.name: point.value for point in found if point.group == ENTRY_POINTS}


def _entry_points() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
