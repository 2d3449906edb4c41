"""What leaves jmem, whatever its shape, with everything masked that may not be shown. Pure.

What stands on disk was masked on its way in; but a person may have written it there, an older
jmem, or somebody who had chosen less (:mod:`jmem.discretion`). So every way out masks again.
"""

from __future__ import annotations

from jmem.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_BETWEEN = "\n\x1e\n"
"""No credential reaches over a line that holds nothing but this sign."""


def masked(data: Any) -> Any:
    """The same data with every text in it masked: keys and values of mappings, items of lists.

    Each text is judged on its own, in a small part of the time that one by one would take. What
    is neither text nor a container of texts stays as it is: a ``Path`` names a file to open.
    """
    texts: dict[str, str] = {}
    _collect(data, texts)
    if not texts:
        return data
    listed = list(texts)
    clean = each_masked(listed)
    if clean == listed:
        return data
    return _replaced(data, dict(zip(listed, clean, strict=True)))


def each_masked(texts: Sequence[str]) -> list[str]:
    """Every text masked on its own: ``[redact(text) for text in texts]``, but in about one pass."""
    if len(texts) < 2:
        return [redact(text) for text in texts]
    joined = _BETWEEN.join(texts)
    together = redact(joined)
    if together == joined:
        return list(texts)
    parts = together.split(_BETWEEN)
    if len(parts) != len(texts):  # what was masked reaches over several, or one holds the sign
        half = len(texts) // 2
        return [*each_masked(texts[:half]), *each_masked(texts[half:])]
    pairs = zip(texts, parts, strict=True)
    return [text if text == part else redact(text) for text, part in pairs]


def _collect(data: Any, texts: dict[str, str]) -> None:
    if isinstance(data, str):
        texts[data] = data
    elif isinstance(data, dict):
        for key, value in data.items():
            _collect(key, texts)
            _collect(value, texts)
    elif isinstance(data, list | tuple | set | frozenset):
        for item in data:
            _collect(item, texts)


def _replaced(data: Any, clean: Mapping[str, str]) -> Any:
    if isinstance(data, str):
        return clean[data]
    if isinstance(data, dict):
        return {_replaced(k, clean): _replaced(v, clean) for k, v in data.items()}
    if isinstance(data, list | tuple | set | frozenset):
        return [_replaced(item, clean) for item in data]
    return data
