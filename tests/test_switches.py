"""Every way into the store and out of it, against the kill switch, an ephemeral session, redaction
and the modes of files: what is measured here is the table of ``internal-doc/PATHS.md``.

``WRITE_TABLE=1`` with this test writes the table anew.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jmem import (
    build_injection,
    discretion,
    record_tool_call,
    refreshing,
    scopes,
    write_note,
)
from jmem.amendment import PERSON
from jmem.cli import app
from jmem.errors import JmemError
from jmem.hooks.clients import CLIENTS, client
from jmem.hooks.command import reply
from jmem.mcp import tools
from jmem.mcp.caller import Caller
from jmem.mcp.declared import EDIT, NOTE, RECALL
from jmem.memory_tool import MemoryTool
from jmem.model import Note
from jmem.storage import detached
from jmem.storage.exchange import Exchange, Remote
from jmem.store import Store

DOCUMENT = Path(__file__).parents[1] / "internal-doc" / "PATHS.md"
BEGIN, END = "<!-- paths: tests/test_switches.py -->\n", "<!-- end -->\n"
SECRET = "ghp" + "_" + "a1B2c3D4e5F6" * 3
KNOWN = "The amber depot listens on port 5432"
NAME = "Brunhilde"
"""What the user asks to have masked beside credentials."""
SAID = f"The amber depot listens on port 6543; its token is {SECRET}; ask {NAME}"
REMEMBER = "From now on always start the amber depot with `make depot PORT=6543`, never by hand."
LOGIN = f"Log in as {NAME} with {SECRET}. " + "The page of the depot is slow when it rains. " * 5
OFF = {"JMEM_ENABLED": "false"}
EPHEMERAL = {"JMEM_EPHEMERAL": "true"}
SESSION = "0d1e2f30-0000-4000-8000-000000000007"
BRANCH = "refs/heads/jmem/depot"


@dataclass(frozen=True)
class World:
    """A store with one memory, and a way to call everything there."""

    here: Path
    jmem: Callable[..., Any]

    def command(self, *arguments: str) -> str:
        ran = self.jmem(*arguments)
        return f"{ran.out}{ran.err}"

    def tool(self, name: str, **arguments: Any) -> str:
        return tools.call(name, arguments, Caller(str(self.here), "claude-code:s1"))[0]

    def hook(self, event: str, **payload: Any) -> str:
        given = {"session_id": "s1", "cwd": str(self.here), "hook_event_name": event, **payload}
        return json.dumps(reply("claude-code", event, given, os.environ))

    def folder(self, command: str, path: str = "", **given: str) -> str:
        """The memory tool; without a path on the one file that is there."""
        memory_tool = MemoryTool(self.here)
        shown = memory_tool.call({"command": "view", "path": "/memories"})
        where = f"/memories/{path}" if path else shown.rpartition("\t")[2]
        return memory_tool.call({"command": command, "path": where, **given})

    def report(self) -> str:
        file = self.here.parent / "report.html"
        file.unlink(missing_ok=True)
        self.command("ui", "--export", str(file))
        return file.read_text()

    def store(self) -> Store:
        return Store(self.here, by=PERSON)

    def file(self) -> str:
        (file,) = scopes.resolve(self.here).root.glob("memories/*.md")
        return str(file)

    def known(self) -> str:
        return Path(self.file()).stem.rpartition("-")[2]

    def transcript(self) -> Path:
        folder = Path.home() / ".claude" / "projects" / "amber"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{SESSION}.jsonl"
        lines = [
            {
                "type": "user",
                "message": {"role": "user", "content": f"{REMEMBER}\n\n{LOGIN}"},
            },
            {"type": "assistant", "message": {"role": "assistant", "content": "The depot is up."}},
            {"type": "user", "message": {"role": "user", "content": "Thanks, that is all."}},
            {"type": "assistant", "message": {"role": "assistant", "content": "You are welcome."}},
        ]
        common = {"sessionId": SESSION, "cwd": str(self.here), "version": "2.1.0"}
        then = datetime.now(UTC) - timedelta(days=2)
        stamps = {"timestamp": f"{then:%Y-%m-%dT%H:%M:%SZ}"}
        rows = [{**common, **stamps, "uuid": f"u{n}", **each} for n, each in enumerate(lines)]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        os.utime(file, (then.timestamp(), then.timestamp()))
        return file

    def elsewhere(self) -> tuple[str, str]:
        """The words as another memory holds them, and as an export of jmem does."""
        other, export = self.here / "mem0.json", self.here / "export.jsonl"
        other.write_text(json.dumps([{"id": "1", "memory": SAID}]))
        file = {"path": "memories/depot-m7k2q9xa.md", "text": f"---\nid: m7k2q9xa\n---\n{SAID}\n"}
        export.write_text("\n".join(map(json.dumps, ({"jmem_export": 1}, file))))
        return str(other), str(export)

    def remote(self) -> Exchange:
        """Another repository, with which the scope is shared."""
        place = self.here.parent / "elsewhere"
        place.mkdir(exist_ok=True)
        other = Exchange(place)
        other.ensure()
        known = Exchange(scopes.resolve(self.here).root)
        known.add(Remote(name="origin", url=str(place), branch=BRANCH.rpartition("heads/")[2]))
        return other

    def pull(self) -> str:
        memory = f"---\nid: m7k2q9xa\nstatus: active\n---\n{SAID}\n".encode()
        head = json.dumps({"format": 1, "key": "0" * 32}).encode()
        files = {"memories/m7k2q9xa.md": memory, "scope.json": head}
        self.remote().write(files, "Share", parent="", ref=BRANCH, now=datetime.now(UTC))
        return self.command("pull")

    def push(self) -> str:
        """What another repository holds after it, as text."""
        other = self.remote()
        self.command("push")
        sent = other.commit_of(BRANCH)
        return b"".join(other.contents(sent).values()).decode() if sent else ""

    def learn(self) -> str:
        from jmem import clock
        from pipelines.phase1 import living

        return living.learn(self.transcript(), now=clock.now(), ended=True).why

    def distill(self) -> str:
        self.transcript()
        return self.command("distill")


WRITES: dict[str, Callable[[World], object]] = {
    "`jmem note`": lambda w: w.command("note", SAID),
    "`memory_note`": lambda w: w.tool(NOTE, text=SAID),
    "`memory_note` for all projects": lambda w: w.tool(NOTE, text=SAID, scope="global"),
    "`Store.remember`": lambda w: w.store().remember(SAID),
    "`MemoryTool`: create": lambda w: w.folder("create", "depot.md", file_text=SAID),
    "`MemoryTool`: str_replace": lambda w: w.folder("str_replace", old_str=KNOWN, new_str=SAID),
    "`jmem.write_note`": lambda w: write_note(Note(text=SAID, cwd=str(w.here))),
    "`jmem import`": lambda w: w.command("import", w.elsewhere()[0]),
    "`jmem import --restore`": lambda w: w.command("import", "--restore", w.elsewhere()[1]),
    "`jmem pull`": lambda w: w.pull(),
    "`jmem edit`": lambda w: w.command("edit", w.known(), SAID),
    "`jmem supersede`": lambda w: w.command("supersede", w.known(), SAID),
    "`memory_edit` edit": lambda w: w.tool(EDIT, action="edit", id=w.known(), text=SAID),
    "`memory_edit` supersede": lambda w: w.tool(EDIT, action="supersede", id=w.known(), text=SAID),
    "`Store.edit`": lambda w: w.store().edit(w.known(), SAID),
    "a session that goes on (`learn`)": lambda w: w.learn(),
    "`jmem distill`: sessions and notes": lambda w: w.distill(),
    "hook: session start": lambda w: w.hook("SessionStart", source="startup"),
    "hook: prompt": lambda w: w.hook("UserPromptSubmit", prompt=f"amber depot port {SECRET}"),
    "hook: a tool was used": lambda w: w.hook(
        "PostToolUse", tool_name="Read", tool_input={"file_path": w.file(), "said": SECRET}
    ),
    "`record_tool_call`": lambda w: record_tool_call({"command": f"cat {w.file()} {SECRET}"}),
    "`jmem recall` and its log": lambda w: w.command("recall", f"amber depot port {SECRET}"),
}
SENDS: dict[str, Callable[[World], str]] = {"`jmem push`": lambda w: w.push()}
READS: dict[str, Callable[[World], object]] = {
    "`jmem inject`": lambda w: w.command("inject"),
    "`jmem.build_injection`": lambda w: build_injection(w.here),
    "hook: session start": lambda w: w.hook("SessionStart", source="startup"),
    "hook: prompt": lambda w: w.hook(
        "UserPromptSubmit", session_id="s2", prompt="the port of the amber depot"
    ),
    "`jmem recall`": lambda w: w.command("recall", "the port of the amber depot"),
    "`memory_recall` search": lambda w: w.tool(RECALL, action="search", query="amber depot port"),
    "`memory_recall` recent": lambda w: w.tool(RECALL, action="recent"),
    "`memory_recall` list": lambda w: w.tool(RECALL, action="list"),
    "`memory_recall` get": lambda w: w.tool(RECALL, action="get", id=w.known()),
    "`Store.recall`": lambda w: [
        hit.document.text for hit in w.store().recall("amber depot port").surfaced
    ],
    "`Store.search`": lambda w: [each.text for each in w.store().search("amber depot")],
    "`Store.list`": lambda w: [each.text for each in w.store().list()],
    "`Store.get`": lambda w: getattr(w.store().get(w.known()), "text", ""),
    "`MemoryTool`: view": lambda w: w.folder("view"),
    "`jmem search`": lambda w: w.command("search", "amber", "depot"),
    "`jmem list`, for a person": lambda w: w.command("list"),
    "`jmem show`, for a person": lambda w: w.command("show", w.known()),
    "`jmem log`, for a person": lambda w: w.command("log"),
    "`jmem diff`, for a person": lambda w: w.command("diff"),
    "`jmem history`, for a person": lambda w: w.command("history", w.known()),
    "`jmem explain`, for a person": lambda w: w.command("explain", w.known()),
    "`jmem export`, for a person": lambda w: w.command("export"),
    "`jmem ui --export`, for a person": lambda w: w.report(),
}


@pytest.fixture(autouse=True)
def nothing_chosen() -> Iterator[None]:
    """What is masked is a choice of the process, and this one lives on."""
    yield
    discretion.choose({})


@pytest.fixture
def world(here: Path, jmem: Callable[..., Any]) -> World:
    assert app.run(["note", KNOWN]) == 0
    assert app.run(["distill"]) == 0
    return World(here, jmem)


@pytest.fixture
def jmem(capfd: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    @dataclass(frozen=True)
    class Ran:
        out: str
        err: str

    def run(*arguments: str) -> Ran:
        capfd.readouterr()
        app.run(list(arguments))
        return Ran(*capfd.readouterr())

    return run


def said(act: Callable[[World], object], world: World) -> str:
    try:
        return str(act(world))
    except JmemError as error:
        return error.message


def texts(home: Path) -> dict[str, bytes]:
    """What stands in the store: everything but locks and what is made again from the rest."""
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and not {".git", ".cache"} & set(path.parts) and path.suffix != ".lock"
    }


def brought(before: dict[str, bytes], home: Path) -> bool:
    """Whether words came into the store, masked or not."""
    after = texts(home)
    new = b"".join(data for name, data in after.items() if before.get(name) != data)
    return b"6543" in new


def modes(home: Path) -> str:
    """The files and directories that others may read or write."""
    found = (home, *home.rglob("*"))
    open_ = [p for p in found if stat.S_IMODE(p.lstat().st_mode) & 0o077]
    return ", ".join(sorted(str(path.relative_to(home)) for path in open_ if not path.is_symlink()))


@pytest.mark.parametrize("name", WRITES)
def test_what_is_written_obeys_the_switches_and_holds_no_secret(
    world: World, memory_home: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for switch in (OFF, EPHEMERAL):
        with monkeypatch.context() as switched:
            for variable, value in switch.items():
                switched.setenv(variable, value)
            before = texts(memory_home)
            said(WRITES[name], world)
            assert not brought(before, memory_home), switch
            if switch is OFF:
                assert texts(memory_home) == before
    for mark in memory_home.glob("sessions/*.off"):
        mark.unlink()  # what was ephemeral is so for good
    mask(NAME)
    before = texts(memory_home)
    discretion.choose({})
    said(WRITES[name], world)
    assert brought(before, memory_home) is not name.startswith(("hook", "`jmem recall`", "`rec"))
    settings = ("config.yaml", "hook.json")
    written = [path for path in memory_home.rglob("*") if path.is_file()]
    held = b"".join(path.read_bytes() for path in written if path.name not in settings)
    assert SECRET.encode() not in held and NAME.encode() not in held
    assert modes(memory_home) == ""


def test_what_is_read_obeys_the_switch_and_holds_nothing_that_is_masked(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    past = Path(world.file())
    past.write_text(past.read_text().replace(KNOWN, f"{KNOWN}; token {SECRET}; ask {NAME}"))
    assert app.run(["index"]) == 0  # it knows the name by heart
    mask(NAME)
    assert app.run(["prepare"]) == 0
    for name, act in READS.items():
        discretion.choose({})
        answer = said(act, world)
        assert KNOWN in answer, name
        assert SECRET not in answer and NAME not in answer, name
        with monkeypatch.context() as switched:
            switched.setenv("JMEM_ENABLED", "false")
            assert (KNOWN in said(act, world)) is name.endswith("for a person"), name


@pytest.mark.parametrize("name", SENDS)
def test_what_is_sent_obeys_the_switches_and_holds_nothing_that_is_masked(
    world: World, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    past = Path(world.file())
    mask(NAME)
    past.write_text(past.read_text().replace(KNOWN, f"{KNOWN}; token {SECRET}; ask {NAME}"))
    for switch in (OFF, EPHEMERAL):
        with monkeypatch.context() as switched:
            for variable, value in switch.items():
                switched.setenv(variable, value)
            assert SENDS[name](world) == ""
    discretion.choose({})
    sent = SENDS[name](world)
    assert KNOWN in sent
    assert SECRET not in sent and NAME not in sent


def mask(word: str) -> None:
    """The user asks from now on for a word to be masked."""
    file = Path(os.environ["JMEM_HOME"], "config.yaml")
    file.write_text(f"redact:\n  words: [{word}]\n")
    file.chmod(0o600)


def calls(world: World, session: str) -> None:
    """Every event of every client that has hooks, and a call of every tool; started processes
    included."""
    memory = next(scopes.resolve(world.here).root.glob("memories/*.md"), Path("none.md"))
    held = {
        "session_id": session,
        "cwd": str(world.here),
        "prompt": "the port of the amber depot",
        "source": "startup",
        "transcript_path": str(world.transcript()),
        "tool_name": "mcp__jmem__memory_note",
        "tool_input": {"text": SAID, "file_path": str(memory), "command": f"cat {memory}"},
    }
    for agent in CLIENTS:
        known = client(agent, held)
        assert known is not None
        for event in known.events:
            reply(agent, event, {**held, "hook_event_name": event}, os.environ)


SWITCHES = {"variable", "settings", "repository"}


def switch_off(by: str, memory_home: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if by == "variable":
        monkeypatch.setenv("JMEM_ENABLED", "false")
    elif by == "settings":
        memory_home.mkdir(exist_ok=True)
        (memory_home / "config.yaml").write_text("enabled: no  # for now\n")
    else:
        (here / ".jmem.yaml").write_text('"enabled": "false"\n')


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """The processes that hooks would have started."""
    commands: list[Sequence[str]] = []

    def start(command: Sequence[str], **_: Any) -> bool:
        commands.append(command)
        return True

    monkeypatch.setattr(detached, "start", start)
    return commands


@pytest.mark.parametrize("by", sorted(SWITCHES))
@pytest.mark.parametrize("compiled", [False, True])
def test_no_hook_writes_or_starts_anything_while_memory_is_off(
    world: World,
    started: list[Sequence[str]],
    memory_home: Path,
    monkeypatch: pytest.MonkeyPatch,
    by: str,
    compiled: bool,
) -> None:
    switch_off(by, memory_home, world.here, monkeypatch)
    if compiled:
        assert app.run(["prepare"]) == 0
    before = everything(memory_home)
    calls(world, SESSION)
    assert {k for k, v in everything(memory_home).items() if before.get(k) != v} == set()
    assert not started


@pytest.mark.parametrize("by", sorted(SWITCHES - {"settings"}))
def test_no_hook_makes_a_file_where_memory_was_never_on(
    here: Path,
    started: list[Sequence[str]],
    memory_home: Path,
    monkeypatch: pytest.MonkeyPatch,
    by: str,
) -> None:
    switch_off(by, memory_home, here, monkeypatch)
    calls(World(here, app.run), SESSION)
    assert not memory_home.exists() and not started


def test_a_hook_of_a_directory_that_is_not_there_makes_no_scope(
    here: Path, started: list[Sequence[str]], memory_home: Path
) -> None:
    calls(World(here / "gone", app.run), SESSION)
    assert not [command for command in started if "--make" in command]
    refreshing.refresh(scopes.resolve(here / "gone"), make=True)
    assert not list(memory_home.glob("projects/*"))


def everything(home: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in home.rglob("*") if path.is_file()}


def table() -> str:
    """The table as it stands in the document: each row is a test above."""
    head = [
        "| path | direction | switched off | ephemeral | credentials | modes |",
        "|" + "---|" * 6,
    ]
    writes = [
        f"| {name} | writes | nothing is written | nothing is remembered | masked | 0700, 0600 |"
        for name in WRITES
    ]
    writes += [
        f"| {name} | sends | sends nothing | sends nothing | masked, or it is refused | |"
        for name in SENDS
    ]
    off = {True: "a person may look", False: "gives nothing"}
    reads = [
        f"| {name} | reads | {off[name.endswith('a person')]} | | masked | |" for name in READS
    ]
    return "\n".join([*head, *writes, *reads, ""])


def test_the_document_holds_the_table() -> None:
    text = DOCUMENT.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    wanted = f"{before}{BEGIN}{table()}{END}{after}"
    if os.environ.get("WRITE_TABLE"):
        DOCUMENT.write_text(wanted, "utf-8")
    assert DOCUMENT.read_text("utf-8") == wanted, "run this test with WRITE_TABLE=1"


def test_what_was_ephemeral_is_not_learnt_later(
    world: World, memory_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as switched:
        switched.setenv("JMEM_EPHEMERAL", "true")
        world.hook("SessionStart", source="startup", session_id=SESSION)
        assert "ephemeral" in world.tool(NOTE, text=SAID)
    before = texts(memory_home)
    assert world.learn()
    world.distill()
    assert not brought(before, memory_home)


@pytest.mark.parametrize("below", ["", "inside"])
def test_nothing_is_remembered_in_an_excluded_directory(
    world: World, memory_home: Path, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    (world.here / "inside").mkdir()
    (memory_home / "config.yaml").write_text(f"sessions:\n  exclude: [{world.here / below}]\n")
    monkeypatch.chdir(world.here / below)
    before = texts(memory_home)
    answers = [world.command("note", SAID), world.tool(NOTE, text=SAID) if not below else ""]
    assert all("nothing was written" in answer for answer in answers if answer)
    if not below:
        world.learn()
        world.distill()
    assert not brought(before, memory_home)
    assert KNOWN in world.command("recall", "the port of the amber depot"), "what is known is read"
