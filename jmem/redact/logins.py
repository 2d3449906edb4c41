"""The other half of a login: the name of an account that is written in one with its password."""

from __future__ import annotations

import re

from jmem.redact import values
from jmem.redact.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jmem.redact.shapes import Span

_LEAST = 8
# Accounts that every installation of a program has tell nothing about this one.
_EVERYWHERE = frozenset(
    ("administrator", "anonymous", "postgres", "postgresql", "rabbitmq", "username")
)
_REACH = 160
# -user NAME -password ..., User Id=NAME;Password=...
_OPTION = lazy(
    r"[\s(]--?(?:u|user|username|login)[ =][\"']?([^\s\"'`=$<>\0-][^\s\"'`=$<>\0]{7,63})[\"']?"
    r"(?=\s)[^\n|;\0]{0,60}$",
    re.IGNORECASE,
)
_PAIR = lazy(
    r"(?:user(?:name| ?id)?|uid)[ ]?=[ ]?([^\s\"'`=;$<>{\0]{8,64});[^\n;\0]{0,30}=[ ]?$",
    re.IGNORECASE,
)


def is_telling(user: str) -> bool:
    """Whether a user's name belongs to one account: half of a login, masked with the other half.

    Short names (``bob``, ``app``) and those that every installation has (``postgres``) say which
    of a few logins is meant, and stay.
    """
    return not (len(user) < _LEAST or user.lower() in _EVERYWHERE or values.is_placeholder(user))


def beside(text: str, found: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans of names in front of passwords that were found, on one line with them."""
    for at, _, label in found:
        if label != "password":
            continue
        start = max(0, at - _REACH)
        before = text[start:at].rstrip("\"'")
        for pattern, sign in ((_OPTION, "-"), (_PAIR, ";")):
            match = pattern.search(before) if sign in before else None
            if match and is_telling(match.group(1)):
                yield start + match.start(1), start + match.end(1), "user"
