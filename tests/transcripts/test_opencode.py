"""What only opencode's database and its tree have."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from jmem.transcripts.catalogue import Catalogue
from jmem.transcripts.entries import Report, Turn
from jmem.transcripts.reader import Found, Rejected, every_session, inspect


@pytest.fixture
def opencode(written):
    return written("opencode")


def change(path, statement, *values):
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement, values)


def add(path, session, text, time, parent=None):
    """Another session with one prompt."""
    change(
        path,
        "INSERT INTO session VALUES (?, 'p', ?, 's', '/srv/pond', 't', '1', NULL, ?, ?)",
        *(session, parent, time, time),
    )
    change(
        path,
        'INSERT INTO message VALUES (?, ?, ?, ?, \'{"role": "user"}\')',
        *(f"msg_{session}", session, time, time),
    )
    part = f'{{"type": "text", "text": "{text}"}}'
    change(
        path,
        "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)",
        *(f"prt_{session}", f"msg_{session}", session, time, time, part),
    )


def test_every_session_of_the_database_is_found(opencode, tmp_path):
    path = opencode.save(tmp_path, *opencode.user("one"))
    add(path, "ses_early", "zero", 1_700_000_000_000)
    add(path, "ses_child", "do it", 1_800_000_000_000, parent="ses_5e550001")
    found = every_session(path)
    assert [each.info.id for each in found] == ["ses_early", "ses_5e550001", "ses_child"]
    assert [each.info.subagent for each in found] == [False, False, True]
    assert [each.info.cwd for each in found] == ["/srv/pond", "/srv/orchard", "/srv/pond"]
    texts = [[e.text for e in each.entries() if isinstance(e, Turn)] for each in found]
    assert texts == [["zero"], ["one"], ["do it"]]
    assert inspect(path, "opencode:ses_early").info.id == "ses_early"
    assert inspect(path).info.id == "ses_child"
    assert isinstance(inspect(path, "opencode:ses_none"), Rejected)


def test_a_session_whose_id_could_be_a_path_is_none(opencode, tmp_path):
    path = opencode.save(tmp_path, *opencode.user("one"))
    add(path, "../../etc/x", "zero", 1_700_000_000_000)
    assert [each.info.id for each in every_session(path)] == ["ses_5e550001"]


def test_one_session_changes_and_the_others_look_the_same(opencode, tmp_path):
    path = opencode.save(tmp_path, *opencode.user("one"))
    add(path, "ses_early", "zero", 1_700_000_000_000)
    before = {each.info.id: each.info for each in every_session(path)}
    change(
        path,
        "INSERT INTO part VALUES ('prt_9', 'msg_000001', 'ses_5e550001', 1, 1800000000000, '{}')",
    )
    after = {each.info.id: each.info for each in every_session(path)}
    assert after["ses_early"] == before["ses_early"]
    assert after["ses_5e550001"].mtime == 1_800_000_000.0
    assert after["ses_5e550001"].size_bytes > before["ses_5e550001"].size_bytes


def test_it_is_read_while_the_client_writes(opencode, tmp_path):
    """What is not in the database itself yet, but in the log beside it, counts too."""
    path = opencode.save(tmp_path, *opencode.user("one"))
    catalogue = Catalogue(tmp_path / "sessions.json")
    assert len(catalogue.look_up(path)) == 1
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        db.execute(
            "INSERT INTO session VALUES ('ses_new', 'p', NULL, 's', '/srv', 't', '1', NULL, 1, 1)"
        )
        db.commit()
        assert {each.info.id for each in catalogue.look_up(path)} == {"ses_new", "ses_5e550001"}
        db.execute("BEGIN IMMEDIATE")
        assert len(every_session(path)) == 2


def test_reading_changes_nothing(opencode, tmp_path):
    path = opencode.save(tmp_path, *opencode.user("one"), *opencode.assistant("two"))
    change(path, "PRAGMA journal_mode = WAL")
    before = path.read_bytes()
    path.chmod(0o400)
    assert opencode.said(path) == ["one"]
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["opencode.db"]


def test_what_the_user_took_back_is_left_out(opencode, written, tmp_path):
    lines = [*opencode.user("one"), *opencode.assistant("yes"), *opencode.user("two")]
    path = opencode.save(tmp_path, *lines)
    back = lines[-1]["message"]["id"]
    change(path, "UPDATE session SET revert = ?", f'{{"messageID": "{back}"}}')
    assert opencode.said(path) == ["one"]


def test_a_value_that_is_too_long_is_left_out(opencode, tmp_path, monkeypatch):
    monkeypatch.setattr("jmem.transcripts.opencode_database.MAX_LINE", 10_000)
    lines = [*opencode.user("one"), *opencode.user("x" * 20_000), *opencode.user("two")]
    path, report = opencode.save(tmp_path, *lines), Report()
    assert opencode.said(path) == ["one", "two"]
    list(opencode.entries(path, report))
    assert report.skipped["line too long"] == 1


def test_a_session_with_a_model_on_this_machine_says_so(opencode, written, tmp_path):
    for writer in (opencode, written("opencode-tree")):
        answer = writer.line("assistant", providerID="ollama", modelID="qwen3")
        info = writer.info(writer.save(tmp_path / writer.name, *writer.user("one"), answer))
        assert (info.provider, info.model) == ("ollama", "qwen3")


def test_a_database_of_somebody_else_is_no_session(tmp_path):
    path = tmp_path / "other.db"
    change(path, "CREATE TABLE session (id)")
    assert inspect(path) == Rejected(path=str(path), reason="not the format of a known agent")


def test_the_oldest_trees_are_read_too(written, tmp_path):
    tree = written("opencode-tree")
    head = tree.save(tmp_path, *tree.user("one"), *tree.assistant("yes"))
    storage = head.parents[2]
    flat = storage / "flat"
    flat.mkdir()
    for number, part in enumerate(sorted((storage / "part").rglob("*.json"))):
        part.rename(flat / f"prt_{number}.json")
    for folder in sorted((storage / "part").iterdir()):
        folder.rmdir()
    (storage / "part").rmdir()
    flat.rename(storage / "part")
    assert [e.text for e in tree.entries(head) if isinstance(e, Turn)] == ["one", "yes"]
    (storage / "session" / "message").mkdir()
    (storage / "message" / head.stem).rename(storage / "session" / "message" / head.stem)
    (storage / "part").rename(storage / "session" / "part")
    (storage / "session" / "p").rename(storage / "session" / "info")
    head = storage / "session" / "info" / head.name
    assert [e.text for e in tree.entries(head) if isinstance(e, Turn)] == ["one", "yes"]


def test_the_pieces_of_a_session_are_no_files_to_look_at(written, tmp_path):
    tree = written("opencode-tree")
    head = tree.save(tmp_path, *tree.user("one"))
    from jmem.transcripts.reader import find_sessions

    (found,) = find_sessions([tmp_path])
    assert isinstance(found, Found) and found.info.path == str(head)
