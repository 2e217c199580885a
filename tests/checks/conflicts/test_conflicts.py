from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.checks.conflicts.absent import LONGEST
from assay.checks.conflicts.conflict import ConflictKind
from assay.checks.conflicts.pair import ENABLED, find_conflicts

CONFLICTS = [
    ("number", "The ferry carried 340 passengers to the island.", "The ferry carried 240 passengers to the island."),
    ("number", "Sales of bicycles rose 12% in spring.", "Sales of bicycles rose 21% in spring."),
    ("number", "The miner was jailed for six years.", "The miner was jailed for nine years."),
    ("price", "The monthly plan costs $45 with insurance.", "The monthly plan costs $54 with insurance."),
    ("unit", "The repair of the roof cost £6 million.", "The repair of the roof cost $6 million."),
    ("date", "The bridge opened on 3 May 2011 to traffic.", "The bridge opened to traffic on 13 May 2011."),
    ("date", "The council will meet on Tuesday to vote.", "The council will meet on Friday to vote."),
    ("date", "The factory closed in June after a fire.", "The factory closed in October after a fire."),
    ("dose", "She takes 50 mg of atenolol daily.", "She takes 25 mg of atenolol daily."),
    ("dose", "Take one tablet of amoxicillin twice daily.", "Take one tablet of amoxicillin three times daily."),
    ("unit", "Start levothyroxine 50 mg each morning.", "Start levothyroxine 50 mcg each morning."),
    (
        "negation",
        "The trial did not show a benefit for older patients.",
        "The trial showed a benefit for older patients.",
    ),
    ("negation", "The suspect was charged with fraud in March.", "The suspect was not charged with fraud in March."),
    ("direction", "Unemployment increased sharply last winter.", "Unemployment decreased sharply last winter."),
    ("direction", "The board approved the merger plan.", "The board rejected the merger plan."),
    ("quantifier", "All reviewers liked the battery of the camera.", "Most reviewers liked the battery of the camera."),
    ("hedge", "The new rule will reduce traffic downtown.", "The new rule may reduce traffic downtown."),
    ("role", "Later that night Harlow attacked Brandt outside.", "Later that night Brandt attacked Harlow outside."),
    ("laterality", "An X-ray showed a fracture of the left wrist.", "An X-ray showed a fracture of the right wrist."),
    ("route", "Ceftriaxone was given orally on the ward.", "Ceftriaxone was given intravenously on the ward."),
]
AGREEMENTS = [
    (
        "Later that night Harlow attacked Brandt outside.",
        "Later that night Harlow attacked Brandt outside, and nobody knows whether Brandt attacked Harlow first.",
    ),
    (
        "Later that night Harlow attacked Brandt outside.",
        "Later that night police asked whether Brandt attacked Harlow outside.",
    ),
    ("The ferry carried about 240 passengers.", "The ferry carried 243 passengers to the island."),
    ("The ferry carried 240 passengers.", "The ferry carried 240 passengers and 12 cars."),
    ("The shop sold 12,000 bicycles.", "The shop sold 12, 000 bicycles."),
    ("The plan costs $14 . 99 a month.", "The plan costs $14.99 a month."),
    ("Profit rose 5% in 2012.", "Profit rose 7% in 2011."),
    ("The bridge opened before 20 May 2011.", "The bridge opened on 13 May 2011."),
    ("The striker is 24 and may replace the captain.", "He may replace the captain when the 34-year-old leaves."),
    ("The two teams scored 5 and 7 respectively.", "The two teams scored 6 and 7."),
    ("She did not smoke.", "She denied smoking."),
    ("He can ' t attend the dinner .", "He can't attend the dinner."),
    ("Nobody was hurt in the crash.", "The crash did not hurt anyone."),
    ("It was deemed a threat in 1997.", "It was not deemed a threat until 1997."),
    ("Some guests liked the pool.", "All guests liked the pool."),
    ("Oakham beat Welby in the final.", "Welby lost to Oakham in the final."),
    ("The tower leans left.", "Rents fell in the north."),
]


@pytest.mark.parametrize(("kind", "claim", "passage"), CONFLICTS)
def test_a_changed_statement_is_told_with_its_kind(kind, claim, passage):
    kinds = [conflict.kind for conflict in find_conflicts(claim, passage, every=True)]
    assert kind in kinds


@pytest.mark.parametrize("text", [text for _, *texts in CONFLICTS for text in texts])
def test_a_statement_that_says_the_same_is_no_conflict(text):
    assert find_conflicts(text, text, every=True) == ()


@pytest.mark.parametrize(("claim", "passage"), AGREEMENTS)
def test_what_can_both_be_true_is_no_conflict(claim, passage):
    assert find_conflicts(claim, passage, every=True) == ()


def test_the_places_are_stretches_of_the_claim_and_of_the_passage():
    claim, passage = "The ferry carried 340 passengers.", "In May the ferry carried 240 passengers to the island."
    (conflict,) = find_conflicts(claim, passage)
    assert conflict.claim.of(claim) == "340"
    assert conflict.passage.of(passage) == "240"
    assert conflict.note == "“340” where the source has “240”"


def test_a_number_that_another_place_of_the_source_has_is_no_conflict():
    claim, passage = "The ferry carried 340 passengers.", "The ferry carried 240 passengers."
    assert find_conflicts(claim, passage, sources=[passage])
    assert not find_conflicts(claim, passage, sources=[f"{passage} On Sunday it was 340 people."])


def test_a_name_in_anothers_place_is_told_where_no_source_has_it():
    claim = "The prize was given to Miriam Hollis on stage."
    passage = "The prize was given to Terence Boyd on stage."
    (conflict,) = find_conflicts(claim, passage, sources=[passage])
    assert (conflict.kind, conflict.claim.of(claim)) == ("name", "Miriam Hollis")
    assert not find_conflicts(claim, passage, sources=[f"{passage} Hollis, his pen name, is older."])


def test_names_are_not_compared_without_the_sources():
    claim, passage = "The prize was given to Hollis on stage.", "The prize was given to Boyd on stage."
    assert find_conflicts(claim, passage) == ()
    assert find_conflicts(claim, passage, every=True)


def test_kinds_that_are_switched_off_are_told_only_on_request():
    claim, passage = "The new rule will reduce traffic downtown.", "The new rule may reduce traffic downtown."
    assert not ENABLED["hedge"]
    assert find_conflicts(claim, passage) == ()
    assert find_conflicts(claim, passage, every=True)


def test_every_kind_has_a_switch():
    assert set(ENABLED) == set(get_args(ConflictKind))


def test_word_rules_are_silent_in_other_languages_and_numbers_are_not():
    assert find_conflicts("El barco no llevaba coches.", "El barco llevaba coches.", "es", every=True) == ()
    found = find_conflicts("El barco llevaba 340 pasajeros.", "El barco llevaba 240 pasajeros.", "es")
    assert [conflict.kind for conflict in found] == ["number"]


@pytest.mark.parametrize("piece", ["not ", "no 5 mg ", "A", "(", "1, 000 ", "| ", "U.S. "])
def test_a_page_full_of_one_thing_is_read_to_its_end(piece):
    text = (piece * LONGEST)[:LONGEST]
    find_conflicts(text, text, every=True)
    assert find_conflicts(text + "x", text, every=True) == ()


_WORDS = st.sampled_from(
    [
        "not",
        "Ann",
        "Smith",
        "5",
        "mg",
        "12%",
        "all",
        "most",
        "rose",
        "fell",
        "left",
        "arm",
        ",",
        ".",
        "|",
        "Monday",
        "n't",
        "$3",
    ]
)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.lists(_WORDS, max_size=20).map(" ".join), st.lists(_WORDS, max_size=20).map(" ".join))
def test_places_lie_within_their_texts_in_order(claim, passage):
    found = find_conflicts(claim, passage, every=True)
    assert [each.claim for each in found] == sorted(each.claim for each in found)
    for each in found:
        assert 0 <= each.claim.start < each.claim.end <= len(claim)
        assert 0 <= each.passage.start < each.passage.end <= len(passage)
    assert find_conflicts(claim, claim, every=True) == ()


def test_a_deed_that_is_only_asked_about_hides_no_conflict():
    claim = "Later that night Harlow attacked Brandt outside."
    passage = "Later that night Brandt attacked Harlow outside. Asked if Harlow attacked Brandt, police said no."
    assert [conflict.kind for conflict in find_conflicts(claim, passage, sources=(passage,))] == ["role"]
