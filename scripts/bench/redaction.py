"""How much of what is secret jmem.redact catches, what else it masks, and how fast it is.

Reads ``secrets/secrets.jsonl`` (or ``secrets_compact.jsonl``, the same with fewer
templates) and ``secrets/benign_note_lines.jsonl`` below ``--data``. The corpora hold
live-looking strings: nothing of them is printed but counts and the names of rules.

A secret counts as caught only if no 8 characters of it in a row survive anywhere in the
output; shorter ones are left out. Rows without a span count as caught when the text
changed, and stand apart, as ``recall_without_span``. Rules named ``hashes`` are left out.
Some corpora count the user name of an address (``scheme://user:password@``) as a secret;
redact keeps it by contract, so ``recall_without_users`` gives the recall without them.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import random
import string
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from jmem.redact import redact

SOURCES = ("gitleaks", "noseyparker", "kingfisher", "detect-secrets")
TARGETS = {"gitleaks": 0.95, "noseyparker": 0.90, "kingfisher": 0.80, "detect-secrets": 0.80}
RUN = 8
SEED = 20261130
ROOT = Path(__file__).resolve().parents[2]
Row = dict[str, Any]


def read(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def decoded(rows: list[Row]) -> list[Row]:
    """The rows in plain text; some copies keep text and secret in base64, against scanners."""

    def plain(value: str) -> str | None:
        try:
            return base64.b64decode(value, validate=True).decode("utf-8")
        except ValueError:
            return None

    texts = [plain(row["text"]) for row in rows]
    if not rows or sum(text is None for text in texts) * 10 > len(rows):
        return rows
    return [
        {**row, "text": text, "secret": plain(row["secret"]) if row["secret"] else None}
        for row, text in zip(rows, texts, strict=True)
        if text is not None
    ]


def source_of(row: Row) -> str:
    repository = row["source"].split(":")[0].lower()
    return next((name for name in SOURCES if repository.endswith("/" + name)), repository)


def caught(row: Row, mask: Callable[[str], str]) -> bool:
    masked = mask(row["text"])
    secret = row["secret"]
    if not secret:
        return masked != row["text"]
    return all(secret[at : at + RUN] not in masked for at in range(len(secret) - RUN + 1))


def is_user(row: Row) -> bool:
    """Whether the span is the user of an address, which stays by contract."""
    secret = row["secret"] or ""
    return bool(secret) and f"://{secret}:" in row["text"] and ":" not in secret


def recall(rows: list[Row], mask: Callable[[str], str]) -> dict[str, Any]:
    spans: Counter[tuple[str, bool]] = Counter()
    no_span: Counter[tuple[str, bool]] = Counter()
    no_user: Counter[tuple[str, bool]] = Counter()
    missed: Counter[str] = Counter()
    for row in rows:
        if not row["is_secret"] or "hashes" in row["source"] or "hashes" in row["rule"]:
            continue
        if row["secret"] and len(row["secret"]) < RUN:
            continue
        key = (source_of(row), caught(row, mask))
        if not row["secret"]:
            no_span[key] += 1
            continue
        spans[key] += 1
        if not is_user(row):
            no_user[key] += 1
        if not key[1]:
            missed[f"{key[0]} {row['rule']}"] += 1
    return {
        "recall": rates(spans),
        "recall_without_span": rates(no_span),
        "recall_without_users": rates(no_user),
        "counts": {name: spans[name, True] + spans[name, False] for name in SOURCES},
        "missed_rules": dict(missed.most_common(15)),
    }


def rates(counts: Counter[tuple[str, bool]]) -> dict[str, float]:
    rate: dict[str, float] = {}
    for name in (*SOURCES, "all"):
        pairs = [(hit, n) for (source, hit), n in counts.items() if name in (source, "all")]
        total = sum(n for _, n in pairs)
        if total:
            rate[name] = round(sum(n for hit, n in pairs if hit) / total, 4)
    return rate


def false_alarms(rows: list[Row], mask: Callable[[str], str]) -> dict[str, Any]:
    """The share of ordinary note lines that change; by kind of line too."""
    total: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    for row in rows:
        kinds = ("all", *row["kinds"])
        total.update(kinds)
        if mask(row["text"]) != row["text"]:
            changed.update(kinds)
    by_kind = {
        kind: round(changed[kind] / n, 4) for kind, n in sorted(total.items()) if kind != "all"
    }
    return {
        "false_alarms": round(changed["all"] / max(1, total["all"]), 5),
        "false_alarms_by_kind": by_kind,
        "benign_lines": total["all"],
    }


def timed(text: str) -> float:
    start = time.perf_counter()
    redact(text)
    return time.perf_counter() - start


def ordinary(size: int, lines: list[str]) -> str:
    """Text of note lines in seeded order, as a stand-in for a transcript."""
    rng = random.Random(SEED)
    parts: list[str] = []
    length = 0
    while length < size:
        line = rng.choice(lines)
        parts.append(line)
        length += len(line) + 1
    return "\n".join(parts)[:size]


UNITS = (
    *("password=", "password is ", 'password": "', "key ", "key=", "token: ", "secret '", "auth"),
    *("api_key", "ghp_", "sk-", "eyJ", "eyJ.", "AKIA", "xoxb-", "live_", "test_", "s.", "pat"),
    *("-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----", "://", "://a:", "a:b@"),
    *(
        "Bearer ",
        "authorization: ",
        "cookie: a=",
        "curl ",
        "-u ",
        "sig=",
        "accountkey=",
        "endpoint=",
    ),
    *(
        "[REDACTED",
        "[REDACTED]",
        "]",
        '"',
        "'",
        "`",
        "\\",
        "\\n",
        "\n",
        " ",
        "\0",
        "$",
        "{",
        "(",
        "==",
        "!=",
    ),
    *(
        "a",
        "A1",
        "a1b2c3d4",
        ".",
        "|",
        "-",
        "_",
        "=",
        "+",
        "/",
        "Q~",
        "hooks.",
        "/hook/",
        "é",
        "密码",
        "是",
        "İ",
    ),
)


def adversarial(count: int, size: int) -> dict[str, float]:
    """The worst and the median time over hostile texts: repetitions, and random sequences."""
    rng = random.Random(SEED)
    times: list[float] = []
    for number in range(count):
        unit = "".join(rng.choices(UNITS, k=rng.randint(1, 5)))
        if number % 4 == 3:
            text = "".join(rng.choices([*UNITS, *string.ascii_letters], k=size // 3))[:size]
        else:
            text = (unit * (size // len(unit) + 1))[:size]
        times.append(timed(text))
    times.sort()
    return {"worst_s": round(times[-1], 3), "median_s": round(times[len(times) // 2], 3)}


def import_ms() -> float:
    """What importing jmem.redact adds to a bare start of Python, in ms; least of 7 each."""

    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def least(code: str) -> float:
        best = 9e9
        for _ in range(7):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, env=environment)
            best = min(best, time.perf_counter() - start)
        return best * 1000

    with tempfile.TemporaryDirectory() as cache:
        environment["PYTHONPYCACHEPREFIX"] = cache
        return round(least("import jmem.redact") - least("pass"), 1)


def measure(data: Path, hostile: int) -> dict[str, Any]:
    folder = data / "secrets"
    result: dict[str, Any] = {"data": str(folder), "seed": SEED, "targets": TARGETS}
    corpus = next(
        (p for n in ("secrets.jsonl", "secrets_compact.jsonl") if (p := folder / n).is_file()), None
    )
    benign = folder / "benign_note_lines.jsonl"
    if corpus is None or not benign.is_file():
        result["absent"] = f"no secrets*.jsonl and benign_note_lines.jsonl in {folder}"
        lines = ["the quick brown fox runs the tests with make test-fast, never with go test"]
    else:
        rows, quiet = decoded(list(read(corpus))), list(read(benign))
        result |= {"corpus": corpus.name, **recall(rows, redact), **false_alarms(quiet, redact)}
        lines = [row["text"] for row in quiet]
    text = ordinary(1_000_000, lines)
    result["ordinary_1MB_s"] = round(min(timed(text) for _ in range(3)), 3)
    result["adversarial_100kB"] = {"inputs": hostile, **adversarial(hostile, 100_000)}
    result["import_ms"] = import_ms()
    return result


def table(result: dict[str, Any]) -> None:
    if "absent" in result:
        print(f"DATA ABSENT: {result['absent']}; only speed was measured")
    for name in (*SOURCES, "all"):
        if name not in result.get("recall", {}):
            continue
        figures = [
            result[key].get(name, "-")
            for key in ("recall", "recall_without_users", "recall_without_span")
        ]
        print(
            f"{name:14} recall {figures[0]:<6} without users {figures[1]:<6} "
            f"no span {figures[2]:<6} target {TARGETS.get(name, '-')}"
        )
    for key in (
        "false_alarms",
        "false_alarms_by_kind",
        "ordinary_1MB_s",
        "adversarial_100kB",
        "import_ms",
    ):
        if key in result:
            print(f"{key:22} {result[key]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--json", action="store_true", help="one object with every figure")
    parser.add_argument("--hostile", type=int, default=200, help="number of adversarial inputs")
    options = parser.parse_args()
    result = measure(options.data, options.hostile)
    # The same figures by their dotted names, for readers that do not walk into objects.
    result |= {f"recall.{name}": rate for name, rate in result.get("recall", {}).items()}
    if options.json:
        print(json.dumps(result, indent=2, ensure_ascii=False))
    else:
        table(result)


if __name__ == "__main__":
    main()
