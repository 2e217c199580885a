"""Runs one metric of DeepEval over records, in DeepEval's own environment: BASE_URL MODEL METRIC < RECORDS (as JSON)."""

import asyncio
import json
import os
import sys

os.environ |= {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "DEEPEVAL_DISABLE_DOTENV": "1"}

from deepeval import metrics
from deepeval.models.llms.openai_model import OpenAIModel
from deepeval.test_case import LLMTestCase

UNDER_WAY = 10


def build_case(record: dict[str, str], metric: str) -> LLMTestCase:
    """Summarization takes the article as the input, the others the task."""
    if metric == "SummarizationMetric":
        return LLMTestCase(input=record["article"], actual_output=record["summary"])
    task, article = "Summarise the article.", record["article"]
    return LLMTestCase(input=task, actual_output=record["summary"], retrieval_context=[article])


async def main(base_url: str, model: str, metric: str) -> None:
    judge = OpenAIModel(model, base_url=base_url, api_key="none")
    slots = asyncio.Semaphore(UNDER_WAY)

    async def measure(record: dict[str, str]) -> float:
        async with slots:
            return await getattr(metrics, metric)(model=judge).a_measure(
                build_case(record, metric), _show_indicator=False
            )

    print(await asyncio.gather(*map(measure, json.load(sys.stdin))))


asyncio.run(main(*sys.argv[1:]))
