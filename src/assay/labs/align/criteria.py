"""Which answers of people a judge misses, by what they say under which metric."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from assay.agreement.alignment import AnswerPair


@dataclass(frozen=True, slots=True)
class Criterion:
    """What people say under a metric, a label or a level, with all questions to which they said it."""

    metric: str
    expected: str
    pairs: tuple[AnswerPair, ...]

    @property
    def lost(self) -> float:
        """How much agreement is missing, over all of its questions."""
        return sum(1 - each.agreement for each in self.pairs if each.agreement is not None)

    @property
    def disagreements(self) -> tuple[AnswerPair, ...]:
        return tuple(sorted((each for each in self.pairs if not each.is_right), key=lambda each: each.agreement or 0))


def rank_criteria(pairs: Iterable[AnswerPair]) -> list[Criterion]:
    """Those with disagreements, the one that costs most agreement first."""
    groups: dict[tuple[str, str], list[AnswerPair]] = defaultdict(list)
    for each in pairs:
        groups[each.metric, each.expected].append(each)
    found = [Criterion(*name, tuple(group)) for name, group in groups.items()]
    ranked = sorted(found, key=lambda each: (-round(each.lost, 9), each.metric, each.expected))
    return [each for each in ranked if each.disagreements]
