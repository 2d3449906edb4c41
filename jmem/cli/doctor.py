"""``jmem doctor``: what is wrong, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from jmem import clock
from jmem.agents import health
from jmem.cli import render, terminal
from jmem.cli.options import json_option
from jmem.cli.system import of_system
from jmem.cli.terminal import bad, faint, good, warning
from jmem.doctor import Finding, Grade, examine
from jmem.errors import JmemError

_MARKS = {Grade.OK: good("ok  "), Grade.WARN: warning("warn"), Grade.FAIL: bad("FAIL")}


@click.command()
@click.option("--fix", "mend", is_flag=True, help="Mend what can be mended safely.")
@json_option
def doctor(*, mend: bool, as_json: bool) -> int:
    """Check the installation and every scope; each problem comes with its remedy.

    Where a model is chosen its server is asked for the names of its models, and nothing else. The
    exit code is 1 where something has failed.
    """
    findings = []
    for finding in (*examine(clock.now()), *health.examine()):
        findings.append(_mended(finding) if mend else finding)
    if as_json:
        render.envelope("doctor", [_data(finding) for finding in findings])
    else:
        _print(findings)
    return 1 if any(finding.grade is Grade.FAIL for finding in findings) else 0


def _print(findings: Sequence[Finding]) -> None:
    for finding in findings:
        about = f"{finding.scope}, {finding.check}" if finding.scope else finding.check
        terminal.line(_MARKS[finding.grade], f"  {about}: {finding.message}")
        if finding.remedy:
            terminal.line(faint("      -> "), finding.remedy)
    counts = [(sum(each.grade is grade for each in findings), grade) for grade in Grade]
    told = ", ".join(f"{count} {grade}" for count, grade in counts if count)
    mendable = sum(finding.fix is not None for finding in findings)
    more = f"; jmem doctor --fix mends {mendable} of them" if mendable else ""
    render.line(f"{told}{more}")


def _data(finding: Finding) -> dict[str, object]:
    return {
        "check": finding.check,
        "scope": finding.scope,
        "grade": finding.grade.value,
        "message": finding.message,
        "remedy": finding.remedy,
        "fixable": finding.fix is not None,
    }


def _mended(finding: Finding) -> Finding:
    """The finding after its fix, where it has one."""
    if finding.fix is None:
        return finding
    try:
        finding.fix()
    except (JmemError, OSError) as error:
        told = of_system(error) if isinstance(error, OSError) else error
        return replace(finding, message=f"{finding.message}; not mended: {told.message}", fix=None)
    message = f"mended: {finding.message}"
    return replace(finding, grade=Grade.OK, message=message, remedy="", fix=None)
