"""``jmem diff``: what a run made of each memory, in words or as a patch."""

from __future__ import annotations

import difflib
import re

import click

from jmem import nights
from jmem.cli import render, terminal
from jmem.cli.log import as_data, print_head
from jmem.cli.options import existing_scope, json_option, scope_options
from jmem.cli.terminal import Part, Styled, bad, faint, good, name

_TEXT_BYTES = 2_000
_WORDS = re.compile(r"\s+|[^\s]+")
_ALIKE = 0.5
"""What is less alike than this is shown whole, before and after."""


@click.command()
@click.argument("run", required=False, default="")
@click.option("--patch", is_flag=True, help="As a patch of the files, views included.")
@scope_options
@json_option
def diff(run: str, *, patch: bool, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Show what a run made of each memory: the newest one, or RUN of `jmem log`."""
    scope = existing_scope(project, everywhere=everywhere)
    night = nights.night(scope, run)
    if patch and not as_json:
        for row in nights.patch(scope, night).rstrip("\n").split("\n"):
            terminal.line(_of_patch(row))
        return
    found = nights.differences(scope, night)
    if as_json:
        rows = [
            {"id": each.id, "what": each.what, "before": each.before, "after": each.after}
            for each in found
        ]
        data = {**as_data(night), "memories": rows, "patch": nights.patch(scope, night)}
        render.envelope("diff", data)
        return
    print_head(night)
    for each in found:
        terminal.line("  ", name(each.id), f"  {each.what}")
        print_texts(each.before, each.after)
    if not found:
        terminal.line("  ", faint("no memory changed (jmem diff --patch shows the files)"))


def print_texts(before: str, after: str, *, indent: int = 4) -> None:
    """Print what became of a text: what went and what came, line by line; what is the same once."""
    space = " " * indent
    old, new = render.cut(before, _TEXT_BYTES), render.cut(after, _TEXT_BYTES)
    if old == new:
        for row in new.split("\n"):
            terminal.line(space, faint(f"  {row}"))
        return
    went, came = _word_by_word(old, new)
    for sign, parts in (("- ", went), ("+ ", came)):
        style = bad if sign == "- " else good
        for words in _lines(parts):
            terminal.line(space, style(sign), *words)


def _word_by_word(old: str, new: str) -> tuple[list[Styled], list[Styled]]:
    """Both texts, with what only one of them has emphasised where they are much alike."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    if not (old and new) or matcher.ratio() < _ALIKE:
        return ([bad(old)] if old else []), ([good(new)] if new else [])
    went, came = [], []
    for tag, start, end, first, last in matcher.get_opcodes():
        same = tag == "equal"
        went.append(Styled("".join(before[start:end]), "red" if same else "bold red underline"))
        came.append(Styled("".join(after[first:last]), "green" if same else "bold green underline"))
    return went, came


def _lines(parts: list[Styled]) -> list[list[Styled]]:
    """The parts, line by line."""
    rows: list[list[Styled]] = [[]] if parts else []
    for text, style in parts:
        first, *others = text.split("\n")
        rows[-1].append(Styled(first, style))
        rows += [[Styled(other, style)] for other in others]
    return [row for row in rows if any(part.text for part in row)]


def _of_patch(row: str) -> Part:
    if row.startswith(("+++", "---", "diff ", "index ")):
        return Styled(row, "bold")
    if row.startswith("@@"):
        return name(row)
    return good(row) if row.startswith("+") else bad(row) if row.startswith("-") else row
