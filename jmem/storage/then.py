"""What a scope was just before and just after one commit of a run, as far as the run changed it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from jmem import edits, forgotten
from jmem.errors import CorruptStore
from jmem.forgotten import Forgotten
from jmem.layout import FORGOTTEN_FILE, INDEX_FILE, MEMORIES_DIR, TOPICS_DIR
from jmem.model import Memory
from jmem.storage import memories
from jmem.storage.history import Commit
from jmem.storage.past import Past

Tree = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Then:
    """One run, from both sides.

    ``before`` and ``after``: the memories whose files it changed, by id; what people had done to
    the views by that moment is in the former. ``files``: what else it wrote or removed, path ->
    content before and after. ``forgotten``: what had to stay forgotten, before and after.
    """

    commit: Commit
    before: Mapping[str, Memory]
    after: Mapping[str, Memory]
    files: Mapping[str, tuple[bytes | None, bytes | None]]
    forgotten: tuple[tuple[Forgotten, ...], tuple[Forgotten, ...]]


def of(past: Past, commit: Commit, previous: Commit | None) -> Then:
    """The run of a commit. ``previous``: the run before it, whose views say what people had done
    to them since."""
    parent = past.parent(commit.sha)
    old, new = past.tree(parent) if parent else {}, past.tree(commit.sha)
    differing = {path for path in {*old, *new} if old.get(path) != new.get(path)}
    held = _memories(past, old, filter(_is_memory, old), commit.at)
    made = _memories(past, new, filter(_is_memory, differing & new.keys()), commit.at)
    known = {memory.id: memory for memory in held.values()}
    known |= _by_hand(past, past.tree(previous.sha) if previous else {}, old, held, commit.at)
    changed = {memory.id for path, memory in held.items() if path in differing}
    changed |= {memory.id for memory in made.values()}
    others = [path for path in differing if not _is_memory(path) and not _is_view(path)]
    before, after = (_contents(past, tree, others) for tree in (old, new))
    return Then(
        commit=commit,
        before={key: known[key] for key in changed if key in known},
        after={memory.id: memory for memory in made.values()},
        files={path: (before.get(path), after.get(path)) for path in others},
        forgotten=(_forgotten(past, old), _forgotten(past, new)),
    )


def _by_hand(
    past: Past, last: Tree, old: Tree, held: Mapping[str, Memory], at: datetime
) -> dict[str, Memory]:
    """The memories that people had changed in the views, as the run took them up."""
    if not last:
        return {}
    then, now = (_contents(past, tree, filter(_is_view, tree)) for tree in (last, old))
    touched = {memory.id for path, memory in held.items() if last.get(path) != old[path]}
    known = {memory.id: memory for memory in held.values()}
    statements = {key: memory.statement for key, memory in known.items()}
    hand = edits.find(_texts(then), _texts(now), statements).beaten_by(touched)
    return edits.apply(hand, known, at)


def _memories(
    past: Past, tree: Tree, paths: Collection[str] | filter[str], at: datetime
) -> dict[str, Memory]:
    found = {}
    for path, data in _contents(past, tree, paths).items():
        try:
            found[path] = memories.parse(data, path=path, found=at).memory
        except CorruptStore:
            continue
    return {path: memory for path, memory in found.items() if memory.id}


def _contents(past: Past, tree: Tree, paths: Collection[str] | filter[str]) -> dict[str, bytes]:
    wanted = [path for path in paths if path in tree]
    return dict(zip(wanted, past.read([tree[path] for path in wanted]), strict=True))


def _texts(contents: Mapping[str, bytes]) -> dict[str, str]:
    return {path: data.decode("utf-8", "replace") for path, data in contents.items()}


def _forgotten(past: Past, tree: Tree) -> tuple[Forgotten, ...]:
    data = _contents(past, tree, [FORGOTTEN_FILE]).get(FORGOTTEN_FILE, b"")
    return tuple(forgotten.parse(data.decode("utf-8", "replace")))


def _is_memory(path: str) -> bool:
    return path.startswith(f"{MEMORIES_DIR}/") and path.endswith(".md") and "/." not in path


def _is_view(path: str) -> bool:
    return path == INDEX_FILE or (path.startswith(f"{TOPICS_DIR}/") and path.endswith(".md"))
