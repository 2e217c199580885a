import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from training.corruptions import additions, clinical, commerce, entities, numbers, polarity, relations, strength
from training.corruptions.rules import RULES, corrupt
from training.pairs import Label
from training.paraphrases import drop_brackets, drop_opening, drop_tail, paraphrase, round_count, use_other_words

pytestmark = pytest.mark.integration
OTHERS = (
    "Marta Kowal was a painter from Gdansk, and her brother ran a bakery.",
    "The bridge at Selby was closed while repairs went on.",
)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (entities.swap_name, "The prize went to Ingrid Holm in the end."),
        (entities.swap_own_names, "Ajax defeated Celtic in the final."),
        (numbers.change_number, "The museum holds 4,200 coins."),
        (numbers.change_number, "The choir sang five songs."),
        (numbers.swap_unit, "The tunnel is 12 kilometres long."),
        (numbers.shift_date, "The school opened in 1987."),
        (numbers.shift_date, "They met on 4 March."),
        (numbers.shift_ordinal, "She finished third in the race."),
        (polarity.add_negation, "The lake is frozen in winter."),
        (polarity.add_negation, "The team won the match."),
        (polarity.remove_negation, "The lake is not frozen in winter."),
        (polarity.remove_negation, "There were no survivors."),
        (polarity.flip_direction, "Sales increased in spring."),
        (polarity.swap_category, "He is a French painter of the river."),
        (strength.drop_hedge, "The drug may help."),
        (strength.widen_quantifier, "Some members agreed."),
        (additions.insert_cause, "The shop closed."),
        (additions.insert_detail, "The shop closed."),
        (additions.borrow_clause, "The shop closed."),
        (additions.merge_facts, "The shop was small."),
        (clinical.change_dose, "She took 20 mg of the drug."),
        (clinical.change_frequency, "It is taken twice daily."),
        (clinical.change_route, "It was given intravenously."),
        (clinical.swap_side, "The left knee was swollen."),
        (clinical.swap_finding, "He denies pain."),
        (commerce.change_price, "The lamp costs $49.99 today."),
        (commerce.change_rating, "It is rated 4.5 out of 5."),
    ],
)
def test_every_rule_changes_a_sentence_made_for_it(change, sentence):
    for seed in range(20):
        changed = change(sentence, OTHERS, random.Random(seed))
        assert changed is not None
        assert changed != sentence


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (entities.swap_name, "In March the rain stopped."),
        (numbers.change_number, "The school opened in 1987."),
        (numbers.shift_date, "The 1992–93 season was short."),
        (strength.drop_hedge, "She left on 3 May."),
        (clinical.swap_side, "He left the room."),
        (commerce.change_rating, "They lost 4/56 of it."),
        (polarity.swap_category, "Kansas City lost."),
        (relations.turn_cause, "It closed because of rain."),
        (relations.turn_comparison, "More than 40 people came."),
    ],
)
def test_a_rule_leaves_alone_what_only_looks_like_its_business(change, sentence):
    assert all(change(sentence, (), random.Random(seed)) is None for seed in range(20))


@pytest.mark.parametrize(
    ("change", "sentence", "expected"),
    [
        (entities.swap_own_names, "Ajax defeated Celtic in the final.", "Celtic defeated Ajax in the final."),
        (polarity.remove_negation, "The lake is not frozen.", "The lake is frozen."),
        (polarity.remove_negation, "No one came.", "Some one came."),
        (polarity.add_negation, "The team received the cup.", "The team did not receive the cup."),
        (strength.drop_hedge, "The drug may help.", "The drug will help."),
        (clinical.swap_side, "The left knee was swollen.", "The right knee was swollen."),
        (clinical.swap_finding, "He denies pain.", "He reports pain."),
        (polarity.flip_direction, "Exports rose.", "Exports fell."),
        (relations.turn_cause, "The flood led to a famine.", "A famine led to the flood."),
        (
            relations.turn_cause,
            "The school closed because the roof had fallen in.",
            "The roof had fallen in because the school closed.",
        ),
        (
            relations.turn_comparison,
            "The lamp is much cheaper than the desk.",
            "The desk is much cheaper than the lamp.",
        ),
        (relations.order_to_cause, "Sales fell after the strike.", "Sales fell because of the strike."),
    ],
)
def test_a_rule_with_one_way_to_go_goes_it(change, sentence, expected):
    assert change(sentence, (), random.Random(1)) == expected


def test_a_number_keeps_its_spelling():
    for seed in range(50):
        changed = numbers.change_number("The museum holds 4,200 coins.", (), random.Random(seed))
        amount = changed.split()[3]
        assert amount == f"{int(amount.replace(',', '')):,}"


def test_strengthening_and_adding_are_unfounded_and_the_rest_is_contradicted():
    unfounded = {rule.kind for rule in RULES if rule.label == Label.NOT_IN_SOURCE}
    strengthened = {"hedge", "quantifier", "cause_made", "cause_turned"}
    assert unfounded == strengthened | {"cause", "detail", "borrowed", "merge"}
    assert {rule.label for rule in RULES} == {Label.CONTRADICTED, Label.NOT_IN_SOURCE}


def test_every_kind_of_corruption_comes_up():
    sentence = (
        "Some say Ingrid Holm beat Marta Kowal in 1987, and the third patient may not have taken 20 mg intravenously "
        "twice daily for $49.99 because the left knee was larger by 12 kilometres in a French film rated 4.5 out of 5 "
        "among adults, with five songs."
    )
    others = (*OTHERS, "The choir of 31 sang in 1950.")
    seen = {made.kind for seed in range(900) if (made := corrupt(sentence, others, random.Random(seed)))}
    assert seen == {rule.kind for rule in RULES} - {"cause", "comparison", "cause_made"}
    for text, kind in (("Lima is larger than Oslo.", "comparison"), ("It fell after lunch.", "cause_made")):
        kinds = {made.kind for seed in range(300) if (made := corrupt(text, others, random.Random(seed)))}
        assert kind in kinds


@settings(deadline=None, derandomize=True)
@given(st.text(max_size=200), st.integers(0, 1000))
def test_a_corruption_always_differs_and_the_same_chance_makes_the_same_one(text, seed):
    made = corrupt(text, OTHERS, random.Random(seed))
    assert made is None or made.text != text
    assert made == corrupt(text, OTHERS, random.Random(seed))


@pytest.mark.parametrize("piece", ["A ", "1,", "not ", "is ", "Ab Cd ", "(", ", which ", "left arm ", "$1", "may be "])
def test_a_huge_sentence_does_not_hang_a_rule(piece):
    for rule in RULES:
        rule.change(piece * 20_000, OTHERS, random.Random(0))


@pytest.mark.parametrize(
    ("change", "sentence", "expected"),
    [
        (drop_brackets, "Holm (born 1950) is a judge.", "Holm is a judge."),
        (drop_opening, "In the spring of 1950, the mill was sold.", "The mill was sold."),
        (drop_tail, "The old mill was sold, which pleased nobody.", "The old mill was sold."),
        (use_other_words, "He purchased a boat.", "He bought a boat."),
    ],
)
def test_a_paraphrase_says_less_or_the_same(change, sentence, expected):
    assert change(sentence, random.Random(0)) == expected


def test_a_rounded_count_is_a_bound_that_the_count_meets():
    for seed in range(30):
        said = round_count("The hall seats 4,612 people.", random.Random(seed))
        assert said in ("The hall seats more than 4,000 people.", "The hall seats fewer than 5,000 people.")
    assert round_count("It seats over 4,612 people.", random.Random(0)) is None


def test_a_sentence_no_paraphrase_fits_stays_as_it_is():
    assert paraphrase("Dogs bark.", random.Random(0)) == "Dogs bark."


def test_a_borrowed_number_is_one_that_the_others_have_and_of_its_kind():
    others = ("In 1999 there were 14 of 30.",)
    found = {numbers.borrow_number("By 2001 it had 30 rooms.", others, random.Random(seed)) for seed in range(20)}
    assert found == {"By 1999 it had 30 rooms.", "By 2001 it had 14 rooms."}


def test_a_rule_left_out_is_not_used():
    kinds = {rule.kind for rule in RULES}
    for seed in range(20):
        assert corrupt("The school had 12 rooms.", (), random.Random(seed), kinds - {"number"}).kind == "number"
