"""What waits for somebody's word does not surface by itself, and is found where it is looked for.

A note of a run that was taken back, until a person lets it be decided on; a note that asks for
forgetting, and the memory that it means beyond doubt, until a night carries it out; and the weaker
one of two memories that contradict each other, until somebody decides.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from jmem import precedence, retraction
from jmem.paragraphs import statement_of
from jmem.retrieval import searchtext
from jmem.retrieval.hit import MEMORY, NOTE
from jmem.storage.inbox import RETRACTS
from jmem.storage.index.database import WORDS


def settle(db: sqlite3.Connection) -> None:
    """Hold back the memories that other documents, as they are now, say something against."""
    clear = "UPDATE documents SET held_back = '' WHERE place = ? AND held_back <> ''"
    db.execute(clear, (MEMORY,))
    held = {key: f"contradicted by {leader}" for key, leader in _contradicted(db).items()}
    held |= {key: f"to be forgotten: {note}" for key, note in _retracted(db)}
    db.executemany(
        "UPDATE documents SET held_back = ? WHERE key = ? AND place = ?",
        ((why, key, MEMORY) for key, why in held.items()),
    )


def _contradicted(db: sqlite3.Connection) -> dict[str, str]:
    """Those in force that a better one in force contradicts: id -> its id."""
    query = (
        "SELECT key, rivals FROM documents WHERE place = ? AND status = 'active' AND rivals <> ''"
    )
    rivals = {key: others.split() for key, others in db.execute(query, (MEMORY,))}
    standings = {}
    query = "SELECT trust, updated FROM documents WHERE key = ? AND place = ? AND status = 'active'"
    for key in {*rivals, *(other for others in rivals.values() for other in others)}:
        for trust, updated in db.execute(query, (key, MEMORY)):
            standings[key] = precedence.standing(trust, updated, key)
    return precedence.yielding(standings, rivals)


def _retracted(db: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Memories in force that a waiting note asks to forget, in their own words: id, that of the
    note."""
    waiting = "SELECT key, text, updated FROM documents WHERE place = ? AND held_back = ?"
    like = (
        f"SELECT key, text FROM {WORDS} JOIN documents ON number = {WORDS}.rowid "
        f"WHERE {WORDS} MATCH ? AND place = ? AND status = 'active' AND updated <= ?"
    )
    for note, text, said in db.execute(waiting, (NOTE, RETRACTS)).fetchall():
        body = retraction.body(text)
        expression = searchtext.every_word(body)
        for key, known in db.execute(like, (expression, MEMORY, said)) if expression else ():
            if retraction.means(body, statement_of(known)):
                yield key, note
