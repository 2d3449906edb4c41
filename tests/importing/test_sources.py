"""Each format of another memory: what is taken of it as facts, and what is left with a reason."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.exporting import bundle
from jmem.exporting.bundle import Bundle
from jmem.formats import block, views
from jmem.importing.sources import document, registry
from jmem.importing.sources.item import Item, Skipped, Source, SourceFile
from jmem.model import Memory

AT = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)


def source_file(path: str, text: str) -> SourceFile:
    return SourceFile(path=f"/home/ida/{path}", name=path, text=text, at=AT)


def read(path: str, text: str) -> tuple[str, list[Item], list[Skipped]]:
    """The format that a file is recognised as, its items, and what is left of it."""
    file = source_file(path, text)
    source = registry.recognised(file)
    assert source is not None
    found = list(source.read(file))
    items = [each for each in found if isinstance(each, Item)]
    return source.NAME, items, [each for each in found if isinstance(each, Skipped)]


def told(items: list[Item]) -> list[tuple[str, str]]:
    return [(item.kind, item.text) for item in items]


def test_a_topic_of_claude_code_is_one_fact_of_the_kind_of_its_type() -> None:
    text = (
        "<!-- a banner -->\n---\nname: small_commits\ndescription: Ida wants small commits\n"
        "metadata:\n  node_type: memory\n  type: feedback\n---\n<!-- again -->\n"
        "One change a commit.\n\n**Why:** reviews. See [[branches]].\n"
    )
    name, items, left = read(".claude/projects/-shop/memory/feedback_small_commits.md", text)
    assert (name, left) == ("claude-memory", [])
    body = "One change a commit.\n\n**Why:** reviews. See [[branches]]."
    assert told(items) == [("preference", f"Ida wants small commits\n\n{body}")]
    assert items[0].item == "small_commits"


def test_of_claude_codes_index_only_facts_are_taken() -> None:
    text = (
        "# Memory\n\n- [Small commits](feedback_small_commits.md) — one change a commit\n"
        "- The staging database is reset every Monday night by the platform team\n"
    )
    name, items, left = read(".claude/projects/-shop/memory/MEMORY.md", text)
    assert name == "claude-memory"
    assert [item.text for item in items] == [
        "The staging database is reset every Monday night by the platform team"
    ]
    assert [each.reason for each in left] == ["a line of the index that points to a file"]


def test_codexs_handbook_gives_preferences_knowledge_and_failures() -> None:
    text = (
        "# Task Group: shop releases\nscope: releases\napplies_to: cwd=/home/ida/shop; reuse_rule=x"
        "\n\n## Task 1: ship 2.0, success\n### keywords\n- ship, release\n\n"
        "## User preferences\n- when releasing, the user wants a dry run first [Task 1]\n\n"
        "## Reusable knowledge\n- `make ship` needs a clean tree [Task 1]\n\n"
        "## Failures and how to do differently\n- tagging before the build broke the release\n"
    )
    name, items, left = read(".codex/memories/MEMORY.md", text)
    assert name == "codex-memories"
    assert told(items) == [
        ("preference", "when releasing, the user wants a dry run first"),
        ("fact", "shop releases: `make ship` needs a clean tree"),
        ("pitfall", "shop releases: tagging before the build broke the release"),
    ]
    assert {item.directory for item in items} == {"/home/ida/shop"}
    assert len(left) == 1


def test_codexs_recap_of_a_session_is_dated_and_placed() -> None:
    text = (
        "thread_id: 0199\nupdated_at: 2026-04-12T14:11:34+00:00\ncwd: /home/ida/shop\n\n"
        "# Upgraded the linter\n\n## Task 1: upgrade\n\nKey steps:\n- ran the upgrade\n\n"
        "Preference signals:\n- the user asked to act at once, not to explain\n"
    )
    _, items, _ = read(".codex/memories/rollout_summaries/2026-04-12.md", text)
    assert told(items) == [("preference", "the user asked to act at once, not to explain")]
    assert items[0].at == datetime(2026, 4, 12, 14, 11, 34, tzinfo=UTC)


def test_the_raw_memories_of_codex_are_left() -> None:
    _, items, left = read(".codex/memories/raw_memories.md", "# Raw\nthread_id: 1\n")
    assert not items
    assert left[0].reason == "the raw form of what the other files hold"


def test_a_file_for_agents_is_pointed_to_and_not_copied() -> None:
    name, items, _ = read("CLAUDE.md", "# Shop\n\nNever push.\n\n## Build\n\nUse make.\n")
    assert name == "instructions"
    assert read("AGENTS.md", "<!-- jmem:begin -->\nhi\n<!-- jmem:end -->\n# Shop\n")[1]
    assert [item.text for item in items] == [
        "Instructions for agents stand in the file `CLAUDE.md` on: Shop; Build"
    ]


def test_the_part_that_jmem_wrote_into_a_file_is_no_fact() -> None:
    own = block.with_block("", "# Memory of earlier sessions\n\n- The quay is red")
    assert read("AGENTS.md", own)[1] == []
    pointer = "Instructions for agents stand in the file `AGENTS.md` on: Mine"
    for text in (f"# Mine\n\n{own}", f"{own}\n# Mine\n"):
        assert told(read("AGENTS.md", text)[1]) == [("fact", pointer)]
        assert read("old/mine.md", text)[1] == []


@pytest.mark.parametrize("text", ["AGENTS.md", "@AGENTS.md\n"])
def test_a_file_that_stands_in_for_another_is_left(text: str) -> None:
    _, items, left = read("CLAUDE.md", text)
    assert not items
    assert left[0].reason == "it only points to another file: AGENTS.md"


def test_what_gemini_added_is_memory() -> None:
    text = "## Gemini Added Memories\n- Ida works in Lisbon time\n- Use pnpm, never npm\n"
    added = [("preference", "Ida works in Lisbon time"), ("preference", "Use pnpm, never npm")]
    name, items, left = read(".gemini/GEMINI.md", text)
    assert (name, told(items), left) == ("gemini-memory", added, [])
    _, items, _ = read("shop/GEMINI.md", f"# Shop\n\nNever push.\n\n{text}")
    pointer = "Instructions for agents stand in the file `shop/GEMINI.md` on: Shop"
    assert told(items) == [*added, ("fact", pointer)]
    name, items, _ = read(".gemini/tmp/shop/memory/MEMORY.md", "# Shop\n\nThe quay is closed.\n")
    assert (name, told(items)) == ("gemini-memory", [("fact", "Shop: The quay is closed.")])


def test_serenas_document_gives_a_fact_for_each_entry_of_a_long_list() -> None:
    entries = [f"Step {n} of the release is described in the handbook, page {n}" for n in range(12)]
    text = "# Releases\n\n## Steps\n\n" + "\n".join(f"- {entry}" for entry in entries)
    name, items, _ = read("shop/.serena/memories/releases.md", text)
    assert name == "serena"
    assert [item.text for item in items] == [f"Releases, Steps: {entry}" for entry in entries]


def test_each_entry_of_a_list_is_a_fact_with_what_is_nested_in_it() -> None:
    text = (
        "# Facts\n- The billing service runs on port 8801.\n- Use ruff\n- 密码存放在 Vault 里\n\n"
        "# People\n  - Ida reviews all changes to the schema:\n      - on Mondays\n\n"
        "      - and never late\n  - Cron jobs run\n    on kestrel only\n\n  - Bo rests\n"
    )
    _, items, left = read("old/notes.md", text)
    assert [(item.text, item.tags) for item in items] == [
        ("The billing service runs on port 8801.", ()),
        ("Use ruff", ()),
        ("密码存放在 Vault 里", ()),
        (
            "People: Ida reviews all changes to the schema:\n\n- on Mondays\n\n- and never late",
            ("people",),
        ),
        ("People: Cron jobs run on kestrel only", ("people",)),
        ("People: Bo rests", ("people",)),
    ]
    assert left == []


def test_the_steps_of_a_numbered_list_stay_together() -> None:
    text = "# Releases\n\nTo release:\n\n1. run `make check`\n\n2. run `make ship`\n   - twice\n"
    steps = "1. run `make check`\n\n2. run `make ship`\n   - twice"
    assert told(read("old/x.md", text)[1]) == [("fact", f"Releases: To release:\n\n{steps}")]
    long = "\n".join(f"{n}. The service {n} listens on port {9000 + n}" for n in range(1, 40))
    assert len(read("old/x.md", f"# Ports\n\n{long}")[1]) == 39


def test_of_a_memory_bank_what_goes_on_at_the_moment_is_left() -> None:
    name, items, _ = read("memory-bank/techContext.md", "# Tech\n\nThe shop runs on Node 22.\n")
    assert (name, told(items)) == (
        "cline-memory-bank",
        [("fact", "Tech: The shop runs on Node 22.")],
    )
    assert not read("memory-bank/activeContext.md", "# Now\n\nWorking on login.\n")[1]


def test_observations_and_relations_of_basic_memory() -> None:
    text = (
        "---\ntitle: Login\ntags: [auth]\npermalink: login\n---\n# Login\n\nHow it works.\n\n"
        "- [decision] Sessions live in Redis #redis (2026)\n- [gotcha] Clocks drift\n"
        "- depends_on [[Token service]]\n- [ ] a task\n"
    )
    name, items, _ = read("notes/login.md", text)
    assert name == "basic-memory"
    assert ("fact", "Login: Sessions live in Redis (2026)") in told(items)
    assert ("pitfall", "Login: Clocks drift") in told(items)
    assert ("entity", "Login depends on Token service") in told(items)
    assert any("How it works." in item.text for item in items)
    redis = next(item for item in items if "Redis" in item.text)
    assert (redis.tags, redis.item) == (("auth", "redis"), "login")


def test_the_graph_of_the_mcp_memory_server() -> None:
    rows = [
        {"type": "entity", "name": "Ida", "entityType": "person", "observations": ["likes tabs"]},
        {"type": "entity", "name": "Bo", "entityType": "person", "observations": []},
        {"type": "relation", "from": "Ida", "to": "Shop", "relationType": "works_at"},
    ]
    expected = [("entity", "Ida (person): likes tabs"), ("entity", "Ida works at Shop")]
    lines = "\n".join(map(json.dumps, rows))
    whole = json.dumps({"entities": rows[:2], "relations": rows[2:]})
    for path, text in (("memory.jsonl", lines), ("memory.json", whole)):
        name, items, left = read(path, text)
        assert (name, told(items)) == ("mcp-memory", expected)
        assert [each.item for each in left] == ["Bo"]


def test_an_export_of_mem0() -> None:
    row = {
        "id": "m-1",
        "memory": "Prefers dark mode",
        "categories": ["user_preferences"],
        "created_at": "2026-03-01T09:00:00Z",
    }
    for value in ({"results": [row]}, [row], {"memories": [row]}):
        name, items, _ = read("export.json", json.dumps(value))
        assert (name, told(items)) == ("mem0", [("preference", "Prefers dark mode")])
        assert items[0].item == "m-1"
        assert items[0].at == datetime(2026, 3, 1, 9, tzinfo=UTC)


def test_jcodes_graph() -> None:
    graph = {
        "graph_version": 2,
        "memories": {
            "mem_1": {
                "id": "mem_1",
                "content": "The port is 6543",
                "category": "correction",
                "tags": ["db"],
                "trust": "low",
            },
            "mem_2": {"id": "mem_2", "content": "old", "category": "fact", "active": False},
            "mem_3": {"id": "mem_3", "content": "mine", "category": {"custom": "lore"}},
            "skill:x": {"id": "skill:x", "content": "a skill", "category": "fact"},
        },
        "edges": {"mem_1": [{"target": "mem_3", "kind": "relates"}]},
    }
    name, items, left = read("global.json", json.dumps(graph))
    assert (name, told(items)) == ("jcode", [("correction", "The port is 6543"), ("lore", "mine")])
    assert (items[0].doubtful, items[0].tags, items[1].doubtful) == (True, ("db",), False)
    assert [each.reason for each in left] == [
        "it is out of force there",
        "it was made from something else",
    ]


def test_a_header_that_is_not_yaml_costs_no_word() -> None:
    text = '---\ntitle: "open\nother: [a\n---\n# Build\n\nUse make, never cmake.\n'
    _, items, _ = read("notes/build.md", text)
    assert told(items) == [("fact", "Build: Use make, never cmake.")]


def test_code_is_no_heading_and_no_list() -> None:
    text = "# Build\n\nRun this:\n\n```sh\n# not a heading\n- not an entry\n```\n"
    _, items, _ = read("notes/build.md", text)
    assert len(items) == 1
    assert "# not a heading\n- not an entry" in items[0].text


@given(st.sampled_from(registry.SOURCES), st.text(max_size=400))
def test_no_text_makes_a_format_raise(source: Source, text: str) -> None:
    for path in ("x.md", "MEMORY.md", "x.json", ".serena/memories/x.md"):
        file = source_file(path, text)
        source.recognises(file)
        for each in source.read(file):
            assert isinstance(each, Item | Skipped)


_LINES = st.sampled_from(
    ["# One", "## Two", "- an entry", "  - nested", "words", "", "```", "---", "| a | b |", "1. x"]
)


@given(st.lists(_LINES, max_size=25))
def test_every_word_of_a_document_stands_in_its_facts(lines: list[str]) -> None:
    text = "\n".join(lines)
    known = document.parse(text)
    found = " ".join(
        fact for section in known.sections for fact in document.facts(section.heading, section.body)
    )
    for word in ("an entry", "nested", "words"):
        assert (word in " ".join(s.body for s in known.sections)) == (word in found)


@given(st.lists(st.tuples(st.sampled_from(["", "\n"]), st.integers(0, 2)), min_size=1, max_size=5))
def test_a_list_has_as_many_facts_as_entries(entries: list[tuple[str, int]]) -> None:
    text = "".join(
        f"- entry {number}\n" + "".join(f"{gap}  - below {number}\n" for _ in range(nested)) + gap
        for number, (gap, nested) in enumerate(entries)
    )
    found = list(document.facts("Shop", text))
    assert [fact.split("\n")[0] for fact in found] == [
        f"Shop: entry {number}" for number in range(len(entries))
    ]
    for number, (_, nested) in enumerate(entries):
        assert found[number].count(f"- below {number}") == nested


def test_of_another_jmems_export_what_is_in_force_is_taken() -> None:
    texts = {
        "memories/a-m7k2q9xa.md": "---\nid: m7k2q9xa\nsource: user\ntrust: high\n---\nUse tabs\n",
        "memories/b-b4c5d6e7.md": "---\nid: b4c5d6e7\nstatus: expired\n---\nUse spaces\n",
        "memories/c.md": "---\nid: c4c5d6e7\n---\n",
        "notes/d.md": "Ask Bo\n",
    }
    whole = Bundle(scope="shop", at=AT, files=texts)
    name, items, left = read("shop.jsonl", "".join(bundle.render(whole)))
    assert (name, told(items)) == ("jmem", [("fact", "Use tabs"), ("fact", "Ask Bo")])
    assert [each.reason for each in left] == [
        "it is out of force there",
        "it has no statement below its header",
    ]


def test_of_the_directory_of_another_jmem_the_memories_are_taken_and_no_view() -> None:
    head = "---\nid: m7k2q9xa\nkind: pitfall\nconfidence: 0.70\nstatus: active\n---\n"
    name, items, _ = read("vault/memories/use-tabs-m7k2q9xa.md", f"{head}Use tabs\n")
    assert (name, told(items)) == ("jmem", [("pitfall", "Use tabs")])
    memory = Memory(id="m7k2q9xa", text="Use tabs", created=AT, updated=AT)
    for text in views.render([memory], AT).values():
        name, items, left = read("vault/MEMORY.md", text)
        assert (name, items) == ("jmem", [])
        assert left[0].reason == "jmem renders it from its memories"


@pytest.mark.parametrize("piece", ["<!--", "- [", "[[", "- a ", "```\n", "# ", " " * 9, "- x  [["])
def test_long_texts_are_read_in_linear_time(piece: str) -> None:
    file = source_file("x.md", piece * (20_000 // len(piece)))
    started = time.process_time()
    for source in registry.SOURCES:
        list(source.read(file))
    assert time.process_time() - started < 2  # a quadratic reading takes many
