"""What is known of a project, kept in a file that an agent without hooks reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from jmem import scopes
from jmem.agents import block


@pytest.fixture
def project(here: Path) -> Path:
    (here / "AGENTS.md").write_text("# House rules\n")
    return here


def test_only_files_with_the_markers_are_touched(project: Path) -> None:
    assert block.refresh(scopes.resolve(project)) == []
    assert (project / "AGENTS.md").read_text() == "# House rules\n"


def test_a_file_that_cannot_be_written_does_not_stop_a_night(project: Path) -> None:
    change = block.to_add(scopes.resolve(project), "AGENTS.md")
    assert change is not None and change.after is not None
    file = project / "AGENTS.md"
    stale = change.after.replace(b"Nothing yet", b"out of date")
    file.write_bytes(stale)
    file.chmod(0o444)
    assert block.refresh(scopes.resolve(project)) == []
    file.chmod(0o644)
    assert file.read_bytes() == stale
    assert block.refresh(scopes.resolve(project)) == [file]
    assert b"out of date" not in file.read_bytes()
