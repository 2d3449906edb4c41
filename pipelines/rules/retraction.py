"""Inputs that ask for forgetting, and inputs that say nothing worth keeping."""

from __future__ import annotations

import re

from jmem import retraction
from jmem.retrieval.patterns import LazyPattern
from pipelines.rules.values import Kind, scan

_I = re.IGNORECASE
_ANY_MORE = r"(?:\s+any\s?(?:more|longer))?"


def retracted(text: str) -> str:
    """What the text asks to forget, or empty when it is no retraction."""
    return next((body for body in retraction.bodies(text) if _has_content(body)), "")


_DENIAL = LazyPattern(
    rf"^(?P<before>[^,;:.!?]*?)\s*\b(?:no\s+longer|not\s+any\s?more)\s+"
    rf"(?P<after>[^,;:]+?){_ANY_MORE}[.!]?$"
    r"|^(?P<zh_before>[^，；：。]*?)(?:已经?)?不再(?P<zh_after>[^，；：。]+?)了?[。!！]?$",
    _I,
)
_REPLACES = LazyPattern(r"\b(?:instead|but|rather|now|since|because)\b|改|而是", _I)
_LONGEST_DENIAL = 160


def denied(text: str) -> str:
    """What a bare "no longer" takes back, said as it was before; empty where something else
    takes its place, or where the denial is only a part of what is said."""
    folded = " ".join(text.split())
    if len(folded) > _LONGEST_DENIAL or _REPLACES().search(folded):
        return ""
    match = _DENIAL().match(folded)
    if not match:
        return ""
    if match["after"]:
        return f"{match['before']} {match['after']}".strip()
    return f"{match['zh_before']}{match['zh_after']}"


_STATUS = LazyPattern(
    r"""^\W*(?:
      (?:ok(?:ay)?|yes|no|yep|sure|thanks?|thank\s+you|done|fixed|great|nice|perfect|lgtm|wip
        |todo|hi|hello|hey|good\s+(?:morning|evening|night)|bye|got\s+it|sounds\s+good
        |will\s+do|noted)
        (?:\W+(?:\w+\W*){0,3})?
    | (?:all\s+|the\s+|both\s+)*(?:unit\s+|integration\s+)?
        (?:tests?|checks?|build|lint|linter|ci|pipeline|suite|types?|compilation|everything)\s+
        (?:(?:is|are|has|have|now|all|just|still)\s+)*
        (?:pass(?:es|ed|ing)?|green|red|ok|fine|clean|succeed(?:s|ed)?|fail(?:s|ed|ing)?
          |finished|done|works?|working|compiles?)
        (?:\s+(?:now|again|locally|here|today|so\s+far|successfully|fine))*
    | (?:i(?:'m|\s+am|'ll|\s+will)?|we(?:'re|\s+are)?|let\s+me|going\s+to|now)\s+
        (?:(?:just|now|still|currently)\s+)?
        (?:run(?:ning)?|check(?:ing)?|look(?:ing)?|work(?:ing)?\s+on|read(?:ing)?|start(?:ing)?
          |try(?:ing)?|fix(?:ing)?)\b.{0,60}
    | (?:committed|pushed|merged|deployed|rebased|released)
        (?:\s+(?:it|this|that|everything|the\s+(?:fix|change|changes|branch)))?
        (?:\s+(?:now|successfully|to\s+(?:main|master|prod|production)))?
    | (?:好的?|谢谢|完成了?|搞定了?|你好|可以了|没问题|收到|明白了?|已完成|已修复)
        (?:[，,]?(?:谢谢|了|啦))?
    | (?:所有|全部)?(?:单元)?(?:测试|构建|检查|编译)
        (?:都|已经?|现在|全部)*(?:通过|成功|失败|完成)了?
    )\W*$""",
    re.VERBOSE | re.IGNORECASE,
)
_HASH = LazyPattern(r"^\W*(?:(?:commit|sha|rev(?:ision)?)\s+)?[0-9a-f]{7,64}\W*$", re.IGNORECASE)
_SENTENCE_END = LazyPattern(r"[.!。！:：]\s|[。！：]")


def noise(text: str) -> str:
    """Why the text is not worth a memory, or empty when it is."""
    folded = " ".join(text.split())
    if not _has_content(folded):
        return "it holds no content word"
    if _HASH().match(folded):
        return "it is a bare hash"
    if len(folded) > 200:
        return ""
    if _is_question(folded):
        return "it is a question"
    if _STATUS().match(folded):
        return "it is a passing status or a courtesy"
    return ""


def _is_question(folded: str) -> bool:
    asked = folded.rstrip("\"'”’`)*_ ")
    return asked.endswith(("?", "？", "吗", "呢")) and not _SENTENCE_END().search(asked[:-1])


def _has_content(text: str) -> bool:
    return any(token.is_content and token.kind is not Kind.NEGATION for token in scan(text))
