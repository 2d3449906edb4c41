"""``skills/<name>/SKILL.md``: a workflow that worked more than once, as an Agent Skill. Pure.

The header names the memory that the skill is made of, and carries a check sum, so that a text
which a person has changed is recognised and left to that person.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Collection
from dataclasses import dataclass

from jmem import clock
from jmem.errors import CorruptStore
from jmem.formats import header
from jmem.formats.text import cut_at_word
from jmem.inputs import session_of_ref
from jmem.model import Memory
from jmem.paragraphs import detail_of

KIND = "workflow"
FILE_NAME = "SKILL.md"
MAX_NAME = 64
MAX_DESCRIPTION = 1024
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_RESERVED = frozenset({"claude", "anthropic"})
_ENOUGH = 2
_WORDS = 6
_STEP = re.compile(r"^\s*(?:[-*+]|\d{1,2}[.)])\s+\S", re.MULTILINE)
_COMMAND = re.compile(r"`([^`\n]+)`")
_THEN = re.compile(r"\s(?:&&|;)\s")
_ID = "jmem-memory"
_SUM = "jmem-checksum"
_SUM_LINE = re.compile(rf"\b{_SUM}: ?['\"]?(?P<sum>[0-9a-f]{{8}})['\"]?")
_DULL = frozenset(
    """
    a an the and or to of in on for with is are it this that then here
    """.split()  # noqa: SIM905 - a table of words reads better as text
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A skill as its file has it. ``memory`` is empty for one that jmem did not make."""

    name: str
    description: str
    memory: str
    owned_by_person: bool


def qualifies(memory: Memory) -> bool:
    """Whether the memory is a workflow of several steps that another session has confirmed."""
    if not memory.active or memory.kind != KIND or memory.strength < _ENOUGH:
        return False
    born = memory.evidence[0] if memory.evidence else ""
    first = session_of_ref(born) or born
    again = any(seen.session != first for seen in memory.reinforcements)
    return again and (len(_STEP.findall(memory.text)) >= _ENOUGH or _commands(memory.text) > 1)


def render(memory: Memory, name: str) -> str:
    """The file. It states how often and when last the workflow was confirmed, and no other date."""
    said = re.sub(r"[<>]", "", memory.statement)
    worked = f"Confirmed {memory.strength} times in this project."
    description = cut_at_word(said, MAX_DESCRIPTION - len(worked) - 8)
    while len(f"{description} {worked}") > MAX_DESCRIPTION:
        description = description[:-1]
    last = max((seen.at for seen in memory.reinforcements), default=memory.updated)
    body = [
        f"# {' '.join(name.split('-')).capitalize()}",
        "",
        memory.statement,
        *(("", detail_of(memory.text)) if detail_of(memory.text) else ()),
        "",
        f"{worked[:-1]}, last on {clock.day(last)} (memory {memory.id}). Check that it still holds "
        "before you rely on it.",
    ]
    fields: dict[str, header.Value] = {
        "name": name,
        "description": f"{description} {worked}",
        "metadata": {_ID: memory.id, _SUM: "0" * 8},
    }
    text = header.render(fields, "\n".join(["", *body]))
    return _SUM_LINE.sub(f"{_SUM}: '{_check_sum(text)}'", text, count=1)


def cleaned(text: str, clean: Callable[[str], str]) -> str:
    """The file cleaned; one that nobody edited stays so."""
    found, after = _SUM_LINE.search(text), clean(text)
    if found is None or found["sum"] != _check_sum(text):
        return after
    return _SUM_LINE.sub(f"{_SUM}: '{_check_sum(after)}'", after, count=1)


def read(text: str, name: str) -> Skill:
    """What a file says. A header that cannot be read makes it a person's."""
    try:
        fields, _ = header.parse(text)
    except CorruptStore:
        return Skill(name=name, description="", memory="", owned_by_person=True)
    extra = fields.get("metadata")
    found = _SUM_LINE.search(text)
    ours = found is not None and found["sum"] == _check_sum(text)
    return Skill(
        name=name,
        description=" ".join(str(fields.get("description") or "").split()),
        memory=str(extra.get(_ID) or "") if isinstance(extra, dict) else "",
        owned_by_person=not ours,
    )


def name_for(memory: Memory, taken: Collection[str]) -> str:
    """A name that says what the workflow is about and that no other skill has."""
    plain = unicodedata.normalize("NFKD", memory.statement.lower())
    words = re.findall(r"[a-z0-9]+", plain.encode("ascii", "ignore").decode())
    telling = [word for word in words if word not in _DULL and word not in _RESERVED][:_WORDS]
    name = "-".join(telling)[: MAX_NAME - 9].strip("-")
    if not name:
        return f"{KIND}-{memory.id}"
    return name if name not in taken else f"{name}-{memory.id}"


def _commands(text: str) -> int:
    return sum(len(_THEN.split(found)) for found in _COMMAND.findall(text) if " " in found)


def _check_sum(text: str) -> str:
    plain = _SUM_LINE.sub("", text, count=1)
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()[:8]
