"""Secrets inside an address: the password of a user, a webhook that is its own key."""

from __future__ import annotations

from collections.abc import Iterator

from jmem.redact import values
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
        span = _user(text, at + 3) or _hook(text, at)
        if span:
            yield span
        at = text.find("://", at + 3)


def _user(text: str, at: int) -> Span | None:
    match = compiled(_USERINFO).match(text, at)
    if not match:
        alone = compiled(_ALONE).match(text, at)
        return (*alone.span(1), "token") if alone and values.is_random(alone.group(1), 20) else None
    user, password = match.groups()
    if values.is_placeholder(password) or compiled(_PORT).match(password):
        return None
    # A token often stands in the user's place, with anything or nothing as its password.
    whole = values.is_random(user, 16) or (len(user) == 8 and _is_hex(user) and _is_hex(password))
    return match.start(1 if whole else 2), match.end(2), "url-password"


def _is_hex(value: str) -> bool:
    return all(letter in "0123456789abcdefABCDEF" for letter in value)


def _hook(text: str, at: int) -> Span | None:
    match = compiled(_HOOK).match(text, at + 3)
    if not match or not any(values.is_random(part) for part in match.group(1).split("/")):
        return None
    start = at
    while start > max(0, at - _SCHEME) and text[start - 1].isascii() and text[start - 1].isalnum():
        start -= 1
    return start, match.start() + len(match.group().rstrip(".,;:!?)")), "webhook"
