"""The judge without a model: a gate that lets a hit pass only where its words leave little doubt.

Most prompts need no memory, so the gate usually lets nothing pass. It asks how much of what is
*telling* in the query and in the statement of a hit is the same. A word tells more the rarer it is,
in the store and in requests of any kind; an identifier or a path counts once, whole or in a part.
With both texts as sets of weighed words,

    strength = shared * sqrt(shared / statement * shared / query)

which is what they share times the cosine of the two sets. A short request all of whose words stand
in a statement asks for it, however much more that says. One rare word is not enough in a long
text, and a log that holds a bit of everything is near to nothing. The dense leg raises or lowers
it. ``scripts/bench/recall_gate.py`` shows what the bounds bring.
"""

from __future__ import annotations

from math import log, sqrt

from jmem.paragraphs import statement_of
from jmem.retrieval.commonwords import usual_share
from jmem.retrieval.hit import ACCEPTED, REJECTED, SESSION
from jmem.retrieval.searchtext import query_terms

TYPE_CHECKING = False  # what typing costs is paid by every recall
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from jmem.retrieval.hit import Document, Hit

    Holding = Callable[[Sequence[str]], tuple[int, dict[str, int]]]
    Word = tuple[str, ...]
    Weights = dict[str, float]

WORDS_BOUND = 0.46
"""The least strength by words alone: of what is answered at once, and without vectors."""
BOTH_BOUND = 0.69
"""The least strength with both legs."""
CLOSENESS_WEIGHT = 1.65
"""What a closeness of 1 adds to the strength, as a multiple of it."""

LOOKED_AT = 12
"""How many hits are weighed, best first: one that passes is among the first few."""
_QUERY_WORDS = 64
_STATEMENT_CHARACTERS = 400
_IMAGINED = 200
_ONCE_IN_A_WHILE = 0.2
"""The store is taken as one of 200 more texts, which hold a fifth of each word that is not common:
in a store of ten, a word that stands in one of them is no sign of anything yet."""
ASKED_LIKENESS = 0.6
"""What a text is like that says every word of a short request, however much more it says."""
_ASKED_WORDS = 2
_EACH_PART = 0.5
_MOST_SPECIFIC = 1.0
"""What each part of a name beyond two adds to what it tells, and what all of them add at most."""
_SHOWN = 4


def local(hits: Sequence[Hit], query: str, holding: Holding, *, caution: float = 1.0) -> list[Hit]:
    """The hits with their verdicts; those that pass first, the strongest before others.

    ``hits`` are in the order of the search; whether the dense leg looked shows in their closeness.
    ``holding`` says of some search terms how many documents there are, and in how many of them
    each term stands (absent: in none). ``caution`` raises (above 1) or lowers both bounds.
    """
    found = weighed(hits, query, holding)
    passed: dict[int, float] = {}
    for hit in hits:
        hit.verdict = REJECTED
        times = found.get(id(hit), 0.0)
        if times >= caution:
            hit.verdict = ACCEPTED
            passed[id(hit)] = times
    return sorted(hits, key=lambda hit: -passed.get(id(hit), 0.0))


def weighed(hits: Sequence[Hit], query: str, holding: Holding) -> dict[int, float]:
    """How strong each hit is, as a multiple of its bound, by the ``id()`` of the hit; those that
    are not in force or far behind are left out. Sets the reason of every hit."""
    asked = _words(query)[-_QUERY_WORDS:]
    wanted = {term for word in asked for term in word}
    looked = [hit for hit in hits[:LOOKED_AT] if hit.document.active]
    passages = {id(hit): _passages(hit.document) for hit in looked}
    said = [word for some in passages.values() for passage in some for word in passage]
    weights = _weights(wanted, said, holding)
    found: dict[int, float] = {}
    for hit in hits:
        if not hit.document.active:
            hit.reason = f"not in force: {hit.document.status}"
        elif id(hit) not in passages:
            hit.reason = "far behind the best"
        else:
            found[id(hit)] = _weigh(hit, asked, passages[id(hit)], wanted, weights)
    return found


def _weigh(
    hit: Hit,
    asked: Sequence[Word],
    passages: Sequence[Sequence[Word]],
    wanted: set[str],
    weights: Weights,
) -> float:
    """How many times its bound a hit reaches; sets its reason."""
    strength, shared = max(
        (_strength(asked, words, wanted, weights) for words in passages), default=(0.0, [])
    )
    bound = WORDS_BOUND
    if hit.closeness is not None:
        strength *= max(0.0, 1 + CLOSENESS_WEIGHT * hit.closeness)
        bound = BOTH_BOUND
    telling = ", ".join(shared[:_SHOWN]) or "nothing"
    hit.reason = f"strength {strength:.2f} of {bound:.2f}; shares {telling}"
    return strength / bound


def _strength(
    asked: Sequence[Word], said: Sequence[Word], wanted: set[str], weights: Weights
) -> tuple[float, list[str]]:
    """How strongly a query and a passage agree, and what they share, the most telling first."""
    shared: dict[str, float] = {}
    for word in said:
        if word[0] in wanted:
            shared[word[0]] = weights[word[0]] * _specific(word)
        elif parts := wanted.intersection(word):
            part = max(parts, key=lambda part: (weights[part], part))
            shared.setdefault(part, weights[part])
    both = sum(shared.values())
    whole = _total(asked, weights) * _total(said, weights)
    likeness = both / sqrt(whole) if whole else 0.0
    if len(asked) >= _ASKED_WORDS and all(not shared.keys().isdisjoint(word) for word in asked):
        likeness = max(likeness, ASKED_LIKENESS)
    strength = both * likeness
    return strength, sorted(shared, key=lambda term: (-shared[term], term))


def _specific(word: Word) -> float:
    """How much more it tells that a whole word is shared: two texts have a word in common by
    chance, and hardly ever a name like ``loadSettingsFromFile``."""
    parts = len(word) - 1
    return 1 + min(_MOST_SPECIFIC, _EACH_PART * max(0, parts - 2))


def _total(words: Sequence[Word], weights: Weights) -> float:
    return sum(weights[word[0]] for word in words)


def _weights(wanted: set[str], said: Iterable[Word], holding: Holding) -> Weights:
    """What each search term tells, from 0 to 1: of what is said only what is counted, which is the
    whole of a word (no part of it is rarer) and what is wanted too."""
    terms = set(wanted)
    terms.update(word[0] for word in said)
    count, held = holding(sorted(terms))
    texts = count + _IMAGINED
    most = log(texts / _ONCE_IN_A_WHILE)
    weights = {}
    for term in terms:
        share = (held.get(term, 0) + _ONCE_IN_A_WHILE) / texts
        weights[term] = -log(max(share, usual_share(term))) / most
    return weights


def _passages(document: Document) -> list[list[Word]]:
    """What is compared with the query: the statement, or each line of a session's summary."""
    if document.where == SESSION:
        return [_words(line) for line in document.text.splitlines() if line.strip()]
    return [_words(statement_of(document.text)[:_STATEMENT_CHARACTERS])]


def _words(text: str) -> list[Word]:
    """The distinct words of a text in the order in which they last occur, each as its terms.

    Of what is written without spaces every term stands alone.
    """
    last: dict[Word, None] = {}
    for chunk in text.split():
        terms = query_terms(chunk)
        plain = tuple(term for term in terms if term.isascii())
        for word in (plain, *((term,) for term in terms if not term.isascii())):
            if word:
                last.pop(word, None)
                last[word] = None
    return list(last)
