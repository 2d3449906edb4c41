"""``jmem search``: all of the words, in the project and in the global scope, on one line a hit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Jmem = Callable[..., Any]


@pytest.fixture
def texts(jmem: Jmem, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A memory of the project, one that was forgotten, a global one and a waiting note: their ids
    by their first word."""
    monkeypatch.setenv("JMEM_RECALL_EMBEDDER", "none")

    def note(text: str, *options: str) -> tuple[str, str]:
        return text.split(maxsplit=1)[0], jmem("note", text, *options, "--json").data["id"]

    found = dict(
        [
            note("Invoices are rounded half up in the ledger.", "--kind", "pitfall"),
            note("Ledger rounding was half even once."),
        ]
    )
    jmem("distill")
    jmem("forget", found["Ledger"])
    found |= dict([note("Rounding of every ledger is tested.", "--global", "--tag", "qa")])
    jmem("distill", "--global")
    return found | dict([note("数据库端口在部署时写入配置。")])


def ids(ran: Any) -> list[str]:
    return [row["id"] for row in ran.data]


def test_all_words_in_any_order_in_both_scopes(jmem: Jmem, texts: dict[str, str]) -> None:
    both = {texts["Invoices"], texts["Rounding"]}
    assert set(ids(jmem("search", "rounded", "ledgers", "--json"))) == both
    assert ids(jmem("search", "部署端口", "--json")) == [texts["数据库端口在部署时写入配置。"]]
    ran = jmem("search", "ledger", "half")
    assert ran.out.startswith("general: Invoices are rounded half up in the ledger. (agent, ")
    assert ran.out.endswith(f"^{texts['Invoices']}\n") and ran.out.count("\n") == 1
    assert jmem("search", "部署").out.startswith("note: ")


@pytest.mark.parametrize(
    ("options", "first"),
    [
        (["--kind", "pitfall"], ["Invoices"]),
        (["--tag", "qa"], ["Rounding"]),
        (["--scope", "global"], ["Rounding"]),
        (["--scope", "project"], ["Invoices"]),
        (["--since", "2099-01-01"], []),
        (["--all", "--scope", "project"], ["Invoices", "Ledger"]),
    ],
)
def test_what_is_asked_for_and_nothing_else(
    jmem: Jmem, texts: dict[str, str], options: list[str], first: list[str]
) -> None:
    found = ids(jmem("search", "ledger", *options, "--json"))
    assert sorted(found) == sorted(texts[word] for word in first)
    assert len(ids(jmem("search", "ledger", "--limit", "1", "--json"))) == 1


def test_what_is_not_in_force_says_so(jmem: Jmem, texts: dict[str, str]) -> None:
    assert "general: [forgotten] Ledger rounding" in jmem("search", "--all", "half even").out


def test_a_call_without_a_word_to_look_for_is_wrong(jmem: Jmem, texts: dict[str, str]) -> None:
    assert jmem("search", "the").code == 2
    assert jmem("search", "ledger", "--since", "yesterday").code == 2
    ran = jmem("search", "zeppelin")
    assert (ran.code, ran.out) == (0, "") and "nothing holds" in ran.err
