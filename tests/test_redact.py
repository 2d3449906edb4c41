"""Redaction: every shape is caught, ordinary text stays, and the laws hold on any text.

No secret stands in this file: each is put together from parts when the test runs.
"""

from __future__ import annotations

import random
import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jmem.redact import redact

MARKER = re.compile(r"\[REDACTED:[a-z0-9-]+\]")


def drawn(size: int, alphabet: str = string.ascii_letters + string.digits, seed: int = 7) -> str:
    """Characters as a machine draws them, the same in every run; a digit among the first."""
    rng = random.Random(seed)
    return "a7" + "".join(rng.choice(alphabet) for _ in range(size - 2))


HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
A20, A24, A36, A40, A60 = (drawn(n) for n in (20, 24, 36, 40, 60))
H32, H40, H64 = (drawn(n, HEX) for n in (32, 40, 64))
UUID = "-".join((H32[:8], H32[8:12], H32[12:16], H32[16:20], H32[20:32]))

TOKENS = {
    "openai": "sk-" + drawn(48),
    "openai project": "sk-" + "proj-" + A60,
    "openai service account": "sk-" + "svcacct-" + A60,
    "anthropic": "sk-" + "ant-api03-" + A60 + "AA",
    "openrouter": "sk-" + "or-v1-" + H64,
    "github classic": "ghp" + "_" + A36,
    "github oauth": "gho" + "_" + A36,
    "github user": "ghu" + "_" + A36,
    "github server": "ghs" + "_" + A36,
    "github refresh": "ghr" + "_" + A36,
    "github fine-grained": "github" + "_pat_" + A60,
    "gitlab": "glp" + "at-" + A20,
    "aws key id": "AK" + "IA" + drawn(16, UPPER).upper(),
    "aws temporary key id": "AS" + "IA" + drawn(16, UPPER).upper(),
    "slack bot": "xo" + "xb-123456789012-1234567890123-" + A24,
    "slack refresh": "xo" + "xe-1-" + A40,
    "slack app": "xa" + "pp-1-A0123456789-1234567890123-" + H64,
    "slack webhook": "https://hooks.sl" + "ack.com/services/T0123ABCD/B0123ABCD/" + A24,
    "google api": "AI" + "za" + drawn(35),
    "google oauth": "ya" + "29." + A60,
    "google secret": "GOC" + "SPX-" + drawn(28),
    "stripe": "sk" + "_live_" + A24,
    "stripe webhook": "wh" + "sec_" + drawn(32),
    "npm": "np" + "m_" + A36,
    "pypi": "py" + "pi-AgEIcHlwaS5vcmc" + A60,
    "docker": "dckr" + "_pat_" + drawn(27),
    "hugging face": "h" + "f_" + drawn(34),
    "telegram": "123456789" + ":AA" + drawn(33),
    "discord": "M" + drawn(23) + "." + drawn(6) + "." + drawn(27),
    "sendgrid": "S" + "G." + drawn(22) + "." + drawn(43),
    "digitalocean": "do" + "p_v1_" + H64,
    "databricks": "da" + "pi" + H32,
    "vault": "hv" + "s." + A24,
    "azure secret": "abC" + "8Q~" + drawn(34),
    "jwt": "ey" + "J" + A24 + ".ey" + "J" + A40 + "." + A40,
    "age": "AGE-SECRET-" + "KEY-1" + drawn(58, UPPER).upper(),
}


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS.keys())
@pytest.mark.parametrize("around", ["{}", "see {} there", "x\n{}\ny", '"{}",', "say {}."])
def test_a_vendor_token_is_masked_alone_and_in_text(token: str, around: str) -> None:
    masked = redact(around.format(token))
    assert not any(token[at : at + 8] in masked for at in range(len(token) - 7))
    left, right = around.split("{}")
    assert masked.startswith(left)
    assert masked.endswith(right)


def test_the_marker_says_what_it_was() -> None:
    assert redact(TOKENS["github classic"]) == "[REDACTED:github-token]"
    assert redact(TOKENS["aws key id"]) == "[REDACTED:aws-key-id]"
    assert redact(TOKENS["anthropic"]) == "[REDACTED:anthropic-key]"


BODY = "\n".join(drawn(64, seed=n) for n in range(4))
BEGIN, END = "-----BEGIN {}" + "PRIVATE KEY-----", "-----END {}" + "PRIVATE KEY-----"


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_goes_as_a_whole(kind: str) -> None:
    key = "\n".join((BEGIN.format(kind), BODY, END.format(kind)))
    assert redact(f"before\n{key}\nafter") == "before\n[REDACTED:private-key]\nafter"


def test_a_private_key_without_an_end_goes_too() -> None:
    masked = redact(BEGIN.format("RSA ") + "\n" + BODY + "\n\nThat is all of it.")
    assert masked.startswith("[REDACTED:private-key]")
    assert masked.endswith("That is all of it.")


def test_a_private_key_on_one_line_with_escapes_goes() -> None:
    key = "\\n".join((BEGIN.format(""), *BODY.split("\n"), END.format("")))
    assert redact(f'{{"private_key": "{key}\\n", "x": 1}}').endswith('", "x": 1}')
    assert BODY[:20] not in redact(key)


def test_a_pgp_block_goes() -> None:
    block = "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----\n\n" + BODY
    block += "\n-----END PGP " + "PRIVATE KEY BLOCK-----"
    assert redact(block) == "[REDACTED:private-key]"


@pytest.mark.parametrize("password", ["hunter2", "p/a:ss", "a@b", "s3:cr/et@x", "%40b"])
@pytest.mark.parametrize("scheme", ["postgres", "mongodb+srv", "redis", "https", "amqp"])
def test_the_password_of_an_address_goes_and_its_user_stays(scheme: str, password: str) -> None:
    address = f"{scheme}://bob:" + password + "@db.example.com:5432/shop"
    assert redact(address) == f"{scheme}://bob:[REDACTED:url-password]@db.example.com:5432/shop"


@pytest.mark.parametrize(
    ("user", "shown"),
    [
        ("shop_reports", "[REDACTED:user]"),
        ("postgres", "postgres"),
        ("$DB_USERNAME", "$DB_USERNAME"),
    ],
)
def test_the_name_of_one_account_goes_with_its_password(user: str, shown: str) -> None:
    address = f"postgres://{user}:" + HUNTER + "@db.example.com/shop"
    assert redact(address) == f"postgres://{shown}:[REDACTED:url-password]@db.example.com/shop"
    assert (
        redact(f"postgres://{user}@db.example.com/shop") == f"postgres://{user}@db.example.com/shop"
    )


def test_a_token_in_the_place_of_the_user_goes() -> None:
    assert A40 not in redact("https://" + A40 + ":x-oauth-basic@example.com/a.git")


HUNTER = "hunter" + "2"
ASSIGNED = {
    "shell": ("export DB_PASSWORD={}", HUNTER),
    "shell quoted": ('export DB_PASSWORD="{}"', "correct horse " + "battery"),
    "env": ("API_TOKEN={}", A24),
    "yaml": ("password: {}", HUNTER),
    "yaml nested": ("db:\n  secret: '{}'\n  port: 1", "s3cr" + "et!"),
    "json": ('{{"api_key": "{}", "n": 1}}', "abc123" + "def456"),
    "json in json": ('{{\\"password\\": \\"{}\\"}}', HUNTER),
    "toml": ('secret_key = "{}"', A24),
    "python": ("client_secret = '{}'", A24),
    "ruby": (":password => '{}',", HUNTER + "x"),
    "go": ('apiKey := "{}"', A24),
    "call": ('connect(user="bob", password="{}")', HUNTER),
    "bare": ("api_key={}", "abcdef" + "1234567890"),
    "aws": ("AWS_SECRET_ACCESS_KEY={}", drawn(40) + "/+"),
    "query": ("GET /v1?access_token={}&page=2", H40),
    "xml": ('<add key="DbPassword" value="{}" />', HUNTER + "x"),
    "flag": ("tool --password {} --quiet", HUNTER + "x"),
    "bearer": ("Authorization: Bearer {}", A24),
    "basic": ("Authorization: Basic {}", "Ym9iOmh1bn" + "RlcjI="),
    "bearer in prose": ("send it as Bearer {} please", A40),
    "header": ('-H "X-Api-Key: {}"', H32),
    "cookie": ("Cookie: {}", "sid=" + A24 + "; csrf=" + A20),
    "curl": ("curl -u {} https://example.com", "bob:" + HUNTER),
    "azure": ("AccountKey={}", drawn(60) + "=="),
    "uuid": ("HEROKU_API_KEY: {}", UUID),
    "comparison": ('if ("{}" == password) {{', "m{h}o)p$" + "e]nob-_$#"),
}


@pytest.mark.parametrize(("form", "secret"), ASSIGNED.values(), ids=ASSIGNED.keys())
def test_the_value_goes_and_what_stands_around_it_stays(form: str, secret: str) -> None:
    text = form.format(secret)
    left, right = (part.format() for part in form.split("{}"))
    masked = redact(text)
    assert secret not in masked
    assert masked.startswith(left)
    assert masked.endswith(right)
    assert MARKER.search(masked)


SAID = [
    ("the password is {}", HUNTER),
    ("The admin password for staging is '{}'", "blooberry"),
    ("Its password was changed to {} today", HUNTER),
    ('use password "{}" to log in', "s3cr" + "3t!"),
    ("machine h login bob password {}", HUNTER + "2"),
    ("the token we use is {}", A40),
    ("acme SECRET {}", A24),
    ("acme-key: {}", H32),
    ("密码是{}", HUNTER),
    ("数据库密码：{}，用户是 bob", HUNTER),
]


@pytest.mark.parametrize(("form", "secret"), SAID)
def test_a_secret_in_prose_goes(form: str, secret: str) -> None:
    masked = redact(form.format(secret))
    assert secret not in masked
    assert masked.startswith(form.split("{}", maxsplit=1)[0])


SHA = "3f786850e387550fdab836ed7e6dc881de23001b"
ORDINARY = [
    "The token budget is 4000 tokens, max_tokens=8192.",
    f"Fixed in commit {SHA}.",
    f"token refresh was fixed in {SHA}",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "originSessionId: 550e8400-e29b-41d4-a716-446655440000",
    "model: claude-sonnet-4-5-20250929, not gpt-4o-2024-08-06",
    "/home/bob/project/secrets/config.yaml and ~/.ssh/id_ed25519",
    "password = get_password()",
    "password = user_password",
    "def login(password: str, token: Optional[str] = None) -> bool:",
    "token: str",
    'api_key=os.environ["X"]',
    "api_key = settings.api_key",
    "const key = process.env.API_KEY;",
    "API_KEY=${API_KEY} PASSWORD=$PASSWORD",
    "api_key=<your-key>",
    'api_key="YOUR_API_KEY"',
    'token = response.json()["token"]',
    "password: string",
    "the password is required",
    "the token is valid for 15 minutes",
    "Passwords must be at least 12 characters.",
    "Use Bearer token authentication; Authorization: required for all endpoints.",
    "primary key: user_id, cache key " + SHA,
    "secrets: inherit",
    "--- PASS: TestRedact/github_token_1 (0.02s)",
    r"type contextKey int\n\nconst (\n\tsessionIDKey contextKey = iota\n)\n\n// WithSession adds",
    r"git.CommitOptions{\n\t\tAuthor: &object.Signature{\n\t\t\tName:  \"Test\",",
    r"<usage>total_tokens: 123456\ntool_uses: 15\nduration_ms: 2345</usage>",
    " * [new branch] bob/add-token-usage-manual-commit -> bob/add-token-usage-manual-commit",
    "The key insight: always run make fmt.",
    "postgres://bob@localhost:5432/shop and http://localhost:3000/@scope/pkg@1.0",
    "https://bob:${PASSWORD}@example.com",
    "git@github.com:foo/bar.git",
    "if password == other_password:",
    "monkey patches, turkey, keyboard=logitech, passport: x1",
    "密钥管理和令牌刷新",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_untouched(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("marker", ["[REDACTED]", "[REDACTED:github-token]", "[REDACTED:x]"])
@pytest.mark.parametrize("form", ["{}", "password={}", '"api_key": "{}"', "https://bob:{}@host/"])
def test_an_existing_marker_is_left_alone(form: str, marker: str) -> None:
    text = form.format(marker)
    assert redact(text) == text


def test_the_words_of_a_marker_lead_nowhere() -> None:
    text = f"[REDACTED:token] {SHA}"
    assert redact(text) == text


@pytest.mark.parametrize("size", [10, 100_000])
def test_a_long_text_is_searched_as_a_short_one(size: int) -> None:
    token = TOKENS["github classic"]
    filler = ("plain words, " * (size // 13 + 1))[:size]
    masked = redact(filler + " " + token + " " + filler)
    assert masked == filler + " [REDACTED:github-token] " + filler


PIECES = st.sampled_from(
    [
        *("password=", "password is ", "token: ", "key ", "secret", '"', "'", "\\", "\n", " ", "="),
        *("://", "@", ":", "ghp_", "sk-", "Bearer ", "[REDACTED]", "[REDACTED:x]", "[REDACTED"),
        *(BEGIN.format(""), END.format(""), "eyJ", ".", "&", "$", "{", "}", "(", ")", "<", "`"),
        *("密码是", "curl -u ", "Cookie: a=", "authorization: ", "==", "a7b2c3d4e5f6", "\0", "İ"),
        *("https://hooks.", "/hook/", "Q~", "|", "-", "_", "é", A24, H40, UUID, HUNTER),
    ]
)
TEXTS = st.one_of(st.text(), st.lists(st.one_of(PIECES, st.text(max_size=4))).map("".join))


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_it_is_idempotent_and_bounded_on_any_text(text: str) -> None:
    once = redact(text)
    assert redact(once) == once
    assert len(once) <= 10 * len(text)


def test_lone_surrogates_and_nul_do_no_harm() -> None:
    text = "\ud800 password=" + HUNTER + " \0"
    assert redact(text) == "\ud800 password=[REDACTED:password] \0"


@pytest.mark.parametrize(
    "unit",
    [
        *("password=", "key ", "api_key", "secret '", "password is ", "sk-", "eyJ.", "live_", "s."),
        *("eyJtest_", "live_ghp_eyJ", "SG.SG.a-", "hawk.", "t1.", ".", "a.bcdefg.", "|1"),
        *("://a:", "://a:b@", "curl ", "[REDACTED", '\\"', "a1b2c3d4e5", "A", "Q~", "password=$"),
        *(BEGIN.format(""), '"aaaaaaaa" == password ', "密码", "authorization: ", "hooks./hook/"),
    ],
)
def test_hostile_repetition_finishes(unit: str) -> None:
    text = unit * (60_000 // len(unit))
    assert len(redact(text)) <= 10 * len(text)


def test_what_was_masked_before_changes_no_verdict_behind_it() -> None:
    text = "cli {password=&state=" * 40
    assert redact(redact(text)) == redact(text)
    assert redact("GET /v1?password=" + HUNTER + "&page=2").endswith("&page=2")
