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
    """A logistic combination. Between `low` and `high` the judge abstains.

    `settled` says how often a claim was right that was copied word for word, at odds with a sentence, or had a name or
    figure that is nowhere in the sources. The combination is asked about the rest alone.
    """

    weights: Mapping[str, float]
    bias: float
    low: float
    high: float
    settled: Mapping[Settled, float]

    def probability(self, signals: Signals, claims: int = 1) -> float:
        """That the sources support a claim which is one of so many."""
        settled = signals.found.settled
        if settled is not None:
            return self.settled[settled]
        features = zip(FEATURES, signals.features, strict=True)
        total = self.bias + start_of(claims) + sum(self.weights[name] * value for name, value in features)
        return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def start_of(claims: int) -> float:
    """The log odds that a claim starts from.

    Before anything is known, an output is as likely right as wrong, however many claims it makes: so each is likelier
    right the more there are.
    """
    share = 0.5 ** (1 / max(1, claims))
    return log(share / (1 - share))


@cache
def load_calibration() -> Calibration:
    content = cast("dict[str, Any]", read_calibration())
    return Calibration(content["weights"], content["bias"], content["low"], content["high"], content["settled"])
