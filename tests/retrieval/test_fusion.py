"""Two legs, one order: what each says counts, and nothing else does."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.retrieval import fusion
from jmem.retrieval.hit import Document, Hit

Fusion = Callable[[list[Hit]], list[Hit]]
FUSIONS = (fusion.coverage, fusion.reciprocal_rank)
SHARES = st.floats(0, 1)
RANKS = st.integers(0, 300)
TERMS = st.sampled_from(["gate", "harvest", "ladder", "orchard", "press", "pump"])


@st.composite
def hits(draw: st.DrawFn) -> list[Hit]:
    rows = draw(st.lists(st.tuples(SHARES, RANKS, st.none() | st.floats(-1, 1), RANKS), max_size=8))
    return [
        hit(f"k{number}", coverage=share, lexical=words, closeness=close, dense=rank)
        for number, (share, words, close, rank) in enumerate(rows)
    ]


def hit(
    key: str,
    *,
    coverage: float = 0.0,
    lexical: int = 0,
    closeness: float | None = None,
    dense: int = 0,
) -> Hit:
    document = Document(key=key, text="")
    return Hit(
        document, coverage=coverage, lexical_rank=lexical, closeness=closeness, dense_rank=dense
    )


def keys(ranked: list[Hit]) -> list[str]:
    return [each.document.key for each in ranked]


@pytest.mark.parametrize("fuse", FUSIONS)
@given(found=hits(), seed=st.integers())
def test_every_hit_is_ranked_by_its_score_whatever_the_order_it_came_in(
    fuse: Fusion, found: list[Hit], seed: int
) -> None:
    ranked = fuse(found)
    scores = [each.score for each in ranked]
    shuffled = list(found)
    random.Random(seed).shuffle(shuffled)
    assert sorted(keys(ranked)) == sorted(keys(found))
    assert scores == sorted(scores, reverse=True)
    assert keys(fuse(shuffled)) == keys(ranked)
    assert all(0 <= score <= 1 for score in scores)


@given(share=SHARES, close=st.floats(0, 1), more=st.floats(0.01, 1))
def test_more_of_either_leg_never_costs(share: float, close: float, more: float) -> None:
    one = hit("one", coverage=share, closeness=close)
    wordier = hit("wordier", coverage=min(share + more, 1), closeness=close)
    closer = hit("closer", coverage=share, closeness=min(close + more, 1))
    fusion.coverage([one, wordier, closer])
    assert wordier.score >= one.score
    assert closer.score >= one.score


def test_a_document_that_means_the_same_passes_one_that_shares_a_word() -> None:
    word = hit("word", coverage=0.25, lexical=1, closeness=0.05, dense=40)
    meaning = hit("meaning", closeness=0.35, dense=1)
    assert keys(fusion.coverage([word, meaning])) == ["meaning", "word"]


def test_a_document_that_holds_every_word_passes_one_that_means_the_same() -> None:
    words = hit("words", coverage=1.0, lexical=1, closeness=0.1, dense=9)
    meaning = hit("meaning", coverage=0.2, lexical=7, closeness=0.6, dense=1)
    assert keys(fusion.coverage([meaning, words])) == ["words", "meaning"]


def test_without_a_dense_leg_the_order_is_that_of_the_words() -> None:
    found = [hit("a", coverage=0.2, lexical=3), hit("b", coverage=0.7, lexical=1)]
    found.append(hit("c", coverage=0.2, lexical=2))
    assert keys(fusion.coverage(found)) == ["b", "c", "a"]
    assert keys(fusion.reciprocal_rank(found)) == ["b", "c", "a"]


@given(lexical=st.integers(1, 300), dense=st.integers(1, 300))
def test_a_second_leg_that_finds_it_too_always_lifts_a_hit(lexical: int, dense: int) -> None:
    both = hit("z", lexical=lexical, dense=dense)
    one = hit("a", lexical=lexical)
    assert keys(fusion.reciprocal_rank([one, both])) == ["z", "a"]


def test_a_small_constant_trusts_what_one_leg_is_sure_of() -> None:
    sure = hit("sure", lexical=1)
    middling = hit("middling", lexical=12, dense=12)
    assert keys(fusion.reciprocal_rank([sure, middling], k=5)) == ["sure", "middling"]
    assert keys(fusion.reciprocal_rank([sure, middling], k=60)) == ["middling", "sure"]


def test_the_weight_moves_from_words_to_meaning() -> None:
    found = [hit("words", coverage=0.8), hit("meaning", closeness=0.8)]
    assert keys(fusion.coverage(found, weight=0.1)) == ["words", "meaning"]
    assert keys(fusion.coverage(found, weight=0.9)) == ["meaning", "words"]


@pytest.mark.parametrize("fuse", FUSIONS)
def test_a_prior_scales_what_the_legs_say(
    fuse: Callable[..., list[Hit]],
) -> None:
    found = [hit("a", coverage=0.5, lexical=1), hit("b", coverage=0.5, lexical=1)]
    assert keys(fuse(found)) == ["a", "b"]
    assert keys(fuse(found, prior=lambda document: float(document.key == "b"))) == ["b", "a"]


@given(idf=st.dictionaries(TERMS, st.floats(0, 12), min_size=1), held=st.sets(TERMS), more=TERMS)
def test_a_share_grows_with_what_is_held(idf: dict[str, float], held: set[str], more: str) -> None:
    weights = fusion.term_weights(idf)
    share = fusion.share(weights, held)
    assert 0 <= share <= fusion.share(weights, held | {more}) <= 1.000001
    assert fusion.share(weights, set(idf)) == pytest.approx(1)
    assert fusion.share(weights, held - set(idf)) == 0


def test_a_rare_term_counts_more_and_a_common_one_still_counts() -> None:
    weights = fusion.term_weights({"rare": 6.0, "common": 0.5})
    rare, common = fusion.share(weights, {"rare"}), fusion.share(weights, {"common"})
    assert rare > common > 0.25
    assert fusion.share({}, {"rare"}) == 0
