"""Secrets that are recognised by the word in front of them: ``password: ...``, ``api_key=...``.

One search finds the words. What follows a word is looked at once, in bounded steps: the
rest of the name, an operator or a gap, a value; the stronger the word and the operator,
the less the value has to look like a secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jmem.redact import values
from jmem.redact.shapes import Span

_STEM = re.compile(
    r"passwor[dt]|passphrase|passcode|passwd|pass(?=[\"'\]]{0,2}\s{0,3}[:=!])|pwd|passwrd"
    r"|(?<![a-z])pw(?![a-z])"
    r"|secret|token|credential|api[_ -]?key|access[_ -]?key|auth(?![a-z])|authorization"
    r"|private|access|key|license|login|(?<![a-z])pat(?![a-z])|(?<![a-z])sig(?![a-z])"
    r"|密码|口令|密钥|令牌|秘钥|私钥|パスワード|비밀번호|contraseña|passwort|mot de passe|пароль"
)
_PASSWORD = frozenset(("pass", "pwd", "pw", "密码", "口令"))
_TAIL = re.compile(
    r"(?:[_.-]?[A-Za-z]{1,16}+(?![A-Za-z]{0,24}[0-9])){0,5}|s?[0-9]{0,2}(?![A-Za-z0-9])"
)
_OPERATOR = re.compile(
    r"(?P<shut>\\{0,3}[\"'`]|[\"'`]?\])?(?P<op>\s{0,20}(?:=>|:=|[=!]==?|==|=|:|：|->|是|为|為|は)\s{0,20})"
)
_QUOTED = re.compile(
    r"@?[rbfuL]?(?:\\{1,3}\"([^\"\\\n]{1,2000})\\|\"((?:[^\"\\\n]|\\.){1,2000}+)\""
    r"|\\{1,3}'([^'\\\n]{1,2000})\\|'((?:[^'\\\n]|\\.){1,2000}+)'|`([^`\n]{1,2000})`)"
)
_BARE = re.compile(r"[^\s\"'`,;，。；、]{1,2000}+")
_GAP = re.compile(r"[\s\"'`:=,>()\[\]{}|\\-]{1,12}")
_FILLER = re.compile(
    r"(?:is|was|value|default|key|token|secret|id|api|access|private|to|for|as|the)\b", re.I
)
_RANDOM = re.compile(r"[A-Za-z0-9+/=_.~%!@^&*$|-]{8,2000}+")
_NOT_A_HOLDER = re.compile(
    r"(?:^|[_.-]|(?<=[a-z])(?=[A-Z]))(?:id|ids|name|names|url|uri|path|file|files|dir|count|counts|"
    r"limit|limits|budget|size|length|len|type|env|var|label|field|column|policy|ttl|expiry|expires|"
    r"expiration|placeholder|hint|prompt|error|status|index|header|prefix|format|regex|pattern|"
    r"usage|used|cost|price|rate|window|at|date|hash|digest|manager|provider|store|ref|refs|source|"
    r"version|arn|input|output|generator|validator|bucket|endpoint|scope|scopes|kind)s?$",
    re.IGNORECASE,
)
_WEAK_BEFORE = re.compile(
    r"(?:public|pub|cache|primary|foreign|partition|sort|object|idempotency|storage|hot|short|"
    r"mon|tur|don|map|dict|row|group|unique|composite|i18n|config|index|lookup|join|dedup|dedupe|"
    r"translation|json|yaml|surrogate|routing|arrow|enter|escape|modifier|any|every|each)[_\s.-]?$"
)


def find(text: str, lower: str) -> Iterator[Span]:
    """Yield the spans of values that a word in front of them (or behind) calls secret."""
    end = 0
    for hit in _STEM.finditer(lower):
        if hit.start() < end:
            continue
        span = _after(text, lower, hit)
        if span:
            end = span[1]
            yield span


def _after(text: str, lower: str, hit: re.Match[str]) -> Span | None:
    stem = hit.group()
    start = hit.start()
    if stem in ("key", "access", "private", "login", "license", "auth") and not _starts(
        text, start
    ):
        return None
    tail = _TAIL.match(text, hit.end())
    at = tail.end() if tail else hit.end()
    name = lower[start:at]
    strong = (
        stem.startswith("pass") or stem in _PASSWORD or "secret" in name or stem in ("credential",)
    )
    weak = stem in ("key", "access", "private", "login", "license", "auth", "pat", "sig")
    before = lower[max(0, start - 24) : start]
    if weak and _WEAK_BEFORE.search(before):
        return None
    if _NOT_A_HOLDER.search(text[hit.end() : at]) and not stem.startswith("密"):
        return None
    operator = _OPERATOR.match(text, at)
    if operator and stem != "login":
        found = _value(text, operator, strong=strong, weak=weak, query=before[-24:])
        if found:
            return (*found, _label(stem, name))
    return _near(text, at, weak=weak, label=_label(stem, name))


def _starts(text: str, at: int) -> bool:
    """Whether a name begins here, by a boundary or by camel case."""
    if at == 0:
        return True
    before = text[at - 1]
    return not before.isalpha() or (before.islower() and text[at].isupper()) or before.isupper()


def _label(stem: str, name: str) -> str:
    if stem.startswith("pass") or stem in _PASSWORD:
        return "password"
    for word in ("secret", "token", "credential"):
        if word in name:
            return word
    return "key"


def _value(
    text: str, operator: re.Match[str], *, strong: bool, weak: bool, query: str
) -> tuple[int, int] | None:
    at = operator.end()
    quoted = _QUOTED.match(text, at)
    if quoted and quoted.lastindex:
        start, end = quoted.span(quoted.lastindex)
        value = text[start:end]
        if _quoted_secret(value, strong=strong, weak=weak):
            return start, end
        return None
    bare = _BARE.match(text, at)
    if not bare:
        return None
    value = bare.group()
    if "&" in value and ("?" in query or "&" in query):
        value = value[: value.index("&")]
    value = value.rstrip(".:!?") if value.endswith((".", ":")) else value
    while (
        value
        and value[-1] in ")]}>"
        and value.count(value[-1]) > value.count("([{<"[")]}>".index(value[-1])])
    ):
        value = value[:-1]
    value = value.removesuffix("\\n").removesuffix("\\")
    newline = "\n" in operator.group()
    spaced = (
        operator.group("op").strip() in ("=", "==")
        and operator.group("op") != operator.group("op").strip()
    )
    if _bare_secret(text, at, value, strong=strong, weak=weak, spaced=spaced or newline):
        return at, at + len(value)
    return None


def _quoted_secret(value: str, *, strong: bool, weak: bool) -> bool:
    if (
        len(value) < (4 if strong else 8)
        or values.is_placeholder(value)
        or values.is_stop_word(value)
    ):
        return False
    if values.is_place(value):
        return False
    if strong and not weak:
        if " " in value:
            return not re.search(
                r"^[A-Z]|[.!?:]$|password|secret|token|\b(?:the|your|must|is|enter|please|for|to|not|a)\b",
                value,
            )
        words = values.is_wordy(value) and not re.search(r"[0-9@$!^&*]", value)
        return not (
            words
            and re.search(
                r"[-_./ #](?:passw|secret|token|key)|(?:passw\w*|secrets?|token|key)[-_./ ]",
                value.lower(),
            )
        )
    if " " in value:
        return False
    if values.is_random(value, 8):
        return True
    return (
        any(c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
        and len(value) >= 14
        and not values.is_wordy(value)
    )


def _bare_secret(text: str, at: int, value: str, *, strong: bool, weak: bool, spaced: bool) -> bool:
    if len(value) < (4 if strong else 8) or values.is_placeholder(value) or values.is_code(value):
        return False
    if values.is_stop_word(value) or values.is_place(value):
        return False
    if values.is_name(value):
        if strong and not weak:
            digits = any(map(str.isdigit, value))
            last = text[at + len(value) : at + len(value) + 1] in ("", "\n", "\r", " ")
            if digits and not spaced:
                return not values.is_wordy(value) or "_" not in value
            return (
                not spaced
                and last
                and len(value) >= 6
                and value.islower()
                and "_" not in value
                and text[at + len(value) :].split("\n", 1)[0].strip()[:1] in ("", "#")
            ) or values.is_random(value, 12)
        return (
            (values.is_random(value, 12)
            and any(map(str.isdigit, value)))
            or (len(value) >= 20 and not values.is_wordy(value))
        )
    if strong and not weak:
        return True
    return values.is_random(value, 8)


def _near(text: str, at: int, *, weak: bool, label: str) -> Span | None:
    for _ in range(4):
        gap = _GAP.match(text, at)
        if not gap:
            if text[at : at + 1] != "_":
                return None
            at += 1
        else:
            at = gap.end()
        filler = _FILLER.match(text, at)
        if not filler:
            break
        at = filler.end()
    match = _RANDOM.match(text, at)
    if not match:
        return None
    value = match.group().rstrip(".!&*=@|")
    if values.is_placeholder(value) or values.is_place(value) or values.is_code(value):
        return None
    if not any(map(str.isdigit, value)) or not values.is_random(value, 14):
        return None
    return at, at + len(value), label
