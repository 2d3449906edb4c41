"""Words in common do not make two statements one: it matters which thing each speaks of."""

from __future__ import annotations

import pytest

from pipelines.rules.compare import Relation, compare


@pytest.mark.parametrize(
    ("known", "new"),
    [
        (
            "The invoice worker writes parquet files on port 5607 for the billing page",
            "The billing page reads parquet files on port 5845 from the invoice worker",
        ),
        (
            "The search job stores results in redis next to the report queue",
            "The report queue keeps results in kafka next to the search job",
        ),
        (
            "The audit table gets its rows from the session service every night over grpc in yaml",
            "The session page shows rows of the user table every night over http in json",
        ),
    ],
)
def test_statements_about_two_things_are_different(known: str, new: str) -> None:
    assert compare(known, new).relation is Relation.DIFFERENT
    assert compare(new, known).relation is Relation.DIFFERENT


def test_the_same_thing_with_another_value_is_superseded() -> None:
    found = compare(
        "The invoice worker writes parquet files on port 5607",
        "The invoice worker writes parquet files on port 5845",
    )
    assert found.relation is Relation.SUPERSEDES
