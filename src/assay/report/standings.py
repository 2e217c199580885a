"""Systems ranked on the same items: a table for each metric, who beats whom, and the effect of position."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich.console import Console

from assay.agreement.estimate import Estimate
from assay.agreement.standing import (
    PlacedScore,
    Standings,
    SystemScore,
    find_order_scale,
    find_order_value,
    find_ranking_grade,
    measure_position,
    rank_systems,
)
from assay.domain.json import JSON
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import Scale
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.display import clip_name, format_estimate
from assay.report.mean import has_enough
from assay.report.terminal import build_table, print_wrapped

# A run whose records name no system is one system.
_UNNAMED = "(no system)"
RANKING_NOTE = (
    "Mean: on the metric's scale, over the outputs with a score. Win rate: share of meetings with another system on "
    "one source group that it wins, ties counting half. Strength: Bradley–Terry, in log-odds. "
    "Intervals: 95 %, over source groups. !: fewer than 90 % of its outputs have a score, so the others may change its "
    "place."
)


@dataclass(frozen=True, slots=True)
class MetricRanking:
    """The best system first, each with its mean on the metric's scale.

    `scored` is for each system how many of its outputs have a score, and how many it has. `first_place` is how much
    higher an output stands on the scale in the first place than in a later one; None where outputs were judged alone.
    `is_graded` where the order is by a grade that is asked for side by side, beside a computed score.
    """

    metric: Metric
    standings: Standings
    first_place: Estimate | None
    scored: Mapping[str, tuple[int, int]]
    is_graded: bool = False

    @property
    def title(self) -> str:
        return f"{self.metric.name}, by its grade side by side (an opinion)" if self.is_graded else self.metric.name

    @property
    def scale(self) -> Scale:
        return find_order_scale(self.metric)

    def say_scored(self, system: str) -> str:
        """With a mark where the mean leaves out too many outputs to be compared."""
        scored, outputs = self.scored[system]
        return f"{scored} of {outputs}{'' if has_enough(scored, outputs) else '!'}"


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
            for answer in card.list_answers(metric.id):
                said, placement = find_order_value(answer, metric), answer.trail.placement
                if said is not None and placement is not None:
                    placed = PlacedScore(record.item, (record.id, system), placement.position, said)
                    self.placed.setdefault(metric.id, []).append(placed)

    def rank(self, metrics: Sequence[str] = ()) -> list[MetricRanking]:
        """Raises InputError where there are not two systems on one item."""
        found = []
        for metric in self.rubric.metrics:
            scores = self.scores.get(metric.id, [])
            if metrics and metric.id not in metrics:
                continue
            placed, standings = self.placed.get(metric.id), rank_systems(scores, self.outputs)
            systems = tuple(replace(each, mean=_turn(each.mean, metric)) for each in standings.systems)
            first_place = _turn(measure_position(placed), metric) if placed else None
            counts = Counter(score.system for score in scores)
            scored = {system: (counts[system], count) for system, count in self.outputs.items()}
            is_graded = find_ranking_grade(metric) is not None
            found.append(MetricRanking(metric, replace(standings, systems=systems), first_place, scored, is_graded))
        met = any(count for each in found for row in each.standings.meetings for count in row)
        if not met:
            remedy = "Give the records of several systems on the same sources, each with its `system`."
            raise InputError("no source group has scores of two systems", remedy=remedy)
        return found


def _turn(found: Estimate, metric: Metric) -> Estimate:
    """What was measured with the best end highest, on the metric's scale."""
    if find_order_scale(metric).best == "high" or found.value is None:
        return found
    ends = None if found.interval is None else (-found.interval[1], -found.interval[0])
    return replace(found, value=-found.value, interval=ends)


def split_unscored(rankings: Iterable[MetricRanking]) -> tuple[list[MetricRanking], str]:
    """Those in which some output has a score, and the names of the other metrics, which are one line."""
    scored, unscored = list[MetricRanking](), list[str]()
    for each in rankings:
        if any(count for count, _ in each.scored.values()):
            scored.append(each)
        else:
            unscored.append(each.metric.name)
    return scored, f"Not scored: {', '.join(unscored)}." if unscored else ""


def print_rankings(console: Console, rankings: Iterable[MetricRanking]) -> None:
    scored_metrics, unscored = split_unscored(rankings)
    for each in scored_metrics:
        console.print(f"\n{each.title}", style="bold")
        systems, rows, wins = each.standings.systems, [], []
        for at, found in enumerate(systems):
            name, scored = f"{at + 1} {clip_name(found.system)}", each.say_scored(found.system)
            rows.append((name, scored, *map(format_estimate, (found.mean, found.win_rate, found.strength))))
            wins.append((str(at + 1), *(said for said, _ in each.standings.count_wins(at))))
        console.print(build_table("system", "scored", "mean", "win rate", "strength", rows=rows))
        # Apart, and by numbers: beside names and figures many systems have no room.
        console.print(build_table("wins", *(f"v. {at}" for at in range(1, len(systems) + 1)), rows=wins))
        if each.first_place is not None:
            effect = format_estimate(each.first_place)
            print_wrapped(console, f"First place minus later places: {effect} on the scale.", style="dim")
    if unscored:
        print_wrapped(console, unscored)
    print_wrapped(console, RANKING_NOTE, style="dim")


def build_rankings(rankings: Iterable[MetricRanking]) -> dict[str, JSON]:
    """As JSON: by metric the systems in their order, and who beat whom how often."""
    return {each.metric.id: _build_ranking(each) for each in rankings}


def _build_ranking(found: MetricRanking) -> JSON:
    systems = found.standings.systems
    return {
        "by": "grade" if found.is_graded else "score",
        "systems": [
            {
                "system": each.system,
                "source_groups": each.items,
                "scored": found.scored[each.system][0],
                "outputs": found.scored[each.system][1],
                "mean": _build_estimate(each.mean),
                "win_rate": _build_estimate(each.win_rate),
                "strength": _build_estimate(each.strength),
                "wins": dict(zip((other.system for other in systems), won, strict=True)),
                "meetings": dict(zip((other.system for other in systems), met, strict=True)),
            }
            for each, won, met in zip(systems, found.standings.wins, found.standings.meetings, strict=True)
        ],
        "first_place": None if found.first_place is None else _build_estimate(found.first_place),
    }


def _build_estimate(found: Estimate) -> JSON:
    return {"value": found.value, "interval": None if found.interval is None else list(found.interval), "n": found.n}
