"""Builds tallies from counts, for tests of the arithmetic."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from assay.domain.findings import Evidence, Fact, FactValue, Findings, Grade, Label, Pick, Piece, Remark
from assay.domain.outcome import Abstention, Score, Trail, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Metric
from assay.domain.span import Span
from assay.domain.units import PREFIXES, Unit, UnitKind
from assay.files.rubrics import open_rubric
from assay.scoring.score import score_metric
from assay.scoring.tally import MetricTally
from assay.units.evidence import place_pieces


@cache
def shipped(rubric: str, metric: str) -> Metric:
    return open_rubric(rubric).metric(metric)


def label_units(kind: UnitKind, *labels: str | tuple[str, str | None]) -> tuple[Label, ...]:
    """One label each for c1, c2 …; a pair is a label and its qualifier."""
    named = [(label, None) if isinstance(label, str) else label for label in labels]
    return tuple(
        Label(kind, f"{PREFIXES[kind]}{number}", label, qualifier=qualifier)
        for number, (label, qualifier) in enumerate(named, 1)
    )


def label_counts(kind: UnitKind, **counts: int) -> tuple[Label, ...]:
    return label_units(kind, *(label for label, count in counts.items() for _ in range(count)))


def support(supported: int, partial: int = 0, absent: int = 0, undecided: int = 0) -> tuple[Label, ...]:
    return label_counts("claim", supported=supported, partial=partial, absent=absent, undecided=undecided)


def quoting(label: Label, *sources: str) -> Label:
    evidence = tuple(Evidence(source, Span(0, 1), "a") for source in sources)
    return Label(label.part, label.unit, label.label, evidence=evidence, qualifier=label.qualifier)


def build_tally(
    metric: Metric,
    *labelled: tuple[Label, ...],
    claims: tuple[Label, ...] | None = None,
    grades: Mapping[str, Fraction | int | str] | None = None,
    output: str = "",
    facts: Mapping[str, FactValue] | None = None,
    units: Mapping[str, Unit] | None = None,
    ranking: tuple[str, ...] = (),
    remarks: tuple[Remark, ...] = (),
) -> MetricTally:
    known = {label.unit: _unit(label) for group in (*labelled, claims or ()) for label in group}
    findings = Findings(
        tuple(label for group in labelled for label in group),
        tuple(Grade(name, Fraction(level)) for name, level in (grades or {}).items()),
        tuple(Pick(part.id, ranking) for part in metric.pick_parts if ranking),
        remarks,
    )
    return MetricTally(
        metric,
        Record("r", "i", output, ()),
        findings,
        units=known | dict(units or {}),
        claims=claims,
        facts={name: Fact(value, f"{name} is {value}") for name, value in (facts or {}).items()},
    )


def _unit(label: Label) -> Unit:
    kind = next(kind for kind in PREFIXES if kind == label.part)
    return Unit(label.unit, kind, f"words of {label.unit}", sources=("s1",))


class Judged(NamedTuple):
    """A claim of a text, its label, and the words at fault: `words!` is a serious fault, `words` a slight one."""

    text: str
    label: str = "supported"
    pieces: tuple[str, ...] = ()
    cell: str = ""


def read_judged(metric: Metric, *judged: Judged) -> MetricTally:
    """The claims one after another are the output; words at fault are found there as those of a judge are."""
    labels, units, output = [], {}, ""
    for number, each in enumerate(judged, 1):
        unit = Unit(f"c{number}", "claim", each.text, Span(len(output), len(output) + len(each.text)), ("s1",))
        units[unit.id] = replace(unit, context=each.cell)
        output += f"{each.text}\n"
        pieces = (Piece(words.rstrip("!"), "serious" if words[-1] == "!" else "slight") for words in each.pieces)
        labels.append(Label("claim", unit.id, each.label, pieces=tuple(pieces)))
    placed = tuple(place_pieces(label, units[label.unit], output) for label in labels)
    assert [len(label.pieces) for label in placed] == [len(each.pieces) for each in judged], "words that are not there"
    own = [] if metric.claims_from else [placed]
    return build_tally(metric, *own, claims=placed, units=units, output=output)


def coverage_tally(
    full: int, partial: int, none: int, extraneous: int, words: int, *, metric: Metric | None = None
) -> MetricTally:
    """A summary of one supported claim, then one absent claim of `extraneous` words if there are any."""
    output = " ".join(["word"] * words)
    cut = 5 * (words - extraneous)
    supported = Unit("c1", "claim", output[:cut], Span(0, max(cut - 1, 0)))
    absent = Unit("c2", "claim", output[cut:], Span(cut, len(output)))
    labels = support(1, absent=1) if extraneous else support(1)
    points = label_counts("key_point", Fully=full, Partial=partial, Not=none)
    return build_tally(
        metric or shipped("article-audit", "coverage"),
        points,
        claims=labels,
        output=output,
        units={"c1": supported, "c2": absent},
    )


def scored(tally: MetricTally) -> Verdict:
    outcome = score_metric(tally, Trail())
    assert isinstance(outcome, Verdict), outcome
    return outcome


def score_of(tally: MetricTally) -> Score:
    return scored(tally).score


def raw_and_final(score: Score) -> tuple[object, object]:
    """As objects, so that whole numbers in a table can be compared with fractions."""
    return score.raw, score.value


def unscored(tally: MetricTally) -> Abstention:
    outcome = score_metric(tally, Trail())
    assert isinstance(outcome, Abstention), outcome
    return outcome
