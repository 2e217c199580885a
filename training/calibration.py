"""Fits how the embedded judge weighs its signals: a logistic combination of fixed signs, cross-fitted by document.

A label is given to a whole output, and one unsupported claim makes it unfaithful: so each output is represented by its
least supported claim, found with the weights of the round before.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Array = NDArray[np.float64]

ROUNDS = 6
PENALTY = 0.002
SETTLED = ("", "verbatim", "absent")
VERBATIM = SETTLED.index("verbatim")


@dataclass(frozen=True)
class Claims:
    """The claims of one set: features, which output each belongs to, and the outputs' labels and documents.

    `settled` is the place of each in SETTLED, 0 where the features decide.
    """

    name: str
    features: Array
    row: NDArray[np.int64]
    settled: NDArray[np.int64]
    truth: Array
    groups: NDArray[np.int64]

    def part(self, rows: NDArray[np.bool_]) -> "Claims":
        """The same for some of the outputs, numbered anew."""
        number = np.cumsum(rows) - 1
        kept = rows[self.row]
        return Claims(
            self.name,
            self.features[kept],
            number[self.row[kept]],
            self.settled[kept],
            self.truth[rows],
            self.groups[rows],
        )


@dataclass(frozen=True)
class Weights:
    """`settled` are the probabilities of SETTLED, the first of which is not used."""

    values: Array
    bias: float
    settled: Array

    def rate(self, claims: Claims) -> Array:
        """The probability of each claim."""
        total = claims.features @ self.values + self.bias
        weighed = 1 / (1 + np.exp(-np.clip(total, -30, 30)))
        return np.where(claims.settled > 0, self.settled[claims.settled], weighed)


def find_least(claims: Claims, probability: Array) -> NDArray[np.int64]:
    """For each output the position of its least supported claim; -1 where it has none."""
    least = np.full(len(claims.truth), -1)
    for position in np.argsort(-probability, kind="stable"):
        least[claims.row[position]] = position
    return least


def fit(sets: Sequence[Claims], signs: Sequence[int], used: Sequence[bool] | None = None) -> Weights:
    """Every set counts the same, and in it right and wrong outputs do; features that are not `used` weigh nothing.

    How many of each somebody collected says nothing about the texts to come.
    """
    allowed = [True] * len(signs) if used is None else list(used)
    bounds: list[tuple[float | None, float | None]] = [
        ((0, None) if sign > 0 else (None, 0)) if use else (0, 0) for sign, use in zip(signs, allowed, strict=True)
    ]
    start = np.array([0.3 * sign if use else 0.0 for sign, use in zip(signs, allowed, strict=True)])
    weights = Weights(start, 0.0, _rate_settled(sets))
    for _ in range(ROUNDS):
        rows, labels, shares = [], [], []
        for claims in sets:
            least = find_least(claims, weights.rate(claims))
            # An output whose weakest claim is settled says how far that is to be trusted, and nothing about the rest.
            kept = (least >= 0) & (claims.settled[least] == 0)
            rows.append(claims.features[least[kept]])
            labels.append(claims.truth[kept])
            right = claims.truth[kept] > 0.5
            shares.append(np.where(right, 1 / max(1, right.sum()), 1 / max(1, (~right).sum())))
        weights = _fit_once(np.vstack(rows), np.concatenate(labels), np.concatenate(shares), bounds, weights)
    return weights


def _fit_once(
    features: Array, labels: Array, shares: Array, bounds: list[tuple[float | None, float | None]], last: Weights
) -> Weights:
    shares = shares / shares.sum()

    def loss(theta: Array) -> tuple[float, Array]:
        logits = features @ theta[:-1] + theta[-1]
        probability = 1 / (1 + np.exp(-logits))
        value = float(shares @ (np.logaddexp(0, logits) - labels * logits) + PENALTY * theta[:-1] @ theta[:-1])
        slope = shares * (probability - labels)
        return value, np.append(features.T @ slope + 2 * PENALTY * theta[:-1], slope.sum())

    start = np.append(last.values, last.bias)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)])
    return Weights(found.x[:-1], float(found.x[-1]), last.settled)


def _rate_settled(sets: Sequence[Claims]) -> Array:
    """How often outputs are right that only copy, or that have a figure or name of their own.

    Every set counts the same however many it has, and none is believed to be quite certain.
    """
    rates = np.full(len(SETTLED), 0.5)
    for kind in range(1, len(SETTLED)):
        shares, counts = [], []
        for claims in sets:
            having = np.bincount(claims.row[claims.settled == kind], minlength=len(claims.truth)) > 0
            if kind == VERBATIM:
                having[claims.row[claims.settled != VERBATIM]] = False
            if having.any():
                shares.append(claims.truth[having].mean())
                counts.append(having.sum())
        if counts:
            weight = np.minimum(np.array(counts, float), 50)
            rates[kind] = (weight @ np.array(shares) + 1) / (weight.sum() + 2)
    bounded: Array = np.clip(rates, 0.02, 0.98)
    return bounded


def rate_outputs(claims: Claims, weights: Weights) -> Array:
    """The judge's estimate: the probability of an output's least supported claim; one half where it makes none."""
    probability = weights.rate(claims)
    least = find_least(claims, probability)
    return np.where(least >= 0, probability[least], 0.5)


def cross_rate(
    sets: Sequence[Claims], signs: Sequence[int], folds: int = 5, used: Sequence[bool] | None = None
) -> list[Array]:
    """Each output of a fitted set rated by weights that have seen nothing of its document."""
    rated = [np.zeros(len(claims.truth)) for claims in sets]
    for fold in range(folds):
        weights = fit([claims.part(claims.groups % folds != fold) for claims in sets], signs, used)
        for claims, into in zip(sets, rated, strict=True):
            held = claims.groups % folds == fold
            into[held] = rate_outputs(claims.part(held), weights)
    return rated
