"""Cards of several judges and samples, with scores, flags and facets chosen by the test."""

from fractions import Fraction

from assay.domain.outcome import Abstention, Failure, Outcome, Score, Trail, Verdict
from assay.domain.record import Record, Source
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import Scale
from assay.domain.scorecard import Notice, Scorecard
from assay.scoring.total import compute_total

HIGH, LOW = Scale(Fraction(0), Fraction(10), decimals=1), Scale(Fraction(0), Fraction(3), "low")
METRICS = (
    Metric("support", "Support", "Is it so?", HIGH, "share", {}, (), (), weight=Fraction(1, 4)),
    Metric("harm", "Harm", "Does it harm?", LOW, "bands", {}, (), (), weight=Fraction(3, 4)),
)
RUBRIC = Rubric("tea", "1", "Tea", "About tea.", (), (), METRICS, "d1", "# Tea")


def score(value: object, metric: str = "support", width: object = 0, **trail: tuple[str, ...]) -> Verdict:
    scale = HIGH if metric == "support" else LOW
    found = Fraction(str(value))
    return Verdict(Score(found, found, (found, found + Fraction(str(width))), scale, "so"), Trail(**trail))


def refused(**trail: tuple[str, ...]) -> Failure:
    return Failure("refused", "no", Trail(**trail))


def abstained() -> Abstention:
    return Abstention("abstained", "who knows")


def record(number: int, output: str = "Tea wakes you up.", system: str | None = None, **facets: str) -> Record:
    sources = (Source("s1", "Green tea has caffeine."),)
    return Record(f"r{number}", f"i{number}", output, sources, "Is tea good?", system, {"n": number}, facets=facets)


def card(
    about: Record, support: Outcome, harm: Outcome | None = None, *, judge: str = "m", notices: tuple[str, ...] = ()
) -> Scorecard:
    outcomes: dict[str, Outcome] = {"support": support, "harm": harm or score(0, "harm")}
    found = tuple(Notice(check, "look") for check in notices)
    return Scorecard(about, RUBRIC, judge, outcomes, compute_total(RUBRIC, outcomes), found)
