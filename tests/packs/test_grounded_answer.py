"""An answer that declines has nothing to be faithful to, and sources without an answer leave nothing to be complete."""

import json
from pathlib import Path

import pytest

import assay
from assay.domain.outcome import Abstention
from assay.files.place import Place
from assay.files.record_builder import build_record
from assay.files.rubrics import open_rubric
from assay.runner.planning import plan_banks

RUBRIC = open_rubric("grounded-answer")
FARES = "A bicycle costs 22 kroner extra. It must be booked by noon of the day before."
DECLINES = "The sources do not say whether the ferry sails on Christmas Day."


def build(**changes):
    values = {"id": "r", "question": "What does a bicycle cost?", "sources": [FARES], "answer": DECLINES}
    return {**values, **changes}


def reply(record, ask, body):
    return {"record": record, "ask": ask, "sample": 0, "text": json.dumps({ask: body}), "finish_reason": "stop"}


def judge(path: Path, records, replies, **options):
    """By replies to the asks that are given; the other metrics fail, and are not looked at."""
    path.write_text("".join(f"{json.dumps(each)}\n" for each in replies))
    return assay.judge(records, "grounded-answer", f"recorded:{path}", **options)


def point(text):
    return {"sentences": ["S1.1"], "text": text}


def test_two_questions_on_the_same_sources_get_two_banks(tmp_path):
    first, second = build(id="a"), build(id="b", question="When must it be booked?")
    replies = [
        reply("a", "asked_points", [point("A bicycle costs 22 kroner.")]),
        reply("b", "asked_points", [point("It must be booked by noon of the day before.")]),
    ]
    replies += [
        reply(name, "completeness", {"items": [{"unit": "i1", "evidence": [], "label": "missed", "note": ""}]})
        for name in "ab"
    ]
    bank = tmp_path / "bank.jsonl"
    run = judge(tmp_path / "replies.jsonl", [first, second], replies, bank=bank)
    asked = [[unit.text for unit in card.outcomes["completeness"].trail.units] for card in run.cards]
    assert asked == [["A bicycle costs 22 kroner."], ["It must be booked by noon of the day before."]]
    assert len({json.loads(line)["source"] for line in bank.read_text().splitlines()}) == 2


def test_the_same_question_on_the_same_texts_shares_a_bank_whatever_their_titles(tmp_path):
    titled = build(id="b", sources=[{"url": "https://a.example", "title": "Fares", "content": FARES}])
    replies = [reply("a", "asked_points", [point("A bicycle costs 22 kroner.")])]
    bank = tmp_path / "bank.jsonl"
    judge(tmp_path / "replies.jsonl", [build(id="a"), titled], replies, bank=bank)
    assert len(bank.read_text().splitlines()) == 1


def test_the_judge_that_writes_a_bank_sees_the_question():
    [ask] = plan_banks(build_record(build(), RUBRIC, Place(None, None)), RUBRIC, RUBRIC.banks[0])
    assert ask.query == "What does a bicycle cost?"


def test_an_empty_bank_is_an_abstention_with_a_reason_and_is_kept(tmp_path):
    bank = tmp_path / "bank.jsonl"
    for replies in ([reply("r", "asked_points", [])], []):
        run = judge(tmp_path / "replies.jsonl", [build()], replies, bank=bank)
        outcome = run.cards[0].outcomes["completeness"]
        assert isinstance(outcome, Abstention)
        assert outcome.reason == "the judge found nothing in the sources that the query asks for"
    assert len(bank.read_text().splitlines()) == 1


@pytest.mark.parametrize("entries", [[{"point": "A bicycle costs 22 kroner."}], [3], "none"])
def test_a_list_of_points_that_cannot_be_read_is_a_failure_and_not_an_empty_bank(tmp_path, entries):
    unreadable = reply("r", "asked_points", entries)
    run = judge(tmp_path / "replies.jsonl", [build()], [unreadable, unreadable])
    assert run["r"].metrics["completeness"].status == "malformed"


def test_an_answer_that_declines_has_no_faithfulness_score(tmp_path):
    said = {"claims": [{"unit": "c1", "evidence": [], "label": "no_fact", "pieces": [], "note": ""}]}
    run = judge(tmp_path / "replies.jsonl", [build()], [reply("r", "faithfulness", said)])
    result = run["r"].metrics["faithfulness"]
    assert (result.status, result.score, result.reason) == ("empty_input", None, "no claim states a fact")


@pytest.mark.parametrize(
    ("sources", "found"),
    [
        ([FARES, "Helmets."], [(FARES, None, None), ("Helmets.", None, None)]),
        ([{"url": "https://a.example", "title": "Fares", "content": FARES}], [(FARES, "Fares", "https://a.example")]),
        ([FARES, {"content": "Helmets."}], [(FARES, None, None), ("Helmets.", None, None)]),
    ],
)
def test_sources_are_texts_or_documents(sources, found):
    record = build_record(build(sources=sources), RUBRIC, Place(None, None))
    assert [(each.text, each.title, each.url) for each in record.sources] == found
    again = build_record({**record.inputs, "id": "r"}, RUBRIC, Place(None, None))
    assert again == record


def test_sources_that_are_blank_texts_leave_nothing_to_judge():
    result = assay.judge([build(sources=["", " "])], "grounded-answer")["r"]
    assert {metric.status for metric in result.metrics.values()} == {"empty_input"}


def test_the_embedded_judge_says_of_asked_points_only_that_they_are_not_measured():
    reason = assay.judge([build()], "grounded-answer")["r"].metrics["completeness"].reason
    assert reason.startswith("the built-in judge was not measured on this")
