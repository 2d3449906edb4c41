"""Secrets that are recognised by the structure around them: keys in PEM, addresses, headers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jmem.redact import values
from jmem.redact.shapes import Span

_PEM = re.compile(r"-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = re.compile(r"-----END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"(?:[A-Za-z0-9+/=\s\"'\\,.:|>#*-]){0,20000}+")
_USERINFO = re.compile(r"([^\s:/@\"'`<>?#]{0,200}+):([^\s\"'`<>]{1,500})@(?=[\w\[.-])")
_AUTH = re.compile(
    r"(?:bearer|basic|token|digest|ssws|apikey|negotiate)[: ]{1,3}([A-Za-z0-9._~+/=-]{8,4000}+)"
)
_HEADER = re.compile(
    r"authorization[\"'\]]{0,2}\s{0,3}[:=]\s{0,3}[\"'`]?(?:[a-z]{3,12} )?([^\s\"'`,]{8,4000}+)"
)
_COOKIE = re.compile(
    r"cookie2?[\"']?\s{0,3}:\s{0,3}[\"']?(?=[^\s=\"';]{1,80}=)([^\n\r\"'`]{8,4000}+)"
)
_CURL = re.compile(r"(?:-u|--user|--proxy-user)[ =]{0,3}[\"']?([^\s:\"'$<]{1,100}:[^\s\"']{4,200})")
_TELEGRAM = re.compile(r"(?<![0-9A-Za-z])[0-9]{8,10}:AA[A-Za-z0-9_-]{32,36}(?![A-Za-z0-9_-])")
_DISCORD = re.compile(
    r"(?<![A-Za-z0-9])[A-Z][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"
)
_AZURE = re.compile(
    r"(?:accountkey|sharedaccesskey|sharedaccesssignature|[?&]sig)=([a-z0-9+/%=_-]{16,}+)"
)


def find(text: str, lower: str) -> Iterator[Span]:
    """Yield the spans of secrets that their surroundings give away."""
    if "PRIVATE KEY" in text:
        yield from _pem(text)
    if "://" in text:
        yield from _addresses(text)
    for words, pattern, label in (
        (("bearer", "basic", "token", "digest", "ssws"), _AUTH, "authorization"),
        (("authorization",), _HEADER, "authorization"),
        (("cookie",), _COOKIE, "cookie"),
        (("curl",), _CURL, "basic-auth"),
        (("accountkey=", "accesskey=", "signature=", "sig="), _AZURE, "azure-key"),
    ):
        if any(word in lower for word in words):
            for match in pattern.finditer(lower):
                start, end = match.span(1)
                value = text[start:end]
                if values.is_placeholder(value) or values.is_code(value):
                    continue
                if pattern is _AUTH and not (
                    values.is_random(value, 12) and any(map(str.isdigit, value))
                ):
                    continue
                yield start, end, label
    if ":AA" in text:
        for match in _TELEGRAM.finditer(text):
            yield *match.span(), "telegram-token"
    if "." in text:
        for match in _DISCORD.finditer(text):
            yield *match.span(), "discord-token"


def _pem(text: str) -> Iterator[Span]:
    at = 0
    while begin := _PEM.search(text, at):
        body = _PEM_BODY.match(text, begin.end())
        at = body.end() if body else begin.end()
        end = _PEM_END.search(text, begin.end(), begin.end() + 20000)
        if end:
            at = end.end()
        yield begin.start(), at, "private-key"


def _addresses(text: str) -> Iterator[Span]:
    at = text.find("://")
    while at >= 0:
        match = _USERINFO.match(text, at + 3)
        if match:
            start, end = match.span(2)
            value = text[start:end]
            if not values.is_placeholder(value) and not value.startswith("$"):
                yield start, end, "url-password"
        at = text.find("://", at + 3)
