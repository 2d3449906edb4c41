"""Sentences of notes that tell a secret, and sentences that only speak of one.

Both lists were written before the rules. No secret stands in them: ``{word}`` is a word with a
number, ``{signs}`` has signs, ``{mixed}`` both cases and a digit, ``{random}`` and ``{hex}`` are
drawn by a machine.
"""

from __future__ import annotations

import random
import string
from pathlib import Path

import pytest

from jmem.redact import redact

HERE = Path(__file__).parent
SECRETS = (HERE / "lines_with_secrets.txt").read_text("utf-8").splitlines()
ORDINARY = (HERE / "lines_without_secrets.txt").read_text("utf-8").splitlines()
_RNG = random.Random(11)
VALUES = {
    "word": "blueberry" + "9x",
    "signs": "hunter" + "2XYZ!9",
    "mixed": "hunter" + "2XYZabc",
    "random": "q7" + "".join(_RNG.choices(string.ascii_letters + string.digits, k=30)),
    "hex": "q7" + "".join(_RNG.choices("0123456789abcdef", k=30)),
}
# A word with a number, and nothing that says what it is: it could be the name of anything.
NOT_FOUND = {
    "the admin token is {mixed}",
    "use {mixed} for the password",
    "type {mixed} at the password prompt",
    "AUTH {mixed} in redis-cli",
    "keystore password changeit-{mixed}",
}


def filled(form: str) -> str:
    for name, value in VALUES.items():
        form = form.replace("{" + name + "}", value)
    return form


def survives(value: str, masked: str) -> bool:
    return any(value[at : at + 8] in masked for at in range(len(value) - 7))


def test_a_secret_goes_from_nearly_every_sentence_that_tells_it() -> None:
    left = {
        form
        for form in SECRETS
        if any(survives(value, redact(filled(form))) for value in VALUES.values())
    }
    assert len(SECRETS) > 150
    assert left == NOT_FOUND


def test_a_sentence_about_secrets_stays_as_it_is() -> None:
    assert len(ORDINARY) > 150
    assert [(line, redact(line)) for line in ORDINARY if redact(line) != line] == []


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("login is admin / {signs}.", "login is admin / [REDACTED:password]."),
        ("密码是{word}。用户是 bob", "密码是[REDACTED:password]。用户是 bob"),
        (
            "the password went from {word} to {signs} in may",
            "the password went from [REDACTED:password] to [REDACTED:password] in may",
        ),
        ("the second pass is {word}", "the second pass is {word}"),
    ],
)
def test_what_stands_around_the_password_stays(text: str, masked: str) -> None:
    assert redact(filled(text)) == filled(masked)
