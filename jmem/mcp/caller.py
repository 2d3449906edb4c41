"""Who calls a tool: for which project, in which session, and whether a person is there.

Each client tells it in another way: in variables of the server, in the metadata of the call, as
roots of the connection, or only by the directory that the server was started in. What a hook told
of the call right before it beats all of these. A client that was started from within another one
inherits that one's variables, so they count only where the client names itself as theirs, or as
nobody that is known here.
"""

from __future__ import annotations

import os

from jmem import headless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

CODEX_META = "x-codex-turn-metadata"
_VARIABLES = (
    ("claude", "claude-code", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID"),
    ("gemini", "gemini", "GEMINI_PROJECT_DIR", "GEMINI_SESSION_ID"),
    ("cursor", "cursor", "CURSOR_PROJECT_DIR", ""),
)
"""A word in the client's name, the agent, and its variables for the project and the session."""
_WITHOUT = ("codex", "opencode", "visual studio code", "vscode", "copilot")
"""Clients that have no variables of their own for either."""

SUB_AGENT = "this is a sub-agent"
NO_PERSON = "no person takes part in this run"


class Caller:
    """``directory`` is where the call belongs, None where there is none; ``session`` is
    ``<agent>:<id>`` or empty; ``reads_only`` says why the call should not write, or is empty."""

    __slots__ = ("directory", "reads_only", "session")

    def __init__(self, directory: str | None, session: str = "", reads_only: str = "") -> None:
        self.directory = directory
        self.session = session
        self.reads_only = reads_only


def has_project(environ: Mapping[str, str], client: str) -> bool:
    """Whether the environment names the project, so that no roots need to be asked for."""
    return bool(_named_by(environ, client))


def of_call(
    meta: Mapping[str, Any], environ: Mapping[str, str], client: str, roots: Iterable[str] = ()
) -> Caller:
    """The caller of a tool; ``roots`` are the addresses that the client told of."""
    turn = meta.get(CODEX_META)
    turn = turn if isinstance(turn, dict) else {}
    named = _named_by(environ, client)
    told = _directories(turn.get("workspaces")) or [*filter(None, map(_path_of, roots))]
    return Caller(
        named or _here_or_first(told),
        _session(turn, environ, client),
        _reads_only(turn, environ, client),
    )


def announced(who: Caller, told: Mapping[str, Any]) -> Caller:
    """The caller as a hook told of it right before the call: it knows better, where it knows."""
    if not told:
        return who
    said = SUB_AGENT if told["part"] else NO_PERSON if told["alone"] else ""
    return Caller(told["directory"] or who.directory, told["session"], said or who.reads_only)


def _named_by(environ: Mapping[str, str], client: str) -> str:
    """The project that the environment names; the user's own word for it comes first."""
    theirs = [environ.get(project, "") for _, project, _ in _of_client(client)]
    return environ.get("JMEM_PROJECT", "") or next(filter(os.path.isabs, theirs), "")


def _of_client(client: str) -> list[tuple[str, str, str]]:
    """Agent and variables of the client of this name; of one that is not known here, all."""
    name = client.lower()
    own = [rest for word, *rest in _VARIABLES if word in name]
    foreign = not own and any(word in name for word in _WITHOUT)
    chosen = own or ([] if foreign else [rest for _, *rest in _VARIABLES])
    return [(agent, project, session) for agent, project, session in chosen]


def _here_or_first(told: list[str]) -> str | None:
    """The current directory where it lies in one of those that were told, or none was; else the
    first of them. None where the current directory is gone."""
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:
        return told[0] if told else None
    within = any(here == top or here.startswith(top.rstrip("/") + "/") for top in map(_real, told))
    return here if within or not told else told[0]


def _real(path: str) -> str:
    return os.path.realpath(path)


def _session(turn: Mapping[str, Any], environ: Mapping[str, str], client: str) -> str:
    identity = turn.get("session_id")
    if isinstance(identity, str) and identity:
        return f"codex:{identity}"
    for agent, _, variable in _of_client(client):
        if variable and environ.get(variable):
            return f"{agent}:{environ[variable]}"
    return ""


def _reads_only(turn: Mapping[str, Any], environ: Mapping[str, str], client: str) -> str:
    if turn.get("thread_source") == "subagent" or turn.get("subagent_kind"):
        return SUB_AGENT
    if turn.get("turn_trigger") == "exec":
        return NO_PERSON
    of_claude = any(agent == "claude-code" for agent, _, _ in _of_client(client))
    return NO_PERSON if of_claude and headless.without_person(environ) else ""


def _directories(workspaces: object) -> list[str]:
    """The directories that are keys of an object; none where it is something else."""
    names = workspaces if isinstance(workspaces, dict) else {}
    return [name for name in names if isinstance(name, str) and os.path.isabs(name)]


def _path_of(address: str) -> str:
    """The path of a ``file://`` address on this machine; empty for any other."""
    from urllib.parse import unquote, urlsplit

    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    local = parts.scheme == "file" and parts.netloc in ("", "localhost")
    path = unquote(parts.path) if local else ""
    return path if os.path.isabs(path) and "\0" not in path else ""
