"""Derives every stored score again from its stored labels, and says whether it is still the same."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.runner.asking import Asked
from assay.runner.conclude import Case, conclude, share_claims
from assay.runner.empty import find_empty
from assay.runner.whole import WHOLE


@dataclass(slots=True)
class Rescored:
    """`same` and `other` count scores; `skipped` are those of whole replies."""

    same: int = 0
    skipped: int = 0
    other: list[str] = field(default_factory=list)


def rescore(cards: Iterable[Scorecard], rubric: Rubric) -> Rescored:
    """Every answer of every judge and sample is derived again from its labels and the stored facts."""
    result = Rescored()
    for card in cards:
        for name, outcomes in _list_answers(card):
            _rescore_answer(card, rubric, name, outcomes, result)
    return result


def _list_answers(card: Scorecard) -> list[tuple[str, dict[str, Outcome]]]:
    """The outcomes of each answer that a card was combined from; those of the card itself where there was only one."""
    answers: dict[str, dict[str, Outcome]] = {}
    for metric, voices in card.voices.items():
        for voice in voices:
            answers.setdefault(f" by {voice.judge}, sample {voice.sample}", {})[metric] = voice.outcome
    return list(answers.items()) or [("", dict(card.outcomes))]


def _rescore_answer(card: Scorecard, rubric: Rubric, name: str, outcomes: dict[str, Outcome], result: Rescored) -> None:
    empty = find_empty(card.record, rubric)
    shared = {metric: share_claims(outcome) for metric, outcome in outcomes.items()}
    for metric in rubric.metrics:
        outcome = outcomes[metric.id]
        if not isinstance(outcome, Verdict):
            continue
        trail = outcome.trail
        if WHOLE in trail.flags:
            result.skipped += 1
            continue
        if empty is not None and not trail.units:
            again = empty[metric.id]
        else:
            asked = Asked(trail.units, trail.findings, repairs=trail.repairs, replies=trail.replies or ("",))
            again = conclude(
                Case(card.record, rubric, trail.facts), metric, asked, shared.get(metric.claims_from or metric.id)
            )
        stored, now = _describe(outcome), _describe(again)
        if stored == now:
            result.same += 1
        else:
            result.other.append(f"{card.record.id}, {metric.id}{name}: stored {stored}, now {now}")


def _describe(outcome: Outcome) -> str:
    """A score with its raw value and its interval, exactly."""
    if not isinstance(outcome, Verdict):
        return outcome.status
    score = outcome.score
    raw = "" if score.raw == score.value else f" ({score.raw})"
    interval = "" if len({score.value, *score.interval}) == 1 else f" [{score.interval[0]}–{score.interval[1]}]"
    return f"{score.value}{raw}{interval}"
