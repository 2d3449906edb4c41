"""Putting entries into a JSON file and taking them out, with every other byte left as it is. Pure.

What is to be added is a tree of its own: objects are joined member by member, lists are appended
to, and any other value must be new or the same. Both directions are checked by reading the result.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jmem.formats import jsonc
from jmem.formats.jsonc import Child, Node
from jmem.formats.patch import Patch, applied

Ours = Callable[[Any], bool]
"""Whether a member's value or a list's element is an entry of ours."""


_BLANK = " \t\r\n,:"
_KEY = re.compile(r'"(?:[^"\\]|\\.)*"')
_UNSAFE = "it is written in a way that jmem cannot change safely"


class Clash(ValueError):
    """Something else stands where an entry should go; says where."""


def merged(value: Any, wanted: Any, place: str = "") -> Any:
    """The value with everything that is wanted. Raises Clash."""
    if isinstance(value, Mapping) and isinstance(wanted, Mapping):
        joined = dict(value)
        for key, more in wanted.items():
            inner = f"{place}.{key}" if place else key
            joined[key] = merged(value[key], more, inner) if key in value else more
        return joined
    if isinstance(value, list) and isinstance(wanted, list):
        return [*value, *(item for item in wanted if item not in value)]
    if value != wanted or type(value) is not type(wanted):
        raise Clash(f"{place or 'the file'} is there already, as something else")
    return value


def without(value: Any, ours: Ours) -> Any:
    """The value without our entries, and without what only they were in."""
    if isinstance(value, Mapping):
        kept: dict[str, Any] = {}
        for key, inner in value.items():
            rest = None if ours(inner) else without(inner, ours)
            if not _gone(inner, rest, ours):
                kept[key] = rest
        return kept
    if isinstance(value, list):
        rests = [(inner, None if ours(inner) else without(inner, ours)) for inner in value]
        return [rest for inner, rest in rests if not _gone(inner, rest, ours)]
    return value


def _gone(value: Any, rest: Any, ours: Ours) -> bool:
    """It is ours, or a container that nothing but ours was in."""
    return ours(value) or (isinstance(value, Mapping | list) and bool(value) and not rest)


def filled(value: Any) -> Any:
    """The value without empty containers: entries may have been the only ones in theirs."""
    if isinstance(value, Mapping):
        inner = {key: filled(item) for key, item in value.items()}
        return {key: item for key, item in inner.items() if item not in ({}, [])}
    return [filled(item) for item in value] if isinstance(value, list) else value


def insertions(text: str, wanted: Mapping[str, Any]) -> tuple[Patch, ...]:
    """What adds the entries to the text. Raises NotJson, Clash."""
    root = jsonc.parse(text)
    style = _style(text, root)
    if root is None:
        before = "" if not text.strip(jsonc.MARK) or text.endswith("\n") else style.newline
        whole = style.dumped(wanted, "")
        return (Patch(len(text), "", before + whole + style.newline),)
    if not isinstance(root.value, dict):
        raise Clash("the file is a list or a single value, not an object")
    expected = merged(root.value, wanted)
    patches = tuple(_into(text, root, wanted, style, top=True))
    found = jsonc.parse(applied(text, patches)[0])
    if found is None or found.value != expected:
        raise Clash(_UNSAFE)
    return patches


def removal(text: str, ours: Ours) -> str:
    """The text without our entries. Raises NotJson."""
    root = jsonc.parse(text)
    if root is None:
        return text
    expected = filled(without(root.value, ours))
    while root is not None and (found := _first(text, root, ours)):
        text = applied(text, _cut(text, *found))[0]
        root = jsonc.parse(text)
    if root is None or filled(root.value) != expected:
        raise Clash(_UNSAFE)
    return text


# -- where it goes --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Style:
    """How the file is written: a step of indentation, how a line ends, whether it is one line."""

    step: str
    newline: str
    one_line: bool

    def dumped(self, value: Any, indent: str, *, flat: bool = False) -> str:
        """The value as this file would write it; the lines after the first begin at ``indent``."""
        if flat:
            return json.dumps(value, ensure_ascii=False)
        text = json.dumps(value, ensure_ascii=False, indent=self.step)
        return text.replace("\n", self.newline + indent)


def _style(text: str, root: Node | None) -> _Style:
    newline = "\r\n" if "\r\n" in text else "\n"
    step = "  "
    if root is not None and root.children:
        indent = _indent(text, root.children[-1])
        step = indent or step
    return _Style(step, newline, root is not None and "\n" not in text[root.start : root.end])


def _indent(text: str, child: Child) -> str | None:
    """The white space that a child's line begins with; None where something stands before it."""
    line = text[text.rfind("\n", 0, child.start) + 1 : child.start]
    return line if not line.strip() else None


def _into(
    text: str, node: Node, wanted: Any, style: _Style, *, top: bool = False
) -> Iterator[Patch]:
    """One patch for each container that gets something."""
    if isinstance(wanted, list):
        new = [item for item in wanted if item not in node.value]
        if new:
            yield _appended(text, node, [("", item) for item in new], style, top=top)
        return
    fresh: list[tuple[str, Any]] = []
    for key, more in wanted.items():
        child = node.child(key)
        if child is None:
            fresh.append((json.dumps(key, ensure_ascii=False) + ": ", more))
        elif isinstance(more, Mapping | list):
            yield from _into(text, child, more, style)
    if fresh:
        yield _appended(text, node, fresh, style, top=top)


def _appended(
    text: str, node: Node, items: list[tuple[str, Any]], style: _Style, *, top: bool
) -> Patch:
    """The items behind the last child: what lies between it and the bracket is written anew."""
    last = node.children[-1] if node.children else None
    outer = _line_indent(text, node.start)
    inner = (_indent(text, last) if last else None) or outer + style.step
    one_line = "\n" not in text[node.start : node.end]
    flat = not top and (style.one_line or (one_line and last is not None))
    start = last.node.end if last else node.start + 1
    gap = text[start : node.end - 1]
    kept = gap.rstrip(" \t\r\n")
    tail = gap[len(kept) :]
    if not flat and "\n" not in tail:
        tail = style.newline + outer
    lead = (" " if last else "") if flat else style.newline + inner
    body = ("," + (" " if flat else lead)).join(
        key + style.dumped(value, inner, flat=flat) for key, value in items
    )
    before = "," if last and not node.comma else ""
    return Patch(start, gap, f"{before}{kept}{lead}{body}{',' if node.comma else ''}{tail}")


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at].removeprefix(jsonc.MARK)
    return line[: len(line) - len(line.lstrip(" \t"))]


# -- taking it out --------------------------------------------------------------------------------


def _first(text: str, node: Node, ours: Ours) -> tuple[Node, int] | None:
    """The first container with an entry of ours in it, and which of its children that is.

    A container that only we were in goes as a whole, unless somebody wrote a comment there.
    """
    for place, child in enumerate(node.children):
        inner = child.node
        emptied = _gone(inner.value, without(inner.value, ours), ours)
        if ours(inner.value) or (emptied and not _comments(text, child)):
            return node, place
        if _holds(inner.value, ours) and (found := _first(text, inner, ours)):
            return found
    return None


def _holds(value: Any, ours: Ours) -> bool:
    """Whether an entry of ours is somewhere in it."""
    inner = value.values() if isinstance(value, Mapping) else value
    return isinstance(value, Mapping | list) and any(
        ours(item) or _holds(item, ours) for item in inner
    )


def _comments(text: str, child: Child) -> bool:
    """Whether somebody wrote a comment in a container, or between its key and its bracket."""
    node = child.node
    between = [_KEY.sub("", text[child.start : node.start], count=1)]
    at = node.start + 1
    for inner in node.children:
        between.append(text[at : inner.start])
        at = inner.node.end
    if isinstance(node.value, dict | list):
        between.append(text[at : node.end - 1])
    here = any(part.strip(_BLANK) for part in between)
    return here or any(_comments(text, inner) for inner in node.children)


def _cut(text: str, node: Node, place: int) -> Iterator[Patch]:
    """One child with the white space before it and one comma, its own or the one before it."""
    child = node.children[place]
    bound = node.children[place - 1].node.end if place else node.start + 1
    kept = text[bound : child.start].rstrip(" \t\r\n")
    start, end = bound + len(kept), child.node.end
    after = jsonc.blank_end(text, end)
    if text[after] == ",":
        rest, end = text[end:after], after + 1
    else:
        rest = ""
        if place:
            yield Patch(jsonc.blank_end(text, bound), ",", "")
        elif not kept and not text[end : node.end - 1].strip():
            end = node.end - 1
    # A comment before it needs the end of its line, if no other follows.
    commented = "//" in kept[kept.rfind("\n") + 1 :]
    follows = (rest + text[end:]).lstrip(" \t\r").startswith("\n")
    yield Patch(start, text[start:end], rest if follows or not commented else "\n" + rest)
