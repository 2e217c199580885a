"""Whole replies in a rubric's own shape, read into each metric's share; the lists stay the model's own."""

from collections.abc import Callable, Mapping

from assay.domain.ask import Answer
from assay.domain.record import Record
from assay.replies.shapes.article_audit import read_article_audit
from assay.replies.shapes.scored_explanation import read_comparison, read_opinion
from assay.replies.shapes.search_summary import read_search_summary
from assay.replies.shapes.trial_eligibility import read_trial_eligibility

SHAPES: Mapping[str, Callable[[str, Record], Answer]] = {
    "article-audit": read_article_audit,
    "comparison-faithfulness": read_comparison,
    "opinion-relevance": read_opinion,
    "search-summary": read_search_summary,
    "trial-eligibility": read_trial_eligibility,
}
