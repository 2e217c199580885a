"""Units that a record brings (criteria, sources), banks from the query or a reference, and yes/no scales."""

import json
from pathlib import Path

import pytest

import assay
from assay.domain.ask import BankAsk
from assay.domain.outcome import Abstention
from assay.errors import InputError
from assay.files.rubrics import open_rubric
from assay.testing import ScriptedJudge

SUPPORT = """\
# Support answer

- id: support-answer
- version: 1

Judges an answer.

## Inputs

| input | role | kind | required | meaning |
|---|---|---|---|---|
| question | query | text | yes | The question. |
| pages | source | documents | yes | The pages found. |
| expected | reference | text | no | What an expert answered. |
| answer | output | text | yes | The answer. |

## Bank: asked

- unit: question
- from: the query
- least: 1
- most: 5

Each thing that the query asks for.

## Bank: expected points

- unit: item
- from: the reference
- least: 1
- most: 8

Each fact of the expected answer.

## Metric: precision

- scale: 0 to 1, high is best, 2 decimals
- rule: mean of labels

Is each source of use for the query?

### Label each source

- evidence: source

| label | value | meaning |
|---|---|---|
| useful | 1 | A sentence of it helps to answer. |
| useless | 0 | None does. |

## Metric: recall

- scale: 0 to 1, high is best, 2 decimals
- rule: mean of labels

Do the sources hold each item?

### Label each item

- evidence: source

| label | value | meaning |
|---|---|---|
| found | 1 | They do. |
| lacking | 0 | They do not. |

## Metric: answers_all

- scale: no to yes, yes is best
- rule: mean of labels

Is each question answered?

### Label each question

- evidence: output

| label | value | meaning |
|---|---|---|
| answered | 1 | It is. |
| open | 0 | It is not. |

## Metric: rude

- scale: no to yes, no is best
- rule: grade

Is the answer rude?

### Grade

| level | meaning |
|---|---|
| yes | A customer would be hurt. |
| no | Nobody would be hurt. |
"""
RECORD = {
    "id": "a",
    "question": "What does the lid cost? When does it arrive?",
    "pages": ["The lid costs 4 euros.", "Our founder likes tea."],
    "expected": "The lid costs 4 euros. It arrives on Monday.",
    "answer": "The lid costs 4 euros.",
}
CHECKLIST = {
    "id": "a",
    "criteria": [{"text": "Names the price.", "points": 3}, "Says sorry.", {"text": "Blames the buyer.", "points": -4}],
    "output": "We are sorry. The price of the lid is 4 euros.",
}


@pytest.fixture
def support(tmp_path: Path) -> str:
    path = tmp_path / "support-answer.md"
    path.write_text(SUPPORT)
    return str(path)


class Watching(ScriptedJudge):
    """Keeps what it was asked."""

    async def answer(self, ask, passages):
        self.asks = [*getattr(self, "asks", []), (ask, passages)]
        return await super().answer(ask, passages)


def check(judge: ScriptedJudge, **changes: object):
    [result] = assay.judge([CHECKLIST | changes], "checklist", judge, store=None)
    return result.metrics["criteria_met"]


def test_points_are_summed_over_those_that_can_be_reached_and_negative_ones_lower():
    assert check(ScriptedJudge()).score == 100
    assert check(ScriptedJudge({"sorry": "not_met"})).score == 75
    blamed = check(ScriptedJudge({"Blames": "met"}))
    assert (blamed.score, blamed.derivation) == (0, "3 criteria: 3 met; 0 of 4 points, mean value 0")
    assert check(ScriptedJudge({"Blames": "met", "price": "not_met"})).score == 0  # never below the scale


def test_an_uncertain_criterion_of_a_fault_counts_as_met_and_its_interval_holds_both_ends():
    class Unsure(ScriptedJudge):
        async def answer(self, ask, passages):
            answer = await super().answer(ask, passages)
            return assay.Answer(assay.Findings(tuple(each for each in answer.findings.labels if each.unit != "r3")))

    unsure = check(Unsure())
    assert (unsure.score, unsure.interval) == (0, (0, 100))


def test_a_criterion_is_a_finding_where_it_lowers_the_score_and_only_there():
    [result] = assay.judge([CHECKLIST], "checklist", ScriptedJudge({"Blames": "met"}), store=None)
    found = result.metrics["criteria_met"].findings
    assert [(each["text"], each["points"], each["label"]) for each in found] == [
        ("Names the price.", 3, "met"),
        ("Says sorry.", 1, "met"),
        ("Blames the buyer.", -4, "met"),
    ]


@pytest.mark.parametrize(
    ("criteria", "message"),
    [
        ([], "criteria is an empty list"),
        ([{"text": "Rude.", "points": -1}], "no criterion of criteria has points above 0"),
        ([{"text": "A.", "id": "x"}, {"text": "B.", "id": "x"}], "number 1 and number 2 of criteria have the same id"),
        ([{"points": 2}], "number 1 of criteria has no text"),
        ([" "], "number 1 of criteria has no text"),
        ([{"text": "A.", "points": "many"}], "the points of number 1 of criteria are 'many'"),
        ({"text": "A."}, "criteria is an object, a list of texts or objects is needed"),
    ],
)
def test_criteria_that_say_nothing_are_refused(criteria, message):
    with pytest.raises(InputError) as caught:
        check(ScriptedJudge(), criteria=criteria)
    assert message in caught.value.message
    assert caught.value.remedy


def test_a_record_without_criteria_is_refused_and_a_blank_cell_is_not_scored():
    values = {name: value for name, value in CHECKLIST.items() if name != "criteria"}
    with pytest.raises(InputError, match="criteria is missing"):
        assay.judge([values], "checklist", ScriptedJudge(), store=None)
    assert check(ScriptedJudge(), criteria="").status == "empty_input"


def test_criteria_in_a_cell_are_json_or_one_on_each_line(tmp_path):
    path = tmp_path / "records.csv"
    cell = json.dumps(CHECKLIST["criteria"]).replace('"', '""')
    path.write_text(f'id,output,criteria\n1,It is 4.,"{cell}"\n2,It is 4.,"- Names the price.\n- Says sorry."\n')
    first, second = assay.judge(path, "checklist", ScriptedJudge(), store=None)
    assert [each["points"] for each in first.metrics["criteria_met"].findings] == [3, 1, -4]
    assert [each["text"] for each in second.metrics["criteria_met"].findings] == ["Names the price.", "Says sorry."]


def test_the_points_are_not_shown_to_the_judge():
    from assay.judges.prompted.prompt import build_metrics_call

    judge = Watching()
    check(judge, criteria=[{"text": "Names the price.", "points": 271, "id": "price"}])
    [(ask, passages)] = judge.asks
    prompt = build_metrics_call([ask], passages).messages[1].text
    assert "[r1] (price) Names the price." in prompt
    assert "271" not in prompt


def test_outputs_with_other_criteria_are_no_pair():
    other = CHECKLIST | {"id": "b", "criteria": ["Says sorry."]}
    one, two = assay.judge([CHECKLIST, other], "checklist", ScriptedJudge(), store=None)
    assert one.item != two.item


def test_a_label_whose_only_quote_is_not_there_is_uncertain_and_one_without_a_quote_stands():
    class Quoting(ScriptedJudge):
        async def answer(self, ask, _):
            cited = (assay.Citation("O.1", "words that nobody wrote"),)
            labels = tuple(
                assay.Label("criterion", unit.id, "met", cited if unit.id == "r1" else ()) for unit in ask.units[:2]
            )
            return assay.Answer(assay.Findings((*labels, assay.Label("criterion", "r3", "not_met"))))

    assert [each["label"] for each in check(Quoting()).findings] == ["undecided", "met", "not_met"]


def test_sources_are_labelled_and_banks_come_from_the_query_and_the_reference(support):
    judge = Watching(labels={"Our founder": "useless", "Monday": "lacking", "arrive": "open"})
    [result] = assay.judge([RECORD], support, judge, store=None)
    scores = {name: each.score for name, each in result.metrics.items()}
    assert scores == {"precision": 0.5, "recall": 0.5, "answers_all": 0, "rude": 0}
    assert [each["text"] for each in result.metrics["answers_all"].findings] == [
        "What does the lid cost?",
        "When does it arrive?",
    ]
    assert [each["evidence"] for each in result.metrics["recall"].findings][1] == []
    banks = {ask.bank.id: [source.text for source in ask.sources] for ask, _ in judge.asks if isinstance(ask, BankAsk)}
    assert banks == {"asked": [RECORD["question"]], "expected_points": [RECORD["expected"]]}


def test_the_reference_is_shown_to_its_bank_alone(support):
    from assay.judges.prompted.prompt import build_metrics_call

    judge = Watching()
    reference = {"expected": "Sixpence, and on Monday."}
    assay.judge([RECORD | reference], support, judge, store=None)
    asked = [build_metrics_call([ask], passages) for ask, passages in judge.asks if not isinstance(ask, BankAsk)]
    shown = {call.key.ask for call in asked if "Sixpence" in call.messages[1].text}
    assert shown == {"recall"}  # as an item of its bank


def test_without_a_reference_what_rests_on_it_is_not_scored(support):
    values = {name: value for name, value in RECORD.items() if name != "expected"}
    run = assay.judge([values], support, ScriptedJudge(), store=None)
    outcome = run.cards[0].outcomes["recall"]
    assert isinstance(outcome, Abstention)
    assert outcome.reason == "the record has no reference"


def test_a_quote_from_another_source_proves_nothing_about_a_source(support):
    class Misquoting(ScriptedJudge):
        async def answer(self, ask, passages):
            if isinstance(ask, BankAsk) or ask.id != "precision":
                return await super().answer(ask, passages)
            cited = (assay.Citation("S1.1", "The lid costs 4 euros"),)
            return assay.Answer(
                assay.Findings(tuple(assay.Label("source", unit.id, "useful", cited) for unit in ask.units))
            )

    [result] = assay.judge([RECORD], support, Misquoting(), store=None)
    assert [each["label"] for each in result.metrics["precision"].findings] == ["useful", "undecided"]


def test_the_built_in_judge_declines_with_a_reason(support):
    [result] = assay.judge([RECORD], support, store=None)
    assert {each.status for each in result.metrics.values()} == {"abstained"}
    assert all("use a language model" in each.reason for each in result.metrics.values())
    assert check_embedded().reason.endswith("use a language model")


def check_embedded():
    [result] = assay.judge([CHECKLIST], "checklist", store=None)
    return result.metrics["criteria_met"]


@pytest.mark.parametrize(
    ("value", "level"), [("yes", 1), ("No.", 0), (True, 1), (0, 0), ("1", 1), ("maybe", None), ("yes and no", None)]
)
def test_a_grade_of_yes_or_no_is_read(value, level):
    from assay.domain.scale import Scale
    from assay.replies.parts import read_on_scale
    from assay.replies.values import Reading

    read = read_on_scale(value, Scale(0, 1, is_yes_no=True))
    assert (read.value if isinstance(read, Reading) else None) == level


def test_yes_and_no_are_shown_as_words_and_stored_as_numbers(support, tmp_path):
    from assay.domain.outcome import Verdict
    from assay.report.display import format_score

    store = tmp_path / "assay.db"
    judge = ScriptedJudge({"arrive": "open"}, {"rude": 1})
    run = assay.judge([RECORD], support, judge, store=store)
    [result] = run
    assert (result.metrics["rude"].score, result.metrics["rude"].goodness) == (1, 0)
    outcomes = run.cards[0].outcomes
    assert isinstance(outcomes["rude"], Verdict)
    assert (format_score(outcomes["rude"]), format_score(outcomes["answers_all"])) == ("yes", "no")
    assert "100 % yes" in run.summary()


def test_the_best_answer_can_be_reached_by_a_share(support):
    path = Path(support)
    path.write_text(
        SUPPORT.replace(
            "- rule: mean of labels\n\nIs each question", "- rule: mean of labels\n- passes at: 0.5\n\nIs each question"
        )
    )
    [result] = assay.judge([RECORD], support, ScriptedJudge({"arrive": "open"}), store=None)
    assert result.metrics["answers_all"].score == 1


def test_a_rubric_says_whether_it_was_validated():
    assert open_rubric("article-audit").validation
    assert not open_rubric("checklist").validation
    [result] = assay.judge([CHECKLIST], "checklist", ScriptedJudge(), store=None)
    assert result.rubric["validated"] is False


def test_side_by_side_each_criterion_is_shown_once_and_labelled_for_each_output():
    from assay.domain.ask import MetricAsk
    from assay.files.place import Place
    from assay.files.record_builder import build_record
    from assay.judges.prompted.side_by_side import build_side_by_side_call, read_side_by_side_reply, show_outputs
    from assay.models.chat import Completion, Usage
    from assay.runner.planning import cut_record, plan_metric

    rubric = open_rubric("checklist")
    records = [
        build_record(CHECKLIST | {"system": name, "output": text}, rubric, Place(None, None))
        for name, text in (("a", "We are sorry. It is 4 euros."), ("b", "You broke it."))
    ]
    cases = [cut_record(record, rubric) for record in records]
    asks: list[list[MetricAsk]] = [[plan_metric(case, rubric.metrics[0], ())] for case in cases]
    shown = show_outputs(asks, [case.passages for case in cases])
    prompt = build_side_by_side_call(shown).messages[1].text
    assert prompt.count("[r1] Names the price.") == 1
    labels = {
        "A": [("r1", "met", "A.2", "4 euros"), ("r2", "met", "A.1", "sorry"), ("r3", "not_met", "", "")],
        "B": [("r1", "not_met", "", ""), ("r2", "not_met", "", ""), ("r3", "met", "B.1", "You broke it")],
    }
    keys = ("unit", "label", "sentence", "quote")
    reply = {
        letter: {"criteria_met": {"criteria": [dict(zip(keys, each, strict=True)) for each in given]}}
        for letter, given in labels.items()
    }
    first, second = read_side_by_side_reply(Completion(json.dumps(reply), "stop", Usage(0, 0)), shown)
    assert not first.faults + second.faults
    assert [label.label for label in first.findings.labels] == ["met", "met", "not_met"]
    assert [label.label for label in second.findings.labels] == ["not_met", "not_met", "met"]
    assert second.findings.labels[2].cited[0].sentence == "O.1"
