"""Who answered in a session: a model on the user's own machine, or jmem's question to one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePath

from jmem.layout import CHILD_PREFIX
from jmem.transcripts.entries import cut

DISTILLATION_MARK = "jmem-distillation"
"""The line that every question of jmem to a model begins with."""
_LOCAL_NAME = re.compile(
    r"(?:^|[^a-z])(?:ollama|lm[._-]?studio|llama[._-]?(?:cpp|file)|local(?:host)?|oss)(?![a-z])"
    r"|\b127(?:\.\d+){3}\b|\[?::1\]?"
)
_OLLAMA_TAG = re.compile(r"[^/]+:(?:latest|\d+(?:\.\d+)?[bm](?:-(?!cloud)[\w.-]+)?)$")
"""``qwen3-coder:30b``, as only Ollama names a model; what ends in ``-cloud`` it sends away."""


def is_local(provider: str) -> bool:
    """Whether a provider's name, or its address, says that it runs on the user's own machine."""
    return bool(_LOCAL_NAME.search(provider.lower()))


def provider_of(model: str) -> str:
    """The provider that a model's own name gives away; empty for most."""
    prefix, slash, _ = model.partition("/")
    if slash and is_local(prefix):
        return cut(prefix, 100)
    return "ollama" if _OLLAMA_TAG.fullmatch(model.lower()) else ""


def chosen(providers: Iterable[str]) -> str:
    """Of the providers of one session the local one, else the first: the careful answer."""
    names = [cut(name, 100) for name in providers if name]
    return next(filter(is_local, names), names[0] if names else "")


def is_distillation(cwds: Iterable[str], prompts: Iterable[str]) -> bool:
    """Whether jmem held the session: by its directory, or by the first line of a prompt."""
    if any(PurePath(cwd).name.startswith(CHILD_PREFIX) for cwd in cwds):
        return True
    return any(prompt.lstrip().startswith(f"{DISTILLATION_MARK}\n") for prompt in prompts)
