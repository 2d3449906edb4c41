"""What the documents say of the code is what the code says."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import click
import pytest

from jmem.cli.app import COMMANDS
from jmem.cli.lazygroup import SECTIONS
from jmem.config import variable_of
from jmem.settings import SETTINGS

ROOT = Path(__file__).parents[1]
REMEDY = "run scripts/tables.py"


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tables", ROOT / "scripts" / "tables.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "scripts" / "reference.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["modules"])
def test_tables_follow_the_code(tables: ModuleType, name: str) -> None:
    document = (ROOT / "internal-doc" / "ARCHITECTURE.md").read_text("utf-8")
    assert tables.TABLES[name]() in document, REMEDY


@pytest.mark.parametrize("path", ["internal-doc/COMMANDS.md", "jmem/cli/summaries.py"])
def test_the_reference_follows_the_code(reference: ModuleType, path: str) -> None:
    assert (ROOT / path).read_text("utf-8") == reference.WRITTEN[path](), REMEDY


def test_every_command_and_option_says_what_it_is_for(reference: ModuleType) -> None:
    silent = []
    for path, command, _ in reference.commands():
        silent += [] if command.help else [path]
        options = [each for each in command.params if isinstance(each, click.Option)]
        silent += [f"{path} {each.opts[-1]}" for each in options if not (each.help or each.hidden)]
    assert not silent


def test_every_command_has_a_place_in_the_help(reference: ModuleType) -> None:
    """Beside what agents and schedules call."""
    placed = {name for names in SECTIONS.values() for name in names}
    shown = {path.split()[1] for path, _, _ in reference.commands()}
    assert shown - placed == {"hook", "index", "mcp"}


def test_every_variable_is_documented(reference: ModuleType) -> None:
    named = {
        name
        for package in ("jmem", "pipelines")
        for source in (ROOT / package).rglob("*.py")
        for name in re.findall(r"\bJMEM_[A-Z_]*[A-Z]\b(?!_)", source.read_text("utf-8"))
    }
    known = {variable_of(setting.name) for setting in SETTINGS}
    assert named - known - reference.ENVIRONMENT.keys() == reference.INTERNAL


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    for path in ("README.md", "internal-doc/ARCHITECTURE.md"):
        text = (ROOT / path).read_text("utf-8")
        assert re.search(rf"`jmem {command}\b", text), f"{command} in {path}"


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        *(f"internal-doc/guides/{name}.md" for name in ("agents", "ci", "privacy", "teams")),
    ],
)
def test_documents_name_commands_and_options_that_are_there(
    reference: ModuleType, path: str
) -> None:
    known: dict[str, set[str]] = {}
    for name, command, _ in reference.commands():
        options = {opt for each in command.params for opt in (*each.opts, *each.secondary_opts)}
        known.setdefault(name.split()[1], {"--help"}).update(options)
    known["prepare"] = set()  # hidden: what hooks start
    text = (ROOT / path).read_text("utf-8")
    wrong = []
    for named, rest in re.findall(r"\bjmem ([a-z]+)\b([^`\n#|&;]*)", text):
        if named in known:
            wrong += [f"jmem {named} {o}" for o in _options_in(rest) if o not in known[named]]
        elif re.search(rf"[`$] ?jmem {named}\b", text):
            wrong.append(f"jmem {named}")
    assert not wrong


def _options_in(text: str) -> list[str]:
    return re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)


def test_every_decision_is_listed() -> None:
    folder = ROOT / "internal-doc" / "decisions"
    listed = (folder / "README.md").read_text("utf-8")
    for path in folder.glob("[0-9]*.md"):
        assert f"({path.name})" in listed
        assert path.read_text("utf-8").startswith(f"# {path.name[:4]} ")
