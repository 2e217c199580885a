"""What `--screen` settles before a language model is asked, how often people disagree with it, and what it saves.

PYTHONPATH=. python bench/screen.py           writes bench/results/screen.md
"""

import asyncio
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp
from typing import cast

from assay.domain.ask import Answer, Ask, MetricAsk
from assay.domain.record import Record
from assay.domain.units import Unit
from assay.domain.wilson import place_wilson
from assay.files.records import records_from
from assay.files.rubrics import open_rubric
from assay.judges.embedded.judge import EmbeddedJudge
from assay.judges.embedded.weights import load_calibration
from assay.runner.planning import Cut, cut_record, plan_metric
from assay.runner.screening import Screen, Screened, estimate_bill
from assay.units.passages import Passages
from labelled_sets import FOLDER, is_there
from rules import EDITED, FREE, PAIRS, read_claims
from workload import conclude, render_table

RUBRIC = open_rubric("article-audit")
METRIC = next(metric for metric in RUBRIC.metrics if metric.labels("claim") is not None)
THRESHOLDS = (0.8, 0.9, 0.95, 0.99)
# Key points that a judge would write: how many there are is the same before and after.
BANKED = [Unit(f"k{at}", "key_point", "The council votes on the new road in March.") for at in range(1, 9)]
MOST_PAIRS = 150
# The largest value of each signal: a logit of 6 for the model's support, everything found, nothing missing.
BEST = {"support": 6.0, "coverage": 1.0, "near_copy": 1.0}
HEADER = (
    "set",
    "claims",
    "not supported",
    "way",
    "settled",
    "share",
    "people disagree",
    "saved, one call for all",
    "saved, a call of its own",
)
NOTE = """\
A claim is a sentence that people labelled: in `qags_cnndm` each sentence of a summary, by the majority of three; in
`summac_factcc` one sentence of a summary. *free* and *edited* are the fresh claims of [rules.md](rules.md), at most {most}
of each set: in *free* people or models wrote freely and people judged, in *edited* a model or a rule changed a true sentence.
*not supported*: the share of all claims that is not. *settled*: not asked about. *people disagree*: settled as supported and
not supported by the label; in brackets the 95 % interval of that rate. *saved*: tokens per record and their share, prompts
and replies of usual length by the estimate of `--dry-run`, for our own claims of the same outputs; with {rubric} in one
call for all metrics, and of the call about this metric alone (`--separate`), which is not made where every claim is settled.

*word for word* is `--screen`: the claim is a whole sentence of the source. A number is `--screen NUMBER`. The embedded
judge gives {verbatim} to a claim that stands in a sentence of a source word for word, and at most {highest:.2f} to any
other. So a threshold between these two adds copied parts of sentences, and a higher one adds nothing.

Where people disagree with *word for word* (*free*, in a set of meetings), the claim is a speaker's sentence with "we" in it, which
the summary gives without saying who speaks. In transcripts a copied sentence may be unclear or misleading by itself."""


@dataclass(frozen=True)
class Item:
    """An output by its sentences, and whether each one is supported."""

    source: str
    sentences: tuple[str, ...]
    supported: tuple[bool, ...]

    @cached_property
    def cut(self) -> Cut:
        (record,) = records_from([{"article": self.source, "summary": " ".join(self.sentences)}], RUBRIC)
        return cut_record(cast("Record", record), RUBRIC)

    @cached_property
    def own(self) -> MetricAsk:
        """About our own claims, as a run asks."""
        return plan_metric(self.cut, RUBRIC, METRIC, ())


class Remembering(EmbeddedJudge):
    """Each claim is searched once, whatever the number of thresholds."""

    def __init__(self) -> None:
        super().__init__()
        self._answers: dict[object, Answer] = {}

    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        key = (id(passages), ask.units if isinstance(ask, MetricAsk) else ask.id)
        if key not in self._answers:
            self._answers[key] = await super().answer(ask, passages)
        return self._answers[key]


def read_items() -> dict[str, list[Item]]:
    claims = read_claims()
    pairs = {
        kind: [
            Item(each.source, (each.text,), (each.supported,)) for name in names for each in claims[name][:MOST_PAIRS]
        ]
        for kind, names in (("free", FREE), ("edited", EDITED))
    }
    return {
        "qags_cnndm": [
            Item(
                row["source"],
                tuple(each["sentence"] for each in row["human"]["sentences"]),
                tuple(each["majority"] == 1 for each in row["human"]["sentences"]),
            )
            for row in _read_set("qags_cnndm")
        ],
        "summac_factcc": [
            Item(row["source"], (row["output"],), (row["human"]["factual"] == 1,)) for row in _read_set("summac_factcc")
        ],
        **pairs,
    }


def _read_set(name: str) -> list[dict]:
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def measure(name: str, items: Sequence[Item], way: str, screen: Screen) -> tuple[object, ...]:
    truth = [each for item in items for each in item.supported]
    settled = [supported for item in items for supported in settle_sentences(item, screen)]
    wrong = settled.count(False)
    said = "–"
    if settled:
        low, high = place_wilson(wrong / len(settled), len(settled), 1.96)
        said = f"{wrong} [{100 * low:.1f}, {100 * high:.1f}] %"
    saved = (
        ("–", "–")
        if name in {"free", "edited"}
        else (save(items, screen, joint=True), save(items, screen, joint=False))
    )
    share = f"{len(settled) / len(truth):.1%}"
    return name, len(truth), f"{truth.count(False) / len(truth):.0%}", way, len(settled), share, said, *saved


def settle_sentences(item: Item, screen: Screen) -> list[bool]:
    """Whether those of people's sentences that are settled are supported."""
    units = tuple(Unit(f"c{at}", "claim", text) for at, text in enumerate(item.sentences, 1))
    labels = asyncio.run(screen.settle(replace(item.own, units=units), item.cut.passages))
    return [item.supported[int(label.unit[1:]) - 1] for label in labels]


def save(items: Sequence[Item], screen: Screen, *, joint: bool) -> str:
    """Tokens and calls; in one call the other metrics are asked about all the same."""
    total, before = Screened(), 0
    counting = replace(screen, total=total)
    for item in items:
        asks = [plan_metric(item.cut, RUBRIC, each, BANKED) for each in RUBRIC.metrics] if joint else [item.own]
        labels = {ask.id: asyncio.run(counting.settle(ask, item.cut.passages)) for ask in asks}
        before += estimate_bill([asks], item.cut.passages).tokens
        counting.narrow([asks], labels, item.cut.passages)
    calls = f", {total.calls / len(items):.1%} of calls" if total.calls else ""
    return f"{total.tokens / len(items):.0f} ({total.tokens / before:.1%}){calls}"


def main() -> None:
    if not is_there() or not PAIRS.exists():
        print("the labelled sets are not at hand: nothing to measure")
        return
    embedded, calibration = Remembering(), load_calibration()
    screens = {"word for word": Screen(), **{str(each): Screen(embedded, each) for each in THRESHOLDS}}
    rows = [measure(name, items, way, each) for name, items in read_items().items() for way, each in screens.items()]
    total = calibration.bias + sum(calibration.weights[name] * value for name, value in BEST.items())
    note = NOTE.format(
        most=MOST_PAIRS,
        rubric=RUBRIC.id,
        verbatim=calibration.settled["verbatim"],
        highest=1 / (1 + exp(-total)),
    )
    conclude("screen", "Screening", [note, render_table(HEADER, rows)])
    asyncio.run(embedded.close())


if __name__ == "__main__":
    main()
