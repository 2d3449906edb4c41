"""Credentials that a person or a program left in a scope are masked before git sees them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from jmem.formats import skillfile, summaryfile
from jmem.layout import FORGOTTEN_FILE, PROJECT_FILE, SKILLS_DIR, SUMMARY_FILE
from jmem.redact import redact
from jmem.storage import files, fingerprint

_HASHES = frozenset({FORGOTTEN_FILE, PROJECT_FILE})
"""They hold keys and hashes of jmem's own, which look like credentials."""


def _masked(path: str, text: str) -> str:
    """The text of a file masked; what jmem wrote there stays what nobody edited."""
    if path == SUMMARY_FILE:
        return summaryfile.cleaned(text, redact)
    if path.startswith(f"{SKILLS_DIR}/"):
        return skillfile.cleaned(text, redact)
    return redact(text)


def mask(scope_root: Path, among: Collection[str] | None = None) -> list[str]:
    """Mask every credential in the text files that git will see, in place; returns the changed
    paths. ``among``: only in these, where the others are known to be as they were committed.

    Only the credential itself is replaced, whoever wrote the file: what is committed stays in the
    history. Bytes that are not UTF-8 are left to whoever reports the file, and a file that is
    saved meanwhile to the next run.
    """
    masked = []
    seen = fingerprint.look(scope_root).keys() if among is None else {*among}
    for relative in sorted(seen - _HASHES):
        path = scope_root / relative
        data = files.read_bytes(path)
        try:
            text = (data or b"").decode("utf-8")
        except UnicodeDecodeError:
            continue
        clean = _masked(relative, text)
        if clean != text and files.replace_known(path, clean.encode(), files.digest(data)):
            masked.append(relative)
    return masked
