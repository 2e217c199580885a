"""The worked examples that packs come with are well formed and agree with themselves; no judge sees their labels."""

from collections.abc import Mapping, Sequence
from importlib.resources import as_file

import pytest

from assay.agreement.worked_examples import WorkedExample, find_unjudged, pair_with_examples, read_worked_examples
from assay.api.judging import judge
from assay.domain.ask import Answer, Ask, BankAsk
from assay.domain.findings import Citation, Findings, Label
from assay.files.rubrics import open_rubric
from assay.judges.judge import Judge
from assay.packs import list_packs
from assay.testing.scripted_judge import ScriptedJudge
from assay.units.passages import OUTPUT, Passages

PACKS = list(list_packs())


def read_examples(name: str) -> tuple[WorkedExample, ...]:
    with as_file(list_packs()[name].folder / "tests.jsonl") as path:
        return read_worked_examples(path, open_rubric(name))


@pytest.mark.parametrize("name", PACKS)
def test_a_pack_has_six_worked_examples_or_more_and_two_at_a_boundary(name: str) -> None:
    rubric, examples = open_rubric(name), read_examples(name)
    assert len(examples) >= 6
    assert sum(bool(each.boundary) for each in examples) >= 2
    answered = {metric for each in examples for metric, _ in each.answers}
    assert answered == {metric.id for metric in rubric.metrics}
    for each in examples:
        assert {"expected", "boundary"}.isdisjoint(each.record.inputs)


class ExpertJudge(Judge):
    """Labels the units of worked examples as their expert does, and leaves everything else to a scripted judge."""

    name = "expert"

    def __init__(self, examples: Sequence[WorkedExample]) -> None:
        self.answers: Mapping[str, WorkedExample] = {each.record.id: each for each in examples}
        self.script = ScriptedJudge()

    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        scripted = await self.script.answer(ask, passages)
        if isinstance(ask, BankAsk):
            return scripted
        known = self.answers[ask.record.id].answers

        def relabel(given: Label) -> Label:
            said = known.get((ask.metric.id, given.unit))
            part = next(each for each in ask.metric.label_parts if each.id == given.part)
            if not isinstance(said, str) or said == given.label:
                return given
            shown = [each for each in passages.all if (each.source == OUTPUT) == (part.evidence == "output")]
            quotes = [Citation(each.id, each.text) for each in shown[:1] if part.needs_evidence(said)]
            return Label(given.part, given.unit, said, tuple(quotes))

        return Answer(Findings(tuple(map(relabel, scripted.findings.labels)), scripted.findings.grades))


@pytest.mark.parametrize("name", PACKS)
def test_the_expert_gives_the_scores_that_follow_from_the_labels(name: str) -> None:
    """Of means of labels; other rules also need words at fault and grades, which no worked example holds."""
    rubric, examples = open_rubric(name), read_examples(name)
    run = judge([dict(each.record.inputs, id=each.record.id) for each in examples], name, ExpertJudge(examples))
    means = {metric.id for metric in rubric.metrics if metric.rule == "mean of labels"}
    labelled = {(each.record.id, metric) for each in examples for metric, unit in each.answers if unit is not None}
    wrong = [
        (each.record[0], each.metric, each.unit, each.expected, each.given)
        for each in pair_with_examples(examples, list(run.cards))
        if not each.is_right and (each.unit is not None or each.metric in means)
        if (each.record[0], each.metric) in labelled
    ]
    assert wrong == []


@pytest.mark.parametrize(("name", "silent"), [("chat", 4), ("report-from-data", 2), ("grounded-answer", 3)])
def test_the_built_in_judge_is_right_nowhere_in_a_metric_that_it_does_not_answer(name: str, silent: int) -> None:
    examples = read_examples(name)
    cards = list(judge([dict(each.record.inputs, id=each.record.id) for each in examples], name, "embedded").cards)
    unjudged = find_unjudged(examples, cards)
    assert len(unjudged) == silent
    assert all("the built-in judge" in reason for reason in unjudged.values())
    assert [each for each in pair_with_examples(examples, cards) if each.metric in unjudged and each.is_right] == []


def test_the_reason_of_a_metric_without_answers_is_that_of_the_examples_where_one_was_wanted() -> None:
    """Most examples of trial-dialogue have no intent, which is no reason where there is one."""
    examples = read_examples("trial-dialogue")
    run = judge([dict(each.record.inputs, id=each.record.id) for each in examples], "trial-dialogue", "embedded")
    assert "the built-in judge" in find_unjudged(examples, list(run.cards))["routing"]
