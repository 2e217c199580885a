"""Cards by chance: everything the types allow."""

from fractions import Fraction

from hypothesis import strategies as st
from kept_cards import RUBRIC

from assay.domain.findings import Citation, Evidence, Fact, Findings, Grade, Label, Pick, Piece, Remark
from assay.domain.outcome import Abstention, Failure, Score, Trail, Verdict
from assay.domain.record import Record, Source
from assay.domain.scale import Scale
from assay.domain.scorecard import Notice, Scorecard, Total, Voice
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.store.codec import to_cell

# Everything a model may write: lone surrogates, in pairs too, and characters that JSON must escape.
texts = st.text(st.characters(codec=None, exclude_categories=()), max_size=12) | st.sampled_from(
    ["", "\ud800", "\ud83d\ude00", "😀", '"\\\x00\n', "\\ud800"]
)
names = st.text("abc_", min_size=1, max_size=4)
fractions = st.builds(Fraction, st.integers(), st.integers(1, 10**30))
numbers = st.integers() | st.integers(min_value=2**62, max_value=2**66) | st.floats(allow_nan=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts | fractions,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts | st.just("$"), inner, max_size=3),
    max_leaves=8,
)
few_texts = st.lists(texts, max_size=2).map(tuple)
spans = st.builds(Span, st.integers(0, 10**6), st.integers(0, 10**6))
units = st.builds(
    Unit,
    *(names, st.sampled_from(["claim", "question"]), texts, st.none() | spans, few_texts, texts),
    *(st.sampled_from(["main", "minor"]), texts),
)
labels = st.builds(
    Label,
    names,
    names,
    texts,
    st.lists(st.builds(Citation, texts, texts), max_size=2).map(tuple),
    st.lists(st.builds(Evidence, texts, spans, texts), max_size=2).map(tuple),
    st.none() | texts,
    texts,
    st.sampled_from(["judge", "code"]),
    st.none() | st.floats(0, 1),
    texts,
    texts,
    st.lists(st.builds(Piece, texts, st.sampled_from(["slight", "serious"]), st.none() | spans), max_size=2).map(tuple),
)
findings = st.builds(
    Findings,
    st.lists(labels, max_size=2).map(tuple),
    st.lists(st.builds(Grade, names, fractions, texts), max_size=2).map(tuple),
    st.lists(st.builds(Pick, names, few_texts), max_size=2).map(tuple),
    st.lists(st.builds(Remark, names, st.dictionaries(texts, texts, max_size=2), st.none() | spans), max_size=2).map(
        tuple
    ),
)
trails = st.builds(
    Trail,
    st.lists(units, max_size=2).map(tuple),
    findings,
    few_texts,
    few_texts,
    st.dictionaries(texts | st.just("$"), values, max_size=3),
    few_texts,
)
scales = st.builds(
    lambda low, width, best, decimals: Scale(low, low + width, best, decimals),
    fractions,
    st.integers(1, 100),
    st.sampled_from(["high", "low"]),
    st.integers(0, 4),
)
scores = st.builds(
    Score,
    fractions,
    fractions,
    st.tuples(fractions, fractions),
    scales,
    texts,
    st.dictionaries(texts, fractions, max_size=2),
)
outcomes = (
    st.builds(Verdict, scores, trails)
    | st.builds(Abstention, st.sampled_from(["abstained", "empty_input"]), texts, trails)
    | st.builds(Failure, st.sampled_from(["refused", "too_long"]), texts, trails)
)
records = st.builds(
    Record,
    texts,
    texts,
    texts,
    st.lists(st.builds(Source, names, texts, st.none() | texts, st.none() | texts, texts), max_size=2).map(tuple),
    st.none() | texts,
    st.none() | texts,
    st.dictionaries(texts, values, max_size=3),
    values,
    st.dictionaries(texts, texts, max_size=2),
)
voices = st.lists(
    st.builds(Voice, texts, st.integers(0, 3), outcomes),
    min_size=1,
    max_size=2,
    unique_by=lambda voice: (to_cell(voice.judge) or "?", voice.sample),
).map(tuple)
cards = st.builds(
    Scorecard,
    records,
    st.just(RUBRIC),
    texts,
    st.dictionaries(names, outcomes, max_size=2),
    st.builds(Total, st.none() | fractions, st.none() | fractions, st.integers(0, 9), st.integers(0, 9)),
    st.lists(st.builds(Notice, texts, texts, st.none() | spans), max_size=2).map(tuple),
    st.dictionaries(texts, st.builds(Fact, fractions | texts | st.none(), texts), max_size=2),
    texts,
    voices=st.dictionaries(names, voices, max_size=2),
)
