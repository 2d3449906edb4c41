"""Secrets that stand near a telling word, but not behind an operator."""

from __future__ import annotations

import re

from jmem.redact import values
from jmem.redact.literals import STRONG, bare, is_quoted_secret, quoted, trimmed
from jmem.redact.patterns import lazy

_SAID = lazy(
    r"(?:[ ](?:for|of|to|on|in|at)[ ][^\n\"'=:\0]{1,40}?)?"
    r"(?:[ ](?:(?:(?:was|is|has been) )?(?:set|changed|reset) to|is|are|was|should be|equals)"
    r"(?:[ ]|:\s{0,3})(?:now )?|:[ ](?=[^\s]{5,64}\s{0,2}$))",
    re.MULTILINE,
)
_ORDER = lazy(r"\b(?:set|sets|change|changed|reset|rotate|rotated|update|updated)[ ][a-z ]{0,20}$")
_TO = lazy(r"[ ]to[ ]")
_CELL = lazy(r"[ ]{0,20}\|[ ]{1,20}|\t{1,4}")
_ELEMENT = lazy(r"(?:[\"'][^<>\n\0]{0,40})?>([^<>\s]{4,400}+)</")
_AS = lazy(
    r"(?:^|[\s\"'`(])([^\s\"'`()]{5,64})[\"'`]?[ ](?:as|is)[ ]"
    r"(?:the|my|our|its|a)[ ](?:[a-z]{2,12}[ ])?$"
)
_FAR = lazy(r"[ ][A-Za-z ]{2,60}+[:=]\s{1,4}(?=[A-Za-z0-9])")
_DIGEST = lazy(r"commit|sha|hash|digest|revision")
_COMPARED = lazy(r"\"([^\"\n]{8,200})\"\s{0,3}[!=]==?\s{0,3}[\w.]{0,40}$")
_GAP = lazy(r"[\s\"'`:=,.>()\[\]{}|\\_-]{1,12}")
_FILLER = lazy(
    r"(?:is|was|value|default|key|token|secret|id|api|access|private|code|params|to|for|as|the|we|you|use|used)\b",
    re.IGNORECASE,
)
_RANDOM = lazy(r"[A-Za-z0-9+/=_.~%!@^&*$|-]{8,256}+")
_RANDOM_REST = lazy(r"[A-Za-z0-9+/=_.~%!@^&*$|-]*+")

Place = tuple[int, int]


def is_order(before: str) -> bool:
    """Whether the words in front of the name set it to something."""
    return bool(_ORDER.search(before))


def element(text: str, at: int, strength: int) -> Place | None:
    """The content of an XML element that has the name."""
    match = _ELEMENT.match(text, at)
    if not match or match.group(1)[0] in "{$%" or not is_quoted_secret(match.group(1), strength):
        return None
    return match.span(1)


def introduced(text: str, at: int) -> Place | None:
    """A password in front of its name: ``use ... as the password``."""
    start = max(0, at - 100)
    match = _AS.search(text[start:at]) if text[at - 1 : at] == " " else None
    if match and is_password(match.group(1)):
        return start + match.start(1), start + match.end(1)
    return None


def in_prose(text: str, at: int, *, flag: bool, told: bool = False) -> Place | None:
    """A password in a sentence (``the password is ...``), behind a flag, or quoted by itself.

    ``told``: the sentence sets it to something.
    """
    said = _SAID.match(text, at)
    weakly = None if said else (_TO if told else _CELL).match(text, at)
    said = said or weakly
    start = said.end() if said else at
    if not said:
        while start < at + 3 and text[start : start + 1] in (" ", "("):
            start += 1
        if start == at:
            return None
    inside = quoted(text, start)
    if inside:
        value = text[inside[0] : inside[1]]
        fits = " " not in value and is_quoted_secret(value, STRONG)
        sure = said or values.mixed(value) or values.has_symbols(value, 2)
        if weakly and not is_password(value):
            return None
        if value in text[at:start]:
            return None  # the word that the sentence has for it: the demo account's is "demo"
        return inside if fits and sure else None
    whole = trimmed(bare(text, start))
    if "=" in whole.rstrip("=") and not said:
        return None
    value = whole.rstrip(".,!?)")
    if is_password(value) and (
        said or flag or (len(value) >= 8 and values.has_symbols(whole[: values.LOOK], 1))
    ):
        return start, start + len(value if said else whole)
    return _further(text, at)


def is_password(value: str) -> bool:
    """Whether a word in a sentence can only be a password: letters and digits, not a term."""
    if len(value) < 5 or not values.mixed(value) or value[0].isdigit():
        return False
    if values.is_placeholder(value) or values.is_code(value) or values.is_stop_word(value):
        return False
    return not (
        values.is_place(value) or (("-" in value or "_" in value) and values.is_wordy(value))
    )


def _further(text: str, at: int) -> Place | None:
    far = _FAR.match(text, at)
    if not far or _DIGEST.search(far.group()):
        return None
    found = _RANDOM.match(text, far.end())
    return found.span() if found and values.is_random(found.group(), 16) else None


def behind(text: str, at: int) -> Place | None:
    """A literal that is compared with the name: ``"..." == password``."""
    start = max(0, at - 48)
    if "==" not in text[start:at] and "!=" not in text[start:at]:
        return None
    start = max(0, at - 260)
    match = _COMPARED.search(text[start:at])
    if match and is_quoted_secret(match.group(1), STRONG):
        return start + match.start(1), start + match.end(1)
    return None


def close(text: str, at: int) -> Place | None:
    """A value drawn by a machine, a few separators and filler words behind the name."""
    for _ in range(4):
        gap = _GAP.match(text, at)
        if not gap:
            return None
        at = gap.end()
        filler = _FILLER.match(text, at)
        if not filler:
            break
        at = filler.end()
    match = _RANDOM.match(text, at)
    if not match:
        return None
    value = match.group().rstrip(".!&*@|")
    if values.is_placeholder(value) or values.is_place(value) or values.is_code(value):
        return None
    if not values.is_random(value, 14) or values.is_dotted_name(value):
        return None
    if match.end() - at < 256:
        return at, at + len(value)
    rest = _RANDOM_REST.match(text, match.end())
    return at, rest.end() if rest else match.end()
