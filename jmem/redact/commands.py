"""Secrets on a command line: the password that a program takes as an option or as an argument.

A row is the program's name and what follows it up to the secret; a command is looked at
for ``_REACH`` characters of options at most, so that each mention costs the same.
"""

from __future__ import annotations

from jmem.redact import values
from jmem.redact.patterns import compiled
from jmem.redact.shapes import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_REACH = 200
_OPTIONS = rf"(?:[^\n|;]|\\\n){{0,{_REACH}}}?\s"
_VALUE = r"(?:\"([^\"\n]{4,200})\"|'([^'\n]{4,200})'|([^\s\"'`;|<>()]{4,200}+))"
# user:password goes as a whole: the user of an API is often half of the secret.
_PAIR = r"[\"']?([^\s:\"'$<-][^\s:\"'$<]{0,99}:" + _VALUE + ")"
_COOKIES = r"[\"']?([^\s=;\"'@]{1,80}=[^\"'\n]{8,2000}+)"
_NAME = r"[\"']?[\w.@\\-]{1,64}[\"']?[ ]"

_COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("curl", _OPTIONS + r"(?:-[a-zA-Z]{0,4}u|--user|--proxy-user)[ =]{0,3}" + _PAIR, "basic-auth"),
    ("curl", _OPTIONS + r"(?:-b|--cookie)[ =]{1,3}" + _COOKIES, "cookie"),
    ("http", r"s?" + _OPTIONS + r"(?:-a|--auth)[ =]" + _PAIR, "basic-auth"),
    ("mysql", r"[a-z]{0,8}(?=\s)" + _OPTIONS + r"-p(?!ort|rot)" + _VALUE, "password"),
    ("mariadb", r"[a-z-]{0,8}(?=\s)" + _OPTIONS + r"-p(?!ort|rot)" + _VALUE, "password"),
    ("mongo", r"[a-z]{0,8}(?=\s)" + _OPTIONS + r"-p[ ]?" + _VALUE, "password"),
    ("sshpass", r"[ ]-p[ ]?" + _VALUE, "password"),
    ("login", r"(?=\s)" + _OPTIONS + r"-p[ ]" + _VALUE, "password"),
    ("redis-cli", _OPTIONS + r"(?:-a|--pass)[ ]" + _VALUE, "password"),
    ("ldap", r"[a-z]{3,8}" + _OPTIONS + r"-w[ ]" + _VALUE, "password"),
    ("smbclient", _OPTIONS + r"-u[ ]?[^\s%]{1,64}%" + _VALUE, "password"),
    (
        "htpasswd",
        _OPTIONS + r"-[a-z]{0,4}b[a-z]{0,4}[ ][^\s]{1,200}[ ]" + _NAME + _VALUE,
        "password",
    ),
    ("rabbitmqctl", r"[ ](?:add_user|change_password)[ ]" + _NAME + _VALUE, "password"),
    ("useradd", _OPTIONS + r"-p[ ]" + _VALUE, "password"),
    ("net user", r"[ ]" + _NAME + _VALUE + r"(?=[ ]/)", "password"),
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
    for word, rest, label in _COMMANDS:
        at = lower.find(word)
        while at >= 0:
            after = at + len(word)
            if at == 0 or not lower[at - 1].isalnum():
                match = compiled("(?i:" + rest + ")").match(text, after)
                if match and match.lastindex and _is_given(match.group(match.lastindex)):
                    yield *match.span(match.lastindex), label
            at = lower.find(word, after)


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
