import gc

import pytest

from assay.runner.collecting import collect_seldom


@pytest.fixture(autouse=True)
def _usual_habit():
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)


def test_cycles_are_looked_for_seldom_during_a_run_and_as_before_after_it():
    gc.set_threshold(700, 10, 10)
    with collect_seldom():
        assert gc.get_threshold()[0] > 10_000
        assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == (700, 10, 10)
    assert gc.get_freeze_count() == 0


def test_an_error_ends_the_habit_too():
    gc.set_threshold(700, 10, 10)
    with pytest.raises(KeyError), collect_seldom():
        raise KeyError
    assert gc.get_threshold() == (700, 10, 10)


def test_of_two_runs_at_once_the_last_one_to_end_restores_the_habit():
    gc.set_threshold(700, 10, 10)
    first, second = collect_seldom(), collect_seldom()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold()[0] > 10_000
    second.__exit__(None, None, None)
    assert gc.get_threshold() == (700, 10, 10)


def test_where_collecting_is_off_it_stays_off():
    gc.set_threshold(0)
    with collect_seldom():
        assert gc.get_threshold()[0] == 0


def test_what_a_program_froze_itself_stays_frozen():
    gc.freeze()
    try:
        with collect_seldom():
            pass
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
