"""``jmem import --restore``: an export of one's own, taken over whole."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from jmem import clock
from jmem.cli import render
from jmem.cli.changing import author
from jmem.errors import NotFound, UsageError
from jmem.exporting import bundle, takeover
from jmem.exporting.bundle import Bundle
from jmem.layout import MEMORIES_DIR, NOTES_DIR
from jmem.scopes import Scope
from jmem.storage import files

_MAX_BYTES = 512_000_000


def restore(scope: Scope, paths: Sequence[Path], *, dry_run: bool, as_json: bool) -> None:
    """Take over the one export that was named, and tell what came of it.

    Raises UsageError for none or several, NotFound for a file that is not there, CorruptStore for
    one that is no export.
    """
    if len(paths) != 1:
        raise click.UsageError("--restore takes exactly one file: what jmem export wrote")
    brought = _read(paths[0])
    if dry_run:
        counts = [
            render.plural(len(brought.below(MEMORIES_DIR)), "memory"),
            render.plural(len(brought.below(NOTES_DIR)), "note"),
        ]
        told = f"{' and '.join(counts)} of {brought.scope}, as of {clock.text(brought.at)}"
        if as_json:
            render.envelope("import", {"scope": scope.name, "dry_run": True, "holds": told})
        else:
            render.line(f"would take over what is new of {told}")
        return
    done = takeover.take_over(scope, brought, now=clock.now(), by=author())
    if as_json:
        data = {
            "scope": scope.name,
            "memories": done.memories,
            "notes": done.notes,
            "commit": done.changed.commit,
            "left": [{"file": path, "reason": why} for path, why in done.left.items()],
        }
        render.envelope("import", data)
        return
    notes = render.plural(done.notes, "note")
    if done.notes and not done.changed.commit:
        render.line(f"took over {notes}")
    else:
        render.line(f"{done.changed.message}, and {notes}" if done.notes else done.changed.message)
    for reason, count in Counter(done.left.values()).most_common():
        render.line(f"left {count}: {reason}")
    if takeover.UNVOUCHED in done.left.values():
        again = f"jmem import --restore {shlex.quote(str(paths[0]))}"
        render.message(f"it comes along too where you type this in a terminal yourself: {again}")


def _read(path: Path) -> Bundle:
    real = path.expanduser().resolve()
    if real.is_file() and real.stat().st_size > _MAX_BYTES:
        raise UsageError(f"{path} is larger than {_MAX_BYTES // 1_000_000} MB")
    text = files.read_text(real)
    if text is None:
        raise NotFound(f"there is no file {path}")
    return bundle.parse(text.split("\n"))
