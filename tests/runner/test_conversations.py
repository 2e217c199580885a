"""A conversation is judged by its turns: claims and whole answers, with evidence from what was said before."""

import assay
from assay.testing import ScriptedJudge

TALK = [
    {"role": "user", "content": "I have the lamp Orla with two bulbs. Can I dim it?"},
    {"role": "assistant", "content": "Your lamp Orla has two bulbs. Its warranty lasts nine years."},
    {"role": "user", "content": "The leaflet says the warranty lasts nine years, then."},
    {"role": "assistant", "content": "The leaflet says nine years."},
]


def judge(talk, **script):
    return assay.judge([{"id": "t", "messages": talk}], "chat", ScriptedJudge(**script)).cards[0]


def labels(card, metric):
    return {label.unit: label for label in card.outcomes[metric].trail.findings.labels}


def test_claims_carry_their_turn_and_the_lines_between_turns_are_no_claims():
    units = judge(TALK).outcomes["faithfulness"].trail.units

    assert [(unit.id, unit.context, unit.text) for unit in units] == [
        ("c1", "turn 2", "Your lamp Orla has two bulbs."),
        ("c2", "turn 2", "Its warranty lasts nine years."),
        ("c3", "turn 4", "The leaflet says nine years."),
    ]


def test_an_answer_is_labelled_as_a_whole_under_the_number_of_its_turn():
    card = judge(TALK, labels={"leaflet says nine": "contradicts"})

    assert {unit: label.label for unit, label in labels(card, "knowledge_kept").items()} == {
        "t2": "kept",
        "t4": "contradicts",
    }
    assert card.outcomes["knowledge_kept"].score.value == 50


def test_a_claim_may_rest_on_what_the_user_said_before_it_and_not_on_what_was_said_later():
    found = labels(judge(TALK), "faithfulness")

    assert (found["c1"].label, found["c3"].label) == ("supported", "supported")
    assert [each.source for each in found["c1"].evidence] == ["s1"]
    assert found["c2"].label == "undecided"
    assert found["c2"].fallen_from == "supported"
    assert "S2.1 is not a sentence of the sources that may show it" in found["c2"].note


def test_a_later_turn_may_contradict_a_claim():
    found = labels(judge(TALK, labels={"nine years": "contradicted"}), "faithfulness")

    assert (found["c2"].label, [each.source for each in found["c2"].evidence]) == ("contradicted", ["s2"])
