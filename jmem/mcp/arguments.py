"""Whether the arguments of a call are what the tool's schema declares, said so that a model can
put them right. Pure. It knows as much of JSON Schema as the declarations use."""

from __future__ import annotations

from jmem.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Json = dict[str, Any]


def checked(tool: Json, given: Json) -> Json:
    """The arguments without those that are null, as text that can be written to a file.

    Raises UsageError naming what is wrong.
    """
    schema = tool["inputSchema"]
    declared = schema["properties"]
    present = {name: value for name, value in given.items() if value is not None}
    unknown = [name for name in present if name not in declared]
    if unknown:
        raise UsageError(
            f"{tool['name']} has no argument {_shown(unknown[0])}", hint=f"it has {_of(declared)}"
        )
    missing = [name for name in schema["required"] if name not in present]
    if missing:
        raise UsageError(
            f"{tool['name']} needs {_of(missing)}", hint=declared[missing[0]].get("description", "")
        )
    for name, value in present.items():
        wrong = _wrong(declared[name], value)
        if wrong:
            raise UsageError(f"{name}: expected {wrong}, not {_shown(value)}")
    return {name: _whole(value) for name, value in present.items()}


def needed(arguments: Json, *names: str) -> list[str]:
    """The texts of these arguments, which the action of the call needs. Raises UsageError."""
    missing = [name for name in names if not str(arguments.get(name, "")).strip()]
    if missing:
        raise UsageError(f"action {arguments['action']} needs {_of(missing)}")
    return [arguments[name] for name in names]


def _wrong(schema: Json, value: object) -> str:
    """What is expected where the value is something else; empty where it is that."""
    choices = schema.get("enum")
    if choices:
        return "" if value in choices else "one of " + _of(choices)
    kind = schema["type"]
    if kind == "array":
        whole = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return "" if whole else "a list of strings"
    if kind == "integer":
        least, most = schema["minimum"], schema["maximum"]
        whole = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        return "" if whole else f"a whole number from {least} to {most}"
    if kind == "boolean":
        return "" if isinstance(value, bool) else "true or false"
    return "" if isinstance(value, str) else "a string"


def _whole(value: object) -> object:
    """The value without halves of characters: JSON can name one, and no file can hold it."""
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _of(names: object) -> str:
    return ", ".join(map(str, names)) if isinstance(names, list | dict) else str(names)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"
