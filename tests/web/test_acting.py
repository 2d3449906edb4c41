"""What the page does with what a person typed, asked without a server and without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from jmem import browsing, changing, config, paths, scopes
from jmem.amendment import PERSON
from jmem.formats import memoryfile
from jmem.model import Memory, Status
from jmem.scopes import Scope
from jmem.storage import curated, inbox
from jmem.web import app
from jmem.web.guard import Secrets
from tests.web.conftest import memory

_BASE = "http://127.0.0.1:8765"


@dataclass(frozen=True, slots=True)
class Page:
    """The page over a scope of its own."""

    client: TestClient
    scope: Scope
    word: str

    def get(self, path: str) -> str:
        """The text of a page."""
        return self.client.get(path).text

    def form(self, path: str, action: str) -> dict[str, str]:
        """The fields of a form as a browser would send them unchanged."""
        text = self.get(path)
        start = text.index(f'/{action}"')
        body = text[start : text.index("</form>", start)]
        hidden = re.findall(r'<input[^>]*name="([^"]+)" value="([^"]*)"', body)
        typed = re.findall(r'<textarea name="([^"]+)"[^>]*>([^<]*)<', body)
        return {name: unescape(value) for name, value in [*hidden, *typed]}

    def post(self, path: str, **fields: str) -> tuple[int, str]:
        """Status and text of the answer to a form."""
        sent = {"form_word": self.word, **fields}
        answer = self.client.post(path, data=sent, headers={"origin": _BASE})
        return answer.status_code, answer.text

    def said(self, key: str) -> Memory:
        """A memory as it is known now."""
        found = browsing.one(self.scope, key)
        assert isinstance(found, Memory)
        return found


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    """Three memories of a project, one of them in quarantine."""
    project = tmp_path / "orchard"
    project.mkdir()
    scope = scopes.make(scopes.resolve(project))
    for each in (
        memory("mirror11", "The mirror of Acme stands in Oslo."),
        memory("signed11", "Tags are signed."),
        memory("apart111", "Alarms go to the pager.", status=Status.QUARANTINED, reason="unsure"),
    ):
        (scope.root / "memories" / memoryfile.file_name(each)).write_text(memoryfile.render(each))
    known = Secrets(port=8765)
    client = TestClient(app.build(known), base_url=_BASE, raise_server_exceptions=False)
    client.get(f"/?token={known.token}")
    yield Page(client, scope, known.form)
    config.load()


@pytest.mark.parametrize("written", ["", "\x00 : ["])
def test_a_note_goes_where_the_form_says_or_nowhere(page: Page, written: str) -> None:
    status, _ = page.post("/note", scope=page.scope.name, text="Beds are dug in May.", kind="fact")
    assert (status, [n.text for n in inbox.listed(page.scope.root)]) == (
        200,
        ["Beds are dug in May."],
    )
    (page.scope.root / "project.yaml").write_text(written)
    before = {root.name for root in paths.projects_root().iterdir()}
    _, text = page.post("/note", scope=page.scope.name, text="Beds are dug in June.", kind="fact")
    assert "does not say whose memory this is" in text
    assert len(inbox.listed(page.scope.root)) == 1
    assert {root.name for root in paths.projects_root().iterdir()} == before
    assert not paths.global_root().exists()


def test_a_nested_project_gets_its_own_note(page: Page) -> None:
    outer = Path(page.scope.directory).parent
    (outer / ".git").mkdir()  # resolved anew, the directory would be a part of this one
    page.post("/note", scope=page.scope.name, text="Beds are dug in May.", kind="fact")
    assert len(inbox.listed(page.scope.root)) == 1
