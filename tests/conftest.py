"""What holds for the whole suite: it cannot touch the user's files, and its laws have a profile.

``HYPOTHESIS_PROFILE`` or ``CI`` chooses the profile; ``ci`` draws the same examples every time.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import forkserver
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase

from jmem.formats.memoryfile import topic_of
from jmem.formats.text import clean_text
from jmem.headless import SHELLS_OF_AGENTS
from jmem.ids import new_id
from jmem.model import (
    CONFIDENCE,
    KINDS,
    Item,
    Memory,
    NoteFile,
    Origin,
    Reinforcement,
    Source,
    Status,
    Trust,
    kind_or_default,
    tags_of,
)
from jmem.provenance import Provenance

_FOUND = DirectoryBasedExampleDatabase(Path(__file__).parents[1] / ".hypothesis" / "examples")
settings.register_profile("dev", deadline=None, max_examples=25, database=_FOUND)
settings.register_profile("ci", deadline=None, max_examples=20, derandomize=True, print_blob=True)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if "CI" in os.environ else "dev")
)

_OURS = ("JMEM_", "GIT_", "CLAUDE_", "CODEX_", "GEMINI_", "XDG_")


@pytest.fixture(autouse=True)
def nobody_elses_files(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every test has an empty home, an empty store and an empty current directory of its own."""
    place = tmp_path_factory.mktemp("machine")
    for name in ("home", "here"):
        (place / name).mkdir()
    for name in os.environ:
        if name.startswith(_OURS) or name in SHELLS_OF_AGENTS:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(place / "home"))
    monkeypatch.setenv("JMEM_HOME", str(place / "memory"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place / "home" / ".config"))
    monkeypatch.chdir(place / "here")


@pytest.fixture
def memory_home() -> Path:
    """The root of all memory in this test; nothing has been written there yet."""
    return Path(os.environ["JMEM_HOME"])


@pytest.fixture
def home() -> Path:
    return Path(os.environ["HOME"])


@pytest.fixture
def here() -> Path:
    """The current directory: empty, and in no repository."""
    return Path.cwd()


@pytest.fixture
def git() -> Callable[..., str]:
    """A real git with nobody's configuration: ``git(directory, *arguments)``."""

    def run(directory: Path, *arguments: str) -> str:
        options = ("user.name=Ida", "user.email=ida@example.org", "init.defaultBranch=main")
        command = ["git", *(word for option in options for word in ("-c", option))]
        command += ["-c", "protocol.file.allow=always", *arguments]
        environment = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
        done = subprocess.run(
            command, cwd=directory, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    return run


@dataclass(frozen=True)
class Done:
    """How a process ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def jmem_process() -> Callable[..., Done]:
    """The command line as a process of its own: ``jmem_process(*arguments, stdin=b"")``."""

    def run(*arguments: str, stdin: bytes = b"", **variables: str) -> Done:
        environment = {**os.environ, **variables}
        done = forkserver.run(arguments, cwd=Path.cwd(), env=environment, stdin=stdin, timeout=60)
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


_MOMENTS = st.integers(631_152_000, 4_102_444_800).map(
    lambda seconds: datetime.fromtimestamp(seconds, tz=UTC)
)
_IDS = st.binary(min_size=8, max_size=8).map(lambda drawn: new_id(lambda _: drawn))
_PROSE = ["the", "tests", "run", "with", "`make test`", "never", "naïve", "提交前", "先运行测试"]
_TAILS = ["#ci", "#a/b", "(user, 2026-07-04)", "(agent, 2026-01-01, x3)", "^m7k2q9xa"]
_MARKS = [
    "\\",
    "\\#ci",
    "\\^m7k2q9xa",
    "\\\\#x",
    "…",
    ":",
    "-",
    "#",
    "---",
    "{a: b}",
    "<!--",
    "> 3 more in",
]
_WORDS = st.sampled_from([*_PROSE, *_TAILS, *_MARKS])
_PHRASES = st.lists(_WORDS, min_size=1, max_size=30).map(" ".join)
_TEXTS = st.one_of(_PHRASES, st.text(min_size=1, max_size=120)).map(clean_text).filter(bool)
_LINES = _TEXTS.map(lambda text: " ".join(text.split()))
_BODIES = st.lists(_TEXTS, min_size=1, max_size=3).map("\n\n".join).map(clean_text)
_FILED = st.sampled_from(["", "plan.md", "提交/b c.md", "a: b # c"])
_TAGS = st.lists(_LINES, max_size=3).map(tags_of)
_KINDS = st.one_of(st.sampled_from(KINDS), st.text(max_size=12)).map(kind_or_default)
_REFERENCES = st.lists(
    st.one_of(_IDS.map("note:{}".format), _IDS.map("session:codex:{}#2".format), _LINES),
    max_size=3,
).map(tuple)
_HUNDREDTHS = st.integers(0, 100).map(lambda number: number / 100)


st.register_type_strategy(
    Memory,
    st.builds(
        Memory,
        id=_IDS,
        text=_BODIES,
        kind=_KINDS,
        topic=_LINES.map(topic_of),
        tags=_TAGS,
        source=st.sampled_from(Source),
        origin=st.sampled_from(Origin),
        trust=st.sampled_from(Trust),
        confidence=st.one_of(st.sampled_from(list(CONFIDENCE.values())), _HUNDREDTHS),
        strength=st.integers(0, 1_000_000),
        status=st.sampled_from(Status),
        created=_MOMENTS,
        updated=_MOMENTS,
        confirmed=st.none() | _MOMENTS,
        valid_until=st.none() | _MOMENTS,
        evidence=_REFERENCES,
        superseded_by=st.just("") | _IDS,
        supersedes=st.lists(_IDS, max_size=2).map(tuple),
        contradicts=st.lists(_IDS, max_size=2).map(tuple),
        derived_from=st.lists(_IDS, max_size=2).map(tuple),
        relates_to=st.dictionaries(_IDS, _HUNDREDTHS, max_size=2).map(lambda d: tuple(d.items())),
        cluster=st.just("") | _LINES,
        reason=st.just("") | _LINES,
        reinforcements=st.lists(
            st.builds(Reinforcement, session=st.just("") | _LINES, at=_MOMENTS), max_size=2
        ).map(tuple),
        missing=st.lists(_LINES, max_size=2).map(tuple),
        filed=_FILED,
    ),
)
st.register_type_strategy(
    NoteFile,
    st.builds(
        NoteFile,
        path=st.just("notes/x.md"),
        name=st.just("x.md"),
        id=st.just("") | _IDS,
        text=_BODIES,
        kind=_KINDS,
        source=st.sampled_from(Source),
        origin=st.sampled_from(Origin),
        trust=st.sampled_from(Trust),
        session=st.just("") | _LINES,
        cwd=st.just("") | _LINES,
        tags=_TAGS,
        time=_MOMENTS,
        filed=_FILED,
        imported=st.none()
        | st.builds(
            Provenance,
            format=_LINES,
            file=st.just("") | _LINES,
            key=st.just("") | st.from_regex("[0-9a-f]{16}", fullmatch=True),
        ),
    ),
)
st.register_type_strategy(
    Item,
    st.builds(
        Item,
        id=_IDS,
        number=st.integers(1, 99),
        text=_LINES,
        kind=_KINDS,
        source=st.sampled_from(Source),
        origin=st.sampled_from(Origin),
        trust=st.sampled_from(Trust),
    ),
)
