"""The English words that the rules look at around a statement: tables, no logic."""

from __future__ import annotations

import re

from pipelines.phase1.patterns import any_of

LEAD = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yeah|yep|no|nope|nah|so|and|but|also|btw|by the way|hey|hi|please|pls"
    r"|actually|well|oh|hm+|sorry|wait|stop(?=\W*[,.!:;])|fyi|again|in general|generally"
    r"|one (?:more|last) thing|for the record|that's (?:wrong|not right|not correct|incorrect)"
    r"|wrong|not quite|you're wrong|(?:please )?note(?: that|(?=:)))\b[\s,.:;!–—-]+)+",
    re.IGNORECASE,
)
"""What people say before they say something."""

REJECTS = any_of(
    r"\b(?:no|nope|nah|wrong|actually|not quite|incorrect|that's not (?:right|correct))\b",
)
"""A beginning that rejects what was done or said."""

INFORMS = any_of(r"\b(?:btw|by the way|fyi|for the record)\b")
"""A beginning that announces something to know."""

NOTES = re.compile(r"\bnote\b", re.IGNORECASE)
"""A beginning that asks to mind something: it may be of the moment, so what follows is exact."""

EXACT = re.compile(r"(?<!\S)`?(?:\S*[a-z\d][/_.:-]\w\S*|[a-z]*\d[\w.]*)", re.IGNORECASE)
"""A name, a number, an address: words for one thing only."""

ERRAND = any_of(
    r"\bwhen (?:you're |you are |you |it's )?(?:done|finished|finish)\b",
    r"\b(?:at the end|afterwards?|after that|as well|too|later|then|soon)\b",
)
"""What "remember to ..." ends with where it means the work at hand."""

POLITE = any_of(
    r"^(?:can|could|would|will) (?:you|we) (?:please )?(?=(?:remember|always|never)\b)",
    r"^(?:i(?:'d| would)? (?:want|like|need) you to|you (?:should|must|need to|have to)"
    r"|make sure (?:that )?you|(?:make|be) sure to|we (?:should|must)|i want us to)\s+"
    r"(?=(?:always|never)\b)",
)
"""The polite forms of a standing order."""

TRANSIENT = any_of(
    r"#\d+",
    r"\b(?:this|these|those|here|there|for now|right now|just now|at the moment|yet|so far)\b",
    r"\btemporar\w+",
    r"\bthe (?:above|below|other|same|previous|next|first|second|last|former|latter|rest)\b",
    r"\b(?:option|step|point|number|item|phase) \(?[#\dA-F]\b",
    r"\b(?:line \d+|again|another|both|merge conflicts?)\b",
    r"\b(?:separate|new|draft|in a|the|my|your) (?:pr|pull request)\b",
    r"\binstead\W*$",
    r"\b(?:my|the|your) (?:branch|commit|changes?|diff|patch|comment|feedback)\b",
)
"""Words that bind a sentence to the moment or to what stands beside it."""

DURABLE_THIS = re.compile(
    r"\bthis (?:repo(?:sitory)?|project|codebase|machine|team|company|laptop)\b", re.IGNORECASE
)
"""What "this" may point at: it will be there next month."""

OURS_HERE = re.compile(
    r"(?P<we>^we\b.*)?(?<!in )\b(?:around |over )?here\b(?(we)\W*$|(?=\s*[,;.!–—-]? *we\b))",
    re.IGNORECASE,
)
"""What "here" means where "we" do something "here": the project."""

NOT_BUT = re.compile(
    r"\b((?:never|don't|do not|avoid|not)\b.{3,}?[,;–—-].{3,}?)\s+instead\W*$", re.IGNORECASE
)
"""An "instead" whose counterpart stands in the same sentence."""

DANGLING = re.compile(
    r"^(?:\S+\s+){0,3}(?:it(?! when\b| if\b)|them|they|that|one|ones|him|her)(?=[\s.,;!]|$)",
    re.IGNORECASE,
)
"""A pronoun so early that what it stands for was named in another sentence."""

BROKEN = any_of(
    r"\b(?:broken|failing|fails|failed|crash\w*|errors?|bug|missing|blowing|wrong|stuck|weird)\b",
    r"\b(?:not working|doesn't work|won't|slow|down)\b",
)
"""The words of a fault."""

TOO_CLOSE = any_of(
    r"\w+\([^)]*\)|\b(?:self|this)\.\w|:\d+\b|\b[0-9a-f]{7,40}\b",
    r"^use the .*(?:instead of|rather than|not|over) the\b",
)
"""A call, a member, a line number, a hash, one thing of two at hand: an edit, not a rule."""

TOOLS = frozenset(
    """
    npm yarn pnpm bun deno pip uv poetry pipenv conda pytest unittest jest vitest mocha playwright
    cypress eslint biome prettier black ruff flake8 pylint mypy pyright make just task mise cargo
    gradle maven mvn bazel cmake ninja docker podman kubectl helm terraform pulumi ansible postgres
    mysql sqlite redis kafka rg grep fd tabs spaces zsh bash fish go gofmt golangci-lint tox nox
    """.split()  # noqa: SIM905 - a table of words reads better as text
)
"""Tools that a bare "no, use X" can mean."""
