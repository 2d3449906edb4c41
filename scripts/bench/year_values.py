"""What the planted facts of the simulated year are about, and the values that they take."""

from __future__ import annotations

import random
from collections.abc import Callable

_CREATURES = """
    heron otter lynx badger marten egret plover dunlin godwit siskin wren bittern tern curlew
    stoat vole newt adder pike perch bream loach tench rudd
    """.split()  # noqa: SIM905 - a table of words reads better as text
_ROLES = """
    relay ledger crawler broker resizer tagger ranker splitter recorder dispatcher geocoder
    translator
    """.split()  # noqa: SIM905
_PEOPLE = """
    Mireille Tobias Anneke Rashid Solveig Kwame Paloma Dmitri Hanneke Isidro Noor Bertil
    Chiara Oluwaseun Yuki Marisol
    """.split()  # noqa: SIM905
_ZH_PEOPLE = "韩梅 周楠 郭晓 沈岚 罗毅 邓超然 傅敏 彭飞".split()  # noqa: SIM905
_REMEDIES = (
    "empty the spool by hand",
    "bounce the sidecar first",
    "raise the descriptor limit",
    "replay the journal from the checkpoint",
    "warm the lookup cache",
    "pin the process to one core",
    "ask the storage crew for more room",
    "turn the compactor off for an hour",
    "re-import the trust anchors",
    "drain one shard after the other",
    "delete the stale lease",
    "set the umask before it comes up",
)
_DAYS = "Monday Tuesday Wednesday Thursday Friday".split()  # noqa: SIM905
_CHOICES = {
    "database": "MySQL CockroachDB ClickHouse FoundationDB Redshift Firebird Couchbase Vertica",
    "library": "httpx aiohttp urllib3 Faraday OkHttp Retrofit libcurl hyper",
    "weekday": " ".join(_DAYS),
    "language": "Dutch Portuguese Finnish Italian Polish",
    "diagrams": "Mermaid Graphviz PlantUML Excalidraw Penpot",
    "editor": "Helix Kakoune Zed Emacs Geany",
    "indent": "2 3 4 8",
    "columns": "72 76 88 96 100 110",
    "lines": "150 200 250 300 400 500",
    "days": "5 10 14 21 28 35 45 60 75",
    "seconds": "4 8 12 18 25 35 50 70 90 150",
    "number": "3 6 9 16 24 32 48 72",
}
_PHRASES = {
    "merging": ("fast-forward", "a merge commit", "squashing", "rebasing"),
    "dates": ("2026-03-09", "09.03.2026", "March 9, 2026", "9/3/26"),
    "summary": ("a list of files", "one paragraph", "the commands you ran", "a short table"),
    "remedy": _REMEDIES,
    "person": tuple(_PEOPLE),
    "zhperson": tuple(_ZH_PEOPLE),
}
_SHAPED: dict[str, Callable[[random.Random, str], str]] = {
    "port": lambda rng, _: str(rng.randrange(1100, 9900)),
    "url": lambda rng, it: f"https://{it}-{rng.randrange(10, 99)}.corp.lan/{rng.choice('abc')}",
    "command": lambda rng, it: rng.choice(
        (
            f"nox -s {it}-{rng.choice(('quick', 'all', 'slow'))}",
            f"bazel test //{it}:{rng.choice(('unit', 'every', 'small'))}",
            f"rake spec:{it}:{rng.choice(('fast', 'whole'))}",
            f"mix test apps/{it}",
            f"gradle :{it}:verify",
            f"sbt {it}/testOnly",
            f"./scripts/{it}/check.sh --{rng.choice(('strict', 'brief', 'deep'))}",
        )
    ),
    "version": lambda rng, _: f"{rng.randrange(1, 28)}.{rng.randrange(0, 14)}",
    "host": lambda rng, _: f"{rng.choice(('basalt', 'gneiss', 'flint'))}-{rng.randrange(10, 99)}",
    "path": lambda rng, it: rng.choice(
        (
            f"conf/{it}/quota.toml",
            f"etc/{it}.limits.ini",
            f"deploy/values/{it}.yml",
            f"settings/{it}/caps.json",
            f"ops/{it}/bounds.cue",
        )
    ),
    "flag": lambda rng, _: (
        "--"
        + rng.choice(("eager", "lenient", "no-fork", "bounded", "mirrored", "shallow", "pooled"))
        + rng.choice(("", "-io", f"={rng.randrange(2, 40)}"))
    ),
    "hour": lambda rng, _: f"{rng.randrange(0, 24):02}:{rng.randrange(0, 12) * 5:02}",
    "channel": lambda rng, it: f"#{rng.choice(('sre', 'on-call', 'squad', 'noise'))}-{it}",
    "variable": lambda rng, it: "_".join(
        (
            it.upper().replace("-", "_"),
            rng.choice(("PG", "STORE", "BACKEND", "MAIN")),
            rng.choice(("DSN", "URI")),
        )
    ),
    "dashboard": lambda rng, it: f"https://charts.corp.lan/v/{it}-{rng.randrange(100, 999)}",
    "prefix": lambda rng, it: rng.choice((it[:3], "task", "chore", "spike", f"{it[:2]}x")),
}


def things() -> list[str]:
    """The names of what facts are about: every creature with every role, so that two of them have
    a word in common more often than not."""
    return [f"the {creature} {role}" for creature in _CREATURES for role in _ROLES]


def people() -> list[str]:
    """People who are only mentioned."""
    return _PEOPLE


def filler(rng: random.Random, kind: str) -> str:
    """What stands in a remark that is no fact: a day, an hour or a number."""
    if kind == "d":
        return rng.choice(_DAYS)
    return _SHAPED["hour"](rng, "") if kind == "h" else str(rng.randrange(2, 9999))


def value(rng: random.Random, kind: str, thing: str, *others: str) -> str:
    """A value of that kind for a fact on the thing, none of ``others``."""
    name = thing.removeprefix("the ").replace(" ", "-")
    while True:
        if kind in _SHAPED:
            found = _SHAPED[kind](rng, name)
        elif kind in _PHRASES:
            found = rng.choice(_PHRASES[kind])
        else:
            found = rng.choice(_CHOICES[kind].split())
        if found not in others:
            return found
