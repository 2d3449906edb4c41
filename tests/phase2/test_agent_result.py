"""What an agent left in its copy, read as decisions: one input a change, one change an input."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jmem.errors import Refused
from jmem.formats import memoryfile
from jmem.model import Input, Memory
from pipelines.phase2 import agent_result
from pipelines.phase2.validate import Entry

JULY = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
PORT = Memory(
    id="m0000001", text="The dashboard listens on port 3000.", created=JULY, updated=JULY,
    evidence=("note:m0000001",),
)  # fmt: skip
FERNS = Memory(id="m0000002", text="Ferns grow by the wall.", created=JULY, updated=JULY)


def item(number: int, text: str) -> Input:
    key = f"n{number:07}"
    return Input(ref=f"note:{key}", id=key, text=text, time=JULY)


ONE = item(1, "The dashboard listens on port 4000.")
TWO = item(2, "The dashboard is built with Vite.")
FORGET = item(3, "Forget that ferns grow by the wall.")
INPUTS = (ONE, TWO, FORGET)


def path_of(memory: Memory) -> str:
    return f"memories/{memoryfile.file_name(memory)}"


BEFORE = {path_of(memory): memoryfile.render(memory) for memory in (PORT, FERNS)}
PORT_FILE, FERNS_FILE = BEFORE


def new(text: str, *inputs: Input, **fields: str) -> str:
    refs = ", ".join(each.ref for each in inputs)
    lines = [f"{name}: {value}" for name, value in fields.items()]
    return "\n".join(["---", *lines, f"evidence: [{refs}]", "---", text, ""])


def changed(text: str, *inputs: Input, status: str = "active", more: str = "") -> dict[str, str]:
    """The copy after the file of the port was changed so."""
    refs = "".join(f"{each.ref}, " for each in inputs)
    file = BEFORE[PORT_FILE].replace("evidence: [", f"{more}evidence: [{refs}")
    file = file.replace("status: active", f"status: {status}").replace(PORT.text, text)
    return {**BEFORE, PORT_FILE: file}


def entries(after: dict[str, str | None], left_out: str = "") -> dict[str, tuple[str, str, str]]:
    found = agent_result.entries(BEFORE, after, INPUTS, left_out)
    return {key: (entry.op, entry.how, entry.text) for key, entry in found.items()}


def test_nothing_changed_is_no_decision() -> None:
    assert entries({**BEFORE}) == {}


def test_a_new_file_is_an_addition() -> None:
    file = new("The dashboard runs on Vite.", TWO, kind="fact", topic="web", reason="worth it")
    (entry,) = agent_result.entries(BEFORE, {**BEFORE, "memories/x.md": file}, INPUTS).values()
    assert entry == Entry(
        input=TWO.id, op="ADD", reason="worth it", text="The dashboard runs on Vite.",
        topic="web", kind="fact",
    )  # fmt: skip


def test_the_inputs_own_words_are_left_to_the_input() -> None:
    assert entries({**BEFORE, "memories/x.md": new(TWO.text, TWO)}) == {TWO.id: ("ADD", "", "")}


@pytest.mark.parametrize(
    "file",
    [
        new("Two facts in one.", ONE, TWO),
        new("Of no input."),
        "No header.\n",
        "---\nevidence: [\n---\nBroken.\n",
        "---\nevidence: [note:n0000001]\n---\n",
        "",
        "---\nevidence: {note: n0000001}\n---\nOdd.\n",
        "---\n" + "[" * 3000 + "\n---\nDeep.\n",
    ],
)
def test_a_new_file_that_is_not_of_one_input_decides_nothing(file: str) -> None:
    assert entries({**BEFORE, "memories/x.md": file}) == {}


def test_a_reference_alone_reinforces_and_several_may() -> None:
    again = ("UPDATE", "reinforce", "")
    assert entries(changed(PORT.text, ONE, TWO)) == {ONE.id: again, TWO.id: again}


def test_a_reference_that_stood_there_before_says_nothing() -> None:
    before = changed(PORT.text, ONE)
    after = {**before, PORT_FILE: before[PORT_FILE].replace("note:", f"{TWO.ref}, note:", 1)}
    found = agent_result.entries(before, after, INPUTS)
    assert {key: entry.how for key, entry in found.items()} == {TWO.id: "reinforce"}


def test_another_text_refines_for_one_input_and_no_more() -> None:
    text = "The dashboard listens on port 3000, behind nginx."
    assert entries(changed(text, ONE)) == {ONE.id: ("UPDATE", "refine", text)}
    assert entries(changed(text, ONE, TWO)) == {}
    assert entries(changed(text)) == {}


def test_a_successor_gives_the_text_and_the_old_file_the_reason() -> None:
    more = f"superseded_by: {ONE.id}\nreason: moved\n"
    after = changed(PORT.text, status="superseded", more=more)
    assert entries(after) == {ONE.id: ("UPDATE", "supersede", "")}
    after["memories/x.md"] = new("The dashboard is on port 4000.", ONE, reason="said so")
    (entry,) = agent_result.entries(BEFORE, after, INPUTS).values()
    assert (entry.op, entry.how, entry.target) == ("UPDATE", "supersede", PORT.id)
    assert (entry.text, entry.reason) == ("The dashboard is on port 4000.", "moved")


def test_superseded_by_nothing_of_this_run_decides_nothing() -> None:
    for by in ("", FERNS.id, "zzzzzzzz", "../x"):
        more = f"superseded_by: {by}\n" if by else ""
        assert entries(changed(PORT.text, status="superseded", more=more)) == {}


def test_one_input_that_retires_two_memories_decides_nothing() -> None:
    after = changed(PORT.text, status="superseded", more=f"superseded_by: {ONE.id}\n")
    ferns = BEFORE[FERNS_FILE].replace(
        "status: active", f"status: superseded\nsuperseded_by: {ONE.id}"
    )
    assert entries({**after, FERNS_FILE: ferns}) == {}


def test_forgotten_deletes_for_the_input_that_it_names() -> None:
    assert entries(changed(PORT.text, ONE, status="forgotten")) == {ONE.id: ("DELETE", "", "")}
    assert entries(changed(PORT.text, status="forgotten")) == {}
    assert entries(changed(PORT.text, ONE, status="expired")) == {}


def test_a_removed_file_deletes_for_the_one_input_that_asks_to_forget() -> None:
    after = {PORT_FILE: BEFORE[PORT_FILE]}
    assert entries(after) == {FORGET.id: ("DELETE", "", "")}
    assert agent_result.entries(BEFORE, after, (ONE, TWO)) == {}
    assert agent_result.entries(BEFORE, {}, INPUTS) == {}


def test_what_done_names_is_left_out() -> None:
    said = f"- {TWO.id}: everybody knows\n{ONE.id}\nzzzzzzzz unknown\n\n"
    found = agent_result.entries(BEFORE, {**BEFORE}, INPUTS, said)
    assert {key: entry.op for key, entry in found.items()} == {TWO.id: "NOOP", ONE.id: "NOOP"}
    assert found[TWO.id].reason == "everybody knows"
    assert found[ONE.id].reason


def test_left_out_and_written_is_named_twice() -> None:
    after = {**BEFORE, "memories/x.md": new(TWO.text, TWO)}
    assert entries(after, f"{TWO.id} no") == {}


@pytest.mark.parametrize(
    "path",
    ["x.md", "notes/x.md", "memories/a/x.md", "memories/x.txt", "skills/a/SKILL.md", "topic/x.md"],
)
def test_any_other_file_voids_everything(path: str) -> None:
    with pytest.raises(Refused, match="1 file outside of the memories"):
        entries({**changed(PORT.text, ONE), path: "x"})


def test_a_file_that_is_no_plain_file_voids_everything() -> None:
    for path in ("memories/x.md", "MEMORY.md", PORT_FILE):
        with pytest.raises(Refused):
            entries({**BEFORE, path: None})


def test_views_are_not_looked_at() -> None:
    for path in ("MEMORY.md", "memory_summary.md", "topics/x.md"):
        assert entries({**BEFORE, path: "Nothing is remembered."}) == {}
