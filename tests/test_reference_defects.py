"""Ways in which a memory of this sort goes wrong, each shut. A number is that of its defect in the
list that this project keeps of them; where it cannot occur here, there is none."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import (
    changing,
    confidence,
    config,
    feedback,
    forgotten,
    graph,
    ids,
    judge,
    judging,
    learning,
    pending,
    pendingstate,
    plan,
    scopes,
    topics,
)
from jmem.embedders import providers
from jmem.feedback import Event
from jmem.formats.text import cut_at_word, slugify, truncate_utf8
from jmem.llm.model import CallFailed, ModelUnavailable, Reply, Request
from jmem.model import How, Input, Memory, Note, Op, Source, Status, Trust
from jmem.retrieval import focus
from jmem.retrieval.hit import ACCEPTED, NOT_JUDGED, Document, Hit
from jmem.retrieval.searchtext import query_terms
from jmem.storage import feedbackfile, memories, sessionstate
from jmem.store import Store, take_note
from jmem.transcripts.entries import cut
from pipelines import models, run
from pipelines.phase1.living import Learnt, learn
from pipelines.phase2.decide import decide
from pipelines.phase2.maintain import maintained
from pipelines.rules.compare import Relation, compare

DAY = timedelta(days=1)
BEGIN = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
NUMBERS = pendingstate.Numbers()


# What is said here, by which every test speaks.


@dataclass
class Scripted:
    """A model: ``answer`` gives the data of a reply from the question, or an error to raise."""

    answer: Callable[[Request], Any]
    name: str = "openai:scripted"
    window_tokens: int = 128_000
    asked: list[Request] = field(default_factory=list)

    def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        data = self.answer(request)
        if isinstance(data, CallFailed):
            raise data
        return Reply(json.dumps(data), data, 100, 10, estimated=True, model="scripted")


@dataclass
class Project:
    """A project in which a day goes by with each night."""

    directory: Path
    monkeypatch: pytest.MonkeyPatch
    now: datetime = BEGIN

    @property
    def scope(self) -> scopes.Scope:
        return scopes.resolve(self.directory)

    @property
    def held(self) -> dict[str, Memory]:
        return memories.load(self.scope.root).memories

    @property
    def active(self) -> list[str]:
        return sorted(memory.statement for memory in self.held.values() if memory.active)

    def note(self, text: str, **fields: Any) -> str:
        self.now += timedelta(minutes=1)
        return take_note(Note(text=text, **fields), project=self.directory, now=self.now).id

    def night(self, model: Scripted | None = None) -> None:
        self.now += DAY
        self.monkeypatch.setattr(models, "open_chosen", lambda _: model)
        values = {"llm.provider": "openai" if model else "none", "phase2.engine": "decide"}
        settings = config.Settings(values)
        run.distil(self.scope, (), settings, run.Options(), now=self.now)

    def recall(self, prompt: str, **asked: Any) -> list[str]:
        found = Store(self.directory).recall(prompt, now=self.now, **asked)
        return [hit.document.text for hit in found.surfaced]


@pytest.fixture
def project(here: Path, git: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> Project:
    git(here, "init", "-q")
    return Project(here, monkeypatch)


def memory(key: str, text: str, **fields: Any) -> Memory:
    return replace(Memory(id=key, text=text, created=BEGIN, updated=BEGIN), **fields)


def fact(text: str, **fields: Any) -> Input:
    plain = Input(ref="note:n0000001", id="n0000001", text=text, time=BEGIN + DAY)
    return replace(plain, **fields)


def decided(known: Iterable[Memory], item: Input) -> dict[str, Memory]:
    """The memories after the rules have decided on one input."""
    before = {each.id: each for each in known}
    (verdict,) = decide([item], before, (), "key")
    return {**before, **plan.fold(before, item, verdict)}


OLD = "Run the tests with `cargo test`."
NEW = "Run the tests with `cargo nextest run`."
UNRELATED = (
    "The staging cluster is rebuilt every Monday morning.",
    "Invoices are rendered by the ledger service.",
    "Prefer small pull requests with one topic each.",
    "The parser keeps its golden files in tests/golden.",
    "Translations are reviewed by the team in Osaka.",
    "Never call the payment sandbox from unit tests.",
    "Feature flags are read from etcd at startup.",
    "The mobile client caches images for seven days.",
    "Schema changes need a second reviewer.",
    "Logs are shipped to Loki by promtail.",
    "数据库备份每天凌晨上传到对象存储。",
    "前端组件使用组合式接口编写。",
    "接口文档由网关自动生成。",
    "提交前先运行迁移检查。",
    "日志级别在生产环境为警告。",
    "缓存键必须带上租户前缀。",
)
REFUTED = (
    ("The dashboard listens on port 3000.", "The dashboard listens on port 4000."),
    ("Install packages with npm.", "Install packages with pnpm."),
    ("Commit generated code.", "Never commit generated code."),
    ("The schema lives in db/schema.sql.", "The schema lives in migrations/schema.sql."),
    ("Start the worker with `--threads 4`.", "Start the worker with `--procs 4`."),
    ("The release goes out on Tuesday.", "The release goes out on Thursday."),
    ("部署前必须运行迁移检查。", "部署前不要运行迁移检查。"),
    (OLD, NEW),
)


# 1. Likeness.


def test_1_texts_about_different_things_never_count_as_duplicates() -> None:
    for one, other in combinations(UNRELATED, 2):
        assert compare(one, other).relation is Relation.DIFFERENT, (one, other)


@pytest.mark.parametrize(("old", "new"), REFUTED)
def test_1_another_value_is_no_repetition_however_alike_the_words_are(old: str, new: str) -> None:
    after = decided([memory("m0000001", old)], fact(new))
    assert after["m0000001"].status is Status.SUPERSEDED
    assert [each.text for each in after.values() if each.active] == [new]


def test_1_a_vector_does_not_depend_on_what_stands_beside_it() -> None:
    if not providers.available("static"):
        pytest.skip("the weights of the static embedder are not installed")
    embedder = providers.open_embedder("static", {}, cache=str(Path.cwd() / "cache"))
    assert embedder is not None
    alone = [embedder.documents([text])[0] for text in UNRELATED]
    together = embedder.documents([*UNRELATED, "and much longer " * 400])
    for one, other in zip(alone, together, strict=False):
        assert float(one @ other) == pytest.approx(1.0, abs=1e-5)
    likeness = [float(one @ other) for one, other in combinations(alone, 2)]
    assert sum(likeness) / len(likeness) < 0.3


# 2 and 10. Contradiction.


@pytest.mark.parametrize(("old", "new"), REFUTED)
def test_2_nothing_is_superseded_by_itself(old: str, new: str) -> None:
    after = decided([memory("m0000001", old), memory("m0000002", f"{old} It is quick.")], fact(new))
    assert all(key not in (each.superseded_by, *each.supersedes) for key, each in after.items())
    assert [each.text for each in after.values() if each.active].count(new) == 1


def test_10_a_contradiction_is_found_across_kinds() -> None:
    after = decided([memory("m0000001", OLD, kind="workflow")], fact(NEW, kind="correction"))
    assert after["m0000001"].superseded_by == "n0000001"
    assert after["n0000001"].supersedes == ("m0000001",)


@pytest.mark.parametrize("by_model", [False, True], ids=["by rules", "by a model"])
def test_the_example_ends_with_one_statement_in_force(project: Project, by_model: bool) -> None:
    first = project.note(OLD)
    project.night()
    second = project.note(NEW)
    said = datetime.fromtimestamp(project.now.timestamp(), UTC)

    def answer(request: Request) -> Any:
        if request.schema_name == "profile":
            return {"lines": []}
        change = {"op": "UPDATE", "how": "supersede", "target": first, "reason": "since 2026-07"}
        return {"decisions": [{"input": second, **change, "text": "", "topic": "", "kind": ""}]}

    model = Scripted(answer) if by_model else None
    project.night(model)
    assert project.active == [NEW]
    old, new = project.held[first], project.held[second]
    assert (old.status, old.superseded_by, old.valid_until) == (Status.SUPERSEDED, second, said)
    assert new.supersedes == (first,) and "2026-07" in old.reason
    assert bool(model and model.asked) is by_model
    index = (project.scope.root / "MEMORY.md").read_text()
    assert "nextest" in index and "`cargo test`" not in index


def test_near_duplicates_of_a_refuted_statement_step_back_with_it() -> None:
    twin = memory("m0000002", "`cargo test` is how the tests are run.")
    known = {"m0000001": memory("m0000001", OLD), "m0000002": twin}
    item = fact(NEW)
    made = plan.build(known, [item], decide([item], known, (), "key"), now=item.time)
    after, told = maintained(made, fresh=())
    assert [each.text for each in after.memories.values() if each.active] == [NEW]
    assert {each.superseded_by for each in after.memories.values()} == {"", item.id} and told


# 3 and 12. Long and foreign texts.


def test_3_the_end_of_a_long_conversation_is_looked_for(project: Project) -> None:
    wanted = "Deploy the billing service with tools/ship.sh, never with kubectl."
    project.note(wanted, kind="correction")
    talk = "\n".join(f"{text} And then we went on to something else." for text in UNRELATED * 12)
    asked = "please deploy the billing service with tools/ship.sh to staging"
    assert set(query_terms(asked)) <= set(query_terms(focus.of_prompt(f"{talk}\n{asked}")))
    assert project.recall(f"{talk}\n\n{asked}", mode="lexical") == [wanted]


@given(text=st.text(max_size=60), limit=st.integers(8, 90))
def test_12_no_cut_falls_into_a_character(text: str, limit: int) -> None:
    for short in (truncate_utf8(text, limit), cut_at_word(text, limit)):
        assert len(short.encode()) <= limit
    assert len(slugify(text, limit)) <= limit
    assert len(cut(text, limit + 1)) <= limit + 1
    assert len(focus.of_prompt(text, limit=limit + 1)) <= limit + 1


# 4, 5, 6 and 25. The judge.


def hits(*keys: str) -> list[Hit]:
    return [Hit(Document(key=key, text="Water the ferns.", scope="s")) for key in keys]


def test_4_what_nobody_judged_loses_nothing_however_often() -> None:
    known = {"m0000001": memory("m0000001", OLD, trust=Trust.HIGH)}
    model = Scripted(lambda _: ModelUnavailable("it is down", tried=("HTTP 503",)))
    events: list[Event] = []
    for turn in range(60):
        judged = judge.judge(hits("m0000001"), "tests?", lambda: model, now=1000.0 * turn)
        assert {hit.verdict for hit in judged.hits} == {NOT_JUDGED}
        told = feedback.of_hits(
            judged.hits, shown=(), at="2026-07-04T10:00:00Z", session=f"s{turn}"
        )
        events += told.values()
    assert events == [] and learning.learnt(known, events) == {}


def test_4_the_judgements_of_a_year_take_no_memory_out_of_force() -> None:
    known = {"m0000001": memory("m0000001", OLD, trust=Trust.HIGH, source=Source.USER)}
    for day in range(365):
        at = (BEGIN + day * DAY).isoformat()
        known |= learning.learnt(known, [Event(at=at, session=f"s{day}", rejected=["m0000001"])])
    assert known["m0000001"].active and known["m0000001"].confidence >= 0.5


def state_after(*events: pendingstate.Event) -> pendingstate.State:
    state = pendingstate.new()
    for event in events:
        state = pendingstate.after(state, event, NUMBERS)
    return state


def prompted(state: pendingstate.State, payload: Any, now: float) -> Any:
    return pending.at_prompt(
        state, payload, f"prompt {now}", terms=[], generation="g", now=now, numbers=NUMBERS
    )[0]


def test_5_what_the_judge_accepted_is_carried_to_the_turns_it_is_not_asked_in() -> None:
    state = state_after(prompted(pendingstate.new(), None, 1.0))
    preparing, due, _ = pending.at_turn_end(state, "ferns", terms=[], now=2.0, numbers=NUMBERS)
    assert preparing is not None and due
    state = pendingstate.after(state, preparing, NUMBERS)
    verdict = pending.judged(preparing, ["k1", "k2"], {}, now=3.0)
    state = pendingstate.after(state, verdict, NUMBERS)
    shown = {"offers": [{"id": "k1", "text": "one"}], "at": 3.0, "generation": "g", "epoch": 0}
    state = pendingstate.after(state, prompted(state, shown, 100.0), NUMBERS)
    preparing, due, _ = pending.at_turn_end(state, "moss", terms=[], now=101.0, numbers=NUMBERS)
    assert preparing is not None and not due
    assert pending.carried(state, ["k1", "k2", "k3"]) == ["k1", "k2"]


def test_6_a_ballot_that_failed_agrees_to_nothing_and_takes_nothing_back() -> None:
    down = ModelUnavailable("it is down", tried=("HTTP 503",))
    answers: list[Any] = [[1], down]
    judged = judge.judge(
        hits("k1", "k2"), "ferns?", lambda: Scripted(lambda _: answers.pop()), now=0.0
    )
    assert [hit.verdict for hit in judged.hits] == [NOT_JUDGED, NOT_JUDGED]
    assert judged.outcome.degraded
    state = state_after(prompted(pendingstate.new(), None, 1.0))
    state |= {"verified": ["k1"]}
    failed = pending.judged({"epoch": 0}, None, {}, now=3.0)
    assert pendingstate.after(state, failed, NUMBERS)["verified"] == ["k1"]


def test_25_the_judge_sees_dates_trust_and_what_took_whose_place() -> None:
    old = Hit(
        Document(key="k1", text=OLD, updated="2026-03-01", superseded_by="k2", status="superseded")
    )
    new = Hit(Document(key="k2", text=NEW, updated="2026-07-04", trust="high", rivals=("k1",)))
    asked = judging.question([old, new], "run the tests", today="2026-07-05")
    for shown in ('"date": "2026-03-01"', '"superseded_by": 2', '"trust": "high"', "2026-07-05"):
        assert shown in asked
    assert judging.tally([old], [(1,), (1,)], min_agree=2)[0].verdict != ACCEPTED


# 7, 8 and 9. Finding.


def test_7_what_has_no_vector_is_found_by_its_words(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JMEM_RECALL_EMBEDDER", "openai")
    monkeypatch.setenv("JMEM_RECALL_EMBEDDER_MODEL", "m")
    monkeypatch.setenv("JMEM_RECALL_EMBEDDER_BASE_URL", "http://127.0.0.1:9/v1")
    project.note(OLD)
    assert project.recall("run the cargo test suite of the tests", judge="off") == [OLD]


def test_8_what_is_out_of_force_is_found_by_nobody_who_does_not_ask_for_it(
    project: Project, jmem_process: Callable[..., Any]
) -> None:
    first = project.note(OLD)
    gone = project.note("Tests of the fern house run at noon.")
    project.night()
    changing.forget(project.scope, gone, "no", now=project.now)
    project.note(NEW)
    project.night()
    for mode in ("hybrid", "lexical", "dense", "recent"):
        assert project.recall(OLD, mode=mode, judge="off") == [NEW], mode
    listed = jmem_process("list")
    assert listed.code == 0 and first not in listed.out and gone not in listed.out
    held = project.held
    (new,) = (each.id for each in held.values() if each.active)
    assert graph.cascade(dict.fromkeys(held, 1.0), graph.Graph(held.values())) == {new: 1.0}


def test_9_clusters_are_walked_and_links_lead_both_ways() -> None:
    held = [
        memory("a0000001", "a", cluster="release"),
        memory("b0000002", "b", cluster="release", relates_to=(("c0000003", 0.5),)),
        memory("c0000003", "c"),
    ]
    web = graph.Graph(held)
    for key in ("a0000001", "b0000002", "c0000003"):
        assert len(graph.related(key, web)) == 2


def test_9_and_16_use_strengthens_a_relation_and_makes_no_cluster_for_each_prompt() -> None:
    keys = [f"m000000{number}" for number in range(5)]
    known = {key: memory(key, f"{key} speaks of ferns") for key in keys}
    weights = []
    for day in range(6):
        at = (BEGIN + day * DAY).isoformat()
        known |= learning.learnt(
            known, [Event(at=at, session=f"s{day}", useful=keys[: 2 + day % 3])]
        )
        weights.append(dict(known[keys[0]].relates_to).get(keys[1], 0.0))
    assert weights == sorted(weights) and weights[-1] > weights[0]
    assert len({each.cluster for each in known.values()} - {""}) <= 1


# 13, 14 and 15. Writing.


def test_13_bars_and_kinds_survive_and_garbage_does_not(project: Project) -> None:
    text = "Split the fields of the export with `a | b`, not with `a || b`."
    project.note(text, kind="entity", trust="low")
    project.note("ok")
    project.night()
    (kept,) = project.held.values()
    assert (kept.text, kept.kind, kept.trust) == (text, "entity", "low")
    assert text in (project.scope.root / "MEMORY.md").read_text()


def test_14_a_repetition_brings_its_tags_and_its_trust_and_is_told(
    project: Project, jmem_process: Callable[..., Any]
) -> None:
    first = project.note(OLD, tags=("ci",))
    second = take_note(
        Note(text=OLD, tags=("rust",), source="user", session="s2"),
        project=project.directory,
        now=project.now,
        believed=True,
    ).id
    assert first != second
    project.night()
    (kept,) = project.held.values()
    assert (kept.tags, kept.trust, kept.strength) == (("ci", "rust"), "high", 2)
    assert {f"note:{first}", f"note:{second}"} <= set(kept.evidence)
    assert f"said again  {first}" in jmem_process("log").out


def test_15_ids_of_one_moment_differ(project: Project) -> None:
    made: list[str] = []

    def write(who: int) -> None:
        for number in range(10):
            note = Note(text=f"Fern {who} needs water {number}.")
            made.append(take_note(note, project=project.directory, now=BEGIN).id)

    writers = [threading.Thread(target=write, args=(who,)) for who in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(set(made)) == 40 == len(list((project.scope.root / "notes").glob("*.md")))
    assert all(map(ids.is_id, made))


def test_16_whose_words_they_were_is_no_topic() -> None:
    text = "User: the assistant runs the migrations of the ledger before each release"
    assert topics.guess(text, ()) not in ("user", "assistant")


# 17 and 18. Time.


def test_17_events_of_sessions_at_once_are_neither_lost_nor_mixed(tmp_path: Path) -> None:
    folder = str(tmp_path)

    def tell(session: str) -> None:
        for number in range(50):
            known = pending.learned([f"{session}{number}"], now=1.0)
            assert sessionstate.append(folder, session, known)

    tellers = [threading.Thread(target=tell, args=(name,)) for name in "aabb"]
    for teller in tellers:
        teller.start()
    for teller in tellers:
        teller.join()
    for name in "ab":
        known = sessionstate.read(folder, name, NUMBERS)["known"]
        assert sorted(known) == sorted(f"{name}{number}" for number in range(50))


def test_18_what_bears_a_memory_out_restarts_its_decay() -> None:
    old = memory("m0000001", OLD)
    later = BEGIN + 60 * DAY
    said_again = decided([old], fact(OLD, time=later, session="claude-code:s2"))["m0000001"]
    useful = learning.learnt(
        {old.id: old}, [Event(at=later.isoformat(), session="s", useful=[old.id])]
    )
    for after in (said_again, useful[old.id]):
        assert confidence.effective(after, later) > confidence.effective(old, later)
        assert confidence.last_borne_out(after) == later


# 10, 11, 21 and 22. Learning while a session goes on.


LAID_DOWN = "From now on always install the packages with pnpm."


@pytest.fixture
def ended(project: Project, tmp_path: Path) -> Callable[..., Learnt]:
    """``ended(*said)``: a session in which the user says this ends, and is learned from."""

    def learned_from(*said: str, **fields: Any) -> Learnt:
        file = tmp_path / "5e55-0001.jsonl"
        rows = [
            {
                "type": kind,
                "uuid": f"u{number}{kind}",
                "sessionId": "5e55-0001",
                "cwd": str(project.directory),
                "timestamp": f"2026-07-04T12:{number:02}:00Z",
                "message": {"role": kind, "content": [{"type": "text", "text": text}], **fields},
            }
            for number, text in enumerate([*said, *UNRELATED[3:5], *UNRELATED[6:8]])
            for kind in ("user", "assistant")
        ]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return learn(file, now=BEGIN + DAY, ended=True)

    return learned_from


def test_10_and_22_what_is_global_is_changed_and_learned_where_it_belongs(
    project: Project, ended: Callable[..., Learnt]
) -> None:
    project.note("Always install the packages with npm.", scope="global", source="user")
    learnt = ended(LAID_DOWN, "Always write commit messages in English in all my projects.")
    assert [Path(note.path).parents[1].name for note in learnt.notes] == ["global", "global"]


def test_11_all_that_is_known_and_fits_is_shown_to_whoever_extracts(
    project: Project, ended: Callable[..., Learnt], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        project.note(f"The packages of team {number} are installed from mirror {number}.")
    nothing = {"summary": "", "slug": "", "outcome": "success", "memory": []}
    model = Scripted(lambda _: nothing)
    monkeypatch.setattr(models, "open_chosen", lambda _: model)
    monkeypatch.setenv("JMEM_LLM_PROVIDER", "openai")
    ended(LAID_DOWN)
    (request,) = model.asked
    assert request.prompt.count("- The packages of team") == 30


@pytest.mark.parametrize(
    ("setting", "model_of_session"),
    [("generate: false", "far-away-1"), ("", "ollama/small")],
    ids=["switched off", "held locally"],
)
def test_21_at_the_end_of_a_session_too_nothing_leaves_that_should_not(
    project: Project,
    ended: Callable[..., Learnt],
    monkeypatch: pytest.MonkeyPatch,
    setting: str,
    model_of_session: str,
) -> None:
    (project.directory / ".jmem.yaml").write_text(setting)
    model = Scripted(lambda _: {})
    monkeypatch.setattr(models, "open_chosen", lambda _: model)
    monkeypatch.setenv("JMEM_LLM_PROVIDER", "openai")
    learnt = ended(LAID_DOWN, model=model_of_session)
    assert model.asked == [] and bool(learnt.notes) is not bool(setting)


# 20, 23 and 24. Provenance, privacy.


def test_20_every_memory_says_where_it_came_from_and_every_change_can_be_taken_back(
    project: Project,
) -> None:
    first = project.note(OLD, session="codex:s1")
    project.night()
    project.note(NEW, session="codex:s2")
    project.night()
    evidence = {ref for each in project.held.values() for ref in each.evidence}
    assert f"note:{first}" in evidence and f"session:codex:s1#{first}" in evidence
    assert len(changing.history(project.scope, first)) >= 2
    changing.undo(project.scope, now=project.now)
    assert project.active == [OLD]


def test_23_being_recalled_makes_nothing_newer(project: Project) -> None:
    first = project.note(UNRELATED[0])
    second = project.note(UNRELATED[1])
    project.night()
    before = project.recall("", mode="recent"), project.held[first].updated
    event = Event(at=project.now.isoformat(), session="s1", useful=[first])
    feedbackfile.record(project.scope.root, event)
    project.night()
    assert (project.recall("", mode="recent"), project.held[first].updated) == before
    assert project.held[first].strength == 2 and project.held[second].strength == 1


def test_24_the_logs_hold_nobodys_words_and_the_store_no_credential(
    project: Project, memory_home: Path
) -> None:
    token = "gh" + "p_" + "a1B2c3D4" * 5
    project.note(f"Push the ferns to the mirror with {token}.")
    project.recall("push the ferns to the mirror", judge="off")
    project.night()
    project.recall("push the ferns to the mirror", judge="off")
    logs = b"".join(path.read_bytes() for path in (memory_home / "log").iterdir())
    assert b'"event"' in logs and b"ferns" not in logs and b"mirror" not in logs
    stored = b"".join(path.read_bytes() for path in memory_home.rglob("*") if path.is_file())
    assert token.encode() not in stored


def test_what_was_forgotten_is_known_as_forgotten() -> None:
    gone = forgotten.entry(memory("m0000001", OLD), BEGIN, "key")
    item = fact(OLD, source=Source.SESSION)
    (verdict,) = decide([item], {}, [gone], "key")
    assert verdict.op is Op.NOOP and verdict.how is not How.REINFORCE
