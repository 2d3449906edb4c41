"""What a check says: how it came out, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from jmem.scopes import Scope


class Grade(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check's result. ``scope``: the name of the scope that it is about, empty for the
    installation. ``remedy`` says what to do; ``fix`` does it where that is safe."""

    check: str
    grade: Grade
    message: str
    scope: str = ""
    remedy: str = ""
    fix: Callable[[], object] | None = None


def fine(check: str, message: str, scope: Scope | None = None) -> Finding:
    """A check that found nothing."""
    name = scope.name if scope else ""
    return Finding(check=check, grade=Grade.OK, message=message, scope=name)


def warning(
    check: str,
    message: str,
    remedy: str = "",
    *,
    scope: Scope | None = None,
    fix: Callable[[], object] | None = None,
    grade: Grade = Grade.WARN,
) -> Finding:
    """Something that works less well than it should."""
    return Finding(
        check=check,
        grade=grade,
        message=message,
        scope=scope.name if scope else "",
        remedy=remedy,
        fix=fix,
    )


failure = partial(warning, grade=Grade.FAIL)
"""Something that does not work; called as ``warning`` is."""


def option_for(scope: Scope) -> str:
    """The option that names a scope on the command line."""
    return "--global" if scope.is_global else f"--project {scope.directory or '…'}"
