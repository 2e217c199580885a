"""Rules that turn shares of labelled units into a place on the scale."""

from fractions import Fraction
from typing import Final

from assay.domain.scale import half_up, in_words
from assay.domain.units import count_units
from assay.scoring.rules.rule import Rule, RuleSetting
from assay.scoring.tally import Computed, MetricTally, format_labels

PASSES_AT: Final = "passes at"


def _mean_of_labels(tally: MetricTally) -> Computed:
    part = tally.metric.label_parts[0]
    labels = tally.of(part.id)
    values = [part.value(label.label) for label in labels]
    points = _find_points(tally)
    reachable = sum((each for each in points if each > 0), Fraction(0))
    gained = sum((each * value for each, value in zip(points, values, strict=True)), Fraction(0))
    in_full = sum((each for each, label in zip(points, labels, strict=True) if label.label == part.best), Fraction(0))
    share, strict = (max(Fraction(0), each / reachable) for each in (gained, in_full))
    figures = {"strict": tally.place(strict)}
    by_source: dict[str, list[Fraction]] = {}
    for label, value in zip(labels, values, strict=True):
        for source in tally.units[label.unit].sources[:1] if part.unit == "question" else ():
            by_source.setdefault(source, []).append(value)
    if by_source:
        means = [sum(group, Fraction(0)) / len(group) for group in by_source.values()]
        figures["mean_per_source"] = tally.place(sum(means, Fraction(0)) / len(means))
    words = f"{count_units(part.unit, len(labels))}: {format_labels(labels, part)}; "
    words += f"{in_words(gained)} of {in_words(reachable)} points, " if part.unit == "criterion" else ""
    words += f"mean value {in_words(share, 4)}"
    if tally.metric.scale.is_yes_no:
        least = tally.setting(PASSES_AT)
        share = Fraction(share >= least)
        words += f", {'at least' if share else 'below'} {in_words(least, 4)}"
    return Computed(tally.place(share), words, figures=figures)


def _find_points(tally: MetricTally) -> list[Fraction]:
    """What each label counts for: the points of a criterion, else 1."""
    units = (tally.units.get(label.unit) for label in tally.of(tally.metric.label_parts[0].id))
    return [Fraction(1) if unit is None or unit.points is None else unit.points for unit in units]


def _lacks_points(tally: MetricTally) -> str | None:
    points = _find_points(tally)
    return None if not points or any(each > 0 for each in points) else "no criterion that applies has points above 0"


def _harmonic_coverage(tally: MetricTally) -> Computed:
    part = tally.part("key_point")
    labels = tally.of("key_point")
    recall = sum((part.value(label.label) for label in labels), Fraction(0)) / len(labels)
    words, extraneous = tally.words, tally.extraneous_words
    precision = 1 - Fraction(extraneous, words) if words else Fraction(0)
    mean = 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)
    summary = format_labels(labels, part)
    is_known = tally.claims is not None or bool(tally.of("claim")) or extraneous
    unsupported = f"{extraneous} of {words} words unsupported" if is_known else "no claims to find unsupported words by"
    return Computed(
        tally.place(mean),
        f"{count_units(part.unit, len(labels))}: {summary}; recall {in_words(recall, 4)}; "
        f"{unsupported}, precision {in_words(precision, 4)}; "
        f"harmonic mean {in_words(mean, 4)}",
        figures={"precision": precision, "recall": recall},
    )


def _unsupported_fraction(tally: MetricTally) -> Computed:
    part = tally.part("claim")
    counted = tally.of("claim")
    most = int(tally.setting("most claims"))
    ranking = next((pick for each in tally.metric.pick_parts if (pick := tally.findings.picked(each.id))), None)
    if len(counted) > most and ranking is not None:
        # Behind the judge's ranking stands the order of the claims in the output, in whatever order labels came.
        order = {unit: place for place, unit in enumerate(dict.fromkeys((*ranking, *tally.units)))}
        counted = tuple(sorted(counted, key=lambda label: order.get(label.unit, len(order))))[:most]
    fraction = sum((1 - part.value(label.label) for label in counted), Fraction(0)) / len(counted)
    scale, slope = tally.metric.scale, tally.setting("slope")
    value = max(scale.low, scale.high - half_up(slope * fraction, scale.decimals))
    summary = format_labels(counted, part)
    return Computed(
        value,
        f"{count_units('claim', len(counted))} counted: {summary}; unsupported fraction {in_words(fraction, 4)}; "
        f"{in_words(scale.high)} − round({in_words(slope)} × {in_words(fraction, 4)}) = {in_words(value)}",
        figures={"unsupported_fraction": fraction},
    )


MEAN_OF_LABELS = Rule(
    "mean of labels",
    _mean_of_labels,
    "The mean of the values of the labels, stretched over the scale from its worst end to its best. Criteria count by "
    "their points: the sum of points by value, over all points above 0, and not below the worst end. A yes/no scale "
    "has its best answer from a mean of `passes at` on.",
    any_unit=True,
    settings=(RuleSetting(PASSES_AT, "1"),),
    lacks=_lacks_points,
)
HARMONIC_COVERAGE = Rule(
    "harmonic coverage",
    _harmonic_coverage,
    "Recall is the mean value of the labels, precision the share of the output's words outside unsupported claims; "
    "the score is their harmonic mean over the scale.",
    units=("key_point",),
    shared_claims=True,
    scores_empty=True,
)
UNSUPPORTED_FRACTION = Rule(
    "unsupported fraction",
    _unsupported_fraction,
    "The top of the scale minus the rounded product of slope and the fraction of claims that are unsupported, "
    "a partly supported one counting half; over the most consequential claims.",
    units=("claim",),
    settings=(
        RuleSetting("most claims", "10", Fraction(1), Fraction(1000), whole=True),
        RuleSetting("slope", "14", Fraction(0), Fraction(1000)),
    ),
    counts_down=True,
)
