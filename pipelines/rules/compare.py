"""How a new statement relates to one that is known.

The test for a contradiction comes before the test for a duplicate: statements that differ in a
value or a negation are never the same, however many words they share. Statements about two
different things of one sort (two services, two environments) are different, however alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pipelines.rules.change import change_of, says_change, sums_up
from pipelines.rules.diff import Diff, diff
from pipelines.rules.facts import Facts, Tie, facts
from pipelines.rules.labels import Label, label_of, two_labels
from pipelines.rules.members import two_members
from pipelines.rules.replacement import adds, announces, replacement, says_more
from pipelines.rules.scope import LONG, SHORT, other_subject
from pipelines.rules.slots import same_command, two_commands, words
from pipelines.rules.statement import statement, tells, total
from pipelines.rules.things import another_side, names_two, two_things
from pipelines.rules.values import Kind


class Relation(StrEnum):
    """What the new statement is to the old one."""

    SAME = "same"
    REFINES = "refines"
    CONTAINED = "contained"
    SUPERSEDES = "supersedes"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A relation, how alike the statements are (0 to 1), and what changed from what to what."""

    relation: Relation
    score: float
    before: str = ""
    after: str = ""


DIFFERENT = Comparison(Relation.DIFFERENT, 0.0)
SAME_FROM = 0.8
"""Both cover this share of each other's words: the same statement in other words."""
_EXTENDED_FROM = 0.3
"""A statement that holds all of another one extends it, unless it is about much more."""
"""Longer statements that share half of their words are two wordings, and both are kept."""
_LABELLED = 0.5
"""A common label alone makes two statements this much alike."""
_ANNOUNCED = 0.6
"""A statement that says itself what it replaces is at least this close to it."""
_LOOSE = 0.6
"""Statements that agree less than this may have no more than a thing in common."""
COVERED_FROM = 0.75
"""One covers this share of the other: it says all of it."""


def compare(old: str, new: str) -> Comparison:
    """The relation of the new text to the old one."""
    left, right = statement(old), statement(new)
    if not _touch(left.keys, right.keys) or two_members(old, new):
        return DIFFERENT
    return relate(diff(left, right))


def at_a_glance(old: str, new: str) -> Comparison:
    """The relation of the new text to the old one as far as thing, attribute and value tell it;
    what is no change and no repetition is ``DIFFERENT``. It costs no alignment."""
    found = facts(old, new)
    if found.tie not in (Tie.SAME, Tie.OTHER_VALUE, Tie.MAY_BE):
        return DIFFERENT
    if says_more(old, new) or two_members(old, new):
        return DIFFERENT
    return _told(found, new, 0.0) or DIFFERENT


def _touch(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """A cheap test that spares the alignment of statements with next to nothing in common."""
    shared = len(set(left) & set(right))
    return shared * 6 >= min(len(set(left)), len(set(right))) > 0


def relate(d: Diff) -> Comparison:
    """The relation that an alignment shows."""
    if not any(map(tells, d.shared)) or (len(d.old.content) < 2 and d.old.keys != d.new.keys):
        return DIFFERENT
    shared = total(d.shared)
    covers_old = shared / (shared + total(d.gone))
    covers_new = shared / (shared + total(d.come))
    score = 2 * covers_old * covers_new / (covers_old + covers_new)
    label = label_of(d)
    more = len(d.new.content) <= LONG and adds(d)
    found = facts(d.old.text, d.new.text)
    if _apart(found, d, label):
        return Comparison(Relation.DIFFERENT, score)
    told = None if more or label is Label.LINK else _told(found, d.new.text, score)
    if told is not None:
        return told
    if two_commands(d) or (two_labels(d.old, d.new) and not says_change(d)):
        return Comparison(Relation.DIFFERENT, score)
    announced = None if more or found.tie is Tie.SAME else replacement(d)
    if announced:
        return Comparison(Relation.SUPERSEDES, max(score, _ANNOUNCED), *announced)
    if other_subject(d, label) or (label is Label.NONE and _plainly_two(d)):
        return Comparison(Relation.DIFFERENT, score)
    change = None
    if not more and found.tie is not Tie.SAME:
        change = change_of(d, covers_old, covers_new, label)
    if change and label is Label.NONE and score < _LOOSE and another_side(d):
        return Comparison(Relation.DIFFERENT, score)
    if change:
        least = 0.0 if label is Label.NONE else _LABELLED
        return Comparison(Relation.SUPERSEDES, max(score, least), *change)
    likeness = _likeness(d, covers_old, covers_new, label)
    if likeness is Relation.SUPERSEDES:
        return Comparison(likeness, score, words(d.gone), words(d.come))
    covered = {Relation.REFINES: covers_old, Relation.CONTAINED: covers_new}
    return Comparison(likeness, max(score, covered.get(likeness, 0.0)))


def _apart(found: Facts, d: Diff, label: Label) -> bool:
    """Whether the two are plainly about two things, or two sides of one. Under a common label, or
    where both quote parts of one command, the words around say less."""
    if label is not Label.NONE:
        return False
    quoted = sum(token.code for token in d.shared) > 1
    if found.tie is Tie.OTHER_THING:
        return not quoted or names_two(d)
    return found.tie is Tie.APART and not quoted and not same_command(d)


def _told(found: Facts, new: str, score: float) -> Comparison | None:
    """The relation where thing, attribute and value of both sides are known."""
    if found.tie is Tie.SAME and not found.fresh:
        return Comparison(Relation.SAME, max(score, SAME_FROM))
    if found.tie is Tie.OTHER_VALUE:
        changes = not found.many or found.named or announces(new)
    else:
        usual = found.usual and announces(new)
        changes = found.tie is Tie.MAY_BE and (found.named or usual)
    if not changes:
        return None
    least = SAME_FROM if found.tie is Tie.OTHER_VALUE else _ANNOUNCED
    return Comparison(Relation.SUPERSEDES, max(score, least), found.before, found.after)


def _plainly_two(d: Diff) -> bool:
    """Whether two short sentences name two things; where code is quoted, each with an article."""
    if max(len(d.old.content), len(d.new.content)) > SHORT:
        return False
    if any(token.code for token in (*d.old.content, *d.new.content)):
        return names_two(d)
    return two_things(d)


def _other_name(d: Diff) -> bool:
    """Whether a name that only the new one has stands for a word that only the old one has."""
    return any(t.kind is Kind.NAME for t in d.come) and any(map(tells, d.gone))


def _likeness(d: Diff, covers_old: float, covers_new: float, label: Label) -> Relation:
    """How alike two statements are of which neither changes a value of the other."""
    keeps = not any(token.is_value for token in d.gone)
    brings = any(token.is_value for token in d.come) or _other_name(d)
    if label is Label.LINK and sums_up(d):
        return Relation.CONTAINED
    if not any(map(tells, d.gone)) and any(map(tells, d.come)) and covers_new >= _EXTENDED_FROM:
        return Relation.REFINES
    if min(covers_old, covers_new) >= SAME_FROM and keeps and not brings:
        return Relation.SAME
    says_more = covers_old >= COVERED_FROM and keeps
    says_less = covers_new >= COVERED_FROM and not brings
    if says_more and (covers_old >= covers_new or not says_less):
        return Relation.REFINES
    if says_less:
        return Relation.CONTAINED
    if label is Label.LINK:
        return Relation.SUPERSEDES
    return Relation.DIFFERENT
