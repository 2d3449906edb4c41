"""Laws of putting entries into JSON and TOML: nothing else changes, and taking out is exact."""

from __future__ import annotations

import itertools
import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.formats import block, jsonc, jsonmerge, tomlmerge
from jmem.formats.patch import Patch, applied, taken_back

OURS = {"command": "/x/jmem", "args": ["mcp"]}
WANTED: dict[str, Any] = {"servers": {"jmem": OURS}, "hooks": {"Stop": [OURS], "Start": [OURS]}}
KEYS = st.sampled_from(["servers", "hooks", "Stop", "a", "jmem2", '"q"', "键", ""])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=5,
)
FILES = st.fixed_dictionaries(
    {},
    optional={
        "a": VALUES,
        "servers": st.dictionaries(st.sampled_from(["a", "b"]), VALUES, max_size=2),
        "hooks": st.fixed_dictionaries({}, optional={"Stop": st.lists(VALUES, max_size=2)}),
        "b": VALUES,
    },
)
BLANKS = st.sampled_from(
    ["", "", " ", "\n", "\n  ", "\t", "\r\n", " // x\n", "/* , */", "\n// }\n"]
)


def is_ours(value: Any) -> bool:
    return bool(value == OURS)


@st.composite
def written(draw: st.DrawFn, values: st.SearchStrategy[Any] = FILES) -> str:
    """A value as somebody might have typed it."""
    blanks = itertools.cycle(draw(st.lists(BLANKS, min_size=1, max_size=7)))
    commas = itertools.cycle(draw(st.lists(st.sampled_from(["", ","]), min_size=1, max_size=3)))

    def text(value: Any) -> str:
        if isinstance(value, dict):
            items = [
                f"{json.dumps(key)}{next(blanks)}:{next(blanks)}{text(inner)}"
                for key, inner in value.items()
            ]
        elif isinstance(value, list):
            items = [text(item) for item in value]
        else:
            return json.dumps(value, ensure_ascii=False)
        body = ",".join(f"{next(blanks)}{item}{next(blanks)}" for item in items)
        comma = next(commas) if items else ""
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        return f"{opening}{body}{comma}{next(blanks)}{closing}"

    mark = draw(st.sampled_from(["", jsonc.MARK]))
    return f"{mark}{next(blanks)}{text(draw(values))}{next(blanks)}"


def value_of(text: str) -> Any:
    root = jsonc.parse(text)
    assert root is not None
    return root.value


@given(written())
def test_what_is_put_into_json_is_all_that_changes(text: str) -> None:
    before = value_of(text)
    after, back = applied(text, jsonmerge.insertions(text, WANTED))
    assert value_of(after) == jsonmerge.merged(before, WANTED)
    assert taken_back(after, back) == text
    assert jsonmerge.insertions(after, WANTED) == ()


@given(written())
def test_what_is_taken_out_of_json_leaves_the_rest(text: str) -> None:
    after, _ = applied(text, jsonmerge.insertions(text, WANTED))
    bare = jsonmerge.removal(after, is_ours)
    left = jsonmerge.without(value_of(after), is_ours)
    assert jsonmerge.filled(value_of(bare)) == jsonmerge.filled(left)
    assert jsonmerge.removal(bare, is_ours) == bare
    comments = [part for part in ("// x", "/* , */", "// }") if part in text]
    assert all(bare.count(part) == text.count(part) for part in comments)


@given(st.dictionaries(KEYS, VALUES, min_size=1), st.sampled_from([2, 4, "\t"]))
def test_a_plain_file_needs_no_record(value: Any, indent: int | str) -> None:
    """In the form that programs write, taking out by what the entries start is exact, too."""
    kept = {key: inner for key, inner in value.items() if key not in WANTED}
    text = json.dumps({"first": 1, **kept}, ensure_ascii=False, indent=indent) + "\n"
    after, _ = applied(text, jsonmerge.insertions(text, WANTED))
    assert jsonmerge.removal(after, is_ours) == text


@given(st.text(alphabet='{}[]",:/*\\ \n1eun-.tr', max_size=30))
def test_whatever_text_there_is_it_is_read_or_refused(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        try:
            root = jsonc.parse(text)
        except jsonc.NotJson as error:
            assert "line" in str(error)
            return
        assert root is None or text[root.start : root.end]
    else:
        assert value_of(text) == json.loads(text)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(jsonc.NotJson, match="deeply"):
        jsonc.parse("[" * 5_000)


TABLES = st.sampled_from(
    [
        "a = 1 # x\n",
        'b = """\n[c]\n"""\n',
        "d = '''\n[e]'''\n",
        "f = [\n  [1],\n  { g = '[' },\n]\n",
        "# [h]\n",
        "\n",
        "[servers.x]\ncommand = 'y'\n",
        "[[i]]\nj = 1\n\n",
        "[k]\n",
    ]
)
TABLE = {"command": "/x/jmem", "args": ["mcp"], "tools": {"a b": {"mode": "ok"}}}


@st.composite
def toml(draw: st.DrawFn) -> str:
    text = "".join(draw(st.lists(TABLES, unique=True, max_size=6)))
    text = text.removesuffix("\n") if draw(st.booleans()) else text
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@given(toml())
def test_what_is_put_into_toml_is_all_that_changes(text: str) -> None:
    before = tomlmerge.parse(text)
    after, back = applied(text, [tomlmerge.insertion(text, ("servers", "jmem"), TABLE)])
    assert tomllib.loads(after.replace("\r\n", "\n")) == jsonmerge.merged(
        before, {"servers": {"jmem": TABLE}}
    )
    assert taken_back(after, back) == text
    bare = tomlmerge.removal(after, ("servers", "jmem"))
    assert bare.rstrip("\r\n") == text.rstrip("\r\n")
    below = after + "# mine\n[later]\nx = 1\n"
    left = tomlmerge.removal(below, ("servers", "jmem"))
    assert left.endswith("# mine\n[later]\nx = 1\n")
    assert tomlmerge.parse(left) == {**before, "later": {"x": 1}}


@given(st.text(alphabet="ab\n", max_size=20), st.lists(st.integers(0, 20), max_size=4, unique=True))
def test_patches_are_taken_back(text: str, places: list[int]) -> None:
    patches = [Patch(at, text[at : at + 1], f"<{at}>") for at in places if at <= len(text)]
    after, back = applied(text, patches)
    assert taken_back(after, back) == text
    assert taken_back("z" + after, back) in ("z" + text, None)


@given(st.text(alphabet="ab \n", max_size=20), st.booleans(), st.text(max_size=20))
def test_a_block_leaves_no_trace(text: str, returns: bool, body: str) -> None:
    text = text.replace("\n", "\r\n") if returns else text
    once = block.with_block(text, "first")
    twice = block.with_block(once, body.replace("<!--", "").replace("-->", ""))
    assert block.has_block(twice)
    assert block.without_block(once) == text
    if "\r" not in body:
        assert block.without_block(twice) == text
