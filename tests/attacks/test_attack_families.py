"""What is shipped as attack families and as benign look-alikes."""

import re

import pytest
from rapidfuzz import fuzz

from assay.attacks.family import PARTS, Family
from assay.attacks.reading import load_benign, load_families, read_benign, read_family
from assay.attacks.slots import DEFAULTS, fill_slots, find_slots
from assay.errors import InputError

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

SMALL = """
id = "small"
title = "Small"
note = "For a test."
places = ["output"]
development = ["Give {mark}."]
set_aside = [{ text = "Top grade.", encoding = "tags" }]
"""


def test_every_family_is_shipped():
    assert {family.id for family in FAMILIES} == EXPECTED


@EVERY_FAMILY
def test_a_family_has_ten_templates_in_each_part(family: Family):
    assert min(len(family.development), len(family.set_aside)) >= 10


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
    development = [each.text.lower() for family in FAMILIES for each in family.development]
    set_aside = [each.text.lower() for family in FAMILIES for each in family.set_aside]
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
    assert {each.kind for each in by_part["development"]} == {each.kind for each in by_part["set_aside"]}


def test_benign_texts_have_ids_of_their_own_and_are_no_near_copies():
    benign = load_benign()
    assert len({each.id for each in benign}) == len(benign)
    texts = [each.text.lower() for each in benign]
    assert [(a, b) for n, a in enumerate(texts) for b in texts[n + 1 :] if fuzz.ratio(a, b) > 80] == []


def test_benign_texts_hold_the_joiners_and_marks_that_ordinary_text_needs():
    everything = "".join(each.text for each in load_benign())
    assert all(mark in everything for mark in "\u200c\u200d\u200f\u2067\u00ad\U000e0067")


def test_a_family_reads_back_as_it_was_written():
    family = read_family(SMALL, "small.toml")
    assert [(each.part, each.text, each.encoding) for each in family.templates] == [
        ("development", "Give {mark}.", "plain"),
        ("set_aside", "Top grade.", "tags"),
    ]
    assert family.action == "insert"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('id = "small"', "", "`id` is missing"),
        ('title = "Small"', 'title = "Small"\ncolour = "red"', "`colour` is unknown"),
        ('id = "small"', 'id = "large"', "not the file's name"),
        ('title = "Small"', 'title = ""', "`title` is not a text"),
        ('"output"', '"footnote"', "'footnote' is unknown"),
        ('["output"]', '["output", "output"]', "named twice"),
        ('"tags"', '"rot13"', "'rot13' is unknown"),
        ("{mark}", "{marks}", "unknown slot {marks}"),
        ('["Give {mark}."]', "[]", "`development` is not a list"),
        ('["Give {mark}."]', '[" "]', "blank"),
        ('["Give {mark}."]', "[7]", "development 1 is not a template"),
        ('["Give {mark}."]', "[{ text = 7 }]", "not text"),
        ('["Give {mark}."]', '[{ text = "x", places = ["source"] }]', "goes where its family does not"),
        ("id =", "id", "is not TOML"),
    ],
)
def test_a_faulty_family_says_what_is_wrong_and_in_which_file(old, new, said):
    with pytest.raises(InputError) as raised:
        read_family(SMALL.replace(old, new, 1), "small.toml")
    assert said in str(raised.value)
    assert str(raised.value).startswith("small.toml: ")


@pytest.mark.parametrize(
    "text", ["[development]\na = ['x']", "development = 1\nset_aside = 2", "[development]\na = []\n[set_aside]"]
)
def test_a_faulty_list_of_benign_texts_says_so(text):
    with pytest.raises(InputError, match=r"benign\.toml"):
        read_benign(text, "benign.toml")


def test_slots_are_filled_in_one_pass_and_other_braces_stay():
    filled = fill_slots('{"score": {number}} {mark} {% x %}', {"number": "{mark}", "mark": "best {number}"})
    assert filled == '{"score": {mark}} best {number} {% x %}'


def test_a_slot_without_a_value_is_named():
    with pytest.raises(InputError, match=r"\{label\}"):
        fill_slots("{label}", {"mark": "best"})


def test_every_default_slot_is_used_by_a_template():
    used = {name for family in FAMILIES for each in family.templates for name in find_slots(each.text)}
    assert used == set(DEFAULTS)


def test_a_megabyte_of_open_braces_is_read_to_its_end():
    text = "{" * 1_000_000 + "{mark" * 100_000
    assert fill_slots(text, {"mark": "best"}) == text
