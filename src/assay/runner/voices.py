"""Several samples of a judge, or several judges, as one scorecard: the mean, and every voice beside it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt

from assay.domain.outcome import Outcome, Score, Verdict
from assay.domain.scale import half_up, in_words
from assay.domain.scorecard import Scorecard, Voice
from assay.scoring.total import compute_total
from assay.store.store import KeptCard

DISAGREEMENT = "judges_disagree"
# Voices this far apart on the polarity-free scale do not mean the same.
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


def combine_kept(cards: Iterable[KeptCard], judges: Sequence[str]) -> Scorecard:
    """The cards of one record from a store, in the order in which the run named its judges: as when it was judged."""
    places = {judge: place for place, judge in enumerate(judges)}
    ordered = sorted(cards, key=lambda each: (places.get(each.judge, len(places)), each.judge, each.sample))
    return combine([replace(each.card, sample=each.sample) for each in ordered])


def _combine(voices: Sequence[Voice]) -> Outcome:
    """The mean over verdicts only. Where nobody reached one, the first judge's reason stands."""
    scored = [(voice, voice.outcome) for voice in voices if isinstance(voice.outcome, Verdict)]
    if not scored:
        return voices[0].outcome
    by_judge: dict[str, list[Score]] = {}
    for voice, verdict in scored:
        by_judge.setdefault(voice.judge, []).append(verdict.score)
    scores = [verdict.score for _, verdict in scored]
    value, raw = _mean(by_judge, "value"), _mean(by_judge, "raw")
    spread = _spread([score.value for score in scores])
    said = ", ".join(in_words(score.value) for score in scores)
    judges = f" by {len(by_judge)} judges" if len(by_judge) > 1 else ""
    combined = Score(
        value=value,
        raw=raw,
        interval=(min(score.interval[0] for score in scores), max(score.interval[1] for score in scores)),
        scale=scores[0].scale,
        derivation=f"mean of {len(scored)} of {len(voices)} answers{judges}: {said}; first: {scores[0].derivation}",
        figures={**scores[0].figures, "spread": spread},
    )
    trail = scored[0][1].trail
    flags = dict.fromkeys(flag for voice in voices for flag in voice.outcome.trail.flags)
    goodness = [score.goodness for score in scores]
    if max(goodness) - min(goodness) >= _APART:
        flags[DISAGREEMENT] = None
    repairs = dict.fromkeys(repair for voice in voices for repair in voice.outcome.trail.repairs)
    return Verdict(combined, replace(trail, flags=tuple(flags), repairs=tuple(repairs)))


def _mean(by_judge: Mapping[str, Sequence[Score]], name: str) -> Fraction:
    means = [sum((getattr(score, name) for score in scores), Fraction(0)) / len(scores) for scores in by_judge.values()]
    return half_up(sum(means, Fraction(0)) / len(means), 4)


def _spread(values: Sequence[Fraction]) -> Fraction:
    """The standard deviation over the answers; 0 for one."""
    mean = sum(values, Fraction(0)) / len(values)
    variance = sum(((value - mean) ** 2 for value in values), Fraction(0)) / len(values)
    return Fraction(sqrt(variance)).limit_denominator(10**6)
