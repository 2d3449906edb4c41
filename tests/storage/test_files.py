"""Writing files: whole or not at all, private, and with nothing left behind."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from jmem.errors import Refused
from jmem.storage import files
from jmem.storage.appending import append_line


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_write_replaces_the_whole_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    files.atomic_write(path, b"a long first text")
    files.atomic_write(path, b"second")
    assert path.read_bytes() == b"second"
    assert names(tmp_path) == ["a.md"]
    assert mode(path) == 0o600


@pytest.mark.parametrize("moment", ["write", "fsync", "replace"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_interrupted_write_leaves_the_old_text_and_no_stray_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, error: BaseException
) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old")

    def stop(*_: object) -> None:
        raise error

    if moment == "replace":
        monkeypatch.setattr(Path, "replace", stop)
    else:
        monkeypatch.setattr(os, "fsync", stop)
    expected = error if isinstance(error, type) else type(error)
    data = b"new" * (100_000 if moment == "write" else 1)
    with pytest.raises(expected):
        files.atomic_write(path, data)
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert names(path.parent) == ["a.md"]


def test_an_interrupted_creation_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "link", stop)
    with pytest.raises(KeyboardInterrupt):
        files.create_whole(tmp_path, ["a.md"], b"x")
    assert names(tmp_path) == []


def test_a_name_is_claimed_by_one_writer_only(tmp_path: Path) -> None:
    def write(number: int) -> Path | None:
        wanted = (f"a-{n}.md" for n in count())
        return files.create_whole(tmp_path, wanted, f"{number:02}".encode() * 5000)

    with ThreadPoolExecutor(8) as pool:
        paths = [path for path in pool.map(write, range(24)) if path]
    assert len(set(paths)) == 24
    assert names(tmp_path) == sorted(path.name for path in paths)
    assert [path.read_text() for path in paths] == [f"{n:02}" * 5000 for n in range(24)]


def test_no_name_is_taken_twice(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("mine")
    assert files.create_whole(tmp_path, ["a.md"], b"x") is None
    assert (tmp_path / "a.md").read_text() == "mine"
    assert names(tmp_path) == ["a.md"]


def test_a_file_system_without_hard_links_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    assert files.create_whole(tmp_path, ["a.md", "b.md"], b"one") == tmp_path / "a.md"
    assert files.create_whole(tmp_path, ["a.md", "b.md"], b"two") == tmp_path / "b.md"
    assert (tmp_path / "a.md").read_text() == "one"
    assert names(tmp_path) == ["a.md", "b.md"]


def test_directories_are_private_and_existing_ones_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    files.make_directory(tmp_path / "a" / "b")
    files.make_directory(tmp_path / "a" / "b")
    assert mode(tmp_path / "a") == mode(tmp_path / "a" / "b") == 0o700
    assert mode(tmp_path) == 0o755


def test_appended_lines_of_parallel_writers_never_mix(tmp_path: Path) -> None:
    path = tmp_path / "log"

    def write(number: int) -> None:
        append_line(path, f"{number}:" + chr(97 + number % 26) * 300)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(200)))
    lines = path.read_text().splitlines()
    assert sorted(int(line.partition(":")[0]) for line in lines) == list(range(200))
    assert all(len(set(line.partition(":")[2])) == 1 for line in lines)


def test_only_regular_files_are_read_and_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("x")
    (tmp_path / "link").symlink_to("real")
    os.mkfifo(tmp_path / "pipe")
    assert files.read_bytes(tmp_path / "real") == b"x"
    for name in ("link", "pipe", "nothing", "real/below", "."):
        assert files.read_bytes(tmp_path / name) is None


def test_text_that_is_not_utf8_is_still_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"caf\xe9")
    assert files.read_text(tmp_path / "a") == "caf\ufffd"


def test_a_write_through_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "scope").mkdir()
    (tmp_path / "scope" / "notes").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="symbolic link"):
        files.refuse_links(tmp_path / "scope", ("notes",))
