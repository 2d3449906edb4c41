"""Chat completions: OpenAI, and every server that speaks like it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from jmem.llm import settings as chosen
from jmem.llm.http import Endpoint
from jmem.llm.model import Flaw, Request
from jmem.llm.remote import Dialect, NotAReply, RemoteModel, Said, count_of, model_of
from jmem.llm.settings import Limits, LlmSettings
from jmem.llm.structured import Form, system_text

DEFAULT_URL = "https://api.openai.com/v1"
DEFAULT_KEY = "OPENAI_API_KEY"
_ABOUT_FORM = re.compile(r"response_format|json|schema|structured|grammar|guided")
_ABOUT_LIMIT = re.compile(
    r"max_(completion_)?tokens.{0,60}(not (supported|permitted|allowed)|unsupported|unrecogni|"
    r"unknown|extra)|(unsupported|unrecogni|unknown|extra).{0,60}max_(completion_)?tokens",
    re.DOTALL,
)
_LIMITS = ("max_tokens", "max_completion_tokens")
_FLAWS = {
    "length": (Flaw.TRUNCATED, "the reply was cut off at its longest"),
    "content_filter": (Flaw.REFUSED, "the reply was filtered by the provider"),
    "tool_calls": (Flaw.MALFORMED, "it calls a tool, and there is none"),
    "function_call": (Flaw.MALFORMED, "it calls a function, and there is none"),
    "error": (Flaw.MALFORMED, "the server failed while it replied"),
}


def open_model(settings: LlmSettings, *, environ: Mapping[str, str], limits: Limits) -> RemoteModel:
    """The model behind ``{base_url}/chat/completions``. Raises ConfigError."""
    base = chosen.address(settings, DEFAULT_URL)
    key = chosen.key(settings, DEFAULT_KEY, environ)
    endpoint = Endpoint(
        name=f"openai:{settings.model}",
        url=f"{base}/chat/completions",
        headers={
            "content-type": "application/json",
            **({"authorization": f"Bearer {key}"} if key else {}),
        },
        secrets=(key,) if key else (),
        seconds=settings.timeout_seconds,
        local=chosen.loopback(base),
        limits=limits,
    )
    # OpenAI's own newer models refuse the old name; other servers know only the old one.
    own = urlsplit(base).hostname == urlsplit(DEFAULT_URL).hostname
    return RemoteModel(ChatCompletions(), endpoint, settings, dialect=Dialect(limit=_LIMITS[own]))


class ChatCompletions:
    """The Shape of chat completions."""

    def payload(
        self, request: Request, *, model: str, answer_tokens: int, dialect: Dialect
    ) -> dict[str, Any]:
        system = system_text(request, dialect.form)
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": request.prompt})
        payload: dict[str, Any] = {
            "model": model,
            "messages": messages,
            dialect.limit: answer_tokens,
        }
        if request.schema is not None and dialect.form is Form.SCHEMA:
            payload["response_format"] = {
                "type": "json_schema",
                "json_schema": {
                    "name": request.schema_name,
                    "strict": True,
                    "schema": dict(request.schema),
                },
            }
        elif request.schema is not None and dialect.form is Form.OBJECT:
            payload["response_format"] = {"type": "json_object"}
        return payload

    def following(self, dialect: Dialect, complaint: str) -> Dialect | None:
        if not dialect.limit_tried and _ABOUT_LIMIT.search(complaint):
            other = _LIMITS[dialect.limit == _LIMITS[0]]
            return replace(dialect, limit=other, limit_tried=True)
        if dialect.form is not Form.WORDS and _ABOUT_FORM.search(complaint):
            return replace(dialect, form=Form(dialect.form + 1))
        return None

    def read(self, body: Mapping[str, Any]) -> Said:
        choices = body.get("choices")
        if not isinstance(choices, list):
            raise NotAReply("it has no choices")
        choice = choices[0] if choices and isinstance(choices[0], dict) else {}
        message = choice.get("message")
        if not isinstance(message, dict):
            message = {}
        flaw, why = _FLAWS.get(str(choice.get("finish_reason")), (None, ""))
        if message.get("refusal"):
            flaw, why = Flaw.REFUSED, "the model refused to answer"
        usage = body.get("usage")
        return Said(
            text=_text(message.get("content")),
            model=model_of(body),
            flaw=flaw,
            why=why,
            tokens_in=count_of(usage, "prompt_tokens"),
            tokens_out=count_of(usage, "completion_tokens"),
        )


def _text(content: Any) -> str:
    """A message's text, in either of the forms that servers send."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
