"""``jmem recall``: the few memories that help, or nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from jmem import clock, compiled, places
from jmem import recall as recalling
from jmem.cli import quick, recalled, render
from jmem.cli.options import check_day, chosen_scope, settings_for
from jmem.cli.recalloptions import OPTIONS, Option
from jmem.errors import UsageError
from jmem.retrieval import focus
from jmem.scopes import Scope


def _with_options(command: Any) -> Any:
    for option in reversed(OPTIONS):
        command = click.option(option.flag, option.name, **_of_click(option))(command)
    return command


def _of_click(option: Option) -> dict[str, Any]:
    if not option.takes_value:
        return {"is_flag": True, "help": option.help}
    kind: Any = click.Choice(option.choices) if option.choices else str
    if option.number:
        kind = click.IntRange(min=0, max=1_000_000)
    shown = {"show_default": True} if option.default else {}
    return {
        "type": kind,
        "default": option.default or None,
        "metavar": option.metavar or None,
        "help": option.help,
        **shown,
    }


@click.command()
@click.argument("words", nargs=-1, metavar="[PROMPT]...")
@_with_options
def recall(words: tuple[str, ...], **given: Any) -> None:
    """Show the memories that help with PROMPT; nothing where none does.

    PROMPT is what you would type to an agent. With - it is read from standard input: as text, or
    as the JSON that an agent hands to a hook.
    """
    options = {option.name: _text(given[option.name]) for option in OPTIONS}
    place = places.locate(options["project"] or None)
    scope = chosen_scope(options["project"] or None, everywhere=False)
    settings = settings_for(scope)
    if not settings.enabled:
        render.message("memory is switched off: nothing is recalled")
        return
    values = settings.everything()
    compiled.write(place.root, place.directory, values, warnings=bool(settings.warnings))
    check_day(options["since"])
    wanted = quick.asked(options, values)
    query = _query(" ".join(words), options["transcript"])
    if not query and wanted.mode != "recent":
        raise UsageError("there is nothing to look for", hint='jmem recall "how do we deploy"')
    roots = recalling.roots(place, options["scope"])
    chosen = [Scope(name=name, root=Path(root)) for name, root in roots]
    result = recalling.recall(query, chosen, settings, wanted, now=clock.now())
    recalling.log(result, by="command line", now=clock.now())
    recalled.show(result, options)


def _query(words: str, transcript: str) -> str:
    """What is looked for: the words, standard input, or the end of a session."""
    if transcript:
        return _of_session(Path(transcript))
    if words == "-":
        words = _prompt_in(sys.stdin.buffer.read().decode("utf-8", "replace"))
    return focus.of_prompt(words)


def _prompt_in(text: str) -> str:
    """The prompt in what a hook is given; any other text is one itself."""
    try:
        payload = json.loads(text)
    except (ValueError, RecursionError):
        return text
    prompt = payload.get("prompt") if isinstance(payload, dict) else None
    return prompt if isinstance(prompt, str) else text


def _of_session(file: Path) -> str:
    """What the last turns of a session ask."""
    from collections import deque

    from jmem.transcripts import reader
    from jmem.transcripts.entries import Turn

    if not file.is_file():
        raise UsageError(f"there is no file {file}")
    found = reader.inspect(file)
    if isinstance(found, reader.Rejected):
        raise UsageError(f"{file} is no session: {found.reason}")
    turns = (entry for entry in found.entries() if isinstance(entry, Turn))
    last = deque(turns, maxlen=focus.MAX_TURNS)
    return focus.of_turns([(turn.role.value, turn.text) for turn in last])


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else ""
    return "" if value is None else str(value)
