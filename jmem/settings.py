"""The table of settings: name, default, how its text is read, and what it is for. Pure.

Where the values come from is told in :mod:`jmem.config`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the settings table. ``read`` turns text into the value or raises ValueError."""

    name: str
    default: Any
    read: Callable[[str], Any]
    help: str
    repository: bool = False


AGENTS = (
    "claude-code",
    "codex",
    "gemini",
    "opencode",
    "cursor",
    "copilot",
    "aider",
    "specstory",
    "jcode",
)
"""The agents whose sessions jmem can read."""
_MOST = 10**12


def _flag(text: str) -> bool:
    lowered = text.strip().lower()
    if lowered in ("true", "yes", "on", "1"):
        return True
    if lowered in ("false", "no", "off", "0"):
        return False
    raise ValueError("use true or false")


def _count(text: str) -> int:
    number = int(text.strip())
    if number < 0:
        raise ValueError("use a number that is not negative")
    if number > _MOST:
        raise ValueError(f"use a number up to {_MOST}")
    return number


def _hours(text: str) -> float:
    number = float(text.strip())
    if not 0 <= number <= 24 * 365:
        raise ValueError("use a number of hours from 0 to 8760")
    return number


def _seconds(text: str) -> float:
    number = float(text.strip())
    if not 0 < number <= 3600:
        raise ValueError("use a number of seconds from 1 to 3600")
    return number


class OneOf:
    """Reads one of some words, in any case."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def __call__(self, text: str) -> str:
        """The word. Raises ValueError for any other."""
        word = text.strip().lower()
        if word not in self.words:
            raise ValueError(f"use {', '.join(self.words[:-1])} or {self.words[-1]}")
        return word


def _share(text: str) -> float:
    number = float(text.strip())
    if not 0 <= number <= 1:
        raise ValueError("use a number from 0 to 1")
    return number


def _span(text: str) -> float:
    number = float(text.strip())
    if not 0 <= number <= 1e6:
        raise ValueError("use a number that is not negative")
    return number


def _command(text: str) -> tuple[str, ...]:
    """A command line as words; a YAML list of words arrives joined by commas."""
    return tuple(shlex.split(text.replace(", ", " ")))


def _words(text: str) -> tuple[str, ...]:
    from jmem.redact import chosen  # only whoever has the setting pays for it

    return chosen.words_of(text)


def _patterns(text: str) -> tuple[str, ...]:
    from jmem.redact import chosen

    return chosen.patterns_of(text)


def _names(text: str) -> tuple[str, ...]:
    return tuple(part for part in re.split(r"[,\s]+", text.strip("[] \t")) if part)


SETTINGS: Final[tuple[Setting, ...]] = (
    Setting(
        "enabled",
        True,
        _flag,
        "false: nothing is written and nothing is injected",
        repository=True,
    ),
    Setting("generate", True, _flag, "false: memory is read, never written", repository=True),
    Setting("ephemeral", False, _flag, "true: nothing of this session is remembered, ever"),
    Setting("headless_writes", False, _flag, "runs without a person and sub-agents may write too"),
    Setting("hooks.deadline_ms", 400, _count, "a hook that takes longer answers nothing"),
    Setting("cooldown_hours", 6.0, _hours, "hours between two scheduled distillations"),
    Setting("max_age_days", 30, _count, "sessions started earlier are not read (0: no limit)"),
    Setting("max_sessions", 10, _count, "sessions read in one run (0: no limit)"),
    Setting("idle_hours", 2.0, _hours, "a session without an end counts as over after this"),
    Setting("max_unused_days", 45, _count, "unused session summaries are dropped after this"),
    Setting("phase2_top_n", 40, _count, "session summaries that are kept, best used first"),
    Setting("summary_inject_tokens", 1200, _count, "budget of the injected project summary"),
    Setting("daily_token_budget", 300_000, _count, "tokens a day for models, for each scope"),
    Setting("daily_token_budget_all", 600_000, _count, "tokens a day for models, all scopes"),
    Setting("model", "", str.strip, "short for llm.model"),
    Setting(
        "phase2.engine",
        "decide",
        OneOf("rules", "decide", "agent"),
        "who decides where there is a model",
    ),
    Setting("learn.topic_share", 0.3, _share, "a turn sharing less of its terms: a new topic"),
    Setting("learn.topic_turns", 4, _count, "turns before a new topic counts"),
    Setting("learn.every_turns", 12, _count, "turns read together at most in a living session"),
    Setting("learn.least_bytes", 200, _count, "less of a living session is not read"),
    Setting("llm.provider", "none", str.strip, "none, openai (any compatible), anthropic, command"),
    Setting("llm.model", "", str.strip, "the model's name, as its server knows it"),
    Setting("llm.base_url", "", str.strip, "the server's address (default: the provider's own)"),
    Setting("llm.api_key_env", "", str.strip, "the variable that holds the key"),
    Setting("llm.command", (), _command, "a program that answers, such as: claude -p"),
    Setting("llm.timeout_seconds", 120.0, _seconds, "how long one attempt may take"),
    Setting("llm.max_output_tokens", 8192, _count, "the longest reply"),
    Setting("llm.window_tokens", 128_000, _count, "what the model can hold at once"),
    Setting("sessions.agents", AGENTS, _names, "whose sessions are read"),
    Setting("sessions.roots", (), _names, "more folders to look for sessions in"),
    Setting("sessions.exclude", (), _names, "directories where nothing is remembered"),
    Setting("remote.url", "", str.strip, "the git remote of scopes that have none of their own"),
    Setting("remote.trusted", False, _flag, "it holds nothing but your own words"),
    Setting("remote.auto", True, _flag, "pull before a distillation and push after it"),
    Setting(
        "redact.personal", False, _flag, "mask e-mail addresses, telephone numbers, user names"
    ),
    Setting("redact.words", (), _words, "words and names to mask, in any case"),
    Setting(
        "redact.extra", (), _patterns, "regular expressions to mask, each with bounded repeats"
    ),
    Setting("recall.judge", "auto", OneOf("auto", "llm", "local", "off"), "who accepts hits"),
    Setting("recall.max_hits", 5, _count, "memories that surface at most"),
    Setting("recall.caution", 1.0, _span, "above 1: fewer memories surface without a model"),
    Setting("recall.pool", 50, _count, "candidates that the judge sees"),
    Setting("recall.votes", 2, _count, "models asked for one judgement"),
    Setting("recall.min_agree", 2, _count, "how many of them must accept a memory"),
    Setting("recall.cadence", 3, _count, "turns from one judgement by a model to the next"),
    Setting("recall.breaker_seconds", 30.0, _span, "a failing model is left alone for so long"),
    Setting("recall.fusion", "coverage", OneOf("coverage", "rrf"), "how both legs are joined"),
    Setting("recall.rrf_k", 10, _count, "the constant of reciprocal rank fusion"),
    Setting("recall.dense_weight", 0.4, _share, "what the vectors weigh in coverage fusion"),
    Setting(
        "recall.embedder",
        "auto",
        OneOf("auto", "none", "static", "minilm", "multilingual", "openai"),
        "where vectors come from (auto: static where it is installed)",
    ),
    Setting("recall.embedder_model", "", str.strip, "the model of recall.embedder openai"),
    Setting("recall.embedder_base_url", "", str.strip, "the address of its server"),
    Setting("recall.embedder_api_key_env", "", str.strip, "the variable that holds its key"),
    Setting("recall.immediate", True, _flag, "answer a prompt at once where nothing is prepared"),
    Setting("recall.fresh_minutes", 30.0, _span, "what was prepared is given out for so long"),
    Setting("recall.same_text_seconds", 90.0, _span, "the same text is not given out again for"),
    Setting("recall.same_ids_seconds", 180.0, _span, "nearly the same memories neither, for"),
    Setting("recall.same_ids_share", 0.8, _share, "what counts as nearly the same"),
    Setting("recall.once_minutes", 45.0, _span, "one memory surfaces once in so long"),
    Setting("recall.same_query_seconds", 30.0, _span, "the same query is not prepared again for"),
    Setting("recall.same_prompt_seconds", 5.0, _span, "a prompt sent twice is one, within"),
    Setting("recall.topic_share", 0.15, _share, "a prompt sharing less of its terms: a new topic"),
    Setting("recall.topic_terms", 6, _count, "shorter prompts never change the topic"),
    Setting("recall.topic_size", 100, _count, "terms that a topic is remembered by"),
    Setting("recall.keep_seconds", 120.0, _span, "what waits is kept so long if nearly the same"),
)
BY_NAME: Final = {setting.name: setting for setting in SETTINGS}
"""The settings by name."""
