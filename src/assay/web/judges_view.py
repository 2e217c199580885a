"""How well judges agree with people, as pages draw it: a judge beside people, its curve, and agreement by cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from assay.agreement.estimate import Estimate
from assay.report.display import format_estimate, name_judge, name_verdict
from assay.store.agreements import KeptAgreement, KeptFigure
from assay.web.drawing import UNIT, Axis, Interval, Point, draw_interval, draw_plot

# Of a thousand records: a record costs fractions of a cent.
_PRICED = 1_000


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    name: str
    strip: Markup
    said: str


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """`number` is the judge's sign in the plot."""

    number: int
    judge: str
    kept: KeptAgreement
    figures: tuple[DrawnFigure, ...]
    verdict: str
    cost: str


@dataclass(frozen=True, slots=True)
class MetricJudges:
    """The judges that were held against people under one metric, the best first; `plot` is agreement by cost."""

    name: str
    rubric: str
    lines: tuple[JudgeLine, ...]
    plot: Markup | None


def draw_figures(kept: KeptAgreement) -> tuple[DrawnFigure, ...]:
    """The judge and people in the same place where people's own agreement is known; else the judge and a constant."""
    rows: list[tuple[str, KeptFigure]] = []
    if kept.in_place is not None and kept.people is not None:
        rows += [(f"this judge: {kept.ceiling}", kept.in_place), ("people with each other", kept.people)]
    elif kept.value is not None:
        rows += [(f"this judge: {kept.figure}", KeptFigure(kept.value, kept.low, kept.high))]
        rows += [("a constant answer", KeptFigure(kept.constant))]
    low = -1.0 if any((figure.value if figure.low is None else figure.low) < 0 for _, figure in rows) else 0.0
    return tuple(_draw_figure(name, figure, low) for name, figure in rows)


def _draw_figure(name: str, figure: KeptFigure, low: float) -> DrawnFigure:
    said = format_estimate(Estimate(figure.value, _find_interval(figure), 0, 0))
    return DrawnFigure(name, draw_interval(figure.value, _find_interval(figure), f"{name}: {said}", low=low), said)


def _find_interval(figure: KeptFigure) -> Interval | None:
    return None if figure.low is None or figure.high is None else (figure.low, figure.high)


def draw_curve(kept: KeptAgreement) -> Markup | None:
    """The calibration curve; none with fewer than two points."""
    points = [
        Point(
            each.judge,
            each.people.value,
            _find_interval(each.people),
            f"judge {each.judge:.2f}, people {each.people.value:.2f}, {each.n} records",
        )
        for each in kept.curve
    ]
    said = f"{kept.name}: what people say where the judge says so much. " + "; ".join(each.said for each in points)
    return draw_plot(said, points, UNIT, lines=[points], has_diagonal=True) if len(points) > 1 else None


def build_judges(kept: Sequence[KeptAgreement]) -> Iterator[MetricJudges]:
    """By rubric, version and metric. Figures of one metric may be of different labels; each says of how many."""
    groups: dict[tuple[str, str, str], list[KeptAgreement]] = {}
    for each in kept:
        groups.setdefault((each.rubric, each.rubric_digest, each.metric), []).append(each)
    for (rubric, _, _), found in sorted(groups.items()):
        ranked = sorted(found, key=_rank, reverse=True)
        lines = tuple(
            JudgeLine(
                *(number, name_judge(each.judge), each, draw_figures(each)),
                *(name_verdict(each), _format_cost(each.usd)),
            )
            for number, each in enumerate(ranked, 1)
        )
        yield MetricJudges(ranked[0].name, rubric, lines, _draw_costs(lines))


def _draw_costs(lines: Sequence[JudgeLine]) -> Markup | None:
    """Of judges with a verdict. None where fewer than two of them have a known price, or none was paid for."""
    known = [line for line in lines if _has_verdict(line.kept)]
    priced = [(line, line.kept.usd * _PRICED, line.kept) for line in known if line.kept.usd is not None]
    dearest = max((usd for _, usd, _ in priced), default=0.0)
    if len(priced) < 2 or dearest <= 0:
        return None
    points = [
        Point(
            usd,
            kept.value,
            None if kept.low is None or kept.high is None else (kept.low, kept.high),
            f"{line.judge}: {kept.figure} {kept.value:.2f}, {line.cost}",
            sign=str(line.number),
        )
        for line, usd, kept in priced
        if kept.value is not None
    ]
    least = min((point.interval[0] if point.interval else point.y for point in points), default=0.0)
    up = UNIT if least >= 0 else Axis(-1, 1, ((-1, "−1"), (0, "0"), (1, "1")))
    across = Axis(0, dearest * 1.1, ((0, "$0"), (dearest, _format_cost(dearest / _PRICED))))
    return draw_plot("Agreement with people by cost. " + "; ".join(point.said for point in points), points, across, up)


def _rank(kept: KeptAgreement) -> tuple[bool, float]:
    """A judge without a verdict is behind all others, however high its figure is."""
    return _has_verdict(kept), -1.0 if kept.value is None else kept.value


def _has_verdict(kept: KeptAgreement) -> bool:
    return kept.verdict is not None and kept.verdict.finding not in {"too_few", "undefined"}


def _format_cost(usd: float | None) -> str:
    return "price unknown" if usd is None else f"${usd * _PRICED:.2f}"
