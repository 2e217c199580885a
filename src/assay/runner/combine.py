"""Several samples of a judge, or several judges, as one scorecard: the mean, and every voice beside it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from statistics import pstdev

from assay.domain.outcome import Outcome, Score, Verdict, is_unpaid
from assay.domain.scale import half_up, in_words
from assay.domain.scorecard import Scorecard, Voice
from assay.scoring.total import compute_total

# Answers this far apart on the polarity-free scale do not mean the same.
_APART = Fraction(1, 2)


def combine(cards: Sequence[Scorecard]) -> Scorecard:
    """One card for one record. Each judge counts once, whatever the number of its samples that could be scored."""
    first = cards[0]
    if len(cards) == 1:
        return first
    voices = {
        metric.id: tuple(Voice(card.judge, card.sample, card.outcomes[metric.id]) for card in cards)
        for metric in first.rubric.metrics
    }
    outcomes = {name: _combine(each) for name, each in voices.items()}
    judges = " + ".join(dict.fromkeys(card.judge for card in cards))
    notices = tuple(dict.fromkeys(notice for card in cards for notice in card.notices))
    total = compute_total(first.rubric, outcomes)
    return replace(first, judge=judges, outcomes=outcomes, total=total, notices=notices, voices=voices)


def _combine(voices: Sequence[Voice]) -> Outcome:
    """The mean over verdicts only. Where nobody reached one, the first judge's reason stands.

    One that could not be paid for is still to come: until then the others are no mean.
    """
    unpaid = next((voice.outcome for voice in voices if is_unpaid(voice.outcome)), None)
    if unpaid is not None:
        return unpaid
    scored = [(voice, voice.outcome) for voice in voices if isinstance(voice.outcome, Verdict)]
    if not scored:
        return voices[0].outcome
    scores = [verdict.score for _, verdict in scored]
    judges = [voice.judge for voice, _ in scored]
    spread = Fraction(pstdev([score.value for score in scores])).limit_denominator(10**6)
    said = ", ".join(in_words(score.value) for score in scores)
    by = f" by {len(set(judges))} judges" if len(set(judges)) > 1 else ""
    numbers = zip(*((score.value, score.raw, *score.interval) for score in scores), strict=True)
    # The ends are what undecided units leave open of the mean. How far the answers are apart is no part of it.
    value, raw, *ends = (_mean_by_judge(judges, each) for each in numbers)
    combined = Score(
        value=value,
        raw=raw,
        interval=(ends[0], ends[1]),
        scale=scores[0].scale,
        derivation=f"mean of {len(scored)} of {len(voices)} answers{by}: {said}; first: {scores[0].derivation}",
        figures={**scores[0].figures, "spread": spread},
    )
    trail = scored[0][1].trail
    if trail.placement is not None:
        # Orders differ where answers to one prompt would not: how far they are apart is open too.
        values, (low, high) = [score.value for score in scores], combined.interval
        combined = replace(combined, interval=(min(low, *values), max(high, *values)))
    flags = dict.fromkeys(flag for voice in voices for flag in voice.outcome.trail.flags)
    goodness = [score.goodness for score in scores]
    if max(goodness) - min(goodness) >= _APART:
        flags["judges_disagree"] = None
    # What was tried on a reply that stayed unreadable mended nothing.
    repairs = dict.fromkeys(repair for _, verdict in scored for repair in verdict.trail.repairs)
    return Verdict(combined, replace(trail, flags=tuple(flags), repairs=tuple(repairs)))


def _mean_by_judge(judges: Iterable[str], values: Iterable[Fraction]) -> Fraction:
    by_judge: dict[str, list[Fraction]] = {}
    for judge, value in zip(judges, values, strict=True):
        by_judge.setdefault(judge, []).append(value)
    means = [sum(each, Fraction(0)) / len(each) for each in by_judge.values()]
    return half_up(sum(means, Fraction(0)) / len(means), 4)
