"""Characters that are not what they seem: some do not show, others look like letters and marks of
ASCII. Pure, and light: the frame around memory is defended with it."""

from __future__ import annotations

from jmem.retrieval.patterns import LazyPattern

TAGS = "hides text in Unicode tags"
BIDI = "hides its order behind bidirectional controls"
ZERO_WIDTH = "hides characters of no width"
SELECTORS = "hides bytes in variation selectors"

_ANY = LazyPattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_FLAG = LazyPattern("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{1,6}\U000e007f")
_TAG = LazyPattern("[\U000e0000-\U000e007f]")
_ORDERING = LazyPattern("[\u202a-\u202e\u2066-\u2069]")
_MARK = LazyPattern("[\u200e\u200f\u061c]")
_RTL = LazyPattern("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_JOINER = LazyPattern("[\u200c\u200d]")
_JOINED = LazyPattern(
    "(?<=[\u0600-\u08ff\u0900-\u0dff\u0e00-\u109f\u1780-\u17ff])[\u200c\u200d]"
    "|(?<=[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff])\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])"
)
_INVISIBLE = LazyPattern(
    "[\u034f\u115f\u1160\u180b-\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164\uffa0\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0080-\U000e00ff\U000e01f0-\U000e0fff]"
)
_SMUGGLED = LazyPattern("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2}")
_SOFT_HYPHENS = LazyPattern("\u00ad(?:[^\n]{0,3}\u00ad){2}")

_LOOK_ALIKES = {
    **{0xFEE0 + code: code for code in range(0x21, 0x7F)},
    **str.maketrans(
        "абсдезһіјкӏмнопԛрѕтцѵԝхуүАВСЕНІЈКМОРЅТХУαβγεηικνορστυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧɡıłøđ",
        "abcdeehijklmhonqpstuvwxyyABCEHIJKMOPSTXYabyenikvopotuxABEZHIKMNOPTYXgilod",
    ),
    **str.maketrans("\u2039\u2329\u3008\u276e\u02c2\ufe64\u1438", "<<<<<<<"),
    **str.maketrans("\u203a\u232a\u3009\u276f\u02c3\ufe65\u1433", ">>>>>>>"),
    **str.maketrans("\u2044\u2215\u29f8\u2571\u3033", "/////"),
    **str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\u30fc", "--------"),
}


def why(text: str) -> str:
    """What the text hides; empty where it hides nothing.

    The joiners of emoji, of Persian and of Indic scripts, the flags of countries' parts, and the
    marks that right-to-left text needs are no secrets.
    """
    if text.isascii() or not _ANY().search(text):
        return ""
    text = _FLAG().sub("", text)
    if _TAG().search(text):
        return TAGS
    if _ORDERING().search(text) or (_MARK().search(text) and not _RTL().search(text)):
        return BIDI
    if _SMUGGLED().search(text):
        return SELECTORS
    unjoined = _JOINED().sub("", text)
    for pattern in (_JOINER, _INVISIBLE, _SOFT_HYPHENS):
        if pattern().search(unjoined):
            return ZERO_WIDTH
    return ""


def removed(text: str) -> str:
    """The text without any character that does not show."""
    return text if text.isascii() else _ANY().sub("", text)


def plain_letters(text: str) -> str:
    """The text with look-alikes of ASCII as ASCII, character by character: its length stays."""
    return text if text.isascii() else text.translate(_LOOK_ALIKES)


def named(text: str) -> str:
    """The text with each character that does not show as its number, ``⟨U+200B⟩``, where it hides
    anything by them."""
    if not why(text):
        return text
    return "".join(char if removed(char) else number(char) for char in text)


def number(char: str) -> str:
    """What stands in the place of a character that does not show."""
    return f"⟨U+{ord(char):04X}⟩"
