"""A judged record as rows of numbers and words, without its texts.

Lists, means, gates and comparisons read nothing else, be it from the store or from a scorecard that was just made.
"""

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from assay.domain.findings import NO_FACT, Label
from assay.domain.outcome import Outcome, Verdict
from assay.domain.parts import LabelPart
from assay.domain.scorecard import Scorecard, Voice
from assay.domain.terms import say_why


class MetricScore(NamedTuple):
    """One metric of one record by one author: a judge, or '' for the score that counts.

    `width` of the interval and `spread` of the answers are shares of the scale. `labels` is a digest of the labelled
    texts and their labels: two runs differ in none of them where it is the same. `reason` says why there is no score.
    """

    metric: str
    status: str
    score: float | None = None
    raw: float | None = None
    low: float | None = None
    high: float | None = None
    goodness: float | None = None
    width: float = 0.0
    spread: float = 0.0
    weakest_support: float | None = None
    flags: Sequence[str] = ()
    labels: str = ""
    reason: str = ""
    repairs: Sequence[str] = ()
    author: str = ""
    sample: int = 0

    @property
    def rank(self) -> float:
        return compute_order(self.goodness, int(self.goodness is not None), 1, [self.weakest_support])

    @property
    def why(self) -> str:
        """Why there is no score."""
        return say_why(self.status, self.reason)


class ClaimVotes(NamedTuple):
    """Of the claims that state a fact, how many there are, are decided, and are at fault; None where none is labelled.

    A claim that several metrics label counts once. It is at fault if at least half of those who decide call it so.
    """

    claims: int | None = None
    decided: int = 0
    at_fault: int = 0


class Listed(NamedTuple):
    """One judged record. `answers` are those from which its scores were combined, if there were several."""

    position: int
    record: str
    system: str | None
    item: str
    goodness: float | None
    scored: int
    asked: int
    rank: float
    judge: str
    flags: Sequence[str]
    notices: Sequence[str]
    facets: Mapping[str, str]
    facts: Mapping[str, str | None]
    votes: ClaimVotes
    size_bytes: int
    scores: Mapping[str, MetricScore]
    answers: Sequence[MetricScore] = ()

    @property
    def name(self) -> str:
        return f"{self.record} ({self.system})" if self.system else self.record

    def find_goodness(self, metric: str) -> float | None:
        found = self.scores.get(metric)
        return None if found is None else found.goodness

    def list_answers(self, metric: str) -> Sequence[MetricScore]:
        """Each answer to a metric before any mean; the score itself where there was only one."""
        return [each for each in self.answers if each.metric == metric] or [self.scores[metric]]


def compute_order(goodness: float | None, scored: int, asked: int, supports: Iterable[float | None]) -> float:
    """The goodness by which a record is sorted: what has no score counts by its weakest claim, or else as the worst.

    So no record that lacks a score stands below a good one. `goodness` is the mean of what is scored.
    """
    open_sum = sum(each for each in supports if each is not None)
    return ((goodness or 0.0) * scored + open_sum) / asked if asked else 0.0


def find_order(card: Scorecard) -> float:
    """The goodness by which a scorecard is sorted."""
    total, open_ = card.total, (each for each in card.outcomes.values() if not isinstance(each, Verdict))
    goodness = None if total.goodness is None else _to_float(total.goodness)
    return compute_order(goodness, total.scored, total.asked, (each.trail.weakest_support for each in open_))


def build_listed(card: Scorecard, position: int = 0, size_bytes: int = 0) -> Listed:
    record, total = card.record, card.total
    scores = {name: build_score(name, each, card.voices.get(name, ())) for name, each in card.outcomes.items()}
    flags = {flag for each in scores.values() for flag in each.flags}
    notices = {notice.check for notice in card.notices}
    goodness = None if total.goodness is None else _to_float(total.goodness)
    return Listed(
        position=position,
        record=record.id,
        system=record.system,
        item=record.item,
        goodness=goodness,
        scored=total.scored,
        asked=total.asked,
        rank=find_order(card),
        judge=card.judge,
        flags=sorted(flags | notices),
        notices=sorted(notices),
        facets={name: str(value) for name, value in record.facets.items()},
        facts={name: None if fact.value is None else str(fact.value) for name, fact in card.facts.items()},
        votes=_count_votes(card),
        size_bytes=size_bytes,
        scores=scores,
        answers=[
            build_score(name, voice.outcome)._replace(author=voice.judge, sample=voice.sample)
            for name, voices in card.voices.items()
            for voice in voices
        ],
    )


def build_score(metric: str, outcome: Outcome, voices: Sequence[Voice] = ()) -> MetricScore:
    trail, labels = outcome.trail, _digest_labels(outcome, voices)
    found = MetricScore(
        metric,
        outcome.status,
        weakest_support=trail.weakest_support,
        flags=trail.flags,
        labels=labels,
        repairs=trail.repairs,
    )
    if not isinstance(outcome, Verdict):
        return found._replace(reason=outcome.reason)
    score = outcome.score
    answers = [voice.outcome.score.goodness for voice in voices if isinstance(voice.outcome, Verdict)]
    spread = max(answers) - min(answers) if answers else Fraction(0)
    width = (score.interval[1] - score.interval[0]) / (score.scale.high - score.scale.low)
    numbers = (score.value, score.raw, *score.interval, score.goodness, width, spread)
    value, raw, low, high, goodness, *shares = map(_to_float, numbers)
    return found._replace(
        score=value, raw=raw, low=low, high=high, goodness=goodness, width=shares[0], spread=shares[1]
    )


def _digest_labels(outcome: Outcome, voices: Sequence[Voice]) -> str:
    """Of all judges and samples; how many of them say the same is no difference."""
    said = set()
    for trail in (outcome.trail, *(voice.outcome.trail for voice in voices)):
        texts = {unit.id: unit.text for unit in trail.units}
        labels = (label for label in trail.findings.labels if label.unit in texts)
        said |= {(label.part, texts[label.unit], label.label, label.qualifier or "") for label in labels}
    content = repr(sorted(said)).encode("utf-8", "replace")
    return hashlib.blake2b(content, digest_size=8).hexdigest() if said else ""


def _to_float(value: Fraction) -> float:
    """Exact numbers have no limit; a column has one."""
    try:
        return float(value)
    except OverflowError:
        return sys.float_info.max if value > 0 else -sys.float_info.max


def _count_votes(card: Scorecard) -> ClaimVotes:
    """Each claim that states a fact has a vote by every label that decides it."""
    is_labelled, votes = False, dict[str, list[bool]]()
    for metric in card.rubric.metrics:
        part = metric.labels("claim")
        if part is None or metric.id not in card.outcomes:
            continue
        for place, label in (each for answer in card.list_answers(metric.id) for each in _list_claims(answer, part)):
            is_labelled = True
            if label.label != NO_FACT:
                found = votes.setdefault(place, [])
                if label.decided:
                    found.append(part.value(label.label) < part.value(part.best))
    decided = [each for each in votes.values() if each]
    at_fault = sum(2 * sum(each) >= len(each) for each in decided)
    return ClaimVotes(len(votes) if is_labelled else None, len(decided), at_fault)


def _list_claims(outcome: Outcome, part: LabelPart) -> Iterator[tuple[str, Label]]:
    """Claims by their place in the output, where they have one: ids differ between metrics and judges."""
    units = {unit.id: unit for unit in outcome.trail.units}
    for label in outcome.trail.findings.labels:
        unit = units.get(label.unit)
        if label.part == part.id and unit is not None:
            yield f"{unit.span} {unit.context} {unit.text}", label
