"""Whether a new statement changes what an old one says: another value, or the reverse."""

from __future__ import annotations

import re

from jmem.retrieval.patterns import LazyPattern
from jmem.retrieval.tokens import folded
from pipelines.rules.diff import Diff, Slot
from pipelines.rules.labels import Label
from pipelines.rules.slots import (
    is_change,
    is_sure,
    of_one_sort,
    same_attribute,
    same_command,
    words,
)
from pipelines.rules.statement import Statement, tells, total
from pipelines.rules.values import COUNTS, Kind, Token, scan
from pipelines.rules.vocabulary import opposite

_FRAME = 0.6
"""What surrounds a changed value must agree this far for both to be about the same thing."""
_FRAME_IF_SAID = 0.4
"""The same where the new statement itself says that something changed."""
_FRAME_IF_LINKED = 0.15
"""The same where both begin with the same link: lines of an index on one text."""
_FLIP = 0.5
"""Both must share this much for a denial in one to deny what the other says."""
_EDIT = 0.8
"""From here on the new statement is an edit of the old one, and what it leaves out is gone."""
_CODE_EDIT = 0.5
"""The same for a command, where nothing is left out for brevity."""
_RUN = 6
"""So many content words in the same order are no coincidence in a text twice as long."""
_SHORTER = 0.7
"""Under this share of the old length, a statement under the same label sums it up."""

_SAYS = LazyPattern(
    r"\bnow\b|\bno longer\b|\bany ?more\b|\binstead\b|\b(?:moved|switched|migrated|changed|renamed"
    r"|replaced|bumped|upgraded|downgraded|raised|lowered|increased|reduced|pushed back|escalated"
    r"|postponed|dropped|retired|new)\b|\bas of\b|\bfrom now on\b|\bcorrection\b|\bactually\b"
    r"|改为|改成|改用|换成|换到|迁移|搬到|升级|不再|现在|现已|变成|更正",
    re.IGNORECASE,
)
_SOFT = frozenset({Kind.DATE, Kind.REFERENCE})
"""Values that say when or on what occasion; leaving one out changes nothing."""
_VALUE_PARTS = LazyPattern(r"[\w.-]*\w")


_FROM = LazyPattern(
    r"\b(?:from|instead of|rather than|replac(?:e|es|ed|ing)|away from|off)\s+(?:the\s+)?"
    r"(?P<old>[^\s,;.]+(?:\s[^\s,;.]+)?)"
    r"|(?:不再(?:使?用|是)?|从|而不是|替换)\s*(?P<alt>[^\s，。；,;改换到]+)",
    re.IGNORECASE,
)
_FRAME_IF_NAMED = 0.5
"""The share of the old statement that one which names its value must speak of."""


def says_change(d: Diff) -> bool:
    """Whether the new statement, and only it, says that something is not as it was."""
    return bool(_SAYS().search(d.new.text)) and not _SAYS().search(d.old.text)


def change_of(
    d: Diff, covers_old: float, covers_new: float, label: Label
) -> tuple[str, str] | None:
    """What changed from what to what, or None."""
    enough = _FRAME
    if label is Label.LINK:
        enough = _FRAME_IF_LINKED
    elif label is not Label.NONE or says_change(d):
        enough = _FRAME_IF_SAID
    lower = min(covers_old, covers_new)
    shorter = label is Label.LINK and sums_up(d)
    flipped = "" if shorter and _both_deny(d) else _flipped(d)
    if flipped and max(covers_old, covers_new) >= _FRAME and lower >= min(enough, _FLIP):
        return words(d.gone) or flipped, words(d.come) or f"the reverse of “{flipped}”"
    if shorter:
        return None
    reworded = any(tells(t) and not t.code for t in d.gone)
    if same_command(d) and reworded:
        return words([t for t in d.old.content if t.code]), words(
            [t for t in d.new.content if t.code]
        )
    if label is Label.VALUE and d.slots:
        return words(d.slots[0].old[:1]), words(d.slots[0].new[:1])
    if d.slots and same_attribute(d):
        return words(d.slots[-1].old), words(d.slots[-1].new)
    pairs = [slot for slot in d.slots if is_change(slot)]
    if pairs and _frame(d, pairs) >= enough and (label is Label.LINK or _agree(d, pairs)):
        return words(pairs[0].old), words(pairs[0].new)
    old_value = _named_old(d)
    if old_value and covers_old >= _FRAME_IF_NAMED:
        return old_value, words(d.come)
    named = frozenset() if d.new.label else frozenset(d.old.label)  # a heading left out
    gone = [token for token in d.gone if token.is_value and token.key not in named]
    come = [token for token in d.come if token.is_value]
    if gone and come and (lower >= enough or _edited(d)) and of_one_sort(gone, come):
        return words(gone), words(come)
    return _left_out(d, gone, lower)


def _edited(d: Diff) -> bool:
    """Whether a stretch is word for word the same, as only an edited copy has it."""
    if "\n" in d.old.text.strip():
        return False
    return d.run >= _RUN and min(len(d.old.content), len(d.new.content)) > _RUN * 2


def _named_old(d: Diff) -> str:
    """The old value, when the new statement names it as the one that is replaced."""
    shared = {token.key: token for token in d.shared if tells(token)}
    if len(shared) < 2 or len(d.new.content) > 3 * len(d.old.content) or not says_change(d):
        return ""
    for match in _FROM().finditer(d.new.text):
        for token in scan(match["old"] or match["alt"]):
            if token.key in shared:
                return token.surface
    return ""


def sums_up(d: Diff) -> bool:
    """Whether the new statement is a shorter form of the old one, with no value of its own."""
    if len(d.new.content) > _SHORTER * len(d.old.content):
        return False
    known = folded(d.old.text)
    return all(
        part in known
        for token in d.come
        if token.is_value
        for part in _VALUE_PARTS().findall(token.word)
    )


def _both_deny(d: Diff) -> bool:
    return _denials(d.old) > 0 and _denials(d.new) > 0


def _left_out(d: Diff, gone: list[Token], lower: float) -> tuple[str, str] | None:
    """An edit that drops a value; a shorter wording alone is not one."""
    from_code = [token for token in gone if token.code]
    other_sort = any(t.is_value for t in d.come) and not of_one_sort(from_code, d.come)
    if from_code and not other_sort and lower >= _CODE_EDIT and _mostly(from_code, d.gone):
        return words(from_code), words(d.come) or "without it"
    hard = [token for token in gone if token.kind not in _SOFT]
    if d.come and hard and lower >= _EDIT - 0.1:
        return words(hard), words(d.come)
    named = [token for token in hard if token.kind not in COUNTS]
    if named and lower >= _EDIT:
        return words(named), "without it"
    return None


def _mostly(part: list[Token], whole: tuple[Token, ...]) -> bool:
    return 2 * len(part) >= len(whole)


def _flipped(d: Diff) -> str:
    """A shared word that one side negates and the other does not, or one set to its opposite.

    With as many denials on both sides, ``never X`` and ``X is not allowed`` look like a flip
    of X; there it takes one in each direction.
    """
    lost = [t for t in d.shared if _only(t, d.old, d.new)]
    won = [t for t in d.shared if _only(t, d.new, d.old)]
    if (lost and won) or ((lost or won) and _denials(d.old) != _denials(d.new)):
        return (lost or won)[0].surface
    for slot in d.slots:
        for left in slot.old:
            for right in slot.new:
                if opposite(left.key, right.key) or opposite(left.word, right.word):
                    return left.surface
    return ""


def _only(token: Token, here: Statement, there: Statement) -> bool:
    if not tells(token) or token.key not in here.negated:
        return False
    return token.key not in there.near_negation


def _denials(side: Statement) -> int:
    return sum(token.kind is Kind.NEGATION for token in side.content)


def _agree(d: Diff, pairs: list[Slot]) -> bool:
    """Whether the rest says that both are about one thing: two words, or all there are."""
    if sum(map(tells, d.shared)) > 1:
        return True
    inside = {id(token) for slot in pairs for token in slot.old}
    all_shared = not any(tells(token) and id(token) not in inside for token in d.gone)
    return all_shared and all(map(is_sure, pairs))


def _frame(d: Diff, pairs: list[Slot]) -> float:
    """How far the statements agree outside the slots that changed."""
    inside_old = {id(token) for slot in pairs for token in slot.old}
    inside_new = {id(token) for slot in pairs for token in slot.new}
    shared = total(d.shared)
    gone = total([token for token in d.gone if id(token) not in inside_old])
    come = total([token for token in d.come if id(token) not in inside_new])
    return min(shared / (shared + gone), shared / (shared + come))
