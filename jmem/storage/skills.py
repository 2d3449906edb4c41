"""The skills of a scope on disk, and what a run writes there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from jmem.formats import skillfile
from jmem.formats.skillfile import Skill
from jmem.layout import SKILLS_DIR
from jmem.model import Memory
from jmem.storage import files
from jmem.storage.journal import Output


def listed(scope_root: Path) -> list[Skill]:
    """Every skill of the scope, by name; those that people put there too."""
    return [skillfile.read(text, name) for name, text in sorted(_texts(scope_root).items())]


def of_skills(
    scope_root: Path, memories: Iterable[Memory], changed: Collection[str]
) -> Iterator[Output]:
    """The skills that differ from their workflows.

    A workflow becomes one when a run changes it: a skill that a person removed stays away until
    then. A skill whose memory is out of force goes. What a person changed is left alone.
    """
    texts = _texts(scope_root)
    taken = set(texts) | {path.name for path in _places(scope_root)}
    standing: dict[str, Skill] = {}
    for name, text in sorted(texts.items()):
        skill = skillfile.read(text, name)
        if skill.memory:
            standing.setdefault(skill.memory, skill)
    good = {memory.id: memory for memory in memories if skillfile.qualifies(memory)}
    for key, memory in sorted(good.items()):
        known = next((standing[old] for old in (key, *memory.supersedes) if old in standing), None)
        if known is None and key not in changed:
            continue
        if known is not None and known.owned_by_person:
            standing.pop(known.memory)
            continue
        name = known.name if known else skillfile.name_for(memory, taken)
        taken.add(name)
        if known is not None:
            standing.pop(known.memory)
        yield from _written(name, texts.get(name), skillfile.render(memory, name))
    for skill in standing.values():
        if not skill.owned_by_person:
            yield from _written(skill.name, texts[skill.name], None)


def _written(name: str, old: str | None, new: str | None) -> Iterator[Output]:
    if old != new:
        before = "" if old is None else files.digest(old.encode())
        yield Output(path=f"{SKILLS_DIR}/{name}/{skillfile.FILE_NAME}", before=before, after=new)


def _texts(scope_root: Path) -> dict[str, str]:
    """The text of each skill by its name; a directory that is a link is somebody else's."""
    found = {}
    for path in _places(scope_root):
        data = None if path.is_symlink() else files.read_bytes(path / skillfile.FILE_NAME)
        if data is not None:
            found[path.name] = data.decode("utf-8", "surrogateescape")
    return found


def _places(scope_root: Path) -> list[Path]:
    directory = scope_root / SKILLS_DIR
    return sorted(directory.iterdir()) if directory.is_dir() else []
