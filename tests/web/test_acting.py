"""What the page does with what a person typed, asked without a server and without a browser."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from jmem import browsing, changing, discretion, paths, scopes
from jmem.amendment import PERSON
from jmem.cli.app import run
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
    discretion.choose({})


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


def test_a_stale_form_overwrites_nothing_and_shows_both_texts(page: Page) -> None:
    at, act = f"/memories/{page.scope.name}/mirror11", f"/do/{page.scope.name}/mirror11"
    form = page.form(at, "edit")
    changing.edit(page.scope, "mirror11", text="The mirror stands in Rome.", by=PERSON)
    typed = {**form, "text": "The mirror stands in Bergen."}
    status, text = page.post(f"{act}/edit", **typed)
    assert (status, page.said("mirror11").text) == (409, "The mirror stands in Rome.")
    assert "stands in Rome." in text and "stands in Bergen." in text
    for action in ("forget", "supersede"):
        assert page.post(f"{act}/{action}", **typed)[0] == 409
    known = re.findall(r'name="(seen:mirror11)" value="(\w+)"', text)[-1:]
    assert page.post(f"{act}/edit", **{**typed, **dict(known)})[0] == 200
    assert page.said("mirror11").text == "The mirror stands in Bergen."


def test_a_person_approves_only_what_they_saw(page: Page) -> None:
    form = page.form("/review", "settle")
    (path,) = (page.scope.root / "memories").glob("*apart111.md")
    path.write_text(path.read_text().replace("the pager", "nobody"))
    act = f"/do/{page.scope.name}/apart111/settle"
    status, text = page.post(act, **{**form, "word": "approve"})
    assert (status, page.said("apart111").status) == (409, Status.QUARANTINED)
    assert "Alarms go to nobody." in text
    assert page.post(act, **{**page.form("/review", "settle"), "word": "approve"})[0] == 200
    assert page.said("apart111").status is Status.ACTIVE


def test_words_that_are_masked_outlive_a_form_that_leaves_them(page: Page) -> None:
    changing.tag(page.scope, "mirror11", ["ci"], by=PERSON)  # committed: no longer masked on disk
    (paths.root() / "config.yaml").write_text("redact:\n  words: Acme\n")
    form = page.form(f"/memories/{page.scope.name}/mirror11", "edit")
    assert "Acme" not in form["text"]
    sent = {**form, "text": form["text"].replace("\n", "\r\n"), "kind": "workflow"}
    assert page.post(f"/do/{page.scope.name}/mirror11/edit", **sent)[0] == 200
    (path,) = (page.scope.root / "memories").glob("*mirror11.md")
    assert page.said("mirror11").kind == "workflow"
    assert "The mirror of Acme stands in Oslo." in path.read_text()


def test_a_setting_that_cannot_be_read_is_told_and_typed_text_comes_back(page: Page) -> None:
    file = paths.root() / "config.yaml"
    file.write_text("cooldown_hours: soon\n")
    for path in ("/", "/memories", "/inbox", "/figures"):
        answer = page.client.get(path)
        assert (answer.status_code, "cooldown_hours" in answer.text) == (200, True), path
    for text in ("cooldown_hours: soon\n", "a: [\n"):
        file.write_text(text)
        typed = "Beds are dug in <May>."
        status, told = page.post("/note", scope=page.scope.name, text=typed, kind="fact")
        assert status == 500
        assert "Beds are dug in &lt;May&gt;." in told and "config.yaml" in told
    for text in ("a: [\n", "redact:\n  extra: '('\n"):  # what is to be masked is not known
        file.write_text(text)
        answer = page.client.get("/memories")
        assert (answer.status_code, "config.yaml" in answer.text) == (500, True)
        assert "Acme" not in answer.text


def test_a_file_that_is_in_the_way_is_told(page: Page) -> None:
    (page.scope.root / "notes").rmdir()
    (page.scope.root / "notes").write_text("mine")
    status, text = page.post("/note", scope=page.scope.name, text="Beds are dug.", kind="fact")
    assert status in (409, 500)
    assert "Beds are dug." in text and "notes" in text and "Back to the overview" in text


def test_nobody_waits_for_a_lock_who_only_looks(page: Page) -> None:
    with ThreadPoolExecutor(1) as pool:
        with curated.changing(page.scope.root):
            acting = pool.submit(
                page.post, f"/do/{page.scope.name}/signed11/tag", tags="git", back="/"
            )
            time.sleep(0.3)  # long enough for the action to be at the lock
            assert "Tags are signed." in page.get("/memories")
            assert not acting.done()
        assert acting.result(timeout=30)[0] == 200
    assert page.said("signed11").tags == ("git",)


def test_the_report_overwrites_nothing(page: Page, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    command = ["ui", "--export", str(report)]
    assert run(command) == 0
    assert "Tags are signed." in report.read_text()
    report.write_text("mine")
    assert (run(command), report.read_text()) == (7, "mine")
