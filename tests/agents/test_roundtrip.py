"""Thirty configuration files as people have them: connecting and taking out leaves every byte."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from jmem.agents import installing
from jmem.agents.client import Place
from jmem.agents.installing import BACKUP
from jmem.agents.registry import CLIENTS
from jmem.errors import Refused
from jmem.formats import jsonc

CLAUDE = ("claude-code", ".claude/settings.json")
SERVERS = ("claude-code", ".claude.json")
GEMINI = ("gemini", ".gemini/settings.json")
CODEX = ("codex", ".codex/config.toml")
HOOKS = ("codex", ".codex/hooks.json")
OPENCODE = ("opencode", ".config/opencode/opencode.json")
CURSOR = ("cursor", ".cursor/hooks.json")
VSCODE = ("vscode", ".config/Code/User/mcp.json")

OTHERS_HOOK = '{"type": "command", "command": "notify-send done"}'
FILES: dict[str, tuple[tuple[str, str], bytes]] = {
    "empty": (CLAUDE, b""),
    "a line end alone": (CLAUDE, b"\n"),
    "an empty object": (CLAUDE, b"{}"),
    "an empty object on two lines": (CLAUDE, b"{\n}\n"),
    "one line": (CLAUDE, b'{"theme":"dark"}'),
    "one line with spaces": (CLAUDE, b'{ "theme": "dark", "hooks": { } }\n'),
    "without a final line end": (SERVERS, b'{\n  "numStartups": 3,\n  "projects": {}\n}'),
    "other servers": (SERVERS, b'{\n  "mcpServers": {\n    "github": {"command": "gh"}\n  }\n}\n'),
    "other servers on one line": (
        SERVERS,
        b'{"mcpServers": {"github": {"command": "gh"}}, "x": 1}',
    ),
    "servers that are empty": (SERVERS, b'{\n  "mcpServers": {},\n  "userID": "ida"\n}\n'),
    "another one's hooks": (
        CLAUDE,
        b'{\n  "hooks": {\n    "Stop": [{"hooks": [' + OTHERS_HOOK.encode() + b"]}]\n  }\n}\n",
    ),
    "an event without hooks": (CLAUDE, b'{\n  "hooks": {\n    "Stop": []\n  }\n}\n'),
    "permissions of one's own": (
        CLAUDE,
        b'{\n  "permissions": {\n    "allow": [\n      "Bash(ls:*)"\n    ]\n  }\n}\n',
    ),
    "comments": (
        OPENCODE,
        b'// my settings\n{\n  // the look\n  "theme": "dark", /* or light */\n  "x": 1 // last\n'
        b"  // nothing more\n}\n",
    ),
    "a trailing comma": (OPENCODE, b'{\n  "theme": "dark",\n  "mcp": {\n    "a": {},\n  },\n}\n'),
    "a comma after a comment": (OPENCODE, b'{"theme": "dark" /* mine */ , }\n'),
    "comments alone": (OPENCODE, b"// nothing yet\n"),
    "a comment in an empty object": (OPENCODE, b"{ // nothing yet\n}\n"),
    "tabs": (
        GEMINI,
        b'{\n\t"ui": {\n\t\t"theme": "x"\n\t},\n\t"mcpServers": {\n\t\t"a": {}\n\t}\n}\n',
    ),
    "four spaces": (GEMINI, b'{\n    "mcpServers": {\n        "a": {}\n    }\n}\n'),
    "carriage returns": (GEMINI, b'{\r\n  "ui": {},\r\n  "hooks": {}\r\n}\r\n'),
    "a byte order mark": (GEMINI, b'\xef\xbb\xbf{\n  "ui": {}\n}\n'),
    "odd formatting": (GEMINI, b'{"ui"\n:{ "theme":"x"}\n ,\n"mcpServers":{\n"a":{}}}\n\n\n'),
    "a key twice": (VSCODE, b'{"servers": {"a": {}}, "servers": {"b": {}}}\n'),
    "inputs": (
        VSCODE,
        b'{\n  "inputs": [],\n  "servers": {\n    "a": {"url": "http://x//y"}\n  }\n}\n',
    ),
    "other languages": (CURSOR, '{\n  "version": 1,\n  "备注": "夜 ☃"\n}\n'.encode()),
    "hooks of the same version": (CURSOR, b'{"version": 1, "hooks": {"stop": []}}\n'),
    "codex hooks": (HOOKS, b'{"hooks": {"Stop": [{"hooks": [' + OTHERS_HOOK.encode() + b"]}]}}"),
    "toml": (CODEX, b'model = "gpt"  # mine\n\n[mcp_servers.a]\ncommand = "a"\n'),
    "toml without a final line end": (CODEX, b'[profiles.x]\nmodel = "gpt" # the last line'),
    "toml with carriage returns": (CODEX, b'model = "gpt"\r\n[a]\r\nb = """\r\n[c]\r\n"""\r\n'),
    "toml with dotted keys": (CODEX, b'[mcp_servers]\na.command = "a"\n\n\n'),
    "toml comments alone": (CODEX, b"# nothing yet\n\n"),
    "toml arrays": (CODEX, b"notify = [\n  \"a\",\n  [1],\n]\n[[x]]\ny = '''\n[z]'''\n"),
}


def _write(home: Path, name: str, data: bytes) -> Path:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def add(agent: str, place: Place) -> None:
    installing.carry_out(installing.to_add(agent, CLIENTS[agent].targets(place)))


def remove(agent: str, place: Place) -> None:
    installing.carry_out(installing.to_remove(agent, CLIENTS[agent].targets(place)))


def _tree(home: Path) -> dict[str, bytes]:
    return {str(p.relative_to(home)): p.read_bytes() for p in home.rglob("*") if p.is_file()}


def _value(path: Path) -> object:
    text = path.read_text("utf-8")
    if path.suffix == ".toml":
        return tomllib.loads(text)
    root = jsonc.parse(text)
    return root and root.value


@pytest.mark.parametrize("kind", FILES)
def test_taking_out_leaves_the_bytes_that_were_there(kind: str, place: Place, home: Path) -> None:
    (agent, name), data = FILES[kind]
    path = _write(home, name, data)
    path.chmod(0o640)
    add(agent, place)
    assert path.read_bytes() != data
    assert "jmem" in json.dumps(_value(path))
    assert (home / f"{name}{BACKUP}").read_bytes() == data
    assert installing.to_add(agent, CLIENTS[agent].targets(place)) == [], "a second time is none"
    remove(agent, place)
    assert _tree(home) == {name: data}
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("agent", CLIENTS)
def test_files_that_jmem_made_go_with_their_folders(agent: str, place: Place, home: Path) -> None:
    add(agent, place)
    assert list(home.iterdir())
    remove(agent, place)
    assert list(home.iterdir()) == []


BROKEN = {
    "broken": (CLAUDE, b'{"theme": "dark"'),
    "a list": (CLAUDE, b"[]\n"),
    "hooks that are no object": (CLAUDE, b'{"hooks": []}\n'),
    "another server of the name": (SERVERS, b'{"mcpServers": {"jmem": {"command": "other"}}}\n'),
    "a server elsewhere of the name": (
        SERVERS,
        b'{"mcpServers": {"jmem": {"url": "http://127.0.0.1:9/"}}}\n',
    ),
    "settings for a server of the name": (
        GEMINI,
        b'{"mcpServers": {"jmem": {"env": {"A": "b"}}}}\n',
    ),
    "another version": (CURSOR, b'{"version": 2}\n'),
    "not text": (GEMINI, b'{"a": "\xff"}\n'),
    "broken toml": (CODEX, b"model = \n"),
    "an inline table": (CODEX, b'mcp_servers = { a = { command = "a" } }\n'),
    "a dotted key of the name": (
        CODEX,
        b'mcp_servers.jmem = { command = "/opt/jmem", args = ["mcp"] }\n',
    ),
    "a table below the name": (CODEX, b'[mcp_servers.jmem.env]\nA = "b"\n'),
    "another table of the name": (CODEX, b'[mcp_servers.jmem]\ncommand = "other"\n'),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_cannot_be_changed_is_refused_before_anything_is(
    kind: str, place: Place, home: Path
) -> None:
    (agent, name), data = BROKEN[kind]
    path = _write(home, name, data)
    with pytest.raises(Refused, match=path.name) as refusal:
        add(agent, place)
    assert "zip" not in refusal.value.message
    assert _tree(home) == {name: data}


@pytest.mark.parametrize("link", [GEMINI[1], ".gemini"])
@pytest.mark.parametrize("end", ["nowhere", "itself"])
def test_a_link_that_leads_nowhere_is_refused(
    link: str, end: str, place: Place, home: Path
) -> None:
    path = home / link
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(path.name if end == "itself" else "nowhere")
    with pytest.raises((Refused, OSError)):
        add("gemini", place)
    assert path.is_symlink()
    assert sorted(home.rglob("*")) == sorted({path, *path.parents} & {*home.rglob("*")})


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_read_only_stays_so(kind: str, place: Place, home: Path) -> None:
    path = _write(home, CLAUDE[1], b"{}\n")
    closed = path if kind == "file" else path.parent
    closed.chmod(0o444 if kind == "file" else 0o555)
    with pytest.raises(Refused, match="read-only"):
        add("claude-code", place)
    closed.chmod(0o755)
    assert _tree(home) == {CLAUDE[1]: b"{}\n"}


def test_a_link_into_dotfiles_stays_one(place: Place, home: Path, tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles.json"
    dotfiles.write_bytes(b'{\n  "theme": "dark"\n}\n')
    link = home / CLAUDE[1]
    link.parent.mkdir()
    link.symlink_to(dotfiles)
    add("claude-code", place)
    assert link.is_symlink()
    assert b"hook claude-code" in dotfiles.read_bytes()
    remove("claude-code", place)
    assert link.is_symlink()
    assert dotfiles.read_bytes() == b'{\n  "theme": "dark"\n}\n'
    assert [path.name for path in link.parent.iterdir()] == ["settings.json"]
