"""The command reference (internal-doc/COMMANDS.md), and the line that ``jmem --help`` has of each
command (jmem/cli/summaries.py), made from the commands, the settings and the errors themselves.

``scripts/tables.py`` writes them. ``tests/test_documents.py`` fails where they are behind.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from jmem import errors
from jmem.cli.app import INTERRUPTED, jmem
from jmem.config import variable_of
from jmem.errors import JmemError
from jmem.settings import SETTINGS
from jmem.transcripts.reader import VARIABLES

_WIDTH, _LINE = 101, 88
ENVIRONMENT = {
    "JMEM_HOME": "where all memory is kept (default: `~/.jmem`)",
    "JMEM_PROJECT": "the project's directory, where `--project` is not given",
    "JMEM_NOW": "the moment to take as now, such as `2026-07-05T03:00:00Z`: for tests",
    "EDITOR": "what `jmem edit` and `jmem review` open a text in (`VISUAL` before it)",
    "NO_COLOR": "set to anything: no colours",
    "TERM": "`dumb`: no colours",
    "FORCE_COLOR": "set to anything: colours in a pipe too",
}
"""Variables that are no settings."""
INTERNAL = {"JMEM_CHILD"}
"""Variables that jmem sets for the programs that it starts: a marker against endless recursion."""


def commands() -> Iterator[tuple[str, click.Command, click.Context]]:
    """Every command that is shown, in the order of the help, with those of its groups behind it."""
    yield from _below(jmem, click.Context(jmem, info_name="jmem"))


def _below(
    group: click.Group, context: click.Context
) -> Iterator[tuple[str, click.Command, click.Context]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        inner = click.Context(command, info_name=name, parent=context)
        yield inner.command_path, command, inner
        if isinstance(command, click.Group):
            yield from _below(command, inner)


def summaries() -> str:
    """The module that holds the first line of each command's help."""
    found = {
        path.removeprefix("jmem "): command.get_short_help_str(limit=_LINE)
        for path, command, _ in commands()
        if path.count(" ") == 1
    }
    rows = "".join(map(_row, found.items()))
    return (
        '"""What each command does, in a line: neither help nor completion has to load it for that.'
        '\n\nWritten by ``scripts/tables.py``, from the commands themselves.\n"""\n\n'
        "from __future__ import annotations\n\n"
        "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from collections.abc import Mapping\n\n"
        f"SUMMARIES: Mapping[str, str] = {{\n{rows}}}\n"
    )


def _row(pair: tuple[str, str]) -> str:
    name, said = pair
    row = f'    "{name}": "{said}",\n'
    return row if len(row) <= _WIDTH else f'    "{name}": (\n        "{said}"\n    ),\n'


def document() -> str:
    """The whole reference."""
    parts = [
        "# COMMANDS: every command, option, exit code and setting",
        "Written by `scripts/tables.py` from the code itself. What the commands are for stands in "
        "the [README](../README.md).",
        _contents(),
        "Every command has `-h` and `--help`. Results go to stdout, messages to stderr. With "
        "`--json`, where there is one, the result is one object `{version, command, data}`, and an "
        "error `{version, command, error: {message, hint, exit_code}}`. An id may be given by its "
        "beginning.",
        *(_section(path, command, context) for path, command, context in commands()),
        "## Exit codes",
        _exit_codes(),
        "## Settings",
        "In `config.yaml` of the store (`jmem config NAME VALUE`), or in the environment, which "
        "goes first. A repository may only switch off what is marked, in a `.jmem.yaml`.",
        _settings(),
        "## Environment",
        _environment(),
    ]
    return "\n\n".join(parts) + "\n"


def _contents() -> str:
    return "\n".join(
        f"- [`{path}`](#{path.replace(' ', '-')}): {command.get_short_help_str(limit=200)}"
        for path, command, _ in commands()
        if path.count(" ") == 1
    )


def _section(path: str, command: click.Command, context: click.Context) -> str:
    usage = " ".join((path, *command.collect_usage_pieces(context)))
    parts = [f"## {path}", f"```\n{usage}\n```", _help(command)]
    rows = [
        f"- `{names}`: {said}" if said else f"- `{names}`"
        for names, said in _options(command, context)
    ]
    if rows:
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


def _help(command: click.Command) -> str:
    """The help as paragraphs, without the marks that click reads."""
    text = inspect.cleandoc(command.help or "").replace("\b\n", "")
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text))


def _options(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    for option in command.params:
        record = option.get_help_record(context) if isinstance(option, click.Option) else None
        if record is not None:
            yield record[0], " ".join(record[1].split()).rstrip(".")


def _exit_codes() -> str:
    kinds = [
        kind
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, JmemError)
    ]
    rows = {0: "Done; also where there was nothing to do."}
    for kind in sorted(kinds, key=lambda kind: kind.exit_code):
        rows[kind.exit_code] = (inspect.getdoc(kind) or "").split("\n")[0]
    rows[INTERRUPTED] = "Interrupted."
    return _table(("code", "meaning"), ((str(code), said) for code, said in rows.items()))


def _settings() -> str:
    """A row a setting: name, variable, default, meaning."""

    def rows() -> Iterator[tuple[str, ...]]:
        for setting in SETTINGS:
            meaning = setting.help.replace("|", "\\|")
            if setting.repository:
                meaning += " (a repository may set false)"
            yield (
                f"`{setting.name}`",
                f"`{variable_of(setting.name)}`",
                _shown(setting.default),
                meaning,
            )

    return _table(("setting", "variable", "default", "meaning"), rows())


def _environment() -> str:
    known = {**ENVIRONMENT, **dict.fromkeys(VARIABLES, "where an agent keeps what it keeps")}
    return _table(("variable", "meaning"), ((f"`{name}`", said) for name, said in known.items()))


def _shown(value: object) -> str:
    """The default of a setting."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        value = ", ".join(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) or "empty"


def _table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


WRITTEN = {"internal-doc/COMMANDS.md": document, "jmem/cli/summaries.py": summaries}
"""Path in the repository -> what makes the file."""
