"""What happened in a session, told from its entries: asked, changed, run, ended."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable

from jmem.transcripts.entries import ToolCall, ToolResult, Turn, Via
from jmem.transcripts.injected import PLAN
from pipelines.phase1.commands import essential
from pipelines.phase1.patterns import any_of
from pipelines.phase1.prose import own
from pipelines.phase1.reasons import Reasons

MAX_SUMMARY = 2_200
_FIRST_ASKS = 3
_LAST_ASKS = 3
_MAX_PATHS = 400
_CHANGING = ("edit", "write", "multiedit", "notebookedit", "apply_patch", "str_replace", "create")
_SHELL = ("shell", "exec_command", "local_shell", "bash")
_LOOKING = any_of(
    r"^(?:ls|cat|grep|rg|find|fd|sed|awk|head|tail|echo|printf|pwd|which|wc|tree|nl)\b",
    r"^git (?:status|diff|log|show|ls-\w+|rev-parse|blame|branch|fetch)\b",
    r"^gh \w+ (?:view|diff|list)\b",
)
_CHECK = any_of(r"\b(?:tests?|pytest|jest|vitest|lint|check|build|vet|mypy|ruff|tsc|ci|verify)\b")
_GOOD = any_of(
    r"\b(?:thanks?|thank you|great|perfect|nice|lgtm|awesome|works(?! not)|well done|ship it)\b",
    r"\b(?:merged?|commit|push)\b",
    r"谢谢|很好|完美|可以了|没问题|提交|不错",
)
_BAD = any_of(
    r"\bstill (?:fails?|failing|broken|not|doesn't|getting)\b|\bsame error\b|\bwrong\b",
    r"\b(?:doesn't|does not|not) work(?:ing)?\b|\b(?:revert|broken|roll(?:ing)? back|undo)\b",
    r"还是(?:不行|报错|失败)|不对|没用|回滚|撤销",
)
_DONE = any_of(
    r"\b(?:done|completed?|fixed|implemented|pushed|committed|merged|created|updated|added"
    r"|removed|finished|ready|all (?:tests|checks) pass\w*)\b",
    r"完成|已修复|已提交|通过",
)
_GAVE_UP = any_of(r"\b(?:unable to|could not|couldn't|cannot|failed to|gave up)\b", r"无法|未能")
_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(
    """
    a an the to of in on for and or with we you i it is are be can could please let s lets this
    that my our me do at as from have has there need want would should like also just so if how
    what why when ve m re ll d t
    """.split()  # noqa: SIM905 - a table of words reads better as text
)


class Outline:
    """The course of a session; bounded, whatever its length."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._first: list[str] = []
        self._last: deque[str] = deque(maxlen=_LAST_ASKS)
        self._asks = 0
        self._changed: dict[str, None] = {}
        self._runs: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._running: dict[str, str] = {}
        self._check_failed: bool | None = None
        self._conclusion = ""
        self._last_word = ""
        self._answered = False
        self._reasons = Reasons()

    def user(self, turn: Turn) -> None:
        """The user said something."""
        self._answered = False
        text = _title(turn)
        self._last_word = text
        if not text:
            return
        self._asks += 1
        if len(self._first) < _FIRST_ASKS:
            self._first.append(text)
        else:
            self._last.append(text)

    def assistant(self, turn: Turn) -> None:
        """The assistant said something."""
        self._answered = True
        self._conclusion = turn.text[:4_000]
        self._reasons.add(turn.text)

    def call(self, call: ToolCall) -> None:
        """A tool was started."""
        name = call.name.lower()
        if call.paths and (name.startswith(_CHANGING) or name in _SHELL):
            for path in call.paths:
                if len(self._changed) < _MAX_PATHS:
                    self._changed[_relative(path, self._base)] = None
        command = essential(call.command)
        if command and not _LOOKING.match(command) and len(self._running) < _MAX_PATHS:
            self._running[call.call_id] = command

    def result(self, result: ToolResult) -> None:
        """A tool has answered."""
        command = self._running.pop(result.call_id, "")
        if not command:
            return
        if command in self._runs or len(self._runs) < _MAX_PATHS:
            self._runs[command] += 1
            self._failures[command] += result.failed
        if _CHECK.search(command):
            self._check_failed = result.failed

    def outcome(self) -> str:
        """How it ended: success, partial, uncertain or failed."""
        if self._last_word and _BAD.search(self._last_word):
            return "partial" if self._changed else "failed"
        if not self._answered:
            return "partial" if self._changed else "uncertain"
        if self._check_failed:
            return "partial"
        if _GAVE_UP.search(self._conclusion[-400:]) and not self._changed:
            return "failed"
        pleased = _GOOD.search(self._last_word) and self._asks > 1
        if pleased or (_DONE.search(self._conclusion) and (self._changed or self._runs)):
            return "success"
        return "uncertain"

    def slug(self) -> str:
        """A few words for a file name, letters of any script."""
        source = next(
            (ask for ask in self._first if len(ask.split()) > 2), "".join(self._first[:1])
        )
        words = [word.lower() for word in _WORD.findall(source)]
        telling = [word for word in words if word not in _STOP and not word.isdigit()][:6]
        return "-".join(telling)[:48].strip("-")

    def summary(self) -> str:
        """The session in a few bullets."""
        lines = [f"- Asked: {_cut(ask, 220)}" for ask in self._first[:1]]
        lines += [f"- Then: {_cut(ask, 140)}" for ask in self._first[1:]]
        left_out = self._asks - len(self._first) - len(self._last)
        if left_out > 0:
            lines.append(f"- ({left_out} more requests)")
        lines += [f"- Then: {_cut(ask, 140)}" for ask in self._last]
        if self._changed:
            lines.append(f"- Changed: {_listed(list(self._changed), 6)}")
        if self._runs:
            checks_first = sorted(
                self._runs.items(), key=lambda run: (not _CHECK.search(run[0]), -run[1])
            )
            runs = [self._run(command) for command, _ in checks_first[:4]]
            lines.append(f"- Ran: {'; '.join(runs)}")
        lines += [f"- Found: {found}" for found in self._reasons.lines()]
        ending = _ending(self._conclusion)
        if ending:
            lines.append(f"- Ended ({self.outcome()}): {_cut(ending, 300)}")
        return _bounded(lines)

    def _run(self, command: str) -> str:
        failed, all_runs = self._failures[command], self._runs[command]
        how = (
            "failed" if failed == all_runs else f"failed {failed} of {all_runs}" if failed else "ok"
        )
        return f"`{_cut(command, 80)}` ({how})"


def _title(turn: Turn) -> str:
    """What a turn asks, on one line: its first words that are the user's own."""
    if turn.via is Via.PLAN:
        heading = next((line for line in turn.text.splitlines() if line.startswith("#")), "")
        return f"{PLAN.rstrip(':')}: {heading.lstrip('# ')}" if heading else PLAN.rstrip(":")
    prose = own(turn.text[:8_000]).strip()
    paragraph = (prose or turn.text[:2_000].strip()).split("\n\n")[0]
    return " ".join(paragraph.split())[:600]


def _ending(text: str) -> str:
    """The first words of the last message: agents put the result there."""
    lines = [line.strip(" #*-") for line in text.splitlines()]
    said = [line for line in lines if len(line) > 2 and not line.startswith(("```", "|"))]
    return " ".join(" ".join(said[:3]).split())


def _relative(path: str, base: str) -> str:
    if base and path.startswith(base.rstrip("/") + "/"):
        return path[len(base.rstrip("/")) + 1 :]
    return path


def _listed(names: list[str], room: int) -> str:
    shown = ", ".join(f"`{_cut(name, 80)}`" for name in names[:room])
    return f"{shown} and {len(names) - room} more" if len(names) > room else shown


def _cut(text: str, limit: int) -> str:
    """The text up to a limit, cut at a word."""
    if len(text) <= limit:
        return text
    short = text[: limit - 1]
    return (short.rsplit(" ", 1)[0] if " " in short[limit // 2 :] else short).rstrip(" ,;:") + "…"


def _bounded(lines: Iterable[str]) -> str:
    kept: list[str] = []
    room = MAX_SUMMARY
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join(kept)
