"""The goodness that a person gives a record: said outright, or derived from their labels by the metric's own rule."""

from collections.abc import Mapping, Sequence

from assay.domain.findings import Label
from assay.domain.outcome import Trail, Verdict
from assay.domain.parts import GradePart, LabelPart
from assay.domain.rubric import Metric
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit
from assay.report.human_words import Word
from assay.scoring.score import score_metric
from assay.scoring.tally import Measures, Tally

# What code measures with no judge is not a person's to say.
_BY_CODE = {"language share", "determination"}

Said = Mapping[str, Sequence[Word]]


def find_goodness(card: Scorecard, metric: Metric, said: Said) -> float | None:
    """`said` are one person's words about the record, by metric. None where they do not come to a score.

    A score said outright stands; else what the labels of all units come to; else a grade of the whole.
    """
    words = said.get(metric.id, ())
    for word in words:
        if word.is_good is not None:
            return float(word.is_good)
        if word.part is None and word.level is not None:
            return float(metric.scale.goodness(word.level))
    derived = _derive(card, metric, said)
    if derived is not None:
        return derived
    ends = (metric.scale.low, metric.scale.high, metric.scale.best)
    for word in words:
        if isinstance(word.part, GradePart) and word.part.kept and word.level is not None:
            scale = word.part.scale
            return float(scale.goodness(word.level)) if (scale.low, scale.high, scale.best) == ends else None
    return None


def _derive(card: Scorecard, metric: Metric, said: Said) -> float | None:
    """Only from a whole set of labels: a few of them would be another record."""
    words = said.get(metric.id, ())
    if not words or metric.rule in _BY_CODE:
        return None
    trail = card.outcomes[metric.id].trail
    units = {unit.id: unit for unit in trail.units}
    labels = {part.id: _label_all(part, units, words) for part in metric.label_parts}
    grades = {word.part.id: word.level for word in words if isinstance(word.part, GradePart) and word.level is not None}
    wanted = [part.id for part in metric.grade_parts if not part.kept]
    if any(each is None for each in labels.values()) or any(name not in grades for name in wanted):
        return None
    claims = labels.get("claim")
    if metric.claims_from is not None:
        owner = card.rubric.metric(metric.claims_from)
        shared = {unit.id: unit for unit in card.outcomes[owner.id].trail.units}
        part = owner.labels("claim")
        claims = None if part is None else _label_all(part, shared, said.get(owner.id, ()))
        if claims is None:
            return None
        units = {**shared, **units}
    bank = card.rubric.bank("item")
    voices = {source.id for source in card.record.sources if bank is not None and source.input == bank.discussed_in}
    tally = Tally(
        metric=metric,
        labels={name: each for name, each in labels.items() if each is not None},
        grades={name: grades[name] for name in wanted},
        units=units,
        claims=claims,
        # Nobody is asked for a ranking: the units that the judge put first are those that count for both.
        ranking=next((pick for part in metric.pick_parts if (pick := trail.findings.picked(part.id))), ()),
        measures=Measures(output=card.record.output, review_sources=frozenset(voices)),
    )
    outcome = score_metric(tally, Trail())
    return float(outcome.score.goodness) if isinstance(outcome, Verdict) else None


def _label_all(part: LabelPart, units: Mapping[str, Unit], words: Sequence[Word]) -> tuple[Label, ...] | None:
    """None where a unit of the part's kind has no label."""
    given = {word.row.unit: word for word in words if word.part == part and word.option is not None}
    wanted = [unit.id for unit in units.values() if unit.kind == part.unit]
    if not wanted or any(name not in given for name in wanted):
        return None
    return tuple(Label(part.id, name, str(given[name].option), qualifier=given[name].row.qualifier) for name in wanted)
