"""How fast the embedded judge is, beside a floor: the pair model alone on the very pairs it rated.

python bench/embedded_speed.py [RECORDS]            writes bench/results/embedded_speed.md
"""

import asyncio
import resource
import sys
import time
from random import Random

from assay.domain.record import Record, Source
from assay.files.rubrics import open_rubric
from assay.judges.embedded.judge import EmbeddedJudge
from assay.judges.embedded.pair_model import Pair, load_pair_model
from assay.runner.banks import BankCache
from assay.runner.planning import cut_record
from assay.runner.walk import Walk
from workload import conclude, load, render_table

SUBJECTS = ("council", "clinic", "company", "school", "museum", "harbour", "library", "hospital", "farm")
VERBS = ("opened", "closed", "bought", "sold", "repaired", "planned", "delayed", "promised", "extended")
OBJECTS = ("bridge", "garden", "wing", "road", "laboratory", "kitchen", "station", "tower", "archive")
PLACES = ("the old town", "the valley", "the coast", "the market", "the river bank", "the hill")
RECORDS = 100


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


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    rubric = open_rubric("article-audit")
    records = [build_record(number) for number in range(count)]
    claims = sum(len(cut_record(record, rubric).units) for record in records)
    load_pair_model().rate([Pair("A warm-up.", "It warms up.")])
    seen: list[Pair] = []

    async def judge() -> int:
        judge = EmbeddedJudge()
        plain = judge._queue._rate  # noqa: SLF001  # the queue has no hook

        def watched(pairs: list[Pair]) -> list:
            seen.extend(pairs)
            return plain(pairs)

        judge._queue._rate = watched  # type: ignore[method-assign]  # noqa: SLF001
        walk = Walk(rubric, judge, BankCache())
        gate = asyncio.Semaphore(16)

        async def one(record: Record) -> None:
            async with gate:
                await walk.judge_record(record)

        await asyncio.gather(*(one(record) for record in records))
        await judge.close()
        return len(seen)

    start, used = time.perf_counter(), time.process_time()
    pairs = asyncio.run(judge())
    wall, cpu = time.perf_counter() - start, time.process_time() - used
    start = time.perf_counter()
    load_pair_model().rate(seen)
    floor = time.perf_counter() - start
    asked = len({pair.hypothesis for pair in seen})
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows = [
        ("records/s", f"{count / wall:.1f}", "at least 5"),
        ("claims and sections/s", f"{claims / wall:.1f}", ""),
        ("claims judged by the model, per second", f"{asked / wall:.1f}", "at least 30"),
        ("pairs per record", f"{pairs / count:.1f}", ""),
        ("seconds in all / for the model alone (floor)", f"{wall:.1f} / {floor:.1f} = {wall / floor:.2f}", ""),
        ("processor seconds", f"{cpu:.1f}", ""),
        ("memory at most, MB", f"{memory:.0f}", "under 600"),
        ("load average at the end", load(), ""),
    ]
    note = (
        f"{count} records with a source of about 600 words and a summary of about 80 in five sentences, one of them copied, "
        "16 records at a time, rubric article-audit. The floor rates the same pairs with the pair model and nothing else."
    )
    conclude(
        "embedded_speed", "Speed of the embedded judge", [note, render_table(("figure", "measured", "to reach"), rows)]
    )


if __name__ == "__main__":
    main()
