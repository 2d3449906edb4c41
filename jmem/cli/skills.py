"""``jmem skills``: the workflows that became skills, and links to them for an agent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from jmem import linking
from jmem.cli import render
from jmem.cli.options import chosen_scope, json_option, scope_options, settings_for
from jmem.errors import Refused
from jmem.linking import Step
from jmem.scopes import Scope
from jmem.storage import foreign
from jmem.storage import skills as store

_DONE = {"link": "linked", "unlink": "removed", "keep": "is there", "refuse": "left alone"}
_REFUSED = 7


@click.group(invoke_without_command=True)
@scope_options
@json_option
@click.pass_context
def skills(context: click.Context, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Show the workflows that became skills, and link them for an agent."""
    if context.invoked_subcommand is not None:
        return
    root = chosen_scope(project, everywhere=everywhere).root
    found, strange = store.listed(root), foreign.ids(root)
    if as_json:
        rows = [
            {
                "name": skill.name,
                "description": skill.description,
                "memory": skill.memory,
                "owned_by_person": skill.owned_by_person,
                "from_others": foreign.of_skill(skill.name) in strange,
            }
            for skill in found
        ]
        render.envelope("skills", rows)
        return
    for skill in found:
        mine = "  (yours)" if skill.owned_by_person else ""
        others = foreign.of_skill(skill.name) in strange
        whose = "  (from others)" if others else mine
        render.line(f"{skill.name}{whose}  {skill.description}")
    if not found:
        render.message("no skill yet: a workflow of several steps becomes one when it is confirmed")


def _agent_options(command: Callable[..., Any]) -> Callable[..., Any]:
    command = click.option("--dry-run", is_flag=True, help="Show what would be done.")(command)
    return click.option(
        "--agent",
        type=click.Choice(list(linking.AGENTS)),
        required=True,
        help="Whose skills directory.",
    )(command)


@skills.command()
@_agent_options
@scope_options
@json_option
def link(*, agent: str, dry_run: bool, project: str | None, everywhere: bool, as_json: bool) -> int:
    """Link the skills where an agent looks for them.

    What is there and is no link of this project's own is left alone; the exit code is then 7.
    """
    scope = chosen_scope(project, everywhere=everywhere)
    if not settings_for(scope).enabled:
        raise Refused("memory is switched off: nothing was linked")
    steps = list(linking.to_link(scope, linking.place(agent, scope)))
    return _carried_out("skills link", scope, steps, dry_run=dry_run, as_json=as_json)


@skills.command()
@_agent_options
@scope_options
@json_option
def unlink(
    *, agent: str, dry_run: bool, project: str | None, everywhere: bool, as_json: bool
) -> int:
    """Take the links away again, and nothing else."""
    scope = chosen_scope(project, everywhere=everywhere)
    steps = list(linking.to_unlink(scope, linking.place(agent, scope)))
    return _carried_out("skills unlink", scope, steps, dry_run=dry_run, as_json=as_json)


def _carried_out(
    command: str, scope: Scope, steps: Sequence[Step], *, dry_run: bool, as_json: bool
) -> int:
    for step in () if dry_run else steps:
        linking.carry_out(step)
    if as_json:
        render.envelope(command, list(_rows(steps)))
    else:
        for step in steps:
            word = f"would {step.action}" if dry_run else _DONE[step.action]
            render.line(f"{word}  {step.path}" + (f": {step.why}" if step.why else ""))
        if not steps:
            render.message(f"nothing to do for {scope.name}")
    return _REFUSED if any(step.action == "refuse" for step in steps) else 0


def _rows(steps: Iterable[Step]) -> Iterable[dict[str, str]]:
    for step in steps:
        yield {
            "action": step.action,
            "path": str(step.path),
            "target": str(step.target),
            "why": step.why,
        }
