"""Two and more machines share one scope over a bare repository."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jmem import changing
from jmem.errors import JmemError, Refused
from jmem.model import Note
from jmem.storage import curated, inbox
from jmem.storage.exchange import Unreachable

from .conftest import Machine, meet

Make = Callable[..., Machine]


Pair = tuple[Machine, Machine]


def test_what_one_machine_learned_the_other_knows(pair: Pair) -> None:
    one, two = pair
    assert (
        two.in_force()
        == one.in_force()
        == [
            "Deploy with `make ship`.",
            "The staging port is 6543.",
        ]
    )
    assert "The staging port is 6543." in (two.root / "MEMORY.md").read_text()
    meet(one, two)


def test_a_note_digested_on_one_side_waits_on_neither(machine: Make) -> None:
    one, two = machine("one"), machine("two")
    one.note("Always squash before a merge.")
    one.push()
    two.pull()
    two.distil()
    two.push()
    one.pull()
    assert one.notes() == []
    assert one.in_force() == ["Always squash before a merge."]


def test_edits_by_hand_are_merged_as_a_persons(pair: Pair) -> None:
    one, two = pair
    index = one.root / "MEMORY.md"
    index.write_text(index.read_text().replace("port is 6543", "port is 7000"))
    index.write_text(index.read_text() + "\n## mine\n- Ask Ida before you drop a table.\n")
    two.note("Logs lie in /var/log/orchard.")
    two.distil()
    two.push()
    one.pull()
    assert "The staging port is 7000." in one.in_force()
    assert "- Ask Ida before you drop a table." in index.read_text(), "it waits for a night"
    one.distil()
    meet(one, two)
    assert "Ask Ida before you drop a table." in two.in_force()


def test_a_pull_is_not_taken_back_from_everybody(pair: Pair) -> None:
    one, two = pair
    two.change(changing.edit, two.id_of("6543"), text="The staging port is 7000.")
    two.push()
    run = one.pull().run
    with pytest.raises(Refused, match="other machines"):
        one.change(changing.undo, run)


def test_two_that_were_apart_before_keep_what_each_forgot(machine: Make) -> None:
    """Each had keyed its hashes with a key of its own."""
    one, two = machine("one"), machine("two")
    ports = ("The apple port is 6543.", "The pear port is 7000.")
    for each, fact in zip((one, two), ports, strict=True):
        each.note(fact)
        each.note(f"{fact.split()[1]} trees are watered weekly.")
        each.distil()
        each.change(changing.forget, each.id_of(fact))
    meet(one, two)
    for each in (one, two):
        with each.here() as scope:
            for fact in ports:
                inbox.add(scope.root, Note(text=fact), now=each.now)
        each.distil()
        assert each.in_force() == [
            "apple trees are watered weekly.",
            "pear trees are watered weekly.",
        ]


def test_history_views_and_directories_stay_at_home(pair: Pair, git: Callable[..., str]) -> None:
    one, _ = pair
    listed = git(one.bare, "ls-tree", "-r", "--name-only", "jmem/global").split()
    assert {path.partition("/")[0] for path in listed} == {"memories", "scope.json"}
    said = git(one.bare, "log", "--format=%B", "jmem/global")
    assert "ship" not in said
    assert str(one.home) not in git(one.bare, "log", "-p", "jmem/global")


def test_what_was_forgotten_before_is_no_news(machine: Make) -> None:
    one, two = machine("one"), machine("two")
    one.note("Deploy with `make ship`.")
    key = one.note("The staging port is 6543.").id
    one.change(changing.forget, key)
    one.push()
    done = two.pull()
    assert done.counts == {"new notes": 1}
    one.note("Logs lie in /var/log/orchard.")
    (key,) = [note.id for note in one.waiting() if "Logs" in note.text]
    one.change(changing.forget, key)
    one.push()
    assert two.pull().told == "only what was forgotten there"


def test_a_merge_that_was_killed_is_finished_or_has_not_happened(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pair
    one.note("Logs lie in /var/log/orchard.")
    one.distil()
    one.push()
    real = curated._commit

    def die(*arguments: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(curated, "_commit", die)
    with pytest.raises(KeyboardInterrupt):
        two.pull()
    assert (two.root / ".journal.json").exists()
    monkeypatch.setattr(curated, "_commit", real)
    two.pull()
    assert not (two.root / ".journal.json").exists()
    assert "Logs lie in /var/log/orchard." in two.in_force()
    meet(one, two)


def test_what_was_merged_once_is_not_merged_again(pair: Pair) -> None:
    one, two = pair
    key = one.id_of("6543")
    one.change(changing.edit, key, text="The staging port is 7000.")
    two.change(changing.edit, key, text="The staging port is 8000.")
    one.push()
    two.push()
    assert one.pull().commit
    one.change(changing.edit, key, text="The staging port is 9000.")
    assert not one.pull().commit
    assert len(one.in_force()) == 3


def test_a_push_whose_end_was_not_seen_is_no_conflict(pair: Pair) -> None:
    one, two = pair
    met = one.exchange.commit_of("refs/jmem/origin/met")
    one.note("Logs lie in /var/log/orchard.")
    one.push()
    one.exchange.point("refs/jmem/origin/met", met)  # as if it had died right after the push
    one.distil()
    meet(one, two)
    assert one.notes() == two.notes() == []


def test_a_remote_that_is_gone_stops_a_push_and_says_so(machine: Make, bare: Path) -> None:
    one = machine("one")
    one.note("Deploy with `make ship`.")
    bare.rename(bare.with_name("elsewhere.git"))
    with pytest.raises(Unreachable, match="out of reach: fatal: "):
        one.push()
    assert one.notes() == ["Deploy with `make ship`."]


def test_purged_memories_do_not_come_back(pair: Pair, git: Callable[..., str]) -> None:
    one, two = pair
    key = one.id_of("6543")
    with one.here() as scope:
        changing.purge(scope, key)
    assert one.push(rewrite=True).commit
    assert "6543" not in git(one.bare, "log", "--all", "-p")
    two.change(changing.tag, key, ("ops",))
    meet(one, two)
    assert key not in one.memories().keys() | two.memories().keys()


def test_nothing_is_shared_where_memory_is_off(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = pair
    monkeypatch.setenv("JMEM_ENABLED", "false")
    for act in (one.push, two.pull):
        with pytest.raises(JmemError, match="switched off"):
            act()


def test_https_goes_as_the_users_own_git_does(machine: Make, home: Path) -> None:
    one = machine("one")
    assert one.exchange._of_user() == {}
    (home / ".gitconfig").write_text(
        "[credential]\n\thelper = store\n[http]\n\tproxy = http://proxy.example:3128\n"
        "[core]\n\thooksPath = /somewhere\n[alias]\n\tx = !id\n"
    )
    assert one.exchange._of_user() == {
        "credential.helper": "store",
        "http.proxy": "http://proxy.example:3128",
    }
