"""The focused query: what a person wants now, out of everything that stands around it. Pure.

The last line of the user comes first and the prose of the conversation follows, its newest part
kept. Whatever cuts a long query keeps its end, so behind long prose that line stands once more.
Reminders of clients, traces of tools, code and the names of speakers are left out.
"""

from __future__ import annotations

from jmem.retrieval.patterns import LazyPattern
from jmem.retrieval.stems import STOP_WORDS
from jmem.transcripts.injected import command_arguments, request, typed, without_wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_CHARACTERS = 4_000
MAX_TURNS = 12
_MAX_TURN = 1_200
_LONG = 300
"""Characters of prose behind which the wanted line is said again."""
_FEW_WORDS = 4
"""Prose of fewer telling words is not searched for without the code that stands beside it."""

_CODE_FENCE = LazyPattern(r"[ \t]*(`{3,}|~{3,})")
_SPEAKER = LazyPattern(r"[ \t]*(?:\*\*)?(?:User|Human|Assistant|System)(?:\*\*)?:(?:\*\*)?(?=\s|$)")
_PLACEHOLDER = LazyPattern(r"\[(?i:image|pasted text|attachment|file)(?: #?\d[^\]\n]{0,80})?\]")
_TOOL_NOISE = LazyPattern(
    r"[ \t]*(?i:"
    r"\[(?:tool|function)\b[^\]\n]*\]?"
    r"|(?:tool|function)[ _](?:call|result|use|output|error)s?\b\s*[:(\[]"
    r"|[⎿│╭╰└├]"
    r"|⏺\s+\w+\("
    r")"
)


def of_prompt(prompt: str, *, limit: int = MAX_CHARACTERS) -> str:
    """The query of one prompt: of a hook's payload, or of the words of a command line.

    A prompt of nothing but noise is taken as it is, so that something can be found.
    """
    return of_turns([("user", prompt)], limit=limit) or prompt.strip()[-limit:].strip()


def of_turns(
    turns: Iterable[tuple[str, str]], *, limit: int = MAX_CHARACTERS, last: int = MAX_TURNS
) -> str:
    """The query of a conversation: pairs of a role (``user``, ``assistant``) and what was said.

    Pairs of any other role are passed over. The ``last`` turns count, of each the last part;
    the result has at most ``limit`` characters and is empty where nobody said anything.
    """
    said = [(role, text) for role, text in turns if role in ("user", "assistant")][-last:]
    lines: list[str] = []
    wanted = ""
    for role, text in said:
        prose = _prose(_own_words(role, text))
        lines += prose
        if role == "user" and prose:
            wanted = prose[-1]
    if not wanted:
        return _tail(lines, limit)
    lines.reverse()
    lines.remove(wanted)  # its last mention: what follows it must not push it out
    lines.reverse()
    head = wanted[-limit:]
    room = limit - len(head) - 1
    rest = _tail(lines, room)
    if len(rest) > _LONG and room > 2 * len(head):
        rest = f"{_tail(lines, room - len(head) - 1)}\n{head}"
    return f"{head}\n{rest}" if rest else head


def _own_words(role: str, text: str) -> str:
    """What the speaker said of a text, without what the client put into it."""
    if role != "user":
        return without_wrapped(text)
    return typed(request(text))[0] or command_arguments(text)


def _prose(text: str) -> list[str]:
    """The lines of prose in a text; with its code where the prose says too little."""
    prose: list[str] = []
    code: list[str] = []
    fence = ""
    for line in text.splitlines():
        opening = _CODE_FENCE().match(line)
        if opening and (not fence or opening[1].startswith(fence)):
            fence = "" if fence else opening[1]
        elif fence:
            code.append(line.strip())
        elif not _TOOL_NOISE().match(line):
            bare = _PLACEHOLDER().sub("", line) if "[" in line else line
            prose.append(_SPEAKER().sub("", bare, count=1).strip())
    prose = [line for line in prose if line]
    if sum(map(_telling_words, prose)) < _FEW_WORDS:
        prose = [line for line in code if line] + prose
    return _both_ends(prose, _MAX_TURN)


def _telling_words(line: str) -> int:
    """How many words say something; two characters of a script without spaces are one."""
    words = (word.strip(".,:;!?()\"'`") for word in line.lower().split())
    telling = (word for word in words if word and word not in STOP_WORDS)
    return sum(1 if word.isascii() else (len(word) + 1) // 2 for word in telling)


def _both_ends(lines: list[str], limit: int) -> list[str]:
    """The lines; of too many the first, where people ask, and the last, where they ask as well."""
    if sum(map(len, lines)) + len(lines) <= limit:
        return lines
    first = lines[0][: limit // 4]
    return [first, *_last_part(lines[1:] or [lines[0][len(first) :]], limit - len(first))]


def _last_part(lines: list[str], limit: int) -> list[str]:
    """The last lines, at most ``limit`` characters of them; the first one kept may be cut."""
    kept: list[str] = []
    for line in reversed(lines):
        if limit <= 0:
            break
        kept.append(line[-limit:])
        limit -= len(line) + 1
    return kept[::-1]


def _tail(lines: list[str], limit: int) -> str:
    return "\n".join(_last_part(lines, limit)).strip()
