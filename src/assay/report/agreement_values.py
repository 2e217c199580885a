"""The labelled records of one metric as lists that statistics take: the judge's goodness beside people's."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from assay.agreement.pairs import Pairs, build_pairs
from assay.agreement.ratings import Ratings, build_ratings
from assay.report.label_join import ScoredRecord

# Good or bad, or a place on the metric's scale.
Kind = Literal["graded", "binary"]

# What a judge's goodness must reach to be called good, where labels say good or bad and nobody says otherwise.
DEFAULT_THRESHOLD = 0.5


def call_good(goodness: Iterable[float | None], threshold: float) -> list[float | None]:
    """Good is 1 and bad is 0; what has no goodness is neither."""
    return [None if each is None else float(each >= threshold) for each in goodness]


@dataclass(frozen=True, slots=True)
class Values:
    """Records with at least one person's word. `human` is the mean of the people, in binary labels their majority."""

    records: tuple[ScoredRecord, ...]
    people: tuple[str, ...]
    kind: Kind
    human: tuple[float | None, ...]

    @property
    def judge(self) -> list[float | None]:
        return [record.judge for record in self.records]

    @property
    def items(self) -> list[str]:
        return [record.item for record in self.records]

    @property
    def pairs(self) -> Pairs:
        systems = [record.key[1] or "" for record in self.records]
        return build_pairs(self.judge, self.human, self.items, systems=systems)

    @property
    def systems(self) -> int:
        return len({record.key[1] for record in self.records if record.key[1] is not None})

    @property
    def ratings(self) -> Ratings:
        table = [[record.people.get(person) for person in self.people] for record in self.records]
        return build_ratings(table, self.items)

    def ratings_called(self, threshold: float) -> Ratings:
        """Each person's good as 1 and bad as 0, graded labels cut at the threshold."""
        if self.kind == "binary":
            return self.ratings
        table = [call_good(map(record.people.get, self.people), threshold) for record in self.records]
        return build_ratings(table, self.items)

    @property
    def unscored(self) -> int:
        return sum(record.judge is None for record in self.records)

    @property
    def split(self) -> int:
        return sum(value is None for value in self.human)

    def only(self, keep: Callable[[ScoredRecord], bool]) -> "Values":
        kept = [(record, said) for record, said in zip(self.records, self.human, strict=True) if keep(record)]
        return Values(tuple(record for record, _ in kept), self.people, self.kind, tuple(said for _, said in kept))

    def called(self, threshold: float) -> Pairs:
        """Good is 1 and bad is 0, on both sides."""
        return build_pairs(call_good(self.judge, threshold), self.called_by_people(threshold), self.items)

    def called_by_people(self, threshold: float) -> list[float | None]:
        if self.kind == "binary":
            return list(self.human)
        return call_good(self.human, threshold)


def build_values(records: Sequence[ScoredRecord], kind: Kind) -> Values:
    labelled = tuple(record for record in records if record.people)
    if kind == "binary":
        # One person may say good or bad and another label the units: what comes of those is called the same way.
        labelled = tuple(replace(record, people=_call_people(record.people)) for record in labelled)
    people = tuple(sorted({person for record in labelled for person in record.people}))
    return Values(labelled, people, kind, tuple(_settle(list(record.people.values()), kind) for record in labelled))


def _call_people(said: Mapping[str, float]) -> dict[str, float]:
    return {person: float(value >= DEFAULT_THRESHOLD) for person, value in said.items()}


def _settle(said: list[float], kind: Kind) -> float | None:
    """Rounded, so that people who all say the same give exactly that."""
    mean = round(float(np.mean(said)), 9)
    if kind == "graded":
        return mean
    return None if mean == 0.5 else float(mean > 0.5)
