"""The inbox: every note lands whole, none is lost, and no secret is among its bytes."""

from __future__ import annotations

import os
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import jmem
from jmem import Note
from jmem.errors import Refused, UsageError
from jmem.model import Origin, Source, Trust
from jmem.storage import inbox

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
SECRET = "ghp" + "_" + "a1B2" * 9


@pytest.fixture
def scope(memory_home: Path) -> Path:
    return jmem.ensure_scope(memory_home / "projects" / "orchard-00000000")


def note(text: str = "Use port 5433.", **fields: object) -> Note:
    return Note(text=text, **fields)  # type: ignore[arg-type]


def test_twelve_writers_in_one_second_keep_twelve_notes(scope: Path) -> None:
    with ThreadPoolExecutor(12) as pool:
        written = list(pool.map(lambda _: inbox.add(scope, note(), now=NOW), range(12)))
    found = inbox.listed(scope)
    assert {item.id for item in found} == {item.id for item in written}
    names = {item.name for item in found}
    assert names == {"20260704-100000-use-port-5433.md"} | {
        f"20260704-100000-use-port-5433-{number}.md" for number in range(1, 12)
    }


def test_a_reader_never_sees_half_a_note(scope: Path) -> None:
    text = "word " * 10_000 + "end"
    done = threading.Event()
    torn: list[str] = []

    def look() -> None:
        while not done.is_set():
            torn.extend(item.name for item in inbox.listed(scope) if item.text != text)

    reader = threading.Thread(target=look)
    reader.start()
    for _ in range(20):
        inbox.add(scope, note(text), now=NOW)
    done.set()
    reader.join()
    assert torn == []
    assert len(inbox.listed(scope)) == 20


def test_a_secret_is_nowhere_in_the_scope(scope: Path) -> None:
    inbox.add(
        scope,
        note(f"The token {SECRET} opens it.", cwd=f"/srv/{SECRET}", session=SECRET, tags=(SECRET,)),
        now=NOW,
    )
    held = b"".join(path.read_bytes() for path in scope.rglob("*") if path.is_file())
    names = " ".join(str(path) for path in scope.rglob("*"))
    assert SECRET.encode() not in held
    assert SECRET not in names
    assert SECRET.lower() not in names
    assert inbox.listed(scope)[0].text.startswith("The token [REDACTED")
    assert inbox.listed(scope)[0].text.endswith("opens it.")


@pytest.mark.parametrize("text", ["", "  \n\t ", "\x00\x07", "\ufeff"])
def test_an_empty_note_is_refused(scope: Path, text: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        inbox.add(scope, note(text), now=NOW)
    assert inbox.listed(scope) == []


def test_a_note_holds_64_kib_and_not_a_byte_more(scope: Path) -> None:
    inbox.add(scope, note("a" * jmem.MAX_NOTE_BYTES), now=NOW)
    assert len(inbox.listed(scope)[0].text) == jmem.MAX_NOTE_BYTES
    for text in ("a" * (jmem.MAX_NOTE_BYTES + 1), "é" * (jmem.MAX_NOTE_BYTES // 2) + "x"):
        with pytest.raises(UsageError) as error:
            inbox.add(scope, note(text), now=NOW)
        assert "split it into smaller facts" in error.value.hint


def test_ill_formed_words_fall_back_to_defaults(scope: Path) -> None:
    written = inbox.add(
        scope, note(kind="No Kind", source="root", origin="mars", trust="total", tags=("", "a b")),
        now=NOW,
    )  # fmt: skip
    assert (written.kind, written.source, written.origin) == ("fact", "agent", "unknown")
    assert (written.trust, written.tags) == ("medium", ())


@pytest.mark.parametrize(
    ("source", "asked", "believed", "trust"),
    [
        (Source.USER, "high", False, Trust.MEDIUM),
        (Source.USER, "", True, Trust.HIGH),
        (Source.AGENT, "high", True, Trust.MEDIUM),
        (Source.AGENT, "low", False, Trust.LOW),
    ],
    ids=[
        "a claim is no proof",
        "a terminal is believed",
        "an agent is no user",
        "less is believed",
    ],
)
def test_how_far_a_note_is_trusted(
    scope: Path, source: Source, asked: str, believed: bool, trust: Trust
) -> None:
    given = note(source=source, trust=asked, origin=Origin.TOOL)
    assert inbox.add(scope, given, now=NOW, believed=believed).trust is trust


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("提交前先运行测试", "提交前先运行测试"),
        ("Don't use npm in this repository", "don-t-use-npm-in-this"),
        ("../../etc/passwd", "etc-passwd"),
    ],
)
def test_a_name_keeps_letters_of_every_script(scope: Path, text: str, slug: str) -> None:
    assert inbox.add(scope, note(text), now=NOW).name == f"20260704-100000-{slug}.md"


def test_a_note_without_letters_is_named_by_a_hash(scope: Path) -> None:
    names = [inbox.add(scope, note(text), now=NOW).name for text in ("?!", "!?")]
    assert all(re.fullmatch(r"20260704-100000-note-[0-9a-f]{8}\.md", name) for name in names)
    assert names[0] != names[1]


def test_notes_are_listed_newest_first(scope: Path) -> None:
    for hours in (1, 3, 2):
        inbox.add(scope, note(f"after {hours} h"), now=NOW + timedelta(hours=hours))
    assert [item.text for item in inbox.listed(scope)] == ["after 3 h", "after 2 h", "after 1 h"]
    assert [item.text for item in inbox.listed(scope, 1)] == ["after 3 h"]


def test_notes_of_one_second_are_listed_in_the_order_of_their_writing(scope: Path) -> None:
    """The second corrects the first, whatever their names would say."""
    for number, text in enumerate(
        ["We use npm here.", "Actually pnpm.", "Actually pnpm.", "No: yarn."]
    ):
        written = inbox.add(scope, note(text), now=NOW)
        os.utime(written.path, ns=(number, number))
    found = [item.text for item in inbox.listed(scope)]
    assert found == ["No: yarn.", "Actually pnpm.", "Actually pnpm.", "We use npm here."]
    assert inbox.listed(scope)[1].name.endswith("-1.md")


def test_a_foreign_file_is_a_note_and_what_is_no_file_is_none(scope: Path) -> None:
    notes = scope / "notes"
    (notes / "mine.md").write_text("Use port 5433.")
    (notes / "empty.md").write_text("")
    (notes / "bytes.md").write_bytes(b"caf\xe9")
    (notes / "huge.md").write_text("x" * 300_000)
    (notes / ".hidden.md").write_text("x")
    (notes / "x.txt").write_text("x")
    (notes / "folder.md").mkdir()
    (notes / "link.md").symlink_to(scope / "project.yaml")
    os.mkfifo(notes / "pipe.md")
    assert {item.name for item in inbox.listed(scope)} == {"mine.md", "bytes.md"}


def test_fresh_notes_keep_the_order_in_which_they_came(scope: Path) -> None:
    """Also with a clock that goes back, a foreign file, and a list of arrivals that was lost."""
    inbox.add(scope, note("first"), now=NOW)
    inbox.add(scope, note("second"), now=NOW - timedelta(days=1))
    (scope / "notes" / "0.md").write_text("third")
    before = [text for _, text, _ in inbox.fresh(scope)]
    inbox.add(scope, note("fourth"), now=NOW - timedelta(days=2))
    after = [text for _, text, _ in inbox.fresh(scope)]
    assert after[:3] == before
    assert [text.split()[2] for text in after] == ["first", "second", "third", "fourth"]


def test_a_bullet_has_two_lines_and_240_bytes(scope: Path) -> None:
    written = inbox.add(scope, note("one\n\n" + "two " * 100 + "\nthree"), now=NOW)
    bullet = inbox.shown(written)
    assert bullet.count("\n") == 1
    assert "three" not in bullet
    assert len(bullet.encode()) < 240 + 50
    assert bullet.endswith("… (2026-07-04, from agent)")


def test_a_digested_note_is_gone_and_a_missing_one_no_error(scope: Path) -> None:
    written = inbox.add(scope, note(), now=NOW)
    inbox.remove(scope, [written.name, "gone.md"])
    assert inbox.listed(scope) == []
    assert inbox.fresh(scope) == []


def test_a_scope_with_a_linked_directory_is_refused(memory_home: Path, tmp_path: Path) -> None:
    root = memory_home / "projects" / "evil-00000000"
    root.mkdir(parents=True)
    (root / "notes").symlink_to(tmp_path)
    with pytest.raises(Refused):
        jmem.ensure_scope(root)
