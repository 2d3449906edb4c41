"""Links to the skills of a scope from where an agent looks for skills."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from jmem.errors import UsageError
from jmem.layout import SKILLS_DIR
from jmem.scopes import Scope
from jmem.storage import foreign, skills

_Place = Callable[[Scope, Mapping[str, str], Path], Path]


def _in_the_project(scope: Scope, _: Mapping[str, str], __: Path) -> Path:
    if not scope.directory:
        raise UsageError("this agent looks in a project", hint="name one with --project DIR")
    return Path(scope.directory) / ".agents" / "skills"


AGENTS: Mapping[str, _Place] = {
    "claude-code": lambda _, environ, home: (
        Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "skills"
    ),
    "codex": lambda _, environ, home: Path(environ.get("CODEX_HOME") or home / ".codex") / "skills",
    "opencode": _in_the_project,
}
"""Where each agent looks for skills."""
_STRANGE = "others wrote it: an agent would do what it says (read it, and link it yourself)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is to be done about one link: ``link``, ``unlink``, ``keep`` or ``refuse``, and why."""

    action: str
    path: Path
    target: Path
    why: str = ""


def place(agent: str, scope: Scope) -> Path:
    """Where the agent looks for skills. Raises UsageError where it needs a project."""
    return AGENTS[agent](scope, os.environ, Path.home())


def to_link(scope: Scope, directory: Path) -> Iterator[Step]:
    """What makes every skill of the scope visible; links to skills that are gone are removed."""
    wanted = {
        skill.name: scope.root / SKILLS_DIR / skill.name for skill in skills.listed(scope.root)
    }
    strange = foreign.ids(scope.root)
    for name, target in wanted.items():
        path = directory / name
        if foreign.of_skill(name) in strange:
            yield Step(action="refuse", path=path, target=target, why=_STRANGE)
        elif not os.path.lexists(path):
            yield Step(action="link", path=path, target=target)
        elif path.is_symlink() and path.readlink() == target:
            yield Step(action="keep", path=path, target=target)
        else:
            why = "something else of that name is there"
            yield Step(action="refuse", path=path, target=target, why=why)
    yield from (step for step in to_unlink(scope, directory) if step.path.name not in wanted)


def to_unlink(scope: Scope, directory: Path) -> Iterator[Step]:
    """What takes away every link into the skills of the scope, and nothing else."""
    if not directory.is_dir():
        return
    for path in sorted(directory.iterdir()):
        if path.is_symlink() and path.readlink() == scope.root / SKILLS_DIR / path.name:
            yield Step(action="unlink", path=path, target=path.readlink())


def carry_out(step: Step) -> None:
    """Make or remove one link."""
    if step.action == "link":
        step.path.parent.mkdir(parents=True, exist_ok=True)
        step.path.symlink_to(step.target, target_is_directory=True)
    elif step.action == "unlink":
        step.path.unlink()
