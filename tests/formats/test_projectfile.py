"""``project.yaml``: read back as written; a newer format is refused, never guessed at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.errors import CorruptStore
from jmem.formats import projectfile
from jmem.formats.projectfile import Project

PATHS = st.sampled_from(
    [
        "/srv/orchard",
        "/srv/my project",
        "/srv/a: b",
        "/srv/#1",
        "/srv/- x",
        "/srv/ö/测试",
        "/a,b",
        "/srv/two  spaces",
        "/srv/tab\there",
        "/srv/end ",
    ]
)


@given(PATHS, st.lists(PATHS, max_size=3))
def test_a_project_is_read_back_as_it_was_written(directory: str, aliases: list[str]) -> None:
    project = Project(key="00ff", directory=directory, aliases=tuple(aliases))
    assert projectfile.parse(projectfile.render(project)) == project


def test_a_newer_format_is_refused() -> None:
    with pytest.raises(CorruptStore, match="newer than the 1 that this jmem"):
        projectfile.parse("format: 2\nkey: 00ff\n")


def test_what_is_not_yaml_is_reported() -> None:
    with pytest.raises(CorruptStore):
        projectfile.parse("format: [\n")
