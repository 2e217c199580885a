import pytest

import assay
from assay.domain.units import UnitKind
from assay.judges.embedded.declining import SHORTFALLS, UNMEASURED, decline

RECORD = {
    "id": "r",
    "article": "The ferry to Ostrel was cancelled on Friday because of the storm. It sails again on Sunday at noon.",
    "summary": "The ferry to Ostrel was cancelled on Friday because of the storm.",
}


@pytest.mark.parametrize("kind", list(SHORTFALLS))
def test_what_was_measured_to_fall_short_is_declined_with_both_figures(kind: UnitKind):
    reached, by_counting = SHORTFALLS[kind]
    assert f"({reached:.2f} vs {by_counting:.2f} correlation" in decline([kind])


@pytest.mark.parametrize(("reached", "by_counting"), SHORTFALLS.values(), ids=list(SHORTFALLS))
def test_nothing_is_declined_that_did_better_than_counting_words(reached, by_counting):
    assert reached < by_counting


def test_what_was_not_measured_is_declined_as_such():
    assert decline([]) == decline(["claim"]) == UNMEASURED


@pytest.mark.parametrize(("metric", "kind"), [("coverage", "key_point"), ("relevance", "section")])
def test_a_metric_of_the_article_audit_says_what_it_fell_short_of(metric, kind):
    result = next(iter(assay.judge([RECORD], rubric="article-audit")))

    assert result.metrics[metric].status == "abstained"
    assert decline([kind]) in (result.metrics[metric].reason or "")
