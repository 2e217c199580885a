"""Variants: enough of them, all different, the same for the same seed, and with nothing left to fill."""

import pytest

from assay.errors import InputError
from assay.labs.attack.family import PARTS, PLACES, Family, Template, load_families
from assay.labs.attack.variants import make_variants

FAMILIES = load_families()
EVERY_FAMILY = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.id)
SINGLE = Family("one", "One", "A test.", ("output",), "insert", (Template(1, "development", "{mark}!", ("output",)),))


@EVERY_FAMILY
def test_a_family_gives_ten_different_variants_for_each_place(family: Family):
    for place in family.places:
        variants = make_variants(family, 1, 10, {}, place)
        assert len({each.text for each in variants}) == len({each.id for each in variants}) == 10
        assert all(place in each.places for each in variants)


@EVERY_FAMILY
def test_a_seed_fixes_the_variants(family: Family):
    assert make_variants(family, 7, 15, {}) == make_variants(family, 7, 15, {})
    assert make_variants(family, 7, 15, {}) != make_variants(family, 8, 15, {})


@EVERY_FAMILY
def test_the_two_parts_take_turns(family: Family):
    parts = [each.part for each in make_variants(family, 3, 6, {})]
    assert parts in ([*PARTS] * 3, [*reversed(PARTS)] * 3)


@EVERY_FAMILY
def test_one_variant_for_each_place_is_of_both_parts(family: Family):
    drawn = {make_variants(family, 1, 1, {}, place)[0].part for place in family.places}
    assert drawn == set(PARTS) or len(family.places) == 1


@pytest.mark.parametrize("place", PLACES)
def test_one_variant_of_each_family_is_of_both_parts_about_as_often(place):
    drawn = [make_variants(each, 0, 1, {}, place)[0].part for each in FAMILIES if place in each.places]
    assert all(drawn.count(part) * 3 >= len(drawn) for part in PARTS)


@EVERY_FAMILY
def test_fewer_variants_are_the_first_of_more(family: Family):
    assert make_variants(family, 3, 2, {}, "output") == make_variants(family, 3, 9, {}, "output")[:2]


@EVERY_FAMILY
def test_every_template_is_used_before_one_is_used_again(family: Family):
    variants = make_variants(family, 4, len(family.templates), {})
    assert len({each.id.rpartition(".")[0] for each in variants}) == len(family.templates)


def test_what_the_caller_gives_fills_the_slots():
    assert [each.text for each in make_variants(SINGLE, 1, 1, {"mark": ["a gold star"]})] == ["a gold star!"]


def test_an_empty_list_of_fills_falls_back_on_the_defaults():
    assert make_variants(SINGLE, 1, 2, {"mark": []}) == make_variants(SINGLE, 1, 2, {})


def test_the_order_of_the_callers_names_does_not_matter():
    family = FAMILIES[0]
    one, other = {"mark": ["x", "y"], "number": ["1", "2"]}, {"number": ["1", "2"], "mark": ["x", "y"]}
    assert make_variants(family, 5, 20, one) == make_variants(family, 5, 20, other)


def test_more_variants_than_there_are_is_an_error():
    with pytest.raises(InputError, match="has 2 variants here, and 3 are asked for"):
        make_variants(SINGLE, 1, 3, {"mark": ["a", "b"]})
