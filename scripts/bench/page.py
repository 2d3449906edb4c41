#!/usr/bin/env python3
"""How fast `jmem ui` is with many memories, in a real browser.

A store of invented memories is filled, the installed command serves it, and a headless Chromium
opens each page: ``paint`` is the time from the request to the first contentful paint, ``server``
that of the answer alone, in ms, the median of the rounds (``worst``: the slowest); ``cpu`` is what
the server computed for it, which other work on the machine does not change. ``search`` is
the time from the last key to the results on the screen, its 120 ms of waiting included.
Needs Playwright and a Chromium (``--browser``).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent))
from scale import notes

COMMAND = Path(sys.executable).with_name("jmem")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
_ANSWER = "performance.getEntriesByType('navigation')[0].responseEnd"
_FILL = """
import json, sys
from jmem import scopes
from jmem.formats import memoryfile
from jmem.model import Memory, Source, Status, Trust
from jmem import clock
from jmem.storage.history import History, RUN_TRAILER

scope = scopes.make(scopes.resolve())
for row in json.load(sys.stdin):
    memory = Memory(
        id=row["id"], text=row["text"], kind=row["kind"], topic=row["topic"],
        tags=tuple(row["tags"]),
        source=Source(row["source"]), trust=Trust(row["trust"]), status=Status(row["status"]),
        created=clock.parse(row["at"]), updated=clock.parse(row["at"]),
        relates_to=tuple((key, 0.5) for key in row["near"]), evidence=("note:" + row["id"],),
    )
    path = scope.root / "memories" / memoryfile.file_name(memory)
    path.write_text(memoryfile.render(memory), "utf-8")
history = History(scope.root)
history.ensure()
history.commit_all(f"Distil many notes\\n\\n{RUN_TRAILER}: benchrun", now=clock.now())
history.collect_garbage()
print(scope.name)
"""


def rows(count: int, seed: int) -> list[dict[str, Any]]:
    """Memories over a year: topics of any size, tags, relations, some out of force."""
    rng = random.Random(seed)
    ids = [f"m{number:07d}" for number in range(count)]
    start = datetime(2026, 1, 1, tzinfo=UTC)
    made = []
    for number, text in enumerate(notes(count, rng)):
        words = [word for word in text.lower().replace("`", " ").split() if word.isalpha()]
        made.append(
            {
                "id": ids[number],
                "text": text,
                "kind": rng.choice(("fact", "preference", "pitfall", "workflow", "entity")),
                "topic": f"area-{int(rng.paretovariate(0.7)) % 200}",
                "tags": sorted({rng.choice(words)} - {""})[:1],
                "source": rng.choice(("user", "agent")),
                "trust": rng.choice(("high", "medium", "low")),
                "status": "superseded" if rng.random() < 0.05 else "active",
                "at": (start + timedelta(minutes=45 * number)).isoformat(),
                "near": [rng.choice(ids)] if rng.random() < 0.3 else [],
            }
        )
    return made


def fill(count: int, seed: int, project: Path, environment: dict[str, str]) -> str:
    """Fill the scope of a project, build its index, and return its name."""
    filled = subprocess.run(
        [sys.executable, "-c", _FILL],
        cwd=project,
        env=environment,
        input=json.dumps(rows(count, seed)).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    subprocess.run([str(COMMAND), "index"], cwd=project, env=environment, check=True)
    return filled.stdout.decode().strip()


def computed(process: int) -> float:
    """The processor time that a process has taken, in ms."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def opened(page: Page, address: str, rounds: int, server: int) -> dict[str, float]:
    """How long a page takes until something is seen."""
    paints, answers = [], []
    page.set_default_timeout(120_000)
    page.goto(address, wait_until="networkidle")  # what it reads once, it has read
    before = computed(server)
    for _ in range(rounds):
        page.goto(address, wait_until="networkidle")
        page.wait_for_function(f"({_PAINT}) > 0")
        paints.append(page.evaluate(_PAINT))
        answers.append(page.evaluate(_ANSWER))
    return {
        "paint": round(statistics.median(paints)),
        "worst": round(max(paints)),
        "server": round(statistics.median(answers)),
        "cpu": round((computed(server) - before) / rounds),
    }


def searched(page: Page, base: str, words: list[str]) -> dict[str, float]:
    """How long it takes from the last key to the results."""
    took = []
    for word in words:
        page.goto(f"{base}/memories", wait_until="networkidle")
        page.fill("#find", word[:-1])
        page.wait_for_timeout(500)
        page.wait_for_load_state("networkidle")
        before = page.inner_text("#results")
        started = time.perf_counter()
        page.type("#find", word[-1])
        page.wait_for_function(
            "before => document.querySelector('#results').innerText !== before", arg=before
        )
        took.append((time.perf_counter() - started) * 1000)
    return {"search": round(statistics.median(took)), "worst": round(max(took))}


def measure(count: int, seed: int, rounds: int, browser: str) -> dict[str, Any]:
    """All figures for a store of one size."""
    with tempfile.TemporaryDirectory(prefix="jmem-page-") as top:
        project = Path(top) / "orchard"
        project.mkdir()
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("JMEM_")},
            "HOME": top,
            "JMEM_HOME": f"{top}/memory",
        }
        name = fill(count, seed, project, environment)
        served = subprocess.Popen(
            [str(COMMAND), "ui", "--no-browser"],
            cwd=project,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert served.stdout is not None
            address = served.stdout.readline().strip()
            pages = _browsed(address, name, rounds, browser, served.pid)
            return {"memories": count, "pages": pages}
        finally:
            served.terminate()
            served.wait(timeout=10)


def _browsed(address: str, name: str, rounds: int, browser: str, server: int) -> dict[str, Any]:
    base = address.partition("/?")[0]
    some = "m0000042"
    paths = {
        "overview": "/",
        "memories": "/memories",
        "found": "/memories?q=outage",
        "filtered": "/memories?kind=pitfall&topic=area-1&status=any",
        "memory": f"/memories/{name}/{some}",
        "around": f"/memories/{name}/{some}/around",
        "why": f"/memories/{name}/{some}/why",
        "story": f"/memories/{name}/{some}/story",
        "graph": "/graph",
        "group": f"/graph?scope={name}&group=topic:area-1",
        "nights": "/nights",
        "inbox": "/inbox",
        "review": "/review",
        "figures": "/figures",
    }
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=list(FLAGS))
        page = chromium.new_context(bypass_csp=True).new_page()  # to ask it for its times
        page.goto(address)
        found: dict[str, Any] = {
            each: opened(page, base + path, rounds, server) for each, path in paths.items()
        }
        found["typing"] = searched(page, base, ["outage", "backup", "timeout", "schema"])
        chromium.close()
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--json", action="store_true", help="one object with every figure")
    asked = parser.parse_args()
    result = measure(asked.count, asked.seed, asked.rounds, asked.browser)
    if asked.json:
        print(json.dumps(result))
        return
    print(f"{result['memories']} memories")
    for name, figures in result["pages"].items():
        print(f"  {name:10}", "  ".join(f"{key} {value:>6}" for key, value in figures.items()))


if __name__ == "__main__":
    main()
