"""What it means that two statements begin by naming the same thing.

A link names one text: lines that begin with it are editions of one another. A word before a
colon names a topic, under which many facts stand: it only counts when what follows agrees, or
is a number or version on both sides, so that the words name what has this value.
"""

from __future__ import annotations

from enum import StrEnum

from pipelines.rules.diff import Diff
from pipelines.rules.statement import Statement, total
from pipelines.rules.values import COUNTS
from pipelines.rules.vocabulary import SCOPES, WEAK


class Label(StrEnum):
    """How far the labels of two statements tie them together."""

    LINK = "link"
    VALUE = "value"
    SAME = "same"
    NONE = "none"


_BODY_FROM = 0.3
"""What follows a common label must agree this far for the statements to be editions."""


def label_of(d: Diff) -> Label:
    """The tie between the two statements of an alignment."""
    if d.old.linked and d.old.label == d.new.label:
        return Label.LINK
    if not same_label(d.old, d.new):
        return Label.NONE
    first = [side.content[len(side.label) :][:1] for side in (d.old, d.new)]
    if d.old.label == d.new.label and all(part and part[0].kind in COUNTS for part in first):
        return Label.VALUE
    named = set(d.old.label) | set(d.new.label)
    shared = total([token for token in d.shared if token.key not in named])
    gone, come = (
        total([token for token in part if token.key not in named]) for part in (d.gone, d.come)
    )
    agrees = shared > 0 and min(shared / (shared + gone), shared / (shared + come)) >= _BODY_FROM
    return Label.SAME if agrees else Label.NONE


def same_label(old: Statement, new: Statement) -> bool:
    """Whether both name the same thing, one perhaps more closely."""
    shorter, longer = sorted((set(old.label), set(new.label)), key=len)
    if shorter == longer:
        return bool(shorter)
    if shorter <= SCOPES | WEAK:
        return False
    return shorter <= longer and len(longer) <= 2 * len(shorter)


def two_labels(old: Statement, new: Statement) -> bool:
    """Whether the labels differ in one word, which the other statement does not have at all:
    ``Start all servers: …`` and ``Stop all servers: …``. Labels that differ in more are perhaps
    one label in other words."""
    if old.linked or new.linked or not set(old.label) & set(new.label):
        return False
    alone = [
        [token for token in side.content[: len(side.label)] if token.key not in other.label]
        for side, other in ((old, new), (new, old))
    ]
    return all(
        len(tokens) == 1 and not tokens[0].is_value and tokens[0].key not in other.keys
        for tokens, other in zip(alone, (new, old), strict=True)
    )
