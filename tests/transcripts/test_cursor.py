"""What only Cursor's transcripts have: a folder for a directory, and a mark around the prompt."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jmem.transcripts.entries import Report
from jmem.transcripts.flattened import directory_of, flattened


@pytest.fixture
def cursor(written):
    return written("cursor")


def test_only_what_stands_in_the_mark_was_typed(cursor, tmp_path):
    text = (
        "<attached_files>shelf.py</attached_files>\n<user_query>\nPlant\n</user_query>\n"
        "<system_reminder>be brief</system_reminder>"
    )
    line = cursor.line("user", {"type": "text", "text": text})
    assert cursor.said(cursor.save(tmp_path, line)) == ["Plant"]


def test_without_the_mark_all_was_typed(cursor, tmp_path):
    line = cursor.line("user", {"type": "text", "text": "Plant"})
    assert cursor.said(cursor.save(tmp_path, line)) == ["Plant"]


def test_it_ended_when_its_file_was_written(cursor, tmp_path):
    path = cursor.save(tmp_path, *cursor.user("Plant"))
    assert cursor.info(path).ended.timestamp() == pytest.approx(path.stat().st_mtime)


def test_a_sub_agents_transcript_is_one(cursor, tmp_path):
    path = cursor.save(tmp_path / "subagents", *cursor.user("Look at the shelf"))
    assert cursor.info(path).subagent


def test_other_lines_are_counted(cursor, tmp_path):
    report = Report()
    path = cursor.save(tmp_path, *cursor.user("Plant"), *cursor.assistant("Yes."))
    list(cursor.entries(path, report))
    assert report.skipped == {"turn_ended line": 1, "thinking": 1}


@pytest.mark.parametrize("name", ["my.shop", "my-shop", "my_shop", "my shop", "läden"])
def test_a_folders_name_stands_for_a_directory(tmp_path, name):
    wanted = tmp_path / "srv" / name
    (wanted / "deeper").mkdir(parents=True)
    assert directory_of(flattened(f"/srv/{name}"), str(tmp_path)) == str(wanted)


def test_a_name_that_stands_for_two_directories_stands_for_none(tmp_path):
    (tmp_path / "srv" / "my.shop").mkdir(parents=True)
    (tmp_path / "srv" / "my" / "shop").mkdir(parents=True)
    assert directory_of("srv-my-shop", str(tmp_path)) == ""
    assert directory_of("srv-other", str(tmp_path)) == ""
    assert directory_of("", str(tmp_path)) == ""


@given(parts=st.lists(st.text("ab-._", min_size=1, max_size=4), min_size=1, max_size=3))
@settings(deadline=None, max_examples=40)
def test_every_directory_is_found_by_its_name(tmp_path_factory, parts):
    names = [part for part in parts if part.strip("._- ")]
    root = tmp_path_factory.mktemp("r")
    wanted = root.joinpath(*names)
    wanted.mkdir(parents=True, exist_ok=True)
    expected = str(wanted) if names else ""
    assert directory_of(flattened("/" + "/".join(names)), str(root)) == expected


def test_the_directory_is_that_of_its_folder(cursor, tmp_path, monkeypatch):
    monkeypatch.setattr("jmem.transcripts.cursor.directory_of", lambda name: f"/found/{name}")
    folder = tmp_path / "srv-orchard" / "agent-transcripts" / "5e55-0001"
    assert cursor.info(cursor.save(folder, *cursor.user("Plant"))).cwd == "/found/srv-orchard"
