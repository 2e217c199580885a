"""Rules that count units into bands: by severity, by number and share, by coverage and excess."""

from collections.abc import Collection, Sequence
from fractions import Fraction

from assay.domain.findings import Label
from assay.domain.parts import LabelPart
from assay.domain.scale import in_words
from assay.domain.units import count_units
from assay.scoring.rules.rule import Rule, Setting
from assay.scoring.tally import Computed, Tally, count_labels, is_best, say_counts


def _severity(label: Label, contradicted_is: str) -> str:
    if label.label == "contradicted" and (label.qualifier is None or contradicted_is == "significant"):
        return "significant"
    return label.qualifier or "minor"


def _counts_in_full(label: Label, part: LabelPart, single_source: bool) -> bool:
    """Under `single source` a claim that only several sources together carry is not counted as supported."""
    return is_best(label, part) and not (single_source and len({each.source for each in label.evidence}) > 1)


def _severity_bands(tally: Tally) -> Computed:
    labels = tally.of("claim")
    part = tally.part("claim")
    single_source = tally.metric.settings["single source"] == "yes"
    doubtful = [label for label in labels if not _counts_in_full(label, part, single_source)]
    severities = [_severity(label, tally.metric.settings["contradicted is"]) for label in doubtful]
    significant = severities.count("significant")
    minor = len(severities) - significant
    said = say_counts(count_labels(labels), (option.name for option in part.options))
    for band in tally.metric.bands:
        if _within(minor, band["minor at most"]) and _within(significant, band["significant at most"]):
            return Computed(
                Fraction(band["score"]),
                f"{count_units('claim', len(labels))}: {said}; {minor} minor and {significant} significant doubts "
                f"→ {band['score']}",
            )
    raise AssertionError("a rubric's last band takes any count")


def _within(count: int, limit: str) -> bool:
    return limit == "any" or count <= int(limit)


def _counted_items(tally: Tally) -> Computed:
    labels, part = tally.of("claim"), tally.part("claim")
    total = len(labels)
    unsupported = min(total, max(tally.proven_faults, sum(not is_best(label, part) for label in labels)))
    share = Fraction(total - unsupported, total)
    if share == 0:
        value = 1
    elif share <= tally.setting("mostly unsupported"):
        value = 2
    elif unsupported == 0:
        value = 5
    else:
        value = 4 if unsupported == 1 else 3
    kinds = count_labels(labels)
    said = say_counts(kinds, (option.name for option in part.options))
    return Computed(
        Fraction(value),
        f"{total} {'item' if total == 1 else 'items'}: {said}; {unsupported} can't be verified,"
        f" share verified {in_words(share)} → {value}",
        figures={"items": Fraction(total), "unsupported": Fraction(unsupported)},
    )


def _coverage_and_excess(tally: Tally) -> Computed:
    listed, claims = tally.of("item"), tally.of("claim")
    items = [label for label in listed if tally.units[label.unit].weight == "main"] or list(listed)
    covered = {label.unit for label in items if is_best(label, tally.part("item"))}
    excess = sum(not is_best(label, tally.part("claim")) for label in claims)
    coverage = Fraction(len(covered), len(items))
    share = Fraction(excess, len(covered) + excess) if covered or excess else Fraction(0)
    if coverage == 0:
        value = 1
    elif coverage == 1 and excess == 0:
        value = 5
    elif coverage < tally.setting("half") or share > tally.setting("mostly excess"):
        value = 2
    elif coverage >= tally.setting("most") and share <= tally.setting("little excess"):
        value = 4
    else:
        value = 3
    minor = f" ({len(listed) - len(items)} minor ones apart)" if len(listed) > len(items) else ""
    return Computed(
        Fraction(value),
        f"{len(covered)} of {count_units('item', len(items))}{minor} covered ({in_words(coverage)}); "
        f"{count_units('claim', excess)} in excess (share {in_words(share)}) → {value}",
        figures={"coverage": coverage, "excess_share": share, **_coverage_by_input(tally, items, covered)},
    )


def _coverage_by_input(tally: Tally, items: Sequence[Label], covered: Collection[str]) -> dict[str, Fraction]:
    """Coverage of the items that come from one input, where items come from several: reviews apart from features."""
    by_input: dict[str, set[str]] = {}
    for label in items:
        for source in tally.units[label.unit].sources:
            by_input.setdefault(tally.inputs.get(source, ""), set()).add(label.unit)
    return {
        f"coverage_of_{name}": Fraction(len(units & set(covered)), len(units))
        for name, units in by_input.items()
        if name and len(by_input) > 1
    }


SEVERITY_BANDS = Rule(
    "severity bands",
    _severity_bands,
    "Claims that are not fully supported are counted by severity; the first band that holds both counts is the score.",
    units=("claim",),
    settings=(
        Setting("single source", "no", options=("yes", "no")),
        Setting("contradicted is", "as judged", options=("as judged", "significant")),
    ),
    table=("score", "minor at most", "significant at most"),
)
COUNTED_ITEMS = Rule(
    "counted items",
    _counted_items,
    "None verified 1, at most the set share verified 2, all verified 5, one not verified 4, otherwise 3.",
    units=("claim",),
    # At a share of 1 a comparison with every item verified would already be mostly unsupported.
    settings=(Setting("mostly unsupported", "0.5", high=Fraction(99, 100)),),
    points=(1, 5),
    counts_down=True,
)
COVERAGE_AND_EXCESS = Rule(
    "coverage and excess",
    _coverage_and_excess,
    "Nothing covered 1; all covered and no excess 5; under half covered or mostly excess 2; "
    "most covered with little excess 4; otherwise 3.",
    units=("item", "claim"),
    settings=(
        Setting("half", "0.375"),
        Setting("most", "0.625"),
        Setting("little excess", "0.20"),
        Setting("mostly excess", "0.5"),
    ),
    points=(1, 5),
    counts_down=True,
)
