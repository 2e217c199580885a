"""A whole run as people look at it: what it came to, how the judge did, and where to look first."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.packs.trial_eligibility.determination import DETERMINATIONS
from assay.pages.breakdown import Breakdown, Breakdowns
from assay.pages.headlines import GoodnessView, Headline, build_headlines, view_goodness
from assay.pages.health import Health, HealthView
from assay.pages.ranking import Ranked, Ranking, list_ranked
from assay.report.conclusion import say_eligibility
from assay.report.summary import Summary
from assay.store.store import RunRow


@dataclass(frozen=True, slots=True)
class EligibilityView:
    """Determinations against the truth, as a table and in sentences."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunView:
    """`ranking` orders every record, for pages that can't show all of them."""

    run: RunRow
    rubric: Rubric
    records: int
    headlines: tuple[Headline, ...]
    total: GoodnessView | None
    breakdowns: tuple[Breakdown, ...]
    health: HealthView
    eligibility: EligibilityView | None
    worst: tuple[Ranked, ...]
    disputed: tuple[Ranked, ...]
    unscored: tuple[Ranked, ...]
    unscored_count: int
    ranking: Ranking

    @property
    def started(self) -> str:
        return f"{self.run.started:%Y-%m-%d %H:%M} UTC"


@dataclass(slots=True)
class RunTally:
    """Takes scorecards one by one, so that memory does not grow with the texts of a run."""

    run: RunRow
    rubric: Rubric
    summary: Summary = field(init=False)
    breakdowns: Breakdowns = field(init=False)
    health: Health = field(init=False)
    ranking: Ranking = field(default_factory=Ranking)

    def __post_init__(self) -> None:
        self.summary = Summary(self.rubric)
        self.breakdowns = Breakdowns(self.rubric)
        self.health = Health(self.rubric)

    def add(self, card: Scorecard) -> None:
        self.ranking.add(self.summary.records, card)
        self.summary.add(card)
        self.breakdowns.add(card)
        self.health.add(card)

    def build(self) -> RunView:
        ranking = self.ranking
        return RunView(
            run=self.run,
            rubric=self.rubric,
            records=self.summary.records,
            headlines=build_headlines(self.summary),
            total=view_goodness(self.summary.totals) if len(self.rubric.metrics) > 1 else None,
            breakdowns=tuple(self.breakdowns.build()),
            health=self.health.build(self.summary.answers),
            eligibility=_build_eligibility(self.summary),
            worst=list_ranked(ranking.worst),
            disputed=list_ranked(ranking.disputed),
            unscored=tuple(ranking.unscored),
            unscored_count=ranking.unscored_count,
            ranking=ranking,
        )


def build_run_view(run: RunRow, rubric: Rubric, cards: Iterable[Scorecard]) -> RunView:
    """One card per record, its judges and samples combined, in the order of the run."""
    tally = RunTally(run, rubric)
    for card in cards:
        tally.add(card)
    return tally.build()


def _build_eligibility(summary: Summary) -> EligibilityView | None:
    table = summary.eligibility()
    if table is None:
        return None
    columns = tuple(name.replace("_", " ") for name in (*DETERMINATIONS, "undetermined"))
    rows = tuple(
        (truth.replace("_", " "), (*counts, table.count(truth, None)))
        for truth, counts in zip(DETERMINATIONS, table.rows, strict=True)
    )
    return EligibilityView(columns, rows, tuple(say_eligibility(table)))
