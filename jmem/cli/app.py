"""The ``jmem`` group, the table of its commands, and the one boundary where errors end."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from jmem import config
from jmem.cli import render
from jmem.cli.lazygroup import LazyGroup
from jmem.cli.system import of_system
from jmem.errors import JmemError

INTERRUPTED = 130
_COMPLETING = "_JMEM_COMPLETE"
"""Set by the script of a shell that asks what could be typed next."""
_NO_COMMAND = getattr(click.exceptions, "NoArgsIsHelpError", ())  # click 8.2 and later
_MENDING = frozenset({"config", "doctor"})
"""What has to work with a settings file that nobody can read."""
COMMANDS: Mapping[str, str] = {
    "init": "jmem.cli.init:init",
    "note": "jmem.cli.notes:note",
    "notes": "jmem.cli.notes:notes",
    "recall": "jmem.cli.recall:recall",
    "search": "jmem.cli.search:search",
    "inject": "jmem.cli.inject:inject",
    "import": "jmem.cli.imports:import_",
    "list": "jmem.cli.memories:list_memories",
    "show": "jmem.cli.memories:show",
    "edit": "jmem.cli.change:edit",
    "export": "jmem.cli.export:export",
    "forget": "jmem.cli.change:forget",
    "restore": "jmem.cli.change:restore",
    "supersede": "jmem.cli.change:supersede",
    "merge": "jmem.cli.change:merge",
    "tag": "jmem.cli.relations:tag",
    "untag": "jmem.cli.relations:untag",
    "link": "jmem.cli.relations:link",
    "unlink": "jmem.cli.relations:unlink",
    "related": "jmem.cli.relations:related",
    "history": "jmem.cli.history:history",
    "undo": "jmem.cli.history:undo",
    "review": "jmem.cli.review:review",
    "purge": "jmem.cli.purge:purge",
    "scan": "jmem.cli.scan:scan",
    "diff": "jmem.cli.diff:diff",
    "stats": "jmem.cli.stats:stats",
    "log": "jmem.cli.log:log",
    "status": "jmem.cli.status:status",
    "sessions": "jmem.cli.sessions:sessions",
    "explain": "jmem.cli.explain:explain",
    "skills": "jmem.cli.skills:skills",
    "path": "jmem.cli.path:path",
    "remote": "jmem.cli.remote:remote",
    "push": "jmem.cli.share:push",
    "pull": "jmem.cli.share:pull",
    "clear": "jmem.cli.clear:clear",
    "config": "jmem.cli.config:config",
    "cron": "jmem.cli.cron:cron",
    "index": "jmem.cli.index:index",
    "hook": "jmem.cli.hook:hook",
    "prepare": "jmem.cli.prepare:prepare",
    "mcp": "jmem.cli.mcp:mcp",
    "ui": "jmem.cli.ui:ui",
    "doctor": "jmem.cli.doctor:doctor",
    "completion": "jmem.cli.completion:completion",
}


def _show_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from importlib.metadata import version

    click.echo(f"jmem {version('jmem')}")
    ctx.exit()


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.pass_context
def jmem(context: click.Context) -> None:
    """Long-term memory for coding agents, in plain files on your own machine."""
    if context.invoked_subcommand not in _MENDING:
        config.choose_what_is_masked()


def run(arguments: Sequence[str]) -> int:
    """Run the command line; every foreseen error becomes one line on stderr and an exit code."""
    as_json = "--json" in arguments
    command = next((word for word in arguments if not word.startswith("-")), "")
    render.forgive_encodings()
    if _COMPLETING in os.environ:
        from jmem.cli import completing

        return completing.answer(jmem)
    try:
        result: Any = jmem.main(args=list(arguments), prog_name="jmem", standalone_mode=False)
        code = result if isinstance(result, int) and not isinstance(result, bool) else 0
        render.flush()
    except JmemError as error:
        return _fail(error.message, error.hint, error.exit_code, command, as_json=as_json)
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        render.message("interrupted")
        return INTERRUPTED
    except click.ClickException as error:
        if isinstance(error, _NO_COMMAND):
            error.show(sys.stderr)
            return click.UsageError.exit_code
        return _fail(*_of_click(error), error.exit_code, command, as_json=as_json)
    except BrokenPipeError:
        render.nobody_listens()
        return 0
    except OSError as error:
        told = of_system(error)
        return _fail(told.message, told.hint, told.exit_code, command, as_json=as_json)
    return code


def _fail(text: str, hint: str, code: int, command: str, *, as_json: bool) -> int:
    render.message(f"{text} ({hint})" if hint else text)
    if as_json:
        render.envelope(command, error={"message": text, "hint": hint, "exit_code": code})
    return code


def _of_click(error: click.ClickException) -> tuple[str, str]:
    """What is wrong with a call, on one line, and the help that says how it is meant."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    message = " ".join(error.format_message().split()).rstrip(".")
    return message, f"{context.command_path} --help" if context else ""
