"""The index is derived: whatever becomes of its file, an answer is right after one rebuild."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jmem.retrieval.searchtext import query_terms
from jmem.storage.index import database, sync
from jmem.storage.index.database import Damaged
from jmem.storage.index.reading import Reader

if TYPE_CHECKING:
    from tests.storage.index.conftest import Place

PROGRAM = """
import sys
from pathlib import Path
from jmem.scopes import Scope
from jmem.storage.index import sync
root, name, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
for number in range(rounds):
    (root / "notes" / f"{sys.argv[4]}-{number}.md").write_text(f"{sys.argv[4]} fact {number}")
    sync.sync(Scope(name=name, root=root), wait=20.0)
"""


@pytest.fixture
def filled(place: Place) -> Place:
    for number in range(60):
        place.memory(
            f"aaaaaa{number:02}", f"The server of team {number} listens on port 80{number:02}."
        )
    place.memory("m7k2q9xa", "Releases are frozen on Fridays.")
    assert place.keys("frozen releases") == ["m7k2q9xa"]
    return place


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def scribble(path: Path) -> None:
    path.write_bytes(b"\x00garbage" * 4000)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def remove(path: Path) -> None:
    path.unlink()


def scribble_inside(path: Path) -> None:
    """Every page but the first is noise: the file still opens."""
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(bytes(data))


def make_future(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE unheard_of(x)")
        db.execute("DROP TABLE meta")
        db.execute("PRAGMA user_version = 999")
    db.close()


def use_another_schema(path: Path) -> None:
    """The version is right, and nothing else is."""
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {database.VERSION}")
        db.execute("CREATE TABLE meta(other)")
    db.close()


@pytest.mark.parametrize(
    "harm", [cut, scribble, empty, remove, scribble_inside, make_future, use_another_schema]
)
def test_an_answer_is_right_after_one_rebuild(filled: Place, harm: Callable[[Path], None]) -> None:
    for ending in ("-wal", "-shm"):
        Path(f"{filled.index}{ending}").unlink(missing_ok=True)
    harm(filled.index)
    assert ask(filled, "frozen releases") == ["m7k2q9xa"]
    assert filled.reader().fresh()
    assert len(ask(filled, "server")) == 50


def ask(place: Place, query: str) -> list[str]:
    """As recall does: an index that turns out to be damaged is opened once more."""
    try:
        return place.keys(query)
    except Damaged:
        return place.keys(query)


@pytest.mark.parametrize("harm", [cut, scribble, empty, remove, make_future])
def test_a_reader_gets_none_and_no_error(filled: Place, harm: Callable[[Path], None]) -> None:
    for ending in ("-wal", "-shm"):
        Path(f"{filled.index}{ending}").unlink(missing_ok=True)
    harm(filled.index)
    assert Reader.open(str(filled.root), filled.scope.name) is None


def test_vectors_survive_another_version(filled: Place) -> None:
    with sqlite3.connect(filled.index) as db:
        db.execute(
            "INSERT INTO vectors(hash, model, vector) SELECT hash, 'paid', x'0000' FROM documents"
        )
    db.close()
    make_future(filled.index)
    sync.sync(filled.scope)
    assert len(filled.reader().vectors("paid")) == 61


@contextmanager
def writer(place: Place, name: str, rounds: int) -> Iterator[subprocess.Popen[str]]:
    """A process that writes notes and syncs after each. It begins when it reads a line."""
    arguments = [str(place.root), place.scope.name, str(rounds), name]
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def test_two_processes_write_at_once_while_others_read(place: Place) -> None:
    """Both begin with no index at all."""
    with writer(place, "north", 8) as north, writer(place, "south", 8) as south:
        for process in (north, south):
            go(process)
        while north.poll() is None or south.poll() is None:
            reader = Reader.open(str(place.root), place.scope.name)
            if reader is not None:
                found = reader.words(query_terms("fact"), limit=50)
                assert len({hit.document.key for hit in found}) == len(found) <= 16
                reader.close()
            time.sleep(0.005)
        assert (north.returncode, south.returncode) == (0, 0)
    assert len(place.keys("fact")) == 16
    assert sync.sync(place.scope).added == 0


def test_a_writer_that_is_killed_leaves_an_index_that_is_whole(place: Place) -> None:
    for number in range(200):
        place.memory(f"aaaaa{number:03}", f"The server of team {number} listens on port {number}.")
    place.memory("m7k2q9xa", "Releases are frozen on Fridays.")
    for delay in (0.0, 0.1):
        with writer(place, "killed", 1) as process:
            go(process)
            while not place.index.exists():
                time.sleep(0.001)
            time.sleep(delay)
        if not delay:
            assert Reader.open(str(place.root), place.scope.name) is None, "it had finished"
        assert place.keys("frozen releases") == ["m7k2q9xa"]
        assert len(place.keys("server")) == 50
        place.index.unlink()


def test_a_writer_waits_for_another_only_so_long(filled: Place) -> None:
    filled.note("late", "Deploys need two approvals.")
    other = sqlite3.connect(filled.index, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert sync.sync(filled.scope, wait=0.05).busy
    old = sync.opened(filled.scope, wait=0.05)
    assert old is not None
    assert [hit.document.key for hit in old.words(query_terms("frozen"), limit=5)] == ["m7k2q9xa"]
    old.close()
    other.execute("ROLLBACK")
    other.close()
    assert len(filled.keys("approvals")) == 1


def test_a_place_that_cannot_be_written_is_indexed_in_memory(filled: Place) -> None:
    shutil.rmtree(filled.index.parent)
    filled.index.parent.write_text("no directory")
    assert sync.sync(filled.scope).unwritable
    assert filled.keys("frozen releases") == ["m7k2q9xa"]


def test_a_link_in_place_of_the_index_is_not_written_through(filled: Place, tmp_path: Path) -> None:
    target = tmp_path / "precious.txt"
    target.write_text("keep me")
    filled.index.unlink()
    filled.index.symlink_to(target)
    assert filled.keys("frozen releases") == ["m7k2q9xa"]
    assert target.read_text() == "keep me"
