"""Systems ranked on the same sources, as one self-contained page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from assay.agreement.estimate import Estimate
from assay.agreement.standing import SystemStanding
from assay.domain.rubric import Rubric
from assay.report.display import format_estimate
from assay.report.standings import RANKING_NOTE, MetricRanking
from assay.store.runs import RunRow
from assay.web.drawing import draw_interval
from assay.web.rendering import build_environment, inline_assets

_EVEN = 0.5


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A row of the table. Mean and win rate are drawn and in words; `wins` are against each system, with a tone."""

    number: int
    name: str
    scored: str
    mean: tuple[Markup, str]
    win_rate: tuple[Markup, str]
    wins: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class RankedMetric:
    """`first_place` is its effect in words and drawn, as a share of the scale; None where outputs were judged alone."""

    ranking: MetricRanking
    systems: Sequence[RankedSystem]
    first_place: tuple[Markup, str] | None


def render_ranking(rubric: Rubric, runs: Sequence[RunRow], rankings: Sequence[MetricRanking]) -> Iterator[str]:
    """In pieces."""
    template = build_environment().get_template("ranking.html")
    metrics = [_build_metric(each) for each in rankings]
    return template.generate(rubric=rubric, runs=runs, metrics=metrics, note=RANKING_NOTE, inlined=inline_assets())


def _build_metric(ranking: MetricRanking) -> RankedMetric:
    systems = [_build_system(ranking, at, each) for at, each in enumerate(ranking.standings.systems)]
    return RankedMetric(ranking, systems, _draw_first_place(ranking))


def _build_system(ranking: MetricRanking, at: int, found: SystemStanding) -> RankedSystem:
    mean, scale = ranking.mean(found), ranking.scale
    drawn = _draw(f"{found.system}: mean", mean, float(scale.low), float(scale.high))
    rate = _draw(f"{found.system}: win rate", found.win_rate, 0, 1, _find_tone(found.win_rate))
    wins = [(said, _find_win_tone(share)) for said, share in ranking.standings.count_wins(at)]
    scored = ranking.say_scored(found.system)
    return RankedSystem(at + 1, found.system, scored, drawn, rate, wins)


def _draw(
    said: str, found: Estimate, low: float, high: float, tone: str = "none", start: float = 0
) -> tuple[Markup, str]:
    """On a line from `start` to 1, which are `low` and `high`."""
    words = format_estimate(found)

    def place(value: float) -> float:
        return start + (1 - start) * (value - low) / (high - low)

    ends = None if found.interval is None else (place(found.interval[0]), place(found.interval[1]))
    at = None if found.value is None else place(found.value)
    return draw_interval(at, ends, f"{said} {words}", tone, start), words


def _draw_first_place(ranking: MetricRanking) -> tuple[Markup, str] | None:
    if ranking.first_place is None:
        return None
    width = float(ranking.scale.high - ranking.scale.low)
    return _draw("First place less later places:", ranking.first_place, -width, width, start=-1)


def _find_tone(rate: Estimate) -> str:
    """Whether a system is shown to win more, or less, than half of its meetings."""
    if rate.interval is None:
        return "none"
    return "high" if rate.interval[0] > _EVEN else "low" if rate.interval[1] < _EVEN else "none"


def _find_win_tone(share: float | None) -> str:
    return "none" if share is None or share == _EVEN else "high" if share > _EVEN else "low"
