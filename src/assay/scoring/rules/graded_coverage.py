"""The rule for a summary that should select what matters: a grade beside computed coverage and excess."""

from collections.abc import Collection, Sequence
from fractions import Fraction

from assay.domain.findings import Label
from assay.domain.scale import in_words
from assay.domain.units import count_units
from assay.scoring.rules.opinions import LEVELS_APART
from assay.scoring.rules.rule import Rule, RuleSetting
from assay.scoring.tally import Computed, MetricTally, format_labels

EXCESS = "excess"
_WEIGHTS = {"main": 2, "minor": 1}


def _graded_coverage(tally: MetricTally) -> Computed:
    """The judge's grade, held down only by what its own labels prove; the level that code computes beside it."""
    labels, part = tally.of("item"), tally.part("item")
    main = [label for label in labels if tally.units[label.unit].weight == "main"] or list(labels)
    values = {label.unit: part.value(label.label) for label in labels}
    weights = {label.unit: _WEIGHTS[tally.units[label.unit].weight] for label in labels}
    weighted = sum((values[unit] * weight for unit, weight in weights.items()), Fraction(0)) / sum(weights.values())
    coverage = sum((values[label.unit] for label in main), Fraction(0)) / len(main)
    excess = tally.findings.remarked(EXCESS)
    words_in_excess = tally.count_words(remark.span for remark in excess if remark.span is not None)
    share = Fraction(words_in_excess, tally.words) if tally.words else Fraction(0)
    value = max(Fraction(0), weighted - share / 2)
    level = Fraction(_find_level(tally, coverage, share, has_excess=bool(excess)))
    summary = format_labels(labels, part)
    words = (
        f"{count_units('item', len(labels))} ({len(main)} main): {summary}; coverage {in_words(weighted)} by weight, "
        f"excess {in_words(share)} of the words; computed {in_words(value)}, level {in_words(level)}"
    )
    figures = {
        "value": value,
        "coverage": weighted,
        "main_coverage": coverage,
        "excess_share": share,
        **_cover_by_input(tally, labels, [unit for unit, each in values.items() if each > 0]),
    }
    grade = next((given.level for each in tally.metric.grade_parts if (given := tally.findings.grade(each.id))), None)
    if grade is None:
        return Computed(level, f"{words}; no grade", figures=figures)
    flags = ("computed_differs",) if abs(grade - level) >= LEVELS_APART else ()
    limit, because = _find_limit(tally, main, values, has_excess=bool(excess))
    words = f"graded {in_words(grade)} by the judge: an opinion; {words}"
    return Computed(grade, words, limit, because, beside=level, figures=figures, flags=flags)


def _find_level(tally: MetricTally, coverage: Fraction, share: Fraction, *, has_excess: bool) -> int:
    if coverage == 0:
        return 1
    if coverage == 1 and not has_excess:
        return 5
    if coverage < tally.setting("half") or share > tally.setting("mostly excess"):
        return 2
    return 4 if coverage >= tally.setting("most") and share <= tally.setting("little excess") else 3


def _find_limit(
    tally: MetricTally, main: Sequence[Label], values: dict[str, Fraction], *, has_excess: bool
) -> tuple[Fraction | None, str]:
    """What the judge's own labels prove against its grade: nothing carried, or something missing or too much."""
    if not any(values.values()):
        return tally.metric.scale.low, "nothing that matters is carried"
    if has_excess:
        return tally.metric.scale.high - 1, "words in excess are named"
    missed = [label.unit for label in main if values[label.unit] == 0]
    if missed:
        return tally.metric.scale.high - 1, f"{', '.join(missed)} {'is' if len(missed) == 1 else 'are'} not carried"
    return None, ""


def _cover_by_input(tally: MetricTally, labels: Sequence[Label], carried: Collection[str]) -> dict[str, Fraction]:
    """The share of carried items by the input they come from, where they come from several: reviews, features."""
    inputs = {source.id: source.input for source in tally.record.sources}
    by_input: dict[str, set[str]] = {}
    for label in labels:
        for source in tally.units[label.unit].sources:
            by_input.setdefault(inputs.get(source, ""), set()).add(label.unit)
    return {
        f"coverage_of_{name}": Fraction(len(units & set(carried)), len(units))
        for name, units in by_input.items()
        if name and len(by_input) > 1
    }


GRADED_COVERAGE = Rule(
    "graded coverage",
    _graded_coverage,
    "The judge's grade: not the best one beside words in excess or a main item that is not carried, the worst where "
    "nothing is carried. Beside it, and instead where there is none, a level computed from the share of main items "
    "that are carried and the share of words in excess.",
    units=("item",),
    grades="optional",
    settings=(
        RuleSetting("half", "0.375"),
        RuleSetting("most", "0.625"),
        RuleSetting("little excess", "0.20"),
        RuleSetting("mostly excess", "0.5"),
    ),
    points=(1, 5),
    counts_down=True,
)
