"""What a million records cost and how long they take under the limits of providers, from the bills of cost.py.

python bench/million.py            writes bench/results/million.md
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from assay.engine.costs import read_prices
from bill import Bill, read_bills
from equipment.chat_server.exchange import Api
from workload import RESULTS, render_table

RECORDS = 1_000_000
MODELS: dict[Api, str] = {"openai": "openai:gpt-5.4-mini", "anthropic": "anthropic:claude-sonnet-5-5"}
# Records under way in a batch run, and how often each of them waits for a batch: its key points, then its metrics.
WORKERS, STAGES = 50_000, 2
HOURS = (1, 24)


@dataclass(frozen=True, slots=True)
class Tier:
    """What a provider takes in a minute. Anthropic counts replies apart, and does not count what is read from its cache."""

    api: Api
    name: str
    requests: int
    tokens: int
    reply_tokens: int | None = None
    queued_tokens: int | None = None

    def count_rounds(self, bill: Bill) -> int:
        """How many batches are waited for, one after the other."""
        rounds = STAGES * ceil(RECORDS / WORKERS)
        queued = bill.prompt_tokens * RECORDS / bill.records
        return rounds if self.queued_tokens is None else max(rounds, ceil(queued / self.queued_tokens))

    def compute_hours(self, bill: Bill) -> float:
        """For all records, as fast as the limits let them through."""
        prompt, reply = bill.prompt_tokens, bill.reply_tokens
        needs = [bill.calls / self.requests]
        if self.reply_tokens is None:
            needs.append((prompt + reply) / self.tokens)
        else:
            needs += [(prompt - bill.cached_tokens) / self.tokens, reply / self.reply_tokens]
        return max(needs) * RECORDS / bill.records / 60


TIERS = (
    Tier("openai", "tier 1", 500, 500_000, queued_tokens=5_000_000),
    Tier("openai", "tier 5", 30_000, 180_000_000, queued_tokens=15_000_000_000),
    Tier("anthropic", "Start", 1_000, 500_000, 100_000),
    Tier("anthropic", "Scale", 4_000, 4_000_000, 800_000),
)
ROWS = (
    ("Assay", "one call, cached", 1),
    ("Assay", "one call, cached", 5),
    ("Assay", "one call, `--batch`", 5),
    ("Assay", "one call per metric, cached", 5),
    ("Assay", "one call per metric, `--batch`", 5),
    ("a plain prompt", "one call, no cache", 1),
    ("DeepEval", "SummarizationMetric + AnswerRelevancyMetric + BiasMetric + ToxicityMetric", 5),
    ("Ragas", "SummaryScore + Faithfulness", 5),
)
PAGE = """\
# What a million records cost

Computed by `python bench/million.py` from the [measured bills](cost.md): article audits of 1,200 words, summaries of three sentences, five metrics. *Systems* is how many summaries an article has. For your own records, `assay judge --dry-run` estimates calls, tokens and dollars before anything is sent.

{table}

**In short.** With five summaries per article the default, one call for all metrics, costs {default} of one plain prompt per record; with one summary per article {single}, since its key points are asked for first. `--batch` costs {batched} of the default: half the price per token, but no cache. `--separate` costs {separate} of the default, and batches save little there, since the cache saves as much. Two percentages are those of the two models.

## What is assumed

- **Prices** of November 2026 (`assay/engine/prices.toml`), a token for four characters, no thinking, no retries. A model that thinks multiplies the reply tokens; set `--reasoning-effort low`. Newer Claude models count up to 30 % more tokens for the same text.
- **Limits** as providers publish them, the fastest that the table's limits let through. OpenAI per minute: tier 1 500 requests and 500,000 tokens, tier 5 30,000 and 180 million, published for gpt-5-mini in September 2025; gpt-5.4-mini is taken to have the same. Anthropic: Start 1,000 requests, 500,000 prompt tokens and 100,000 reply tokens, Scale 4,000, 4 million and 800,000, published for Claude Fable 5 in October 2026; for Sonnet we found no figures. What is read from Anthropic's cache does not count against the limit, OpenAI's does. Look up your own in the provider's console.
- **Speed.** To use tier 5 or Scale in full takes hundreds of calls at once: `--workers`. With ten records under way and replies of two seconds, [100 records take about a minute](cost_time.md) with one call for all metrics and about two with one per metric. One process of Assay handles two to four hundred calls a second ([overhead](overhead.md)).
- **Batches** are answered within 24 hours, by both providers' word, and mostly within one: the first figure takes one hour for each, the second 24. A record waits for two batches, one with the article's key points and one with its metrics. {workers:,} records are under way (`--workers {workers}`, about 10 GB; the default of 5,000 takes ten times as long). OpenAI also limits the prompt tokens that wait: 5 million in tier 1, so that batches are not for large runs there, and 15 billion in tier 5. Anthropic takes 100,000 to 500,000 waiting requests, which is no limit here.
- **Cache.** OpenAI's models up to gpt-5.5 cache by themselves, in steps of 128 tokens; from gpt-5.6 on writing costs a quarter more, as with Anthropic, and Assay marks what calls share. gpt-5 and gpt-5-mini are withdrawn in December 2026.
- DeepEval and Ragas [do not answer the same questions](cost.md). Their prompts mark nothing for Anthropic's cache.
"""


def format_hours(hours: float) -> str:
    return f"{hours / 24:,.0f} days" if hours >= 48 else f"{hours:,.0f} h" if hours >= 1 else "under 1 h"


def format_time(bill: Bill, tier: Tier) -> str:
    if not bill.is_batched:
        return format_hours(tier.compute_hours(bill))
    return " to ".join(format_hours(tier.count_rounds(bill) * hours) for hours in HOURS)


def find_bills(bills: Sequence[Bill], key: tuple[str, str, int]) -> dict[Api, Bill]:
    """By API. What was measured with one alone has the same tokens with the other, and no cache."""
    found = {each.api: each for each in bills if (each.tool, each.mode, each.systems) == key}
    if found and "anthropic" not in found:
        openai = found["openai"]
        found["anthropic"] = Bill(
            *key, "anthropic", openai.records, openai.calls, openai.prompt_tokens, 0, 0, openai.reply_tokens
        )
    return found


def build_row(key: tuple[str, str, int], found: dict[Api, Bill]) -> list[str]:
    name = {"DeepEval": "four metrics", "Ragas": "two metrics"}.get(key[0], key[1])
    row = [key[0], name, str(key[2])]
    for api in MODELS:
        dollars = found[api].compute_usd(read_prices()[MODELS[api]]) * RECORDS
        row.append(f"{dollars:,.0f}")
        row += [format_time(found[api], tier) for tier in TIERS if tier.api == api]
    return row


def main() -> None:
    bills = read_bills(RESULTS / "cost.jsonl")
    rows = [build_row(key, found) for key in ROWS if (found := find_bills(bills, key))]
    header = ["tool", "mode", "systems"]
    for api, model in MODELS.items():
        header += [f"$ {model.partition(':')[2]}", *(tier.name for tier in TIERS if tier.api == api)]

    def compare(one: tuple[str, str, int], other: tuple[str, str, int], less: int = 0) -> str:
        """The dollars of one as a share of the other's, or how much less they are."""
        costs = [
            [find_bills(bills, key)[api].compute_usd(read_prices()[MODELS[api]]) for key in (one, other)]
            for api in MODELS
        ]
        return " and ".join(f"{abs(less - ours / theirs):.0%}" for ours, theirs in costs)

    default, plain = ROWS[1], ROWS[5]
    page = PAGE.format(
        table=render_table(header, rows),
        workers=WORKERS,
        default=compare(default, plain),
        single=compare(ROWS[0], plain),
        batched=compare(ROWS[2], default),
        separate=compare(ROWS[3], default),
    )
    (RESULTS / "million.md").write_text(page)
    print(page)


if __name__ == "__main__":
    main()
