"""``jmem recall``: the same answer on the quick way and on the whole one, and its surfaces."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem import Store, config, entry, places, project_root, recall
from jmem.cli import quick, recalled
from jmem.storage.index import sync

Jmem = Callable[..., Any]
PROMPT = "please deploy the billing service with tools/ship.sh to staging"
SHIP = "Deploy the billing service with tools/ship.sh, never with kubectl."


@pytest.fixture
def notes(jmem: Jmem, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Some notes by their first word, and the id of each; no vectors."""
    monkeypatch.setenv("JMEM_RECALL_EMBEDDER", "none")
    written = {
        SHIP: ["--kind", "correction", "--tag", "ops"],
        "Snapshots of the parser live in tests/golden and are rewritten by make golden.": [],
        "Colleagues in Osaka review on Thursdays.": ["--global", "--kind", "entity"],
        "提交前必须先运行数据库迁移检查。": ["--kind", "workflow"],
    }
    return {
        text.split()[0]: json.loads(jmem("note", text, *options, "--json").out)["data"]["id"]
        for text, options in written.items()
    }


def ids(ran: Any) -> list[str]:
    return [hit["id"] for hit in ran.data["hits"]]


def test_what_helps_is_given_as_data_and_nothing_else_is(jmem: Jmem, notes: dict[str, str]) -> None:
    ran = jmem("recall", PROMPT)
    assert ran.code == 0
    assert f"## Corrections\n\n1. {SHIP}\n" in ran.out
    assert ran.out.startswith("<jmem-memory>\n# Memory\n")
    assert notes["Deploy"] not in ran.out and "Osaka" not in ran.out


def test_mostly_nothing_helps_and_that_is_said_on_the_side(
    jmem: Jmem, notes: dict[str, str]
) -> None:
    for prompt in ("continue", "yes, do it", "now write the tests for the button component"):
        ran = jmem("recall", prompt)
        assert (ran.code, ran.out) == (0, "")
        assert "nothing" in ran.err


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--kind", "correction"], ["Deploy"]),
        (["--kind", "entity"], ["Colleagues"]),
        (["--tag", "#ops"], ["Deploy"]),
        (["--scope", "global"], ["Colleagues"]),
        (["--scope", "project", "--kind", "entity"], []),
        (["--since", "2026-07-06"], []),
        (["--mode", "lexical", "--tag", "ops"], ["Deploy"]),
    ],
)
def test_filters(jmem: Jmem, notes: dict[str, str], options: list[str], found: list[str]) -> None:
    words = "deploy billing golden parser Osaka Thursdays"
    ran = jmem("recall", words, "--judge", "off", "--json", *options)
    assert ids(ran) == [notes[word] for word in found]


def test_the_newest_need_no_words(jmem: Jmem, notes: dict[str, str]) -> None:
    assert set(ids(jmem("recall", "--mode", "recent", "--json"))) == set(notes.values())
    assert len(ids(jmem("recall", "--mode", "recent", "--limit", "2", "--json"))) == 2


def test_the_newest_of_all_scopes_come_in_their_order(
    jmem: Jmem, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["The lamp is red.", "The door is blue.", "The roof is green."]
    for hour, (text, where) in enumerate(zip(texts, ([], ["--global"], []), strict=True)):
        monkeypatch.setenv("JMEM_NOW", f"2026-07-04T1{hour}:00:00Z")
        jmem("note", text, *where)
    found = jmem("recall", "--mode", "recent", "--json").data["hits"]
    assert [hit["text"] for hit in found] == texts[::-1]


def test_vectors_without_an_embedder_find_nothing_and_say_why(
    jmem: Jmem, notes: dict[str, str]
) -> None:
    ran = jmem("recall", "--mode", "dense", PROMPT)
    assert ran.out == ""
    assert "no embedder is set" in ran.err


def test_a_person_at_a_terminal_is_told_the_ids(
    jmem: Jmem, notes: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    jmem("recall", PROMPT)
    options = dict.fromkeys(("json", "explain"), "")
    place = places.locate(None)
    values = config.load(place.directory).everything()
    result = recall.quick(PROMPT, recall.roots(place), values, recall.wanted(values))
    assert result is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout.isatty", lambda: True)
        recalled.show(result, options)
    shown = capsys.readouterr()
    assert f"jmem: ^{notes['Deploy']}  {SHIP[:30]}" in shown.err
    assert notes["Deploy"] not in shown.out
    recalled.show(result, options)
    assert capsys.readouterr().err == ""


def test_chinese_is_found_by_a_part_of_it(jmem: Jmem, notes: dict[str, str]) -> None:
    ran = jmem("recall", "数据库迁移检查怎么运行", "--judge", "off", "--json")
    assert ids(ran)[0] == notes["提交前必须先运行数据库迁移检查。"]


def test_explain_shows_every_leg_and_who_judged(jmem: Jmem, notes: dict[str, str]) -> None:
    shown = jmem("recall", "--explain", PROMPT).out
    assert "judge    judged locally" in shown
    assert f"^{notes['Deploy']}" in shown and "accepted" in shown and "words 0." in shown
    data = jmem("recall", "--explain", "--json", PROMPT).data
    assert {hit["verdict"] for hit in data["candidates"]} <= {"accepted", "rejected"}


def test_what_belongs_with_a_hit_comes_along_by_tag_though_no_word_matches(
    jmem: Jmem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JMEM_RECALL_EMBEDDER", "none")
    texts = {
        "The auth middleware reads the bearer header first.": "auth",
        "The auth tests mock the cookie.": "auth",
        "Snapshots are rewritten by make golden.": "parser",
    }
    written = {
        text: json.loads(jmem("note", text, "--tag", tag, "--json").out)["data"]["id"]
        for text, tag in texts.items()
    }
    reads, mock, _ = written.values()
    asked = "write the middleware that reads the bearer header"
    assert ids(jmem("recall", asked, "--json")) == [reads]
    for night in (False, True):  # notes hang on their tags too
        if night:
            jmem("distill")
        assert ids(jmem("recall", asked, "--json", "--mode", "cascade")) == [reads, mock]
        assert quick.answer([asked, "--mode", "cascade"]) == 0
    told = jmem("recall", asked, "--mode", "cascade", "--explain").out
    assert f"by tag:auth of ^{reads}" in told
    everything = ["--mode", "cascade", "--judge", "off", "--json"]
    assert ids(jmem("recall", asked, *everything)) == [reads, mock]
    assert ids(jmem("recall", asked, *everything, "--kind", "pitfall")) == []
    jmem("forget", mock, "--reason", "gone")
    assert ids(jmem("recall", asked, *everything)) == [reads]
    found = Store().recall(asked, mode="cascade")
    assert [hit.document.key for hit in found.surfaced] == [reads]


def test_what_nothing_bore_out_for_long_is_marked_and_nothing_else_is_told(
    jmem: Jmem, notes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    jmem("distill")
    monkeypatch.setenv("JMEM_NOW", "2029-03-01T10:00:00Z")
    mark = "(unconfirmed since 2026-07)"
    assert f"1. {SHIP} {mark}\n" in jmem("recall", PROMPT).out


def test_a_hook_s_payload_and_a_session_ask_like_a_prompt(
    jmem: Jmem, notes: dict[str, str], tmp_path: Path
) -> None:
    payload = json.dumps({"session_id": "s1", "prompt": PROMPT, "cwd": "/nowhere"})
    assert ids(jmem("recall", "-", "--json", stdin=payload.encode())) == [notes["Deploy"]]
    assert ids(jmem("recall", "-", "--json", stdin=PROMPT.encode())) == [notes["Deploy"]]
    line = {
        "type": "user",
        "sessionId": "5f0c2a52-0000-4000-8000-000000000001",
        "cwd": "/srv/app",
        "timestamp": "2026-07-04T10:00:00Z",
        "message": {"role": "user", "content": PROMPT},
        "uuid": "u1",
    }
    session = tmp_path / "session.jsonl"
    session.write_text(json.dumps(line) + "\n")
    assert ids(jmem("recall", "--transcript", session, "--json")) == [notes["Deploy"]]
    assert jmem("recall", "--transcript", tmp_path / "none.jsonl").code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        [PROMPT],
        [PROMPT, "--json"],
        [PROMPT, "--explain", "--limit=1"],
        ["--judge", "off", "golden parser"],
        ["--mode", "recent"],
        ["continue"],
    ],
)
def test_the_quick_way_says_the_same(
    jmem: Jmem,
    notes: dict[str, str],
    arguments: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = jmem("recall", *arguments)
    monkeypatch.setattr("sys.argv", ["jmem", "recall", *arguments])
    if "recent" not in arguments:
        assert quick.answer(arguments) == 0, "an index that is up to date answers the quick way"
        capsys.readouterr()
    assert entry.main() == whole.code
    said = capsys.readouterr()
    assert (said.out, said.err) == (whole.out, whole.err)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--no-such"],
        ["--limit", "many", "x"],
        ["--mode", "psychic", "x"],
        ["x", "--tag"],
    ],
)
def test_what_is_not_plain_is_left_to_click(arguments: list[str]) -> None:
    assert quick.answer(arguments) is None


def test_a_person_s_deletion_counts_before_the_night(jmem: Jmem, notes: dict[str, str]) -> None:
    jmem("distill")
    assert ids(jmem("recall", PROMPT, "--json")) == [notes["Deploy"]]
    index = project_root(".") / "MEMORY.md"
    kept = [line for line in index.read_text().splitlines() if notes["Deploy"] not in line]
    index.write_text("\n".join(kept) + "\n")
    assert quick.answer([PROMPT]) is None
    assert ids(jmem("recall", PROMPT, "--json")) == []


def test_a_scheduled_night_leaves_an_index_that_answers_at_once(
    jmem: Jmem, notes: dict[str, str]
) -> None:
    jmem("recall", PROMPT)  # compiles the settings
    jmem("distill", "--all", "--scheduled")
    assert quick.answer([PROMPT]) == 0


def test_a_file_rewritten_in_place_is_seen(jmem: Jmem, notes: dict[str, str]) -> None:
    jmem("distill")
    (file,) = (project_root(".") / "memories").glob(f"*{notes['Deploy']}.md")
    with file.open("r+") as held:  # no new file, so that no directory changes
        text = held.read().replace("never with kubectl", "always with kubectl")
        held.seek(0)
        held.truncate()
        held.write(text)
    assert "always with kubectl" in jmem("recall", PROMPT).out


def test_superseded_and_forgotten_memories_are_shown_to_nobody(
    jmem: Jmem, notes: dict[str, str]
) -> None:
    jmem("distill")
    (file,) = (project_root(".") / "memories").glob(f"*{notes['Deploy']}.md")
    file.write_text(file.read_text().replace("status: active", "status: superseded"))
    for options in ([], ["--judge", "off"], ["--mode", "recent"]):
        assert notes["Deploy"] not in ids(jmem("recall", PROMPT, "--json", *options))


def test_a_program_recalls_as_the_command_does(jmem: Jmem, notes: dict[str, str]) -> None:
    found = Store().recall(PROMPT)
    assert [hit.document.key for hit in found.surfaced] == [notes["Deploy"]]
    assert found.judged == "judged locally"
    everywhere = Store().recall("Osaka Thursdays", scope="global", judge="off", mode="lexical")
    assert [hit.document.key for hit in everywhere.surfaced] == [notes["Colleagues"]]


def test_memory_that_is_off_recalls_nothing(
    jmem: Jmem, notes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert jmem("recall", PROMPT).out
    monkeypatch.setenv("JMEM_ENABLED", "false")
    ran = jmem("recall", PROMPT)
    assert (ran.code, ran.out) == (0, "") and "switched off" in ran.err
    assert quick.answer([PROMPT]) is None
    assert Store().recall(PROMPT).surfaced == []


def test_a_model_that_cannot_be_asked_leaves_everything_unjudged(
    jmem: Jmem, notes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JMEM_LLM_PROVIDER", "openai")
    monkeypatch.setenv("JMEM_LLM_MODEL", "small")
    monkeypatch.setenv("JMEM_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("JMEM_LLM_TIMEOUT_SECONDS", "1")
    ran = jmem("recall", PROMPT, "--json", "--explain")
    assert ran.data["hits"] == []
    assert {hit["verdict"] for hit in ran.data["candidates"]} == {"not judged"}
    assert any(line.startswith("judge: ") for line in ran.data["degraded"])


@pytest.mark.parametrize("arguments", [[], ["the"], ["x", "--since", "yesterday"]])
def test_calls_that_make_no_sense(jmem: Jmem, notes: dict[str, str], arguments: list[str]) -> None:
    ran = jmem("recall", *arguments)
    assert ran.out == ""
    assert ran.code == (0 if arguments == ["the"] else 2)


@pytest.mark.parametrize(
    "arguments",
    [["x", "--since", "2026-13-77"], [" "], ["x", "--limit", "99999999999999999999"]],
)
def test_a_wrong_call_is_wrong_with_a_warm_index_too(
    jmem: Jmem, notes: dict[str, str], arguments: list[str]
) -> None:
    jmem("recall", PROMPT)
    assert quick.answer(arguments) is None
    assert jmem("recall", *arguments).code == 2


def test_what_cannot_be_brought_up_to_date_is_not_shown(
    jmem: Jmem, notes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process holds the index while a note is rewritten in place."""
    assert ids(jmem("recall", PROMPT, "--json")) == [notes["Deploy"]]
    (file,) = [f for f in (project_root(".") / "notes").iterdir() if SHIP in f.read_text()]
    with file.open("r+") as held:
        held.write(held.read().replace("never with kubectl", "or with kubectl"))
    monkeypatch.setattr("jmem.storage.index.sync.sync", lambda *_, **__: sync.Synced(busy=True))
    ran = jmem("recall", PROMPT, "--json")
    assert ids(ran) == [] and ran.data["degraded"]
