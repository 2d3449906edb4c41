"""What makes an English sentence of a user durable.

Every rule looks at the beginning of a sentence, because that is where an order or a statement
of one's own shows; the same words further in usually describe a program. A rule that is
doubtful only applies where the caller says that the turn is surely the user's own words.
"""

from __future__ import annotations

import re

from pipelines.phase1.finding import Finding, Strength
from pipelines.phase1.patterns import any_of
from pipelines.phase1.vocabulary_en import (
    BROKEN,
    DANGLING,
    DURABLE_THIS,
    EXACT,
    INFORMS,
    LEAD,
    NOT_BUT,
    NOTES,
    OURS_HERE,
    POLITE,
    REJECTS,
    TOO_CLOSE,
    TOOLS,
    TRANSIENT,
)

_FROM_NOW = any_of(
    r"^(?:.{0,40}[,;]\s*)?(?:from now on|going forward|in (?:the )?future)\b",
    r"^(?:in|for) this (?:repo(?:sitory)?|project|codebase),? .+",
)
_STANDING = any_of(
    r"^(?:(?:you|we|i want you to)\s+)?(?:must |should )?(?:always|never(?: ever)?)\s+"
    r"(?!(?:mind|again|seen?|had|been|heard|happens?|works?|worked|fails?|gets?|got|see"
    r"|end(?:s|ed)? up|know|knew|thought|saw)\b)\w+",
    r"^(?:whenever|every time|each time|any time) (?:you|we)\b.{4,},\s*(?:please )?\w+",
    r"^(?:when|before|after|if|while|for|in|on) [^,]{3,60},? (?:please )?(?:always|never)\b .+",
    r"^(?:do not|don't) ever \w+ .+|^by default,? (?:please )?\w+ \S+.*",
)
_PREFER = any_of(
    r"^(?:i|we) (?:really |strongly |generally |usually |much )?prefer\s+(?!\S{1,2}$)\S+",
    r"^prefer\s+\S+ \S+.*",
    r"^(?:my|our) preference is\s+\S+",
    r"^i (?:really )?(?:hate|dislike|can't stand)\s+\S+",
)
_OVER = (
    r"(?:,? (?:and )?not|,? rather than|,? instead of| over|,? never|[,;]? don't use|,? but not)"
)
_USE_NOT = any_of(
    r"^(?:(?:we |let's |you should |you must |we should )?(?:only )?"
    r"(?:use|run|call|import|write|install)"
    r"|we (?:only )?(?:deploy|build|test|format|store|host))\s+"
    rf"(?:\S+ ){{0,7}}?\S+?{_OVER} (?:\S+ ?){{1,8}}$",
    rf"^(?:we're|we are) using (?:\S+ ){{0,7}}?\S+?{_OVER} (?:\S+ ?){{1,8}}$",
    r"^(?:do not|don't) use (?:\S+ ){0,5}\S+[,;.]? (?:[–—-] )?(?:but )?"
    r"(?:please |we (?:only |all )?)?use (?:\S+ ?){1,8}$",
    r"^instead of (?:\S+ ){1,6}?\S+,? (?:always )?use (?:\S+ ?){1,8}$",
)
_DECIDED = any_of(
    r"^(?:we|i)(?:'ve| have)? (?:explicitly |already |now )?(?:do )?no longer .+",
    r"^(?:we|i) don't .{1,60} any ?more\b.*",
    r"^(?:we|i)(?:'ve| have)? (?:explicitly |already |now |just )?(?:switched|moved|migrated"
    r"|standardi[sz]ed|upgraded) (?:.{1,40} )?(?:to|on|from)\b .+",
    r"^(?:we|i)(?:'ve| have)? (?:explicitly |already |now )?"
    r"(?:decided|agreed|chose|stopped using)\b .+",
    r"^(?:the decision is|decision:|decided:)\s*.+",
)
_FORGET = re.compile(
    r"^(?:please )?forget (?:that|about|(?:the|my|our) (?:rule|note|preference) (?:that|about)) "
    r"(?P<what>\S+ \S+.*)$",
    re.IGNORECASE,
)

_WE_USE = any_of(
    r"^(?:we|our team|the team) (?:only |all |now |explicitly )?"
    r"(?:use|deploy|host|store|keep|name|publish|release|squash|require|follow|target|support|ship|tag)"
    r"\s+(?:\S+ ){0,4}?\S+ "
    r"(?:for|as|to|on|in|with|from|via|under|every|only|when|by|at|before|after|per)\b .+",
    r"^(?:we|our team|the team) (?:only |all |now |always )?"
    r"(?:run|test|build|format|lint|check|install|manage|write|generate|start|deploy)\s+"
    r"(?!(?:into|out|over|across|up)\b)(?:\S+ ){0,4}?\S+ "
    r"(?:with|via|through|using|under|inside)\b \S+.*",
)
_LETS = any_of(
    r"^let's (?:standardi[sz]e on|stick (?:to|with)|adopt|settle on|agree (?:on|that)) .+",
    r"^let's (?:use|go with|switch to) (?:\S+ ){1,6}?(?:for|as|in|everywhere|across)\b.*",
)
_DONT = any_of(
    r"^(?:do not|don't)(?: ever)? (?:use|mock|hard-?code|commit|push(?: \w+)? to|force-?push|import"
    r"|rely on|log|squash|amend|deploy|run|put|mention|add|write|edit)\s+\S+ .+",
    r"^stop \w{3,}ing \S+ \S+.*",
    r"^(?:always |please )?keep (?:our|all|each|every)\b .+",
)
_NO_THING = re.compile(
    r"^no (?!longer|more|need|idea|problem|worries|one|way|luck|changes?|thanks?)(?:[\w-]+ ){1,3}"
    r"(?:in|on|for|without|during|inside|outside)\b .+",
    re.IGNORECASE,
)
_MUST = any_of(
    r"^(?:all |every |each |any |our )?"
    r"(?!(?:this|that|these|those|it|there|he|she|they|we|you|i|the|what|which)\b)"
    r"(?:[\w/`.-]+ ){1,5}must(?: not|n't| never| always)? (?!have been\b)\w+ .+",
    r"^(?:all |our )?(?:commit messages?|commits?|comments|docs|docstrings|branch(?:es| names)"
    r"|(?:variable|file|table) names|tests|pr titles|error messages|log messages) should "
    r"(?:always |never |not )?(?:be|use|follow|start|end|have|stay) .+",
    r"^(?:the|our) (?:convention|policy|rule|standard)s? (?:in this \w+ )?(?:is|are|says?)\b .+",
)
_OUR = any_of(
    r"^(?:our|my) (?:[\w/.-]+ ){1,4}(?:is|are|runs?|lives?|uses?|needs?|requires?|stays?)"
    r" (?!\w+ing\b)\S+.*",
    r"^our (?:[\w/-]+ ){0,3}[\w/-]+: \S+ .+",
    r"^i (?:use|work (?:on|at|with|in)|develop on|am on) \S+ (?:for|as|on|with|in|at|and)\b .+",
    r"^i'm (?:on|using|running) (?:macos|windows|linux|ubuntu|debian|fedora|arch|wsl)\b.*",
)
_WE_USE_TOOL = re.compile(
    r"^we (?:only |all |always |now )?use `?([\w./:@-]+)`?(?: (?:here|in this \S+))?$",
    re.IGNORECASE,
)
_USE_TOOL = re.compile(r"^(?:use|run|it's|call) `?([\w./:@-]+)`?(?: \S+){0,5}$", re.IGNORECASE)

_IS = re.compile(
    r"^(?:the|our) (?:[\w./-]+ ){1,4}(?:is|are|lives?|runs?|uses?|listens?|needs?) (?!\w+ing\b)\S+",
    re.IGNORECASE,
)

_IS_NOT = re.compile(
    rf"{_IS.pattern}.*, (?:and )?not (?:on |at |in |to |via )?\S*[\w`][/._:-]?\d\S*$"
    rf"|{_IS.pattern}.*, (?:and )?not (?:on |at |in |to |via )?\S*[\w`/][/._:-][\w`]\S*$",
    re.IGNORECASE,
)
"""What is so and what is not, both by their names: the second was believed or done."""

_STRONG = (
    (_FROM_NOW, "preference"),
    (_STANDING, "preference"),
    (_PREFER, "preference"),
    (_USE_NOT, "preference"),
    (_DECIDED, "decision"),
)
_ORDERS = ((_LETS, "decision"), (_DONT, "preference"), (_MUST, "preference"))
_FACTS = ((_WE_USE, "fact"), (_OUR, "fact"))


def find(sentence: str, *, own: bool) -> Finding | None:
    """What is durable in a sentence; ``own``: the turn is surely the user's own words."""
    said = sentence.replace("’", "'").strip().strip("()").strip()
    if own and _NO_THING.match(said) and not TRANSIENT.search(said):
        return Finding(said, "preference", Strength.STATEMENT)
    lead = LEAD.match(said)
    rejects = lead is not None and REJECTS.search(lead[0]) is not None
    informs = rejects or (lead is not None and INFORMS.search(lead[0]) is not None)
    said = POLITE.sub("", LEAD.sub("", said)) or said
    forgotten = _FORGET.match(said)
    if forgotten and _stands_alone(forgotten["what"]):
        return Finding(said, "decision", Strength.RULE)
    if said.endswith("?") or not _stands_alone(said):
        return None
    found = _judged(said, own=own, rejects=rejects)
    if found or not own:
        return found
    noted = lead is not None and NOTES.search(lead[0]) is not None and EXACT.search(said)
    if informs or noted or _IS_NOT.match(said):
        return _plain_fact(said, rejects=rejects or bool(_IS_NOT.match(said)))
    return None


def only_rejects(sentence: str) -> bool:
    """Whether a sentence only says that something was wrong: what is right comes next."""
    said = sentence.replace("’", "'").strip() + " "
    return LEAD.fullmatch(said) is not None and REJECTS.search(said) is not None


def without_lead(sentence: str) -> str:
    """The sentence without what people say before they say something."""
    return LEAD.sub("", sentence.strip()) or sentence.strip()


def _judged(said: str, *, own: bool, rejects: bool) -> Finding | None:
    for pattern, kind in _STRONG:
        if pattern.match(said):
            return Finding(said, "correction" if rejects else kind, Strength.RULE)
    if not own:
        return None
    tool = _USE_TOOL.match(said) if rejects else None
    if tool and tool[1].lower() in TOOLS:
        return Finding(said, "correction", Strength.RULE)
    ours = _WE_USE_TOOL.match(said.rstrip("."))
    if ours and ours[1].lower() in TOOLS:
        return Finding(said, "correction" if rejects else "fact", Strength.STATEMENT)
    # A fact told with the words of a fault is the state of the day.
    for pattern, kind in _ORDERS if BROKEN.search(said) else (*_ORDERS, *_FACTS):
        if pattern.match(said):
            return Finding(said, "correction" if rejects else kind, Strength.STATEMENT)
    return None


def _plain_fact(said: str, *, rejects: bool) -> Finding | None:
    """A statement that is announced ("fyi") or takes the place of a wrong one ("no, ...")."""
    if not _IS.match(said) or BROKEN.search(said):
        return None
    return Finding(said, "correction" if rejects else "fact", Strength.STATEMENT)


def _stands_alone(said: str) -> bool:
    """Whether the sentence means the same next month: no "this", no line, no passing state."""
    if len(said.split()) < 3:
        return _USE_TOOL.match(said) is not None
    plain = OURS_HERE.sub(r"\g<we>", NOT_BUT.sub(r"\1", DURABLE_THIS.sub("", said)))
    return not (TRANSIENT.search(plain) or DANGLING.match(plain) or TOO_CLOSE.search(plain))
