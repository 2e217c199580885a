"""Screening: which claims are settled before the judge is asked, by whom, and what is asked all the same."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from clerks import AUDIT, SENTENCES, Clerk, build, only, rubric_of

from assay.domain.outcome import Failure, Verdict
from assay.domain.scorecard import Scorecard
from assay.errors import Unreachable
from assay.judges.embedded.judge import EmbeddedJudge
from assay.judges.judge import Judge
from assay.packs import find_hooks
from assay.runner.banks import BankCache
from assay.runner.screening import Screen
from assay.runner.walk import Walk

PARAPHRASE = "A museum in Harlow has a new wing."


def screened(
    judge: Judge, values: Mapping[str, Any] = AUDIT, screen: Screen | None = None, rubric: str = "article-audit"
) -> Scorecard:
    async def run() -> Scorecard:
        opened = rubric_of(rubric)
        walk = Walk(opened, judge, BankCache(), hooks=find_hooks(opened), screen=screen or Screen())
        try:
            return await walk.judge_record(build(rubric, values))
        finally:
            await walk.banks.close()

    return asyncio.run(run())


def settle(claim: str, article: str) -> list[str]:
    """Who settles a claim, beside another one that nothing settles."""
    summary = f"{claim} {PARAPHRASE}"
    card = screened(Clerk(), {"article": article, "summary": summary})
    return [label.by for label in card.outcomes["hallucination"].trail.findings.of("claim")]


def test_a_copied_sentence_is_labelled_by_code_and_only_the_rest_is_asked_about():
    clerk = Clerk()
    card = screened(clerk, {**AUDIT, "summary": f"{SENTENCES[1]} {PARAPHRASE} {SENTENCES[2]}"})
    ask = clerk.asked("hallucination")[0]
    assert [unit.id for unit in ask.units] == ["c2"]
    first, second, third = card.outcomes["hallucination"].trail.findings.of("claim")
    assert [first.by, second.by, third.by] == ["code", "judge", "code"]
    [evidence] = first.evidence
    assert evidence.quote == SENTENCES[1].rstrip(".")
    assert evidence.span.of(AUDIT["article"]) == evidence.quote
    assert first.note == "the source says it word for word"


def test_settled_claims_count_in_the_score_as_any_other():
    clerk = Clerk({"hallucination": [only(c2="absent"), only(c2="absent")]})
    card = screened(clerk, {**AUDIT, "summary": f"{SENTENCES[1]} {PARAPHRASE} {SENTENCES[2]} {SENTENCES[3]}"})
    outcome = card.outcomes["hallucination"]
    assert isinstance(outcome, Verdict)
    assert outcome.score.raw == 6, "one of four: 10 - round(14 / 4)"
    assert outcome.score.value == 4, "capped"


def test_a_metric_with_every_claim_settled_is_not_asked_about():
    clerk, screen = Clerk(), Screen()
    card = screened(clerk, screen=screen)
    assert clerk.asked("hallucination") == []
    assert card.outcomes["hallucination"].status == "ok"
    assert card.outcomes["hallucination"].score.value == 10
    assert "screened" not in card.outcomes["hallucination"].trail.flags, "nothing was settled by probability"
    assert (screen.total.claims, screen.total.settled, screen.total.calls) == (4, 4, 1)
    assert screen.total.tokens > 500


def test_a_settled_metric_keeps_its_score_where_the_judge_fails():
    card = screened(Clerk({name: [Unreachable("down")] * 3 for name in ("alignment", "relevance", "bias_toxicity")}))
    assert isinstance(card.outcomes["alignment"], Failure)
    assert isinstance(card.outcomes["hallucination"], Verdict)


@pytest.mark.parametrize(
    ("claim", "article"),
    [
        ("The old town hall will be kept.", "Nobody believes that the old town hall will be kept."),
        ("The old town hall will be kept.", "The old town hall will be kept in no case."),
        ("The old town hall will be kept.", "If the money is found, the old town hall will be kept."),
        ("The old town hall will be kept.", "The old town hall will be kept?"),
        ("The old town hall will be kept.", "“The old town hall will be kept.”"),
        ("The old town hall … will be kept.", "The old town hall, said the mayor, will be kept."),
        ("He said no.", "He said no."),
        ("Will the old town hall be kept?", "Will the old town hall be kept?"),
        ("The old town hall will be kept.", "<!-- The old town hall will be kept. -->"),
        ("The old town hall will be kept.", "The new town hall will be kept."),
    ],
)
def test_a_claim_is_left_to_the_judge_unless_it_is_a_whole_sentence_of_the_source(claim, article):
    assert settle(claim, f"{article} It stands on the market square, beside the church.") == ["judge", "judge"]


@pytest.mark.parametrize(
    "article",
    [
        "It is old. The old town hall will be kept. It stands by the church.",
        "- The old town hall will be kept.\n- It stands by the church.",
        "**The old town hall will be kept!** It stands by the church.",
    ],
)
def test_marks_around_a_sentence_make_no_difference(article):
    assert settle("The old town hall will be kept.", article) == ["code", "judge"]


def test_another_language_is_settled_too():
    article = "Die Brücke wurde am 3. Mai eröffnet. Sie kostete die Stadt zwei Millionen Euro. Viele Bürger kamen."
    card = screened(Clerk(), {"article": article, "summary": "Sie kostete die Stadt zwei Millionen Euro."})
    assert [label.by for label in card.outcomes["hallucination"].trail.findings.of("claim")] == ["code"]


def test_what_is_said_of_one_product_settles_nothing_about_another():
    opinion = "Liked for its size. The lid closes tightly and never drips."
    products = [
        {"product_title": f"{name} kettle", "base_price": 9, "final_price": 8, "product_opinion_summary": opinion}
        for name in ("Alba", "Brio", "Cora")
    ]
    values = {
        "query": "kettle",
        "products": products,
        "comparative_summary": "The Alba kettle is tall. The lid closes tightly and never drips.",
    }
    clerk = Clerk()
    screened(clerk, values, rubric="comparison-faithfulness")
    [ask, *_] = clerk.asked("faithfulness")
    assert len(ask.units) == 2


def test_what_a_pack_has_proved_is_not_asked_about_either():
    products = [
        {"product_title": f"{name} kettle", "base_price": 9, "final_price": 8, "product_opinion_summary": "Liked."}
        for name in ("Alba", "Brio", "Cora")
    ]
    table = "| | Alba kettle | Brio kettle | Cora kettle |\n|---|---|---|---|\n| Final price | 8 | 5 | 8 |\n"
    values = {"query": "kettle", "products": products, "comparative_summary": f"{table}\nThe Alba kettle is liked."}
    clerk = Clerk()
    card = screened(clerk, values, rubric="comparison-faithfulness")
    labels = card.outcomes["faithfulness"].trail.findings.of("claim")
    proven = {label.unit for label in labels if label.by == "code"}
    assert proven
    assert proven.isdisjoint(unit.id for ask in clerk.asked("faithfulness") for unit in ask.units)


def test_a_judge_that_has_to_rank_the_claims_is_asked_about_all_of_them():
    sentences = [f"The museum bought painting number {number} of the series." for number in range(20, 32)]
    clerk, screen = Clerk(), Screen()
    screened(clerk, {"article": " ".join(sentences), "summary": " ".join(sentences)}, screen)
    assert [len(ask.units) for ask in clerk.asked("hallucination")] == [12]
    assert (screen.total.claims, screen.total.settled) == (12, 0)


def test_a_likely_claim_is_settled_by_the_embedded_judge_only_above_the_threshold():
    values = {**AUDIT, "summary": f"The museum of Harlow opened its new wing. {PARAPHRASE}"}
    embedded = EmbeddedJudge()
    for threshold, by in ((0.95, [embedded.name, "judge"]), (0.99, ["judge", "judge"])):
        screen = Screen(embedded, threshold)
        outcome = screened(Clerk(), values, screen).outcomes["hallucination"]
        labels = outcome.trail.findings.of("claim")
        assert [label.by for label in labels] == by
        assert ("screened" in outcome.trail.flags) == (screen.total.likely == 1) == (threshold == 0.95)
        assert outcome.trail.estimate is None, "the probability of one claim is not that of the least supported one"
    asyncio.run(embedded.close())


def test_a_likely_claim_whose_negation_was_left_out_is_left_to_the_judge():
    values = {
        "article": f"{AUDIT['article']} Nobody believes that the old wing will be closed.",
        "summary": f"The old wing will be closed. {PARAPHRASE}",
    }
    embedded = EmbeddedJudge()
    outcome = screened(Clerk(), values, Screen(embedded, 0.95)).outcomes["hallucination"]
    assert [label.by for label in outcome.trail.findings.of("claim")] == ["judge", "judge"]
    asyncio.run(embedded.close())


def test_verifying_asks_about_everything_and_counts_the_labels_that_differ():
    clerk, screen = Clerk({"hallucination": [only("c1", "c3", "c4", c2="partial")]}), Screen(verifies=True)
    outcome = screened(clerk, screen=screen).outcomes["hallucination"]
    assert [len(ask.units) for ask in clerk.asked("hallucination")] == [4]
    assert [label.by for label in outcome.trail.findings.of("claim")] == ["judge"] * 4
    assert "screen_differs" in outcome.trail.flags
    assert (screen.total.settled, screen.total.differing) == (4, 1)


def test_the_embedded_judge_itself_is_not_screened():
    assert Screen().of(EmbeddedJudge()) is None
    assert Screen().of(Clerk()) is not None
