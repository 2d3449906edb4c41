"""The tools: each is a function from arguments and caller to a text, and every error ends here as
a text that the model can act on."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from typing import Any

from jmem import clock, places
from jmem._lazy import load
from jmem.errors import JmemError, NotFound
from jmem.mcp import arguments, caller, declared
from jmem.mcp.caller import Caller
from jmem.storage import announced

Tool = Callable[[dict[str, Any], Caller], str]

_TOOLS = {
    declared.NOTE: "jmem.mcp.noting:note",
    declared.RECALL: "jmem.mcp.looking:look",
    declared.EDIT: "jmem.mcp.correcting:correct",
}


def call(name: str, given: dict[str, Any], who: Caller) -> tuple[str, bool]:
    """The text of a tool's result, and whether it is an error. What it changed is on disk when
    this returns. Raises nothing."""
    try:
        told = announced.take(places.sessions(), name, given, now=clock.now().timestamp())
        who = caller.announced(who, told)
        checked = arguments.checked(declared.BY_NAME[name], given)
        tool: Tool = load(_TOOLS[name])
        return tool(checked, who), False
    except JmemError as error:
        return _told(error), True
    except OSError as error:
        place = error.filename or "the store"
        return f"{place}: {error.strerror or error}. `jmem doctor` looks for the cause.", True
    except Exception as error:  # noqa: BLE001 - a bug must not take the other tools away
        traceback.print_exc(file=sys.stderr)
        return f"jmem failed ({type(error).__name__}), which is a bug; go on without it.", True


def _told(error: JmemError) -> str:
    hint = error.hint
    if isinstance(error, NotFound):
        hint = f"{declared.RECALL} with action search or list finds ids"
    return f"{error.message} ({hint})" if hint else error.message
