import pytest
from kept_cards import START, build_run

from assay.store.store import RunUsage, Store


@pytest.mark.parametrize("wrong", [{"calls": -1}, {"prompt_tokens": -(2**60)}, {"picodollars": -1}])
def test_what_no_run_can_use_is_refused(wrong):
    with pytest.raises(ValueError, match="not what a run can use"):
        RunUsage(**wrong)


def test_what_an_endpoint_claims_beyond_all_measure_is_kept_as_the_most_a_run_can_use(tmp_path):
    with Store(tmp_path / "a.db") as store:
        store.begin_run(build_run())
        for _ in range(3):
            store.add_usage("run-1", RunUsage(1, prompt_tokens=2**70, picodollars=10**21))
            store.flush()
        assert store.usage("run-1") == RunUsage(3, prompt_tokens=2**48, picodollars=10**18)


@pytest.mark.parametrize("wrong", [{"identifier": "last"}, {"identifier": ""}, {"started": START.replace(tzinfo=None)}])
def test_a_run_needs_an_id_of_its_own_and_times_with_a_zone(wrong):
    with pytest.raises(ValueError):
        build_run(**wrong)
