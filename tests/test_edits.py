"""People's edits: what every kind of change to a view means, and that no change means nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import edits
from jmem.edits import Addition, Edits
from jmem.formats import viewline, views
from jmem.model import Memory, Origin, Source, Status, Trust

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
INDEX = "MEMORY.md"
LONG = "Deploy on Tuesdays only, " + "after everybody has looked at the change, " * 6 + "at noon."


def memory(identity: str, text: str, topic: str = "testing", **fields: object) -> Memory:
    return Memory(id=identity, text=text, topic=topic, created=NOW, updated=NOW, **fields)  # type: ignore[arg-type]


MEMORIES = {
    one.id: one
    for one in (
        memory("a0000001", "Run the tests with `make test-fast`.", tags=("ci",)),
        memory("a0000002", "The staging database listens on port 5433."),
        memory("a0000003", "Write commit messages in the imperative.", "git"),
        memory("a0000004", "Never push to main on a Friday.", "git"),
        memory("a0000005", LONG, "deploys"),
    )
}
STATEMENTS = {key: one.statement for key, one in MEMORIES.items()}
VIEWS = views.render(MEMORIES.values(), NOW)
VIEW = VIEWS[INDEX]


def line(identity: str) -> str:
    return viewline.render(viewline.shown(MEMORIES[identity]))


def found(after: str, before: Mapping[str, str] = VIEWS) -> Edits:
    return edits.find(before, {INDEX: after}, STATEMENTS)


def changed(after: str) -> Edits:
    """The edits without the count of what is gone, which every forgetting adds to."""
    return replace(found(after), gone={})


def without(identity: str) -> str:
    return VIEW.replace(line(identity) + "\n", "")


def test_an_untouched_view_says_nothing() -> None:
    assert changed(VIEW) == Edits()
    assert found(VIEW).excessive is None


CASES: dict[str, tuple[str, Edits]] = {
    "a line that is gone is forgotten": (without("a0000002"), Edits(forget=("a0000002",))),
    "a line at another place is nothing": (
        without("a0000001").replace(line("a0000002"), f"{line('a0000002')}\n{line('a0000001')}"),
        Edits(),
    ),
    "a line under another heading has a new topic": (
        without("a0000002").replace("## git\n", f"## git\n{line('a0000002')}\n"),
        Edits(topics={"a0000002": "git"}),
    ),
    "a renamed heading is a new topic for all below it": (
        VIEW.replace("## git\n", "## commits and branches\n"),
        Edits(topics={"a0000003": "commits and branches", "a0000004": "commits and branches"}),
    ),
    "another text is an edit": (
        VIEW.replace("port 5433", "port 5434"),
        Edits(statements={"a0000002": "The staging database listens on port 5434."}),
    ),
    "another tag is an edit of the tags": (
        VIEW.replace(" #ci ", " #slow #ci "),
        Edits(tags={"a0000001": ("slow", "ci")}),
    ),
    "a tag taken away is one too": (VIEW.replace(" #ci ", " "), Edits(tags={"a0000001": ()})),
    "a new line is an addition": (
        VIEW.replace("## git\n", "## git\n- Squash before merging. #merge\n"),
        Edits(additions=(Addition("git", "Squash before merging.", ("merge",)),)),
    ),
    "plain words below the last line are an addition": (
        VIEW + "\n## money\nAsk Ida about billing.\n",
        Edits(additions=(Addition("money", "Ask Ida about billing.", ()),)),
    ),
    "a copied line is nothing but its second text": (
        VIEW.replace(
            line("a0000002"),
            line("a0000002") + "\n- Production listens on port 6000. ^a0000002",
        ),
        Edits(additions=(Addition("testing", "Production listens on port 6000.", ()),)),
    ),
    "an id stripped off is not a deletion": (VIEW.replace(" ^a0000003", ""), Edits()),
    "an id stripped off an edited line is an edit": (
        VIEW.replace(line("a0000002"), "- The staging database listens on port 5434."),
        Edits(
            statements={"a0000002": "The staging database listens on port 5434."},
        ),
    ),
    "a line without an id that resembles nothing is a new one": (
        VIEW.replace(line("a0000002"), "- Ask Ida about billing."),
        Edits(forget=("a0000002",), additions=(Addition("testing", "Ask Ida about billing.", ()),)),
    ),
    "white space and another bullet are nothing": (
        VIEW.replace("- Never", "*   Never").replace("imperative. (", "imperative.   ("),
        Edits(),
    ),
    "carriage returns are nothing": (VIEW.replace("\n", "\r\n"), Edits()),
    "the cut line of a long statement is nothing": (VIEW, Edits()),
    "an edit of a cut line keeps its hidden end": (
        VIEW.replace("Deploy on Tuesdays", "Deploy on Mondays"),
        Edits(statements={"a0000005": LONG.replace("Tuesdays", "Mondays")}),
    ),
    "a cut line whose dots are gone is the whole of it": (
        VIEW.replace(viewline.shown(MEMORIES["a0000005"]).statement, "Deploy on Mondays."),
        Edits(statements={"a0000005": "Deploy on Mondays."}),
    ),
    "a cut line that was written out is nothing": (
        VIEW.replace(viewline.shown(MEMORIES["a0000005"]).statement, LONG),
        Edits(),
    ),
    "an emptied line is nothing": (
        VIEW.replace("Never push to main on a Friday. (agent", "(agent"),
        Edits(),
    ),
    "an empty view is rebuilt": ("", Edits()),
    "a view with conflict markers is rebuilt": (
        VIEW.replace(line("a0000002"), f"<<<<<<< HEAD\n=======\n{line('a0000002')}\n>>>>>>> b"),
        Edits(),
    ),
    "furniture is nothing": (
        VIEW.replace("# Memory\n", "# My memory\n\n<!-- mine\n- not an entry -->\n\n---\n"),
        Edits(),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("after", "expected"), CASES.values(), ids=CASES.keys())
def test_what_a_change_of_the_view_means(after: str, expected: Edits) -> None:
    assert changed(after) == expected


def test_a_missing_view_is_rebuilt() -> None:
    assert replace(edits.find(VIEWS, {}, STATEMENTS), gone={}) == Edits()


def test_a_line_may_move_between_the_views() -> None:
    topic = f"# testing\n\n## testing\n{line('a0000002')}\n"
    after = {INDEX: without("a0000002"), "topics/testing.md": topic}
    assert replace(edits.find(VIEWS, after, STATEMENTS), gone={}) == Edits()


def test_a_topic_file_that_is_gone_forgets_nothing() -> None:
    many = {f"b{n:07}": memory(f"b{n:07}", f"fact {n}") for n in range(300)}
    before = views.render(many.values(), NOW)
    assert "topics/testing.md" in before
    after = {INDEX: before[INDEX]}
    result = edits.find(before, after, {key: one.statement for key, one in many.items()})
    assert replace(result, gone={}) == Edits()


def test_a_line_with_an_id_that_is_known_but_was_not_shown_decides_nothing() -> None:
    """It came from elsewhere, such as a merge; the memory file is the truth."""
    known = {**STATEMENTS, "c0000001": "Another fact."}
    after = {INDEX: VIEW + "\n- Some fact. ^c0000001\n"}
    assert replace(edits.find(VIEWS, after, known), gone={}) == Edits()


def test_a_line_with_an_unknown_id_is_an_addition() -> None:
    result = changed(
        VIEW.replace("## git\n", "## git\n- Some fact. (user, 2026-01-01) ^c0000001\n")
    )
    assert result == Edits(additions=(Addition("git", "Some fact.", ()),))


@pytest.mark.parametrize(("lost", "refused"), [(2, False), (3, True), (5, True)])
def test_more_than_half_of_a_view_is_too_much(lost: int, refused: bool) -> None:
    after = VIEW
    for key in list(MEMORIES)[:lost]:
        after = after.replace(line(key) + "\n", "")
    result = found(after + "\n")
    assert len(result.forget) == lost
    assert result.excessive == ((INDEX, lost, 5) if refused else None)


@pytest.mark.parametrize(
    ("lost", "had", "much"), [(1, 1, False), (3, 3, False), (2, 4, False), (3, 4, True)]
)
def test_of_few_entries_any_may_go(lost: int, had: int, *, much: bool) -> None:
    assert (Edits(gone={INDEX: (lost, had)}).excessive is not None) is much


def test_a_changed_memory_file_beats_a_changed_line() -> None:
    both = Edits(
        forget=("a0000003",),
        topics={"a0000001": "x"},
        statements={"a0000001": "x", "a0000002": "y"},
        tags={"a0000001": ()},
    )
    left = both.beaten_by({"a0000001"})
    assert left == Edits(forget=("a0000003",), statements={"a0000002": "y"})


def test_what_a_person_writes_is_that_persons_word() -> None:
    known = memory("a0000001", "Old words.\n\nWhy: because.", trust=Trust.LOW, confidence=0.5)
    wanted = Edits(statements={"a0000001": "New words."}, topics={"a0000001": "  git #x  "})
    made = edits.apply(wanted, {"a0000001": known}, LATER)["a0000001"]
    assert made.text == "New words.\n\nWhy: because."
    assert (made.source, made.origin, made.trust) == (Source.USER, Origin.USER, Trust.HIGH)
    assert (made.topic, made.updated, made.created) == ("git x", LATER, NOW)


def test_a_forgotten_line_forgets_and_a_forgotten_memory_stays_so() -> None:
    gone = memory("a0000002", "x", status=Status.SUPERSEDED)
    known = {"a0000001": memory("a0000001", "y"), "a0000002": gone}
    wanted = Edits(forget=("a0000001", "a0000002", "a9999999"), statements={"a9999999": "z"})
    made = edits.apply(wanted, known, LATER)
    assert set(made) == {"a0000001"}
    assert made["a0000001"].status is Status.FORGOTTEN
    assert made["a0000001"].reason


LISTS = st.lists(st.from_type(Memory), max_size=4, unique_by=lambda one: one.id)


@given(LISTS)
def test_views_as_jmem_wrote_them_hold_no_edit(memories: list[Memory]) -> None:
    rendered = views.render(memories, NOW)
    statements = {one.id: one.statement for one in memories}
    result = edits.find(rendered, rendered, statements)
    assert replace(result, gone={}) == Edits()


@given(LISTS, st.data())
def test_applied_edits_are_what_the_view_shows(memories: list[Memory], data: st.DataObject) -> None:
    """Once edits are applied, rendering anew shows the person's lines, and no edit is left."""
    known = {one.id: one for one in memories}
    rendered = views.render(memories, NOW)
    statements = {one.id: one.statement for one in memories}
    kept = [one for one in memories if one.active and data.draw(st.booleans())]
    after = views.render([replace(one, topic="moved") for one in kept], NOW)
    if not kept:
        after = {INDEX: "# Memory\n\n<!-- nothing -->\n"}
    result = edits.find(rendered, after, statements)
    made = {**known, **edits.apply(result, known, LATER)}
    assert {one.id for one in made.values() if one.active} == {one.id for one in kept}
    assert all(one.topic == "moved" for one in made.values() if one.active)
    assert result.additions == ()
    anew = views.render(made.values(), LATER)
    again = edits.find(anew, anew, {key: one.statement for key, one in made.items()})
    assert replace(again, gone={}) == Edits()
