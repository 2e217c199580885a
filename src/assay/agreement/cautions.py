"""What a reader must know before trusting a figure, in words."""

import numpy as np

from assay.agreement.pairs import Floats, Pairs

_FEW_ITEMS = 30
# From here on intervals hold the truth in 93 to 97 % of simulated studies: bench/results/coverage.md.
_ENOUGH_ITEMS, _ENOUGH_CLUSTERS = 100, 30
_SAME_SHARE = 0.8
_SKEWED = 0.1


def caution_about_size(n: int, clusters: int) -> tuple[str, ...]:
    """Where so few items or clusters say little, or intervals are known to hold the truth in under 93 % of studies."""
    found = []
    if n < _FEW_ITEMS:
        found.append(f"n is only {n}: a single one moves this figure")
    if n < _ENOUGH_ITEMS or clusters < _ENOUGH_CLUSTERS:
        size = f"n {n}, {clusters} {'cluster' if clusters == 1 else 'clusters'}"
        found.append(
            f"{size}: below {_ENOUGH_ITEMS} items or {_ENOUGH_CLUSTERS} clusters a 95 % interval can hold the truth "
            "in less than 93 % of studies"
        )
    return tuple(found)


def caution_about_values(pairs: Pairs) -> tuple[str, ...]:
    """Where one value is nearly all there is: an agreement, or a lack of it, then rests on the few others."""
    sides = (("the judge gives", pairs.judge), ("people give", pairs.human))
    found = [sentence for name, values in sides if (sentence := _caution_about_variance(name, values))]
    if len(np.unique(pairs.human)) == 2:
        rate = min(float(np.mean(pairs.human == each)) for each in np.unique(pairs.human))
        if rate < _SKEWED:
            found.append(
                f"one class is {rate:.0%} of the labels: kappa can be low where nearly all agree; read AC1 beside it"
            )
    return tuple(found)


def _caution_about_variance(name: str, values: Floats) -> str | None:
    if not len(values):
        return None
    distinct, counts = np.unique(values, return_counts=True)
    share = float(counts.max() / len(values))
    if share <= _SAME_SHARE:
        return None
    return f"{name} {share:.0%} of the items the value {distinct[counts.argmax()]:g}: correlations rest on the rest"
