"""Nobody but the person's own browser reads the page, and only the page itself changes anything."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from tests.web.conftest import Served

STRICT = "default-src 'none'"


@pytest.fixture
def stranger(served: Served) -> Iterator[httpx.Client]:
    """Somebody on this machine who has not been given the token."""
    with httpx.Client(base_url=served.base, trust_env=False) as made:
        yield made


def form_word(client: httpx.Client) -> str:
    match = re.search(r'name="form_word" value="([^"]+)"', client.get("/inbox").text)
    assert match is not None
    return match[1]


def test_the_token_is_exchanged_for_a_cookie_and_leaves_the_address(
    served: Served, stranger: httpx.Client
) -> None:
    answer = stranger.get(served.address)
    cookie = answer.headers["set-cookie"].lower()
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert served.address.partition("token=")[2].lower() not in cookie


@pytest.mark.parametrize("path", ["/", "/memories", "/static/style.css", "/nowhere"])
def test_without_the_cookie_nothing_is_read(stranger: httpx.Client, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 401
    assert "make fast" not in answer.text


def test_a_wrong_token_opens_nothing(stranger: httpx.Client) -> None:
    answer = stranger.get("/?token=guessed")
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},  # a name that was made to resolve to 127.0.0.1
        {"host": "127.0.0.1"},
        {"host": "127.0.0.1.evil.example:80"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},  # another server on this machine
    ],
)
def test_other_sites_read_nothing(client: httpx.Client, headers: dict[str, str]) -> None:
    answer = client.get("/memories", headers=headers)
    assert answer.status_code == 403
    assert "make fast" not in answer.text


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:1"])
def test_other_sites_change_nothing(client: httpx.Client, origin: str | None) -> None:
    data = {"form_word": form_word(client), "scope": "global", "text": "From elsewhere."}
    headers = {"origin": origin} if origin else {}
    assert client.post("/note", data=data, headers=headers).status_code == 403
    assert "From elsewhere" not in client.get("/inbox").text


def test_a_form_needs_the_word_of_this_server(client: httpx.Client, served: Served) -> None:
    headers = {"origin": served.base}
    for word in ("", "guessed"):
        data = {"form_word": word, "scope": served.scope.name, "text": "Without the word."}
        assert client.post("/note", data=data, headers=headers).status_code == 403
    assert "Without the word" not in client.get("/inbox").text


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b"{}", 415),
        ("text/plain", b"a=b", 415),
        ("application/x-www-form-urlencoded", b"text=" + b"x" * 600_000, 413),
        ("application/x-www-form-urlencoded", b"&".join([b"a=b"] * 60), 400),
    ],
)
def test_only_forms_of_a_bounded_size_are_read(
    client: httpx.Client, served: Served, kind: str, body: bytes, status: int
) -> None:
    headers = {"origin": served.base, "content-type": kind}
    assert client.post("/note", content=body, headers=headers).status_code == status


def test_nothing_is_changed_by_asking_for_it(client: httpx.Client, served: Served) -> None:
    name = served.scope.name
    for path in (f"/do/{name}/forget11/forget", f"/undo/{name}/x", "/note"):
        assert client.get(path).status_code == 405
    assert client.request("DELETE", f"/memories/{name}/forget11").status_code == 403


@pytest.mark.parametrize("path", ["/", "/static/page.js", "/nowhere", "/memories/none/tests111"])
def test_every_answer_forbids_what_a_page_of_ours_never_needs(
    client: httpx.Client, stranger: httpx.Client, path: str
) -> None:
    for answer in (client.get(path), stranger.get(path)):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith(STRICT)
        assert "unsafe" not in policy
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
