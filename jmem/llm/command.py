"""A program that the user already has answers: ``claude -p``, ``codex exec -``.

It is an agent with hooks, memory and tools of its own. So it is run apart: in an empty
directory, with few variables, told by two of them that jmem must stay out of its way.
"""

from __future__ import annotations

import os.path
import shutil
from collections.abc import Mapping

from jmem.errors import ConfigError, NotFound
from jmem.llm.model import (
    Flaw,
    ModelRejected,
    ModelUnavailable,
    Reply,
    Request,
    UnusableReply,
    estimate,
    room,
)
from jmem.llm.quote import quote
from jmem.llm.settings import Limits, LlmSettings
from jmem.llm.structured import Form, parse, spoken, system_text
from jmem.storage import processes

_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
_KEPT = frozenset(
    (
        *("PATH", "HOME", "LANG", "USER", "TMPDIR"),
        *("CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN", "CODEX_HOME"),
        *_PROXIES,
        *map(str.upper, _PROXIES),
    )
)
_KEPT_BEGINNINGS = ("LC_", "XDG_", "ANTHROPIC_", "OPENAI_", "GEMINI_", "GOOGLE_")
_SECRET_ENDINGS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIALS")
_SHORTEST_SECRET = 8
_SET = {"TERM": "dumb", "JMEM_ENABLED": "false", "JMEM_CHILD": "1"}


def open_model(
    settings: LlmSettings, *, environ: Mapping[str, str], limits: Limits
) -> CommandModel:
    """The model behind a program that reads a prompt and prints a reply. Raises ConfigError."""
    words = tuple(word for word in settings.command if word)
    if not words:
        raise ConfigError(
            "llm.command is not set", hint="llm.command: claude -p, or another program with words"
        )
    program = words[0]
    if program.startswith("~/"):
        program = os.path.join(environ.get("HOME", ""), program[2:])  # noqa: PTH118 - text only
    if "/" in program and not program.startswith("/"):
        # It would be another program in every project.
        raise ConfigError("llm.command must begin with a plain name or an absolute path")
    return CommandModel((program, *words[1:]), settings, environ=environ, limits=limits)


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What the program may see: how to find itself, its user, its provider, and nothing else."""
    kept = {
        name: value
        for name, value in environ.items()
        if name in _KEPT or name.startswith(_KEPT_BEGINNINGS)
    }
    return {**kept, **_SET}


class CommandModel:
    """A model that a program answers for. One attempt a call: each may be minutes of work."""

    def __init__(
        self,
        command: tuple[str, ...],
        settings: LlmSettings,
        *,
        environ: Mapping[str, str],
        limits: Limits,
    ) -> None:
        self.name = f"command:{settings.model or command[0].rpartition('/')[2]}"
        self.window_tokens = settings.window_tokens
        self._command = command
        self._settings = settings
        self._environment = environment(environ)
        self._max_bytes = limits.max_bytes
        self._secrets = tuple(
            value
            for name, value in self._environment.items()
            if name.upper().endswith(_SECRET_ENDINGS) and len(value) >= _SHORTEST_SECRET
        )

    def complete(self, request: Request) -> Reply:
        """The answer. Raises CallFailed."""
        ceiling = self._settings.max_output_tokens
        answer_tokens = room(request, window=self.window_tokens, ceiling=ceiling)
        done = self._run(request, cost=request.tokens + answer_tokens)
        text = spoken(done.output).strip()
        tokens_out = estimate(done.output.strip())
        spent = request.tokens + tokens_out
        if done.cut:
            raise UnusableReply(
                f"{self.name} printed more than {self._max_bytes} bytes",
                flaw=Flaw.TOO_LARGE,
                tokens=spent,
            )
        if done.code != 0:
            said = (done.errors.strip() or text).partition("\n")[0]
            what = f"exit code {done.code}"
            said = quote(said, self._secrets)
            raise ModelUnavailable(
                f"{self.name} failed with {what}" + (f": {said}" if said else ""),
                tried=(what,),
                hint="try llm.command by hand, with a prompt on standard input",
                tokens=spent,
            )
        if not text:
            raise UnusableReply(f"{self.name}: the reply is empty", flaw=Flaw.EMPTY, tokens=spent)
        data = None if request.schema is None else parse(text, request.schema)
        if request.schema is not None and data is None:
            raise UnusableReply(
                f"{self.name}: the reply holds no JSON", flaw=Flaw.NOT_JSON, tokens=spent
            )
        return Reply(
            text=text,
            data=data,
            tokens_in=request.tokens,
            tokens_out=tokens_out,
            estimated=True,
            model=self._settings.model,
        )

    def _run(self, request: Request, *, cost: int) -> processes.Finished:
        program = shutil.which(self._command[0], path=self._environment.get("PATH", ""))
        # A relative entry of PATH would find another program in every project.
        if program is None or not program.startswith("/"):
            raise ModelRejected(
                f"there is no program {self._command[0]}",
                hint="llm.command may begin with an absolute path; cron knows few directories",
            )
        asked = "\n\n".join(filter(None, (system_text(request, Form.WORDS), request.prompt)))
        seconds = self._settings.timeout_seconds
        try:
            return processes.run_apart(
                (program, *self._command[1:]),
                stdin=asked + "\n",
                timeout=seconds,
                environment=self._environment,
                max_bytes=self._max_bytes,
            )
        except processes.TimedOut as error:
            what = f"no answer within {seconds:g} s"
            raise ModelUnavailable(
                f"{self.name} was stopped: {what}",
                tried=(what,),
                hint="llm.timeout_seconds says how long it may take",
                tokens=cost,
            ) from error
        except NotFound as error:
            raise ModelRejected(error.message, hint="llm.command names the program") from error
