"""From signals to the probability that a claim is supported, and the band in which nothing is decided."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from typing import Any, cast

from assay.judges.embedded.signals import FEATURES, Signals
from assay.judges.embedded.weights import read_calibration


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic combination. Between `low` and `high` the judge abstains; `verbatim` is how often a copy is right."""

    weights: Mapping[str, float]
    bias: float
    low: float
    high: float
    verbatim: float

    def probability(self, signals: Signals) -> float:
        if signals.found.verbatim is not None:
            return self.verbatim
        total = self.bias + sum(
            self.weights[name] * value for name, value in zip(FEATURES, signals.features, strict=True)
        )
        return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


@cache
def load_calibration() -> Calibration:
    content = cast("dict[str, Any]", read_calibration())
    return Calibration(content["weights"], content["bias"], content["low"], content["high"], content["verbatim"])
