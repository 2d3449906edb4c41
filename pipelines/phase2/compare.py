"""How a new statement relates to one that is known.

The test for a contradiction comes before the test for a duplicate: statements that differ in a
value or a negation are never the same, however many words they share.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from pipelines.phase2.diff import Diff, Slot, Statement, diff, statement, total, weight
from pipelines.phase2.values import Kind, Token
from pipelines.phase2.vocabulary import IDENTITY_NOUNS, SCOPES, WEAK, opposite, same_class


class Relation(StrEnum):
    """What the new statement is to the old one."""

    SAME = "same"
    REFINES = "refines"
    CONTAINED = "contained"
    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A relation, how alike the statements are (0 to 1), and what changed from what to what."""

    relation: Relation
    score: float
    before: str = ""
    after: str = ""


SAME_FROM = 0.8
"""Both cover this share of each other's words: the same statement in other words."""
COVERED_FROM = 0.75
"""One covers this share of the other: it says all of it."""
FRAME_FROM = 0.6
"""What surrounds a changed value must agree this far for both to be about the same thing."""
CHANGE_FRAME_FROM = 0.4
"""The same where the new statement itself says that something changed."""
EDIT_FROM = 0.85
"""From here on the new statement is an edit of the old one, and what it leaves out is gone."""
LONG = 24
"""Content words from which a statement is a paragraph: a single word no longer tells its scope."""

_CHANGE = re.compile(
    r"\bnow\b|\bno longer\b|\bany ?more\b|\binstead\b|\b(?:moved|switched|migrated|changed|renamed"
    r"|replaced|bumped|upgraded|downgraded|raised|lowered|increased|reduced|pushed back|escalated"
    r"|postponed|dropped|retired)\b|\bas of\b|\bfrom now on\b|\bcorrection\b|\bactually\b"
    r"|改为|改成|改用|换成|换到|迁移|搬到|升级|不再|现在|现已|变成|更正",
    re.IGNORECASE,
)


def compare(old: str, new: str) -> Comparison:
    """The relation of the new text to the old one."""
    left, right = statement(old), statement(new)
    if not left.content or not right.content:
        return Comparison(Relation.DIFFERENT, 0.0)
    return _relate(diff(left, right))


def _relate(d: Diff) -> Comparison:
    shared = total(d.shared)
    if not any(_tells(token) for token in d.shared):
        return Comparison(Relation.DIFFERENT, 0.0)
    covers_old = shared / (shared + total(d.gone) or 1.0)
    covers_new = shared / (shared + total(d.come) or 1.0)
    score = 2 * covers_old * covers_new / (covers_old + covers_new or 1.0)
    change = _change(d, covers_old, covers_new)
    if change:
        return Comparison(Relation.SUPERSEDES, score, *change)
    if _other_scope(d):
        return Comparison(Relation.DIFFERENT, score)
    values_come = any(token.is_value for token in d.come)
    values_gone = any(token.is_value for token in d.gone)
    if covers_old >= SAME_FROM and covers_new >= SAME_FROM and not values_come and not values_gone:
        return Comparison(Relation.SAME, score)
    if covers_new >= COVERED_FROM and not values_come:
        return Comparison(Relation.CONTAINED, covers_new)
    if covers_old >= COVERED_FROM and not values_gone:
        return Comparison(Relation.REFINES, covers_old)
    return Comparison(Relation.DIFFERENT, score)


def _tells(token: Token) -> bool:
    return weight(token) > 0 and (token.is_value or token.key not in WEAK)


def _change(d: Diff, covers_old: float, covers_new: float) -> tuple[str, str] | None:
    """What changed from what to what, when the two are about the same thing."""
    says_so = bool(_CHANGE.search(d.new.text)) and not _CHANGE.search(d.old.text)
    enough = CHANGE_FRAME_FROM if says_so else FRAME_FROM
    if _other_scope(d):
        return None
    flipped = _flipped(d)
    if flipped and min(covers_old, covers_new) >= enough:
        return _words(d.gone) or flipped, _words(d.come) or f"not {flipped}"
    pairs = [slot for slot in d.slots if _is_change(slot)]
    if pairs and _frame(d, pairs) >= enough:
        slot = pairs[0]
        return _words(slot.old), _words(slot.new)
    if min(covers_old, covers_new) >= EDIT_FROM:
        dropped = tuple(token for token in d.gone if token.is_value)
        if dropped:
            return _words(dropped), _words(d.come) or "(left out)"
    return None


def _flipped(d: Diff) -> str:
    """A shared word that one side negates and the other does not."""
    for token in d.shared:
        if token.kind is Kind.NEGATION:
            continue
        if (token.key in d.old.negated) != (token.key in d.new.negated):
            return token.surface
    for slot in d.slots:
        for left in slot.old:
            for right in slot.new:
                if opposite(left.key, right.key) or opposite(left.word, right.word):
                    return left.surface
    return ""


def _is_change(slot: Slot) -> bool:
    """Whether the slot holds one value before and another one after."""
    old_values = [token for token in slot.old if token.is_value]
    new_values = [token for token in slot.new if token.is_value]
    if old_values and new_values:
        return True
    if any(same_class(left.word, right.word) for left in slot.old for right in slot.new):
        return True
    names = [token.kind is Kind.NAME for side in (slot.old, slot.new) for token in side]
    return len(names) <= 4 and all(names)


def _frame(d: Diff, pairs: list[Slot]) -> float:
    """How far the statements agree outside the slots that changed."""
    inside_old = {id(token) for slot in pairs for token in slot.old}
    inside_new = {id(token) for slot in pairs for token in slot.new}
    shared = total(d.shared)
    gone = total(tuple(token for token in d.gone if id(token) not in inside_old))
    come = total(tuple(token for token in d.come if id(token) not in inside_new))
    return min(shared / (shared + gone or 1.0), shared / (shared + come or 1.0))


def _other_scope(d: Diff) -> bool:
    """Whether the statements are about two different things of one sort."""
    for slot in d.slots:
        if _names_another(slot, d):
            return True
    if len(d.old.content) > LONG or len(d.new.content) > LONG:
        return False
    changed = any(_is_change(slot) for slot in d.slots)
    return changed and any(token.word in SCOPES and not token.code for token in (*d.gone, *d.come))


def _names_another(slot: Slot, d: Diff) -> bool:
    old_subject = slot.old_at < d.old.subject
    new_subject = slot.new_at < d.new.subject
    if old_subject and new_subject:
        if len(slot.old) == len(slot.new) == 1 and slot.old[0].kind in (Kind.NUMBER, Kind.VERSION):
            return _preceding(d.old, slot.old_at) in IDENTITY_NOUNS
        return any(_tells(token) for token in slot.old) and any(_tells(token) for token in slot.new)
    if any(token.kind is Kind.NUMBER for token in slot.old):
        return _preceding(d.old, slot.old_at) in IDENTITY_NOUNS
    return False


def _preceding(side: Statement, at: int) -> str:
    return side.content[at - 1].word if at else ""


def _words(tokens: tuple[Token, ...]) -> str:
    return " ".join(token.surface for token in tokens)[:80]
