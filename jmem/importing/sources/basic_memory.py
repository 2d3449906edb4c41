"""basic-memory's notes: observations ``- [category] text #tag (context)`` and relations
``- relation [[Other note]]`` in markdown."""

from __future__ import annotations

import re

from jmem.formats.fields import scalar, words
from jmem.importing.sources import document, markdown
from jmem.importing.sources.document import Section
from jmem.importing.sources.item import Found, Item, SourceFile
from jmem.model import KINDS, tags_of

NAME = "basic-memory"
_OBSERVATION = re.compile(r" {0,3}[-*+] {1,4}\[([^\[\]\n]{2,40})\] {1,4}(\S.*)")
_RELATION = re.compile(
    r" {0,3}[-*+] {1,4}(\w[\w -]{0,60}?) {1,4}\[\[([^\[\]\n]{1,120})\]\] {0,4}(\(.*\))?\s*"
)
_TAG = re.compile(r"(?:^|\s)#([^\W_][\w/-]{0,39})")
_KINDS = {
    "preference": "preference",
    "decision": "fact",
    "gotcha": "pitfall",
    "problem": "pitfall",
    "risk": "pitfall",
    "technique": "workflow",
    "method": "workflow",
    "process": "workflow",
}


def recognises(file: SourceFile) -> bool:
    """A markdown file with the header of a note, or with observations."""
    if not markdown.recognises(file):
        return False
    known = document.parse(file.text[:4000])
    return bool(scalar(known.fields, "permalink") and scalar(known.fields, "title")) or any(
        _OBSERVATION.fullmatch(line) and not line.lstrip("-*+ ").startswith(("[ ]", "[x]"))
        for line in file.text[:4000].split("\n")
    )


def read(file: SourceFile) -> Found:
    """Each observation and each relation is a fact, and so is what stands around them."""
    known = document.parse(file.text)
    title = markdown.title_of(known) or file.stem
    tags, at = tags_of(list(words(known.fields, "tags"))), markdown.date_of(known)
    link = scalar(known.fields, "permalink")
    rest = []
    for section in known.sections:
        others = []
        for line in section.body.split("\n"):
            if found := _OBSERVATION.fullmatch(line):
                own = tags_of(_TAG.findall(found[2]))
                category = found[1].strip().lower()
                kind = _KINDS.get(category, category if category in KINDS else "fact")
                text = f"{title}: {_TAG.sub('', found[2]).strip()}"
                yield Item(text=text, kind=kind, tags=tags_of([*tags, *own]), at=at, item=link)
            elif found := _RELATION.fullmatch(line):
                verb = found[1].replace("_", " ").strip()
                told = f" {found[3]}" if found[3] else ""
                text = f"{title} {verb} {found[2]}{told}"
                yield Item(text=text, kind="entity", tags=tags, at=at, item=link)
            else:
                others.append(line)
        rest.append(Section(section.heading, section.level, "\n".join(others).strip("\n")))
    around = document.Document(known.fields, title, tuple(rest))
    for each in markdown.of_document(file, around):
        if isinstance(each, Item):
            yield each
