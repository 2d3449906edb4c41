"""Settings compiled for hooks are those that the settings file gives, or none at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from jmem import compiled, config, scopes


@pytest.fixture
def scope(tmp_path: Path) -> scopes.Scope:
    (tmp_path / "project").mkdir()
    return scopes.make(scopes.resolve(tmp_path / "project"))


def read_back(scope: scopes.Scope) -> dict[str, object] | None:
    return compiled.settings(str(scope.root), scope.directory)


def compile_now(scope: scopes.Scope) -> None:
    compiled.write(str(scope.root), scope.directory, config.load(scope.directory).everything())


def test_what_is_compiled_is_what_the_settings_say(scope: scopes.Scope) -> None:
    config.store("recall.max_hits", "3")
    assert read_back(scope) is None
    compile_now(scope)
    held = read_back(scope)
    assert held == json.loads(json.dumps(config.load(scope.directory).everything()))
    assert held is not None and held["recall.max_hits"] == 3


@pytest.mark.parametrize(
    "change",
    [
        lambda scope, patch: config.store("recall.votes", "1"),
        lambda scope, patch: (Path(scope.directory) / ".jmem.yaml").write_text("enabled: false\n"),
        lambda scope, patch: patch.setenv("JMEM_RECALL_JUDGE", "off"),
        lambda scope, patch: (scope.root / ".cache" / "hook.json").write_text("{"),
        lambda scope, patch: (scope.root / ".cache" / "hook.json").write_text("[]"),
    ],
    ids=["settings file", "repository", "variable", "cut short", "another form"],
)
def test_nothing_stale_is_believed(
    scope: scopes.Scope,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[scopes.Scope, pytest.MonkeyPatch], object],
) -> None:
    compile_now(scope)
    change(scope, monkeypatch)
    assert read_back(scope) is None
    compile_now(scope)
    assert read_back(scope) is not None


def test_the_clock_and_the_project_are_no_settings(
    scope: scopes.Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_now(scope)
    monkeypatch.setenv("JMEM_NOW", "2026-07-04T10:00:00Z")
    monkeypatch.setenv("JMEM_PROJECT", scope.directory)
    assert read_back(scope) is not None


def test_a_scope_without_a_cache_is_left_alone(tmp_path: Path) -> None:
    compiled.write(str(tmp_path / "nowhere"), "", {"enabled": True})
    assert not (tmp_path / "nowhere").exists()


def test_where_it_cannot_be_written_nothing_happens(scope: scopes.Scope) -> None:
    (scope.root / ".cache" / "hook.json").mkdir(parents=True)
    compile_now(scope)
    assert read_back(scope) is None
