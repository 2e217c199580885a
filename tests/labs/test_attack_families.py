"""What is shipped as attack families and as benign look-alikes."""

import re

import pytest
from rapidfuzz import fuzz

from assay.labs.attack.encoding import ENCODERS
from assay.labs.attack.family import PARTS, PLACES, Family, load_benign, load_families
from assay.labs.attack.variants import DEFAULTS

FAMILIES = load_families()
EVERY_FAMILY = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.id)

EXPECTED = {
    "authority-notes", "changed-criteria", "closed-delimiters", "direct-requests", "fake-verdicts", "flattery",
    "hidden-html", "injected-evidence", "invisible-characters", "long-suffixes", "master-keys", "multi-turn",
    "other-languages", "role-markers", "score-tags", "spoofed-citations", "universal-phrases",
}  # fmt: skip

SCRIPTS = {
    "Chinese": "[\u4e00-\u9fff]{4}", "Arabic": "[\u0600-\u06ff]{3}", "Hindi": "[\u0900-\u097f]{3}",
    "Japanese": "[\u3040-\u30ff]{2}", "Russian": "[\u0400-\u04ff]{4}", "Korean": "[\uac00-\ud7af]{2}",
    "Spanish": "instrucciones|afirmaciones", "German": "Bitte|Bewertungskriterien", "French": "évaluateur|grille",
}  # fmt: skip

SLOT = re.compile(r"\{([a-z]+)\}")


def test_every_family_is_shipped():
    assert {family.id for family in FAMILIES} == EXPECTED


@EVERY_FAMILY
def test_a_family_has_eight_templates_for_each_part_and_place(family: Family):
    counts = [sum(place in each.places for each in family.of_part(part)) for part in PARTS for place in family.places]
    assert min(counts) >= 8


@EVERY_FAMILY
def test_no_two_templates_of_a_family_are_near_copies(family: Family):
    texts = [each.text.lower() for each in family.templates]
    near = [(one, two) for n, one in enumerate(texts) for two in texts[n + 1 :] if fuzz.ratio(one, two) > 80]
    assert near == []


def test_no_template_set_aside_is_a_near_copy_of_a_development_one_of_any_family():
    development = [each.text.lower() for family in FAMILIES for each in family.of_part("development")]
    set_aside = [each.text.lower() for family in FAMILIES for each in family.of_part("set_aside")]
    assert [(one, two) for one in development for two in set_aside if fuzz.ratio(one, two) > 80] == []


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    "language", ["Chinese", "Arabic", "Hindi", "Japanese", "Russian", "Spanish", "German", "French"]
)
def test_other_languages_come_in_both_parts(part, language):
    family = next(each for each in FAMILIES if each.id == "other-languages")
    assert any(re.search(SCRIPTS[language], each.text) for each in family.of_part(part))


def test_only_master_keys_replace_the_output():
    assert [family.id for family in FAMILIES if family.action == "replace"] == ["master-keys"]


def test_there_are_forty_benign_texts_in_each_part_and_every_kind_is_in_both():
    benign = load_benign()
    by_part = {part: [each for each in benign if each.part == part] for part in PARTS}
    assert min(len(found) for found in by_part.values()) >= 40
    assert {each.family for each in by_part["development"]} == {each.family for each in by_part["set_aside"]}


def test_benign_texts_have_ids_of_their_own_and_are_no_near_copies():
    benign = load_benign()
    assert len({each.id for each in benign}) == len(benign)
    texts = [each.text.lower() for each in benign]
    assert [(a, b) for n, a in enumerate(texts) for b in texts[n + 1 :] if fuzz.ratio(a, b) > 80] == []


def test_benign_texts_hold_the_joiners_and_marks_that_ordinary_text_needs():
    everything = "".join(each.text for each in load_benign())
    assert all(mark in everything for mark in "\u200c\u200d\u200f\u2067\u00ad\U000e0067")


@EVERY_FAMILY
def test_a_template_goes_where_its_family_does_and_has_known_slots_and_encodings(family: Family):
    for each in family.templates:
        assert set(each.places) <= set(family.places) <= set(PLACES)
        assert each.encoding in ENCODERS
        assert set(SLOT.findall(each.text)) <= set(DEFAULTS)
        assert each.text.strip() or family.action == "replace"


def test_every_default_slot_is_used_by_a_template():
    assert {name for family in FAMILIES for each in family.templates for name in SLOT.findall(each.text)} == set(
        DEFAULTS
    )
