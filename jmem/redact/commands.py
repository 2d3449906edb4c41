"""Secrets on a command line: the password that a program takes as an option or as an argument.

A command is looked at for ``_REACH`` characters of options at most, and each option once, so
that the cost of a text grows with its length alone.
"""

from __future__ import annotations

from jmem.redact import values
from jmem.redact.patterns import compiled
from jmem.redact.shapes import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_REACH = 200
_VALUE = r"(?:\"([^\"\n]{4,200})\"|'([^'\n]{4,200})'|([^\s\"'`;|<>()]{4,200}+))"
# user:password goes as a whole: the user of an API is often half of the secret.
_PAIR = r"[\"']?([^\s:\"'$<-][^\s:\"'$<]{0,99}:" + _VALUE + ")"
_COOKIES = r"[\"']?([^\s=;\"'@]{1,80}=[^\"'\n]{8,2000}+)"
_NAME = r"[\"']?[\w.@\\-]{1,64}[\"']?[ ]"

# The program, the rest of its name, the option with the secret, the label.
_OPTIONS: tuple[tuple[str, str, str, str], ...] = (
    ("curl", "", r"(?:-[a-zA-Z]{0,4}u|--user|--proxy-user)[ =]{0,3}" + _PAIR, "basic-auth"),
    ("curl", "", r"(?:-b|--cookie)[ =]{1,3}" + _COOKIES, "cookie"),
    ("http", "s?", r"(?:-a|--auth)[ =]" + _PAIR, "basic-auth"),
    ("mysql", r"[a-z]{0,8}(?=\s)", r"-p(?!ort|rot)" + _VALUE, "password"),
    ("mariadb", r"[a-z-]{0,8}(?=\s)", r"-p(?!ort|rot)" + _VALUE, "password"),
    ("mongo", r"[a-z]{0,8}(?=\s)", r"-p[ ]?" + _VALUE, "password"),
    ("login", r"(?=\s)", r"-p[ ]" + _VALUE, "password"),
    ("redis-cli", "", r"(?:-a|--pass)[ ]" + _VALUE, "password"),
    ("ldap", r"[a-z]{3,8}", r"-w[ ]" + _VALUE, "password"),
    ("smbclient", "", r"-u[ ]?[^\s%]{1,64}%" + _VALUE, "password"),
    ("htpasswd", "", r"-[a-z]{0,4}b[a-z]{0,4}[ ][^\s]{1,200}[ ]" + _NAME + _VALUE, "password"),
    # A small -p is something else: the port, or that the content is printed.
    ("zip", r"(?=\s)", r"(?-i:-P)[ ]?" + _VALUE, "password"),
    ("unzip", r"(?=\s)", r"(?-i:-P)[ ]?" + _VALUE, "password"),
    ("mosquitto_", r"(?:pub|sub)(?=\s)", r"(?-i:-P)[ ]" + _VALUE, "password"),
    ("7z", r"[arz]?(?=\s)", r"-p" + _VALUE, "password"),
    ("rar", r"(?=\s)", r"-h?p" + _VALUE, "password"),
    ("unrar", r"(?=\s)", r"-p" + _VALUE, "password"),
    ("lftp", r"(?=\s)", r"-u[ ]?[^\s,]{1,64}," + _VALUE, "password"),
    ("useradd", "", r"-p[ ]" + _VALUE, "password"),
)
# The program and all that follows it up to the secret, the label.
_ARGUMENTS: tuple[tuple[str, str, str], ...] = (
    ("sshpass", r"[ ]-p[ ]?" + _VALUE, "password"),
    ("rabbitmqctl", r"[ ](?:add_user|change_password)[ ]" + _NAME + _VALUE, "password"),
    ("net user", r"[ ]" + _NAME + _VALUE + r"(?=[ ]/)", "password"),
    ("net use", r"[ ][^\s]{1,200}[ ]/user:[^\s]{1,64}[ ]" + _VALUE, "password"),
    ("sqlplus", r"[ ](?:-\w{1,4}[ ]){0,3}[\w.]{1,64}/([^\s@\"']{4,100})@", "password"),
    ("oracle:thin:", r"[\w.]{1,64}/([^\s@\"']{4,100})@", "password"),
    (
        "echo",
        r"[ ](?:-n[ ])?"
        + _VALUE
        + r"[ ]{0,3}\|[ ]{0,3}(?:sudo\s[^\n|]{0,20}-s\b|[^\n|]{1,80}--password-stdin)",
        "password",
    ),
    (
        "echo",
        r"[ ](?:-[en]{1,2}[ ])?" + _PAIR + r"[\"']?[ ]{0,3}\|[ ]{0,3}(?:sudo )?chpasswd",
        "password",
    ),
    ("identified by", r"\s{1,3}(?:password\s{1,3})?" + _VALUE, "password"),
    ("setenv", r"[ ]\w{0,60}(?:pass|passwd|password|secret|token)[ ]" + _VALUE, "password"),
    (
        "set",
        r" -g?x[gx]{0,2} \w{0,60}(?:pass|passwd|password|secret|token)[ ]" + _VALUE,
        "password",
    ),
)


def find(text: str, lower: str) -> Iterator[Span]:
    """Yield the spans of passwords that a program is given."""
    for word, rest, label in _ARGUMENTS:
        for after in _programs(lower, word):
            yield from _given(text, after, rest, label)
    for word, name, option, label in _OPTIONS:
        tried = 0  # an option is tried once, however many programs stand in front of it
        for after in _programs(lower, word):
            match = compiled(name).match(lower, after)
            if match:
                stop = _end_of_command(lower, match.end())
                for at in _options(lower, max(tried, match.end()), stop):
                    yield from _given(text, at, option, label)
                tried = stop


def _programs(lower: str, word: str) -> Iterator[int]:
    """Where each mention of a program ends."""
    at = lower.find(word)
    while at >= 0:
        if at == 0 or not lower[at - 1].isalnum():
            yield at + len(word)
        at = lower.find(word, at + len(word))


def _end_of_command(lower: str, at: int) -> int:
    """Where the command stops that goes on from here, as far as it is looked at."""
    stop = min(len(lower), at + _REACH)
    for sign in "|;":
        found = lower.find(sign, at, stop)
        stop = found if found >= 0 else stop
    line = lower.find("\n", at, stop)
    while line >= 0 and lower[line - 1] == "\\":
        line = lower.find("\n", line + 1, stop)
    return line if line >= 0 else stop


def _options(lower: str, at: int, stop: int) -> Iterator[int]:
    """Where words begin that begin with a hyphen."""
    at = lower.find("-", at, stop)
    while at >= 0:
        if lower[at - 1].isspace():
            yield at
        at = lower.find("-", at + 1, stop)


def _given(text: str, at: int, pattern: str, label: str) -> Iterator[Span]:
    """The last group of the pattern, if it fits here and is a secret."""
    match = compiled("(?i:" + pattern + ")").match(text, at)
    if match and match.lastindex and _is_given(match.group(match.lastindex)):
        yield *match.span(match.lastindex), label


def _is_given(value: str) -> bool:
    """Whether the argument is the secret itself and no variable, file or word of a manual."""
    given = value.partition(":")[2] or value
    return not (
        values.is_placeholder(value)
        or values.is_placeholder(given)
        or values.is_stop_word(value)
        or value.startswith(("-", "$", "@", "/", "~"))
        or "$(" in value
    )
