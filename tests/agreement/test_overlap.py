"""Spans against sets of characters and against all matchings."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.agreement.overlap import Overlap, _cover, match_spans, overlap_characters, tally_overlaps
from assay.domain.span import Span

SPANS = st.lists(
    st.builds(lambda start, length: Span(start, start + length), st.integers(0, 30), st.integers(0, 8)), max_size=5
)


def characters(spans):
    return {place for span in spans for place in range(span.start, span.end)}


@settings(deadline=None, derandomize=True, max_examples=300)
@given(SPANS, SPANS)
def test_characters_are_counted_once(judge, human):
    first, second = characters(judge), characters(human)
    assert overlap_characters(judge, human) == Overlap(len(first & second), len(first), len(second))


@settings(deadline=None, derandomize=True)
@given(SPANS)
def test_merged_spans_hold_the_same_characters_in_order_and_apart(spans):
    merged = _cover(spans)
    assert characters(merged) == characters(spans)
    assert all(first.end < second.start for first, second in pairwise(merged))


@settings(deadline=None, derandomize=True, max_examples=100)
@given(SPANS, SPANS, st.sampled_from([0.01, 0.5, 1.0]))
def test_as_many_spans_are_matched_as_can_be(judge, human, least):
    first, second = sorted(set(judge)), sorted(set(human))
    longer, shorter = (first, second) if len(first) >= len(second) else (second, first)

    def fits(one, other):
        shared = len(characters([one]) & characters([other]))
        return shared > 0 and shared >= least * len(characters([one, other]))

    best = max(sum(map(fits, shorter, chosen)) for chosen in permutations(longer, len(shorter)))
    assert match_spans(judge, human, least) == Overlap(best, len(first), len(second))


def test_texts_are_counted_together():
    overlaps = [Overlap(1, 2, 4), Overlap(3, 3, 3), Overlap(0, 0, 1)]
    values = {name: tally_overlaps(overlaps, name).value for name in ("precision", "recall", "f1")}
    assert values == {"precision": pytest.approx(4 / 5), "recall": pytest.approx(4 / 8), "f1": pytest.approx(8 / 13)}


def test_nothing_marked_has_no_precision():
    assert tally_overlaps([Overlap(0, 0, 3)], "precision").value is None
    assert tally_overlaps([], "f1").value is None


def test_spans_are_resampled_by_document():
    chance = np.random.default_rng(0)
    overlaps = [Overlap(int(a), int(a + b), int(a + c)) for a, b, c in chance.integers(0, 9, (30, 3))]
    tally = tally_overlaps(overlaps, "f1", np.arange(30) // 3)
    counts = chance.integers(1, 4, (10, 5)).astype(float)
    expected = [
        tally_overlaps(
            [each for each, k in zip(overlaps, np.arange(30) // 3, strict=True) for _ in range(int(column[k]))], "f1"
        ).value
        for column in counts.T
    ]
    assert tally.evaluate(counts) == pytest.approx(expected)


def test_a_cluster_is_needed_for_each_text():
    with pytest.raises(ValueError, match="cluster for each"):
        tally_overlaps([Overlap(1, 1, 1)], "f1", ["a", "b"])
