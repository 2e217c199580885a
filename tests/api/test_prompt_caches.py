"""What calls on one item share is paid for in full once, where the provider caches prompts."""

from pathlib import Path

import pytest

import assay
from assay.api.config import RunConfig
from assay.api.forecast import format_dry_run
from assay.files.records import records_from
from assay.files.rubrics import open_rubric
from assay.report.run_report import build_run_report
from assay.store.store import open_store
from equipment.articles import build_records
from equipment.chat_server.batches import ScriptedBatches
from equipment.chat_server.exchange import Asked
from equipment.chat_server.prompt_cache import PromptCache
from equipment.chat_server.server import ScriptedServer, answer_by_schema, run_in_thread

SYSTEMS = 14
CACHES = [("openai", "automatic"), ("openai", "breakpoints"), ("anthropic", "marked")]


def judge(
    folder: Path, records: list[dict[str, str]], *, wire: str, caching: str, min_tokens: int, **options: object
) -> tuple[assay.Run, PromptCache, list[Asked]]:
    cache = PromptCache(min_tokens)
    server = ScriptedServer(answer_by_schema(1), delay_seconds=0.02, cache=cache)
    with run_in_thread(server):
        base = server.base_url.removesuffix("/v1") if wire == "anthropic" else server.base_url
        settings = folder / "assay.toml"
        settings.write_text(
            f'[providers.cached]\nwire = "{wire}"\nbase_url = "{base}"\nshares_schema = true\n'
            f'caching = "{caching}"\ncache_min_tokens = {min_tokens}\n'
        )
        run = assay.judge(records, "article-audit", "cached:m", providers=settings, **options)
    return run, cache, list(server.asked)


def is_marked(asked: Asked) -> bool:
    return isinstance(asked.body["messages"][-1]["content"], list)


@pytest.mark.parametrize(("wire", "caching"), CACHES)
def test_the_source_of_many_systems_is_paid_in_full_once(tmp_path: Path, wire: str, caching: str) -> None:
    records = build_records(2, SYSTEMS, 3_400)
    run, cache, _ = judge(tmp_path, records, wire=wire, caching=caching, min_tokens=4_096)
    assert [(each.record, each.system) for each in run] == [(each["id"], each["system"]) for each in records]
    assert len(cache.uses) >= 2 * (SYSTEMS + 1)
    full = [use for use in cache.uses if not use.cached]
    assert len(full) == 2, "the bank of each item"
    source = len(records[0]["article"]) // 4
    assert all(use.cached >= 0.9 * source for use in cache.uses if use.cached)


@pytest.mark.parametrize(("wire", "caching"), CACHES)
def test_the_metrics_of_a_record_share_what_comes_before_the_output(tmp_path: Path, wire: str, caching: str) -> None:
    _, cache, asked = judge(
        tmp_path, build_records(1, 1, 1_200), wire=wire, caching=caching, min_tokens=1_024, joint=False
    )
    assert [bool(use.cached) for use in cache.uses] == [False] + [True] * (len(asked) - 1)
    assert sum(use.cached for use in cache.uses) > 0.6 * sum(use.prompt for use in cache.uses)
    assert all(is_marked(each) == (caching != "automatic") for each in asked)


def test_a_prefix_that_is_too_short_is_neither_marked_nor_waited_for(tmp_path: Path) -> None:
    records = build_records(1, 3, 200)
    _, cache, asked = judge(tmp_path, records, wire="anthropic", caching="marked", min_tokens=8_000)
    assert not any(is_marked(each) for each in asked)
    assert not any(use.cached or use.written for use in cache.uses)


def test_a_prefix_that_is_not_used_again_is_not_marked(tmp_path: Path) -> None:
    """The bank comes from a file, and one call asks about all metrics."""
    records = build_records(1, 1, 1_200)
    options = {"wire": "anthropic", "caching": "marked", "min_tokens": 1_024, "bank": str(tmp_path / "bank.jsonl")}
    first = judge(tmp_path, records, **options)[2]
    again = judge(tmp_path, records, **options)[2]
    assert [is_marked(each) for each in first[:2]] == [True, True]
    assert not is_marked(again[0])


def test_a_request_in_a_batch_has_the_schema_of_what_it_asks_for_alone(tmp_path: Path) -> None:
    """Nothing fills the cache there, and the schema of all metrics would be paid for each time."""
    batches = ScriptedBatches()
    with run_in_thread(ScriptedServer(answer_by_schema(1), batches=batches)) as server:
        settings = tmp_path / "assay.toml"
        settings.write_text(
            f'[providers.batched]\nwire = "openai"\nbase_url = "{server.base_url}"\nshares_schema = true\n'
            'caching = "automatic"\ncache_min_tokens = 1024\nbatch = "openai"\n'
        )
        options = {"providers": settings, "batch": True, "poll": 0.05, "store": tmp_path / "store.db"}
        assay.judge(build_records(1, 1, 1_200), "article-audit", "batched:m", **options)
    schemas = [asked.schema for batch in batches.served for asked in batch.asked.values()]
    metrics = ["coverage", "alignment", "hallucination", "relevance", "bias_toxicity"]
    assert [list(schema["properties"]) for schema in schemas[:2] if schema] == [["key_points"], metrics]


def test_cached_tokens_have_their_own_price_and_stand_in_the_report(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('["cached:m"]\nprompt = 10\ncached = 1\nwritten = 12.5\nreply = 0\n')
    with open_store(tmp_path / "store.db") as store:
        options = {"wire": "anthropic", "caching": "marked", "min_tokens": 1_024, "prices": prices, "store": store}
        run, cache, _ = judge(tmp_path, build_records(1, 3, 1_200), **options)
        usage = store.usage(run.id)
        report = build_run_report(store.find_run(run.id), open_rubric("article-audit"), [], usage)
    cached, written = sum(use.cached for use in cache.uses), sum(use.written for use in cache.uses)
    assert (usage.cached_tokens, usage.written_tokens) == (cached, written)
    assert cached > 0 < written
    dear = usage.prompt_tokens - cached - written
    assert usage.picodollars == 10**6 * (10 * dear + cached) + 12_500_000 * written
    assert "% cached by the provider)" in report.cost


def test_a_dry_run_tells_the_price_with_and_without_caching(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    rubric = open_rubric("article-audit")

    def find_price(model: str, words: int) -> list[str]:
        records = records_from(build_records(2, 5, words), rubric)
        return [*format_dry_run(records, rubric, RunConfig(judges=(model,)), None)][-1].split("With prompt caching")

    full, cached = find_price("openai:gpt-5-mini", 1_200)
    assert full.startswith("openai:gpt-5-mini: 12 calls (up to 36 with retries for invalid replies), about ")
    assert cached.startswith(" (44 %")
    assert find_price("anthropic:claude-haiku-4-5", 400)[1].startswith(" (0 %"), "it caches from 4,096 tokens on"
