"""What the pages say, and what never reaches a browser."""

from __future__ import annotations

import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from jmem.web import plots
from jmem.web.rendering import STATIC
from tests.web.conftest import COMMAND, SECRET, Served, start


class Elements(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_every_page_answers_and_holds_no_code_of_memory(texts: dict[str, str]) -> None:
    for path, text in texts.items():
        elements = Elements(text).found
        scripts = [attributes for tag, attributes in elements if tag == "script"]
        assert [each.get("src") for each in scripts] == ["/static/htmx.min.js", "/static/page.js"]
        for tag, attributes in elements:
            assert tag not in {"iframe", "object", "embed", "base"}, path
            names = [name for name in attributes if name.startswith("on") or name == "style"]
            assert names == [], f"{tag} of {path}"
            for name in ("href", "src", "action"):
                assert re.match(r"[/#]", attributes.get(name) or "/"), (path, tag, attributes)


def test_every_field_has_a_label_and_every_page_one_heading(texts: dict[str, str]) -> None:
    for path, text in texts.items():
        elements = Elements(text).found
        assert [tag for tag, _ in elements].count("h1") == 1, path
        assert 'lang="en"' in text
        labelled = {attributes.get("for") for tag, attributes in elements if tag == "label"}
        for match in re.finditer(r"<(input|select|textarea)\b([^>]*)>", text):
            if 'type="hidden"' in match[2]:
                continue
            before = text[: match.start()]
            inside = before.rfind("<label") > before.rfind("</label>")
            named = re.search(r'id="([^"]+)"', match[2])
            assert inside or (named is not None and named[1] in labelled), (path, match[0])


def test_credentials_are_masked_and_hidden_characters_are_shown(
    client: httpx.Client, served: Served, texts: dict[str, str]
) -> None:
    name = served.scope.name
    assert not [path for path, text in texts.items() if SECRET in text]
    for path in (f"/memories/{name}/secret11", f"/memories/{name}/secret11/why"):
        assert SECRET not in client.get(path).text
    assert "[REDACTED" in client.get(f"/memories/{name}/secret11").text
    hostile = client.get(f"/memories/{name}/hostile1").text
    assert "&lt;script&gt;" in hostile
    assert "⟨U+202E⟩" in hostile
    assert "\u202e" not in hostile


def test_what_a_user_chose_to_be_masked_is_masked_here_too(
    client: httpx.Client, served: Served
) -> None:
    config = Path(served.environment["JMEM_HOME"]) / "config.yaml"
    assert "pytest" in client.get("/memories").text
    config.write_text("redact:\n  words: pytest\n", "utf-8")
    try:
        assert "pytest" not in client.get("/memories").text
    finally:
        config.unlink()


def test_while_memory_is_off_the_page_says_so(client: httpx.Client, served: Served) -> None:
    config = Path(served.environment["JMEM_HOME"]) / "config.yaml"
    config.write_text("enabled: false\n", "utf-8")
    try:
        assert "Memory is switched off" in client.get("/memories").text
    finally:
        config.unlink()


def test_search_and_filters_find_what_they_name(client: httpx.Client, served: Served) -> None:
    def found(**asked: str) -> list[str]:
        text = client.get("/memories", params=asked).text
        return sorted(set(re.findall(rf'href="/memories/{served.scope.name}/(\w+)"', text)))

    assert found(q="staging database") == ["portnew1", "portold1"]
    assert found(kind="pitfall") == ["deploy11"]
    assert found(topic="git") == ["signed11"]
    assert found(tag="ci") == ["deploy11", "tests111"]
    assert found(status="forgotten", kind="workflow") == ["gone1111"]
    assert found(q="nothing that anybody said") == []


def test_the_next_page_goes_on_where_the_first_one_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jmem import browsing
    from tests.web.conftest import MEMORIES, fill

    monkeypatch.setenv("JMEM_HOME", str(tmp_path / "memory"))
    scope, _ = fill(tmp_path / "orchard")
    asked, after, seen = browsing.Asked(status=browsing.ANY), "", []
    for _ in range(len(MEMORIES)):
        page = browsing.page([scope], asked, after=after, limit=4)
        seen += [each.key for each in page.documents]
        after = page.after
        if not after:
            break
    assert len(seen) == len(set(seen)) == page.total
    assert {each.id for each in MEMORIES} < set(seen)


def test_what_is_not_there_is_said(client: httpx.Client, served: Served) -> None:
    for path in ("/nowhere", "/memories/none/tests111", f"/memories/{served.scope.name}/nothere1"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "there is no" in answer.text


def test_the_report_is_one_file_that_loads_nothing(served: Served, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    command = [*COMMAND, "ui", "--export", str(target)]
    subprocess.run(command, env=served.environment, cwd=tmp_path, check=True, capture_output=True)
    text = target.read_text("utf-8")
    assert "make fast" in text
    assert SECRET not in text
    assert target.stat().st_mode & 0o77 == 0
    for tag, attributes in Elements(text).found:
        assert tag not in {"script", "link", "img", "iframe"}
        assert not (attributes.get("href") or "#").strip("#").startswith(("http", "/"))


def test_a_port_that_is_taken_is_said(served: Served) -> None:
    process = start(served.environment, "--port", served.base.rpartition(":")[2])
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "in use" in errors


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_text_stands_out_in_light_and_in_the_dark() -> None:
    """WCAG's 4.5 to 1 for all text, on every ground it stands on."""
    style = (STATIC / "style.css").read_text("utf-8")
    schemes = [
        dict(re.findall(r"--([\w-]+): (#\w{6})", part)) for part in style.split(":root")[1:3]
    ]
    texts = ["ink", "soft", "link", "preference", "fact", "pitfall", "workflow", "correction"]
    pairs = [(text, ground) for text in texts for ground in ("paper", "panel")]
    pairs += [("on-accent", "accent"), ("bad-ink", "bad"), ("add-ink", "add"), ("del-ink", "del")]
    pairs += [
        ("soft", "raised"),
        ("ink", "warn"),
        ("ink", "good"),
        ("ink", "bad"),
        ("soft", "warn"),
    ]
    for colours in schemes:
        for text, ground in pairs:
            lighter, darker = sorted(
                map(_luminance, (colours[text], colours[ground])), reverse=True
            )
            assert (lighter + 0.05) / (darker + 0.05) >= 4.5, (text, ground)


@pytest.mark.parametrize(("most", "top"), [(0, 1), (1, 1), (3, 4), (11, 20), (4_100, 6_000)])
def test_an_axis_ends_at_a_number_that_reads_well(most: int, top: int) -> None:
    plot = plots.stacked("Growth", "", ["2026-07-04"], {"came": [most]})
    assert plot.ticks[-1].label.replace("k", "000") == str(top)
