import random
import re

import pytest
from training.pairs import Label
from training.synthetic.grammar import build_document, build_pair, fill
from training.synthetic.worlds import read_worlds

pytestmark = pytest.mark.integration
SLOT = re.compile(r"\{(\w+)\}")
WORLDS = read_worlds()


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_every_slot_of_every_wording_has_at_least_two_words(world):
    words = {**world.subjects, **world.slots}
    asked = {slot for fact in world.facts for form in fact.forms for slot in SLOT.findall(form)}
    assert asked <= set(words)
    assert all(len(set(words[slot])) >= 2 for slot in asked)
    assert world.open_slots <= set(world.slots)


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_every_fact_can_be_said_in_two_ways(world):
    assert all(len(set(fact.forms)) >= 2 for fact in world.facts)


@pytest.mark.parametrize("label", [Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_IN_SOURCE])
@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_each_world_makes_pairs_of_each_label(world, label):
    made = [build_pair(build_document(world, random.Random(seed)), label, random.Random(seed)) for seed in range(200)]
    found = [pair for pair in made if pair is not None]
    assert len(found) > 30
    assert {pair.label for pair in found} == {label}
    assert not any("{" in pair.premise + pair.hypothesis for pair in found)


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_a_false_sentence_is_not_a_sentence_of_its_text(world):
    for seed in range(300):
        rng = random.Random(seed)
        pair = build_pair(build_document(world, rng), Label.CONTRADICTED, rng)
        assert pair is None or pair.hypothesis not in pair.premise


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_a_supported_sentence_says_no_word_its_text_does_not_hold(world):
    for seed in range(300):
        rng = random.Random(seed)
        document = build_document(world, rng)
        pair = build_pair(document, Label.SUPPORTED, rng)
        if pair is None:
            continue
        told = " ".join(document.sentences).casefold()
        said = [value for value in document.values.values() if value in pair.hypothesis]
        facts = [form for fact in document.facts for form in fact.forms]
        assert any(fill(form, document.values) == pair.hypothesis for form in facts)
        assert all(value.casefold() in told for value in said if len(value) > 4)
