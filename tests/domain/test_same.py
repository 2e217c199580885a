from assay.domain.same import Same


def test_a_key_equals_only_the_key_of_the_very_same_thing():
    thing, twin = [1], [1]
    assert Same(thing) == Same(thing)
    assert hash(Same(thing)) == hash(Same(thing))
    assert Same(thing) != Same(twin)
    assert Same(thing) != thing


def test_things_that_have_no_hash_can_be_keys():
    thing = {"a": 1}
    assert {Same(thing): "found"}[Same(thing)] == "found"
