"""Runs one metric of Ragas over records, in Ragas's own environment: BASE_URL MODEL METRIC < RECORDS (as JSON)."""

import asyncio
import json
import os
import sys

os.environ["RAGAS_DO_NOT_TRACK"] = "true"

from openai import AsyncOpenAI
from ragas.llms import llm_factory
from ragas.metrics import collections

UNDER_WAY = 10


def build_inputs(record: dict[str, str], metric: str) -> dict[str, object]:
    if metric == "SummaryScore":
        return {"reference_contexts": [record["article"]], "response": record["summary"]}
    task, article = "Summarise the article.", record["article"]
    return {"user_input": task, "response": record["summary"], "retrieved_contexts": [article]}


async def main(base_url: str, model: str, metric: str) -> None:
    judge = llm_factory(model, client=AsyncOpenAI(base_url=base_url, api_key="none"))
    slots = asyncio.Semaphore(UNDER_WAY)

    async def measure(record: dict[str, str]) -> float:
        async with slots:
            return (await getattr(collections, metric)(llm=judge).ascore(**build_inputs(record, metric))).value

    print(await asyncio.gather(*map(measure, json.load(sys.stdin))))


asyncio.run(main(*sys.argv[1:]))
