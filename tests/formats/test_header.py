"""The header of a file: what people really write loses nothing, and a rewrite is a small change."""

from __future__ import annotations

import subprocess
import sys

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from jmem.errors import CorruptStore
from jmem.formats import header

VALUES = st.one_of(
    st.text(min_size=1, max_size=60),
    st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=4),
    st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), st.text(max_size=20), min_size=1),
)
KEYS = st.from_regex(r"[a-z][a-z_]{0,11}", fullmatch=True)

ALL_BODY = {
    "a horizontal rule is not a header": "---\nhello world\n---\nrest",
    "a list between rules is not a header": "---\n- one\n- two\n---\nrest",
    "a body that begins with a brace is not JSON": "{\nnot json\n",
    "a TOML fence is text": "+++\ntitle = 1\n+++\nrest",
    "a fence that is never closed is text": "---\nkind: fact\nrest",
    "an empty header is nothing to lose": "---\n---\nrest",
    "a rule further down is text": "One fact.\n\n---\nkind: fact\n---\n",
}


@pytest.mark.parametrize("text", ALL_BODY.values(), ids=ALL_BODY.keys())
def test_a_text_without_a_header_is_all_body(text: str) -> None:
    assert header.parse(text) == ({}, text.strip())


READ_AS_TEXT = {"no": "no", "2025-10-24": "2025-10-24", "0123": "0123", "1:30": "1:30", "~": "~"}


@pytest.mark.parametrize("written", READ_AS_TEXT)
def test_a_scalar_is_read_as_the_text_that_stands_there(written: str) -> None:
    assert header.parse(f"---\nfield: {written}\n---\nx") == ({"field": written}, "x")


@pytest.mark.parametrize("key", ["content", "handler", "42", "metadata", "true"])
def test_no_key_has_a_meaning_of_its_own(key: str) -> None:
    """The library hands keys on as keyword arguments, where these would be an error."""
    assert header.parse(f"---\n{key}: here\n---\nbody") == ({key: "here"}, "body")


def test_a_byte_order_mark_hides_no_header() -> None:
    assert header.parse("\ufeff---\nkind: fact\n---\nbody") == ({"kind": "fact"}, "body")


def test_carriage_returns_hide_no_header() -> None:
    fields, body = header.parse("---\r\nkind: fact\r\n---\r\nbody\r\n")
    assert (fields, body) == ({"kind": "fact"}, "body")


@pytest.mark.parametrize(
    "inside", ["a: [unclosed", "a: 'unclosed", "a: b: c", "\tx: 1", "a: *nobody", "a: &x [*x"]
)
def test_a_header_that_is_not_yaml_is_reported_as_such(inside: str) -> None:
    with pytest.raises(CorruptStore, match="header is not YAML"):
        header.parse(f"---\n{inside}\n---\nbody")


def test_a_header_builds_nothing_but_text() -> None:
    fields, _ = header.parse("---\na: !!python/object/apply:os.getcwd []\n---\nbody")
    assert fields == {"a": []}


@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=5), st.text(max_size=80))
def test_what_is_rendered_is_read_back(fields: dict[str, header.Value], body: str) -> None:
    read, read_body = header.parse(header.render(fields, body))
    assert read == fields
    assert read_body == body.replace("\r\n", "\n").strip()


@given(st.text(max_size=200))
def test_any_text_is_parsed_or_reported(text: str) -> None:
    try:
        _, body = header.parse(text)
    except CorruptStore:
        assert header.split(text.strip()) is not None
    else:
        assert text.endswith(body) or body in text


@given(st.dictionaries(KEYS, VALUES, min_size=1), st.data())
def test_a_rewrite_changes_only_the_lines_of_its_keys(
    fields: dict[str, header.Value], data: st.DataObject
) -> None:
    changing = data.draw(st.sets(st.sampled_from(sorted(fields))))
    text = header.render(fields, "The body.\n\n---\n\nMore: of it.")
    new: dict[str, header.Value | None] = dict.fromkeys(changing, "another value")
    after = header.rewrite(text, new, None)
    assert header.parse(after)[0] == {**fields, **new}
    untouched = [key for key in fields if key not in changing]
    for key in untouched:
        assert header.render({key: fields[key]}, "").split("\n")[1] in after.split("\n")
    assert header.rewrite(text, {}, None) == text


WRITTEN_BY_HAND = """\
---
# chosen by Ida, do not change
kind:   preference   # why not
mood: 'sunny'
tags:
  - ci
  - tests

topic: "testing"
relates_to:
    m7k2q9xa: 0.5
---

Run the tests.
"""


def test_a_rewrite_keeps_comments_unknown_keys_and_order() -> None:
    after = header.rewrite(WRITTEN_BY_HAND, {"tags": ["slow"], "topic": "ci"}, None)
    expected = WRITTEN_BY_HAND.replace("tags:\n  - ci\n  - tests\n", "tags: [slow]\n")
    assert after == expected.replace('topic: "testing"', "topic: ci")


def test_a_rewrite_removes_a_key_with_what_belongs_to_it() -> None:
    after = header.rewrite(WRITTEN_BY_HAND, {"relates_to": None}, None)
    assert after == WRITTEN_BY_HAND.replace("relates_to:\n    m7k2q9xa: 0.5\n", "")


def test_a_rewrite_of_the_body_leaves_the_header() -> None:
    after = header.rewrite(WRITTEN_BY_HAND, {}, "Other words.")
    assert after == WRITTEN_BY_HAND.replace("\nRun the tests.\n", "Other words.\n")


def test_a_new_key_comes_last() -> None:
    after = header.rewrite("---\nkind: fact\n---\nx\n", {"reason": "a: b"}, None)
    assert after == '---\nkind: fact\nreason: "a: b"\n---\nx\n'


def test_a_file_without_a_header_cannot_be_rewritten() -> None:
    with pytest.raises(CorruptStore):
        header.rewrite("no header", {"kind": "fact"}, None)


_LINES = st.one_of(
    st.from_regex(r"[a-z_]{1,8}: [\w.:/+@# -]{0,12}", fullmatch=True),
    st.from_regex(r'[a-z]{1,8}: "[^\n\r]{0,12}"', fullmatch=True),
    st.from_regex(r"[a-z]{1,8}: \[[\w.:/+@#, -]{0,16}\]", fullmatch=True),
    st.from_regex(r"[a-z]{1,3}: ?[^\n\r]{0,8}", fullmatch=True),
    st.from_regex(
        r"[a-z]{1,3}: \{[a-z]{1,2}: [\w.:/+@# -]{0,9}(, [a-c]: [\w.:]{0,5})?\}", fullmatch=True
    ),
    st.from_regex(
        r"[a-z]{1,3}:(\n  - \{[a-z]: [\w.:# -]{0,9}(, [a-c]: [\w.:]{0,5})?\}){0,3}", fullmatch=True
    ),
)


@given(st.lists(_LINES, min_size=1, max_size=4), st.text(max_size=20))
def test_the_short_way_reads_a_header_as_yaml_does(lines: list[str], body: str) -> None:
    text = "\n".join(["---", *lines, "---", body])
    try:
        fields = yaml.load("\n".join(lines), Loader=yaml.CBaseLoader)
    except yaml.YAMLError:
        with pytest.raises(CorruptStore):
            header.parse(text)
    else:
        whole = not isinstance(fields, dict)
        below = body.replace("\r\n", "\n").strip()
        assert header.parse(text) == (({}, text.strip()) if whole else (fields, below))


def test_what_jmem_writes_needs_no_yaml() -> None:
    crumbs = [{"session": "codex:s1", "at": "2026-07-04T10:00:00Z"}] * 2
    fields = {"id": "m7k2q9xa", "cwd": "/srv/api", "tags": ["ci", "a/b"]}
    more = {"relates_to": {"avgqh9ql": "0.40", "b7k2q9xa": "1.00"}, "reinforcements": crumbs}
    text = header.render({**fields, **more}, "One fact.")
    assert header.parse(text)[0] == {**fields, **more}
    code = f"import sys; from jmem.formats import header; header.parse({text!r})"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; sys.exit('yaml' in sys.modules)"], check=False
    )
    assert done.returncode == 0
