"""``jmem doctor``: what is wrong, and what to do about it."""

from __future__ import annotations

from dataclasses import replace

import click

from jmem import clock
from jmem.agents import health
from jmem.cli import render
from jmem.cli.options import json_option
from jmem.doctor import Finding, Grade, examine

_MARKS = {Grade.OK: "ok  ", Grade.WARN: "warn", Grade.FAIL: "FAIL"}


@click.command()
@click.option("--fix", "mend", is_flag=True, help="Mend what can be mended safely.")
@json_option
def doctor(*, mend: bool, as_json: bool) -> int:
    """Check the installation and every scope; each problem comes with its remedy.

    The exit code is 1 where something has failed.
    """
    checks = (*examine(clock.now()), *health.examine())
    findings = [_mended(finding) if mend else finding for finding in checks]
    if as_json:
        rows = [
            {
                "check": finding.check,
                "grade": finding.grade.value,
                "message": finding.message,
                "remedy": finding.remedy,
            }
            for finding in findings
        ]
        render.envelope("doctor", rows)
    else:
        for finding in findings:
            render.line(f"{_MARKS[finding.grade]}  {finding.check}: {finding.message}")
            if finding.remedy:
                render.line(f"      -> {finding.remedy}")
    return 1 if any(finding.grade is Grade.FAIL for finding in findings) else 0


def _mended(finding: Finding) -> Finding:
    if finding.fix is None:
        return finding
    finding.fix()
    return replace(
        finding, grade=Grade.OK, message=f"mended: {finding.message}", remedy="", fix=None
    )
