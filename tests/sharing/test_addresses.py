"""Which addresses are taken, and what a project is called at every remote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.errors import Refused, UsageError
from jmem.sharing import addresses


@pytest.mark.parametrize(
    "url",
    [
        "git@host.example:me/memory.git",
        "host.example:memory",
        "ssh://me@host.example:2222/srv/memory.git",
        "https://host.example/me/memory.git",
        "file:///srv/memory.git",
        "/srv/memory.git",
        "../memory.git",
    ],
)
def test_these_are_taken(url: str) -> None:
    assert addresses.checked(f" {url} ") == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "--upload-pack=touch /tmp/x",
        "ext::sh -c id",
        "fd::17",
        "http://host.example/memory.git",
        "git://host.example/memory.git",
        "ssh://-oProxyCommand=id/x",
        "gopher://host.example/x",
        "https://me:pass" + "word1234@host.example/memory.git",
        "host.example:x\ny",
    ],
)
def test_these_are_not(url: str) -> None:
    with pytest.raises((Refused, UsageError)):
        addresses.checked(url)


@pytest.mark.parametrize(
    ("url", "away"),
    [
        ("git@host.example:x", True),
        ("https://host.example/x", True),
        ("/srv/x", False),
        ("./a:b", False),
        ("file:///srv/x", False),
    ],
)
def test_what_leaves_the_machine(url: str, away: bool) -> None:
    assert addresses.on_network(url) is away


def test_every_clone_of_a_project_comes_to_one_name() -> None:
    urls = [
        "git@github.com:Acme/Shop.git",
        "https://github.com/acme/shop",
        "ssh://git@github.com/acme/shop.git/",
    ]
    assert {addresses.name_of(url) for url in urls} == {"github.com/acme/shop"}
    assert addresses.name_of("/srv/shop.git") == ""


@given(st.text(min_size=1, max_size=60), st.text(max_size=60))
def test_a_name_is_a_branch_that_git_takes(host: str, path: str) -> None:
    name = addresses.name_of(f"https://host.example/{host}/{path}")
    if name:
        branch = addresses.branch(name)
        assert ".." not in branch
        assert not branch.endswith(("/", ".", ".lock"))
        assert "//" not in branch
