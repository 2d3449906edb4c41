"""What a person does on the page, done in a real browser; and what other sites try there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from jmem.formats import memoryfile
from jmem.model import Memory, Status
from jmem.storage import inbox
from tests.web.conftest import WHEN, Served


def stored(served: Served, key: str) -> Memory:
    """A memory as its file has it."""
    (path,) = (served.scope.root / "memories").glob(f"*{key}.md")
    return memoryfile.parse(path.read_text("utf-8"), name=path.name, found=WHEN)


def form_of(page: Any, served: Served, key: str, act: str) -> Any:
    """The forms of an action on the page of a memory."""
    page.goto(f"/memories/{served.scope.name}/{key}")
    page.locator(f"[data-act={act}] > summary").click()
    return page.locator(f"[data-act={act}]")


def press(page: Any, where: Any, name: str) -> str:
    """Press a button, wait for the page that follows, and return what it says came of it."""
    with page.expect_navigation():
        where.get_by_role("button", name=name, exact=True).click()
    assert page.locator(".said.bad").count() == 0
    return str(page.inner_text(".said"))


def matter(page: Any, text: str) -> Any:
    """What waits in the review, by a part of its text."""
    page.goto("/review")
    return page.locator("[data-matter]", has_text=text)


def test_a_memory_is_edited_and_the_edit_taken_back(plain: Any, served: Served) -> None:
    form = form_of(plain, served, "editme11", "e")
    assert form.locator("textarea").input_value().endswith("As the others do.")
    form.locator("textarea").fill("Commits are written in the imperative.")
    press(plain, form, "Save")
    assert "Commits are written in the imperative" in plain.locator("h1").inner_text()
    assert stored(served, "editme11").text == "Commits are written in the imperative."
    press(plain, plain, "Take it back")
    assert stored(served, "editme11").text.startswith("Commits are written in the past tense")


def test_a_memory_is_replaced(plain: Any, served: Served) -> None:
    form = form_of(plain, served, "oldone11", "s")
    form.get_by_label("What holds now").fill("The mirror stands in Bergen.")
    press(plain, form, "Put it in its place")
    old = stored(served, "oldone11")
    assert old.status is Status.SUPERSEDED
    assert stored(served, old.superseded_by).text == "The mirror stands in Bergen."
    assert "Its place has" in plain.inner_text("main")


def test_tags_and_relations_are_added_and_removed(plain: Any, served: Served) -> None:
    form = form_of(plain, served, "tagged11", "t")
    form.get_by_label("Add tags").fill("style review")
    press(plain, form, "Add")
    assert stored(served, "tagged11").tags == ("style", "review")
    plain.locator("[data-act=t] > summary").click()
    press(plain, form.locator("form", has_text="#style"), "Remove")
    assert stored(served, "tagged11").tags == ("review",)

    form = form_of(plain, served, "tagged11", "l")
    form.get_by_label("Id of the other memory").fill("related1")
    press(plain, form, "Relate")
    assert dict(stored(served, "tagged11").relates_to) == {"related1": 0.5}
    assert dict(stored(served, "related1").relates_to) == {"tagged11": 0.5}
    plain.locator("[data-act=l] > summary").click()
    press(plain, form.locator("form", has_text="Reviews take a day."), "Remove")
    assert stored(served, "tagged11").relates_to == ()
    assert stored(served, "related1").relates_to == ()


def test_a_memory_is_forgotten_and_restored(plain: Any, served: Served) -> None:
    form = form_of(plain, served, "forget11", "f")
    form.get_by_label("Why").fill("nobody asked")
    press(plain, form, "Forget it")
    assert stored(served, "forget11").status is Status.FORGOTTEN
    assert stored(served, "forget11").reason == "nobody asked"
    press(plain, plain, "Restore")
    assert stored(served, "forget11").active


def test_what_waits_is_rejected_by_a_key(page: Any, served: Served) -> None:
    assert stored(served, "hostile2").status is not Status.FORGOTTEN
    one = matter(page, "push to main")
    assert page.evaluate("window.taken") is None
    one.focus()
    with page.expect_navigation():
        page.keyboard.press("r")
    assert stored(served, "hostile2").status is Status.FORGOTTEN


def test_what_waits_in_quarantine_is_approved(plain: Any, served: Served) -> None:
    press(plain, matter(plain, "Alarms go to the pager"), "It holds")
    assert stored(served, "apart111").active
    assert matter(plain, "Alarms go to the pager").count() == 0


def test_each_word_settles_a_contradiction(plain: Any, served: Served) -> None:
    one = matter(plain, "The cache lives")
    first = one.locator(".side-text a").first.get_attribute("href").rpartition("/")[2]
    second = {"cacheone": "cachetwo", "cachetwo": "cacheone"}[first]
    press(plain, one, "The first holds")
    assert stored(served, first).active
    assert stored(served, second).superseded_by == first

    press(plain, matter(plain, "The build queue"), "Both hold")
    both = [stored(served, key) for key in ("queueone", "queuetwo")]
    assert [(each.active, each.contradicts) for each in both] == [(True, ())] * 2

    press(plain, matter(plain, "Logs are kept"), "Merge")
    merged = [stored(served, key) for key in ("logs1one", "logs1two")]
    assert sorted(each.active for each in merged) == [False, True]
    (kept,) = (each for each in merged if each.active)
    assert set(kept.evidence) == {"note:logs1one", "note:logs1two"}  # a part of it, not replaced

    one = matter(plain, "The zone file")
    one.get_by_text("Say it better").click()
    one.locator("textarea").fill("The zone file is changed on Monday and on Friday.")
    press(plain, one, "Save; it holds")
    zones = [stored(served, key) for key in ("zone1one", "zone1two")]
    assert [(each.active, each.contradicts) for each in zones] == [(True, ())] * 2
    assert "The zone file is changed on Monday and on Friday." in {each.text for each in zones}


def test_a_note_is_written_changed_and_removed(plain: Any, served: Served) -> None:
    def written() -> set[str]:
        return {note.text for note in inbox.listed(served.scope.root)}

    before = written()
    plain.goto("/inbox")
    plain.get_by_text("Write something down").click()
    plain.get_by_label("One fact").fill("Releases are signed.")
    plain.get_by_label("Where").select_option(served.scope.name)
    press(plain, plain, "Write it down")
    assert written() - before == {"Releases are signed."}
    plain.get_by_role("link", name="Releases are signed.").click()
    plain.get_by_text("Edit", exact=True).click()
    plain.locator("textarea").fill("Releases are signed with SSH keys.")
    press(plain, plain, "Save")
    assert written() - before == {"Releases are signed with SSH keys."}
    plain.get_by_text("Remove", exact=True).click()
    assert "removed the note" in press(plain, plain, "Remove it")
    assert written() == before


def test_a_night_is_taken_back(plain: Any, served: Served) -> None:
    assert dict(stored(served, "deploy11").relates_to) == {"tests111": 0.5}
    plain.goto("/nights")
    plain.locator(f".night h2 a[href$='/{served.run}']").click()
    assert plain.locator(".decided li").count() >= 1
    plain.get_by_text("Take it back").click()
    assert "took back" in press(plain, plain, "Take this run back")
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
    """Without scripts the parts of a memory's page are pages of their own."""
    options = {"java_script_enabled": False, "viewport": {"width": 360, "height": 740}}
    context = chromium.new_context(base_url=served.base, color_scheme="dark", **options)
    page = context.new_page()
    page.goto(served.address)
    name = served.scope.name
    for path in dict.fromkeys(path.partition("?")[0] for path in served.paths):
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
