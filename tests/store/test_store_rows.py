from fractions import Fraction

import pytest
from kept_cards import START, build_run

from assay.store.sqlite import SqliteStore
from assay.store.store import Usage


@pytest.mark.parametrize("wrong", [{"calls": -1}, {"prompt_tokens": -(2**60)}, {"cost_usd": Fraction(-1)}])
def test_what_no_run_can_use_is_refused(wrong):
    with pytest.raises(ValueError, match="not what a run can use"):
        Usage(**wrong)


def test_what_an_endpoint_claims_beyond_all_measure_is_kept_as_the_most_a_run_can_use(tmp_path):
    with SqliteStore(tmp_path / "a.db") as store:
        store.begin_run(build_run())
        for _ in range(3):
            store.add_usage("run-1", Usage(1, prompt_tokens=2**70, cost_usd=Fraction(10**9)))
            store.flush()
        assert store.usage("run-1") == Usage(3, prompt_tokens=2**48, cost_usd=Fraction(10**6))


@pytest.mark.parametrize("wrong", [{"identifier": "last"}, {"identifier": ""}, {"started": START.replace(tzinfo=None)}])
def test_a_run_needs_an_id_of_its_own_and_times_with_a_zone(wrong):
    with pytest.raises(ValueError):
        build_run(**wrong)
