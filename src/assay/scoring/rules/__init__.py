"""The scoring rules a rubric can name."""

from assay.scoring.rules.counts import SEVERITY_BANDS, SHARE_OF_WORDS
from assay.scoring.rules.graded_coverage import GRADED_COVERAGE
from assay.scoring.rules.opinions import GRADE, GRADE_BESIDE_FACTS, GRADE_WITHIN_LIMITS, MEAN_OF_SUBSCORES
from assay.scoring.rules.rule import Rule, RuleSetting
from assay.scoring.rules.shares import HARMONIC_COVERAGE, MEAN_OF_LABELS, UNSUPPORTED_FRACTION

RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        SEVERITY_BANDS,
        MEAN_OF_LABELS,
        HARMONIC_COVERAGE,
        UNSUPPORTED_FRACTION,
        SHARE_OF_WORDS,
        GRADED_COVERAGE,
        GRADE,
        MEAN_OF_SUBSCORES,
        GRADE_WITHIN_LIMITS,
        GRADE_BESIDE_FACTS,
    )
}

__all__ = ["RULES", "Rule", "RuleSetting"]
