"""Scorecards written in the reply shape of their rubric; `assay.replies.shapes` reads the same shapes back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assay.domain.scorecard import Scorecard
from assay.report.shapes.article_audit import write_article_audit
from assay.report.shapes.scored_explanation import write_comparison, write_opinion
from assay.report.shapes.search_summary import write_search_summary
from assay.report.shapes.trial_eligibility import write_trial_eligibility


@dataclass(frozen=True, slots=True)
class Shape:
    """`ending` is that of a file: `.json` only where the whole reply is one JSON value."""

    render: Callable[[Scorecard], str]
    ending: str


SHAPES: Mapping[str, Shape] = {
    "article-audit": Shape(write_article_audit, ".txt"),
    "comparison-faithfulness": Shape(write_comparison, ".txt"),
    "opinion-relevance": Shape(write_opinion, ".txt"),
    "search-summary": Shape(write_search_summary, ".json"),
    "trial-eligibility": Shape(write_trial_eligibility, ".json"),
}
