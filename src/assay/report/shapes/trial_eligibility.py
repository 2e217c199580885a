"""Writes the trial answer's one object of four scores and four reasons."""

from assay.domain.json import JSON
from assay.domain.outcome import Verdict
from assay.domain.scorecard import Scorecard
from assay.report.json_text import dump
from assay.report.wording import justify, labelled, say_grade, score_of


def write_trial_eligibility(card: Scorecard) -> str:
    body: dict[str, JSON] = {}
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        said = [say_grade(outcome)]
        if isinstance(outcome, Verdict):
            doubtful = [pair for pair in labelled(outcome, "claim") if pair[1].label != "supported"]
            said += [f"“{unit.text}”: {label.label}. {justify(label)}".strip() for unit, label in doubtful]
        body |= {metric.id: score_of(outcome), f"{metric.id}_reasoning": " ".join(said)}
    return dump(body)
