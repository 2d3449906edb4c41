"""A file is replaced only while it is the one that the run saw, to the last moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from jmem.storage import files

OLD, NEW, MINE = b"old\n", b"new\n", b"a person's\n"


@pytest.mark.parametrize("before", [None, OLD])
def test_what_was_seen_is_replaced(tmp_path: Path, before: bytes | None) -> None:
    path = tmp_path / "a.md"
    if before is not None:
        path.write_bytes(before)
    assert files.replace_known(path, NEW, files.digest(before))
    assert path.read_bytes() == NEW
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("known", [None, OLD])
def test_another_text_stays(tmp_path: Path, known: bytes | None) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(MINE)
    assert not files.replace_known(path, NEW, files.digest(known))
    assert path.read_bytes() == MINE
    assert list(tmp_path.iterdir()) == [path]


def test_a_text_saved_just_before_the_rename_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(OLD)
    replace = Path.replace

    def saved_first(self: Path, target: Path) -> Path:
        if self.name.startswith(".a.md") and ".old" not in self.name:
            path.write_bytes(MINE)
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", saved_first)
    assert not files.replace_known(path, NEW, files.digest(OLD))
    assert path.read_bytes() == MINE
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_made_just_before_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    monkeypatch.setattr(files, "read_bytes", lambda _: None)
    path.write_bytes(MINE)
    assert not files.replace_known(path, NEW, "")
    assert path.read_bytes() == MINE
