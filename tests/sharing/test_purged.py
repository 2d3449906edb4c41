"""What was purged on one machine comes back from no other, and goes from the user's others too."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from jmem import changing, forgotten

from .conftest import Machine

Pair = tuple[Machine, Machine]
Git = Callable[..., str]
CODE = "Zebrafalcon"


def traces(machine: Machine, word: str = CODE) -> list[str]:
    """Where a word stands in a machine's store: files, and objects of git, named or not."""
    low = word.lower()
    found = [
        str(path)
        for path in machine.home.rglob("*")
        if path.is_file() and low in path.read_bytes().decode("utf-8", "replace").lower()
    ]
    found += [str(path) for path in machine.home.rglob("*") if low in path.name.lower()]
    return found + ["an object of git"] * (low in objects(machine.root / ".git"))


def at_remote(git: Git, machine: Machine, word: str = CODE) -> bool:
    """Whether any commit of any branch of the remote holds it; objects that none names are left
    to git, which drops them in its own time."""
    git(machine.bare, "gc", "--quiet", "--prune=now")
    return word.lower() in objects(machine.bare)


def objects(repository: Path) -> str:
    """Every object of a repository, in small letters."""
    command = ["git", "--git-dir", str(repository), "cat-file", "--batch-all-objects", "--batch"]
    done = subprocess.run(command, check=True, capture_output=True)
    return done.stdout.decode("utf-8", "replace").lower()


def learn(machine: Machine, text: str) -> str:
    machine.note(text)
    machine.distil()
    machine.push()
    return machine.id_of(text)


@pytest.mark.parametrize(
    ("rewrite", "text"),
    [(True, CODE), (False, f"The merger is called {CODE}.")],
    ids=["a word, rewritten", "all of it, with the next push"],
)
def test_a_push_after_a_purge_brings_nothing_back(
    pair: Pair, git: Git, rewrite: bool, text: str
) -> None:
    one, two = pair
    learn(one, f"The merger is called {CODE}.")
    two.pull()
    one.change(changing.purge, text=text)
    pushed = one.push(rewrite=rewrite)
    assert not any(pulled.commit for pulled in pushed.pulled)
    assert not traces(one)
    assert not at_remote(git, one)
    two.pull()
    assert not traces(two)
    assert two.in_force() == one.in_force()
    two.push()
    assert not at_remote(git, two)


def test_a_pull_alone_brings_nothing_back_and_costs_nothing(pair: Pair, git: Git) -> None:
    one, _ = pair
    learn(one, f"The merger is called {CODE}.")
    one.change(changing.purge, text=CODE)
    for _ in range(2):
        assert not one.pull().commit
    assert not traces(one)


def test_what_others_pushed_meanwhile_comes_without_it(pair: Pair, git: Git) -> None:
    one, two = pair
    key = learn(one, f"The merger is called {CODE}.")
    two.pull()
    two.change(changing.edit, key, text=f"The merger is called {CODE.lower()} since May.")
    learn(two, f"Ida knows the name, {CODE}s. She is in Bern.")
    learn(two, "Water the beans on Monday.")
    two.note(f"Ask about {CODE} tomorrow.")
    one.change(changing.purge, text=CODE)
    pulled = one.pull()
    assert pulled.known != pulled.there
    assert not traces(one)
    assert "Water the beans on Monday." in one.in_force()
    assert any("since May" in said for said in one.in_force())
    assert not one.pull().commit
    one.push()
    assert not at_remote(git, one)
    two.push()
    assert not traces(two)
    assert "Ask about (purged) tomorrow." in two.notes()
    one.pull()
    assert not traces(one)
    assert not at_remote(git, one)
    assert two.in_force() == one.in_force()


def test_what_stood_only_in_history_goes_from_all_histories(pair: Pair, git: Git) -> None:
    one, two = pair
    key = learn(one, f"The merger is called {CODE}.")
    two.pull()
    two.change(changing.edit, key, text="The merger has a name.")
    two.push()
    one.pull()
    assert traces(one)
    one.change(changing.purge, text=CODE)
    assert not one.push().pulled[-1].commit
    assert not at_remote(git, one)
    two.pull()
    assert not traces(one) + traces(two)


def test_a_purged_memory_goes_from_every_history(pair: Pair, git: Git) -> None:
    one, two = pair
    key = learn(one, f"The merger is called {CODE}.")
    two.pull()
    learn(two, "Water the beans on Monday.")
    one.change(changing.purge, key)
    one.push()
    two.pull()
    assert not traces(one) + traces(two)
    assert not at_remote(git, one)
    assert "Water the beans on Monday." in one.in_force()


def test_a_machine_that_joins_again_gets_nothing_of_it(pair: Pair, git: Git) -> None:
    one, _ = pair
    learn(one, f"The merger is called {CODE}.")
    with one.here():
        one.exchange.drop("origin")
    one.change(changing.purge, text=CODE)
    one.join()
    one.pull()
    assert not traces(one)
    one.push()
    assert not at_remote(git, one)


def test_others_cannot_delete_what_this_machine_has(machine: Callable[..., Machine]) -> None:
    author, reader = machine("author", trusted=False), machine("reader", trusted=False)
    learn(author, f"The merger is called {CODE}.")
    reader.pull()
    reader.note(f"My own word on {CODE}.")
    reader.distil()
    author.change(changing.purge, text=CODE)
    author.push()
    for fact in ("Water the beans on Monday.", "Cut the hedge in May."):
        reader.pull()
        assert "The merger is called (purged)." in reader.in_force()
        said = [one.statement for one in reader.memories().values()]
        assert f"My own word on {CODE}." in said
        learn(author, fact)


def test_the_list_of_what_was_purged_names_no_word(pair: Pair) -> None:
    one, two = pair
    learn(one, f"The merger is called {CODE}.")
    one.change(changing.purge, text=CODE)
    one.push()
    two.pull()
    said = (two.root / "forgotten.jsonl").read_text()
    assert CODE.lower() not in said.lower()
    (entry,) = forgotten.parse(said)
    assert (entry.purged, len(entry.marks)) == ("text", 1)
