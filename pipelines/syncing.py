"""A distillation between a pull and a push, where a scope is shared. No network stops a night."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from jmem.config import Settings
from jmem.errors import JmemError
from jmem.scopes import Scope
from jmem.sharing import remotes
from jmem.storage.exchange import Remote
from pipelines.report import Outcome, RunReport
from pipelines.run import Options, is_due

_IDLE = (Outcome.NOT_DUE, Outcome.OFF, Outcome.BUSY)


def around(
    scope: Scope,
    settings: Settings,
    options: Options,
    distil: Callable[[], RunReport],
    *,
    now: datetime,
) -> RunReport:
    """Pull, distil, push. What fails on the way to a remote is one remark in the report."""
    wanted = settings["remote.auto"] and settings.generate and remotes.any_for(scope, settings)
    if not wanted or options.dry_run or (options.scheduled and not is_due(scope, settings, now)):
        return distil()
    from jmem.sharing import contacting, pulling, pushing

    remarks: list[str] = []
    known = []
    asked: Remote | None = None
    try:
        known = remotes.of_scope(scope, settings)
        for asked in known:
            pulled = pulling.pull(scope, asked, now=now)
            contacting.reached(scope, asked, now)
            if pulled.commit:
                remarks.append(f"pulled from {asked.name}: {pulled.told}")
    except JmemError as error:
        remarks.append(f"not pulled: {error.message}")
        if asked is not None:
            contacting.missed(scope, asked, error, now)
        known = []
    report = distil()
    if report.outcome not in _IDLE:
        for remote in known:
            try:
                pushed = pushing.push(scope, remote, now=now)
            except JmemError as error:
                remarks.append(f"not pushed: {error.message} ({error.hint})")
                contacting.missed(scope, remote, error, now)
            else:
                if pushed.files:
                    remarks.append(f"pushed {pushed.files} files to {remote.name}")
    return replace(report, remarks=(*report.remarks, *remarks))
