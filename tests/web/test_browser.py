"""What a person does on the page, done in a real browser; and what other sites try there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from jmem.formats import memoryfile
from jmem.model import Memory, Status
from tests.web.conftest import WHEN, Served


def stored(served: Served, key: str) -> Memory:
    """A memory as its file has it."""
    (path,) = (served.scope.root / "memories").glob(f"*{key}.md")
    return memoryfile.parse(path.read_text("utf-8"), name=path.name, found=WHEN)


def opened(page: Any, served: Served, key: str, act: str) -> Any:
    """The form of an action on the page of a memory."""
    page.goto(f"/memories/{served.scope.name}/{key}")
    page.locator(f"[data-act={act}] > summary").click()
    return page.locator(f"[data-act={act}]")


def test_a_memory_is_edited_replaced_tagged_forgotten_and_restored(
    page: Any, served: Served
) -> None:
    form = opened(page, served, "editme11", "e")
    assert form.locator("textarea").input_value().endswith("As the others do.")
    form.locator("textarea").fill("Commits are written in the imperative.")
    form.get_by_role("button", name="Save").click()
    assert "Commits are written in the imperative" in page.locator("h1").inner_text()
    assert stored(served, "editme11").text == "Commits are written in the imperative."

    page.get_by_role("button", name="Take it back").click()
    assert stored(served, "editme11").text.startswith("Commits are written in the past tense")

    form = opened(page, served, "editme11", "t")
    form.get_by_label("Add tags").fill("style review")
    form.get_by_role("button", name="Add").click()
    assert stored(served, "editme11").tags == ("style", "review")
    page.locator("[data-act=t] > summary").click()
    page.get_by_role("button", name="Remove").first.click()
    assert stored(served, "editme11").tags == ("review",)

    form = opened(page, served, "editme11", "l")
    form.get_by_label("Id of the other memory").fill("related1")
    form.get_by_role("button", name="Relate").click()
    assert dict(stored(served, "editme11").relates_to) == {"related1": 0.5}

    form = opened(page, served, "editme11", "s")
    form.get_by_label("What holds now").fill("Commits are written by a machine.")
    form.get_by_role("button", name="Put it in its place").click()
    assert stored(served, "editme11").status is Status.SUPERSEDED
    assert "Its place has" in page.inner_text("main")

    form = opened(page, served, "forget11", "f")
    form.get_by_label("Why").fill("nobody asked")
    form.get_by_role("button", name="Forget it").click()
    assert stored(served, "forget11").status is Status.FORGOTTEN
    assert stored(served, "forget11").reason == "nobody asked"
    page.get_by_role("button", name="Restore").click()
    assert stored(served, "forget11").active


def test_the_review_is_settled_by_keys_and_by_buttons(page: Any, served: Served) -> None:
    page.goto("/review")
    matter = page.locator("[data-matter]", has_text="previous instructions")
    assert page.evaluate("window.taken") is None
    matter.focus()
    with page.expect_navigation():
        page.keyboard.press("r")
    assert stored(served, "hostile1").status is Status.FORGOTTEN

    matter = page.locator("[data-matter]", has_text="staging database")
    matter.get_by_text("Say it better").click()
    matter.locator("textarea").fill("Staging: 6432 by day, 5433 by night.")
    matter.get_by_role("button", name="Save").click()
    assert "Nothing waits" in page.inner_text("main")
    assert {stored(served, key).contradicts for key in ("portold1", "portnew1")} == {()}


def test_a_note_is_written_changed_and_removed(page: Any, served: Served) -> None:
    page.goto("/inbox")
    page.get_by_text("Write something down").click()
    page.get_by_label("One fact").fill("Tags are signed.")
    page.get_by_label("Where").select_option(served.scope.name)
    page.get_by_role("button", name="Write it down").click()
    page.get_by_role("link", name="Tags are signed.").click()
    page.get_by_text("Edit", exact=True).click()
    page.locator("textarea").fill("Tags are signed with SSH keys.")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Remove", exact=True).click()
    page.get_by_role("button", name="Remove it").click()
    assert "removed the note" in page.inner_text(".said")
    assert page.get_by_role("link", name="Tags are signed").count() == 0


def test_a_night_is_taken_back(page: Any, served: Served) -> None:
    page.goto("/nights")
    page.locator(".night h2 a").last.click()
    assert page.locator(".decided li").count() >= 1
    page.get_by_text("Take it back").click()
    page.get_by_role("button", name="Take this run back").click()
    assert "took back" in page.inner_text(".said")
    assert stored(served, "deploy11").relates_to == ()


def test_the_keys_lead_everywhere(page: Any, served: Served) -> None:
    page.goto("/memories")
    page.keyboard.press("/")
    page.keyboard.type("make fast")
    page.locator(".count", has_text="1 found").wait_for()
    assert "q=make%20fast" in page.url  # the address can be kept
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url.endswith("/tests111")
    page.locator(".drawing svg").wait_for()  # the parts of the page have come by themselves
    page.keyboard.press("?")
    assert page.locator("dialog").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    with page.expect_navigation():
        page.keyboard.press("f")
    assert page.url.endswith("/figures")


def test_it_is_read_and_used_without_scripts_and_on_a_phone(chromium: Any, served: Served) -> None:
    options = {"java_script_enabled": False, "viewport": {"width": 360, "height": 740}}
    context = chromium.new_context(base_url=served.base, color_scheme="dark", **options)
    page = context.new_page()
    page.goto(served.address)
    name = served.scope.name
    for path in (*served.paths[:5], *served.paths[8:]):
        page.goto(path, wait_until="domcontentloaded")
        box = page.locator("main").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 360, path
    page.goto(f"/memories/{name}/tests111")
    page.get_by_role("link", name="The words that it rests on").click()
    assert page.locator("h1").inner_text() == "Why it is known"
    page.goto("/memories")
    page.get_by_label("Kind").select_option("pitfall")
    page.get_by_role("button", name="Show").click()
    assert page.locator(".row").count() == 1
    context.close()


EVIL = """<!doctype html><title>evil</title>
<iframe name="sink"></iframe><img src="{base}/memories">
<form id="f" method="post" action="{base}/do/{name}/tests111/forget" target="sink">
<input name="form_word" value=""></form>
<script>
(async () => {{
  const seen = [];
  for (const mode of ["cors", "no-cors"]) for (const path of ["/memories", "/static/page.js"]) {{
    try {{
      const got = await fetch("{base}" + path, {{ credentials: "include", mode }});
      seen.push(await got.text());
    }} catch (error) {{ seen.push(""); }}
  }}
  try {{
    await fetch("{base}/do/{name}/tests111/forget",
      {{ method: "POST", mode: "no-cors", credentials: "include", body: new URLSearchParams() }});
  }} catch (error) {{}}
  document.getElementById("f").submit();
  window.seen = seen;
}})();
</script>"""


@pytest.fixture
def evil(served: Served) -> Iterator[int]:
    """Another server on this machine; the browser believes it to be of the same site."""
    text = EVIL.format(base=served.base, name=served.scope.name).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_another_site_in_the_same_browser_reads_and_changes_nothing(
    chromium: Any, served: Served, evil: int, host: str
) -> None:
    context = chromium.new_context()
    person = context.new_page()
    person.goto(served.address)
    assert "make fast" in person.goto(f"{served.base}/memories").text()
    page = context.new_page()  # beside the person's own, in the same browser
    answers: list[int] = []
    page.on("response", lambda got: answers.append(got.status) if served.base in got.url else None)
    page.goto(f"http://{host}:{evil}/")
    page.wait_for_function("window.seen !== undefined")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.seen.join('')") == ""
    assert stored(served, "tests111").active
    assert answers
    assert set(answers) <= {401, 403}
    context.close()
