"""Who may talk to the page: the browser that was given the token, and only from the page itself.

Any web site can make a browser send requests to 127.0.0.1, and any name can be made to resolve to
it. So a request counts only if it names this server as its host, does not come from another site,
and carries the cookie; and one that changes something also carries a word that only the page knows.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ENTRY = "token"
"""The parameter of the address that the command prints."""
_OURS = frozenset({"same-origin", "none"})
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # Not no-referrer: a browser would send "Origin: null" with the page's own forms.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def fresh_word() -> str:
    """A word that nobody can guess, for use in addresses and forms."""
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """What lives as long as the server: the token in the address, which is exchanged for the
    cookie, and the word in every form. Three, so that none of them leads to another."""

    port: int
    token: str = field(default_factory=fresh_word)
    cookie: str = field(default_factory=fresh_word)
    form: str = field(default_factory=fresh_word)

    @property
    def cookie_name(self) -> str:
        """Cookies do not know ports: another server on this machine has other ones."""
        return f"jmem-{self.port}"

    @property
    def hosts(self) -> frozenset[str]:
        """The names under which the server may be asked for."""
        return frozenset({f"127.0.0.1:{self.port}", f"localhost:{self.port}"})

    @property
    def address(self) -> str:
        """What a person opens."""
        return f"http://127.0.0.1:{self.port}/?{ENTRY}={self.token}"


def same(given: str, known: str) -> bool:
    """Whether two secrets are equal, in a time that does not tell where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), known.encode())


def objection(method: str, headers: Headers, known: Secrets) -> str:
    """Why a request is not answered, whoever sends it; empty where nothing is against it."""
    host = headers.get("host", "")
    if host not in known.hosts:
        return "this server is asked for as 127.0.0.1 or localhost, with its own port"
    if method not in ("GET", "HEAD", "POST"):
        return "only GET and POST"
    if headers.get("sec-fetch-site", "none") not in _OURS:
        return "another site asked for this"
    if method == "POST" and headers.get("origin") != f"http://{host}":
        return "only the page itself changes anything"
    return ""


class Guard:
    """The application behind these rules. Every answer, also a refusal, carries the headers that
    keep a browser from loading, framing, storing or telling anything."""

    def __init__(self, app: ASGIApp, known: Secrets) -> None:
        self._app = app
        self._known = known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        await self._answer(scope)(scope, receive, send_with_headers)

    def _answer(self, scope: Scope) -> ASGIApp:
        headers, known = Headers(scope=scope), self._known
        why = objection(scope["method"], headers, known)
        if why:
            return PlainTextResponse(f"refused: {why}\n", status_code=403)
        given = parse_qs(scope["query_string"].decode("latin-1")).get(ENTRY, [""])[0]
        if scope["path"] == "/" and given:
            return self._entered(given)
        if not same(_cookies(headers).get(known.cookie_name, ""), known.cookie):
            told = "open the address that jmem ui has printed; it holds the key to this page\n"
            return PlainTextResponse(told, status_code=401)
        return self._app

    def _entered(self, given: str) -> ASGIApp:
        """The token for the cookie, and on without it: it stays in no history."""
        if not same(given, self._known.token):
            return PlainTextResponse("refused: this is not the token of today\n", status_code=403)
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(
            self._known.cookie_name, self._known.cookie, httponly=True, samesite="strict"
        )
        return answer


def _cookies(headers: Headers) -> dict[str, str]:
    pairs = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
    return {name: value for name, _, value in pairs}
