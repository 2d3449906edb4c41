"""Secrets that are recognised by the word in front of them: ``password: ...``, ``api_key=...``.

``str.find`` finds the words. What follows a word is looked at in bounded steps: the rest
of the name, an operator or a gap, a value. The stronger the word and the operator, the
less the value has to look like a secret: anything that is no expression after
``password =``, a value drawn by a machine after ``key``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jmem.redact import nearby, prose
from jmem.redact.literals import (
    FIRM,
    PLAIN,
    STRONG,
    WEAK,
    bare,
    bare_end,
    is_bare_secret,
    is_quoted_secret,
    quoted,
    trimmed,
)
from jmem.redact.patterns import lazy
from jmem.redact.shapes import Span

_STEMS: tuple[tuple[str, int], ...] = (
    ("passw", STRONG),
    ("passphrase", STRONG),
    ("passcode", STRONG),
    ("pass", STRONG),
    ("pwd", STRONG),
    ("pw", STRONG),
    ("securestring", STRONG),
    ("secret", STRONG),
    ("credential", STRONG),
    ("token", PLAIN),
    ("_pat", FIRM),
    ("apikey", FIRM),
    ("api_key", FIRM),
    ("api-key", FIRM),
    ("api key", FIRM),
    ("clientid", WEAK),
    ("client_id", WEAK),
    ("key", WEAK),
    ("private", WEAK),
    ("access", WEAK),
    ("license", WEAK),
    ("auth", WEAK),
    ("login", WEAK),
    ("api", WEAK),
)
_FOREIGN: tuple[tuple[str, int], ...] = (
    ("密码", STRONG),
    ("密碼", STRONG),
    ("口令", STRONG),
    ("密钥", STRONG),
    ("令牌", STRONG),
    ("パスワード", STRONG),
    ("비밀번호", STRONG),
    ("contraseña", STRONG),
    ("пароль", STRONG),
    ("Пароль", STRONG),
)
_TAIL = lazy(r"(?:[_.-]?[A-Za-z]{1,16}+(?![A-Za-z]{0,24}[0-9])){0,5}(?:[0-9]{1,2}(?![A-Za-z0-9]))?")
_OPERATOR = lazy(
    r"(?:\\{0,3}[\"'`]\]?|\]|\*\*|__)?(?:[ ]\([A-Za-z][A-Za-z _-]{0,24}\))?"
    r"(?P<op>[^\S\n]{0,20}(?:=>|:=|\?=|[=!]==?|=|%3[Dd]|:(?!//)|：|是|为|為|は)\s{0,20})"
    r"|[\"'][^\S\n]{1,4}(?P<xml>value|content|default)\s{0,3}=\s{0,3}(?=[\"'])"
    # A variable of Terraform and its block.
    r"|[\"']\s{0,4}\{[^{}\0]{0,200}?\bdefault\s{0,9}=\s{0,3}(?=[\"'])"
)
_PARAMETER = lazy(r"[?&][\w.-]{0,23}$")
_RELEASE = lazy(r"[a-z]{3,20}[0-9]{1,2}\.[0-9]{1,3}(?:\.[0-9]{1,3})?$")
_BRIEF = ("pass", "pw", "api")
_JOINTS = "\"'`:=,.>()[]{}|\\_-"
_JOINED_VERBS = ("是", "为", "為", "は")
# define("NAME", "value"), env("NAME", "value")
_CALLED = lazy(r"[\"']\s{0,3},\s{0,3}(?=[\"'])")
_CALL = lazy(r"[a-z]\(\s{0,3}[\"'][\w.-]{0,20}$")
_NOT_A_HOLDER = lazy(
    r"(?:^|[_.-]|(?<=[a-z])(?=[A-Z]))(?:id|name|url|uri|path|file|dir|count|limit|budget|size|length"
    r"|len|type|env|var|label|field|column|policy|ttl|expiry|expires|expiration|placeholder|hint"
    r"|prompt|error|status|index|header|prefix|format|regex|pattern|usage|used|cost|price|rate"
    r"|window|at|date|hash|digest|manager|provider|store|ref|source|version|arn|input|output"
    r"|generator|validator|bucket|endpoint|scope|kind)s?$",
    re.IGNORECASE,
)
_TOKEN_KINDS = tuple(
    kind + joint
    for kind in ("access", "auth", "refresh", "api", "bot", "bearer", "session", "security")
    for joint in ("_", "-", " ", "")
)
_OTHER_KEY = lazy(
    r"(?:public|pub|cache|primary|foreign|partition|sort|object|idempotency|storage|hot|short|map"
    r"|dict|row|group|unique|composite|i18n|config|index|lookup|join|dedup|dedupe|translation|json"
    r"|yaml|surrogate|routing|arrow|enter|escape|modifier|any|every|each)[_\s.-]?$"
)


def find(text: str, lower: str) -> Iterator[Span]:
    """Yield the spans of values that a word in front of them (or behind) calls secret."""
    end = 0
    for at, stem, strength in _hits(text, lower):
        if at < end:
            continue
        after = at + len(stem)
        if not _is_name(text, at, after, stem, strength):
            continue
        tail = _TAIL.match(text, after)
        end = tail.end() if tail and stem != "api" else after
        span = _behind_name(text, lower, at, end, stem=stem, strength=strength)
        if span:
            end = span[1]
            yield span


def _hits(text: str, lower: str) -> list[tuple[int, str, int]]:
    """Where the words stand, in order; of several at one place the longest first."""
    hits: list[tuple[int, str, int]] = []
    for where, stems in ((lower, _STEMS), (text, () if text.isascii() else _FOREIGN)):
        for stem, strength in stems:
            at = where.find(stem)
            while at >= 0:
                hits.append((at, stem, strength))
                at = where.find(stem, at + len(stem))
    hits.sort(key=lambda hit: (hit[0], -len(hit[1])))
    return hits


def _behind_name(
    text: str, lower: str, at: int, stop: int, *, stem: str, strength: int
) -> Span | None:
    """The secret that the name from ``at`` to ``stop`` has, if any."""
    before = lower[max(0, at - 24) : at]
    if strength == WEAK and _OTHER_KEY.search(before):
        return None
    name = lower[at:stop]
    if name.endswith("tokens") or "usage" in name:
        return None  # a number of them, or a list that the vendors' forms are found in
    if stem == "pass" and prose.is_passage(before):
        return None
    strength = max(strength, _strength_of(name, before))
    if _NOT_A_HOLDER.search(text, max(at + len(stem), stop - 13), stop) and not stem.startswith(
        "client"
    ):
        return None
    label = _label(stem, name)
    operator = _OPERATOR.match(text, stop)
    if operator:
        found = _value(text, operator, strength, query=bool(_PARAMETER.search(before)))
        if found and stem in _BRIEF and _RELEASE.match(text, *found):
            return None  # short for a program: pw, the release of it
        if found:
            return (*found, label)
        if operator.end() < len(text) and strength == STRONG and operator.group("op"):
            return None
    found = _near(text, stop, stem, before, strength)
    if not found and strength >= PLAIN and stem not in _BRIEF:
        found = nearby.behind(text, at) or nearby.introduced(text, at)
    return (*found, label) if found else None


def _near(text: str, stop: int, stem: str, before: str, strength: int) -> tuple[int, int] | None:
    """The secret that stands near behind its name, without an operator."""
    follows = text[stop : stop + 1]
    if not (follows.isspace() or follows in _JOINTS):
        return None
    found = nearby.element(text, stop, strength) or _argument(text, stop, before, strength)
    if found or (stem in _BRIEF and "user " not in before):
        return found
    if strength == STRONG:
        flag = before.endswith("-") or "login " in before or "user " in before
        told = text.startswith(" to ", stop) and nearby.is_order(before)
        found = nearby.in_prose(text, stop, flag=flag, told=told)
    return found or nearby.close(text, stop)


def _argument(text: str, stop: int, before: str, strength: int) -> tuple[int, int] | None:
    """The second argument of a call whose first one is the name."""
    called = _CALLED.match(text, stop) if strength >= FIRM else None
    inside = quoted(text, called.end()) if called and _CALL.search(before) else None
    if inside and nearby.is_password(text[inside[0] : inside[1]]):
        return inside
    return None


def _strength_of(name: str, before: str) -> int:
    """How surely the whole name announces a secret, whichever word of it came first."""
    if "secret" in name or "passw" in name:
        return STRONG
    if name.startswith("token"):
        return FIRM if before.endswith(("_", "-", *_TOKEN_KINDS)) else PLAIN
    if "token" in name:
        return FIRM
    return PLAIN if "key" in name and "_" in name else WEAK


def _is_name(text: str, at: int, after: int, stem: str, strength: int) -> bool:
    """Whether the word stands by itself, where it is short enough to be the inside of others."""
    if stem in ("pass", "pw", "_pat") and text[after : after + 1].isalpha():
        return False
    if not (strength == WEAK or stem in ("pass", "pw", "pwd")):
        return True
    if stem == "auth" and text[after : after + 2] in ("or", "OR"):
        return False
    word = text[at:after]
    if not (word.islower() or word.isupper() or word.istitle() or stem.startswith("client")):
        return False
    before = text[at - 1 : at]
    # "--- PASS: TestName" is the most common line with this word.
    if word == "PASS" and before != "_":
        return False
    return not before.isalpha() or before.isupper() or word[0].isupper()


def _label(stem: str, name: str) -> str:
    if stem.startswith(("pass", "pw", "securestring")) or not stem.isascii():
        return "password"
    for word in ("secret", "token", "credential"):
        if word in name:
            return word
    return "oauth-id" if stem.startswith("client") else "key"


def _value(
    text: str, operator: re.Match[str], strength: int, *, query: bool
) -> tuple[int, int] | None:
    """The value that the operator assigns, if it is a secret."""
    at = operator.end()
    inside = quoted(text, at)
    if inside:
        return inside if is_quoted_secret(text[inside[0] : inside[1]], strength) else None
    value = bare(text, at)
    if query and "&" in value:
        value = value[: value.index("&")]
    value = trimmed(value)
    end = at + len(value)
    op = operator.group("op") or ""
    if op.strip() in _JOINED_VERBS and not value[:1].isascii():
        return None  # the sentence goes on
    loose = "\n" in op or (op != op.strip() and "=" in op)
    line = text[end : end + 40].split("\n", 1)[0]
    if is_bare_secret(value, line, strength, loose=loose):
        return at, bare_end(text, at, value)
    return None
