"""``jmem recall`` without click, where everything is prepared: the whole process in tens of
milliseconds. Whatever it cannot answer so is left to the command itself."""

from __future__ import annotations

import sys

from jmem import clock, compiled, judging, places, recall
from jmem.cli import recalled, recalloptions, render
from jmem.errors import JmemError
from jmem.layout import GLOBAL_SCOPE
from jmem.retrieval import focus
from jmem.retrieval.hit import MEMORY, NOTE, SESSION
from jmem.retrieving import Wanted
from jmem.storage.index.filters import Filters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from jmem.places import Place


def answer(arguments: Sequence[str]) -> int | None:
    """The exit code of ``jmem recall`` with these arguments; None where nothing was done."""
    options = recalloptions.read(arguments)
    if options is None or options["transcript"] or options["words"] in ("", "-"):
        return None
    place = places.locate(options["project"] or None)
    settings = compiled.settings(place.root, place.directory)
    if settings is None or not settings["enabled"]:
        return None
    query = focus.of_prompt(options["words"])
    try:
        result = recall.quick(query, roots(place, options), settings, wanted(options, settings))
    except JmemError:
        return None  # the command itself meets it again, and tells of it
    if result is None:
        return None
    recall.log(result, by="command line", now=clock.now())
    try:
        render.forgive_encodings()
        recalled.show(result, options)
        sys.stdout.flush()
    except BrokenPipeError:
        render.nobody_listens()
    return 0


def roots(place: Place, options: Mapping[str, str]) -> list[tuple[str, str]]:
    """Name and root of each scope that is searched: only those that exist."""
    from os.path import isdir

    found = [] if options["scope"] == GLOBAL_SCOPE else [(place.name, place.root)]
    if options["scope"] != "project" and place.name != GLOBAL_SCOPE:
        found.append((GLOBAL_SCOPE, places.global_root()))
    elif options["scope"] == GLOBAL_SCOPE:
        found = [(GLOBAL_SCOPE, places.global_root())]
    return [(name, root) for name, root in found if isdir(root)]


def wanted(options: Mapping[str, str], settings: Mapping[str, Any]) -> Wanted:
    """What the options ask for, with the settings where they say nothing."""
    choice = options["judge"] or settings["recall.judge"]
    return Wanted(
        mode=options["mode"],
        limit=int(options["limit"] or 0) or settings["recall.max_hits"],
        judge=judging.resolved(choice, settings["llm.provider"]),
        filters=Filters(
            where=(MEMORY, NOTE, SESSION) if options["sessions"] else (MEMORY, NOTE),
            kind=options["kind"],
            tag=options["tag"].lstrip("#"),
            since=options["since"],
        ),
    )
