"""Rows of the index as values: which columns make a document, and which a node of the graph."""

from __future__ import annotations

from jmem.graph import Node
from jmem.retrieval.hit import Document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

COLUMNS = (
    "key, text, place, path, kind, topic, tags, status, source, trust, "
    "confidence, strength, updated, superseded_by, rivals, doubted, borne_out, private, "
    "held_back"
)
"""What :func:`document` is made of, in its order."""

NODE_COLUMNS = (
    "key, status, topic, tags, cluster, relates, supersedes, superseded_by, rivals, derived"
)
"""What :func:`node` is made of."""


def document(row: Sequence[Any], scope: str) -> Document:
    """The document in a row of ``COLUMNS``."""
    key, text, place, path, kind, topic, tags, status, source, trust, *rest = row
    confidence, strength, updated, superseded_by, rivals, doubted, borne_out, *flags = rest
    private, held_back = flags
    return Document(
        key=key,
        text=text,
        scope=scope,
        where=place,
        path=path,
        kind=kind,
        topic=topic,
        tags=tuple(tags.split()),
        status=status,
        source=source,
        trust=trust,
        confidence=confidence,
        strength=strength,
        updated=updated,
        superseded_by=superseded_by,
        rivals=tuple(rivals.split()),
        doubted=doubted,
        borne_out=borne_out,
        private=bool(private),
        held_back=held_back,
    )


def node(row: Sequence[Any]) -> Node:
    """What the graph needs of a row of ``NODE_COLUMNS``."""
    key, status, topic, tags, cluster, relates, supersedes, superseded_by, rivals, derived = row
    pairs = [pair.partition(":") for pair in relates.split()] if relates else ()
    return Node(
        key,
        active=status == "active",
        topic=topic,
        tags=tags.split(),
        cluster=cluster,
        relates_to=[(other, float(weight)) for other, _, weight in pairs],
        supersedes=supersedes.split(),
        superseded_by=superseded_by,
        contradicts=rivals.split(),
        derived_from=derived.split(),
    )
