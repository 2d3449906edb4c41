"""Purge: nothing of it is left in any file or any object of git, and everything else is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jmem import changing, feedback
from jmem.errors import NotFound, UsageError
from jmem.judgements import recorded
from jmem.storage import feedbackfile, statefile

from .conftest import FACTS, Store

PORT, TABS, BRANCH = FACTS
CODE = "kestrel-4711-hollow"


def holding(made: Store, *words: str) -> list[str]:
    """Where any of the words stands: files below the root (objects apart), and objects of git."""
    wanted = [word.encode() for word in words]
    found = []
    for path in sorted(made.root.parent.rglob("*")):
        told = any(word in str(path).encode() for word in wanted)
        if path.is_file() and "objects" not in path.parts:
            told = told or any(word in path.read_bytes() for word in wanted)
        found += [str(path)] if told else []
    listed = made.git("cat-file", "--batch-all-objects", "--batch-check").split("\n")
    for row in filter(None, listed):
        sha, kind, _ = row.split()
        content = made.git("cat-file", "-p", sha) if kind != "tree" else made.git("ls-tree", sha)
        found += [f"{kind} {sha}"] if any(word.decode() in content for word in wanted) else []
    return found


def leave_traces(made: Store, text: str) -> None:
    """What hooks, recall and phase 1 may leave of a text beside the curated files."""
    root = made.root.parent
    for name in ("sessions", "log", ".cache"):
        (root / name).mkdir(exist_ok=True)
    given = root / "projects" / "garden-1" / ".cache"
    given.mkdir(parents=True)
    (given / "injection.json").write_text(json.dumps({"prepared": {"head": f"- {text}"}}))
    (root / "sessions" / "s1.json").write_text(json.dumps({"pending": [{"text": text}]}))
    (root / "sessions" / "s2.json").write_text('{"pending": []}')
    (root / "sessions" / "s1.log").write_text(f'{{"prompt": "x"}}\n{json.dumps({"t": text})}\n')
    (root / "log" / "cron.log").write_text(f"before\nADD: {text}\nafter\n")
    (root / ".cache" / "sessions.json").write_text(json.dumps({"files": {"a": text}}))
    (made.root / ".cache" / "index.sqlite3").write_bytes(text.encode())
    (made.root / "state.json.corrupt-1").write_text(text)
    (root / "sessions" / "s1.pending").write_text(json.dumps({"offers": [{"text": text}]}))
    (root / "log" / "events-2026-07-04.jsonl").write_text(f'{{"a": 1}}\n{json.dumps([text])}\n')
    gap = feedback.Event(at="2026-07-04T10:00:00Z", rejected=["r0000001"], about=text)
    assert gap.gap
    statefile.update(made.root, lambda old: replace(old, feedback=recorded(old.feedback, gap)))
    statefile.record_usage(next(made.root.glob("memories/*.md")))
    feedbackfile.record(made.root, gap)
    assert text.split(maxsplit=1)[0] in (made.root / "state.json").read_text()


def test_a_memory_is_purged_with_everything_that_said_it(made: Store) -> None:
    key, other = made.id_of("port"), made.id_of("tabs")
    text = "The courier desk opens at seven on market days\n\nWhy: the fruit arrives at half past."
    note = made.note(text)
    made.note("The courier desk opens at seven on market days")
    made.distil()
    changing.link(made.scope, note, other, now=made.later())
    changing.supersede(made.scope, key, new_id=note, now=made.later())
    summary = made.root / "memory_summary.md"
    summary.write_text(f"{summary.read_text()}\nMine: ask at the desk.\n")
    leave_traces(made, text)
    words = ("courier", "market-days", "fruit arrives")
    assert holding(made, *words)
    told = changing.purge(made.scope, note, dry_run=True, now=made.later())
    assert told.objects > 3
    assert told.left == ()
    assert holding(made, *words)
    done = changing.purge(made.scope, note, now=made.later())
    assert (done.left, done.objects_left, done.elsewhere) == ((), 0, ())
    assert f"global/memories/the-courier-desk-opens-at-seven-on-{note}.md" in done.found
    assert holding(made, *words) == []
    known = made.memories()
    assert note not in known
    assert known[key].superseded_by == ""
    assert known[other].relates_to == ()
    assert made.consistent()
    assert "Mine: ask at the desk." in summary.read_text()
    root = made.root.parent
    assert (root / "log" / "cron.log").read_text() == "before\n\nafter\n"
    assert (root / "sessions" / "s2.json").exists()
    assert (root / "sessions" / "s1.log").read_text() == '{"prompt": "x"}\n'
    assert statefile.load(made.root).last_consolidation is not None
    made.git("fsck", "--strict")
    made.note("The courier desk opens at seven on market days", origin="assistant")
    made.distil()
    assert "courier" not in made.shown()
    with pytest.raises(NotFound):
        changing.history(made.scope, note)


def test_a_text_is_purged_wherever_it_stands_and_the_rest_stays(made: Store) -> None:
    first = made.note(f"The staging desk takes {CODE} at the door")
    made.distil()
    changing.edit(
        made.scope, made.id_of("tabs"), text=f"{TABS}\n\nIt says {CODE} there.", now=made.later()
    )
    changing.edit(made.scope, made.id_of("tabs"), text=TABS, whole=True, now=made.later())
    waiting = made.note(f"Tell them {CODE}")
    alone = made.note(CODE)
    with made.index.open("a") as index:
        index.write(f"\n## doors\n- Knock and say {CODE}\n- {CODE}\n")
    leave_traces(made, CODE)
    (made.root / ".obsidian").mkdir()
    (made.root / ".obsidian" / "app.json").write_text(f"find {CODE}, and more\n")
    (made.root / ".MEMORY.md.00.jmem-tmp").write_text(CODE)
    done = changing.purge(made.scope, text=CODE, now=made.later())
    assert (done.left, done.objects_left) == ((), 0)
    assert holding(made, CODE, "kestrel") == []
    assert (made.root / ".obsidian" / "app.json").read_text() == "find (purged), and more\n"
    assert made.git("status", "--porcelain") == " M MEMORY.md\n"  # a line waits
    memory = made.memories()[first]
    assert memory.statement == "The staging desk takes (purged) at the door"
    notes = {p: p.read_text() for p in made.root.glob("notes/*.md")}
    assert [waiting in text for text in notes.values()] == [True]
    assert "Tell them (purged)" in "".join(notes.values())
    assert alone not in "".join(notes.values())
    assert "- Knock and say (purged)" in made.index.read_text()
    made.distil()
    assert made.consistent()
    assert made.memories()[made.id_of("Knock")].topic == "doors"
    steps = changing.history(made.scope, made.id_of("tabs"))
    assert steps[2].after == f"{TABS}\n\nIt says (purged) there."
    assert changing.purge(made.scope, text=CODE, now=made.later()).found == ()


@pytest.mark.parametrize(
    ("said", "text", "never"),
    [
        ("the mysekret passwords are here", "Sekret pass", "sekret-pass"),
        ("我们通过公司VPN登录发布服务器查看日志", "公司VPN", "公司vpn"),
    ],
)
def test_a_text_inside_of_a_longer_word_of_a_name_is_purged(
    made: Store, said: str, text: str, never: str
) -> None:
    key = made.note(said)
    made.distil()
    (made.root / "memories" / f"a-my{never}words.txt").write_text("nothing in it\n")
    assert list(made.root.glob(f"memories/*{never}*-{key}.md"))
    done = changing.purge(made.scope, text=text, now=made.later())
    assert (done.left, done.objects_left) == ((), 0)
    assert holding(made, never) == []
    assert (made.root / "memories" / f"{key}.md").exists()
    made.distil()
    assert made.consistent()
    assert changing.purge(made.scope, text=text, now=made.later()).found == ()


def test_a_long_text_is_found_where_it_was_cut_and_escaped(made: Store) -> None:
    text = (
        'The vault of the "harbour" office is opened by turning the left wheel twice and the right '
        "wheel once, then by pulling the brass lever down until the bell rings three times in a "
        "row, and never before the guard has signed the book with today's date and hour"
    )
    key = made.note(text)
    made.distil()
    changing.forget(made.scope, key, reason="x", now=made.later())
    changing.restore(made.scope, key, now=made.later())
    assert holding(made, "harbour")
    changing.purge(made.scope, key, now=made.later())
    assert holding(made, "harbour", "brass lever", "left wheel", "vault") == []


def test_others_who_say_the_same_are_told_of_and_left_alone(made: Store) -> None:
    words = "The courier desk opens at seven on market days"
    one = made.note(words)
    made.distil()
    two = changing.supersede(
        made.scope, made.id_of("port"), f"{words}, as they say", now=made.later()
    ).id
    done = changing.purge(made.scope, one, now=made.later())
    assert made.memories()[two].statement == f"{words}, as they say"
    assert done.left == ()
    assert made.consistent()


def test_a_waiting_note_and_branches_and_tags_of_a_person_are_purged(made: Store) -> None:
    key = made.note("The courier desk opens at seven on market days")
    made.git("add", "-A")
    person = ("-c", "user.name=Ida", "-c", "user.email=ida@example.org")
    made.git(*person, "commit", "-q", "-m", "Mine: the courier desk opens at seven on market days")
    made.git("branch", "mine")
    made.git(*person, "tag", "-a", "v1", "-m", "The courier desk opens at seven on market days")
    made.git("stash", "list")
    done = changing.purge(made.scope, key, now=made.later())
    assert (done.left, done.objects_left) == ((), 0)
    assert holding(made, "ourier") == []
    assert made.git("branch", "--format=%(refname:short)").split() == ["main", "mine"]
    assert made.git("tag").split() == ["v1"]
    assert not list(made.root.glob("notes/*.md"))


def test_other_scopes_are_told_of(made: Store, here: Path) -> None:
    from jmem import scopes, store
    from jmem.model import Note

    store.write_note(Note(text=f"Say {CODE} here", cwd=str(here)))
    done = changing.purge(made.scope, text=CODE, now=made.later())
    assert len(done.elsewhere) == 2  # the note, and the line that shows it
    scope = scopes.resolve(here)
    assert changing.purge(scope, text=CODE, now=made.later()).left == ()
    assert holding(made, CODE) == []


def test_what_may_be_anything_is_not_purged(made: Store) -> None:
    with pytest.raises(UsageError):
        changing.purge(made.scope, text="a", now=made.later())
    with pytest.raises(UsageError):
        changing.purge(made.scope, now=made.later())
    with pytest.raises(NotFound):
        changing.purge(made.scope, "zzzzzzzz", now=made.later())
