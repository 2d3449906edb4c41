"""Whether two statements, however alike, are about two different things of one sort.

``The staging port is 5433`` and ``The prod port is 5432`` are both true. A wrong merge or
supersession takes a true fact from view, so in doubt the answer is yes.
"""

from __future__ import annotations

from jmem.retrieval.patterns import LazyPattern
from pipelines.rules.change import says_change
from pipelines.rules.diff import Diff, Slot
from pipelines.rules.labels import Label
from pipelines.rules.slots import by_means, is_change, same_attribute, same_command
from pipelines.rules.statement import Statement, in_scopes, tells
from pipelines.rules.values import Kind, Token
from pipelines.rules.vocabulary import IDENTITY_NOUNS, opposite, same_class

SHORT = 14
"""Up to here every word of a statement may be the one that tells its subject."""
LONG = 24
"""From here on a word that differs no longer tells the scope of the whole."""

_OF_WHICH = frozenset({"in", "for", "of"})
_SETTING = LazyPattern(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+|[a-z]+_[a-z0-9_]+|[a-z]+(?:\.[a-z_]+)+")


def other_subject(d: Diff, label: Label) -> bool:
    """Whether the two are about different things."""
    command = same_command(d)
    labelled = command or label in (Label.LINK, Label.SAME)
    slots = [slot for slot in d.slots if not labelled or (command and slot.old[0].code)]
    if any(_renames_subject(slot, d) for slot in slots):
        return True
    if not labelled and (_renumbers_subject(d) or _swaps_subject(d)):
        return True
    if label is not Label.LINK and other_latin_name(d):
        return True
    if d.old.is_code and d.new.is_code:
        return False
    longest = max(len(d.old.content), len(d.new.content))
    if longest > LONG or (labelled and _named_by_value(d)):
        return False
    if any(map(is_change, d.slots)) and any(map(in_scopes, (*d.gone, *d.come))):
        return True
    if any(_qualifies(slot, d) or _also_of_another(slot) for slot in d.slots):
        return True
    if longest > SHORT or labelled or says_change(d):
        return False
    if not min(d.old.subject, d.new.subject) and sum(map(is_change, d.slots)) > 1:
        return True
    if _other_setting(d):
        return True
    return not same_attribute(d) and (any(map(_two_things, d.slots)) or _two_topics(d))


def other_latin_name(d: Diff) -> bool:
    """Whether each names something else in Latin letters, and one is of another script."""
    if not any(any(not token.surface.isascii() for token in s.content) for s in (d.old, d.new)):
        return False
    gone, come = (
        [t for t in side if t.surface.isascii() and t.surface.isalpha() and not t.code and tells(t)]
        for side in (d.gone, d.come)
    )
    return any(not _exchangeable(left, right) for left in gone for right in come)


def _named_by_value(d: Diff) -> bool:
    """Whether both begin by naming the same file, link or identifier."""
    first = next(iter(d.old.content), None)
    return first is not None and first.is_value and d.old.keys[:1] == d.new.keys[:1]


def _renames_subject(slot: Slot, d: Diff) -> bool:
    """Whether what stands before the verb is another thing."""
    if any(token.kind in (Kind.NUMBER, Kind.REFERENCE) for token in slot.old):
        noun = _preceding(d.old, slot.old_at)
        if noun in IDENTITY_NOUNS and noun == _preceding(d.new, slot.new_at):
            return True
    if slot.old_at >= d.old.subject or slot.new_at >= d.new.subject:
        return False
    old, new = slot.old[0], slot.new[0]
    if old.kind is new.kind and old.kind in (Kind.NUMBER, Kind.VERSION):
        return False
    if _moved_path(old, new) or (old.aside and new.aside):
        return False
    return any(map(tells, slot.old)) and any(map(tells, slot.new))


def _swaps_subject(d: Diff) -> bool:
    """Whether one speaks of a thing that the other only mentions, and not the other way round."""
    if not any(map(tells, (*d.gone, *d.come))):
        return False  # the same words in another order
    old, new = (
        {t.key for t in side.content[: side.subject] if tells(t)} for side in (d.old, d.new)
    )
    if not old or not new or not old.isdisjoint(new):
        return False
    return bool(old & set(d.new.keys[d.new.subject :]) or new & set(d.old.keys[d.old.subject :]))


def _renumbers_subject(d: Diff) -> bool:
    """Whether the numbers before the verb differ, and what is said of them differs too."""
    old, new = (
        [t for t in side.content[: side.subject] if t.kind in (Kind.NUMBER, Kind.VERSION)]
        for side in (d.old, d.new)
    )
    if not old or not new or [t.key for t in old] == [t.key for t in new]:
        return False
    own = {id(token) for token in (*old, *new)}
    return any(tells(token) and id(token) not in own for token in (*d.gone, *d.come))


def _moved_path(old: Token, new: Token) -> bool:
    """Whether one path is the other one below or outside some directory."""
    shorter, longer = sorted((old.key, new.key), key=len)
    return longer.endswith("/" + shorter) and Kind.PATH in (old.kind, new.kind)


def _qualifies(slot: Slot, d: Diff) -> bool:
    """Whether names stand for which things a rule holds: ``in Python files``."""
    sides = ((slot.old, d.old, slot.old_at), (slot.new, d.new, slot.new_at))
    return all(
        tokens[0].lead in _OF_WHICH
        and not tokens[0].is_value
        and at + len(tokens) < len(side.content)
        and not side.content[at + len(tokens)].lead
        for tokens, side, at in sides
    )


def _also_of_another(slot: Slot) -> bool:
    """Whether a value and the name of what has it differ together: ``100 in Python``."""
    left, right = (
        {token.key: token for token in side[1:] if token.lead in _OF_WHICH and token.may_name}
        for side in (slot.old, slot.new)
    )
    return bool(left) and bool(right) and left.keys().isdisjoint(right)


def _two_things(slot: Slot) -> bool:
    """Whether words that tell the subject stand against each other."""
    if by_means(slot):
        return False
    changed = is_change(slot)
    old = [token for token in slot.old if tells(token) and not (changed and token.may_name)]
    new = [token for token in slot.new if tells(token) and not (changed and token.may_name)]
    return any(not _exchangeable(left, right) for left in old for right in new)


def _two_topics(d: Diff) -> bool:
    """Whether a value changed and the words around it changed on both sides as well."""
    if not any(is_change(slot) and not by_means(slot) for slot in d.slots):
        return False
    gone, come = _own_words(d.gone, d.old), _own_words(d.come, d.new)
    return any(not _exchangeable(left, right) for left in gone for right in come)


def _own_words(tokens: tuple[Token, ...], side: Statement) -> list[Token]:
    """The telling words that do not merely repeat a command of the same statement."""
    commands = {token.word for token in side.content if token.code}
    return [t for t in tokens if tells(t) and not t.may_name and t.word not in commands]


def _other_setting(d: Diff) -> bool:
    """Whether the name of what is set differs as well as what it is set to."""
    gone = [token for token in d.gone if token.is_value or tells(token)]
    come = [token for token in d.come if token.is_value or tells(token)]
    if min(len(gone), len(come)) < 1 or max(len(gone), len(come)) < 2:
        return False
    return _is_setting(gone[0]) and _is_setting(come[0])


def _is_setting(token: Token) -> bool:
    return token.kind is Kind.IDENTIFIER or bool(_SETTING().fullmatch(token.surface))


def _exchangeable(left: Token, right: Token) -> bool:
    if left.key[:4] == right.key[:4] and len(left.key) > 3:
        return True
    if left.kind is right.kind is Kind.NAME:
        return True
    return same_class(left.word, right.word) or opposite(left.word, right.word)


def _preceding(side: Statement, at: int) -> str:
    return side.content[at - 1].word if at else ""
