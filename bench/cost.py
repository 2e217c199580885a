"""The bill, side by side: Assay in each of its modes, a plain prompt, DeepEval and Ragas on the same 100 records.

PYTHONPATH=tests python bench/cost.py            writes bench/results/cost.md and cost.jsonl
"""

from collections.abc import Sequence
from dataclasses import replace

import orjson

from assay.engine.costs import PICODOLLARS, read_prices
from assay.files.rubrics import open_rubric
from assay.judges.prompted.schema import build_whole_schema
from bill import Bill, write_bills
from cost_ways import RUBRIC, Way, measure
from equipment.chat_server.exchange import Api, count_tokens
from peers import METRICS, add_up, list_installed, measure_peer, read_version
from workload import RESULTS, conclude, render_table

APIS: tuple[Api, Api] = ("openai", "anthropic")
MODELS: dict[Api, str] = {"openai": "openai:gpt-5.4-mini", "anthropic": "anthropic:claude-sonnet-5-5"}
# Both are withdrawn within weeks; what is to be reached was said with them in mind.
EARLIER: dict[Api, str] = {"openai": "openai:gpt-5-mini", "anthropic": "anthropic:claude-sonnet-4-5"}
WAYS = (
    Way(1, caching=False),
    Way(1),
    Way(5, caching=False),
    Way(5),
    Way(1, batch=True),
    Way(5, batch=True),
    Way(1, joint=False),
    Way(5, joint=False, caching=False),
    Way(5, joint=False),
    Way(5, joint=False, batch=True),
)
# A plain prompt of the kind that the article audit replaces. Behind results/people.md its replies to 100 summaries of three
# sentences had 794 tokens in the mean. With an article of 1,213 words its prompt has 3,118. Its instructions come first, so
# that a cache which works by itself holds them: 1,390 tokens, ten steps of 128.
PLAIN = Bill("a plain prompt", "one call, no cache", 1, "openai", 1, 1, 3_118, 0, 0, 800)
PLAIN_CACHED = replace(PLAIN, mode="one call, cached", cached_tokens=1_280)
# Of the first release, one call per metric: the tokens of its seven prompts, and what share a cache held.
FIRST_PROMPT_TOKENS, FIRST_CACHED_SHARES = 20_900, (0.0, 0.16, 0.22)
LONG = Way(14, records=56, words=3_600, min_tokens=4_096)
ABOUT = """\
Rubric {rubric}: coverage, alignment, hallucination, relevance, bias and toxicity. 100 records of articles of about 1,200 words
with summaries of three sentences; *systems* is how many summaries an article has. Every figure is per record. One server
answers all tools, counts a token for four characters, and caches prompts by the rules of the two APIs from 1,024 tokens on,
once a reply is complete: the longest known beginning in steps of 128 tokens (OpenAI), or what is marked (Anthropic; the
other tools mark nothing). The reply schema is {schema} tokens of each of Assay's prompts. Both providers put it before
all messages and bill it, OpenAI as a prefix of the system message, Anthropic as a tool or as text added to the system
prompt. So it belongs to what is cached.

Replies are scripted, as long as a strong model's to the same prompts (513 tokens for all metrics, measured 534; 220 for the
key points, measured 202). Nothing fails and nothing is asked again. A model that thinks also bills its thoughts, in
every row. A batch is counted without any cache hit: none is promised there. Dollars by `engine/prices.toml`."""
PEERS = """\
The same articles and summaries, not the same questions. {versions}. DeepEval's SummarizationMetric extracts truths and claims
and compares them, and asks five yes-no questions of article and summary; AnswerRelevancyMetric asks whether each statement
answers the task, without the article; BiasMetric and ToxicityMetric look at opinions, of which these summaries have none,
so that no verdicts are asked for. Ragas's SummaryScore asks which questions the summary answers, and its Faithfulness
compares statements with the article. Neither judges intent, stance and tone; neither quotes evidence; what is made of an article
is made again for each summary. The script gives them one truth, statement or question for each sentence.
DeepEval's FaithfulnessMetric repeats a part of its SummarizationMetric and is not in the sum."""
TARGETS = """\
In each cell the share of the dollars it is compared with. The plain prompt has one call and no cache; in brackets with the
instructions at its beginning in OpenAI's cache. Its replies are those of a strong model to summaries of the same length."""
FIRST = """\
The first release had seven calls, 20,900 prompt tokens and 16 to 22 % of them cached. To reach: at most 45 % of its dollars
with one call per metric, one system, and a cache from 1,024 tokens. Here the summaries have six sentences, as in earlier
figures. How long its replies were is not known; *prompts and replies* takes them to be as long as today's."""


def measure_all() -> tuple[list[Bill], list[str]]:
    """All bills, and the versions of the other tools."""
    bills = [measure(way, api) for way in WAYS for api in APIS] + [PLAIN, PLAIN_CACHED]
    versions = []
    for tool in list_installed():
        parts = [measure_peer(tool, metric, Way(5)) for metric in METRICS[tool]]
        bills += [*parts, add_up(tool, parts)]
        versions.append(f"{tool} {read_version(tool)}")
    return bills, versions


def compute_usd(bill: Bill, api: Api, models: dict[Api, str] = MODELS) -> float:
    """A bill of the other API is paid without a cache: nothing was marked."""
    uncached = bill if bill.api == api else replace(bill, cached_tokens=0, written_tokens=0)
    return uncached.compute_usd(read_prices()[models[api]])


def find_bill(bills: Sequence[Bill], way: Way, api: Api) -> Bill:
    key = ("Assay", way.mode, way.systems, api)
    return next(each for each in bills if (each.tool, each.mode, each.systems, each.api) == key)


def render_bills(bills: Sequence[Bill]) -> str:
    rows = []
    for bill in (each for each in bills if each.api == "openai"):
        key = (bill.tool, bill.mode, bill.systems)
        marked = next(
            (each for each in bills if each.api == "anthropic" and (each.tool, each.mode, each.systems) == key), bill
        )
        cached = f"{bill.cached_share:.0%}, {marked.cached_share if marked is not bill else 0:.0%}"
        counts = (bill.calls, bill.prompt_tokens, bill.reply_tokens)
        calls, prompt, reply = (each / bill.records for each in counts)
        dollars = [f"{compute_usd(each, api):.5f}" for each, api in zip((bill, marked), APIS, strict=True)]
        rows.append((*key, f"{calls:.1f}", f"{prompt:,.0f}", cached, f"{reply:,.0f}", *dollars))
    models = [f"$ {MODELS[api].partition(':')[2]}" for api in APIS]
    return render_table(("tool", "mode", "systems", "calls", "prompt tokens", "cached", "reply tokens", *models), rows)


def render_targets(bills: Sequence[Bill]) -> str:
    aims = (
        ("default, five systems, below the plain prompt", Way(5), 1.0),
        ("the same in batches, below half of it", Way(5, batch=True), 0.5),
    )
    rows = []
    for name, way, aim in aims:
        cells = []
        for models in (MODELS, EARLIER):
            for api in APIS:
                ours = compute_usd(find_bill(bills, way, api), api, models)
                plain, cached = (compute_usd(each, api, models) for each in (PLAIN, PLAIN_CACHED))
                cells.append(f"{ours / plain:.1%}" + (f" ({ours / cached:.1%})" if api == "openai" else ""))
        rows.append((name, f"{aim:.0%}", *cells))
    header = [models[api].partition(":")[2] for models in (MODELS, EARLIER) for api in APIS]
    return render_table(("aim", "at most", *header), rows)


def render_first() -> str:
    rows = []
    for api in APIS:
        bill = measure(Way(1, joint=False, sentences=6), api)
        for model in (MODELS[api], EARLIER[api]):
            price = read_prices()[model]
            for words, replies in (("prompts", 0), ("prompts and replies", bill.reply_tokens)):
                now = replace(bill, reply_tokens=replies).compute_usd(price)
                cached = [round(FIRST_PROMPT_TOKENS * share) for share in FIRST_CACHED_SHARES]
                costs = [price.compute_cost(FIRST_PROMPT_TOKENS, replies // bill.records, each) for each in cached]
                rows.append((model, words, f"{now:.5f}", *(f"{now * PICODOLLARS / cost:.0%}" for cost in costs)))
    return render_table(("model", "$ of", "now", "of full price", "of 16 % cached", "of 22 % cached"), rows)


def render_long() -> str:
    """Many systems on one source of more than 4,096 tokens, with a provider that caches from that length."""
    rows, uncached = [], measure(replace(LONG, caching=False), "openai")
    for api in APIS:
        bill = measure(LONG, api)
        dollars = [f"{compute_usd(each, api):.5f}" for each in (bill, uncached)]
        rows.append((MODELS[api], f"{bill.cached_share:.0%}", *dollars))
    return render_table(("model", "cached", "$ per record", "$ without caching"), rows)


def main() -> None:
    bills, versions = measure_all()
    write_bills(RESULTS / "cost.jsonl", bills)
    schema = count_tokens(orjson.dumps(build_whole_schema(open_rubric(RUBRIC))).decode())
    parts = [ABOUT.format(rubric=RUBRIC, schema=schema), render_bills(bills)]
    parts += [PEERS.format(versions=", ".join(versions))] if versions else []
    parts += ["## What was to be reached", TARGETS, render_targets(bills)]
    parts += ["## Against the first release", FIRST, render_first()]
    parts += ["## Fourteen systems on a source of more than 4,096 tokens, cached from 4,096", render_long()]
    conclude("cost", "Cost", parts)


if __name__ == "__main__":
    main()
