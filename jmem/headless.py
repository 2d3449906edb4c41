"""Runs of an agent that no person sits at, as far as the agent itself says so. Pure.

Such a run is somebody's script, or a program that asks an agent: what it holds for worth knowing
nobody has seen. A session of one is marked in its transcript, a running one in its environment.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ENTRYPOINT = "CLAUDE_CODE_ENTRYPOINT"
"""The variable in which Claude Code tells its hooks and servers how it was started."""
SHELLS_OF_AGENTS = (
    "AGENT",
    "AI_AGENT",
    "CLAUDECODE",
    "CODEX_CI",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "OPENCODE",
)
"""What agents put into the environment of the commands that they run, some of them on a terminal
of their own making."""
_BY_PROGRAMS = ("sdk", "mcp", "claude-code-github-action")


def started_by_program(entrypoint: str) -> bool:
    """Whether this entrypoint of Claude Code (``cli``, ``sdk-cli``, …) is one that programs use."""
    return entrypoint.startswith(_BY_PROGRAMS)


def without_person(environ: Mapping[str, str]) -> bool:
    """Whether the process with this environment belongs to a run without a person."""
    return started_by_program(environ.get(ENTRYPOINT, ""))


def run_by_agent(environ: Mapping[str, str]) -> bool:
    """Whether an agent says that it has started the command with this environment."""
    return any(environ.get(name) for name in SHELLS_OF_AGENTS)
