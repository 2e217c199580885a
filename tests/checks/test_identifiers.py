import pytest

from assay.checks.identifiers import find_foreign_trial_ids, find_trial_ids, names_trial

OWN = "NCT01234567"


@pytest.mark.parametrize(
    "written",
    ["NCT01234567", "nct01234567", "NCT 01234567", "NCT-01234567", "(NCT01234567)", "NCT: 01234567", "试验NCT01234567"],
)
def test_a_trial_is_named_however_it_is_written(written):
    answer = f"About {written}, you are likely eligible."

    assert find_foreign_trial_ids(answer, OWN) == ()
    assert names_trial(answer, OWN)


@pytest.mark.parametrize("written", ["NCT0123456", "NCT012345678", "XNCT01234567", "NCT O1234567"])
def test_what_has_not_eight_digits_is_no_trial(written):
    assert find_trial_ids(written) == ()


def test_another_trial_is_found_where_it_stands():
    answer = "NCT01234567 excludes you, but see NCT07654321."

    (foreign,) = find_foreign_trial_ids(answer, OWN)

    assert foreign.id == "NCT07654321"
    assert foreign.span.of(answer) == "NCT07654321"


def test_an_answer_may_name_no_trial():
    assert not names_trial("You are likely eligible.", OWN)
    assert find_foreign_trial_ids("You are likely eligible.", OWN) == ()


def test_every_trial_is_foreign_to_an_unreadable_one():
    assert len(find_foreign_trial_ids("NCT01234567", "EudraCT 2004-000000-01")) == 1
