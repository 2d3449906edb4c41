"""Explicit requests to remember: what they say themselves, or that they point at something. Pure.

"Remember that the gate opens at seven" says it; "Remember that." points at the words before it, and
"Remember this:" at those that follow. English, Chinese, and the imperatives of German.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.phase1.patterns import any_of
from pipelines.phase1.vocabulary_en import DANGLING, DURABLE_THIS, ERRAND, LEAD, TRANSIENT

_OBJECT = (
    r"(?:this|that|it|these|those|both|all (?:of )?(?:this|that|these|those)|the following)"
    r"(?: (?:one|two|fact|facts|rule|rules|point|points|detail|preference|convention|thing))?"
)
_FOR = (
    r"(?:,? (?:down|in mind|well|too|as well|please|permanently|from now on|going forward"
    r"|across sessions|(?:in|to|into) (?:your |the )?(?:memory|memories|notes)"
    r"|for (?:me|us|good|reference|later|(?:the )?(?:future|next (?:time|sessions?))"
    r"|(?:future|other|coming|all) (?:sessions?|reference|work|tasks?|conversations?))"
    r"|in (?:the future|future sessions?)|next time))*"
)
_TO = r"(?:in|to|into) (?:your |the )?(?:memory|memories)"
_KEEP = (
    rf"(?:(?:do )?remember|memori[sz]e|don't forget|do not forget)(?: {_OBJECT})?{_FOR}",
    rf"(?:keep|bear)(?: {_OBJECT})? in mind{_FOR}",
    rf"(?:save|store|add|put|write|commit|keep) {_OBJECT} (?:down )?{_TO}{_FOR}",
)
_NOTE = rf"(?:(?:make|take) (?:a )?note of|note(?: down)?|write down) {_OBJECT}"
_PLEASE = r"(?:(?:so|and|also|but|please|just|then)[, ]+)*"
_POLITELY = r"(?:can|could|would|will) you (?:please |also |just )*"
_WISHED = (
    rf"^(?:{_POLITELY}|i(?:'d| would)? (?:want|like|need) you to "
    r"|you (?:should|must|need to|have to) |(?:make|be) sure (?:that you |you |to ))"
)
_POINTS_EN = (
    rf"{_PLEASE}(?:{_KEEP[0]}|{_KEEP[1]}|{_KEEP[2]}|{_NOTE}{_FOR})[\s.!]*",
    rf"{_PLEASE}{_POLITELY}(?:{_KEEP[0]}|{_KEEP[1]}|{_KEEP[2]}|{_NOTE}{_FOR})[\s.!?]*",
)
_LATER = r"for (?:future (?:reference|sessions?)|next time|the (?:record|future))[\s.!]*"
_POINTS_DE = (
    r"(?:(?:bitte|und|also)[, ]+)*(?:merke?|notiere?) (?:dir )?(?:das|dies|es)(?: (?:bitte|dir|gut"
    r"|auf|für (?:die Zukunft|später|(?:das )?nächste[sn]? Mal)))*[\s.!]*",
    r"(?:bitte )?(?:vergiss das nicht|denke? daran|(?:das )?bitte merken)[\s.!]*",
)
_POINTS_ZH = (
    r"(?:请|麻烦|你|要|务必|一定要|帮我|把|也|好的?[，,]?)*"
    r"(?:(?:这一?点|这个|这些|这件事|这条规则)(?:请|要|也|都)*)?"
    r"(?:记住|记下来?|记一下|牢记|别忘了?|不要忘记)"
    r"(?:这一?点|这个|这些|这件事|这条规则|它|了|啊|哦|吧|一下)*[。！!.\s]*",
)
_POINTS = tuple(
    re.compile(pattern, re.IGNORECASE) for pattern in (*_POINTS_EN, *_POINTS_DE, *_POINTS_ZH)
)
_BEHIND = re.compile(
    rf"(?P<what>\S.*?)(?:\s*[,;，；(（]|\s+[–—-]+)\s*"
    rf"(?:{'|'.join((*_POINTS_EN[:1], _LATER, *_POINTS_DE, *_POINTS_ZH))})[)）.!。！]*",
    re.IGNORECASE,
)
"""A request at the end of the sentence that it is about."""

_FRAME = re.compile(
    rf"{_PLEASE}(?:{_POLITELY})?(?:{'|'.join(_KEEP)}|{_NOTE}{_FOR}|(?:make|take) a note{_FOR}"
    rf"|note(?: down)? for (?:the future|later|next time)|{_LATER}"
    r"|(?:merke?|notiere?) dir(?: (?:bitte|das|dies|folgendes))*|bitte merken"
    r"|denke? daran|vergiss nicht|für die Zukunft"
    r"|(?:请|麻烦|你|要|务必|一定要|帮我)*(?:记住|记下来?|记一下|牢记|备注|供以后参考)"
    r"(?:这一?点|这个|这些|这件事|以下(?:几点)?|下面(?:几点)?|一下|了|啊)*)"
    r"\s*(?:[:：,，]|\s[–—-]+)(?:\s*(?:that|dass)\b)?\s*",
    re.IGNORECASE,
)
"""A request that is set off from what it is about, by a colon mostly."""

_CLAUSE = any_of(
    r"^(?:请|麻烦|你|要|务必|一定要|帮我)*(?:记住|记下来?|记一下|牢记|备注)(?:了|啊|一下)?"
    r"\s*(?=\S)",
    r"^(?:请|麻烦|你|要|务必|一定要)*(?:记得|别忘了|不要忘记)(?=我们|.*(?:每次|总是|始终|永远|一律|以后|今后|都|必须))",
    r"^(?:please )?(?:also )?(?:remember|memori[sz]e|(?:keep|bear) in mind|(?:don't|do not) forget"
    rf"|save to memory|add to (?:your )?memory|make a note|note down){_FOR}"
    r"(?:\s+(?:also|that)\b(?=\s+\S))*",
    r"^(?:please )?note(?: down)? for (?:the future|later|next time)(?:\s+that\b)?",
    r"^for (?:future reference|next time|the future)\b",
    r"^(?:bitte )?(?:merke? dir(?: bitte)?|denke? daran|vergiss nicht),? dass\b",
)
"""A request that goes on to say what."""

_NO_CLAUSE = any_of(
    r"^(?:when|how|what|where|why|if|whether|which|who)\b",
    r"^(?:the (?:last|other) time|we (?:discussed|talked))\b",
    r"^(?:about|this|these|those|it|the following)\b",
)
"""What follows "remember" where it asks or recalls, or only points."""

_FOR_GOOD = re.compile(
    r"\b(?:always|never|every|each|any|whenever|from now on|in (?:the )?future)\b", re.IGNORECASE
)
_TO_DO = re.compile(r"^to\s+", re.IGNORECASE)
_VERB = (
    r"(?:is|are|was|were|isn't|aren't|has|have|had|hasn't|does|do|doesn't|don't|did|must|mustn't"
    r"|should|shouldn't|can|can't|cannot|may|will|won't|would|never|always|no longer|prefers?"
    r"|likes?|hates?|wants?|uses?|needs?|runs?|lives?|listens?|requires?|belongs?|stays?|goes|go|takes?"
    r"|points?|sits?|expects?|speaks?|serves?|returns?|holds?|keeps?|comes?|means?|works?|starts?"
    r"|begins?|stops?|ends?|allows?|supports?|accepts?|depends?|lies|lie|resides?|costs?|lasts?"
    r"|hosts?|handles?|builds?|deploys?|ships?|reads?|writes?|sends?|gets?|opens?|closes?|fails?"
    r"|breaks?|stores?|releases?|tests?|owns?|maintains?|switched|moved|migrated|decided|agreed"
    r"|ist|sind|war|hat|haben|läuft|laufen|hört|lauscht|liegt|liegen|nutzt|nutzen|verwende[nt]"
    r"|braucht|brauchen|heißt|muss|müssen|soll|sollen|darf|dürfen|wird|werden|steht|gehört|nie"
    r"|niemals|immer)"
)
_STATES = any_of(
    rf"^\S+ (?:.*\s)?{_VERB}\b",
    r"^(?:we|they|you all) (?!(?:and|or|the|of)\b)\w{2,} \S+",
    r"^(?:the|our|my|a|an|every|each) (?:\S+ ){1,4}?\w{2,}[^s\W]s (?:on|in|at|to|with|by|as|via"
    r"|the|a|an|no|only|every|through|under|behind)\b .*",
)
"""A verb that is known; a subject that only a verb can follow; what looks like a verb."""
_RULES = re.compile(
    r"^(?:use|run|call|prefer|avoid|always|never|no|don't|do not|keep|write|only|nutze|verwende)\b",
    re.IGNORECASE,
)
_NAMES = re.compile(r"\S*(?:\d|[a-z][./_:@][a-z])\S*", re.IGNORECASE)
"""A number, a path, a host: with it, a few words without a verb say something too."""

_ERRANDS = any_of(
    r"^(?:please )?(?:fix|add|look|check|make|create|update|remove|delete|rename|implement|review"
    r"|refactor|commit|push|merge|explain|tell|show|find|see|try|let|let's|go|do|read|open|change"
    r"|move|put|set|start|stop|continue|give|help|clean|test|build|install|deploy|write (?:a|the)"
    r"|run (?:the|it)|now|next|thanks?|great|good|nice|perfect|done|can|could|would|will|should"
    r"|i(?:'ll| will| am|'m| think| guess| see)|repariere|füge|schau|prüfe|mach)\b",
)
_HINT = re.compile(
    r"remember|memor|mind|note|forget|write|future|next time|record|merk|notier|denk|vergiss"
    r"|für die Zukunft|记|忘|备注|供以后",
    re.IGNORECASE,
)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_STATES_ZH = re.compile(
    r"[^，。]+(?:是|在|用|有|为|要|必须|都|叫|跑|需要|放|只|不|禁止|总|永远|支持|部署|监听|位于|属于)"
)
_NOT_ZH = re.compile(
    r"[？?]\s*$|吗|呢[？?]?$|^(?:这(?!个?(?:项目|仓库|代码库))|那|它|帮|修|改|看|加|写|删|检查|继续|请)"
)
_ASKS_ZH = re.compile(r"[？?]\s*$|吗|^(?:这一?点|这个[:：])|^(?:上次|怎么|为什么|什么)")


@dataclass(frozen=True, slots=True)
class Request:
    """A request to remember. ``what``: the words that it is about; empty: it points at others, at
    those that ``follow`` or else at those before it."""

    what: str = ""
    follow: bool = False


def request(sentence: str) -> Request | None:
    """The request to remember that a sentence is; None where it is none.

    One about nothing that would hold next month ("remember to push") has words all the same.
    """
    said = sentence.replace("’", "'").strip().strip("()").strip()
    if not _HINT.search(said):
        return None
    said = LEAD.sub("", said) or said
    plain = re.sub(r"[()（）]", "", said)
    if any(pattern.fullmatch(plain) for pattern in _POINTS):
        return Request(follow=bool(re.search(r"\b(?:this|these|following)\b", said)))
    if framed := _FRAME.match(said):
        return Request(said[framed.end() :], follow=True)
    wished = re.sub(_WISHED, "", said, flags=re.IGNORECASE)
    if clause := _CLAUSE.match(wished):
        return Request(wished[clause.end() :].lstrip(" ,:：，、–—-"))
    if behind := _BEHIND.fullmatch(said):
        return Request(behind["what"])
    return None


def introduces(line: str) -> bool:
    """Whether a line only asks to remember what stands in the lines under it."""
    if not line.rstrip().endswith((":", "：")):
        return False
    framed = request(line)
    return framed is not None and framed.follow and not framed.what


def asked(what: str) -> str:
    """What is to be remembered of the words of a request; empty where they say nothing of their
    own, recall something, or are a task for now."""
    is_errand = _TO_DO.match(what) is not None
    body = _TO_DO.sub("", what).strip()
    if again := request(body):
        return asked(again.what)
    if is_errand and not _is_rule(body):
        return ""
    if body.endswith(("?", "？")) or not body:
        return ""
    if _HAN.search(body):
        enough = len(_HAN.findall(body)) >= 4 or len(body) >= 10
        return body if enough and not _ASKS_ZH.search(body) else ""
    if len(body.split()) < 3 or _NO_CLAUSE.match(DURABLE_THIS.sub("project", body)):
        return ""
    if DANGLING.match(body) and len(body.split()) < 8:
        return ""
    says = _STATES.match(body) or _RULES.match(body) or _NAMES.search(body)
    return body if says or is_errand else ""


def states(sentence: str) -> bool:
    """Whether a sentence beside a request states something that it can point at."""
    said = sentence.replace("’", "'").strip()
    said = LEAD.sub("", said) or said
    if _HAN.search(said):
        return len(said) >= 6 and bool(_STATES_ZH.match(said)) and not _NOT_ZH.search(said)
    if said.endswith(("?", ":")) or len(said.split()) < 3 or _ERRANDS.match(said):
        return False
    return bool(_STATES.match(said) or _RULES.match(said))


def _is_rule(body: str) -> bool:
    """Whether "to ..." is meant for every time, and not for the work at hand."""
    plain = DURABLE_THIS.sub("", body)
    return bool(_FOR_GOOD.search(plain)) and not (TRANSIENT.search(plain) or ERRAND.search(plain))
