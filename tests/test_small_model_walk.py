"""The whole walk against a real, very small language model: whatever it says, every outcome is lawful."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from assay.domain.outcome import FAILURE_STATUSES
from assay.domain.scorecard import Scorecard
from assay.files.records import records_from
from assay.files.rubrics import open_rubric
from assay.judges.prompted.judge import PromptedJudge
from assay.models.chat import Call, Chat, Completion
from assay.models.openai import OpenAIChat
from assay.report.result import build_result
from assay.runner.run import Limits, Plan, Progress, judge_records
from equipment.small_model import SmallModel, find_obstacle, run_small_model

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(find_obstacle() is not None, reason=find_obstacle() or ""),
]

VERDICTS = {"ok", "repaired"}
STATUSES = VERDICTS | {"abstained", "empty_input"} | set(FAILURE_STATUSES)
SUPPORTS = {"supported", "partial", "absent", "contradicted", "undecided", "no_fact"}

RECORDS = {
    "article-audit": {"article": "The town opened a library in May. It has 200 books.", "summary": "A library opened in May."},
    "comparison-faithfulness": {
        "query": "a kettle",
        "products": [
            {"product_title": name, "base_price": price, "final_price": price, "product_opinion_summary": "Works well."}
            for name, price in (("Ula", 10), ("Bem", 20), ("Oko", 30))
        ],
        "comparative_summary": "The Ula costs 10 and works well.",
    },
    "opinion-relevance": {
        "reviews": ["The lamp is bright.", "Nice and bright."],
        "product_opinion_summary": "Buyers call the lamp bright.",
    },
    "search-summary": {
        "user_query": "Is tea safe at night?",
        "search_results": [{"url": "https://example.org/tea", "content": "Tea holds caffeine.", "metadata": {"title": "Tea"}}],
        "summary": "Tea holds caffeine [1].",
    },
    "trial-eligibility": {
        "user_input": "May I join?", "patient_profile": "A man of 50.", "trial_id": "NCT01234567",
        "trial_title": "Walking", "eligibility_criteria": "Adults.", "ground_truth_label": "Eligible",
        "workflow_answer": "Likely Eligible: you are an adult.",
    },
}  # fmt: skip


# Reading is what costs, at about 70 tokens a second, so a long message loses its middle: the walk is what is tested
# here, and a model this small follows a long instruction no better than a short one.
LONGEST_MESSAGE = 360


def cut_middle(text: str) -> str:
    half = LONGEST_MESSAGE // 2
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:half]}\n{text[-half:]}"


class Short:
    """The same model on a short leash: little to read, few tokens to say, plain words where no schema is wanted."""

    def __init__(self, chat: Chat, max_tokens: int, *, schema: bool) -> None:
        self._chat = chat
        self._max_tokens = max_tokens
        self._schema = schema
        self.name = chat.name
        self.context_tokens = chat.context_tokens
        self.reasons = chat.reasons
        self.shares_schema = chat.shares_schema
        self.replies = 0

    async def complete(self, call: Call) -> Completion:
        self.replies += 1
        messages = tuple(replace(each, text=cut_middle(each.text)) for each in call.messages)
        limit = min(call.max_tokens, self._max_tokens)
        schema = call.schema if self._schema else None
        return await self._chat.complete(replace(call, messages=messages, max_tokens=limit, schema=schema))

    async def close(self) -> None:
        await self._chat.close()


class OnceAsked(PromptedJudge):
    reasks = 0


@pytest.fixture(scope="module")
def model() -> Iterator[SmallModel]:
    with run_small_model(context_tokens=4096) as running:
        yield running


def judge(model: SmallModel, rubric: str, max_tokens: int, *, schema: bool, joint: bool = False) -> dict:
    chat = Short(OpenAIChat(model.model, base_url=model.base_url), max_tokens, schema=schema)
    opened, asked = open_rubric(rubric), OnceAsked(chat, joint=joint)
    plan = Plan(opened, (asked,), Limits(workers=1), owned=(asked,))
    cards: list[Scorecard] = []
    asyncio.run(judge_records(plan, records_from([{"id": "a", **RECORDS[rubric]}], opened), cards.append, Progress()))
    assert chat.replies > 0
    return build_result(cards[0]).to_dict()


# Rubrics of many asks get one whole reply, or the model would have to read for each.
@pytest.mark.parametrize(("rubric", "max_tokens"), [("comparison-faithfulness", 60), ("opinion-relevance", 60)])
def test_every_outcome_is_lawful_with_a_schema(model: SmallModel, rubric: str, max_tokens: int) -> None:
    result = judge(model, rubric, max_tokens, schema=True)
    check_lawful(result, rubric)
    statuses = {metric["status"] for metric in result["metrics"].values()}
    assert not statuses & {"unreachable", "timed_out", "too_long", "invalid_record"}


@pytest.mark.parametrize("rubric", ["comparison-faithfulness", "opinion-relevance"])
def test_every_outcome_is_lawful_in_plain_words(model: SmallModel, rubric: str) -> None:
    check_lawful(judge(model, rubric, 40, schema=False), rubric)


@pytest.mark.parametrize("rubric", ["article-audit", "search-summary", "trial-eligibility"])
def test_every_outcome_is_lawful_in_one_call_for_all_metrics(model: SmallModel, rubric: str) -> None:
    check_lawful(judge(model, rubric, 24, schema=False, joint=True), rubric)


def check_lawful(result: dict, rubric: str) -> None:
    """Only statuses we know, scores only with a derivation and in range, quotes only where they really stand."""
    (record,) = records_from([{"id": "a", **RECORDS[rubric]}], open_rubric(rubric))
    texts = {source.id: source.text for source in record.sources} | {"output": record.output}
    assert list(result["metrics"]) == [metric.id for metric in open_rubric(rubric).metrics]
    for metric in result["metrics"].values():
        assert metric["status"] in STATUSES
        if metric["status"] in VERDICTS:
            low, high = metric["scale"]["low"], metric["scale"]["high"]
            assert low <= metric["interval"][0] <= metric["score"] <= metric["interval"][1] <= high
            assert 0 <= metric["goodness"] <= 1
            assert metric["derivation"]
        else:
            assert (metric["score"], metric["raw"], metric["interval"], metric["goodness"]) == (None,) * 4
            assert metric["reason"]
        for finding in metric["findings"]:
            assert finding.get("support", "supported") in SUPPORTS
            for evidence in finding["evidence"]:
                start, end = evidence["span"]
                assert texts[evidence["source"]][start:end] == evidence["quote"]
                assert evidence["quote"].strip()
    scored = sum(metric["status"] in VERDICTS for metric in result["metrics"].values())
    assert result["total"]["scored"] == scored
