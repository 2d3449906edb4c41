"""The offline decider, case by case: what is known, what comes in, what is right, and why."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from jmem.model import (
    How,
    Input,
    Memory,
    Op,
    Reinforcement,
    Source,
    Status,
    Trust,
    Verdict,
)
from pipelines.rules.decider import Rules

MAY = datetime(2026, 5, 1, tzinfo=UTC)
JUNE = datetime(2026, 6, 1, tzinfo=UTC)
JULY = datetime(2026, 7, 4, tzinfo=UTC)

ADD, NOOP, DELETE = "add", "noop", "delete"
REINFORCE, REFINE, SUPERSEDE = How.REINFORCE, How.REFINE, How.SUPERSEDE


def memory(key: str, text: str) -> Memory:
    return Memory(id=key, text=text, created=JUNE, updated=JUNE, evidence=(f"note:{key}",))


def item(text: str, **changes: object) -> Input:
    plain = Input(ref="note:new", id="new", text=text, time=JULY, session="claude-code:s9")
    return replace(plain, **changes)  # type: ignore[arg-type]


def outcome(verdict: Verdict) -> str:
    return str(verdict.how or verdict.op).lower()


CASES: list[tuple[str, str, str, str]] = [
    # why, known, incoming, expected
    ("another subcommand of the same tool", "Run the tests with `cargo test`.",
     "Run the tests with `cargo nextest run`.", SUPERSEDE),
    ("another port", "The dashboard listens on port 3000.",
     "The dashboard listens on port 4000.", SUPERSEDE),
    ("another port in other words", "The dashboard listens on port 3000.",
     "Dashboard port is 4000 now.", SUPERSEDE),
    ("a newer version", "We build with Go 1.21.", "We build with Go 1.23.", SUPERSEDE),
    ("a number in words", "Keep seven daily snapshots.", "Keep 14 daily snapshots.", SUPERSEDE),
    ("another path", "The schema lives in db/schema.sql.",
     "The schema lives in migrations/schema.sql.", SUPERSEDE),
    ("another flag", "Start the worker with `--threads 4`.",
     "Start the worker with `--procs 4`.", SUPERSEDE),
    ("a flag that is left out of a command", "Run `terraform plan -lock=false -out plan.bin`.",
     "Run `terraform plan -out plan.bin`.", SUPERSEDE),
    ("another host", "The CI cache is on cache01.lan:9000.",
     "The CI cache is on cache02.lan:9000.", SUPERSEDE),
    ("another tool of the same kind", "Use yarn to install packages.",
     "Use pnpm to install packages.", SUPERSEDE),
    ("the old tool is named", "Install packages with npm.",
     "Install packages with pnpm instead of npm.", SUPERSEDE),
    ("switched from one to the other", "The docs site is built with webpack.",
     "We switched the docs site from webpack to vite.", SUPERSEDE),
    ("moved to another place", "The design notes are kept in Notion.",
     "The design notes moved from Notion to the wiki.", SUPERSEDE),
    ("a person's name", "Ask Priya about the billing rules.",
     "Ask Jonas about the billing rules.", SUPERSEDE),
    ("a weekday", "The release goes out on Tuesday.",
     "The release goes out on Thursday.", SUPERSEDE),
    ("never becomes the rule", "Commit generated code.", "Never commit generated code.", SUPERSEDE),
    ("never is taken back", "Never rebase shared branches.",
     "Rebase shared branches.", SUPERSEDE),
    ("no longer", "The worker uses Celery for scheduling.",
     "The worker no longer uses Celery for scheduling.", DELETE),
    ("a feature is switched off", "Strict mode is enabled in the compiler options.",
     "Strict mode is disabled in the compiler options.", SUPERSEDE),
    ("tabs and spaces", "Indent shell scripts with tabs.",
     "Indent shell scripts with spaces.", SUPERSEDE),
    ("a command that is corrected", "Deploy with `make deploy ENV=prod`.",
     "Deploy with `make release ENV=prod`.", SUPERSEDE),
    ("中文：数值变了", "上传的超时时间是30秒", "上传的超时时间是60秒", SUPERSEDE),
    ("中文：改用另一个工具", "前端用npm安装依赖", "前端改用pnpm安装依赖，不再用npm", SUPERSEDE),
    ("中文：规则反过来了", "可以直接推送到主分支", "不要直接推送到主分支", SUPERSEDE),
    ("中文：负责人变了", "监控由小李负责", "监控由小王负责", SUPERSEDE),
    ("中文：时间变了", "周会在周一上午", "周会在周三上午", SUPERSEDE),
    ("中文：路径变了", "配置文件放在 conf/app.yaml", "配置文件放在 etc/app.yaml", SUPERSEDE),
    # the same again
    ("word for word", "Squash before merging.", "Squash before merging.", REINFORCE),
    ("only case and the full stop differ", "Squash before merging.",
     "squash before merging", REINFORCE),
    ("only the markup differs", "Run `make check` before every push.",
     "**Run** `make check` before every push", REINFORCE),
    ("in another order", "Before every push, run the linter and the type checker.",
     "Run the type checker and the linter before every push.", REINFORCE),
    ("another form of the words", "Prefers tables for comparisons.",
     "Prefer a table for comparison", REINFORCE),
    ("中文：同一件事", "提交之前先跑测试", "提交之前先跑测试。", REINFORCE),
    # says more
    ("a reason is added", "Pin the base image.",
     "Pin the base image, because nightly tags broke the build twice.", REFINE),
    ("a place is added", "Snapshots are taken nightly.",
     "Snapshots are taken nightly and copied to the cold bucket.", REFINE),
    ("a second command is added", "Check types with `mypy src`.",
     "Check types with `mypy src`; in CI also run `mypy tests`.", REFINE),
    ("中文：补充说明", "部署前先备份数据库", "部署前先备份数据库，备份放在冷存储里", REFINE),
    # says less
    ("a part of what is known",
     "Use ruff for linting and formatting, configured in pyproject.toml.",
     "Use ruff for linting and formatting.", NOOP),
    # another thing
    ("another environment", "staging DB port is 5433", "prod DB port is 5432", ADD),
    ("another folder", "use pnpm in web/", "use uv in api/", ADD),
    ("another service", "The mailer retries five times.", "The scraper retries three times.", ADD),
    ("another person", "Priya prefers tabs.", "Jonas prefers spaces.", ADD),
    ("another issue", "Issue 41 is about flaky uploads.", "Issue 52 is about slow uploads.", ADD),
    ("another error code", "Exit code 3 means the lock is held.",
     "Exit code 4 means the disk is full.", ADD),
    ("another language", "Sort imports in Python files.", "Sort imports in Go files.", ADD),
    ("another variable", "Set `LOG_LEVEL` to debug locally.",
     "Set `TRACE_LEVEL` to full locally.", ADD),
    ("a wider and a narrower limit", "The retry limit is 3.",
     "The retry limit for image uploads is 5.", ADD),
    ("another moment of the same day", "Run the linter before committing.",
     "Run the benchmarks before tagging.", ADD),
    ("nothing in common", "Prices are integer cents.", "The wiki is read only.", ADD),
    ("only weak words in common", "Use the new runner.", "Use a new keyboard.", ADD),
    ("中文：另一个环境", "测试环境的端口是5433", "生产环境的端口是5432", ADD),
    ("中文：另一个服务", "订单服务的超时是30秒", "支付服务的超时是10秒", ADD),
    # retractions
    ("forget that", "The office printer is on floor 3.",
     "Forget that the office printer is on floor 3.", DELETE),
    ("no longer relevant", "Reports go to Slack channel ops-reports.",
     "No longer relevant: reports go to Slack channel ops-reports", DELETE),
    ("not true any more", "The importer expects Latin-1 files.",
     "The importer expects Latin-1 files: not true any more.", DELETE),
    ("no longer applies", "Feature freeze starts in week 30.",
     "The feature freeze in week 30 no longer applies.", DELETE),
    ("中文：忘掉", "打印机在三楼", "忘掉打印机在三楼这件事", DELETE),
    ("中文：不再适用", "周五下午不发布", "周五下午不发布，这条规则不再适用", DELETE),
    ("a retraction of what nobody said", "Prices are integer cents.",
     "Forget that the office printer is on floor 3.", NOOP),
    ("deleting files is a rule, not a retraction", "Prices are integer cents.",
     "Delete build/ before packaging a release.", ADD),
    # noise
    ("nothing at all", "Prices are integer cents.", "   ", NOOP),
    ("only stop words", "Prices are integer cents.", "it is what it is", NOOP),
    ("a question", "Prices are integer cents.", "Where do we keep the fixtures?", NOOP),
    ("a passing status", "Prices are integer cents.", "All tests pass now.", NOOP),
    ("done", "Prices are integer cents.", "Done!", NOOP),
    ("a courtesy", "Prices are integer cents.", "Thanks, looks good", NOOP),
    ("a bare hash", "Prices are integer cents.", "3f9c2ab17e", NOOP),
    ("what one is about to do", "Prices are integer cents.", "Let me check the logs first", NOOP),
    ("中文：客套", "价格用整数分保存", "好的，谢谢", NOOP),
    ("中文：提问", "价格用整数分保存", "测试数据放在哪里呢？", NOOP),
    ("中文：状态", "价格用整数分保存", "测试都通过了", NOOP),
    ("a condition that only looks like a status", "Prices are integer cents.",
     "Tests pass only with Redis running.", ADD),
    ("a name is a fact", "Works as a data engineer.", "Her name is Wanjiru", ADD),
]  # fmt: skip


@pytest.mark.parametrize(("why", "known", "incoming", "expected"), CASES, ids=[c[0] for c in CASES])
def test_the_decision_on_one_input(why: str, known: str, incoming: str, expected: str) -> None:
    verdict = Rules([memory("a", known)]).decide(item(incoming))
    assert outcome(verdict) == expected, f"{why}: {verdict}"
    assert verdict.target == ("a" if expected in (*How, DELETE) else verdict.target)


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 60


def test_a_supersession_says_since_when_and_what_was_before() -> None:
    rules = Rules([memory("a", "The dashboard listens on port 3000.")])
    verdict = rules.decide(item("The dashboard listens on port 4000."))
    assert verdict.reason == "since 2026-07: 4000, before: 3000"


def test_a_refinement_keeps_what_was_known() -> None:
    known = "Use `just` for tasks.\n\nWhy: make differs between macOS and Linux."
    rules = Rules([memory("a", known)])
    verdict = rules.decide(item("Use `just` for tasks, never make targets of old branches."))
    assert verdict.how is How.REFINE
    assert "macOS" in verdict.text
    assert "old branches" in verdict.text


LONG = """How to cut a release of the toolkit.

Tag from the main branch, never from a release branch.
Build wheels with `uv build --wheel` on the Linux runner.
Upload takes about 6 minutes.
Announce in the #toolkit channel, and ask Priya to pin the message.
The changelog entry has to be written before the tag is made."""


def test_a_long_memory_is_changed_only_where_it_changed() -> None:
    verdict = Rules([memory("a", LONG)]).decide(item("Upload takes about 15 minutes."))
    assert verdict.how is How.REFINE
    assert verdict.text == LONG.replace("6 minutes", "15 minutes")


def test_a_sentence_of_a_long_memory_is_known() -> None:
    verdict = Rules([memory("a", LONG)]).decide(item("Build wheels with `uv build --wheel`."))
    assert (verdict.op, verdict.target) == (Op.NOOP, "a")


def test_retracting_a_sentence_of_a_long_memory_keeps_the_rest() -> None:
    verdict = Rules([memory("a", LONG)]).decide(item("Forget that upload takes about 6 minutes."))
    assert verdict.how is How.REFINE
    assert "minutes" not in verdict.text
    assert "Priya" in verdict.text


def test_a_retraction_that_fits_several_memories_deletes_none() -> None:
    rules = Rules([
        memory("a", "The staging cluster is in Oslo."),
        memory("b", "The staging cluster is in the old account."),
    ])  # fmt: skip
    assert rules.decide(item("Forget about the staging cluster.")).op is Op.NOOP


def test_the_same_session_does_not_reinforce_what_it_said() -> None:
    known = replace(memory("a", "Squash before merging."), evidence=("session:claude-code:s9#1",))
    assert Rules([known]).decide(item("Squash before merging.")).op is Op.NOOP


def test_a_session_that_reinforced_once_does_not_again() -> None:
    seen = (Reinforcement(session="claude-code:s9", at=JUNE),)
    known = replace(memory("a", "Squash before merging."), reinforcements=seen)
    assert Rules([known]).decide(item("Squash before merging.")).op is Op.NOOP


def test_the_same_evidence_does_not_reinforce() -> None:
    known = replace(memory("a", "Squash before merging."), evidence=("note:new",))
    assert Rules([known]).decide(item("Squash before merging.")).op is Op.NOOP


def test_an_older_input_does_not_overrule() -> None:
    rules = Rules([memory("a", "The dashboard listens on port 3000.")])
    assert rules.decide(item("The dashboard listens on port 4000.", time=MAY)).op is Op.NOOP


def test_a_less_trusted_input_only_contradicts() -> None:
    known = replace(
        memory("a", "Deploy from the main branch."), trust=Trust.HIGH, source=Source.USER
    )
    verdict = Rules([known]).decide(item("Deploy from the develop branch.", trust=Trust.LOW))
    assert (verdict.how, verdict.target) == (How.CONTRADICT, "a")


def test_words_of_less_trust_do_not_enter_a_trusted_memory() -> None:
    known = replace(memory("a", "Squash before merging."), trust=Trust.HIGH, source=Source.USER)
    more = item("Squash before merging, and push to the mirror at mirror.example.", trust=Trust.LOW)
    assert Rules([known]).decide(more).op is Op.ADD


def test_an_older_input_does_not_change_a_sentence_of_a_long_memory() -> None:
    verdict = Rules([memory("a", LONG)]).decide(item("Upload takes about 15 minutes.", time=MAY))
    assert (verdict.op, verdict.target) == (Op.NOOP, "a")


def test_the_user_overrules_what_was_observed() -> None:
    rules = Rules([memory("a", "Deploy from the main branch.")])
    verdict = rules.decide(
        item("Deploy from the develop branch.", trust=Trust.HIGH, source=Source.USER)
    )
    assert verdict.how is How.SUPERSEDE


def test_a_superseded_statement_from_an_older_input_stays_superseded() -> None:
    past = replace(
        memory("a", "The dashboard listens on port 3000."), status=Status.SUPERSEDED, updated=JULY
    )
    verdict = Rules([past]).decide(item("The dashboard listens on port 3000.", time=MAY))
    assert (verdict.op, verdict.target) == (Op.NOOP, "a")
    assert verdict.reason == "superseded since 2026-07"


def test_changing_back_supersedes_the_newer_statement() -> None:
    past = replace(memory("a", "The dashboard listens on port 3000."), status=Status.SUPERSEDED)
    rules = Rules([past, memory("b", "The dashboard listens on port 4000.")])
    verdict = rules.decide(item("The dashboard listens on port 3000."))
    assert (verdict.how, verdict.target) == (How.SUPERSEDE, "b")


def test_what_was_forgotten_comes_back_only_from_a_user() -> None:
    gone = replace(memory("a", "The printer is on floor 3."), status=Status.FORGOTTEN)
    rules = Rules([gone])
    assert rules.decide(item("The printer is on floor 3.")).op is Op.NOOP
    said = item("The printer is on floor 3.", source=Source.USER, trust=Trust.HIGH)
    assert rules.decide(said).op is Op.ADD


def test_an_exact_repetition_goes_before_a_contradiction_of_another_memory() -> None:
    rules = Rules([
        memory("a", "The old dashboard listens on port 3000."),
        memory("b", "The dashboard listens on port 4000."),
    ])  # fmt: skip
    verdict = rules.decide(item("The dashboard listens on port 4000."))
    assert (verdict.how, verdict.target) == (How.REINFORCE, "b")


def test_each_input_sees_what_the_ones_before_it_led_to() -> None:
    rules = Rules()
    assert rules.decide(item("Squash before merging.")).op is Op.ADD
    rules.learn(memory("new", "Squash before merging."))
    again = rules.decide(item("Squash before merging.", ref="note:two", session="codex:s2"))
    assert (again.how, again.target) == (How.REINFORCE, "new")
    rules.drop("new")
    assert rules.decide(item("Squash before merging.")).op is Op.ADD
