"""What a value looks like: a secret, a placeholder, or a piece of code or prose."""

from __future__ import annotations

import re

_PLACEHOLDER = re.compile(
    r"<|\$[A-Za-z_{(]|\{\{|%[A-Za-z_]+%|[x*.•#_0-]+$|\[REDACTED|\[[A-Za-z ]"
    r"|@[\w.]+$|:[a-z_]+$|\{[\w.]*\}"
    r"|(?:your|my|the|some|example|sample|dummy|fake|placeholder|insert|enter|replace|change|todo)"
    r"(?:[-_ ]?(?:own|actual|real|me|with|this|here|api|access|secret|token|key|password|passw|"
    r"client|username|user|db|database))*(?:[-_ ][a-z]+)*$"
    r"|redacted|x{4,}",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"[A-Za-z_][\w.:?!]*+[(\[]|(?:os|process|env|config|settings|self|this|args|ctx|req|request"
    r"|secrets|vars|var|params|options|opts|data|github|process\.env|import\.meta)\."
    r"|(?:await|new|return|lambda|None|null|undefined|true|false)\b|[!&*]?[A-Za-z_]\w*->",
)
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*[!?]?$")
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,20}://", re.IGNORECASE)
_PATH = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\](?:[\w.@-]+[/\\])*[\w.@*-]*$")
_PIECES = re.compile(r"[^A-Za-z0-9]+")
_HUMPS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_VOWELS = frozenset("aeiouyAEIOUY")
_STOP = frozenset(
    ["string", "str", "text", "none", "null", "nil", "true", "false", "required", "optional", "int", "integer", "number", "bool", "boolean", "object", "any", "bytes", "undefined", "void", "secret", "password", "token", "default", "empty", "missing", "invalid", "valid", "expired", "hidden", "disabled", "enabled", "unset", "file", "env", "environment", "variable", "prompt", "stdin", "keyring", "keychain", "vault", "plain", "hash", "hashed", "encrypted", "auto", "manual", "basic", "bearer", "digest", "oauth", "oauth2", "varchar", "char", "type", "field", "value", "input", "yes", "no", "on", "off", "never", "always", "not", "set", "unknown", "cmac", "hmac", "sha256", "sha512", "sha1", "md5", "bcrypt", "argon2", "jwt", "uuid", "base64", "utf-8", "utf8"]
)


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret that is somewhere else."""
    return bool(_PLACEHOLDER.match(value)) or "..." in value or "…" in value or "[REDACTED" in value


def is_code(value: str) -> bool:
    """Whether an unquoted value is an expression and not a literal."""
    return bool(_CODE.match(value))


def is_name(value: str) -> bool:
    """Whether an unquoted value could be an identifier of a program."""
    return bool(_NAME.match(value))


def is_stop_word(value: str) -> bool:
    """Whether the value is a type, a state or another word that describes a secret."""
    return value.lower().rstrip(".,;:!?") in _STOP


def is_place(value: str) -> bool:
    """Whether the value is a path or an address."""
    return bool(_URL.match(value) or (len(value) < 200 and _PATH.match(value)))


def is_wordy(value: str) -> bool:
    """Whether the value reads as words and numbers: a name, a slug, a version, a model."""
    for piece in _PIECES.split(value[:200]):
        if not piece or (piece.isdigit() and len(piece) <= 10):
            continue
        humps = _HUMPS.findall(piece)
        digits = sum(1 for hump in humps if hump.isdigit())
        if digits > 2 or len(humps) > 8:
            return False
        letters = [hump for hump in humps if not hump.isdigit()]
        if digits and len(piece) > 12 + 4 * len(letters):
            return False
        for hump in letters:
            if len(hump) > 20 or (len(hump) > 3 and not _pronounceable(hump)):
                return False
        if len(letters) > 2 and sum(map(len, letters)) < 3 * len(letters):
            return False
    return True


def _pronounceable(word: str) -> bool:
    run = 0
    vowels = 0
    for letter in word:
        if letter in _VOWELS:
            vowels += 1
            run = 0
        else:
            run += 1
            if run > 4:
                return False
    return vowels * 6 >= len(word)


def is_random(value: str, least: int = 16) -> bool:
    """Whether the value reads as drawn by a machine: long, letters and digits mixed, no words."""
    if len(value) < least or len(set(value)) < 6:
        return False
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if not letters:
        return False
    if digits == 0 and len(value) < 20:
        return False
    return not is_wordy(value)
