"""One request to the page: what it asks for, in terms of scopes and settings, and its answer."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from jmem import config, scopes
from jmem.config import Settings
from jmem.errors import JmemError, NotFound
from jmem.scopes import Scope
from jmem.web import guard
from jmem.web.guard import Secrets
from jmem.web.rendering import rendered

_MOST_SAID = 64
_MASKS = "redact."
FRAGMENT = "hx-request"


@dataclass(frozen=True, slots=True)
class Said:
    """What came of an action, told once on the page that follows. ``undo``: scope and run that
    take it back, where one does."""

    text: str
    good: bool = True
    undo: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Desk:
    """What the server keeps while it runs: its secrets, and what is still to be told.

    ``turn`` is held while a request is answered: one person asks, and what stands below (git's
    environment, say) is made for one thread.
    """

    known: Secrets
    turn: threading.Lock = field(default_factory=threading.Lock)
    said: OrderedDict[str, Said] = field(default_factory=OrderedDict)

    def tell(self, said: Said) -> str:
        """Keep something to be told; returns the name under which it is."""
        name = f"{len(self.said)}-{guard.fresh_word()}"
        self.said[name] = said
        while len(self.said) > _MOST_SAID:
            self.said.popitem(last=False)
        return name


class Asked:
    """One request."""

    def __init__(self, request: Request, desk: Desk, form: dict[str, str] | None = None) -> None:
        self.desk = desk
        self.form = form or {}
        self.path = dict(request.path_params)
        self.fragment = FRAGMENT in request.headers and "hx-boosted" not in request.headers
        self.here = request.url.path
        self._query = request.query_params

    def query(self, name: str) -> str:
        """A parameter of the address, without white space around it; empty for none."""
        return self._query.get(name, "").strip()

    @cached_property
    def every_scope(self) -> list[Scope]:
        """The scopes that exist, the global one first."""
        return list(scopes.existing())

    @cached_property
    def settings(self) -> Settings:
        """The settings of the user, as they hold where no project says otherwise. One that cannot
        be read is told on every page, and its default holds; but where it is not known what is to
        be masked, nothing is shown. Raises ConfigError."""
        found = config.load(forgiving=True)
        if any(name.startswith(_MASKS) for name in found.wrong):
            return config.load()
        return found

    def answer(self, page: Callable[[Asked], Response]) -> Response:
        """The page. The settings come first: they say what is masked in it."""
        _ = self.settings
        return page(self)

    def scope(self, name: str = "") -> Scope:
        """The scope that the address names. Raises NotFound."""
        wanted = name or self.path.get("scope", "")
        for each in self.every_scope:
            if each.name == wanted:
                return each
        raise NotFound(f"there is no scope {wanted!r}")

    def scopes_of(self, name: str) -> list[Scope]:
        """The scope of that name, or all of them where it is empty."""
        return [self.scope(name)] if name else self.every_scope

    def page(self, template: str, *, status: int = 200, **values: Any) -> Response:
        """The page of a template."""
        names = [each.name for each in self.every_scope]
        common = {"settings": self.settings, "scope_names": names}
        return self._rendered(template, status, {**common, **values})

    def trouble(self, error: JmemError, *, status: int, title: str) -> Response:
        """The page that says what is wrong, and gives back what was typed. It needs nothing that
        can be wrong itself."""
        try:
            settings = self.settings
        except (JmemError, OSError):
            settings = Settings()
        values = {"settings": settings, "scope_names": [], "error": error, "title": title}
        return self._rendered("trouble.html", status, {**values, "form": self.form})

    def _rendered(self, template: str, status: int, values: Mapping[str, Any]) -> Response:
        common = {
            "form_word": self.desk.known.form,
            "here": self.here,
            "said": self.desk.said.get(self.query("said")),
            "words": "",
            "scope_name": "",
            "section": "",
        }
        return HTMLResponse(rendered(template, {**common, **values}), status_code=status)

    def onward(self, where: str, said: Said) -> Response:
        """Off to a page of ours, which tells what came of an action."""
        name = self.desk.tell(said)
        path = where if where.startswith("/") and not where.startswith(("//", "/\\")) else "/"
        path, _, fragment = path.partition("#")
        mark = "&" if "?" in path else "?"
        target = f"{path}{mark}said={name}" + (f"#{fragment}" if fragment else "")
        return RedirectResponse(target, status_code=303)
