"""A session is found by its own lines: few of them, that cover what it was about."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from jmem.retrieval.tokens import terms
from jmem.transcripts.entries import Compaction, Entry, Role, SessionInfo, ToolResult, Turn, Via
from pipelines.phase1.excerpts import LEAST_NEW, MAX_CARRIED, MAX_SAID, Excerpts, covering
from pipelines.phase1.extract import extract

COMPACTED = """\
This session is being continued from a previous conversation that ran out of context.

Analysis:
First the user asked for a greenhouse, and I thought about it at length.

Summary:
1. Primary Request and Intent:
   - Rebuild the greenhouse scheduler around `SeedQueue`.

2. Key Technical Concepts:
   - **Irrigation** runs only while the pump lock is held.
   ```go
   func hiddenInCode() {}
   ```

3. All user messages:
   - "please rebuild the scheduler, and mind the pump"

4. Pending Tasks:
   - Replace the frost sensor driver.
"""


def excerpts(*entries: Entry) -> Excerpts:
    found = Excerpts()
    assert list(found.follow(entries)) == list(entries)
    return found


def assistant(text: str) -> Turn:
    return Turn(role=Role.ASSISTANT, text=text, time=None)


def test_what_the_client_summed_up_is_carried_over_without_thoughts_code_and_prompts() -> None:
    carried, said = excerpts(Compaction(text=COMPACTED, time=None)).beside("")
    assert carried == (
        "Rebuild the greenhouse scheduler around `SeedQueue`.",
        "Irrigation runs only while the pump lock is held.",
        "Replace the frost sensor driver.",
    )
    assert said == ()


def test_an_accepted_plan_is_carried_over_and_a_prompt_is_not() -> None:
    plan = "Implement the following plan:\n\n## Pump\n- Drive the pump from the tide table.\n"
    carried, said = excerpts(
        Turn(role=Role.USER, text=plan, time=None, via=Via.PLAN),
        Turn(role=Role.USER, text="The user types that the pump leaks at the valve.", time=None),
        ToolResult(
            call_id="1", text="A tool prints that the valve is open.", failed=False, time=None
        ),
    ).beside("")
    assert carried == ("Drive the pump from the tide table.",)
    assert said == ()


def test_what_the_assistant_stated_is_kept_and_its_talk_is_not() -> None:
    _, said = excerpts(
        assistant("Let me look at the pump before anything else.\n\nThe pump waits for the tide."),
        assistant(
            "The valve `V7` opens twice because of the retry.\n```\nThe code is hidden here.\n```"
        ),
    ).beside("")
    assert said == ("The valve `V7` opens twice because of the retry.",)


def test_what_the_summary_tells_already_is_not_said_again() -> None:
    told = "The valve opens twice because of the retry in the pump."
    found = excerpts(assistant(told), assistant("A frost sensor blocks the north greenhouse now."))
    assert found.beside(f"- Found: {told}")[1] == (
        "A frost sensor blocks the north greenhouse now.",
    )


def test_the_most_is_covered_in_the_room_there_is() -> None:
    lines = [
        "pump valve retry tide table",
        "pump valve retry",
        "frost sensor greenhouse",
        "frost sensor",
    ]
    assert covering(lines, 60) == (lines[0], lines[2])
    assert covering(lines, 30) == (lines[0],)
    assert covering(lines, 60, ["pump", "valve", "retry"]) == (lines[0], lines[2])


WORDS = st.lists(st.sampled_from(["pump", "valve", "tide", "frost", "seed", "lamp"]), max_size=6)


@given(
    st.lists(WORDS.map(" ".join), unique=True, max_size=12),
    st.integers(0, 120),
    st.sets(st.just("pump")),
)
def test_chosen_lines_keep_their_order_and_fit_and_no_other_one_would_add_anything(
    lines: list[str], room: int, known: set[str]
) -> None:
    chosen = covering(lines, room, known)
    places = [lines.index(line) for line in chosen]
    assert places == sorted(set(places))
    left = room - sum(len(line) + 1 for line in chosen)
    assert left >= -1
    covered = known.union(*map(terms, chosen))
    others = [line for line in lines if line not in chosen and len(line) <= left]
    assert all(len(set(terms(line)) - covered) < LEAST_NEW for line in others)


def test_the_choice_does_not_depend_on_the_process() -> None:
    code = (
        "from pipelines.phase1.excerpts import covering\n"
        "lines = [f'w{n % 7} v{n % 11} u{n % 13} t{n} s{n * n % 17}' for n in range(120)]\n"
        "print(covering(lines, 400))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1 and b"w" in outputs.pop()


def test_it_stays_small_however_long_the_session_is() -> None:
    names = ["".join(chr(97 + int(digit)) for digit in str(number)) for number in range(2_200)]
    found = excerpts(
        *(assistant(f"The {n}queue feeds the {n}pump and the {n}lamp at night.") for n in names),
        Compaction(
            text="\n".join(f"The {n}valve was mended and {n}tested." for n in names), time=None
        ),
    )
    carried, said = found.beside("")
    assert 0.9 * MAX_SAID < sum(map(len, said)) <= MAX_SAID
    assert 0.9 * MAX_CARRIED < sum(map(len, carried)) <= MAX_CARRIED


def test_they_stand_beside_the_summary_and_become_no_item(
    info: SessionInfo, tell: Callable[..., list[Entry]]
) -> None:
    lines = (
        "> please mend the pump",
        "< The lamp over the north bed burns at 3200 kelvin.",
        "> and the valve?",
        "< The valve is mended.",
    )
    found = extract(info, [*tell(*lines), Compaction(text=COMPACTED, time=None)], project="")
    assert found.said == ("The lamp over the north bed burns at 3200 kelvin.",)
    assert "Replace the frost sensor driver." in found.carried
    assert "kelvin" not in found.summary and not found.items
