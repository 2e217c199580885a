from fractions import Fraction

import pytest
from kept_cards import START, build_run

from assay.store.store import Usage


@pytest.mark.parametrize("wrong", [{"calls": -1}, {"prompt_tokens": 2**60}, {"cost_usd": Fraction(-1)}])
def test_what_no_run_can_use_is_refused(wrong):
    with pytest.raises(ValueError, match="not what a run can use"):
        Usage(**wrong)


@pytest.mark.parametrize("wrong", [{"identifier": "last"}, {"identifier": ""}, {"started": START.replace(tzinfo=None)}])
def test_a_run_needs_an_id_of_its_own_and_times_with_a_zone(wrong):
    with pytest.raises(ValueError):
        build_run(**wrong)
