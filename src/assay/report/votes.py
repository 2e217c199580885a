"""The labels that several judges or samples give one unit, and whether they agree."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from assay.domain.findings import Label
from assay.domain.rubric import Metric
from assay.domain.scorecard import Scorecard, Voice
from assay.report.display import SPLIT, UNSURE, Tone, name_judge, plain, tone_of


@dataclass(frozen=True, slots=True)
class Vote:
    """One label of one judge, or of one of its samples."""

    judge: str
    label: Label
    tone: Tone


@dataclass(frozen=True, slots=True)
class Votes:
    """All labels of one unit, those that most judges do not share first."""

    all: tuple[Vote, ...] = ()

    @property
    def counts(self) -> Counter[str]:
        return Counter(vote.label.label for vote in self.all)

    @property
    def is_split(self) -> bool:
        return len(self.counts) > 1

    @property
    def is_dissent(self) -> bool:
        """Whether two labels that decide differ. One that is undecided is split from the others and denies nothing."""
        return len({vote.label.label for vote in self.all if vote.label.decided}) > 1

    @property
    def said(self) -> str:
        """The rarest label first: `split: 1 absent, 2 supported`."""
        return "split: " + ", ".join(f"{count} {plain(name)}" for name, count in reversed(self.counts.most_common()))

    def find_tone(self, own: Tone) -> Tone:
        """How the unit is drawn, where `own` is the tone of the first label."""
        return SPLIT if self.is_dissent else UNSURE if self.is_split else own


def collect_votes(card: Scorecard, metric: Metric) -> Mapping[tuple[str, str], Votes]:
    """By part and unit; empty where a record was judged once. A label of a unit with another text is no vote."""
    voices = card.voices.get(metric.id, ())
    texts = {unit.id: unit.text for unit in card.outcomes[metric.id].trail.units}
    parts = {part.id: part for part in metric.label_parts}
    found: dict[tuple[str, str], list[Vote]] = {}
    for voice in voices:
        own = {unit.id: unit.text for unit in voice.outcome.trail.units}
        for label in voice.outcome.trail.findings.labels:
            if label.unit in texts and own.get(label.unit) == texts[label.unit]:
                vote = Vote(_name(voice, voices), label, tone_of(label, parts.get(label.part)))
                found.setdefault((label.part, label.unit), []).append(vote)
    return {key: _order(votes) for key, votes in found.items()}


def _order(votes: list[Vote]) -> Votes:
    counts = Votes(tuple(votes)).counts
    return Votes(tuple(sorted(votes, key=lambda vote: (counts[vote.label.label], vote.tone.gravity))))


def _name(voice: Voice, voices: tuple[Voice, ...]) -> str:
    """With the sample's number only where the judge has several."""
    has_samples = sum(each.judge == voice.judge for each in voices) > 1
    return name_judge(voice.judge) + (f", sample {voice.sample + 1}" if has_samples else "")
