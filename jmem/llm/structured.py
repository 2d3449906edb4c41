"""Getting JSON out of a model: how it is asked for, and how it is found in the reply."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from itertools import islice
from typing import Any

from jmem.formats import jsonscan
from jmem.llm.model import Request

_CANDIDATES = 1000


class Form(IntEnum):
    """How a server is asked for JSON, the strictest way first."""

    SCHEMA = 0
    OBJECT = 1
    WORDS = 2


def system_text(request: Request, form: Form) -> str:
    """The system prompt; with the schema in words, where the server is not given it otherwise."""
    if request.schema is None or form is Form.SCHEMA:
        return request.system
    return "\n\n".join(filter(None, (request.system, in_words(request))))


def in_words(request: Request) -> str:
    """The sentence that asks for JSON."""
    return (
        "Reply with JSON and nothing else: no prose, no code fence. It must be valid by this"
        f" JSON Schema:\n{request.schema_text}"
    )


def spoken(text: str) -> str:
    """The text without a thought before it: local models think aloud, between two marks.

    A brace in a thought is not the reply, and a thought that never ends is none.
    """
    if not text.lstrip().startswith("<think>"):
        return text
    return text.partition("</think>")[2].lstrip()


def parse(text: str, schema: Mapping[str, Any]) -> Any | None:
    """The JSON value in a reply, an object unless the schema says array; None without one.

    Among several objects the first with every key that the schema requires is taken: models
    give an example, or repeat the schema, before they answer. Whether the value is valid by
    the schema is for the caller to judge.
    """
    text = text.strip().removeprefix("\ufeff")
    array = schema.get("type") == "array"
    value = jsonscan.whole(text)
    if value is not None:
        return value if isinstance(value, list if array else dict) else None
    if array:
        return jsonscan.first_array(text)
    wanted = set(schema.get("required", ()))
    found = list(islice(jsonscan.objects(text), _CANDIDATES))
    return next((each for each in found if wanted <= each.keys()), found[0] if found else None)
