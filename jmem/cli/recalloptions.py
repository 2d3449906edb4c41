"""The options of ``jmem recall``, declared once: for click, and for a start without it.

A cold ``jmem recall`` answers within tens of milliseconds; loading click would take as long again.
:func:`read` understands the plain form of a call and leaves everything else to click.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Option:
    """One option. ``choices`` are the words that it takes; None for any. A flag takes none."""

    __slots__ = ("choices", "default", "flag", "help", "metavar", "name", "number")

    def __init__(
        self,
        flag: str,
        help: str,  # noqa: A002 - the field's standard word
        *,
        metavar: str = "",
        choices: tuple[str, ...] | None = None,
        default: str = "",
        number: bool = False,
    ) -> None:
        self.flag = flag
        self.name = flag.lstrip("-").replace("-", "_")
        self.help = help
        self.metavar = metavar
        self.choices = choices
        self.default = default
        self.number = number

    @property
    def takes_value(self) -> bool:
        """Whether a word follows it."""
        return bool(self.metavar or self.choices)


OPTIONS = (
    Option(
        "--mode",
        "By words and vectors, also what belongs with that, one of them, or the newest.",
        choices=("hybrid", "cascade", "lexical", "dense", "recent"),
        default="hybrid",
    ),
    Option(
        "--scope",
        "Where to look.",
        choices=("all", "project", "global"),
        default="all",
    ),
    Option("--kind", "Only this kind of memory.", metavar="KIND"),
    Option("--tag", "Only with this tag.", metavar="TAG"),
    Option("--since", "Only what was changed on this day or later.", metavar="YYYY-MM-DD"),
    Option("--limit", "How many at most (0: recall.max_hits).", metavar="N", number=True),
    Option(
        "--judge",
        "Who accepts (default: recall.judge); off shows what was found.",
        choices=("auto", "llm", "local", "off"),
    ),
    Option("--sessions", "Look in session summaries as well."),
    Option("--transcript", "Ask what the end of this session asks.", metavar="FILE"),
    Option("--project", "The project's directory (default: where you are).", metavar="DIR"),
    Option("--explain", "Show every candidate with its scores and what was decided."),
    Option("--json", "Print the result as JSON."),
)
_BY_FLAG = {option.flag: option for option in OPTIONS}


def read(arguments: Sequence[str]) -> dict[str, str] | None:
    """The options by name and the words of the query under ``words``.

    None for a call that is not plain: help, an unknown option, a missing or wrong value. Flags
    that are set hold ``"1"``.
    """
    found = {option.name: option.default for option in OPTIONS}
    words: list[str] = []
    waiting = list(reversed(arguments))
    while waiting:
        word = waiting.pop()
        if not word.startswith("-") or word == "-":
            words.append(word)
            continue
        flag, joined, value = word.partition("=")
        option = _BY_FLAG.get(flag)
        if option is None:
            return None
        if not option.takes_value:
            if joined:
                return None
            value = "1"
        elif not joined:
            if not waiting:
                return None
            value = waiting.pop()
        if option.choices and value not in option.choices:
            return None
        if option.number and not (value.isascii() and value.isdigit() and len(value) < 8):
            return None
        found[option.name] = value
    found["words"] = " ".join(words)
    return found
