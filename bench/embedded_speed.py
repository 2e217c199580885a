"""How fast the embedded judge is, beside a floor: the pair model alone on the very pairs it rated.

python bench/embedded_speed.py [RECORDS] [--earlier FILE]            writes bench/results/embedded_speed.md

`--earlier` rates the same pairs with an earlier file of the model too, each pair alone, in turns with the shipped one.
"""

import argparse
import asyncio
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from tokenizers import Tokenizer

from assay.domain.record import Record, Source
from assay.files.rubrics import open_rubric
from assay.judges.embedded.judge import Checker, EmbeddedJudge
from assay.judges.embedded.pair_model import Pair, PairModel, PairRater, Rating, load_pair_model, open_session
from assay.judges.embedded.weights import TOKENIZER, load_calibration, read_card, read_weights
from assay.runner.banks import BankCache
from assay.runner.planning import cut_record
from assay.runner.walk import Walk
from workload import ROOT, conclude, load, render_table

SUBJECTS = ("council", "clinic", "company", "school", "museum", "harbour", "library", "hospital", "farm")
VERBS = ("opened", "closed", "bought", "sold", "repaired", "planned", "delayed", "promised", "extended")
OBJECTS = ("bridge", "garden", "wing", "road", "laboratory", "kitchen", "station", "tower", "archive")
PLACES = ("the old town", "the valley", "the coast", "the market", "the river bank", "the hill")
RECORDS = 100
COMPARISON = """\
The model alone on {pairs} of these pairs, {few} at a time, in turns with an earlier file of it. For each {few} the best of
{rounds} rounds counts."""
ROUNDS = 10
FEW = 8
COMPARED = 64
# What a fresh process needs to load one file and to rate one pair with it.
LOAD = """
import re, sys, time
from pathlib import Path
from assay.judges.embedded.pair_model import open_session
import numpy, onnxruntime
def used(): return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
bare, start = used(), time.perf_counter()
session = open_session(sys.argv[1])
took = time.perf_counter() - start
row = numpy.ones((1, 80), numpy.int64)
session.run(None, {name: row for name in ("input_ids", "attention_mask", "token_type_ids")})
print(took, used() - bare)
"""


def write_sentence(chance: Random) -> str:
    return (
        f"The {chance.choice(SUBJECTS)} {chance.choice(VERBS)} the {chance.choice(OBJECTS)} near {chance.choice(PLACES)} "
        f"in {chance.randint(1990, 2024)}, at a cost of {chance.randint(2, 900)} thousand crowns."
    )


def build_record(number: int) -> Record:
    """About 600 words of source and 80 of summary: a copied sentence, three changed ones and one of its own."""
    chance = Random(number)
    source = [write_sentence(chance) for _ in range(30)]
    changed = [sentence.replace("The ", "According to the report, the ", 1) for sentence in chance.sample(source, 2)]
    wrong = chance.choice(source).replace("thousand", "million")
    output = " ".join([chance.choice(source), *changed, wrong, write_sentence(chance)])
    text = " ".join(source)
    return Record(
        f"r{number}",
        f"i{number}",
        output,
        (Source("s1", text, input="article"),),
        inputs={"article": text, "summary": output},
    )


class Watched:
    """Keeps the pairs that a model was asked for."""

    def __init__(self, rater: PairRater) -> None:
        self._rater = rater
        self.pairs: list[Pair] = []

    def rate(self, pairs: Sequence[Pair]) -> list[Rating]:
        self.pairs += pairs
        return self._rater.rate(pairs)


def open_earlier(path: Path) -> PairModel:
    tokenizer = Tokenizer.from_buffer(read_weights(TOKENIZER))
    return PairModel(open_session(str(path)), tokenizer, read_card().max_tokens)


def measure_load(path: Path) -> tuple[float, float]:
    """Seconds, and megabytes at most: the best of a few processes."""
    runs = [subprocess.run([sys.executable, "-c", LOAD, path], capture_output=True, check=True) for _ in range(ROUNDS)]
    took, used = zip(*(map(float, run.stdout.split()) for run in runs), strict=True)
    return min(took), min(used)


def compare(models: dict[str, tuple[Path, PairRater]], pairs: Sequence[Pair]) -> str:
    """A few pairs at a time, in turns; the best round counts, in processor time, so that others are hardly measured."""
    took: dict[tuple[str, int], float] = {}
    for _ in range(ROUNDS):
        for start in range(0, len(pairs), FEW):
            for name, (_, model) in models.items():
                began = time.process_time()
                model.rate(pairs[start : start + FEW])
                took[name, start] = min(took.get((name, start), float("inf")), time.process_time() - began)
    best = {name: sum(each for (whose, _), each in took.items() if whose == name) for name in models}
    rows = []
    for name, (path, _) in models.items():
        seconds, used = measure_load(path)
        speed = f"{len(pairs) / best[name]:.0f}"
        rows.append((name, speed, f"{path.stat().st_size / 1e6:.1f}", f"{seconds:.2f}", f"{used:.0f}"))
    return render_table(
        ("model", "pairs per processor second", "file, MB", "seconds to load", "memory for it, MB"), rows
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", type=int, nargs="?", default=RECORDS)
    parser.add_argument("--earlier", type=Path)
    options = parser.parse_args()
    count = options.records
    rubric = open_rubric("article-audit")
    records = [build_record(number) for number in range(count)]
    claims = sum(len(cut_record(record, rubric).units) for record in records)
    load_pair_model().rate([Pair("A warm-up.", "It warms up.")])
    watched = Watched(load_pair_model())

    async def judge() -> None:
        judge = EmbeddedJudge(Checker("embedded:watched", lambda: watched, load_calibration()))
        walk = Walk(rubric, judge, BankCache())
        gate = asyncio.Semaphore(16)

        async def one(record: Record) -> None:
            async with gate:
                await walk.judge_record(record)

        await asyncio.gather(*(one(record) for record in records))
        await judge.close()

    start, used = time.perf_counter(), time.process_time()
    asyncio.run(judge())
    wall, cpu = time.perf_counter() - start, time.process_time() - used
    seen = watched.pairs
    start = time.perf_counter()
    load_pair_model().rate(seen)
    floor = time.perf_counter() - start
    asked = len({pair.hypothesis for pair in seen})
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows = [
        ("records/s", f"{count / wall:.1f}", "at least 5"),
        ("claims and sections/s", f"{claims / wall:.1f}", ""),
        ("claims judged by the model, per second", f"{asked / wall:.1f}", "at least 30"),
        ("pairs per record", f"{len(seen) / count:.1f}", ""),
        ("seconds in all / for the model alone (floor)", f"{wall:.1f} / {floor:.1f} = {wall / floor:.2f}", ""),
        ("processor seconds", f"{cpu:.1f}", ""),
        ("memory at most, MB", f"{memory:.0f}", "under 600"),
        ("load average at the end", load(), ""),
    ]
    note = (
        f"{count} records with a source of about 600 words and a summary of about 80 in five sentences, one of them copied, "
        "16 records at a time, rubric article-audit. The floor rates the same pairs with the pair model and nothing else."
    )
    parts = [note, render_table(("figure", "measured", "to reach"), rows)]
    if options.earlier:
        shipped = ROOT / "src" / "assay" / "weights" / "pair-model.onnx"
        alone = open_earlier(shipped)
        parts += [
            COMPARISON.format(pairs=COMPARED, few=FEW, rounds=ROUNDS),
            compare(
                {
                    "earlier, each pair alone": (options.earlier, open_earlier(options.earlier)),
                    "shipped, each pair alone": (shipped, alone),
                    "shipped, as it is used": (shipped, load_pair_model()),
                },
                seen[:COMPARED],
            ),
        ]
    conclude("embedded_speed", "Speed of the embedded judge", parts)


if __name__ == "__main__":
    main()
