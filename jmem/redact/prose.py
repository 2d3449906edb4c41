"""Passwords in sentences: ``the db password is now ...``, ``login is admin / ...``, ``密码是 ...``.

``str.find`` finds the nouns. Around each, a bounded stretch of the line is looked at: words that
lead from the noun to a value, words that lead from a value to the noun, the two halves of a
login. The less these words say, the more the value has to look like a password.
"""

from __future__ import annotations

from jmem.redact import values
from jmem.redact.patterns import compiled, lazy
from jmem.redact.shapes import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Place = tuple[int, int]

NONE, LIKELY, SURE, ALONE = 0, 1, 2, 3
"""How much a word looks like a password: not; letters and digits; more than a name with a number;
so much that little has to be said about it."""

# In lower case, each with what may follow to the end of the word.
_PASSWORDS = (
    ("pass", r"(?:w[a-z]{1,9}|phrases?|codes?)?(?!\w)"),
    ("pw", r"d?(?!\w)"),
    ("parola", r"(?: d'ordine)?(?!\w)"),
    *((stem, r"[a-z]{0,8}(?!\w)") for stem in ("kennwort", "wachtwoord", "senha", "salasana")),
    *((stem, r"(?!\w)") for stem in ("mdp", "clave", "mot de passe", "secret")),
    *((stem, r"(?!\w)") for stem in ("unlock code", "wifi key", "requires auth", "redis auth")),
    *((stem, r"(?!\w)") for stem in ("storepass", "keypass")),
)
_LOGINS = (
    *((stem, r"[a-z]{0,8}(?!\w)") for stem in ("login", "credential", "creds", "zugangsdaten")),
    *((stem, r"(?!\w)") for stem in ("log in", "sign in", "basic auth", "wi-fi", "wifi")),
)
_KEYS = ("token", "api key", "recovery code", "otp seed")
_ACCOUNTS = ("admin", "root", "guest", "postgres")
# In the text as it is, where it is not all ASCII, each with its rarest letter.
_ABROAD = (
    *(("contraseña", "ñ"), ("Contraseña", "ñ"), ("lösenord", "ö"), ("Lösenord", "ö")),
    *(("hasło", "ł"), ("Hasło", "ł"), ("şifre", "ş"), ("Şifre", "Ş")),
    *(("пароль", "ь"), ("Пароль", "П"), ("密码", "密"), ("密碼", "密"), ("口令", "令")),
    *(("パスワード", "パ"), ("비밀번호", "밀")),
)
_LETTERS = r"[^\W\d_]{0,8}"

_OPEN = r"[\"'`*(“„«]{0,3}"
_VALUE = _OPEN + r"([!-~¡-ɏ]{5,64}+)"
_STEP = r"[ ]\(?[^\s\"'`:=()\\\0]{1,20}+\)?"
_VERB = (
    r"(?:(?:is |was |be |been |are )?(?:now )?(?:set|changed|reset|rotated|switched|equal) to"
    r"|is|was|be|are|ist|lautet|war|sei|es|est|è|é|är)"
)
_ADVERB = r"(?:(?:now|just|still|again|simply|always|jetzt|nun|ahora|maintenant|adesso|agora) )?"
_FOLLOWS = (" ", ":", "'", "-", "=", "→", ",")
_SAYS = (
    rf"(?:'s|(?:{_STEP}){{0,6}}?(?:[ ]?(?::|->|=>|→)|[ ][–—-]|[ ]{_VERB}))"
    rf"(?::\s{{0,2}}|\s{{1,3}}){_ADVERB}{_VALUE}"
)
_EQUALS = rf"(?:{_STEP}){{0,2}}?[ ]=[ ]{_VALUE}(?=[ ]*(?m:$))"
_CHANGED = rf"(?:{_STEP}){{0,3}}?[ ]from[ ]{_VALUE}[ ]to[ ]{_VALUE}"
_NEXT = rf"[ ]{_VALUE}"
_LATER = rf"(?:,|(?:{_STEP}){{1,3}}?)[ ]{_VALUE}"
_TO = rf"(?:{_STEP}){{0,4}}?[ ]to[ ]{_VALUE}"  # in Polish it says "is"
# Chinese, Japanese and Korean join the verb to the noun.
_JOINED = rf"[^\x00-\x7f，。；、]{{0,8}}[ :：]{{0,3}}{_VALUE}"
_USER = rf"(?:{_STEP}){{0,6}}?[:=]?[ ]{{1,2}}[\"'`*(]{{0,3}}[\w@.+-]{{2,64}}"
_PAIRS = (
    rf"{_USER}([ ]/[ ]){_VALUE}",
    rf"{_USER}(/|:[ ]?|[ ](?:and|with|und|mit)[ ]){_VALUE}",
    rf"{_USER}([ ]){_VALUE}",
)
_SLASH = rf"([ ]?/[ ]?){_VALUE}"
_LOCKED = rf"(?:with|by|mit)[ ]{_VALUE}"
_DECLARED = lazy(
    r"(?:^|[\s(])(?:the|my|our|your|its|das|la|el|le|il|der)(?:[ ][\w-]{1,20}){0,3}[ ]$"
)
_ORDER = lazy(r"(?:^|\W)(?:set|change|changed|reset|rotate|rotated|update|updated)[ ][\w ]{0,24}$")
_LEADS = lazy(
    r"(?:^|[\s\"'`(*])([!-~]{5,64})[\"'`*)]{0,2}[ ](as|for|when|at|into)(?:[ ][a-z]{1,12}){0,6}[ ]$"
)
# What stands behind such a word is no password but something about passwords.
_ABOUT = lazy(
    r"(?i:[ _-](?:manager|hash|polic|field|column|store|vault|file|length|type|algo|form|prompt"
    r"|reset|generator|provider|rule|param|variable|env|name|id|version|hint|strength|expir|auth"
    r"|login|page|test|check|input|scan|rotation|protect|cost|count|limit)[a-z]{0,8}(?![^\s.,:;)]))"
)
_PASSAGE = lazy(r"(?:^|[^a-z])(?:first|second|third|last|next|one|two|single|each|every|per)[ -]$")
_TERM = lazy(
    r"(?i:(?:argon|sha|md|aes|rsa|[hrep]s|ed|utf|base|pkcs|pbkdf|oauth|http|ipv|tls|ssl|python|rfc"
    r"|node|rev|ver|v)[_-]?[0-9]|[a-z]{3,20}[0-9]{1,2}\.[0-9]{1,3}$|c\+\+|.*\.[a-z]{1,9}[0-9]?(?::[0-9]+)?$|[^@]+@[\w-]+\.\w)"
)
_COUNTED = lazy(r"[A-Za-z]+[0-9]{1,4}!?$")
_SIGNS = lazy(r"!(?=.)|[A-Za-z0-9][#$%^*@][A-Za-z]")
_JOINT = lazy(r"[-_/]")
_HEX = lazy(r"[0-9a-fA-F-]+$")
_DIGIT = lazy(r"[0-9]")
_REACH = 160
_SHORT = 5
"""Nouns of so many letters also end other words: ``compass``."""


def find(text: str, lower: str) -> Iterator[Span]:
    """Yield the spans of passwords that a sentence tells."""
    for stem, ending in _PASSWORDS:
        label = "secret" if stem == "secret" else "password"
        for at, end in _nouns(lower, stem, ending):
            yield from _labelled(_told(text, lower, at, end), label)
    for stem, ending in _LOGINS:
        for _, end in _nouns(lower, stem, ending):
            yield from _labelled(_pair(text, end, *_PAIRS), "password")
    for name in _ACCOUNTS:
        for at, end in _nouns(lower, name, r"(?= ?/)"):
            if lower[max(0, at - 1) : at] in ("/", "-", "_", "."):
                continue  # a directory on a path
            yield from _labelled(_pair(text, end, _SLASH), "password")
    for verb in ("protected ", "locked ", "encrypted "):
        for _, end in _nouns(lower, verb, ""):
            yield from _labelled(_worth(text, end, _LOCKED, ALONE), "password")
    for noun in _KEYS:
        for _, end in _nouns(lower, noun, r"(?!\w)"):
            yield from _labelled(_worth(text, end, _SAYS, ALONE), "key")
    if not text.isascii():
        yield from _labelled(_abroad(text, lower), "password")


def _labelled(places: Iterator[Place], label: str) -> Iterator[Span]:
    for start, end in places:
        yield start, end, label


def is_passage(before: str) -> bool:
    """Whether the words in front of ``pass`` make it one of several: ``the second pass``."""
    return bool(_PASSAGE.search(before))


def weight(value: str) -> int:
    """How much a word of a sentence looks like a password."""
    if len(value) < 5 or not values.mixed(value) or "=" in value[1:]:
        return NONE
    if values.is_placeholder(value) or values.is_code(value) or values.is_place(value):
        return NONE
    if _TERM.match(value) or (_JOINT.search(value) and values.is_wordy(value)):
        return NONE
    if "/" in value and (value.count("/") > 1 or not _SIGNS.search(value)):
        return NONE  # a path
    if _SIGNS.search(value) or (values.is_random(value, 8) and not _HEX.match(value)):
        return ALONE
    if value[0].isdigit():
        return NONE
    return LIKELY if _COUNTED.match(value) or _HEX.match(value) else SURE


def _nouns(text: str, noun: str, ending: str) -> Iterator[Place]:
    """Where the noun stands as a word, or as the end of a longer one: ``DB_PASSWORD``."""
    at = text.find(noun)
    while at >= 0:
        end = at + len(noun)
        match = compiled(ending).match(text, end)
        inside = len(noun) <= _SHORT and noun.isascii() and at > 0 and text[at - 1].isalnum()
        # Nothing is a password here that has no digit; most of what is said of them has none.
        if match and not inside and _DIGIT.search(text, max(0, at - _REACH), end + _REACH):
            yield at, match.end()
        at = text.find(noun, end)


def _told(text: str, lower: str, at: int, end: int) -> Iterator[Place]:
    """The values that a noun in a Latin alphabet is said to be."""
    before = lower[max(0, at - 64) : at]
    yield from _led(text, at)
    if text[end : end + 1] not in _FOLLOWS or _ABOUT.match(text, end) or is_passage(before):
        return
    yield from _worth(text, end, _SAYS, LIKELY)
    yield from _worth(text, end, _NEXT, SURE)
    yield from _worth(text, end, _LATER, ALONE)
    yield from _worth(text, end, _EQUALS, LIKELY if _DECLARED.search(before) else SURE)
    yield from _changed(text, end)
    if _ORDER.search(before):
        yield from _worth(text, end, _TO, LIKELY)


def _abroad(text: str, lower: str) -> Iterator[Place]:
    """The same for nouns in other alphabets."""
    for noun, letter in _ABROAD:
        if letter not in text:
            continue  # to look for one letter takes a tenth of the time
        joins = noun[0] >= "⺀"
        for at, end in _nouns(text, noun, "" if joins else _LETTERS):
            yield from _told(text, lower, at, end)
            yield from _worth(text, end, _JOINED if joins else _TO, LIKELY)


def _changed(text: str, at: int) -> Iterator[Place]:
    """The old and the new one: ``the password was changed from ... to ...``."""
    match = compiled(_CHANGED).match(text, at)
    if match:
        pair = [_trimmed(match.group(number)) for number in (1, 2)]
        if min(map(weight, pair)) >= LIKELY and max(map(weight, pair)) >= SURE:
            for number, value in enumerate(pair, 1):
                yield match.start(number), match.start(number) + len(value)


def _led(text: str, at: int) -> Iterator[Place]:
    """A value in front of its noun: ``enter ... when it asks for the password``."""
    start = max(0, at - _REACH)
    window = text[start:at]
    if not any(word in window for word in (" as ", " for ", " when ", " at ", " into ")):
        return
    match = _LEADS.search(window)
    value = _trimmed(match.group(1)) if match else ""
    if match and weight(value) >= (SURE if match.group(2) == "as" else ALONE):
        yield start + match.start(1), start + match.start(1) + len(value)


def _pair(text: str, at: int, *patterns: str) -> Iterator[Place]:
    """The second half of a login: ``admin / ...``, ``admin:...``, ``admin with ...``."""
    for pattern in patterns:
        match = compiled(pattern).match(text, at)
        if match:
            least = {" / ": LIKELY, ":": SURE, ": ": SURE}.get(match.group(1), ALONE)
            value = _trimmed(match.group(2))
            if weight(value) >= least:
                yield match.start(2), match.start(2) + len(value)


def _worth(text: str, at: int, pattern: str, least: int) -> Iterator[Place]:
    """The value of a pattern that fits here, if it is worth that much."""
    match = compiled(pattern).match(text, at)
    if match:
        value = _trimmed(match.group(1))
        if weight(value) >= least:
            yield match.start(1), match.start(1) + len(value)


def _trimmed(value: str) -> str:
    """The value without the quotes, brackets and stops that close it."""
    inner = value.rstrip(".,;:)\"'`*]»”")
    for sign in "\"'`,;<>|\\":
        inner = inner.split(sign, 1)[0]
    return inner
