"""Credentials that a person or a program left in a scope are masked before git sees them."""

from __future__ import annotations

from pathlib import Path

from jmem.layout import INDEX_FILE, MEMORIES_DIR, NOTES_DIR, SUMMARIES_DIR, SUMMARY_FILE, TOPICS_DIR
from jmem.redact import redact
from jmem.storage import files


def mask(scope_root: Path) -> list[str]:
    """Mask every credential in the markdown of a scope, in place; returns the changed paths.

    Only the credential itself is replaced, whoever wrote the file: what is committed stays in the
    history. Bytes that are not UTF-8 are left to whoever reports the file.
    """
    found = [scope_root / INDEX_FILE, scope_root / SUMMARY_FILE]
    for directory in (NOTES_DIR, MEMORIES_DIR, TOPICS_DIR, SUMMARIES_DIR):
        found += sorted((scope_root / directory).glob("*.md"))
    masked = []
    for path in found:
        data = files.read_bytes(path)
        try:
            text = (data or b"").decode("utf-8")
        except UnicodeDecodeError:
            continue
        clean = redact(text)
        if clean != text:
            files.atomic_write(path, clean.encode())
            masked.append(path.relative_to(scope_root).as_posix())
    return masked
