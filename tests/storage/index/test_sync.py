"""The index says what the files say: after any change, and at the price of that change alone."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jmem.formats import sessionfile, views
from jmem.model import Item, Memory, SessionSummary, Status
from jmem.retrieval.hit import MEMORY, NOTE, SESSION
from jmem.retrieval.searchtext import query_terms
from jmem.scopes import Scope
from jmem.storage.history import History
from jmem.storage.index import database, sync
from jmem.storage.index.filters import Filters
from jmem.storage.index.reading import Reader
from jmem.storage.index.records import Record
from jmem.storage.index.writing import Rows

if TYPE_CHECKING:
    from tests.storage.index.conftest import Place

THEN = datetime(2026, 7, 4, 10, tzinfo=UTC)
EVERYTHING = Filters(where=(MEMORY, NOTE, SESSION), statuses=())


def dump(reader: Reader) -> list[tuple[object, ...]]:
    """Every document that the index holds, with its words."""
    tables = "SELECT rowid, tokens FROM words UNION ALL SELECT rowid, tokens FROM talks"
    names = (
        "path, identity, key, place, kind, topic, tags, status, source, trust, confidence, "
        "strength, created, updated, superseded_by, rivals, supersedes, derived, relates, cluster, "
        "doubted, borne_out, hash, text, tokens"
    )
    query = f"SELECT {names} FROM documents JOIN ({tables}) ON rowid = number ORDER BY path, key"
    sizes = "SELECT name, value FROM meta WHERE name IN ('words', 'talks') ORDER BY name"
    terms = "SELECT place, term, held FROM terms ORDER BY place, term"
    ties = "SELECT tie, path FROM ties JOIN documents USING(number) ORDER BY tie, path, number"
    return [row for sql in (query, sizes, terms, ties) for row in reader._db.execute(sql)]


def test_only_what_changed_is_read(place: Place) -> None:
    for number in range(5):
        place.memory(f"aaaaaaa{number}", f"Fact number {number}.")
    first = sync.sync(place.scope)
    assert (first.added, first.removed, first.kept, first.rebuilt) == (5, 0, 0, True)
    place.memory("aaaaaaa1", "Fact number one, told again.")
    (place.root / "memories" / "aaaaaaa2.md").unlink()
    place.note("new", "A sixth fact.")
    second = sync.sync(place.scope)
    assert (second.added, second.removed, second.kept, second.rebuilt) == (2, 1, 3, False)
    assert sync.sync(place.scope).added == 0


def test_a_scope_that_does_not_exist_is_left_so(place: Place, tmp_path: Path) -> None:
    nowhere = Scope(name="none", root=tmp_path / "none")
    assert sync.sync(nowhere) == sync.Synced()
    assert sync.opened(nowhere) is None
    assert not nowhere.root.exists()


def test_a_note_is_found_at_once_and_the_index_knows_that_it_was_behind(place: Place) -> None:
    place.memory("m7k2q9xa", "Releases are frozen on Fridays.")
    assert place.keys("approvals") == []
    reader = place.reader()
    before = reader.generation
    assert reader.fresh()
    place.note("later", "Deploys need two approvals.")
    assert not reader.fresh()
    assert [hit.document.where for hit in place.hits("approvals")] == [NOTE]
    assert reader.fresh()
    assert reader.generation > before


def test_a_new_index_has_a_higher_generation_than_the_lost_one(place: Place) -> None:
    place.note("one", "A fact.")
    sync.sync(place.scope)
    before = place.reader().generation
    shutil.rmtree(place.index.parent)
    sync.sync(place.scope)
    assert place.reader().generation > before


def test_a_file_that_was_rewritten_in_place_is_noticed_and_read_again(place: Place) -> None:
    path = place.memory("m7k2q9xa", "Releases are frozen on Fridays.")
    hits = place.hits("frozen")
    path.write_text(path.read_text().replace("Fridays", "Mondays"))
    assert not place.reader().intact(hits)
    reader = sync.opened(place.scope, thorough=True)
    assert reader is not None
    assert [h.document.key for h in reader.words(query_terms("mondays"), limit=5)] == ["m7k2q9xa"]
    assert reader.intact(reader.words(query_terms("frozen"), limit=5))


def test_a_change_within_one_tick_of_the_clock_is_not_lost(place: Place) -> None:
    path = place.note("quick", "The port is 8001.")
    for number in range(2, 6):
        assert place.keys(f"800{number - 1}"), number
        path.write_text(f"The port is 800{number}.")  # as long as before, and soon after
        assert sync.sync(place.scope).added == 1
    stamp = time.time_ns() // 1_000_000_000 * 1_000_000_000
    os.utime(path, ns=(stamp, stamp))  # a file system that knows whole seconds
    sync.sync(place.scope)
    path.write_text("The port is 9009.")
    os.utime(path, ns=(stamp, stamp))
    assert len(place.keys("9009")) == 1


def test_memories_in_folders_count_and_what_is_hidden_or_linked_does_not(place: Place) -> None:
    folder = place.root / "memories" / "team" / "ci"
    folder.mkdir(parents=True)
    moved = place.memory("m7k2q9xa", "Releases are frozen on Fridays.")
    target = folder / moved.name
    moved.rename(target)
    (place.root / "memories" / ".hidden.md").write_text("frozen secret plans")
    (place.root / "memories" / "link.md").symlink_to(target)
    (place.root / "memories" / os.fsdecode(b"\xff.md")).write_text("frozen too")
    assert place.keys("frozen") == ["m7k2q9xa"]
    shutil.rmtree(place.root / "memories" / "team")
    assert place.keys("frozen") == []


def test_a_directory_that_is_a_link_is_not_followed(place: Place, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (place.root / "notes").rename(elsewhere)
    (elsewhere / "private.md").write_text("frozen assets")
    (place.root / "notes").symlink_to(elsewhere)
    place.memory("m7k2q9xa", "Releases are frozen on Fridays.")
    assert place.keys("frozen") == ["m7k2q9xa"]
    assert place.reader().fresh()


def test_two_files_with_one_id_are_two_documents(place: Place) -> None:
    first = place.memory("m7k2q9xa", "Releases are frozen on Fridays.")
    copy = first.with_name("z-copy.md")
    copy.write_text(first.read_text().replace("Fridays", "Mondays"))
    keys = place.keys("frozen")
    assert len(set(keys)) == 2
    assert "m7k2q9xa" in keys
    first.unlink()
    assert place.keys("frozen") == ["m7k2q9xa"]


def test_what_cannot_be_understood_stops_nothing(place: Place) -> None:
    (place.root / "memories" / "broken.md").write_text("---\na: [b\n---\nfrozen")
    (place.root / "memories" / "binary.md").write_bytes(b"\xff\xfe frozen")
    (place.root / "session_summaries" / "odd.md").write_text("frozen")
    place.note("control", "frozen \x00 pipes")
    assert len(place.keys("frozen", EVERYTHING)) == 1


def test_half_a_surrogate_pair_is_stored_as_a_question_mark() -> None:
    db = database.in_memory()
    rows = Rows(db, "api")
    rows.add(Record(path="p", identity="a", place=NOTE, text="\ud800 x", created="", updated=""))
    rows.close()
    assert db.execute("SELECT text FROM documents").fetchall() == [("? x",)]


def test_secrets_of_foreign_files_do_not_reach_the_index(place: Place) -> None:
    secret = "ghp_" + "a1B2" * 9
    place.note("foreign", f"The deploy token is {secret}.")
    (place.root / "memories" / "hand.md").write_text(f"Deploy with {secret} only.")
    assert len(place.keys("deploy")) == 2
    data = b"".join(path.read_bytes() for path in place.index.parent.iterdir())
    assert secret.encode() not in data
    assert secret.lower().encode() not in data


def test_a_session_summary_is_found_on_request_with_its_items(place: Place) -> None:
    item = Item(id="k3v9x0ab", number=1, text="Use the staging bucket for uploads.")
    summary = SessionSummary(
        session="codex:5f0c",
        started=THEN,
        extracted=THEN,
        outcome="success",
        summary="Asked: mend the importer.",
        items=(item,),
        carried=("The tide table drives the pump.",),
        said=("The frost sensor blocks the north greenhouse.",),
    )
    (place.root / "session_summaries" / "s.md").write_text(sessionfile.render(summary))
    assert place.keys("staging bucket importer") == []
    assert place.keys("tide pump", Filters(where=(SESSION,))) == ["codex:5f0c"]
    assert place.keys("frost sensor", Filters(where=(SESSION,))) == ["codex:5f0c"]
    assert place.reader().waiting("some model") == 0
    assert place.keys("staging bucket", Filters(where=(SESSION,))) == ["codex:5f0c"]
    assert place.keys("importer", EVERYTHING) == ["codex:5f0c"]


def test_a_scope_that_got_another_name_is_indexed_anew(place: Place) -> None:
    place.memory("m7k2q9xa", "Releases are frozen on Fridays.")
    sync.sync(place.scope)
    renamed = type(place)(replace(place.scope, name="billing-1a2b3c4d"))
    assert sync.sync(renamed.scope).rebuilt
    assert renamed.keys("billing") == ["m7k2q9xa"]


def with_views(place: Place, count: int) -> list[Memory]:
    """Memories, and the views as jmem writes them."""
    memories = [
        Memory(
            id=f"aaaaaaa{number}",
            text=f"The server of team {number} listens.",
            topic="servers",
            created=THEN,
            updated=THEN,
        )
        for number in range(count)
    ]
    for memory in memories:
        place.memory(memory.id, memory.text, topic=memory.topic)
    for path, text in views.render(memories, THEN).items():
        (place.root / path).write_text(text)
    return memories


def edit(place: Place, change: Callable[[list[str]], list[str]]) -> None:
    index = place.root / "MEMORY.md"
    index.write_text("\n".join(change(index.read_text().split("\n"))))


def test_a_line_that_a_person_removed_is_forgotten_at_once(place: Place) -> None:
    with_views(place, 5)
    assert len(place.keys("server")) == 5
    edit(place, lambda lines: [line for line in lines if "team 3" not in line])
    assert sorted(place.keys("server")) == ["aaaaaaa0", "aaaaaaa1", "aaaaaaa2", "aaaaaaa4"]
    assert place.keys("server", Filters(statuses=(Status.FORGOTTEN,))) == ["aaaaaaa3"]
    edit(place, lambda lines: [*lines, "- The server of team 3 listens. ^aaaaaaa3"])
    assert len(place.keys("server")) == 5


def test_more_than_half_gone_is_an_accident_and_forgets_nothing(place: Place) -> None:
    with_views(place, 5)
    edit(place, lambda lines: [line for line in lines if "team 0" in line or "team 1" in line])
    assert len(place.keys("server")) == 5
    (place.root / "MEMORY.md").write_text("")
    assert len(place.keys("server")) == 5
    (place.root / "MEMORY.md").unlink()
    assert len(place.keys("server")) == 5


def test_an_edited_line_a_tag_and_a_new_line_count_at_once(place: Place) -> None:
    with_views(place, 4)
    assert place.keys("gateway") == []

    def change(lines: list[str]) -> list[str]:
        lines = [line.replace("server of team 1", "gateway of team 1") for line in lines]
        lines = [line.replace("team 2 listens.", "team 2 listens. #edge") for line in lines]
        return [*lines, "- Backups run at noon. #ops"]

    edit(place, change)
    (found,) = place.hits("gateway")
    assert (found.document.key, found.document.trust) == ("aaaaaaa1", "high")
    assert place.keys("server", Filters(tag="edge")) == ["aaaaaaa2"]
    (added,) = place.hits("backups noon")
    assert (added.document.path, added.document.source) == ("MEMORY.md", "user")
    assert place.reader().intact([added])
    shutil.rmtree(place.index.parent)
    assert place.keys("gateway") == ["aaaaaaa1"]
    assert len(place.keys("backups")) == 1


def test_a_memory_that_came_after_the_views_is_no_forgotten_one(place: Place) -> None:
    with_views(place, 3)
    later = THEN + timedelta(days=2)
    place.memory("zzzzzzz1", "A server came later.", created=later, updated=later)
    assert "zzzzzzz1" in place.keys("server")


def test_the_line_of_a_file_that_is_gone_is_nobodys_new_word(place: Place) -> None:
    with_views(place, 4)
    (place.root / "memories" / "aaaaaaa2.md").unlink()
    assert sorted(place.keys("listens")) == ["aaaaaaa0", "aaaaaaa1", "aaaaaaa3"]


def committed(place: Place) -> None:
    """The scope as a run left it."""
    history = History(place.root)
    history.ensure()
    history.commit_all("distill: test\n\nJmem-Run: 20260704T100000Z-aaaa", now=THEN)


def test_a_memory_file_that_a_person_changed_beats_the_line_that_is_behind(place: Place) -> None:
    with_views(place, 4)
    committed(place)
    place.memory("aaaaaaa1", "The gateway of team 1 listens.", topic="servers", created=THEN)
    place.memory("bbbbbbb1", "A gateway was added by hand.", created=THEN)
    assert sorted(place.keys("gateway")) == ["aaaaaaa1", "bbbbbbb1"]
    edit(place, lambda lines: [line.replace("team 2", "cluster 2") for line in lines])
    edit(place, lambda lines: [line for line in lines if "team 3" not in line])
    assert sorted(place.keys("gateway")) == ["aaaaaaa1", "bbbbbbb1"]
    assert place.keys("cluster") == ["aaaaaaa2"]
    assert sorted(place.keys("listens")) == ["aaaaaaa0", "aaaaaaa1", "aaaaaaa2"]
    shutil.rmtree(place.index.parent)
    assert sorted(place.keys("gateway")) == ["aaaaaaa1", "bbbbbbb1"]
    assert sorted(place.keys("listens")) == ["aaaaaaa0", "aaaaaaa1", "aaaaaaa2"]


NAMES = st.sampled_from(["a", "b", "c", "d"])
WORDS = st.sampled_from(["server", "port", "frozen", "release", "backup"])
TEXTS = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
IDS = st.sampled_from(["m7k2q9xa", "k3v9x0ab", "q8w1e2rt"])
STEPS = st.one_of(
    st.tuples(st.just("memory"), NAMES, IDS, TEXTS),
    st.tuples(st.just("note"), NAMES, IDS, TEXTS),
    st.tuples(st.just("view"), st.just("MEMORY"), IDS, TEXTS),
    st.tuples(st.just("unview"), st.just("MEMORY"), IDS, TEXTS),
    st.tuples(st.just("remove"), NAMES, IDS, TEXTS),
    st.tuples(st.just("move"), NAMES, IDS, TEXTS),
    st.tuples(st.just("sync"), NAMES, IDS, TEXTS),
)


def take(place: Place, step: tuple[str, str, str, str]) -> None:
    what, name, identity, text = step
    memory, folder = place.root / "memories" / f"{name}.md", place.root / "memories" / "in"
    if what == "memory":
        place.memory(identity, text).rename(memory)
    elif what == "note":
        place.note(name, f"---\nid: {identity}\ntime: 2026-07-04T10:00:00Z\n---\n{text}")
    elif what == "view":
        (place.root / "MEMORY.md").write_text(
            "# Memory\n\n<!-- Written by jmem, as of 2026-07-05. -->\n\n"
            f"## general\n- {text} (agent, 2026-07-04) ^{identity}\n"
        )
    elif what == "unview":
        (place.root / "MEMORY.md").unlink(missing_ok=True)
    elif what == "remove":
        memory.unlink(missing_ok=True)
        (place.root / "notes" / f"{name}.md").unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
    elif what == "move" and memory.exists():
        folder.mkdir(exist_ok=True)
        memory.rename(folder / memory.name)
    elif what == "sync":
        sync.sync(place.scope, thorough=False)


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(STEPS, min_size=1, max_size=8))
def test_many_small_syncs_come_to_what_one_rebuild_comes_to(
    place_of: type[Place], steps: list[tuple[str, str, str, str]]
) -> None:
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        for name in ("memories", "notes", "topics", "session_summaries"):
            (root / name).mkdir()
        place = place_of(Scope(name="api", root=root))
        for step in steps:
            take(place, step)
        sync.sync(place.scope, thorough=False)
        small = place.reader()
        sync.sync(place.scope)
        assert small.fresh()
        grown = dump(small)
        small.close()
        shutil.rmtree(root / ".cache")
        sync.sync(place.scope)
        whole = place.reader()
        assert grown == dump(whole)
        whole.close()


@pytest.mark.parametrize("thorough", [True, False])
def test_a_sync_with_nothing_new_writes_nothing(place: Place, *, thorough: bool) -> None:
    place.memory("m7k2q9xa", "Releases are frozen on Fridays.")
    sync.sync(place.scope)
    before = place.index.read_bytes()
    sync.sync(place.scope, thorough=thorough)
    assert place.index.read_bytes() == before
