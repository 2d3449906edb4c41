"""Where people write a password: on command lines, in mark-up, in calls, in sentences.

No secret stands in this file: each is put together from parts when the test runs.
"""

from __future__ import annotations

import random
import string
import time

import pytest

from jmem.redact import redact

WORD = "blueberry" + "9x"
SIGNS = "Tr0ub4" + "dor&3"
_RNG = random.Random(5)
LONG = "a7" + "".join(_RNG.choices(string.ascii_letters + string.digits, k=38))
HEX = "".join(_RNG.choices("0123456789abcdef", k=64))

COMMANDS = [
    "curl https://x.example -u {pair}",
    'curl --user "{pair}" https://x.example',
    "curl -s https://x.example \\\n  -u {pair} \\\n -d a",
    "curl -b 'sid={long}' https://x.example",
    "http -a {pair} GET x.example",
    "mysql -u root -p{word} shop",
    "mysqldump -uroot -p'{signs}' shop",
    "sshpass -p '{signs}' ssh bob@x.example",
    "docker login -u bob -p {word} registry.example",
    "echo {signs} | docker login -u bob --password-stdin",
    "echo {word} | sudo -S make install",
    "echo 'bob:{word}' | chpasswd",
    "redis-cli -h x.example -a {word} ping",
    "ldapsearch -D cn=x -w {word} -b y",
    "smbclient //x/y -U bob%{word}",
    "htpasswd -b users bob {word}",
    "rabbitmqctl add_user bob {word}",
    "net user bob {signs} /add",
    "mongo -u bob -p {word} --host x.example",
    "sqlplus bob/{word}@db.example",
    "jdbc:oracle:thin:bob/{word}@//db.example:1521/x",
    "setenv DB_PASSWORD {word}",
    "CREATE USER bob IDENTIFIED BY '{word}';",
    "unzip -P {word} a.zip",
    "zip -r -P '{signs}' a.zip a",
    "7z x -p{word} a.7z",
    "rar a -hp{word} a.rar b",
    "mosquitto_pub -u bob -P {word} -t x",
    "lftp -u bob,{word} x.example",
    "net use x: /user:bob {word}",
]
MARKUP = [
    "<password>{word}</password>",
    '<property name="hibernate.connection.password">{word}</property>',
    "<apiKey>{hex}</apiKey>",
    "**Password**: {word}",
    "| password | {word} |",
    "Password\t{word}",
    "password: |\n  {word}\n",
    "db_password: >-\n    {signs}\nport: 80",
    'variable "db_password" {{\n  type = string\n  default = "{word}"\n}}',
    "define('DB_PASSWORD', '{word}');",
    "env('DB_PASSWORD', '{word}')",
    "https://{long}@git.example/a.git",
    "https://x.example/k?X-Amz-Signature={hex}",
    "https://x.example/cb?code={long}&state=z",
]
SENTENCES = [
    "use {word} as the password",
    "the root password on staging: {word}",
    "Password (staging): {word}",
    "I set the secret to {word}",
    "user bob pass {signs}",
    "the credentials are bob:{signs}",
]


@pytest.mark.parametrize("form", [*COMMANDS, *MARKUP, *SENTENCES])
def test_the_password_goes_wherever_it_is_written(form: str) -> None:
    text = form.format(word=WORD, signs=SIGNS, long=LONG, hex=HEX, pair="bob:" + WORD)
    masked = redact(text)
    for secret in (WORD, SIGNS, LONG, HEX):
        assert not any(secret[at : at + 8] in masked for at in range(len(secret) - 7))
    assert masked.startswith(text.split(" ", maxsplit=1)[0][:5])
    assert redact(masked) == masked


ORDINARY = [
    "curl -u bob:$PASSWORD https://x.example",
    "curl --user ${USERPASS} https://x.example",
    "mysql -P 3306 -h db.example -port=3306",
    "docker login -u bob --password-stdin < file",
    "docker run -p 8080:8080 image",
    "mkdir -p build/output",
    "redis-cli -a $REDIS_PASSWORD ping",
    "echo $TOKEN | docker login --password-stdin",
    "IDENTIFIED BY '<password>'",
    "<password>${db.password}</password> and <key>{escape(key)}</key>",
    "| password | string | required |",
    "t('password', 'Password is required')",
    "use the default as the password",
    "set the password to expire after 90 days",
    "Password (optional): leave it empty",
    "secrets=(key,) and secret=(entry(text), other)",
    "https://github.com/a/b@v1.2.3 and https://bob@x.example/a.git",
    "the keys are jsonschema.Draft201909Validator",
    "GET /cb?code=404&state=done",
    "seed phrase: keep it offline, never in a file",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_a_command_or_a_sentence_without_a_password_stays(text: str) -> None:
    assert redact(text) == text


TOKEN = "gh" + "p_" + "aB3dE6gH9jK2mN5p" + "Q8sT1vW4yZ7bC0dF3gH6"
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


@pytest.mark.parametrize(
    "token",
    [
        TOKEN.replace("_", "\\_"),
        TOKEN.replace("_", "&#95;"),
        TOKEN.replace("_", "%5F"),
        TOKEN[:20] + "\u200b" + TOKEN[20:],
        TOKEN[:9] + "\u00ad" + TOKEN[9:30] + "\u2060\u200d" + TOKEN[30:],
        TOKEN.translate(WIDE),
    ],
)
@pytest.mark.parametrize(
    "around", ["{}", "é <b>x</b>: {} and\\_on", "**a:** b " * 99 + "{}.\n" * 3]
)
def test_a_token_goes_behind_escapes_and_characters_that_do_not_show(
    token: str, around: str
) -> None:
    masked = redact(around.replace("{}", token))
    assert masked == around.replace("{}", "[REDACTED:github-token]")


def test_a_token_goes_that_is_glued_to_a_word_and_a_word_stays() -> None:
    assert redact("x" + TOKEN) == "x[REDACTED:github-token]"
    for text in ("xghp_" + "a" * 36, "my" + "npm_" + HEX[:40]):
        assert redact(text) == text


@pytest.mark.parametrize("unit", ["x" + TOKEN[:8], "a\\_", "**Token:** ab1 ", "password\t"])
def test_marks_and_glued_signs_without_end_take_a_time_that_grows_with_the_text(unit: str) -> None:
    text = unit * (60_000 // len(unit))
    start = time.process_time()
    assert redact(text) == text
    assert time.process_time() - start < 1


def test_the_secret_beside_the_id_of_a_key_goes_and_a_commit_stays() -> None:
    identity = "AK" + "IA" + "Q3" * 8
    assert redact(f"{identity},{LONG}") == "[REDACTED:aws-key-id],[REDACTED:aws-secret]"
    assert redact(f"{identity} in {HEX[:40]}") == f"[REDACTED:aws-key-id] in {HEX[:40]}"


def test_a_seed_phrase_goes() -> None:
    words = " ".join(["orbit", "lemon", "thrive", "cactus"] * 3)
    assert redact(f"seed phrase: {words}") == "seed phrase: [REDACTED:seed-phrase]"


def test_a_connection_string_goes_as_a_whole() -> None:
    text = f"AccountName=shop;AccountKey={LONG * 2}==;EndpointSuffix=core.example"
    whole = "DefaultEndpointsProtocol=https;" + text
    assert redact(f'x = "{whole}"') == 'x = "[REDACTED:connection-string]"'


LOGINS = [
    "connect-server -user shop_reports@x.local -password {word}",
    'connect-server --username "shop_reports" --password {word} --quiet',
    "Server=db.example;User Id=shop_reports;Password={word};Encrypt=true",
]


@pytest.mark.parametrize("form", LOGINS)
def test_the_name_of_one_account_goes_with_its_password_on_one_line(form: str) -> None:
    masked = redact(form.format(word=WORD))
    assert "[REDACTED:user]" in masked
    assert "shop_reports" not in masked
    assert WORD not in masked
    assert redact(masked) == masked


def test_a_name_stays_without_a_password_and_where_it_is_any_name() -> None:
    for text in (
        "tool --user shop_reports --quiet",
        "tool -user bob -password [REDACTED:password]",
    ):
        assert redact(text) == text
    assert redact("tool -user bob -password " + WORD).startswith("tool -user bob -password [")


@pytest.mark.parametrize(
    "form",
    [
        'aws = "{long}/+"',
        "MAIL_USERNAME={long}",
        'new BasicAWSCredentials("id", "{long}")',
        "aws_secret_access_key%3D{long}",
        "aws_access_key_id = {long}",
    ],
)
def test_a_value_that_only_a_machine_draws_goes_where_a_word_gives_a_reason(form: str) -> None:
    long = LONG[:38] if "/+" in form else LONG[:30] if "id =" in form else LONG
    assert long not in redact(form.format(long=long))


def test_a_digest_stays_beside_such_words() -> None:
    for text in (f"aws: {HEX[:40]}", "username = shop-reports-service-account", f"aws@{HEX[:40]}"):
        assert redact(text) == text
