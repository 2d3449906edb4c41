"""The Messages API of Anthropic."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from jmem.llm import settings as chosen
from jmem.llm.http import Endpoint
from jmem.llm.model import Flaw, Request
from jmem.llm.remote import Dialect, NotAReply, RemoteModel, Said, count_of, model_of
from jmem.llm.settings import Limits, LlmSettings
from jmem.llm.structured import Form, system_text

DEFAULT_URL = "https://api.anthropic.com"
DEFAULT_KEY = "ANTHROPIC_API_KEY"
VERSION = "2023-06-01"
_ABOUT_FORM = re.compile(r"output_config|output_format|output format|json|schema|structured")
_FLAWS = {
    "max_tokens": (Flaw.TRUNCATED, "the reply was cut off at its longest"),
    "model_context_window_exceeded": (Flaw.TRUNCATED, "the reply filled the model's window"),
    "refusal": (Flaw.REFUSED, "the model refused to answer"),
    "tool_use": (Flaw.MALFORMED, "it calls a tool, and there is none"),
    "pause_turn": (Flaw.MALFORMED, "it paused before its end"),
}


def open_model(settings: LlmSettings, *, environ: Mapping[str, str], limits: Limits) -> RemoteModel:
    """The model behind ``{base_url}/v1/messages``. Raises ConfigError."""
    base = chosen.address(settings, DEFAULT_URL).removesuffix("/v1")
    key = chosen.key(settings, DEFAULT_KEY, environ)
    endpoint = Endpoint(
        name=f"anthropic:{settings.model}",
        url=f"{base}/v1/messages",
        headers={
            "content-type": "application/json",
            "anthropic-version": VERSION,
            **({"x-api-key": key} if key else {}),
        },
        secrets=(key,) if key else (),
        seconds=settings.timeout_seconds,
        local=chosen.loopback(base),
        limits=limits,
    )
    return RemoteModel(Messages(), endpoint, settings, dialect=Dialect())


class Messages:
    """The Shape of the Messages API. It knows the schema and words, and nothing between."""

    def payload(
        self, request: Request, *, model: str, answer_tokens: int, dialect: Dialect
    ) -> dict[str, Any]:
        payload: dict[str, Any] = {
            "model": model,
            "max_tokens": answer_tokens,
            "messages": [{"role": "user", "content": request.prompt}],
        }
        if system := system_text(request, dialect.form):
            payload["system"] = system
        if request.schema is not None and dialect.form is Form.SCHEMA:
            payload["output_config"] = {
                "format": {"type": "json_schema", "schema": dict(request.schema)}
            }
        return payload

    def following(self, dialect: Dialect, complaint: str) -> Dialect | None:
        if dialect.form is Form.SCHEMA and _ABOUT_FORM.search(complaint):
            return replace(dialect, form=Form.WORDS)
        return None

    def read(self, body: Mapping[str, Any]) -> Said:
        content = body.get("content")
        if not isinstance(content, list):
            raise NotAReply("it has no content")
        texts = [
            block.get("text")
            for block in content
            if isinstance(block, dict) and block.get("type") == "text"
        ]
        flaw, why = _FLAWS.get(str(body.get("stop_reason")), (None, ""))
        usage = body.get("usage")
        return Said(
            text="".join(text for text in texts if isinstance(text, str)),
            model=model_of(body),
            flaw=flaw,
            why=why,
            tokens_in=count_of(
                usage, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"
            ),
            tokens_out=count_of(usage, "output_tokens"),
        )
