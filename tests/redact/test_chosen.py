"""What is masked only where the user asks for it, and which patterns are refused."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import discretion
from jmem.redact import redact
from jmem.redact.backtracking import MOST, objection
from jmem.redact.chosen import patterns_of, words_of

MAIL = "ida" + "@orchard.example"


@pytest.fixture(autouse=True)
def nothing_chosen() -> Iterator[None]:
    yield
    discretion.choose({})


PERSONAL = [
    (f"write to {MAIL}, please", "write to [REDACTED:email], please"),
    (f"<mailto:{MAIL}>", "<mailto:[REDACTED:email]>"),
    ("call me at 030 1234567.", "call me at [REDACTED:phone]."),
    ("phone: (030) 123-4567", "phone: [REDACTED:phone]"),
    ("+49 170 1234567", "[REDACTED:phone]"),
    ("(415) 555-0123", "[REDACTED:phone]"),
    ("手机号是 13812345678", "手机号是 [REDACTED:phone]"),
    ("/home/ida/src/x.py", "/home/[REDACTED:user]/src/x.py"),
    ("/home/ida/home/.jmem/projects", "/home/[REDACTED:user]/home/.jmem/projects"),
    ("/Users/ida", "/Users/[REDACTED:user]"),
    (r"C:\Users\Ida\x", r"C:\Users\[REDACTED:user]\x"),
    ("~/.claude/projects/-home-ida-shop/x", "~/.claude/projects/-home-[REDACTED:user]-shop/x"),
    ("ssh://ida@db.example/x", "ssh://[REDACTED:user]@db.example/x"),
    (
        "postgres://ida:hunter2" + "@db.example/x",
        "postgres://[REDACTED:user]:[REDACTED:url-password]@db.example/x",
    ),
]
ORDINARY = [
    "git@github.com:foo/bar.git and @scope/pkg@1.0.2",
    "2026-07-04T03:00:00Z, 1700000000123, v1.2.3, 10.0.0.1:5432, port 8080",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b, +1234 -56 lines, 550e8400-e29b-41d4-a716",
    "/home/$USER/x, /home/<user>/x, /Users/Shared/x, the /home/ directory",
    "@decorator\nclass A: x @ y, a call of 3 functions, telephone, cell 4",
]


@pytest.mark.parametrize(("text", "masked"), PERSONAL)
def test_personal_data_goes_where_it_is_asked_for(text: str, masked: str) -> None:
    before = redact(text)
    discretion.choose({"redact.personal": True})
    assert redact(text) == masked
    assert redact(masked) == masked
    discretion.choose({})
    assert redact(text) == before


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_no_personal_data(text: str) -> None:
    discretion.choose({"redact.personal": True})
    assert redact(text) == text


def test_words_go_in_any_case_and_only_as_words() -> None:
    discretion.choose({"redact.words": words_of("Ida, Project Falcon, 张伟")})
    assert redact("ida, IDA's, Idaho") == "[REDACTED:word], [REDACTED:word]'s, Idaho"
    assert redact("project\n falcon: 张伟说") == "[REDACTED:word]: [REDACTED:word]说"
    assert redact("[REDACTED:token] Ida") == "[REDACTED:token] [REDACTED:word]"


def test_patterns_go() -> None:
    discretion.choose({"redact.extra": patterns_of(r"EMP-\d{6}, (?i)acme[- ]\w{2,8}")})
    assert redact("EMP-123456, ACME-north") == "[REDACTED:extra], [REDACTED:extra]"


@pytest.mark.parametrize("word", ["a", "x" * 201])
def test_a_word_that_is_too_short_or_too_long_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match=r"too short|longer"):
        words_of(word)


REFUSED = [
    (r"(a+)+bcd", "upper bound"),
    (r"(?:a|ab)*cdef", "upper bound"),
    (r"\d+xxx", "upper bound"),
    (r".*abcd", "upper bound"),
    (r"EMP-(\d+)", "upper bound"),
    (r"\w++abcd", "upper bound"),
    (r"([a-z]{1,30}){1,30}", "steps"),
    (r"(?:x{1,9}y?){3,40}zzzz", "steps"),
    (r"\w{1,64}\w{1,64}-id", "steps"),
    (r"(abcd)\1", "group"),
    (r"(a)?(?(1)bcde|fghi)", "group"),
    (r"a{1,3}", "fewer than 4"),
    (r"(", "no regular expression"),
]


@pytest.mark.parametrize(("pattern", "reason"), REFUSED)
def test_a_pattern_that_could_take_long_is_refused(pattern: str, reason: str) -> None:
    assert reason in objection(pattern)
    with pytest.raises(ValueError, match="the pattern"):
        patterns_of(pattern)


TAKEN = [
    r"EMP-\d{6}",
    r"EMP-\d+",
    r"\bACME-[A-Z]{2}\d{4,8}\b",
    r"(?i)(?:north|south|east)-gate",
    r"(?:ab|cd){2,9}",
    r"[\w.]{1,64}@corp\.example",
    r"(?<=id: )\w{4,20}",
]


@pytest.mark.parametrize("pattern", TAKEN)
def test_a_bounded_pattern_is_taken_and_is_linear(pattern: str) -> None:
    assert objection(pattern) == ""
    discretion.choose({"redact.extra": (pattern,)})
    for unit in ("a", "ab", "EMP-", "a.a@corp.exampl ", "id: a"):
        text = unit * (20_000 // len(unit))
        start = time.process_time()
        redact(text)
        assert time.process_time() - start < MOST * 20_000 / 1e7  # ten million steps a second


ATOMS = st.sampled_from(["a", "b", "[ab]", ".", r"\w", "(?:ab|ba)", "(?:a|b)", "(?:a|ab)"])
COUNTS = st.sampled_from(["", "?", "*", "+", "{2,9}", "{1,40}", "{0,3}?", "*?", "++"])
PARTS = st.tuples(ATOMS, COUNTS).map("".join)
GROUPS = st.tuples(st.lists(PARTS, min_size=1, max_size=3).map("".join), COUNTS).map(
    lambda pair: f"(?:{pair[0]}){pair[1]}"
)
PATTERNS = st.lists(st.one_of(PARTS, GROUPS), min_size=1, max_size=4).map("".join)


@given(PATTERNS)
def test_whatever_is_taken_stops_soon_on_text_that_nearly_fits(pattern: str) -> None:
    if objection(pattern):
        return
    discretion.choose({"redact.extra": (pattern,)})
    for unit in ("a", "b", "ab"):
        text = unit * 2000 + "!"
        start = time.process_time()
        once = redact(text)
        assert time.process_time() - start < 1
        assert redact(once) == once
        assert len(once) <= 10 * len(text)
