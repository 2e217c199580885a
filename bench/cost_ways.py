"""The ways in which Assay judges the same records, each against a server that writes the bill."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import assay
from bill import NEVER, Bill, BillingServer
from cost_replies import answer_assay
from equipment.articles import build_records
from equipment.chat_server.batches import ScriptedBatches
from equipment.chat_server.exchange import Api
from equipment.chat_server.server import run_in_thread

RUBRIC, WORDS = "article-audit", 1_200
_CACHING: dict[Api, str] = {"openai": "automatic", "anthropic": "marked"}
_SCORED = {"ok", "repaired"}


@dataclass(frozen=True, slots=True)
class Way:
    """How records are judged: with how many systems per article, in one call or in several, and so on.

    With `orders` the systems are judged side by side, in so many orders.
    """

    systems: int = 5
    joint: bool = True
    caching: bool = True
    batch: bool = False
    records: int = 100
    words: int = WORDS
    sentences: int = 3
    orders: int = 0
    min_tokens: int = 1_024

    @property
    def mode(self) -> str:
        if self.orders:
            return f"side by side, {'one order' if self.orders == 1 else 'two orders'}"
        parts = ["one call" if self.joint else "one call per metric"]
        parts += ["`--batch`"] if self.batch else ["no cache"] if not self.caching else ["cached"]
        return ", ".join(parts)


def measure(way: Way, api: Api, open_server: Callable[..., BillingServer] = BillingServer) -> Bill:
    """Raises SystemExit where a metric was not scored: a bill for failures says nothing."""
    records = build_records(way.records // way.systems, way.systems, way.words, way.sentences)
    beside = {"side_by_side": True, "rounds": way.orders} if way.orders else {}
    batches = ScriptedBatches() if way.batch else None
    caches = way.caching and not way.batch
    server = open_server(answer_assay, min_tokens=way.min_tokens if caches else NEVER, batches=batches)
    with run_in_thread(server), tempfile.TemporaryDirectory() as folder:
        base = server.base_url.removesuffix("/v1") if api == "anthropic" else server.base_url
        entry = f'[providers.scripted]\nwire = "{api}"\nbase_url = "{base}"\nshares_schema = true\nbatch = "{api}"\n'
        entry += f'caching = "{_CACHING[api]}"\ncache_min_tokens = {way.min_tokens}\n' if caches else ""
        settings = Path(folder) / "assay.toml"
        settings.write_text(entry)
        options = {"batch": True, "poll": 0.2, "store": Path(folder) / "assay.db"} if way.batch else {"workers": 10}
        run = assay.judge(records, RUBRIC, "scripted:m", providers=settings, joint=way.joint, **options, **beside)
    if any(outcome.status not in _SCORED for result in run for outcome in result.metrics.values()):
        raise SystemExit(f"{way}: some metrics were not scored")
    return server.count("Assay", way.mode, way.systems, api, len(records))
