"""How many pairs of items two orders agree on, less those they disagree on."""

import numpy as np

from assay.agreement.pairs import Floats, Integers
from assay.agreement.table import CrossTable


def balance_concordance(tables: Floats) -> Floats:
    """Concordant less discordant pairs of full tables (values by values by resamples), by running sums."""
    below = np.cumsum(tables, axis=0) - tables
    before = np.cumsum(below, axis=1) - below
    after = below.sum(axis=1, keepdims=True) - before - below
    return np.asarray(np.einsum("ijr,ijr->r", tables, before - after), dtype=np.float64)


def balance_per_cell(table: CrossTable, weights: Floats) -> Floats:
    """For each cell, the items concordant with it less those discordant, ties counting for neither.

    Only what is smaller in both values is counted; sums along rows and columns give the rest.
    """
    n = weights.sum()
    rows = table.judge_totals(weights[:, None])[:, 0]
    columns = table.human_totals(weights[:, None])[:, 0]
    row, column = rows[table.judge_codes], columns[table.human_codes]
    up_to_row, up_to_column = np.cumsum(rows)[table.judge_codes], np.cumsum(columns)[table.human_codes]
    smaller = _count_dominated(table.judge_codes, table.human_codes, weights)
    before_in_row = _sum_before(weights, table.judge_starts)
    order = table.human_order
    before_in_column = np.empty(len(weights))
    before_in_column[order] = _sum_before(weights[order], table.human_starts)
    reached = smaller + before_in_row + before_in_column + weights
    larger = n - up_to_row - up_to_column + reached
    untied = n - row - column + weights
    balance: Floats = 2 * (smaller + larger) - untied
    return balance


def _sum_before(amounts: Floats, starts: Integers) -> Floats:
    """Within each stretch that begins at a start, the sum of the amounts before each."""
    sums = np.cumsum(amounts) - amounts
    lengths = np.diff(np.append(starts, len(amounts)))
    return np.asarray(sums - np.repeat(sums[starts], lengths), dtype=np.float64)


def _count_dominated(first: Integers, second: Integers, weights: Floats) -> Floats:
    """The weight of what is smaller in both codes than each cell.

    Cells stand in the first order, equal ones by falling second so that none counts its ties. Blocks of twice the size
    are then merged until one is left: each cell of a right half counts the smaller ones of the left half.
    """
    order = np.lexsort((-second, first))
    values, amounts = second[order] - second.min(), weights[order]
    found = np.zeros(len(order))
    span = int(values.max()) + 1 if len(values) else 1
    places = np.arange(len(order))
    size = 1
    while size < len(order):
        block, is_right = places // (2 * size), places // size % 2
        # Within a block by value; a tie puts the right half first, where the left one does not count for it.
        merged = np.lexsort((1 - is_right, block * span + values))
        running = np.cumsum(np.where(is_right[merged] == 0, amounts[merged], 0.0))
        before_block = np.cumsum(np.where(is_right == 0, amounts, 0.0))
        starts = block[merged] * 2 * size
        offset = np.where(starts > 0, before_block[np.maximum(starts - 1, 0)], 0.0)
        right = is_right[merged] == 1
        found[merged[right]] += (running - offset)[right]
        size *= 2
    result = np.empty(len(order))
    result[order] = found
    return result
