"""The words that a rule found, made into one sentence that stands alone."""

from __future__ import annotations

import re
from datetime import datetime

from pipelines.phase1.dates import absolute
from pipelines.phase1.finding import Finding

MAX_STATEMENT = 300
_I_DO = re.compile(
    r"^i (?:(really|strongly|generally|usually|much|only|no longer) )?"
    r"(prefer|hate|dislike|like|love|use|work|develop|want|need|own|maintain|am|do|can'?t)\b",
    re.IGNORECASE,
)
_IRREGULAR = {"am": "is", "do": "does", "can't": "can't", "cant": "can't"}
_LETS = re.compile(r"^let's (?=\w)", re.IGNORECASE)
_I_AM = re.compile(r"^i'm\b", re.IGNORECASE)
_MY = re.compile(r"\bmy\b", re.IGNORECASE)
_ME = re.compile(r"\bme\b", re.IGNORECASE)
_STILL_I = re.compile(r"\b(?:i|i'm|i'd|i've|i'll|mine|myself)\b", re.IGNORECASE)
_TAIL = re.compile(
    r"[\s,;:]*(?:please|pls|thanks?|thank you|ok(?:ay)?|谢谢|好吗|拜托)?[\s.!。！,，;；:：]*$",
    re.IGNORECASE,
)
_EMOJI = re.compile(r"[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F]")
_HAN = re.compile(r"[\u4e00-\u9fff]")


def stated(finding: Finding, moment: datetime | None) -> str:
    """The sentence, or nothing when it cannot be made to stand alone within the limit."""
    text = _TAIL.sub("", _EMOJI.sub("", finding.text)).strip(" \t-–—")
    text = absolute(text, moment)
    if not text or not _balanced(text):
        return ""
    chinese = bool(_HAN.search(text))
    text = _third_person_zh(text) if chinese else _third_person(text)
    text = text[0].upper() + text[1:]
    if text[-1] not in ".!。！":
        text += "。" if chinese else "."
    return text if len(text) <= MAX_STATEMENT else ""


def _third_person(text: str) -> str:
    """ "I prefer" as "The user prefers": a later reader is not told who "I" is."""

    def verb(found: re.Match[str]) -> str:
        adverb = f"{found[1]} " if found[1] else ""
        word = found[2].lower()
        return f"The user {adverb}{_IRREGULAR.get(word, word + 's')}"

    text = _I_AM.sub("The user is", _LETS.sub("", text))
    told = _ME.sub("the user", _MY.sub("the user's", _I_DO.sub(verb, text)))
    return f'The user said: "{text}"' if _STILL_I.search(told) else told


def _third_person_zh(text: str) -> str:
    return re.sub(r"^我(?!们)", "用户", text)


def _balanced(text: str) -> bool:
    """Whether brackets and code marks close: half of a pair means half of a sentence."""
    pairs = (("(", ")"), ("[", "]"), ("{", "}"), ("（", "）"), ("“", "”"))
    return text.count("`") % 2 == 0 and all(text.count(a) == text.count(b) for a, b in pairs)
