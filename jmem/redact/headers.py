"""Secrets that are recognised by the structure around them: keys in PEM, addresses, headers."""

from __future__ import annotations

from collections.abc import Iterator

from jmem.redact import values
from jmem.redact.patterns import compiled
from jmem.redact.shapes import Span

_PEM = r"-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_PEM_END = r"-----END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----"
# The body of a key without an end: base64, white space, quotes, escapes, headers.
_PEM_BODY = (
    r"(?:[A-Za-z0-9+/=]{12,}+|[\s\"'\\,+|>#*]|(?<=\\)[rnt]|[A-Za-z-]{3,20}: [^\n\\]{0,200}+)*+"
    r"(?:(?<=[\nn])[A-Za-z0-9+/=]{1,200}+(?![^\n\"'\\]))?"
)
# What must stand in the lowered text, the pattern (tried on the lowered text), the label.
_LINES: tuple[tuple[str, str, str], ...] = (
    (
        "authorization",
        r"authorization[\"'\]]{0,2}\s{0,3}[:=,]\s{0,3}[\"'`]?(?:[a-z][a-z-]{2,12} )?"
        r"([^\s\"'`,]{8,4000}+)",
        "authorization",
    ),
    ("bearer", r"bearer[: ]{1,3}([a-z0-9._~+/=-]{8,4000}+)", "authorization"),
    ("basic ", r"basic ([a-z0-9+/]{12,4000}+={0,2})", "authorization"),
    ("ssws ", r"ssws ([a-z0-9_-]{20,200}+)", "authorization"),
    (
        "cookie",
        r"cookie2?[\"']?\s{0,3}:\s{0,3}[\"']?(?=[^\s=\"';]{1,80}=)([^\n\r\"'`]{8,4000}+)",
        "cookie",
    ),
    (
        "accountkey=",
        r"((?:defaultendpointsprotocol|endpoint|hostname)=[^\s\"'`<>]{4,300}?;\s?"
        r"accountkey=[a-z0-9+/%=_-]{16,200}+(?:;\s?[a-z]{4,30}=[^\s;\"'`<>]{1,200}+){0,6})",
        "connection-string",
    ),
    (
        "sharedaccesskey=",
        r"((?:endpoint|hostname)=[^\s\"'`<>]{4,300}?;sharedaccesskey=[a-z0-9+/%=_-]{16,200}+)",
        "connection-string",
    ),
    (
        ";secret=",
        r"((?:endpoint=)?https://[a-z0-9.-]{4,100};id=[^\s\"'`;]{4,200};secret=[a-z0-9+/=]{16,200}+)",
        "connection-string",
    ),
    *(
        (f"{before}signature=", rf"\{before}signature=([a-z0-9%+/=_-]{{32,1000}}+)", "signed-url")
        for before in "-?&"
    ),
    *(
        (f"{before}code=", rf"\{before}code=([a-z0-9%+/=_.-]{{16,1000}}+)(?=&state=)", "oauth-code")
        for before in "?&"
    ),
    *(
        (f"{name}=", rf"{name}=([a-z0-9._%+/-]{{16,200}}+)", "session-id")
        for name in ("phpsessid", "jsessionid", "net_sessionid", "connect.sid")
    ),
    *(
        (
            f"{kind} phrase",
            rf"{kind} phrase(?: is|:| =)?:?\s{{1,3}}[\"'`]?"
            r"((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z ,'])",
            "seed-phrase",
        )
        for kind in ("seed", "recovery", "mnemonic")
    ),
    ("sig=", r"[?&]sig=([a-z0-9%+/=_-]{16,200}+)", "azure-key"),
    ("accountkey=", r"accountkey=([a-z0-9%+/=_-]{16,200}+)", "azure-key"),
    # A value of AWS that is called by its vendor alone; hexadecimal is a digest more often.
    (
        "aws",
        r"(?<![a-z0-9])aws[a-z_-]{0,24}[\"']?\s{0,3}(?:=>|:=|[:=])\s{0,3}[\"']?"
        r"([a-z0-9/+]{40})(?![a-z0-9/+=])",
        "aws-secret",
    ),
    (
        "aws_access_key_id",
        r"aws_access_key_id[\"']?\s{0,3}(?:=>|:=|[:=])\s{0,3}[\"']?([a-z0-9]{16,32})(?![a-z0-9])",
        "aws-key-id",
    ),
    # What a machine has drawn stands where a user's name stands: a token that logs in.
    (
        "username",
        r"username[\"'\]]?\s{0,3}(?:=>|:=|[ :=])\s{0,3}[\"']?"
        r"([a-z0-9+/_-]{20,200}+={0,2})(?![\w@.])",
        "token",
    ),
    (
        "credentials(",
        r"credentials\(\s{0,9}(\"[^\"\n]{1,200}\",\s{0,9}\"[^\"\n]{8,200}\")",
        "credential",
    ),
    (
        "credential(",
        r"(?:network|ps)credential\((\"[^\"\n]{1,200}\",\s{0,9}\"[^\"\n]{4,200}\")",
        "credential",
    ),
    (
        "directoryentry(",
        r"directoryentry\((\"[^\"\n]{1,200}\",\s{0,40}\"[^\"\n]{1,200}\",\s{0,40}\"[^\"\n]{1,200}\")",
        "credential",
    ),
)
_TICKETS = ("authorization", "bearer", "basic ", "ssws ")
# The same on the text as it is.
_FORMS: tuple[tuple[str, str, str], ...] = (
    (
        ":AA",
        r"(?<![0-9A-Za-z])([0-9]{8,10}:AA[A-Za-z0-9_-]{32,36})(?![A-Za-z0-9_-])",
        "telegram-token",
    ),
    ("Q~", r"(?<![\w~.-])([\w~.]{3}[0-9]Q~[\w~.-]{31,36})", "azure-secret"),
    ("_mmk", r"(?<![A-Za-z0-9])([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)", "maxmind-key"),
    (
        ".atlasv1.",
        r"(?<![A-Za-z0-9])([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,})",
        "terraform-token",
    ),
    (".apps.google", r"([0-9]{6,20}-[0-9a-z]{20,40}\.apps\.googleusercontent\.com)", "oauth-id"),
    (
        "JQQJ99",
        r"(?<![A-Za-z0-9])([A-Za-z0-9]{40,60}JQQJ99[A-Za-z0-9]{24,30})(?![A-Za-z0-9])",
        "azure-token",
    ),
    ("-us", r"(?<![A-Za-z0-9])([0-9a-f]{32}-us[0-9]{1,2})(?![A-Za-z0-9])", "mailchimp-key"),
    ("__COM", r"__CONTRIBSYS__COM\w{0,10}[\"']?\s?[=:]\s?[\"']?([0-9a-f]{8}:[0-9a-f]{8})", "token"),
)
_FACEBOOK = r"[0-9]{15}\|[A-Za-z0-9_-]{27}(?![A-Za-z0-9_-])"
_BESIDE = r"(?<![A-Za-z0-9/+=])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
_DISCORD = r"(?<![A-Za-z0-9])[A-Z][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"


def find(text: str, lower: str) -> Iterator[Span]:
    """Yield the spans of secrets that their surroundings give away."""
    if "PRIVATE KEY" in text:
        yield from _keys(text)
    for word, pattern, label in _LINES:
        if word in lower:
            yield from _lines(text, lower, word, pattern, label)
    for word, pattern, label in _FORMS:
        if word in text:
            yield from _forms(text, word, pattern, label)
    yield from _dotted(text)
    yield from _beside_key_ids(text)


def _lines(text: str, lower: str, word: str, pattern: str, label: str) -> Iterator[Span]:
    for match in compiled(pattern).finditer(lower):
        start, end = match.span(1)
        value = text[start:end]
        if values.is_placeholder(value) or values.is_code(value):
            continue
        if not _is_drawn(value, word):
            continue
        yield start, end, label


def _is_drawn(value: str, word: str) -> bool:
    """Whether the value of a word that often has none is one: drawn by a machine, no prose."""
    if word == "aws":
        return not (value.islower() or value.isupper()) and values.is_random(value)
    if word == "username":
        return values.is_random(value, 20)
    if word == "credentials(":
        return values.is_random(value.rpartition(",")[2].strip(' "\t\n'), 8)
    return word not in _TICKETS or _is_ticket(value, word)


def _is_ticket(value: str, word: str) -> bool:
    """Whether it is no prose: "Bearer authentication", "Authorization: required"."""
    if word == "basic ":
        return values.is_random(value, 8) and values.mixed(value)
    if word == "authorization":
        plain = value.rstrip(".:)").replace("-", "")
        return not (plain.isalpha() and values.is_wordy(value))
    if values.mixed(value):
        return len(value) >= 12 or values.is_random(value, 8)
    return not values.is_wordy(value) and len(value) >= 16


def _forms(text: str, word: str, pattern: str, label: str) -> Iterator[Span]:
    """Tokens that are known by a part in their middle: the pattern is tried around it."""
    at = text.find(word)
    while at >= 0:
        match = compiled(pattern).search(text, max(0, at - 64), at + 128)
        if match:
            yield match.start(1), match.start(1) + len(match.group(1).rstrip(".")), label
        at = text.find(word, at + len(word))


def _dotted(text: str) -> Iterator[Span]:
    """Discord's and Facebook's tokens, which have no word of their own in them."""
    at = text.find(".")
    while at >= 0:
        # Two dots seven characters apart are rare; the pattern runs only there.
        following = text.find(".", at + 1)
        if following - at == 7:
            match = compiled(_DISCORD).search(text, max(0, at - 28), at + 60)
            if match:
                yield *match.span(), "discord-token"
        at = following
    at = text.find("|")
    while at >= 0:
        if text[at - 15 : at].isdigit():
            match = compiled(_FACEBOOK).match(text, at - 15)
            if match:
                yield *match.span(), "facebook-token"
        at = text.find("|", at + 1)


def _beside_key_ids(text: str) -> Iterator[Span]:
    """The secrets of AWS keys, which have no form of their own but stand beside the key's id."""
    at = text.find("AKIA")
    while at >= 0:
        match = compiled(_BESIDE).search(text, at + 20, at + 180)
        value = match.group(1) if match else ""
        if match and values.mixed(value) and not (value.islower() or value.isupper()):
            yield *match.span(1), "aws-secret"
        at = text.find("AKIA", at + 4)


def _keys(text: str) -> Iterator[Span]:
    at = 0
    while begin := compiled(_PEM).search(text, at):
        end = compiled(_PEM_END).search(text, begin.end(), begin.end() + 20000)
        again = compiled(_PEM).search(text, begin.end(), begin.end() + 20000)
        if end and not (again and again.start() < end.start()):
            at = end.end()
        else:
            body = compiled(_PEM_BODY).match(text, begin.end())
            at = begin.end() + len(body.group().rstrip() if body else "")
        yield begin.start(), at, "private-key"
