"""Published figures, computed again from recorded replies where the labelled sets are at hand."""

import gzip
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from bench.prose.anchored import read_anchored_score

from assay.agreement.bootstrap import Resampling
from assay.agreement.correlation import correlate_records, correlate_within_items, spearman
from assay.agreement.pairs import build_pairs, build_ratings
from assay.agreement.replacement import estimate_ceiling
from assay.replies.reading import Reading

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "labelled"
ASPECTS = ("coherence", "consistency", "fluency", "relevance")
FEW = Resampling(rounds=20)
HALF = re.compile(r"^(\d\.5) is between two whole numbers$")
GPT4, GPT35 = "gpt-4-0314", "gpt-3.5-turbo-0301"


@pytest.fixture(scope="module")
def summeval():
    return [row for row in read_rows("summeval") if row["judge_outputs"]]


def read_rows(name):
    path = DATA / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no labelled set at {path}")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def opinsummeval():
    return read_rows("opinsummeval")


@cache
def read_grade(text, metric):
    """A whole grade; a half grade as it is written; or why there is none."""
    reading = read_anchored_score(text, metric, 1, 5)
    if isinstance(reading, Reading):
        return float(reading.value), "whole"
    half = HALF.match(reading.reason)
    return (float(half[1]), "half") if half else (None, "none")


def grade(rows, model, metric):
    texts = [
        reply["text"]
        for row in rows
        for reply in row["judge_outputs"]
        if (reply["model"], reply["prompt"], reply["metric"]) == (model, "rts", metric)
    ]
    assert len(texts) == len(rows) == 1200
    return [read_grade(text, metric) for text in texts]


# Pooled; per document, where published; replies with a half grade; replies without any.
PUBLISHED = [
    (GPT4, "coherence", (0.444, 0.451), 7, 0),
    (GPT4, "consistency", (0.558, 0.602), 1, 2),
    (GPT4, "fluency", (0.500, 0.537), 37, 0),
    (GPT4, "relevance", (0.422, 0.433), 0, 0),
    (GPT35, "coherence", (0.444, None), 27, 0),
    (GPT35, "consistency", (0.423, None), 27, 0),
    (GPT35, "fluency", (0.285, None), 103, 0),
    (GPT35, "relevance", (0.447, None), 5, 2),
]


@pytest.mark.parametrize(("model", "metric", "figures", "halves", "unread"), PUBLISHED)
def test_summeval_is_as_published(summeval, model, metric, figures, halves, unread):
    """All 1,200 rows: a half grade counts as written, and the four replies that give no grade as the lowest."""
    grades = grade(summeval, model, metric)
    assert Counter(kind for _, kind in grades) == Counter(whole=1200 - halves - unread, half=halves, none=unread)
    judge = [0.0 if value is None else value for value, _ in grades]
    pairs = build_pairs(judge, [row["human"][metric] for row in summeval], [row["doc_id"] for row in summeval])
    pooled, within = figures
    assert correlate_records(pairs, "spearman", FEW).value == pytest.approx(pooled, abs=0.0005)
    if within is not None:
        assert correlate_within_items(pairs, "spearman", resampling=FEW).value == pytest.approx(within, abs=0.0005)


# What the same replies come to where a half grade is no grade on a scale of whole numbers.
WHOLE = [
    (GPT4, "coherence", 0.444, 0.450),
    (GPT4, "consistency", 0.554, 0.609),
    (GPT4, "fluency", 0.509, 0.544),
    (GPT4, "relevance", 0.422, 0.433),
    (GPT35, "coherence", 0.442, 0.404),
    (GPT35, "consistency", 0.433, 0.452),
    (GPT35, "fluency", 0.286, 0.323),
    (GPT35, "relevance", 0.444, 0.421),
]


@pytest.mark.parametrize(("model", "metric", "pooled", "within"), WHOLE)
def test_without_half_grades_summeval_differs_by_those_rows_alone(summeval, model, metric, pooled, within):
    judge = [value if kind == "whole" else None for value, kind in grade(summeval, model, metric)]
    pairs = build_pairs(judge, [row["human"][metric] for row in summeval], [row["doc_id"] for row in summeval])
    assert correlate_records(pairs, "spearman", FEW).value == pytest.approx(pooled, abs=0.0006)
    assert correlate_within_items(pairs, "spearman", resampling=FEW).value == pytest.approx(within, abs=0.0006)


@pytest.mark.parametrize(
    ("metric", "ceilings"),
    [
        ("coherence", (0.762, 0.766, 0.686)),
        ("consistency", (0.783, 0.788, 0.789)),
        ("fluency", (0.637, 0.641, 0.624)),
        ("relevance", (0.601, 0.608, 0.531)),
    ],
)
def test_an_expert_agrees_with_the_other_two_as_published(summeval, metric, ceilings):
    values = [[expert[metric] for expert in row["human"]["expert_annotations"]] for row in summeval]
    found = estimate_ceiling(build_ratings(values, [row["doc_id"] for row in summeval]), spearman, resampling=FEW)
    assert [each.value for each in found.annotators] == [pytest.approx(each, abs=0.0006) for each in ceilings]


@pytest.mark.parametrize(
    ("aspect", "pooled", "unread"),
    [
        ("Aspect Relevance", 0.266, 0),
        ("Self-Coherence", 0.322, 1),
        ("Sentiment Consistency", 0.456, 0),
        ("Readability", 0.419, 2),
    ],
)
def test_opinsummeval_is_as_published(opinsummeval, aspect, pooled, unread):
    rows = opinsummeval
    judge = [
        read_grade(reply["text"], aspect)
        for row in rows
        for reply in row["judge_outputs"]
        if (reply["prompt"], reply["metric"]) == ("G-Eval-CoT", aspect)
    ]
    assert len(judge) == len(rows) == 1400
    human = [row["human"][aspect.lower().replace(" ", "_").replace("-", "_")] for row in rows]
    pairs = build_pairs([value if kind == "whole" else None for value, kind in judge], human)
    assert pairs.missing == unread
    assert correlate_records(pairs, "spearman", FEW).value == pytest.approx(pooled, abs=0.0005)
