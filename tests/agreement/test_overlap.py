"""Marked spans against sets of characters."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.agreement.agreement import Overlap, measure_overlaps, overlap_characters
from assay.agreement.bootstrap import DEFAULT
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


def measure(overlaps):
    found = measure_overlaps(overlaps, [str(at) for at in range(len(overlaps))], DEFAULT)
    return {name: each.value for name, each in found.items()}


def test_texts_are_counted_together():
    found = measure([Overlap(1, 2, 4), Overlap(3, 3, 3), Overlap(0, 0, 1)])
    assert found == {"precision": pytest.approx(4 / 5), "recall": pytest.approx(4 / 8), "F1": pytest.approx(8 / 13)}


def test_nothing_marked_has_no_precision():
    assert measure([Overlap(0, 0, 3)])["precision"] is None
    assert measure([])["F1"] is None
