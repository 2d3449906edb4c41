"""Personal data, masked only where the user asks for it: ``redact.personal``.

E-mail addresses, telephone numbers, and the user's name in home directories and addresses.
"""

from __future__ import annotations

from jmem.redact import values
from jmem.redact.patterns import compiled
from jmem.redact.shapes import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LOCAL = 64
_LOCAL_SIGNS = "._%+-"
_DOMAIN = r"@((?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24})(?![\w-])"
# Names that are no person's: what programs log in with, what stands for everybody.
_NOBODY = frozenset(
    ("git", "user", "username", "you", "me", "name", "shared", "public", "runner", "noreply")
)
_ABROAD = r"\+[1-9][0-9]{0,2}(?:[ ().\-/]{0,2}[0-9]){6,13}(?![0-9])"
_GROUPED = r"\(?[2-9][0-9]{2}\)?[ .-][2-9][0-9]{2}[ .-][0-9]{4}(?![\w.-]?[0-9])"
_MOBILE = r"1[3-9][0-9]{9}(?![\w.-]?[0-9])"
_TOLD = (
    r"[a-z]{0,7}\.?(?: (?:number|no\.?|is|me|at|us|her|him|them)){0,3}[ :=]{1,3}"
    r"(\(?[0-9](?:[ ().\-/]{0,2}[0-9]){5,14})(?![\w.-]?[0-9])"
)
_TELEPHONE = ("phone", "mobile", "tel", "cell", "whatsapp", "fax", "call")
_TOLD_CHINESE = r"(?:号码|号)?[是为：: ]{0,3}([0-9](?:[ -]{0,1}[0-9]){6,14})(?![0-9])"
# A hidden directory is no user's: that is the home of one who is called "home".
_HOME = r"(?:/home/|/Users/|[\\]{1,4}Users[\\]{1,4})(?!\.)([^\s/\\:;,\"'`<>()\[\]{}|*$%\0]{1,64})"
# A project's directory as some agents spell it: -home-name-project.
_FLAT = r"-(?:home|Users)-([A-Za-z0-9_]{1,64})(?=-)"
_LOGIN = r"([^\s:/@\"'`<>?#\0]{1,64})(?::[^\s\"'`<>@]{0,400})?@(?=[\w\[.-])"


def find(text: str, lower: str) -> Iterator[Span]:
    """Yield the spans of personal data in a text."""
    yield from _addresses(text)
    yield from _telephones(text, lower)
    for anchor, pattern in (
        ("/home/", _HOME),
        ("Users", _HOME),
        ("-home-", _FLAT),
        ("-Users-", _FLAT),
    ):
        yield from _homes(text, anchor, pattern)
    at = text.find("://")
    while at >= 0:
        login = compiled(_LOGIN).match(text, at + 3)
        if login and _is_person(login.group(1)):
            yield *login.span(1), "user"
        at = text.find("://", at + 3)


def _addresses(text: str) -> Iterator[Span]:
    at = text.find("@")
    while at >= 0:
        start = at
        while start > max(0, at - _LOCAL) and _is_local(text[start - 1]):
            start -= 1
        domain = compiled(_DOMAIN).match(text, at) if start < at else None
        if domain and _is_person(text[start:at]) and not _is_login(text, start):
            yield start, domain.end(), "email"
        at = text.find("@", at + 1)


def _is_login(text: str, at: int) -> bool:
    """Whether it is the user, or the password, in front of a host: ``scheme://user:pw@host``."""
    if text[at - 1 : at] not in (":", "/"):
        return False
    return "://" in text[max(0, at - 200) : at].rsplit(None, 1)[-1]


def _is_local(letter: str) -> bool:
    return letter.isalnum() or letter in _LOCAL_SIGNS


def _is_person(name: str) -> bool:
    return name.lower() not in _NOBODY and not values.is_placeholder(name)


def _telephones(text: str, lower: str) -> Iterator[Span]:
    for pattern in (_ABROAD, _GROUPED, _MOBILE):
        for match in compiled(r"(?<![\w+.-])" + pattern).finditer(text):
            yield *match.span(), "phone"
    for word in _TELEPHONE:
        yield from _behind(lower, word, _TOLD)
    if not text.isascii():
        for word in ("电话", "手机", "電話", "手機"):
            yield from _behind(text, word, _TOLD_CHINESE)


def _behind(text: str, word: str, pattern: str) -> Iterator[Span]:
    at = text.find(word)
    while at >= 0:
        match = compiled(pattern).match(text, at + len(word))
        if match:
            yield *match.span(1), "phone"
        at = text.find(word, at + len(word))


def _homes(text: str, anchor: str, pattern: str) -> Iterator[Span]:
    at = text.find(anchor)
    while at >= 0:
        home = compiled(pattern).search(text, max(0, at - 4), at + len(anchor) + 70)
        if home and _is_person(home.group(1)):
            yield *home.span(1), "user"
        at = text.find(anchor, at + len(anchor))
