"""The files of a project that a text names, and whether it says anything besides. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection

from jmem.model import Memory
from jmem.retrieval.tokens import terms

MAX_PATHS = 8
_FEW = 5
"""More content words than these beside the path say something that may outlive the file."""
_KINDS = ("fact", "entity")
_PATH = re.compile(
    r"(?<![\w./~:@$%+\\-])(?:\./)?((?:[\w@-][\w.@+-]*/){1,12}[\w@-][\w.@+-]*\.[A-Za-z]\w{0,7})"
    r"(?::\d+(?:-\d+)?)?(?![\w/*{}<>$%\\-]|\.\w)"
)
_TELLS = re.compile(
    r"\b(?:removed?|deleted?|gone|moved|renamed|replaced|no longer|(?:does not|doesn't) exist"
    r"|never (?:create|add|commit)|(?:do not|don't) (?:create|add|commit)|generated|ignored)\b"
    r"|删除|移除|不存在|生成",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"\n+|(?<=[.!?])\s+(?=[A-Z`])|(?<=[。！？])")


def paths_in(text: str) -> tuple[str, ...]:
    """What looks like a path inside a repository (``src/app/main.py``), each once.

    An address, an absolute path, one below ``~``, and one with a placeholder is none; nor is any
    in a text that speaks of a file that is not there.
    """
    if "/" not in text or tells_of_absence(text):
        return ()
    found = (match[1] for match in _PATH.finditer(text[:8_000]))
    return tuple(dict.fromkeys(path for path in found if ".." not in path))[:MAX_PATHS]


def tells_of_absence(text: str) -> bool:
    """Whether the text knows that something is not there, or that it comes and goes."""
    return _TELLS.search(text) is not None


def says_nothing_else(memory: Memory, gone: Collection[str]) -> bool:
    """Whether the memory is only about files, all of which are gone."""
    if not gone or memory.kind not in _KINDS or set(paths_in(memory.text)) != set(gone):
        return False
    return all(_only_about(part, gone) for part in _SENTENCE.split(memory.text) if part.strip())


def _only_about(sentence: str, gone: Collection[str]) -> bool:
    rest = sentence
    for path in gone:
        rest = rest.replace(path, " ")
    return rest != sentence and len(set(terms(rest))) <= _FEW
