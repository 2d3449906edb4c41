"""Words that say of which of several things, or of which of its sides, a fact holds."""

from __future__ import annotations

from pipelines.rules.vocabulary import SCOPES

ENVIRONMENTS = frozenset(
    "staging stage production prod development dev test qa preview canary sandbox".split()  # noqa: SIM905
    + "测试 生产 预发 本地 线上".split()  # noqa: SIM905
)
_SAME = {"prod": "production", "dev": "development", "stage": "staging", "测试环境": "测试"}
_SAME |= {"生产环境": "生产", "预发环境": "预发"}
_AT_WORK = frozenset(
    """
    client server user test api read write request response input output team web cli load
    unit reader writer import export upload download min max minimum maximum up lower upper
    previous disk
    memory network
    """.split()  # noqa: SIM905 - a table of words reads better as text
)
"""Scopes that are more often something that a statement tells."""
_SIDES = frozenset(
    """
    admin metrics debug management internal external public private primary secondary backup
    replica standby read-only idle grpc websocket health deputy vice second emergency
    """.split()  # noqa: SIM905 - a table of words reads better as text
)


def scope_of(word: str) -> str:
    """The scope that a lower-case word names, or empty."""
    if word in SCOPES | _SIDES | ENVIRONMENTS and word not in _AT_WORK:
        return _SAME.get(word, word)
    return ""
