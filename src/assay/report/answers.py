"""What every judge and sample answered, counted where a record has several answers and its outcome is their mean."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.domain.outcome import Outcome, Verdict
from assay.domain.scorecard import Scorecard


def list_answers(card: Scorecard, metric: str) -> Sequence[Outcome]:
    """Each answer by itself, before any mean; where there was only one it is the outcome."""
    return [voice.outcome for voice in card.voices.get(metric, ())] or [card.outcomes[metric]]


@dataclass(slots=True)
class Tally:
    """Of so many answers asked for so many were scored; `missing` says by status what became of the others."""

    asked: int = 0
    scored: int = 0
    missing: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        self.asked += 1
        if isinstance(outcome, Verdict):
            self.scored += 1
        else:
            self.missing[outcome.status] += 1

    @property
    def said(self) -> str:
        why = ", ".join(f"{count} {status}" for status, count in self.missing.most_common())
        return f"{self.scored} of {self.asked}" + (f" ({why})" if why else "")


@dataclass(slots=True)
class Answers:
    """By judge, then by metric. Empty where each record was judged once: its outcomes are then all there is."""

    by_judge: dict[str, dict[str, Tally]] = field(default_factory=dict)

    def add(self, card: Scorecard) -> None:
        for metric, voices in card.voices.items():
            for voice in voices:
                self.by_judge.setdefault(voice.judge, {}).setdefault(metric, Tally()).add(voice.outcome)

    def add_up(self, metric: str) -> Tally | None:
        """Over all judges."""
        found = [tallies[metric] for tallies in self.by_judge.values() if metric in tallies]
        if not found:
            return None
        missing = sum((tally.missing for tally in found), Counter[str]())
        return Tally(sum(tally.asked for tally in found), sum(tally.scored for tally in found), missing)
