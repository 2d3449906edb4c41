"""Whose sessions are whose, and why one is not read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

from jmem import config, places, scopes, sessions
from jmem.state import State
from jmem.storage import sessionstate
from jmem.transcripts.entries import SessionInfo
from jmem.transcripts.reader import Found, Reader


def found(path: str, identity: str, size: int, cwd: str = "/srv/orchard") -> Found:
    info = SessionInfo(agent="codex", id=identity, path=path, cwd=cwd, size_bytes=size)
    return Found(reader=cast(Reader, None), info=info)


def test_of_two_files_with_one_session_the_shorter_is_told() -> None:
    items = [found("a", "s1", 10), found("b", "s1", 30), found("c", "s1", 20), found("d", "s2", 5)]
    listing = sessions.by_scope(items, config.load())
    ((_, kept),) = listing.by_scope.values()
    assert sorted(item.info.path for item in kept) == ["b", "d"]
    reasons = {item.path: item.reason for item in listing.rejected}
    assert reasons == dict.fromkeys(("a", "c"), "holds the same session as b")


def test_the_caller_may_say_whose_all_sessions_are(here: Path) -> None:
    mine = scopes.resolve(here)
    items = [found("a", "s1", 10, "/elsewhere"), found("b", "s2", 10, "")]
    listing = sessions.by_scope(items, config.load(), project=mine)
    assert set(listing.by_scope) == {mine.name}
    assert not listing.rejected


def test_a_session_without_a_directory_belongs_to_nobody() -> None:
    listing = sessions.by_scope([found("a", "s1", 10, "")], config.load())
    assert not listing.by_scope
    assert listing.rejected[0].reason == "it does not say which directory it was in"


def test_a_session_that_no_person_held_is_read_only_where_that_is_allowed() -> None:
    now = datetime(2026, 7, 5, tzinfo=UTC)
    alone = replace(found("a", "s1", 10).info, started=now - timedelta(days=1), headless=True)
    items = [Found(reader=cast(Reader, None), info=alone)]
    for allowed, reason in ((False, "no person held it"), (True, "")):
        wanted = sessions.Wanted(headless=allowed)
        (candidate,) = sessions.select(items, State(), wanted, now)
        assert candidate.skipped == reason


def test_a_session_whose_end_a_hook_was_told_of_is_over() -> None:
    now = datetime(2026, 7, 5, tzinfo=UTC)
    last = now - timedelta(minutes=10)
    info = replace(found("a", "s1", 10).info, started=last - timedelta(hours=1), ended=last)
    held = [Found(reader=cast(Reader, None), info=info)]

    def skipped(*, end: datetime | None) -> str:
        if end:
            event = {"event": "end", "at": end.timestamp()}
            sessionstate.append(places.sessions(), "codex:s1", event)
        (candidate,) = sessions.select(held, State(), sessions.Wanted(), now)
        return candidate.skipped

    assert "still going on" in skipped(end=None)
    assert "still going on" in skipped(end=last - timedelta(minutes=1)), "it was resumed since"
    assert skipped(end=last + timedelta(seconds=1)) == ""
