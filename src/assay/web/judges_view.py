"""How well judges agree with people, as pages show it: each judge beside people, by rubric and metric."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from assay.agreement.estimate import Estimate
from assay.report.display import format_estimate
from assay.store.agreements import KeptAgreement, KeptFigure
from assay.web.drawing import Interval, draw_interval


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    name: str
    strip: Markup
    said: str


@dataclass(frozen=True, slots=True)
class MetricJudges:
    """The judges that were compared with people under one metric of a rubric, the best first."""

    name: str
    rubric: str
    judges: Sequence[KeptAgreement]


def build_judges(kept: Sequence[KeptAgreement]) -> Iterator[MetricJudges]:
    """By rubric, version and metric. Figures of one metric may be of different labels; each says of how many."""
    groups: dict[tuple[str, str, str], list[KeptAgreement]] = {}
    for each in kept:
        groups.setdefault((each.rubric, each.rubric_digest, each.metric), []).append(each)
    for (rubric, _, _), found in sorted(groups.items()):
        yield MetricJudges(found[0].name, rubric, sorted(found, key=_rank, reverse=True))


def _rank(kept: KeptAgreement) -> tuple[bool, float]:
    """A judge without a verdict is behind all others, however high its figure is."""
    has_verdict = kept.verdict is not None and kept.verdict.finding not in {"too_few", "undefined"}
    return has_verdict, -1.0 if kept.value is None else kept.value


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
