"""What a commit message and a report say of decisions and of people's edits, line by line, and such
a line read again. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from jmem.formats.text import cut_at_word
from jmem.ids import is_id
from jmem.model import Decision, Memory, Op, Status

BY_HAND = "BY HAND"
TAKEN_OVER = "IMPORT"
"""The word of a line about a memory that came along whole, from an export."""
_NOTE = "note"
_STATEMENT_BYTES = 200
_HEAD = re.compile(r"(BY HAND|[A-Z]+)\b ?")
_EDIT = re.compile(r"a person (?P<how>forgot|edited|changed|removed)(?: the file of)? (?P<rest>.+)")
_TWO = re.compile(r" (?:by|into|and|takes the place of) ")
_SAID = re.compile(r"(?P<about>.*?) (?P<how>is forgotten|both stand)(?: too)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """One line of a commit message, taken apart.

    ``op``: its first word (``ADD``, ``UPDATE``, ``EXPIRE``, ``BY HAND``, ...); ``how``: the how of
    an update, or the word of a command. ``target`` is the memory, note or file that was there,
    ``new`` the one that was made, took its place or was set against it. ``input`` is the reference
    of what was decided on. A line of another form is all ``statement``.
    """

    op: str = ""
    how: str = ""
    target: str = ""
    new: str = ""
    statement: str = ""
    reason: str = ""
    input: str = ""


def told(decision: Decision) -> str:
    """A decision as one line of a commit message or a report."""
    verdict = decision.verdict
    what = verdict.op.value + (f" {verdict.how}" if verdict.how else "")
    about = verdict.target or decision.subject
    if verdict.target and decision.subject not in ("", verdict.target):
        about = f"{verdict.target} by {decision.subject}"
    head = f"{what} {about}" if about else what
    statement = cut_at_word(decision.statement, _STATEMENT_BYTES)
    return f"{head}: {statement} ({verdict.reason}; {verdict.ref})"


def told_by_hand(
    changed: Mapping[str, Memory], *, removed: Mapping[str, Memory], touched: Collection[str]
) -> Iterator[str]:
    """What people did: ``changed`` memories in the views, ``removed`` and ``touched`` files."""
    for key, memory in sorted(changed.items()):
        verb = "forgot" if memory.status is Status.FORGOTTEN else "edited"
        yield f"{BY_HAND} a person {verb} {key}: {memory.statement}"
    for key, memory in sorted(removed.items()):
        yield f"{BY_HAND} a person removed the file of {key}: {memory.statement}"
    for key in sorted(touched):
        yield f"{BY_HAND} a person changed the file of {key}"


def read(line: str) -> Decided:
    """A line of a commit message, taken apart.

    What ``told`` wrote is found again where the brackets of its reason are balanced.
    """
    head = _HEAD.match(line)
    if head is None:
        return Decided(statement=line)
    op, rest = head.group(1), line[head.end() :]
    if op == BY_HAND:
        return _by_hand(rest) or Decided(statement=line)
    about, colon, said = rest.partition(":")
    if not colon:
        return Decided(statement=line)
    if op not in set(Op):
        return _upkeep(op, about, said.strip())
    words = about.split()
    how = words.pop(0) if words and not is_id(words[0]) and words[0] != _NOTE else ""
    words = words[1:] if words[:1] == [_NOTE] else words
    target, subject = words[0] if words else "", words[2] if len(words) == 3 else ""
    statement, reason, ref = _with_reason(said.strip())
    if op in (Op.ADD, Op.NOOP) and not subject:
        target, subject = "", target
    return Decided(
        op=op,
        how=how,
        target=target,
        new=subject,
        statement=statement,
        reason=reason,
        input=ref,
    )


def _by_hand(rest: str) -> Decided | None:
    match = _EDIT.fullmatch(rest)
    if match is None:
        return None
    target, _, statement = match["rest"].partition(": ")
    return Decided(op=BY_HAND, how=match["how"], target=target, statement=statement)


def _upkeep(op: str, about: str, said: str) -> Decided:
    """A line about what a run did besides deciding: of its own accord, or because a memory that a
    decision was about had others beside it."""
    if op == TAKEN_OVER:
        return Decided(op=op, target=about, statement=said)
    match = _SAID.fullmatch(about)
    how, named = (match["how"], match["about"]) if match else ("", about)
    first, *second = _TWO.split(named.removesuffix(" too"), maxsplit=1)
    if op == "SPREAD" and second:  # the new one is named first there
        first, second = second[0], [first]
    new = second[0] if second else ""
    return Decided(op=op, how=how, target=first, new=new, reason=said)


def _with_reason(said: str) -> tuple[str, str, str]:
    """Statement, reason and reference of ``statement (reason; reference)``."""
    if not said.endswith(")"):
        return said, "", ""
    depth = 0
    for place in range(len(said) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(said[place], 0)
        if depth == 0:
            break
    else:
        place = said.rfind(" (") + 1
    reason, _, ref = said[place + 1 : -1].rpartition("; ")
    return said[:place].rstrip(), reason, ref


def in_words(decided: Decided) -> str:
    """What happened, in a word or two that a reader needs no manual for."""
    if decided.how in _WORDS and decided.op != "SPREAD":
        return _WORDS[decided.how]
    return _OF_OPS.get(decided.op, decided.op.lower())


_OF_OPS = {
    "ADD": "learned",
    "UPDATE": "changed",
    "DELETE": "forgotten",
    "NOOP": "left out",
    "EXPIRE": "expired",
    "DROP": "summary dropped",
    "SPREAD": "followed",
    "MERGE": "merged",
    "CONTRADICT": "contradiction",
    "TAG": "tagged",
    "KEEP": "kept up",
    "UNDO": "as before",
    BY_HAND: "changed by hand",
    TAKEN_OVER: "taken over",
}
_WORDS = {
    "reinforce": "said again",
    "refine": "said in more detail",
    "supersede": "replaced",
    "contradict": "contradiction",
    "restore": "restored",
    "edit": "edited",
    "file": "filed",
    "merge": "merged",
    "decide": "decided",
    "reconcile": "both hold",
    "approve": "approved",
    "release": "released",
    "tag": "tagged",
    "untag": "untagged",
    "link": "linked",
    "unlink": "unlinked",
    "undo": "undone",
    "purge": "purged",
    "forgot": "forgotten by hand",
    "edited": "edited by hand",
    "changed": "file changed by hand",
    "removed": "file removed by hand",
}
