"""Why records have no score, counted over a whole run."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from assay.domain.outcome import Abstention, Failure
from assay.domain.scorecard import Scorecard

# A reason may quote its record, and then no two are alike.
_MOST_REASONS = 1000
_LONGEST_REASON, _LONGEST_NAME = 500, 80
_NAMED = 3


@dataclass(slots=True)
class Reason:
    """`count` is by records, of which `first` names a few."""

    words: str
    count: int = 0
    first: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Reasons:
    """Each reason once, however many records it holds for; those past a bound are only counted, in `others`."""

    found: dict[str, Reason] = field(default_factory=dict)
    others: int = 0

    def add(self, card: Scorecard) -> None:
        for words in _list_reasons(card):
            if words not in self.found and len(self.found) >= _MOST_REASONS:
                self.others += 1
                continue
            reason = self.found.setdefault(words, Reason(words))
            reason.count += 1
            if len(reason.first) < _NAMED:
                reason.first.append(_name(card))

    def rank(self) -> list[Reason]:
        """The most frequent first, and of equals the earlier."""
        return sorted(self.found.values(), key=lambda reason: -reason.count)


def _list_reasons(card: Scorecard) -> Iterator[str]:
    """Metrics that share a reason are named once, and not at all where all of them share it."""
    metrics: dict[str, list[str]] = {}
    for name, outcome in card.outcomes.items():
        if isinstance(outcome, Failure | Abstention):
            metrics.setdefault(f"{outcome.status}: {outcome.reason}", []).append(name)
    for reason, names in metrics.items():
        where = "" if len(names) == len(card.outcomes) else f"{', '.join(names)}: "
        yield _shorten(f"{where}{reason}", _LONGEST_REASON)


def _name(card: Scorecard) -> str:
    system = f" ({card.record.system})" if card.record.system else ""
    return _shorten(f"{card.record.id}{system}", _LONGEST_NAME)


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
