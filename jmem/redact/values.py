"""What a value looks like: a secret, a placeholder, or a piece of code or prose.

Only the first ``LOOK`` characters of a value are looked at, so that a verdict costs the
same for a value of any length.
"""

from __future__ import annotations

import re

from jmem.redact.patterns import lazy

LOOK = 96
BLANK = "\0"
"""Stands for every character of an existing marker while a text is searched."""

_PLACEHOLDER = lazy(
    r"<|\$[A-Za-z_{(]|\{\{|\{[\w.]*\}$|%[A-Za-z_]+%|[x*.•#_0-]+$|\[[A-Za-z ]|@[\w.]+$|:[a-z_]+$"
    r"|redacted|x{4,}"
    r"|(?:your|some|example|sample|dummy|fake|placeholder|insert|enter|replace|change|todo)"
    r"(?:[-_ ]?(?:own|actual|real|me|with|this|here|it|value|api|access|auth|secret|token|key|"
    r"pass(?:word)?|client|user(?:name)?|db|database|id))*(?:[-_ ][a-z]+)*$"
    r"|(?:my|the|test|new|old)"
    r"(?:[-_ ]?(?:api|access|auth|secret|token|key|pass(?:word)?|client))+$",
    re.IGNORECASE,
)
_TEMPLATE = lazy(r"\{[A-Za-z_][\w.]{2,}\}")
_CODE = lazy(
    r"[A-Za-z_][\w.:?!]*+[(\[]|[(\[{*]+[A-Za-z_]\w*(?:[,.(\[]|$)|[!&*]?[A-Za-z_]\w*->"
    r"|(?:os|process|env|config|settings|self|this|args|ctx|req|request|secrets|vars|var|params"
    r"|options|opts|data|github|import\.meta)\."
    r"|(?:await|new|return|lambda|None|null|undefined|true|false)\b"
)
_NAME = lazy(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*[!?]?$")
_NUMBERS = lazy(r"[0-9]+")
_URL = lazy(r"[a-z][a-z0-9+.-]{1,20}://", re.IGNORECASE)
_PATH = lazy(r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\](?:[\w.@-]+[/\\])+[\w.@*-]*$|[~.]{1,2}/")
_UUID = lazy(r"[0-9a-z]{8}(?:-[0-9a-z]{4}){3}-[0-9a-z]{12}", re.IGNORECASE)
_PIECES = lazy(r"[^A-Za-z0-9]+")
_HUMPS = lazy(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_DATE = lazy(r"(?:19|20)[0-9]{6}")
_GLUED = lazy(r"[A-Za-z][0-9]{5}|[0-9]{5}[A-Za-z]")
_SIX = lazy(r"(?:[0-9][A-Za-z]*+){6}")
_DIGIT = lazy(r"[0-9]")
_LETTER = lazy(r"[^\W\d_]")
_SYMBOLS = lazy(r"[^\w\s.,:/-]")
_CONSONANTS = lazy(r"[b-df-hj-np-tv-xz]{5}", re.IGNORECASE)
_VOWELS = lazy(r"[aeiouy]", re.IGNORECASE)
# One string: a set of a hundred words is no faster here, and longer to read.
_MANY = 20
_STOP = (
    " string str text none null nil true false required optional int integer number bool boolean "
    "object any bytes undefined void secret secrets password passwords passwd pass token tokens "
    "default empty missing invalid valid expired hidden disabled enabled unset file env variable "
    "environment prompt stdin keyring keychain vault plain plaintext hash hashed encrypted auto "
    "manual basic bearer digest oauth oauth2 varchar char type field value input yes no on off "
    "never always not set unknown hmac sha1 sha256 sha512 md5 bcrypt argon2 scrypt pbkdf2 jwt uuid "
    "base64 utf-8 utf8 utf8mb4 incorrect correct wrong credential credentials changed different "
    "stored public private admin user username name inherit read write "
)


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret that is somewhere else."""
    head = value[:LOOK]
    if "{" in head and _TEMPLATE.search(head):
        return True
    return bool(_PLACEHOLDER.match(head)) or "..." in head or "…" in head or BLANK in head


def is_code(value: str) -> bool:
    """Whether an unquoted value is an expression and not a literal."""
    return bool(_CODE.match(value))


def is_name(value: str) -> bool:
    """Whether an unquoted value could be an identifier of a program."""
    return bool(_NAME.match(value[:LOOK]))


def is_dotted_name(value: str) -> bool:
    """Whether it is a name in a module, with a number or two in it: ``jose.Draft7Validator``."""
    return "." in value and is_name(value) and len(_NUMBERS.findall(value[:LOOK])) <= 2


def is_stop_word(value: str) -> bool:
    """Whether the value is a type, a state or another word that describes a secret."""
    word = value.lower().rstrip(".,;:!?")
    return len(word) < 20 and " " not in word and f" {word} " in _STOP


def is_place(value: str) -> bool:
    """Whether the value is a path or an address."""
    head = value[:LOOK]
    return bool(_URL.match(head) or _PATH.match(head))


def is_uuid(value: str) -> bool:
    """Whether the value has the form of a UUID, in letters of any range."""
    return bool(_UUID.match(value))


def has_symbols(value: str, least: int) -> bool:
    """Whether the value holds so many characters that neither words nor paths hold."""
    return len(_SYMBOLS.findall(value[:LOOK])) >= least


def mixed(value: str) -> bool:
    """Whether the value holds both a letter and a digit."""
    head = value[:LOOK]
    return bool(_DIGIT.search(head) and _LETTER.search(head))


def is_wordy(value: str) -> bool:
    """Whether the value reads as words and numbers: a name, a slug, a version, a model."""
    head = value[:LOOK]
    if _GLUED.search(_DATE.sub("", head)):
        return False
    both = digits = 0
    pieces = _PIECES.split(head)
    if len(pieces) > _MANY:
        return True
    for piece in pieces:
        if not piece or (piece.isdigit() and len(piece) <= 10):
            continue
        if not _wordy_piece(piece):
            return False
        if not piece.isalpha():
            both += 1
            digits += sum(map(str.isdigit, piece))
    return not ((both >= 3 and digits >= 6) or (both == 2 and digits >= 8))


def _wordy_piece(piece: str) -> bool:
    humps: list[str] = _HUMPS.findall(piece)
    letters = [hump for hump in humps if not hump.isdigit()]
    numbers = len(humps) - len(letters)
    if numbers > 2 or len(humps) > 8 or (numbers == 2 and len(piece) >= 12 and _SIX.search(piece)):
        return False
    if len(letters) > 2 and sum(map(len, letters)) < 3 * len(letters):
        return False
    return not any(
        len(hump) > 20
        or (len(hump) > 3 and (_CONSONANTS.search(hump) or not _VOWELS.search(hump)))
        or (len(hump) > 8 and len(_VOWELS.findall(hump)) * 6 < len(hump))
        for hump in letters
    )


def is_random(value: str, least: int = 16) -> bool:
    """Whether the value reads as drawn by a machine: long, letters and digits mixed, no words."""
    head = value[:LOOK]
    if len(head) < least:
        return False
    if is_uuid(head):
        return True
    if len(set(head)) < 6:
        return len(head) >= 32 and len(set(head)) > 1 and not is_wordy(head)
    if not mixed(head):
        return (head.isdigit() and len(head) >= 16) or (len(head) >= 20 and not is_wordy(head))
    return not is_wordy(head)
