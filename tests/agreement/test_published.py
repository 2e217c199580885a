"""Published figures, computed again from recorded replies where the labelled sets are at hand."""

import gzip
import json
import re
from pathlib import Path

import pytest

from assay.agreement.bootstrap import estimate
from assay.agreement.difference import pair_with_others
from assay.agreement.pairs import build_pairs, build_ratings
from assay.agreement.statistics import spearman

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "labelled"
GRADE = re.compile(r"(?:^|: *|score of )([1-5])(?![\d.]*\d)")


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
    ratings = build_ratings(values, [row["doc_id"] for row in summeval])
    _, people = pair_with_others(ratings, ratings.values[:, 0])
    assert [spearman(pairs).value for pairs in people] == [pytest.approx(each, abs=0.0006) for each in ceilings]


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
        GRADE.search(reply["text"])
        for row in rows
        for reply in row["judge_outputs"]
        if (reply["prompt"], reply["metric"]) == ("G-Eval-CoT", aspect)
    ]
    assert len(judge) == len(rows) == 1400
    human = [row["human"][aspect.lower().replace(" ", "_").replace("-", "_")] for row in rows]
    pairs = build_pairs([float(found[1]) if found else None for found in judge], human)
    assert pairs.n == len(rows) - unread
    assert estimate(spearman(pairs)).value == pytest.approx(pooled, abs=0.0005)
