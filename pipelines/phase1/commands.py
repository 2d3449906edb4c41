"""What the commands of a session teach: the variant that works, and the check that is run."""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass

from jmem.transcripts.entries import ToolCall, ToolResult
from pipelines.phase1.durable import Candidate, DurableItem, observed
from pipelines.phase1.finding import Strength
from pipelines.phase1.patterns import any_of

_MAX_KNOWN = 200
_MAX_PENDING = 40
_MAX_COMMAND = 120
_REACH = 2
_OFTEN = 3
_MAX_CHECKS = 1
_MAX_PITFALLS = 2

_SETUP = re.compile(r"^(?:cd \S+|export \S+|source \S+|\. \S+|pwd)\s*(?:&&|;)\s*")
_QUIET = re.compile(
    r"\s*(?:2>&1|2>/dev/null|\|\| true"
    r"|\|\s*(?:tail|head|grep|less|cat|tee|wc|sort)\b[^|&;]*)\s*$"
)
_SPECIFIC = any_of(
    r"(?:^|[\s=])/(?:tmp|var|users|home|mnt|root)/",
    r"\b[0-9a-f]{7,40}\b|\b\d{4,}\b",
    r"\n|<<|\$\(|`|…$",
    r"\b(?:sleep|kill|pkill)\b",
)
_LOOKING = any_of(
    r"^(?:ls|cat|grep|rg|find|fd|sed|awk|head|tail|echo|printf|which|wc|stat|tree|diff|jq|ps)\b",
    r"^(?:mkdir|rm|cp|mv|touch|chmod|curl|wget|git|gh|open|apply_patch|test|true|for|while|if)\b",
    r"^(?:python3? -c|node -e|bash -c)\b",
)
_CHECKS = any_of(
    r"^(?:\w+=\S+ )*(?:make|mise run|just|task|npm run|pnpm|yarn|bun|cargo xtask|nox|tox|rake)"
    r" (?!install|add|i\b|build)[\w:./-]+",
    r"^(?:\w+=\S+ )*(?:\./)?(?:scripts?|bin|tools)/\S+",
    r"^(?:\w+=\S+ )*(?:uv run|poetry run|hatch run|bundle exec|docker compose (?:run|exec)) \S+",
    r"^(?:\w+=\S+ )*go (?:test|vet) .*-tags\b|^\./(?:gradlew|mvnw) \S+",
)
_ONE_TEST = any_of(r"::|\s(?:-run|-k|-t|-o|--)\s|\s--(?:run|filter|grep|testNamePattern)\b|\.\.\.$")
"""A check of one part only, chosen for the task at hand."""
_MISUSE = any_of(
    r"command not found|not found on PATH|is not recognized|is not installed|No such command",
    r"unknown (?:flag|option|command|shorthand|arguments?)|unrecognized (?:option|arguments?)",
    r"no such option|unexpected argument|(?:invalid|illegal) option",
    r"No module named|ModuleNotFoundError|externally-managed-environment",
    r"missing script|no rule to make target|no task .{1,40} found",
    r"build constraints exclude all|must be run (?:from|in|with)",
    r"environment variable .{1,40} (?:is not set|required)",
)
_NAME_AFTER = re.compile(r"(?::|\s)\s?['\"]?[\w.@/-]{1,40}")
_NOT_THE_COMMAND = any_of(
    r"^(?:grep|tail|head|sed|awk|wc|sort|cat|jq|tee|xargs):",
    r"line \d+:|\\r",
)
"""An error of what surrounds the command, or of something inside the script that it runs."""


@dataclass(slots=True)
class _Run:
    command: str
    number: int


class Commands:
    """The commands of a session in order; bounded, whatever its length."""

    def __init__(self) -> None:
        self._running: OrderedDict[str, str] = OrderedDict()
        self._failed: list[tuple[_Run, str]] = []
        self._counts: OrderedDict[str, int] = OrderedDict()
        self._pitfalls: list[DurableItem] = []
        self._number = 0
        self._edited_at = 0

    def call(self, call: ToolCall) -> None:
        """A tool was started."""
        if call.paths and not call.command:
            self._edited_at = self._number
        command = essential(call.command)
        if not command:
            return
        self._number += 1
        self._running[call.call_id] = command
        if len(self._running) > _MAX_PENDING:
            self._running.popitem(last=False)

    def result(self, result: ToolResult) -> None:
        """A tool has answered."""
        command = self._running.pop(result.call_id, "")
        if not command:
            return
        if result.failed:
            reason = _misuse(result.text)
            if reason:
                self._failed = [*self._failed[-_REACH:], (_Run(command, self._number), reason)]
            return
        if _CHECKS.match(command) and not _ONE_TEST.search(command):
            self._counts[command] = self._counts.get(command, 0) + 1
            self._counts.move_to_end(command)
            if len(self._counts) > _MAX_KNOWN:
                self._counts.popitem(last=False)
        self._worked(command)

    def candidates(self) -> list[Candidate]:
        """What the commands teach, the pitfalls first."""
        often = sorted(self._counts.items(), key=lambda each: -each[1])
        checks = [command for command, count in often if count >= _OFTEN][:_MAX_CHECKS]
        items = [*self._pitfalls[-_MAX_PITFALLS:], *map(_check, checks)]
        return [
            Candidate(item=item, strength=Strength.OBSERVED, order=100_000 + place)
            for place, item in enumerate(items)
        ]

    def _worked(self, command: str) -> None:
        """A command worked: is it the variant of one that was misused shortly before?"""
        for run, reason in reversed(self._failed):
            near = self._number - run.number <= _REACH and self._edited_at <= run.number
            if near and _is_variant(run.command, command):
                self._pitfalls.append(
                    observed(
                        f"`{run.command}` fails here ({reason}); `{command}` works.", "pitfall"
                    )
                )
                self._failed.remove((run, reason))
                return


def essential(command: str) -> str:
    """The command without what surrounds it, or nothing when it is too particular to teach."""
    command = command.strip()
    while setup := _SETUP.match(command):
        command = command[setup.end() :]
    while quiet := _QUIET.search(command):
        command = command[: quiet.start()]
    command = command.replace(" 2>&1", "")
    return "" if len(command) > _MAX_COMMAND or _SPECIFIC.search(command) else command


def _check(command: str) -> DurableItem:
    # The command comes first: a fixed beginning would make each one look like a new value of
    # the same fact to whoever compares them later.
    return observed(f"`{command}` is run again and again to check work here.", "workflow")


def _misuse(output: str) -> str:
    """The line that says that the command itself was wrong, if one does."""
    for line in output.splitlines()[:20]:
        if _NOT_THE_COMMAND.search(line):
            return ""
        if found := _MISUSE.search(line):
            # Only the words of the table and the one name after them: a line of output is
            # written by anybody, and an item is read as advice.
            name = _NAME_AFTER.match(line, found.end())
            return found[0] + (name[0] if name else "")
    return ""


def _is_variant(failed: str, worked: str) -> bool:
    """Whether both do the same in another way: much in common, and not merely looking around."""
    if failed == worked or _LOOKING.match(worked):
        return False
    one, other = set(failed.split()), set(worked.split())
    return len(one & other) / len(one | other) >= 0.4 or (
        len(one) > 1 and failed.split()[1:] == worked.split()[1:]
    )
