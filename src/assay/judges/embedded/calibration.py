"""From signals to the probability that a claim is supported, and the band in which nothing is decided."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp, log
from typing import Any, cast

from assay.judges.embedded.signals import FEATURES, Settled, Signals
from assay.judges.embedded.weights import read_calibration


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic combination, fitted to as many right outputs as wrong ones; between `low` and `high` all stays open.

    `prior` is how often claims are supported before anything is known of them. It is the same for every claim: if it
    rose with their number, padding would make lies likelier.

    `settled` says how often a claim was right that was copied word for word, at odds with a sentence, or had a name or
    figure that is nowhere in the sources. The combination is asked about the rest alone.
    """

    weights: Mapping[str, float]
    bias: float
    prior: float
    low: float
    high: float
    settled: Mapping[Settled, float]

    def probability(self, signals: Signals) -> float:
        """That the sources support a claim."""
        settled = signals.found.settled
        if settled is not None:
            return self.settled[settled]
        features = zip(FEATURES, signals.features, strict=True)
        total = self.bias + find_odds(self.prior) + sum(self.weights[name] * value for name, value in features)
        return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def find_odds(share: float) -> float:
    """The logarithm of the odds."""
    return log(share / (1 - share))


@cache
def load_calibration() -> Calibration:
    content = cast("dict[str, Any]", read_calibration())
    return Calibration(
        content["weights"], content["bias"], content["prior"], content["low"], content["high"], content["settled"]
    )
