"""A claim with a known answer among those of the output."""

import asyncio
from dataclasses import replace

import pytest
from clerks import AUDIT, Clerk, answer_well, build, rubric_of

from assay.domain.ask import Answer, Fault, MetricAsk
from assay.domain.defences import Defences
from assay.runner.banking import BankShelf
from assay.runner.canary import CANARY_FAILED
from assay.runner.walk import Walk

CANARIED = Defences(canary=True)


def judge(clerk, defences=CANARIED, values=AUDIT):
    async def run():
        shelf = BankShelf()
        try:
            walk = Walk(rubric_of("article-audit"), clerk, shelf, defences=defences)
            return await walk.judge_record(build("article-audit", values))
        finally:
            await shelf.close()

    return asyncio.run(run())


def honest(ask):
    """Calls absent what no source holds."""
    answer = answer_well(ask)
    text = ask.record.sources[0].text
    units = {unit.id: unit for unit in ask.units}
    labels = tuple(
        each if units[each.unit].text in text else replace(each, label="absent", cited=())
        for each in answer.findings.labels
    )
    return replace(answer, findings=replace(answer.findings, labels=labels))


def test_a_judge_that_supports_an_invented_claim_is_flagged_on_that_metric_alone():
    card = judge(Clerk())
    assert CANARY_FAILED in card.outcomes["hallucination"].trail.flags
    assert [name for name, each in card.outcomes.items() if CANARY_FAILED in each.trail.flags] == ["hallucination"]


def test_a_judge_that_knows_better_is_not_flagged():
    card = judge(Clerk({"hallucination": [honest]}))
    assert CANARY_FAILED not in card.outcomes["hallucination"].trail.flags


def test_the_canary_is_asked_about_and_never_counted_or_shown():
    clerk = Clerk({"hallucination": [honest]})
    card, plain = judge(clerk), judge(Clerk(), Defences())
    [ask] = clerk.asked("hallucination")
    assert [unit.id for unit in ask.units] == ["c1", "c2", "c5", "c3", "c4"]
    outcome = card.outcomes["hallucination"]
    assert outcome.score == plain.outcomes["hallucination"].score
    assert [unit.id for unit in outcome.trail.units] == ["c1", "c2", "c3", "c4"]
    assert [each.unit for each in outcome.trail.findings.labels] == ["c1", "c2", "c3", "c4"]


def test_a_canary_without_a_label_is_not_asked_for_again():
    def forgetful(ask):
        answer = answer_well(ask)
        kept = tuple(each for each in answer.findings.labels if each.unit != "c5")
        return Answer(replace(answer.findings, labels=kept), faults=(Fault("there is no label for c5"),), reply="x")

    clerk = Clerk({"hallucination": [forgetful]})
    outcome = judge(clerk).outcomes["hallucination"]
    assert len(clerk.asked("hallucination")) == 1
    assert outcome.status == "ok"
    assert CANARY_FAILED not in outcome.trail.flags


def test_a_fault_of_others_is_told_without_the_canary():
    def forgetful(ask):
        answer = answer_well(ask)
        kept = tuple(each for each in answer.findings.labels if each.unit not in {"c5", "c2"})
        return Answer(replace(answer.findings, labels=kept), faults=(Fault("there is no label for c2, c5"),), reply="x")

    clerk = Clerk({"hallucination": [forgetful]})
    judge(clerk)
    again = clerk.asked("hallucination")[1]
    assert [unit.id for unit in again.units] == ["c2"]
    assert again.faults == ("there is no label for c2",)


def test_every_record_has_a_canary_of_its_own_that_its_texts_do_not_hold():
    claims = []
    for summary in (AUDIT["summary"], "The wing holds 40 paintings. Entry is free until the end of May."):
        clerk = Clerk()
        judge(clerk, values={**AUDIT, "summary": summary})
        [ask] = clerk.asked("hallucination")
        claims.append(next(unit.text for unit in ask.units if unit.span is None))
        assert claims[-1] not in summary + AUDIT["article"]
    assert claims[0] != claims[1]


@pytest.mark.parametrize("reasks", [0, 2])
def test_only_a_judge_that_reads_prose_gets_a_canary(reasks):
    clerk = Clerk(reasks=reasks)
    judge(clerk)
    [ask] = clerk.asked("hallucination")
    assert isinstance(ask, MetricAsk)
    assert any(unit.span is None for unit in ask.units) == (reasks > 0)
