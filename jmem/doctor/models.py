"""Checks of the models that the settings choose. Only these checks ask the network, and only where
the user has chosen a model: for the names of a server's models, never with words of memory."""

from __future__ import annotations

import os
from collections.abc import Iterator

from jmem import chosen, config
from jmem.doctor.finding import Finding, failure, fine, warning
from jmem.embedders import providers
from jmem.errors import ConfigError, JmemError
from jmem.llm import reaching


def examine() -> Iterator[Finding]:
    """Whether the model answers, and whether vectors can be made."""
    try:
        settings = config.load()
    except JmemError:
        return  # the check of the settings tells
    wanted = chosen.chosen(settings)
    if wanted.provider == "none":
        yield fine("model", "no model is chosen: rules decide, on this machine")
    else:
        try:
            reaching.check(wanted, os.environ)
            yield fine("model", f"{wanted.model or ' '.join(wanted.command)} can be reached")
        except ConfigError as error:
            yield failure("model", error.message, error.hint)
        except JmemError as error:
            yield warning("model", f"{error.message}: rules decide until it does", error.hint)
    if settings["recall.embedder"] in (providers.AUTO, providers.NONE):
        return  # they cannot fail, and opening one would leave a cache behind
    try:
        providers.open_chosen(settings.everything())
    except JmemError as error:
        yield failure("embedder", error.message, error.hint)
