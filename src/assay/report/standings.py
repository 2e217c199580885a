"""Systems ranked on the same items: a table for each metric, who beats whom, and the effect of position."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console

from assay.agreement.estimate import Estimate
from assay.agreement.standing import (
    PlacedScore,
    Standings,
    SystemScore,
    find_order_value,
    find_ranking_grade,
    measure_position,
    rank_systems,
)
from assay.domain.json import JSON
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import say_number
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.display import clip_name, format_estimate
from assay.report.terminal import build_table, print_wrapped

# A run whose records name no system is one system.
_UNNAMED = "(no system)"
_NOTE = (
    "Mean: on the metric's scale, over the outputs with a score. Win rate: share of meetings with another system on "
    "one source group that it wins, ties counting half. Strength: Bradley–Terry, in log-odds. "
    "Intervals: 95 %, over source groups."
)


@dataclass(frozen=True, slots=True)
class MetricRanking:
    """`scored` is for each system how many of its outputs have a score, and how many it has.

    `is_graded` where the order is by a grade that is asked for side by side, beside a computed score.
    """

    metric: Metric
    standings: Standings
    position: Estimate | None
    scored: Mapping[str, tuple[int, int]]
    is_graded: bool = False


@dataclass(slots=True)
class RankedRuns:
    """Collects scorecards; each record counts for its system, or for its run where no system is named."""

    rubric: Rubric
    scores: dict[str, list[SystemScore]] = field(default_factory=dict)
    placed: dict[str, list[PlacedScore]] = field(default_factory=dict)
    outputs: Counter[str] = field(default_factory=Counter)

    def add(self, card: Scorecard, name: str = _UNNAMED) -> None:
        record, system = card.record, card.record.system or name
        self.outputs[system] += 1
        for metric in self.rubric.metrics:
            outcome = card.outcomes.get(metric.id)
            value = None if outcome is None else find_order_value(outcome, metric)
            if value is not None:
                self.scores.setdefault(metric.id, []).append(SystemScore(record.item, system, value))
            answers = [voice.outcome for voice in card.voices.get(metric.id, ())] or [card.outcomes[metric.id]]
            for answer in answers:
                said, placement = find_order_value(answer, metric), answer.trail.placement
                if said is not None and placement is not None:
                    group = (record.item, placement.block)
                    output = (record.id, record.system)
                    found = self.placed.setdefault(metric.id, [])
                    found.append(PlacedScore(group, output, placement.position, said))

    def rank(self, metrics: Sequence[str] = ()) -> list[MetricRanking]:
        """Raises InputError where there are not two systems on one item."""
        found = []
        for metric in self.rubric.metrics:
            scores = self.scores.get(metric.id, [])
            if (metrics and metric.id not in metrics) or not scores:
                continue
            placed = self.placed.get(metric.id)
            position = measure_position(placed) if placed else None
            counts = Counter(score.system for score in scores)
            scored = {system: (counts[system], count) for system, count in self.outputs.items()}
            is_graded = find_ranking_grade(metric) is not None
            found.append(MetricRanking(metric, rank_systems(scores), position, scored, is_graded))
        met = any(count for each in found for row in each.standings.meetings for count in row)
        if not met:
            remedy = "Give the records of several systems on the same sources, each with its `system`."
            raise InputError("no source group has scores of two systems", remedy=remedy)
        return found


def print_rankings(console: Console, rankings: Iterable[MetricRanking]) -> None:
    for each in rankings:
        sign = 1 if each.metric.scale.best == "high" else -1
        title = f"{each.metric.name}, by its grade side by side (an opinion)" if each.is_graded else each.metric.name
        console.print(f"\n{title}", style="bold")
        systems = each.standings.systems
        columns = (
            "system",
            "scored",
            "mean",
            "win rate",
            "strength",
            *(f"v. {at}" for at in range(1, len(systems) + 1)),
        )
        rows = []
        for number, found in enumerate(systems):
            wins = [
                "–" if not met else f"{say_number(won)}/{met}"
                for won, met in zip(each.standings.wins[number], each.standings.meetings[number], strict=True)
            ]
            figures = (_signed(found.mean, sign), found.win_rate, found.strength)
            name, scored = f"{number + 1} {clip_name(found.system)}", "{} of {}".format(*each.scored[found.system])
            rows.append((name, scored, *map(format_estimate, figures), *wins))
        console.print(build_table(*columns, rows=rows))
        if each.position is not None:
            effect = format_estimate(_signed(each.position, sign))
            print_wrapped(console, f"First place less later places: {effect} on the scale.", style="dim")
    print_wrapped(console, _NOTE, style="dim")


def _signed(found: Estimate, sign: int) -> Estimate:
    if sign > 0 or found.value is None:
        return found
    ends = None if found.interval is None else (-found.interval[1], -found.interval[0])
    return Estimate(-found.value, ends, found.n, found.clusters, found.undefined, found.warnings)


def build_rankings(rankings: Iterable[MetricRanking]) -> dict[str, JSON]:
    """As JSON: by metric the systems in their order, and who beat whom how often."""
    return {each.metric.id: _build_ranking(each) for each in rankings}


def _build_ranking(found: MetricRanking) -> JSON:
    sign = 1 if found.metric.scale.best == "high" else -1
    systems = found.standings.systems
    return {
        "by": "grade" if found.is_graded else "score",
        "systems": [
            {
                "system": each.system,
                "source_groups": each.items,
                "scored": found.scored[each.system][0],
                "outputs": found.scored[each.system][1],
                "mean": _build_estimate(_signed(each.mean, sign)),
                "win_rate": _build_estimate(each.win_rate),
                "strength": _build_estimate(each.strength),
                "wins": dict(zip((other.system for other in systems), won, strict=True)),
                "meetings": dict(zip((other.system for other in systems), met, strict=True)),
            }
            for each, won, met in zip(systems, found.standings.wins, found.standings.meetings, strict=True)
        ],
        "first_place": None if found.position is None else _build_estimate(_signed(found.position, sign)),
    }


def _build_estimate(found: Estimate) -> JSON:
    return {"value": found.value, "interval": None if found.interval is None else list(found.interval), "n": found.n}
