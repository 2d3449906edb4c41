"""What a search brings: documents, and hits with the score of every leg.

These are plain classes with slots and not data classes: a hook answers a prompt within tens of
milliseconds, and importing ``dataclasses`` would take a third of them.
"""

from __future__ import annotations

ACCEPTED = "accepted"
REJECTED = "rejected"
NOT_JUDGED = "not judged"
"""The three outcomes for a hit. Not judged is no verdict: it neither surfaces nor counts."""

MEMORY = "memory"
NOTE = "note"
SESSION = "session"
"""Where a document comes from: a memory file, a note in the inbox, a session summary."""


class Document:
    """One text that can be found: a memory, a note, or a session summary, redacted.

    ``key`` is the id (of a session its name), unique in its scope; ``scope`` the name of the scope;
    ``where`` one of MEMORY, NOTE, SESSION; ``updated`` the moment of the last change as text;
    ``rivals`` the ids of memories that contradict it; ``path`` is relative to the scope root.
    ``private``: it comes from a session that was held with a model on this machine, and is sent
    nowhere. ``held_back``: why it does not surface by itself (empty: it does). From the day
    ``doubted`` on (empty: never) it is unconfirmed since ``borne_out``, a month.
    """

    __slots__ = (
        "borne_out",
        "confidence",
        "doubted",
        "held_back",
        "key",
        "kind",
        "path",
        "private",
        "rivals",
        "scope",
        "source",
        "status",
        "strength",
        "superseded_by",
        "tags",
        "text",
        "topic",
        "trust",
        "updated",
        "where",
    )

    def __init__(
        self,
        *,
        key: str,
        text: str,
        scope: str = "",
        where: str = MEMORY,
        path: str = "",
        kind: str = "fact",
        topic: str = "general",
        tags: tuple[str, ...] = (),
        status: str = "active",
        source: str = "agent",
        trust: str = "medium",
        confidence: float = 0.7,
        strength: int = 1,
        updated: str = "",
        superseded_by: str = "",
        rivals: tuple[str, ...] = (),
        doubted: str = "",
        private: bool = False,
        borne_out: str = "",
        held_back: str = "",
    ) -> None:
        self.key = key
        self.text = text
        self.scope = scope
        self.where = where
        self.path = path
        self.kind = kind
        self.topic = topic
        self.tags = tags
        self.status = status
        self.source = source
        self.trust = trust
        self.confidence = confidence
        self.strength = strength
        self.updated = updated
        self.superseded_by = superseded_by
        self.rivals = rivals
        self.doubted = doubted
        self.private = private
        self.borne_out = borne_out
        self.held_back = held_back

    @property
    def day(self) -> str:
        """The date of the last change (``2026-07-04``)."""
        return self.updated[: len("2026-07-04")]

    @property
    def active(self) -> bool:
        """Whether it is in force: only such a document may surface."""
        return self.status == "active"


class Hit:
    """A document with what each leg says of it, and what the judge said.

    ``coverage`` is the share (0 to 1) of the query's information that the document's words hold,
    0 where the lexical leg did not find it. ``cosine`` is None where the dense leg did not look;
    ``closeness`` is what that leg ranks by (see :mod:`jmem.retrieval.centring`).
    Ranks count from 1; 0 means that the leg did not find it. ``score`` is the fused one.
    ``way`` says by which relations it came (empty: by none); where ``beside`` is set it surfaces
    for them although nobody judged it: an accepted hit brought it along.
    """

    __slots__ = (
        "beside",
        "closeness",
        "cosine",
        "coverage",
        "dense_rank",
        "document",
        "lexical_rank",
        "reason",
        "score",
        "verdict",
        "way",
    )

    def __init__(
        self,
        document: Document,
        *,
        coverage: float = 0.0,
        lexical_rank: int = 0,
        cosine: float | None = None,
        closeness: float | None = None,
        dense_rank: int = 0,
    ) -> None:
        self.document = document
        self.coverage = coverage
        self.lexical_rank = lexical_rank
        self.cosine = cosine
        self.closeness = closeness
        self.dense_rank = dense_rank
        self.score = 0.0
        self.verdict = NOT_JUDGED
        self.reason = ""
        self.way = ""
        self.beside = False
