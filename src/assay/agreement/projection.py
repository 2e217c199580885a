"""The first-order part of a rank statistic: what one more item of each kind would add to it.

A statistic that is a sum over all pairs, or all triples, of items changes with the items' weights as its slope says,
up to terms that shrink with n. Slopes are shifted by a constant: their sum over the observed items is the statistic.
"""

import numpy as np

from assay.agreement.concordance import balance_per_cell
from assay.agreement.pairs import Floats, Integers
from assay.agreement.table import CrossTable
from assay.agreement.tally import sum_by


def project_kendall(table: CrossTable, weights: Floats) -> Floats:
    """Per cell, the slopes of concordant less discordant pairs and of the pairs untied in each list."""
    n = weights.sum()
    untied_judge = n - table.judge_totals(weights[:, None])[table.judge_codes, 0]
    untied_human = n - table.human_totals(weights[:, None])[table.human_codes, 0]
    slopes = 2 * np.column_stack([balance_per_cell(table, weights), untied_judge, untied_human])
    return _shift(slopes, weights, 2)


def project_spearman(table: CrossTable, weights: Floats) -> Floats:
    """Per cell, the slopes of the shared spread of the two centred mid-ranks and of the spread of each."""
    judge = _sum_below(table.judge_codes, weights, len(table.judge_values))
    human = _sum_below(table.human_codes, weights, len(table.human_values))

    def across_judge(amounts: Floats) -> Floats:
        return -_sum_below(table.judge_codes, weights * amounts, len(table.judge_values))

    def across_human(amounts: Floats) -> Floats:
        return -_sum_below(table.human_codes, weights * amounts, len(table.human_values))

    shared = judge * human + across_judge(human) + across_human(judge)
    slopes = np.column_stack([shared, judge**2 + 2 * across_judge(judge), human**2 + 2 * across_human(human)])
    return _shift(slopes, weights, 3)


def _sum_below(codes: Integers, amounts: Floats, count: int) -> Floats:
    """For each cell, half of what is below it less half of what is above; of weights, that is the centred mid-rank."""
    totals = sum_by(codes, amounts, count)
    ranks: Floats = np.cumsum(totals) - (totals + totals.sum()) / 2
    return ranks[codes]


def _shift(slopes: Floats, weights: Floats, degree: int) -> Floats:
    """A sum over `degree` items at a time is its slopes' sum over `degree`; the rest is constant in the weights."""
    constant: Floats = (degree - 1) / degree * (weights @ slopes) / weights.sum()
    return slopes - constant
