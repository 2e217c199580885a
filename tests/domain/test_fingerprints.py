"""Numbers for names whose texts are not kept: the same as a dict would give, in far less memory."""

import tracemalloc

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.fingerprints import Fingerprints

NAMES = st.lists(st.one_of(st.text(max_size=4), st.tuples(st.text(max_size=2), st.none() | st.text(max_size=2))))


@settings(deadline=None, derandomize=True)
@given(NAMES)
def test_every_name_keeps_the_number_it_was_first_given(names):
    known, fingerprints = {}, Fingerprints()
    for number, name in enumerate(names):
        assert (name in fingerprints) == (name in known)
        assert fingerprints.setdefault(name, number) == known.setdefault(name, number)
        assert len(fingerprints) == len(known)


class Fixed:
    """A name of a given hash."""

    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return self.value


def test_names_whose_hashes_crowd_one_slot_are_told_apart():
    fingerprints = Fingerprints()
    crowd = [Fixed(number << 40) for number in range(1_500)]
    assert [fingerprints.setdefault(name, number) for number, name in enumerate(crowd)] == list(range(1_500))
    assert [fingerprints.setdefault(name, 0) for name in crowd] == list(range(1_500))


def test_a_hash_below_zero_and_a_hash_of_zero_have_numbers_too():
    fingerprints = Fingerprints()
    names = [Fixed(-5), Fixed(0), Fixed(5)]
    assert [fingerprints.setdefault(name, number) for number, name in enumerate(names, 7)] == [7, 8, 9]
    assert [fingerprints.setdefault(name, 0) for name in names] == [7, 8, 9]


def test_a_name_takes_fewer_than_thirty_bytes_at_any_time():
    count = 30_000
    tracemalloc.start()
    fingerprints = Fingerprints()
    for number in range(count):
        fingerprints.setdefault(f"record {number}", number)
    kept, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept / count < 30
    # While it grows, too: a large table that is copied whole would be there twice.
    assert most < 1.2 * kept
    assert fingerprints.setdefault("record 777", 0) == 777
