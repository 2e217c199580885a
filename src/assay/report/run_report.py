"""A whole run as every report shows it: the summary, breakdowns by system and tag, and where to look first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from assay.domain.listed import Listed, build_listed
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.engine.costs import render_share, render_usd
from assay.report.display import QUIET_FLAGS, clip_name
from assay.report.mean import Mean
from assay.report.ranking import Ranking
from assay.report.summary import Summary
from assay.store.runs import RunRow, RunUsage

_MOST_VALUES = 15
_NONE = "none given"


class Breakdown(NamedTuple):
    """The mean of each metric by the system, or by the value of a tag. `unlisted` counts the rarest values."""

    name: str
    rows: Sequence[tuple[str, Mapping[str, Mean]]]
    unlisted: int


@dataclass(slots=True)
class RunReport:
    """Takes scorecards one by one, so that memory does not grow with the texts of a run."""

    run: RunRow
    rubric: Rubric
    summary: Summary
    usage: RunUsage = field(default_factory=RunUsage)
    ranking: Ranking = field(default_factory=Ranking)
    # By system and by tag, then by value and by metric.
    _means: dict[str, dict[str, dict[str, Mean]]] = field(default_factory=dict)

    def add(self, row: Listed, card: Scorecard) -> None:
        self.ranking.add(row, card)
        facets = {f"Tag {name}": value for name, value in row.facets.items()}
        for name, value in {"System": row.system or _NONE, **facets}.items():
            means = self._means.setdefault(clip_name(name), {}).setdefault(clip_name(value), {})
            for metric, found in row.scores.items():
                means.setdefault(metric, Mean()).add(row.item, found)

    @property
    def unjudged(self) -> int:
        """The records of the run that nobody has judged yet: it was stopped, or still goes on."""
        return max(0, (self.run.record_count or 0) - self.summary.records)

    @property
    def cost(self) -> str:
        """Calls, tokens, how much of the prompts the provider had cached, and dollars. Empty where nothing was sent."""
        used = self.usage
        if not used.calls:
            return ""
        parts = [f"{used.calls:,} {'call' if used.calls == 1 else 'calls'}"]
        parts += [f"{used.prompt_tokens:,} prompt tokens", f"{used.completion_tokens:,} reply tokens"]
        if used.cached_tokens:
            parts[1] += f" ({render_share(used.cached_tokens, used.prompt_tokens)} cached by the provider)"
        return ", ".join([*parts, "price unknown" if used.unpriced_calls else render_usd(used.picodollars)])

    @property
    def breakdowns(self) -> list[Breakdown]:
        """By system and by tag, where records differ in it."""
        found = []
        for name, rows in self._means.items():
            ranked = sorted(rows.items(), key=lambda row: (-max(mean.asked for mean in row[1].values()), row[0]))
            if len(ranked) > 1:
                found.append(Breakdown(name, ranked[:_MOST_VALUES], max(0, len(ranked) - _MOST_VALUES)))
        return found

    @property
    def counts(self) -> Iterator[tuple[str, list[tuple[str, int]]]]:
        """Titles with what was counted under them, the most frequent first."""
        for title, counts in (
            ("Answers without a score", self.summary.missing),
            ("Flags, by records", self.summary.flags),
            ("Repairs, by records", self.summary.repairs),
            ("Rule-based checks, by records", self.summary.notices),
        ):
            kept = [each for each in counts.items() if each[0] not in QUIET_FLAGS]
            yield title, sorted(kept, key=lambda each: (-each[1], each[0]))


def build_run_report(
    run: RunRow,
    rubric: Rubric,
    cards: Iterable[Scorecard],
    usage: RunUsage | None = None,
    summary: Summary | None = None,
) -> RunReport:
    """One card per record, its judges and samples combined, in the order of the run.

    A `summary` that was made from the rows of the same records is not made again.
    """
    counted = summary or Summary(rubric)
    report = RunReport(run, rubric, counted, usage or RunUsage())
    for position, card in enumerate(cards):
        row = build_listed(card, position)
        report.add(row, card)
        if summary is None:
            counted.add(row)
    return report
