"""Full walks of all five rubrics against a server that behaves, and against one that misbehaves in every way it knows."""

import asyncio
import json

import pytest
from clerks import AUDIT, build, build_walk, rubric_of

from assay.domain.outcome import Verdict
from assay.judges.prompted.judge import PromptedJudge
from assay.models.anthropic import AnthropicChat
from assay.models.openai import OpenAIChat
from equipment.chat_server.exchange import is_asked, list_units
from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer
from equipment.fair_replies import answer_fairly, fill_form

SHORT_SECONDS = 0.25
LONG_SECONDS = 20.0
RECORDS = {
    "article-audit": AUDIT,
    "search-summary": {
        "user_query": "How is gout treated?",
        "search_results": [{"url": "https://a.example", "content": "Gout is treated with rest and colchicine. " * 8}],
        "summary": "Gout is treated with rest and colchicine.",
    },
    "comparison-faithfulness": {
        "query": "kettle",
        "products": [
            {"product_title": f"{name} kettle", "base_price": 9, "final_price": 8, "product_opinion_summary": "Liked."}
            for name in ("Alba", "Brio", "Cora")
        ],
        "comparative_summary": "The Alba kettle is liked. The Brio kettle is tall. The Cora kettle is blue.",
    },
    "trial-eligibility": {
        "user_input": "Is this patient eligible for the trial, please?",
        "patient_profile": "A woman of 54 with diabetes.",
        "trial_id": "NCT01234567",
        "trial_title": "A tablet",
        "eligibility_criteria": "Adults with diabetes.",
        "ground_truth_label": "Eligible",
        "workflow_answer": "The patient is likely eligible for the trial because she has diabetes and is an adult.",
    },
    "opinion-relevance": {"reviews": ["Soft straps."], "product_opinion_summary": "Buyers like the soft straps."},
}

both = pytest.mark.parametrize("chat_class", [OpenAIChat, AnthropicChat], ids=["openai", "anthropic"])


def judge_all(chat_class, faults=(), *, seconds=LONG_SECONDS, joint=False):
    """What every metric of every rubric came to, as (rubric, metric) to outcome; and the server."""

    async def run():
        async with ScriptedServer(answer_fairly, faults) as server:
            chat = chat_class("scripted", base_url=server.base_url, key="sk-test", timeout_seconds=seconds)
            walks = [build_walk(name, PromptedJudge(chat, joint=joint)) for name in RECORDS]
            try:
                cards = await asyncio.gather(
                    *(walk.judge_record(build(walk.rubric.id, RECORDS[walk.rubric.id])) for walk in walks)
                )
            finally:
                for walk in walks:
                    await walk.banks.close()
                await chat.close()
            return {(card.rubric.id, name): each for card in cards for name, each in card.outcomes.items()}, server

    return asyncio.run(run())


def statuses(outcomes):
    for (name, metric), outcome in outcomes.items():
        if isinstance(outcome, Verdict):
            scale = rubric_of(name).metric(metric).scale
            assert scale.contains(outcome.score.value), (name, metric)
        else:
            assert outcome.reason, (name, metric)
    return {outcome.status for outcome in outcomes.values()}


@both
def test_a_server_that_behaves_leads_to_a_score_for_every_metric(chat_class):
    outcomes, server = judge_all(chat_class)
    assert statuses(outcomes) == {"ok"}
    assert server.calls == 5 + 1 + 3 + 1 + 1 + 4 + 2, "one per metric that needs a judge, one per bank"


@both
@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (Fault.RATE_LIMITED, "unreachable"),
        (Fault.SERVER_ERROR, "unreachable"),
        (Fault.OVERLOADED, "unreachable"),
        (Fault.RESET, "unreachable"),
        (Fault.GARBAGE, "malformed"),
        (Fault.TOO_LONG, "too_long"),
        (Fault.EMPTY, "malformed"),
        (Fault.REFUSAL, "refused"),
    ],
)
def test_a_fault_that_never_ends_is_a_failure_of_every_metric_that_was_asked_for(chat_class, fault, status):
    outcomes, _ = judge_all(chat_class, [FaultRule(fault, always=True)])
    assert statuses(outcomes) == {status}


@both
def test_silence_is_timed_out(chat_class):
    outcomes, _ = judge_all(chat_class, [FaultRule(Fault.HANG, always=True)], seconds=SHORT_SECONDS)
    assert statuses(outcomes) == {"timed_out"}


@both
@pytest.mark.parametrize("fault", [Fault.FENCED, Fault.SLOPPY])
def test_a_sloppy_reply_is_read_and_says_that_it_was_repaired(chat_class, fault):
    outcomes, server = judge_all(chat_class, [FaultRule(fault, always=True)])
    assert statuses(outcomes) == {"repaired"}
    assert server.calls == 17, "nothing is asked again for a matter of form"


@both
def test_a_reply_cut_in_half_is_truncated_or_scored_on_what_is_left(chat_class):
    outcomes, _ = judge_all(chat_class, [FaultRule(Fault.CUT, always=True)])
    assert {"truncated"} <= statuses(outcomes) <= {"truncated", "abstained", "repaired"}
    for outcome in outcomes.values():
        if outcome.status == "repaired":
            findings = outcome.trail.findings
            assert findings.grades or findings.labels, "a score stands on what was read"
            assert "cut off" in outcome.trail.repairs


@both
def test_numbers_and_labels_off_the_scale_are_never_pulled_onto_it(chat_class):
    outcomes, _ = judge_all(chat_class, [FaultRule(Fault.OUT_OF_RANGE, always=True)])
    graded = {
        ("article-audit", "alignment"),
        ("article-audit", "bias_toxicity"),
        ("search-summary", "answer_relevancy"),
    }
    graded |= {("trial-eligibility", name) for name in ("accuracy", "clarity", "language_correction")}
    for key, outcome in outcomes.items():
        assert outcome.status == ("out_of_range" if key in graded else "malformed"), key


@both
def test_jointly_one_call_answers_all_metrics_but_the_one_that_shows_the_truth(chat_class):
    outcomes, server = judge_all(chat_class, joint=True)
    apart, _ = judge_all(chat_class)
    assert statuses(outcomes) == {"ok"}
    assert server.calls == 5 + 3 + 1, "one per record, one per bank, and accuracy apart"
    for key, outcome in outcomes.items():
        assert (outcome.score, outcome.trail.findings) == (apart[key].score, apart[key].trail.findings), key
    together = [asked for asked in server.asked if "Clarity" in asked.prompt]
    assert len(together) == 1
    assert "Eligible" not in together[0].prompt.replace("likely eligible", ""), (
        "the truth label is shown to accuracy alone"
    )


@both
@pytest.mark.parametrize(
    ("fault", "status"),
    [(Fault.REFUSAL, "refused"), (Fault.SERVER_ERROR, "unreachable"), (Fault.EMPTY, "malformed")],
)
def test_a_joint_reply_fails_for_all_metrics_alike(chat_class, fault, status):
    outcomes, _ = judge_all(chat_class, [FaultRule(fault, always=True)], joint=True)
    assert statuses(outcomes) == {status}


def judge_jointly(answer, name="article-audit"):
    async def run():
        async with ScriptedServer(answer) as server:
            chat = OpenAIChat("scripted", base_url=server.base_url, timeout_seconds=LONG_SECONDS)
            walk = build_walk(name, PromptedJudge(chat, joint=True))
            card = await walk.judge_record(build(name, RECORDS[name]))
            await chat.close()
            return card, [asked for asked in server.asked if not is_asked(asked.prompt, "key_points")]

    return asyncio.run(run())


def test_jointly_only_the_metric_that_is_wrong_is_asked_again():
    def spoil_alignment(asked):
        reply = fill_form(asked)
        if is_asked(asked.prompt, "hallucination"):
            reply["alignment"]["grade"] = {"level": 11, "reason": "superb"}
        return json.dumps(reply)

    card, asked = judge_jointly(spoil_alignment)
    assert {name: outcome.status for name, outcome in card.outcomes.items()} == {
        **dict.fromkeys(card.outcomes, "ok"),
        "alignment": "repaired",
    }
    first, second = asked
    assert all(is_asked(first.prompt, name) for name in card.outcomes)
    assert [name for name in card.outcomes if is_asked(second.prompt, name)] == ["alignment"]
    assert "grade: 11 is not between 0 and 10" in second.prompt


def test_jointly_units_that_are_missing_from_two_metrics_are_asked_for_in_one_call():
    def drop_units(asked):
        reply = fill_form(asked)
        if is_asked(asked.prompt, "alignment"):
            del reply["relevance"]
            reply["hallucination"]["claims"] = reply["hallucination"]["claims"][:1]
        return json.dumps(reply)

    card, asked = judge_jointly(drop_units)
    assert {card.outcomes[name].status for name in ("relevance", "hallucination")} == {"repaired"}
    _, second = asked
    assert {name for name in card.outcomes if is_asked(second.prompt, name)} == {"relevance", "hallucination"}
    assert list_units(second.prompt, "claims") == ["c2", "c3", "c4"]
    assert "relevance is missing from the reply" in second.prompt


def test_a_joint_prompt_that_is_too_long_is_asked_metric_by_metric():
    fault = FaultRule(Fault.TOO_LONG, always=True, containing='}, "alignment": {')
    outcomes, server = judge_all(OpenAIChat, [fault], joint=True)
    assert statuses(outcomes) == {"ok"}
    assert server.calls == 5 + 3 + 1 + 5
