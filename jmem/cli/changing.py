"""What the commands that change one memory have in common: whose word it is, where it is, and
what is printed of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from jmem import scopes
from jmem.amendment import AGENT, PERSON, Author
from jmem.changing.carrying import Changed
from jmem.cli import render
from jmem.cli.memories import as_data
from jmem.cli.options import chosen_scope
from jmem.cli.person import person_here
from jmem.scopes import Scope

T = TypeVar("T")


def author() -> Author:
    """A person where somebody sits at a terminal; anything else may be a program."""
    return PERSON if person_here() else AGENT


def where_it_is(act: Callable[[Scope], T], project: str | None, *, everywhere: bool) -> T:
    """What ``act`` returns for the scope that the options name, or, where they name none and the
    project does not know the id, for the global scope. Raises NotFound as the first of them did.
    """
    scope = chosen_scope(project, everywhere=everywhere)
    return scopes.where_known(act, scope, alone=bool(project or everywhere))


def show(command: str, changed: Changed, *, as_json: bool) -> None:
    """Print what came of a command."""
    if as_json:
        render.envelope(command, changed_data(changed))
    elif changed.commit:
        render.line(f"{changed.message} [{changed.commit[:10]}]")
    else:
        render.message(changed.message)


def changed_data(changed: Changed) -> dict[str, Any]:
    """What came of a command, as JSON data."""
    return {
        "what": changed.what,
        "id": changed.id,
        "scope": changed.scope,
        "message": changed.message,
        "changed": bool(changed.commit),
        "run": changed.run,
        "commit": changed.commit,
        "memories": [as_data(memory) for memory in changed.memories],
    }
