"""Light English stemming and the words that carry no meaning of their own."""

from __future__ import annotations

from functools import lru_cache

_STEM_FROM = 4
"""Words shorter than this are left alone: their endings are part of them."""

_VOWELS = frozenset("aeiouy")
_SUFFIXES = (
    ("ations", ""),
    ("ation", ""),
    ("ments", ""),
    ("ment", ""),
    ("ating", ""),
    ("ated", ""),
    ("ates", ""),
    ("ate", ""),
    ("ings", ""),
    ("ing", ""),
    ("ied", "y"),
    ("ies", "y"),
    ("ed", ""),
    ("es", ""),
    ("ly", ""),
    ("s", ""),
)

_BASE = {"ly": 4}
"""How much must be left: three characters, more where the ending is often part of the word."""

STOP_WORDS = frozenset(
    """
    a an the this that these those there here it its he she they them their we us our you your i
    me my mine is are was were be been being am do does did doing done have has had having will
    would shall should can could may might must of in on at by for with to from into onto about as
    and or but nor so than then too very just also only any some such each every both either
    if when while where which who whom whose what how why because since until during not no never
    don't doesn't didn't isn't aren't wasn't can't cannot won't shouldn't mustn't i'm it's that's
    let's we're you're please up out off over under again further once via per etc e.g i.e vs
    的 了 是 在 我 你 他 她 它 们 和 与 或 及 也 就 都 而 着 把 被 让 给 对
    从 到 用 要 会 能 可 请 吗 呢 吧 啊 这 那 个 之 其 以 于 为 不 没 别
    我们 你们 他们 这个 那个 一个 可以 需要 应该 必须 因为 所以 如果 但是
    """.split()  # noqa: SIM905 - a table of words reads better as text
)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The word without its English ending, so that ``deploys`` and ``deployed`` meet.

    The result is a key, not a word; a word that is not lower-case ASCII is returned as it is.
    """
    if len(word) < _STEM_FROM or not (word.isascii() and word.isalpha()) or word.endswith("ss"):
        return word
    for suffix, replacement in _SUFFIXES:
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            if len(base) >= _BASE.get(suffix, 3) and not _VOWELS.isdisjoint(base):
                return _settle(base + replacement)
    return _settle(word)


def _settle(base: str) -> str:
    """The base with a doubled last consonant halved and a final e or y made uniform."""
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "aeiouls":
        return base[:-1]
    if len(base) > 3 and base.endswith("e"):
        return base[:-1]
    if len(base) > 3 and base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "i"
    return base
