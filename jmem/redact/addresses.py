"""Secrets inside an address: the login of a user, a webhook that is its own key."""

from __future__ import annotations

from collections.abc import Iterator

from jmem.redact import logins, values
from jmem.redact.patterns import compiled
from jmem.redact.shapes import Span

# The password runs to the last @ before white space or a quote: it may hold / : and @.
_USERINFO = r"([^\s:/@\"'`<>?#\0]{0,200}+):((?:(?!://)[^\s\"'`<>\0]){1,400})@(?=[\w\[.-])"
# A token alone in the user's place, as in https://TOKEN@host/repository.git.
_ALONE = r"([A-Za-z0-9_-]{20,255}+)@(?=[\w\[.-])"
_PORT = r"[0-9]{2,5}[/,?#)\]]"
_HOOK = (
    r"(?:hooks?\.[^\s\"'`<>/\0]{1,100}+|[^\s\"'`<>/\0]{1,100}+(?:/[\w.-]{1,60}+){0,3}?/(?:web)?hooks?[a-z0-9]{0,3}"
    r"|[^\s\"'`<>/\0]{0,100}?\.webhook\.[^\s\"'`<>/\0]{1,60}+)/([^\s\"'`<>\0]{16,400}+)"
)
_SCHEME = 12


def find(text: str) -> Iterator[Span]:
    """Yield the spans of passwords in addresses, and of addresses that are secret as a whole."""
    at = text.find("://")
    while at >= 0:
        yield from _login(text, at + 3) or _hook(text, at)
        at = text.find("://", at + 3)


def _login(text: str, at: int) -> tuple[Span, ...]:
    match = compiled(_USERINFO).match(text, at)
    if not match:
        alone = compiled(_ALONE).match(text, at)
        is_token = alone and values.is_random(alone.group(1), 20)
        return ((*alone.span(1), "token"),) if alone and is_token else ()
    user, password = match.groups()
    if values.is_placeholder(password) or compiled(_PORT).match(password):
        return ()
    # A token often stands in the user's place, with anything or nothing as its password.
    if values.is_random(user, 16) or (len(user) == 8 and _is_hex(user) and _is_hex(password)):
        return ((match.start(1), match.end(2), "url-password"),)
    told: Span = (*match.span(2), "url-password")
    return ((*match.span(1), "user"), told) if logins.is_telling(user) else (told,)


def _is_hex(value: str) -> bool:
    return all(letter in "0123456789abcdefABCDEF" for letter in value)


def _hook(text: str, at: int) -> tuple[Span, ...]:
    match = compiled(_HOOK).match(text, at + 3)
    if not match or not any(values.is_random(part) for part in match.group(1).split("/")):
        return ()
    start = at
    while start > max(0, at - _SCHEME) and text[start - 1].isascii() and text[start - 1].isalnum():
        start -= 1
    return ((start, match.start() + len(match.group().rstrip(".,;:!?)")), "webhook"),)
