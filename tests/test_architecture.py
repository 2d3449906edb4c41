"""The layers are a test: every module has a row, imports point down, each effect has one home."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROWS: tuple[tuple[int, tuple[str, ...]], ...] = (
    (
        0,
        (
            "jmem.errors",
            "jmem.clock",
            "jmem.digests",
            "jmem.discretion",
            "jmem.ids",
            "jmem._lazy",
            "jmem.layout",
            "jmem",
        ),
    ),
    (
        1,
        (
            "jmem.model",
            "jmem.paragraphs",
            "jmem.provenance",
            "jmem.importing.sources",
            "jmem.exporting.bundle",
            "jmem.exporting.documents",
            "jmem.metrics",
            "jmem.settings",
            "jmem.spelling",
            "jmem.clusters",
            "jmem.companions",
            "jmem.confidence",
            "jmem.feedback",
            "jmem.graph",
            "jmem.judgements",
            "jmem.learning",
            "jmem.lifecycle",
            "jmem.amendment",
            "jmem.chains",
            "jmem.relations",
            "jmem.telling",
            "jmem.undoing",
            "jmem.merging",
            "jmem.sharing.addresses",
            "jmem.erasing",
            "jmem.purged",
            "jmem.purgemarks",
            "jmem.unsaid",
            "jmem.mentions",
            "jmem.redact",
            "jmem.outgoing",
            "jmem.disclosure",
            "jmem.usage",
            "jmem.quality",
            "jmem.contacts",
            "jmem.state",
            "jmem.topics",
            "jmem.injection",
            "jmem.inputs",
            "jmem.plan",
            "jmem.precedence",
            "jmem.retraction",
            "jmem.disguise",
            "jmem.quarantine",
            "jmem.references",
            "jmem.promotion",
            "jmem.edits",
            "jmem.forgotten",
            "jmem.formats",
            "jmem.retrieval",
            "jmem.transcripts.injected",
            "jmem.fence",
            "jmem.freshturn",
            "jmem.freshnotes",
            "jmem.wishes",
            "jmem.triggers",
            "jmem.shellwords",
            "jmem.headless",
            "jmem.judging",
            "jmem.pending",
            "jmem.pendingstate",
            "jmem.surfacing",
        ),
    ),
    (
        2,
        (
            "jmem.storage",
            "jmem.paths",
            "jmem.checkout",
            "jmem.gitdir",
            "jmem.gitindex",
            "jmem.places",
            "jmem.scopes",
            "jmem.compiled",
            "jmem.switch",
            "jmem.config",
            "jmem.schedule",
            "jmem.transcripts",
            "jmem.llm",
            "jmem.embedders",
            "jmem.judge",
        ),
    ),
    (
        3,
        (
            "jmem.store",
            "jmem.importing",
            "jmem.exporting",
            "jmem.changing",
            "jmem.retrieving",
            "jmem.recall",
            "jmem.prompting",
            "jmem.preparing",
            "jmem.refreshing",
            "jmem.indexing",
            "jmem.meter",
            "jmem.chosen",
            "jmem.reading",
            "jmem.browsing",
            "jmem.briefing",
            "jmem.judgedviews",
            "jmem.hygiene",
            "jmem.linking",
            "jmem.clearing",
            "jmem.sessions",
            "jmem.scanning",
            "jmem.sharing",
            "jmem.doctor",
            "jmem.unwelcome",
            "jmem.notestory",
            "jmem.figures",
            "jmem.nights",
            "jmem.overview",
        ),
    ),
    (
        4,
        (
            "jmem.entry",
            "jmem.agents",
            "jmem.cli",
            "jmem.hooks",
            "jmem.mcp",
            "jmem.memory_tool",
            "jmem.web",
        ),
    ),
    (5, ("pipelines",)),
)
HOMES: dict[str, tuple[str, ...]] = {
    "git": ("jmem.storage.history",),
    "portalocker": ("jmem.storage.locks",),
    "subprocess": ("jmem.storage.processes",),
    "tempfile": ("jmem.storage.history", "jmem.storage.processes", "jmem.storage.scratch"),
    "yaml": ("jmem.formats", "jmem.config"),
    "frontmatter": ("jmem.formats",),
    "httpx": ("jmem.llm",),
    "anthropic": ("jmem.memory_tool",),
    "anyio": ("jmem.memory_tool",),
    "numpy": ("jmem.embedders", "jmem.retrieval"),
    "sqlite3": ("jmem.storage.index", "jmem.transcripts.opencode_database"),
    "click": ("jmem.cli", "pipelines.cli"),
    "rich": ("jmem.cli.terminal",),
    "jinja2": ("jmem.web",),
    "starlette": ("jmem.web",),
    "uvicorn": ("jmem.web",),
}
EFFECTS = frozenset({"os.urandom", "datetime.now", "time.time", "random", "secrets", "open"})
HOOK_BUDGET = frozenset({"__future__", "json", "os", "sys", "time", "hashlib", "re", "sqlite3"})


def modules() -> dict[str, Path]:
    """Every module of both packages by its dotted name."""
    found = {}
    for package in ("jmem", "pipelines"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def row_of(module: str) -> int | None:
    """The row of the longest listed name that the module is or lies in."""
    best: tuple[int, int] | None = None
    for row, names in ROWS:
        for name in names:
            inside = module == name or (name != "jmem" and module.startswith(name + "."))
            if inside and (best is None or len(name) > best[0]):
                best = (len(name), row)
    return best[1] if best else None


def imports_of(module: str, *, everywhere: bool = True) -> Iterator[str]:
    """The modules that a module imports; those under TYPE_CHECKING cost nothing and count not."""
    tree = ast.parse(MODULES[module].read_text("utf-8"))
    nodes = list(ast.walk(tree)) if everywhere else list(tree.body)
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in nodes:
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in MODULES else node.module


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_a_row(module: str) -> None:
    assert row_of(module) is not None, f"{module} is in no row of the architecture"


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_down(module: str) -> None:
    own = row_of(module)
    for imported in imports_of(module):
        other = row_of(imported) if imported in MODULES else None
        if own is not None and other is not None:
            assert other <= own, f"{module} (row {own}) imports {imported} (row {other})"


def test_jmem_never_names_pipelines() -> None:
    for module, path in MODULES.items():
        if module.startswith("jmem"):
            names = [name for name in imports_of(module) if name.split(".")[0] == "pipelines"]
            assert not names, f"{path} imports {names}"


def test_no_import_cycles() -> None:
    graph = {m: {i for i in imports_of(m) if i in MODULES and i != m} for m in MODULES}
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, " -> ".join((*trail[trail.index(module) :], module))
        if module not in done:
            for imported in sorted(graph[module]):
                visit(imported, (*trail, module))
            done.add(module)

    for module in sorted(graph):
        visit(module, ())


@pytest.mark.parametrize("module", MODULES)
def test_each_effect_has_one_home(module: str) -> None:
    for imported in imports_of(module):
        homes = HOMES.get(imported.split(".")[0])
        if homes is not None:
            allowed = any(module == home or module.startswith(home + ".") for home in homes)
            assert allowed, f"{module} imports {imported}, whose home is {homes}"


@pytest.mark.parametrize("module", [m for m in MODULES if row_of(m) in (0, 1)])
def test_ground_and_pure_rows_have_no_effects(module: str) -> None:
    if module == "jmem.clock":  # the one home of reading the clock
        return
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            effects = [name for name in EFFECTS if called == name or called.endswith("." + name)]
            assert not effects, f"{module} calls {called}"


def test_no_rooms_for_junk() -> None:
    for module in MODULES:
        assert module.rpartition(".")[2] not in {"utils", "helpers", "common", "manager"}, module


@pytest.mark.parametrize("module", MODULES)
def test_files_can_be_read_in_one_sitting(module: str) -> None:
    lines = MODULES[module].read_text("utf-8").count("\n")
    assert lines <= 340, f"{module} has {lines} lines"


def loaded_by(code: str) -> set[str]:
    """What a fresh interpreter has loaded after running the code, beyond what it starts with."""
    program = (
        "import sys; before = set(sys.modules)\n"
        f"{code}\n"
        "found = sorted(set(sys.modules) - before)\n"
        "import json; print(json.dumps(found))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout))


def test_the_hook_path_begins_with_almost_nothing() -> None:
    """Each hook starts at ``jmem.entry``: what that imports is paid at every prompt."""
    assert loaded_by("import jmem.entry") <= {"jmem", "jmem.entry"} | HOOK_BUDGET


def test_hooks_load_no_search_where_all_lies_ready_and_never_openssl() -> None:
    code = (
        "import jmem.hooks.command, jmem.hooks.core, jmem.hooks.starting, jmem.hooks.reminding\n"
        "import jmem.prompting, jmem.storage.usagefile, jmem.hooks.clients.claude_code"
    )
    searching = {"sqlite3", "datetime", "contextlib", "_hashlib", "jmem.recall", "jmem.retrieving"}
    heavy = {"dataclasses", "enum", "functools", "inspect", "logging", "pathlib", "typing"}
    re_and_json = loaded_by("import re, json")  # what these load is paid anyway
    assert not (searching | heavy) & (loaded_by(code) - re_and_json)


def test_a_cold_recall_loads_what_a_hook_may() -> None:
    """``jmem recall`` answers without click, and finds vectors without numpy."""
    code = "import jmem.cli.quick, jmem.embedders.static, jmem.storage.detached"
    heavy = {
        "click",
        "dataclasses",
        "importlib.metadata",
        "inspect",
        "logging",
        "numpy",
        "pathlib",
        "subprocess",
        "typing",
        "yaml",
    }
    assert not heavy & loaded_by(code)


def test_a_note_loads_no_git_no_yaml_and_no_rules() -> None:
    code = "import jmem.cli.app, jmem.cli.notes"
    heavy = {
        "git",
        "yaml",
        "frontmatter",
        "portalocker",
        "httpx",
        "pipelines",
        "importlib.metadata",
    }
    assert not {n for n in loaded_by(code) if n in heavy or n.split(".")[0] in heavy}


def test_a_night_with_nothing_new_loads_no_git_and_no_rules() -> None:
    heavy = {"git", "frontmatter", "httpx", "pipelines.phase1.extract", "pipelines.rules.decider"}
    assert not loaded_by("import pipelines.cli") & heavy
