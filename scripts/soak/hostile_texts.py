"""Random texts for redaction, made of what leads its searches: words, quotes, halves of tokens.

Each text follows from the seed and its number, so that a failure names all there is to know. With
``--progress FILE`` a run that was stopped goes on where it was: the file holds the next number
and what has failed. Every fourth text is masked with personal data, words and a pattern chosen.

    python scripts/soak/hostile_texts.py --count 1000000 --seed 1 --progress fuzz.json
"""

from __future__ import annotations

import json
import random
import re
import string
import sys
from collections.abc import Iterator
from pathlib import Path

from harness import Table, parser

from jmem import discretion
from jmem.redact import redact

LONGER = 10
"""How many times as long as the text the masked one is at most."""
CHOICE = {
    "redact.personal": True,
    "redact.words": ("orchard", "gate keeper", "张伟"),
    "redact.extra": (r"EMP-\d{4,}", r"(?i)[ab]{2,6}[c-]x"),
}
_ALPHABET = string.ascii_letters + string.digits
LEADS = (
    *("password=", "password is ", 'password": "', "passwd: ", "the token: ", "api_key", "API key"),
    *(
        "secret '",
        "key ",
        "key=",
        "auth",
        "credentials are ",
        "client_id",
        "login ",
        "user bob pass ",
    ),
    *("Bearer ", "authorization: ", "Basic ", "Cookie: a=", "Set-Cookie: ", "AccountKey=", "sig="),
    *(
        "curl ",
        "-u ",
        "--user ",
        "mysql ",
        "-p",
        "echo ",
        "| sudo -S",
        "docker login ",
        "redis-cli ",
    ),
    *("login is admin / ", "creds: bob:", "mot de passe : ", "pw is ", "pass - ", "wifi ", " as "),
    *(" was changed from ", " to ", "hasło do bazy to ", "protected with ", "admin/", "root / "),
    *(
        " for the password",
        "aws=",
        "username: ",
        "User Id=",
        ";Password=",
        " -user ",
        " -password ",
    ),
    *("define('DB_PASSWORD', '", "<password>", "</password>", "**Password**: ", "| password | "),
    *("://", "://a:", "@", ":b@", "https://hooks.", "/hook/", "?code=", "&state=", "thin:a/"),
    *("-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----", "seed phrase: "),
    *(
        "ghp_",
        "sk-",
        "sk-ant-",
        "eyJ",
        "AKIA",
        "xoxb-",
        "live_",
        "s.",
        "pat",
        "SG.",
        "glpat-",
        "Q~",
    ),
    *("ida@x.example", "/home/ida/", "C:\\Users\\", "-home-ida-", "+49 170 12", "phone: 030 1"),
    *(
        "密码是",
        "口令：",
        "密钥",
        "пароль: ",
        "contraseña=",
        "电话 138",
        "orchard",
        "gate  keeper",
        "张伟",
    ),
)
SIGNS = (
    *("[REDACTED]", "[REDACTED:token]", "[REDACTED:x-1]", "[REDACTED", "REDACTED]", "[", "]", "\0"),
    *(
        " ",
        " ",
        "\n",
        "\t",
        '"',
        "'",
        "`",
        "\\",
        "\\n",
        '\\"',
        "=",
        ": ",
        "==",
        "=>",
        ":=",
        ",",
        ";",
    ),
    *("|", "&", "?", "$", "${A}", "{", "}", "(", ")", "<", ">", "/", ".", "-", "_", "~", "%", "*"),
    *("é", "İ", "ß", "\ud800", "\u202e", "😀", "\u2028", "\r", "\x85"),
)


def text(number: int, seed: int) -> str:
    """The text of a number: up to some forty parts, now and then many times that."""
    rng = random.Random(f"{seed}:{number}")
    size = rng.choice((2, 5, 10, 20, 40)) if number % 500 else 2000
    return "".join(_part(rng) for _ in range(rng.randint(1, size)))


def _part(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.35:
        lead = rng.choice(LEADS)
        return lead if rng.random() < 0.8 else lead[: rng.randint(1, len(lead))].swapcase()
    if kind < 0.6:
        return rng.choice(SIGNS)
    if kind < 0.85:
        letters = rng.choice((_ALPHABET, "0123456789abcdef", string.printable, "aA1"))
        return "".join(rng.choices(letters, k=rng.choice((1, 2, 3, 4, 5, 8, 16, 24, 40, 100))))
    return rng.choice(
        ("gate", "the", "hunter", "EMP-12345", "blue9x", "a-x", "ids", "3f786850e387")
    )


RAISES = "it never raises"
AGAIN = "it is idempotent"
GROWS = f"it makes no text longer than {LONGER} times its length"
MARKERS = "a marker in the text stays, in its place"
CLAIMS = (RAISES, AGAIN, GROWS, MARKERS)
_MARKER = re.compile(r"\[REDACTED(?::[a-z0-9-]{1,40})?\]")


def failed(given: str) -> Iterator[tuple[str, str]]:
    """Yield each claim that does not hold for a text, and what happened instead."""
    try:
        once = redact(given)
        twice = redact(once)
    except Exception as error:  # that nothing at all is raised is the claim
        yield RAISES, f"{type(error).__name__}: {error}"
        return
    if twice != once:
        yield AGAIN, f"{once!r} becomes {twice!r}"
    if len(once) > LONGER * len(given):
        yield GROWS, f"{len(given)} characters become {len(once)}"
    left = iter(_MARKER.findall(once))
    lost = [marker for marker in _MARKER.findall(given) if marker not in left]
    if lost:
        yield MARKERS, f"lost {lost}"


def soak(
    table: Table, *, count: int, seed: int, first: int = 0, progress: Path | None = None
) -> None:
    """The texts from ``first`` on to ``count``, against every claim."""
    failures: dict[str, list[str]] = {claim: [] for claim in CLAIMS}
    if progress is not None and progress.exists():
        held = json.loads(progress.read_text("utf-8"))
        first, failures = held["next"], held["failures"]
    for number in range(first, count):
        discretion.choose(CHOICE if number % 4 == 3 else {})
        given = text(number, seed)
        for claim, what in failed(given):
            failures[claim].append(f"text {number} of seed {seed}: {what[:300]!a}")
        if progress is not None and (number + 1) % 5000 == 0:
            progress.write_text(json.dumps({"next": number + 1, "failures": failures}), "utf-8")
    discretion.choose({})
    for claim, found in failures.items():
        table.add(claim, count, found)


def main() -> int:
    options = parser(__doc__ or "", count=1_000_000)
    options.add_argument("--progress", type=Path, help="where to keep how far it came")
    chosen = options.parse_args()
    table = Table()
    soak(table, count=chosen.count, seed=chosen.seed, progress=chosen.progress)
    return table.finish(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
