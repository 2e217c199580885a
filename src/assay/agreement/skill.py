"""Is the judge better than a constant guess, and by how much."""

import numpy as np

from assay.agreement.bootstrap import DEFAULT, Resampling, estimate
from assay.agreement.classification import balanced_accuracy
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Floats, Pairs
from assay.agreement.table import CellStatistic, CrossTable, tally_pairs
from assay.agreement.tally import combine, divide


def squared_skill(table: CrossTable, _weights: Floats) -> CellStatistic:
    """1 less the judge's mean squared error over that of guessing the labels' mean; 0 is no better, below 0 worse."""
    centre = float(table.human.mean()) if table.cell_count else 0.0
    human = table.human - centre
    shares = np.column_stack([np.ones(table.cell_count), human, human**2, (table.judge - table.human) ** 2])

    def formula(sums: Floats) -> Floats:
        n, total, squares, errors = sums
        spread = squares - total**2 / np.maximum(n, 1)
        return 1 - divide(errors, np.where(spread <= 1e-12 * squares, 0, spread))

    return CellStatistic(formula, shares)


def estimate_skill(pairs: Pairs, resampling: Resampling = DEFAULT) -> Estimate:
    """Squared skill, for a judge on the scale of the labels."""
    return estimate(tally_pairs(pairs, squared_skill), resampling)


def estimate_advantage(pairs: Pairs, resampling: Resampling = DEFAULT) -> Estimate:
    """Balanced accuracy less that of a constant answer, one over the number of classes; 0 is no better."""
    classes = len(np.unique(pairs.human))
    chance = 1 / classes if classes else 0.0
    return estimate(combine([tally_pairs(pairs, balanced_accuracy)], lambda values: values[0] - chance), resampling)
