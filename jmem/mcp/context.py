"""Where a call works and what it may do: its place, the settings there, the wishes of the user."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from jmem import clock, config, places, prompting
from jmem.errors import Refused, UsageError
from jmem.mcp.caller import SUB_AGENT, Caller
from jmem.storage import sessionmarks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jmem.config import Settings
    from jmem.places import Place


class Context:
    """The ``place`` of a caller and the ``settings`` there. Raises UsageError where the directory
    is gone, ConfigError for settings that cannot be read."""

    def __init__(self, who: Caller) -> None:
        if who.directory is None:
            raise UsageError(
                "the directory that this server was started in is gone",
                hint="start the session again in one that exists",
            )
        self.who = who
        self.directory: str = who.directory
        self.place: Place = places.locate(who.directory)
        self.settings: Settings = config.load(self.place.directory)

    def must_have_project(self) -> None:
        """Raises UsageError where there is none: nothing is to be written nowhere."""
        if self.place.fallback:
            raise UsageError(
                f"there is no project here ({self.directory} is never one): nothing was written",
                hint='scope "global" is for what holds in every project',
            )

    def must_be_allowed_to_write(self) -> None:
        """Raises Refused where this session or this kind of run only reads memory."""
        if self.settings["ephemeral"]:
            sessionmarks.off_if_ephemeral(places.sessions(), self.who.session, os.environ)
            raise Refused("this session is ephemeral: nothing was written", hint="work without it")
        if self._marked(sessionmarks.is_off):
            raise Refused(
                "the user does not want this session to be remembered: nothing was written",
                hint="only the user takes that back",
            )
        if self.who.reads_only and not self.settings["headless_writes"]:
            raise Refused(
                f"{self.who.reads_only}, and such runs only read memory: nothing was written",
                hint="give the fact in your answer; the user may allow it: "
                "jmem config headless_writes true",
            )

    def must_be_allowed_to_read(self) -> None:
        """Raises Refused where memory stays out of this session, or is switched off."""
        if self._marked(sessionmarks.is_silent):
            raise Refused("the user wants no memory in this session", hint="work without it")
        if not self.settings.enabled:
            raise Refused("memory is switched off: nothing is recalled", hint="work without it")

    def knows(self, ids: Iterable[str]) -> None:
        """The session has seen these now: prompts need not bring them again."""
        if self.who.session and self.who.reads_only != SUB_AGENT:  # whose context is its own
            now = clock.now().timestamp()
            prompting.learned(self.who.session, ids, self.settings.everything(), now=now)

    def _marked(self, mark: Callable[[str, str], bool]) -> bool:
        return bool(self.who.session) and mark(places.sessions(), self.who.session)
