"""What a record costs: calls, prompt tokens, the cached share, reply tokens and dollars, with and without caching.

A server on this machine answers by the schema and caches prompts by the rules of either API, from 1,024 tokens. It counts
a token for four characters, the reply schema included. Dollars are those of the shipped list prices.

    python bench/cost.py
"""

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

import assay
from assay.engine.costs import PICODOLLARS, Price, read_prices
from assay.files.rubrics import open_rubric
from assay.judges.prompted.schema import build_whole_schema
from assay.testing.exchange import Asked, CacheUse, Reply, count_tokens
from assay.testing.prompt_cache import PromptCache
from assay.testing.scripted_server import ScriptedServer, answer_by_schema, run_in_thread
from workload import conclude, render_table

RUBRIC, ITEMS = "article-audit", 4
# Of the first release, for the same kind of record with one call per metric: the tokens of its seven prompts, and the
# least and the most of them that a cache held.
FIRST_PROMPT_TOKENS, FIRST_CACHED_SHARES = 20_900, (0.16, 0.22)
MODELS = {"openai:gpt-5-mini": ("openai", "automatic"), "anthropic:claude-sonnet-4-5": ("anthropic", "marked")}
_PLACES = ("harbour", "mill", "station", "orchard", "quarry", "chapel", "market", "bridge", "school", "ferry", "depot")
_PARTS = ("roof", "gate", "cellar", "yard", "tower", "engine", "staircase", "well", "workshop")
# The best label of a claim and of a section.
_BEST = {"c": "Supported", "p": "High"}
_PASSAGE = re.compile(r"^\[((?:S\d+|O)\.\d+)\] (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Way:
    """How records are judged: in one call or in several, with how many systems per article, with or without a cache."""

    joint: bool
    systems: int
    caching: bool
    words: int = 1_200
    min_tokens: int = 1_024


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run used, by what its server counted."""

    records: int
    uses: Sequence[CacheUse]
    reply_tokens: int

    @property
    def prompt_tokens(self) -> int:
        return sum(use.prompt for use in self.uses)

    @property
    def cached_share(self) -> float:
        return sum(use.cached for use in self.uses) / self.prompt_tokens

    def compute_usd(self, price: Price) -> float:
        """Per record."""
        cached, written = sum(use.cached for use in self.uses), sum(use.written for use in self.uses)
        total = price.compute_cost(self.prompt_tokens, self.reply_tokens, cached, written)
        return total / PICODOLLARS / self.records


class CountingCache(PromptCache):
    """Writes down what each call used."""

    def __init__(self, min_tokens: int) -> None:
        super().__init__(min_tokens)
        self.uses: list[CacheUse] = []

    def look_up(self, asked: Asked) -> CacheUse:
        self.uses.append(super().look_up(asked))
        return self.uses[-1]


def build_records(way: Way) -> list[dict[str, str]]:
    """By system: the records of an article are far apart in the file. A summary has six sentences of its article."""
    return [build_record(item, system, way.words) for system in range(way.systems) for item in range(ITEMS)]


def build_record(item: int, system: int, words: int) -> dict[str, str]:
    sentences = [
        f"In {1800 + number} the {_PARTS[number % 9]} of the {_PLACES[number % 11]} in parish {item} was mended by "
        f"{number + 2} people who had come over from the next valley."
        for number in range(words // 23)
    ]
    names = {"id": f"a{item}", "item": f"article-{item}", "system": f"system-{system}"}
    return {**names, "article": " ".join(sentences), "summary": " ".join(sentences[system : system + 6])}


def answer_with_quotes(asked: Asked) -> str:
    """The best labels and grades, with quotes: the same words stand in the article. So nothing is asked again."""
    reply = orjson.loads(answer_by_schema()(asked))
    texts = dict(_PASSAGE.findall(asked.prompt))
    places = {text: place for place, text in reversed(texts.items()) if place.startswith("S")}
    for answer in (each for each in reply.values() if isinstance(each, dict)):
        for key, value in answer.items():
            if isinstance(value, float):
                answer[key] = 10
            for entry in value if isinstance(value, list) else ():
                kind, number = entry["unit"][0], entry["unit"][1:]
                entry["label"] = _BEST.get(kind, entry["label"])
                place, quote = (
                    (places.get(text := texts[f"O.{number}"]), text) if kind == "c" else ("O.1", texts["O.1"])
                )
                if "evidence" in entry:
                    entry["evidence"] = [{"sentence": place, "quote": quote}]
    return orjson.dumps(reply).decode()


def measure(way: Way, wire: str, caching: str) -> Cost:
    cache, replies = CountingCache(way.min_tokens if way.caching else 10**9), []

    def answer(asked: Asked) -> Reply:
        replies.append(answer_with_quotes(asked))
        return Reply(replies[-1])

    records = build_records(way)
    server = ScriptedServer(answer, delay_seconds=0.05, cache=cache)
    with run_in_thread(server), tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "assay.toml"
        caches = f'caching = "{caching}"\ncache_min_tokens = {way.min_tokens}\n' if way.caching else ""
        entry = f'[providers.scripted]\nwire = "{wire}"\nbase_url = "{server.base_url}"\nshares_schema = true\n'
        settings.write_text(entry + caches)
        run = assay.judge(records, RUBRIC, "scripted:m", providers=settings, joint=way.joint)
    if any(outcome.status not in {"ok", "repaired"} for result in run for outcome in result.metrics.values()):
        raise SystemExit(f"{way}: some metrics were not scored")
    return Cost(len(records), cache.uses, sum(count_tokens(reply) for reply in replies))


def measure_all() -> list[tuple[str, Way, Cost]]:
    ways = [Way(joint, systems, caching) for joint in (True, False) for systems in (1, 5) for caching in (False, True)]
    return [(model, way, measure(way, *MODELS[model])) for model in MODELS for way in ways]


def render_ways(measured: Sequence[tuple[str, Way, Cost]]) -> str:
    prices = read_prices()
    rows = [
        (
            model,
            "one call" if way.joint else "one call per metric",
            way.systems,
            "yes" if way.caching else "no",
            f"{len(cost.uses) / cost.records:.1f}",
            f"{cost.prompt_tokens / cost.records:,.0f}",
            f"{cost.cached_share:.0%}",
            f"{cost.reply_tokens / cost.records:,.0f}",
            f"{cost.compute_usd(prices[model]):.5f}",
        )
        for model, way, cost in measured
    ]
    header = (
        "model",
        "Assay",
        "systems per article",
        "caching",
        "calls",
        "prompt tokens",
        "cached",
        "reply tokens",
        "$",
    )
    return render_table(header, rows)


def render_first(measured: Sequence[tuple[str, Way, Cost]]) -> str:
    """One call per metric, one system, cached; the first release with as many reply tokens."""
    prices, rows = read_prices(), []
    for model, way, cost in measured:
        if way != Way(joint=False, systems=1, caching=True):
            continue
        for words, replies in (("prompts", 0), ("prompts and replies", cost.reply_tokens // cost.records)):
            now = replace(cost, reply_tokens=replies * cost.records).compute_usd(prices[model])
            cached = [round(FIRST_PROMPT_TOKENS * share) for share in (0.0, *FIRST_CACHED_SHARES)]
            costs = [prices[model].compute_cost(FIRST_PROMPT_TOKENS, replies, each) for each in cached]
            before = [each / PICODOLLARS for each in costs]
            shares = " / ".join(f"{now / each:.0%}" for each in before)
            rows.append((model, words, f"{now:.5f}", *(f"{each:.5f}" for each in before), shares))
    header = (
        "model",
        "$ of",
        "now",
        "first release, at full price",
        "16 % cached",
        "22 % cached",
        "now, share of each",
    )
    return render_table(header, rows)


def render_long() -> str:
    """Fourteen systems on one source of more than 4,096 tokens, with a provider that caches from that length."""
    way, rows = Way(joint=True, systems=14, caching=True, words=3_600, min_tokens=4_096), []
    uncached = measure(replace(way, caching=False), "openai", "none")
    for model, (wire, caching) in MODELS.items():
        cost = measure(way, wire, caching)
        full = sum(not use.cached for use in cost.uses)
        cell = f"{full / ITEMS:.0f} of {len(cost.uses) / ITEMS:.0f} calls"
        costs = [f"{each.compute_usd(read_prices()[model]):.5f}" for each in (cost, uncached)]
        rows.append((model, cell, f"{cost.cached_share:.0%}", *costs))
    return render_table(("model", "source in full, per article", "cached", "$ per record", "$ without caching"), rows)


def main() -> None:
    measured = measure_all()
    schema = count_tokens(orjson.dumps(build_whole_schema(open_rubric(RUBRIC))).decode())
    about = (
        f"Rubric {RUBRIC}, {ITEMS} articles of about 1,200 words with summaries of six sentences; every figure is per "
        f"record, and nothing is asked twice. A token is four characters; {schema} of each prompt are the schema. The cache holds a prompt "
        "from 1,024 tokens on, once its reply is complete. Dollars by `engine/prices.toml`. Replies are as short as "
        "the schema allows; a model that gives reasons writes more, with and without caching."
    )
    against = (
        "The same record in the first release: seven calls, 20,900 prompt tokens, 16 to 22 % of them cached. To reach: at "
        "most 45 % of its dollars. How long its replies were is not known; the second row of a model takes them to be as "
        "long as today's."
    )
    parts = [about, render_ways(measured), "## Against the first release", against, render_first(measured)]
    parts += ["## Fourteen systems on a source of more than 4,096 tokens, cached from 4,096", render_long()]
    conclude("cost", "Cost", parts)


if __name__ == "__main__":
    main()
