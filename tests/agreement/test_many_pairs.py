"""From many pairs on, the normal curve takes the place of resampling; nobody should see where."""

import numpy as np
import pytest

from assay.agreement.paired import compare_paired


@pytest.mark.parametrize("shift", [0.0, 0.01, 0.2])
def test_curve_and_resampling_say_the_same_about_as_many_pairs(shift: float):
    chance = np.random.default_rng(3)
    first = chance.integers(0, 11, 2001) / 10
    second = np.clip(first + chance.normal(shift, 0.3, 2001), 0, 1)
    resampled, by_curve = compare_paired(first[:2000], second[:2000]), compare_paired(first, second)
    assert resampled.interval is not None
    assert by_curve.interval is not None
    assert by_curve.interval == pytest.approx(resampled.interval, abs=0.002)
    assert by_curve.p_value == pytest.approx(resampled.p_value, abs=0.03)


def test_many_equal_pairs_show_no_difference_and_many_equal_shifts_show_one():
    zeros = [0.5] * 3000
    assert compare_paired(zeros, zeros).p_value == 1.0
    shifted = compare_paired(zeros, [0.75] * 3000)
    assert shifted.p_value == pytest.approx(1 / 10_001)
    assert shifted.interval == pytest.approx((0.25, 0.25))
