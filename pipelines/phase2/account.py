"""What a run adds to the account of each engine (``jmem.quality``). Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from jmem import quality
from jmem.model import Decision, How, Op
from jmem.quality import Credit

RULES: Final = "rules"
AGENT: Final = " (agent)"
"""What the name of a decider ends in where the model worked with tools."""


def of(
    decisions: Iterable[Decision], known: Mapping[str, Credit], touched: Collection[str]
) -> dict[str, Credit]:
    """The credits of a run. ``touched``: memories whose files a person changed before it."""
    inputs: dict[str, int] = {}
    made: dict[str, list[str]] = {}
    for decision in decisions:
        verdict = decision.verdict
        engine = engine_of(verdict.decider)
        inputs[engine] = inputs.get(engine, 0) + 1
        if verdict.op is Op.ADD or verdict.how in (How.SUPERSEDE, How.CONTRADICT):
            made.setdefault(engine, []).append(decision.subject)
    fresh = {
        engine: Credit(inputs=count, made=tuple(made.get(engine, ())))
        for engine, count in inputs.items()
    }
    return quality.summed(quality.of_edits(known, touched), fresh)


def engine_of(decider: str) -> str:
    """The engine behind a decider: the rules, or a model with the version of its prompts."""
    if decider.startswith(RULES):
        return RULES
    from pipelines.phase2 import agent_prompt, prompt  # a night without a model needs no prompt

    if decider.endswith(AGENT):
        return f"{decider.removesuffix(AGENT)} {agent_prompt.VERSION}"
    return f"{decider} {prompt.VERSION}"
