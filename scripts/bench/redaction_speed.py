"""How fast jmem.redact is, in CPU time: on ordinary text, on hostile text, and to import."""

from __future__ import annotations

import os
import random
import resource
import string
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from jmem.redact import redact

SEED = 20261130
ROOT = Path(__file__).resolve().parents[2]


def timed(text: str) -> float:
    """CPU seconds to mask a text; what else the machine does counts not."""
    start = time.process_time()
    redact(text)
    return time.process_time() - start


def ordinary(size: int, lines: list[str]) -> str:
    """Text of note lines in seeded order, as a stand-in for a transcript."""
    rng = random.Random(SEED)
    parts: list[str] = []
    length = 0
    while length < size:
        line = rng.choice(lines)
        parts.append(line)
        length += len(line) + 1
    return "\n".join(parts)[:size]


UNITS = (
    *("password=", "password is ", 'password": "', "key ", "key=", "token: ", "secret '", "auth"),
    *("api_key", "ghp_", "sk-", "eyJ", "eyJ.", "AKIA", "xoxb-", "live_", "test_", "s.", "pat"),
    *("-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----", "://", "://a:", "a:b@"),
    *(
        "Bearer ",
        "authorization: ",
        "cookie: a=",
        "curl ",
        "-u ",
        "sig=",
        "accountkey=",
        "endpoint=",
    ),
    *(
        "mysql ",
        " -p",
        "echo ",
        "docker login ",
        "redis-cli ",
        "htpasswd ",
        "| sudo ",
        "seed phrase ",
    ),
    *(
        "<password>",
        "('password', '",
        "**password**: ",
        "| password | ",
        "?code=",
        "&state=",
        "thin:a/",
    ),
    *(
        "[REDACTED",
        "[REDACTED]",
        "]",
        '"',
        "'",
        "`",
        "\\",
        "\\n",
        "\n",
        " ",
        "\0",
        "$",
        "{",
        "(",
        "==",
    ),
    *("a", "A1", "a1b2c3d4", ".", "|", "-", "_", "=", "+", "/", "Q~", "hooks.", "/hook/", "!="),
    *("é", "密码", "是", "İ", "пароль ", "contraseña ", "hasło to "),
    *(
        "login ",
        "creds: ",
        "admin/",
        "admin / ",
        "pw ",
        "pass - ",
        " is ",
        " to ",
        " as ",
        " for the ",
    ),
    *(
        "protected with ",
        "changed from ",
        "user=",
        "-user ",
        "-password ",
        ";",
        "aws=",
        "a1!b2c ",
        "/",
    ),
)


def adversarial(count: int, size: int) -> dict[str, float]:
    """The worst and the median time over hostile texts: repetitions, and random sequences."""
    rng = random.Random(SEED)
    times: list[float] = []
    for number in range(count):
        unit = "".join(rng.choices(UNITS, k=rng.randint(1, 5)))
        if number % 4 == 3:
            text = "".join(rng.choices([*UNITS, *string.ascii_letters], k=size // 3))[:size]
        else:
            text = (unit * (size // len(unit) + 1))[:size]
        times.append(timed(text))
    times.sort()
    return {"worst_s": round(times[-1], 3), "median_s": round(times[len(times) // 2], 3)}


def import_ms() -> float:
    """CPU that importing jmem.redact adds to a bare start of Python, in ms; least of 15 each."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def used() -> float:
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        return spent.ru_utime + spent.ru_stime

    def least(code: str) -> float:
        best = 9e9
        for _ in range(15):
            before = used()
            subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, env=environment)
            best = min(best, used() - before)
        return best * 1000

    with tempfile.TemporaryDirectory() as cache:
        environment["PYTHONPYCACHEPREFIX"] = cache
        return round(least("import jmem.redact") - least("pass"), 1)
