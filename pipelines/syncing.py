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
    met: list[Remote] = []
    try:
        known = remotes.of_scope(scope, settings)
    except JmemError as error:
        remarks.append(f"not pulled: {error.message}")
        known = []
    for remote in known:
        try:
            pulled = pulling.pull(scope, remote, now=now)
        except JmemError as error:
            remarks.append(f"not pulled: {error.message}")
            contacting.missed(scope, remote, error, now)
            continue
        contacting.reached(scope, remote, now)
        met.append(remote)
        if pulled.commit:
            remarks.append(f"pulled from {remote.name}: {pulled.told}")
    report = distil()
    if report.outcome not in _IDLE:
        for remote in met:
            try:
                pushed = pushing.push(scope, remote, now=now)
            except JmemError as error:
                remarks.append(f"not pushed: {error.message} ({error.hint})")
                contacting.missed(scope, remote, error, now)
            else:
                if pushed.files:
                    remarks.append(f"pushed {pushed.files} files to {remote.name}")
    return replace(report, remarks=(*report.remarks, *remarks))
