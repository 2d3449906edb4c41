"""``jmem recall`` without click, where everything is prepared: the whole process in tens of
milliseconds. Whatever it cannot answer so is left to the command itself."""

from __future__ import annotations

from jmem import clock, compiled, places, recall
from jmem.cli import recalled, recalloptions, render
from jmem.errors import JmemError
from jmem.retrieval import focus

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from jmem.retrieving import Recalled, Wanted


def answer(arguments: Sequence[str]) -> int | None:
    """The exit code of ``jmem recall`` with these arguments; None where nothing was done."""
    options = recalloptions.read(arguments)
    if options is None or options["transcript"] or options["words"] in ("", "-"):
        return None
    try:
        result = _found(options)
    except (JmemError, OSError):
        return None  # the command itself meets it again, and tells of it
    if result is None:
        return None
    try:
        render.forgive_encodings()
        recalled.show(result, options)
        render.flush()
    except BrokenPipeError:
        render.nobody_listens()
    except JmemError as error:
        render.message(error.message)
        return error.exit_code
    return 0


def _found(options: Mapping[str, str]) -> Recalled | None:
    """What is there to show; None where the command has to do it, or to refuse."""
    place = places.locate(options["project"] or None)
    settings = compiled.settings(place.root, place.directory)
    if settings is None or not settings["enabled"]:
        return None
    query = focus.of_prompt(options["words"])
    since = options["since"]
    if not query or (since and clock.day(clock.parse(since) or clock.EPOCH) != since):
        return None
    roots = recall.roots(place, options["scope"])
    result = recall.quick(query, roots, settings, asked(options, settings))
    if result is not None:
        recall.log(result, by="command line", now=clock.now())
    return result


def asked(options: Mapping[str, str], settings: Mapping[str, Any]) -> Wanted:
    """What the options ask for, with the settings where they say nothing."""
    return recall.wanted(
        settings,
        mode=options["mode"],
        kind=options["kind"],
        tag=options["tag"],
        since=options["since"],
        sessions=bool(options["sessions"]),
        limit=int(options["limit"] or 0),
        judge=options["judge"],
    )
