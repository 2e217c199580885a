"""Rules that count faults: by severity into bands, and by their number and their share of a text."""

from fractions import Fraction

from assay.domain.findings import SUPPORT_WORDS, Label, Piece, Severity
from assay.domain.outcome import Outcome
from assay.domain.rubric import Metric
from assay.domain.scale import in_words
from assay.domain.units import count_units
from assay.scoring.rules.rule import Rule, RuleSetting
from assay.scoring.severity import Faults, count_faults, find_pieces
from assay.scoring.tally import Computed, MetricTally, format_labels, is_best

UNNAMED_ABSENT = RuleSetting("unnamed absent", "serious", options=("serious", "slight"))


def unnamed_absent(metric: Metric) -> Severity:
    """The severity of a claim that no source mentions, where no words of it are named."""
    return "slight" if metric.settings.get(UNNAMED_ABSENT.name) == "slight" else "serious"


def count_severity(outcome: Outcome, metric: Metric) -> Fraction | None:
    """Of the faults of claims that are held to sources; None where the metric labels none."""
    claims = [label for label in outcome.trail.findings.of("claim") if label.label in SUPPORT_WORDS]
    if not claims:
        return None
    units = {unit.id: unit for unit in outcome.trail.units}
    return count_faults(claims, units, unnamed_absent(metric)).count


def format_faults(faults: Faults) -> str:
    if not faults.serious and not faults.slight:
        return "no faults"
    counts = [f"{count} {word}" for count, word in ((faults.serious, "serious"), (faults.slight, "slight")) if count]
    return f"{' and '.join(counts)} {'fault' if faults.serious + faults.slight == 1 else 'faults'}"


def _format_claims(tally: MetricTally) -> str:
    labels = tally.of("claim")
    return f"{count_units('claim', len(labels))}: {format_labels(labels, tally.part('claim'))}"


def _severity_bands(tally: MetricTally) -> Computed:
    labels = tally.of("claim")
    faults = count_faults(labels, tally.units, unnamed_absent(tally.metric))
    if tally.metric.settings["single source"] == "yes":
        # Claims that only several sources together carry.
        part = tally.part("claim")
        spread = sum(is_best(each, part) and len({found.source for found in each.evidence}) > 1 for each in labels)
        faults = Faults(faults.serious, faults.slight + spread)
    for band in tally.metric.bands:
        if _within(faults.slight, band["slight at most"]) and _within(faults.serious, band["serious at most"]):
            words = f"{_format_claims(tally)}; {format_faults(faults)} → {band['score']}"
            figures = {"serious": Fraction(faults.serious), "slight": Fraction(faults.slight)}
            return Computed(Fraction(band["score"]), words, figures=figures)
    raise AssertionError("a rubric's last band takes any count")


def _within(count: int, limit: str) -> bool:
    return limit == "any" or count <= int(limit)


def _share_of_words(tally: MetricTally) -> Computed:
    labels = tally.of("claim")
    faults = count_faults(labels, tally.units)
    share = _find_share(tally, labels)
    if not faults.serious and not faults.slight:
        value = 5
    elif share >= tally.setting("nearly all"):
        value = 1
    elif faults.serious >= 2 and share > tally.setting("mostly unsupported"):
        value = 2
    elif faults.serious + faults.slight == 1:
        value = 4
    else:
        value = 3
    where = f", the serious ones {in_words(share)} of the text" if faults.serious else ""
    summary = f"{_format_claims(tally)}; {format_faults(faults)}{where} → {value}"
    figures = {"serious": Fraction(faults.serious), "slight": Fraction(faults.slight), "share": share}
    return Computed(Fraction(value), summary, figures=figures)


def _find_share(tally: MetricTally, labels: tuple[Label, ...]) -> Fraction:
    """The larger of two shares: words with a serious fault of the words of all claims, and such cells of all cells.

    A claim that no source speaks of is at fault with all its words, whichever of them were named.
    """
    serious: dict[str, list[Piece]] = {}
    for label in labels:
        unit = tally.units.get(label.unit)
        found = [piece for piece in find_pieces(label, unit) if piece.severity == "serious"]
        if found and label.label == "absent" and unit is not None:
            found = [Piece(unit.text, "serious", unit.span)]
        serious[label.unit] = found
    counted = [tally.units[label.unit] for label in labels if label.unit in tally.units]
    spans = [unit.span for unit in counted if unit.span is not None]
    words = tally.count_words(spans) or 1
    shares = [Fraction(tally.words_of(piece for pieces in serious.values() for piece in pieces), words)]
    cells = [unit.id for unit in counted if unit.is_cell]
    if cells:
        shares.append(Fraction(sum(bool(serious[cell]) for cell in cells), len(cells)))
    return min(max(shares), Fraction(1))


SEVERITY_BANDS = Rule(
    "severity bands",
    _severity_bands,
    "Faults of claims are counted by severity; the first band that holds both counts is the score.",
    units=("claim",),
    by_support=True,
    settings=(
        RuleSetting("single source", "no", options=("yes", "no")),
        UNNAMED_ABSENT,
        RuleSetting("nothing asserted", "not scored", options=("not scored", "best")),
    ),
    table=("score", "slight at most", "serious at most"),
)
SHARE_OF_WORDS = Rule(
    "share of words at fault",
    _share_of_words,
    "No fault 5; serious faults in nearly all of the text 1; two or more of them in most of it 2; exactly one fault of "
    "any severity 4; otherwise 3.",
    units=("claim",),
    by_support=True,
    settings=(
        RuleSetting("nearly all", "0.9"),
        # At a share of 1 a comparison with every item verified would already be mostly unsupported.
        RuleSetting("mostly unsupported", "0.5", high=Fraction(99, 100)),
    ),
    points=(1, 5),
    counts_down=True,
)
