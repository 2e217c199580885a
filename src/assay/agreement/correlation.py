"""Whether the judge orders items as people do: Spearman, Kendall tau-b and Pearson, over all or within items."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import (
    PairStatistic,
    RowStatistic,
    divide,
    resample_items,
)
from assay.agreement.estimate import Estimate, estimate_mean
from assay.agreement.pairs import Floats, Pairs

Coefficient = Literal["spearman", "kendall", "pearson"]

# Two points always lie on a line.
_FEWEST = 3
# Below this share of the squares a spread is rounding.
_ROUNDING = 1e-20
_BOUNDS = (-1.0, 1.0)


def _correlate_values(x: Floats, y: Floats) -> Floats:
    """Row by row, NaN left out; undefined where either side is constant or there are fewer than three items."""
    n = np.isfinite(x).sum(axis=1)
    sides = []
    for given in (x, y):
        centred = given - (np.nansum(given, axis=1) / np.maximum(n, 1))[:, None]
        spread, squares = np.nansum(centred**2, axis=1), np.nansum(given**2, axis=1)
        sides.append((centred, np.where((n >= _FEWEST) & (spread > _ROUNDING * squares), spread, 0)))
    (first, one), (second, other) = sides
    return np.clip(divide(np.nansum(first * second, axis=1), np.sqrt(one) * np.sqrt(other)), *_BOUNDS)


def _correlate_ranks(x: Floats, y: Floats) -> Floats:
    from scipy.stats import rankdata

    return _correlate_values(*(rankdata(side, axis=1, nan_policy="omit") for side in (x, y)))


def _correlate_orders(x: Floats, y: Floats) -> Floats:
    from scipy.stats import kendalltau

    rows = ((one[np.isfinite(one)], other[np.isfinite(other)]) for one, other in zip(x, y, strict=True))
    return np.array([kendalltau(*sides).statistic if len(sides[0]) >= _FEWEST else np.nan for sides in rows])


_COEFFICIENTS: Mapping[Coefficient, RowStatistic] = {
    "spearman": _correlate_ranks,
    "kendall": _correlate_orders,
    "pearson": _correlate_values,
}


CORRELATIONS: Mapping[Coefficient, PairStatistic] = {
    name: partial(resample_items, statistic=each) for name, each in _COEFFICIENTS.items()
}
spearman, pearson = CORRELATIONS["spearman"], CORRELATIONS["pearson"]


def correlate_within_items(pairs: Pairs, coefficient: Coefficient) -> Estimate:
    """Within each cluster, then averaged over clusters; undefined ones are counted and left out."""
    order = np.argsort(pairs.clusters, kind="stable")
    ends = np.cumsum(np.bincount(pairs.clusters, minlength=pairs.cluster_count))
    parts = np.split(order, ends[:-1]) if pairs.n else []
    values = [float(_COEFFICIENTS[coefficient](pairs.judge[[part]], pairs.human[[part]])[0]) for part in parts]
    return replace(estimate_mean(values, bounds=_BOUNDS), undefined=int(np.isnan(values).sum()))
