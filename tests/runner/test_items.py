"""Records of one item follow each other, and their places are kept."""

from assay.domain.record import Record
from assay.files.records import InvalidRecord
from assay.runner.placing import place_records


def build_records(items):
    return [Record(id=str(number), item=item, output="", sources=()) for number, item in enumerate(items)]


def test_records_keep_their_order_where_nothing_is_gained():
    places = list(place_records(build_records("abab"), by_item=False))
    assert [place.position for place in places] == [0, 1, 2, 3]
    assert not any(place.siblings for place in places)


def test_an_item_is_judged_at_the_place_of_its_first_record():
    places = list(place_records(build_records("abcab"), by_item=True))
    assert [(place.position, place.siblings) for place in places] == [(0, 1), (3, 1), (1, 1), (4, 1), (2, 0)]


def test_no_more_records_are_held_than_are_read_ahead():
    taken = 0

    def read():
        nonlocal taken
        for record in build_records([str(number % 50) for number in range(100)]):
            taken += 1
            yield record

    places = place_records(read(), by_item=True, ahead=10)
    for number, place in enumerate(places):
        assert taken <= number + 10
        assert place.siblings == 0


def test_invalid_records_are_no_item():
    records = [InvalidRecord("x", "no"), *build_records("a"), InvalidRecord("y", "no")]
    assert [place.position for place in place_records(records, by_item=True)] == [0, 1, 2]
