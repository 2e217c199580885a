"""How long intervals take on many records, beside a floor that only draws the resamples and gathers the values.

python bench/agreement_speed.py [RECORDS]            writes bench/results/agreement_speed.md
"""

import os
import sys
import time
from collections.abc import Callable

import numpy as np
from scipy.stats import spearmanr

from assay.agreement.bootstrap import Resampling, estimate
from assay.agreement.classification import accuracy, auc, balanced_accuracy, f1, kappa
from assay.agreement.correlation import CORRELATIONS, correlate_within_items
from assay.agreement.pairs import Pairs, build_pairs, pair_ratings
from assay.agreement.reliability import gwet_ac, krippendorff_alpha
from workload import conclude, render_table

RECORDS, METRICS, ROUNDS, PER_DOCUMENT = 20_000, 2, 1_000, 10
WANTED_SECONDS = 60
SEED = 5
NOTE = """\
{records} records of {documents} documents, {metrics} metrics, {rounds} rounds of the cluster bootstrap per statistic. *graded*: a judge
from 1 to 5 against the mean of three people; *continuous*: two lists without ties. The floor, per metric: {rounds} times draw the
documents, gather the two values of their records and sum them; no statistic that resamples records can do less. *exact loop* is
scipy's spearmanr on {loops} such resamples, as a notebook would do it, scaled to all. Classes split at 4 (graded) or at 0. One process;
the statistics of one metric share the draws. Seconds are of one core's time (CPU), so that other work on the machine does not count."""


def draw(chance: np.random.Generator, records: int, *, graded: bool) -> Pairs:
    documents = np.arange(records) // PER_DOCUMENT
    human = chance.normal(size=records) + chance.normal(size=documents.max() + 1)[documents] / 2
    judge = human + chance.normal(size=records)
    if graded:
        people = [np.clip(np.round(3 + human + chance.normal(0, 0.5, records)), 1, 5) for _ in range(3)]
        judge, human = np.clip(np.round(3 + judge), 1, 5), np.mean(people, axis=0)
    return build_pairs(judge, human, documents)


def split(pairs: Pairs, at: float) -> Pairs:
    judge, human = (side >= at for side in (pairs.judge, pairs.human))
    return Pairs(judge.astype(float), human.astype(float), pairs.clusters, pairs.cluster_count)


def rank_classes(pairs: Pairs, at: float) -> Pairs:
    return Pairs(pairs.judge, (pairs.human >= at).astype(float), pairs.clusters, pairs.cluster_count)


def build_statistics(pairs: Pairs, at: float, resampling: Resampling) -> dict[str, Callable[[], object]]:
    classes, ranked = split(pairs, at), rank_classes(pairs, at)
    ratings = pair_ratings(classes)
    work: dict[str, Callable[[], object]] = {
        name: lambda statistic=statistic: estimate(statistic(pairs), resampling)
        for name, statistic in CORRELATIONS.items()
    }
    work["spearman per document"] = lambda: correlate_within_items(pairs, "spearman")
    plain = {"accuracy": accuracy, "kappa": kappa, "balanced accuracy": balanced_accuracy, "f1": f1}
    for name, each in plain.items():
        work[name] = lambda each=each: estimate(each(classes), resampling)
    work["auc"] = lambda: estimate(auc(ranked), resampling)
    work["alpha, nominal"] = lambda: estimate(krippendorff_alpha(ratings, "nominal"), resampling)
    work["AC1"] = lambda: estimate(gwet_ac(ratings), resampling)
    return work


def run_floor(pairs: Pairs, rounds: int) -> None:
    chance = np.random.default_rng(SEED)
    starts = np.arange(pairs.cluster_count) * PER_DOCUMENT
    for _ in range(rounds):
        drawn = starts[chance.integers(0, pairs.cluster_count, pairs.cluster_count)]
        items = (drawn[:, None] + np.arange(PER_DOCUMENT)).ravel()
        pairs.judge[items].sum()
        pairs.human[items].sum()


def loop_exactly(pairs: Pairs, rounds: int) -> None:
    chance = np.random.default_rng(SEED)
    for _ in range(rounds):
        items = chance.integers(0, pairs.n, pairs.n)
        spearmanr(pairs.judge[items], pairs.human[items])


def clock(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    records = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    chance = np.random.default_rng(SEED)
    loops = 5
    totals: dict[str, dict[str, float]] = {}
    floors, exact, walls = {}, {}, {}
    for kind, at in (("graded", 4.0), ("continuous", 0.0)):
        sums: dict[str, float] = {}
        walls[kind] = 0.0
        for metric in range(METRICS):
            pairs = draw(chance, records, graded=kind == "graded")
            if metric == 0:
                floors[kind] = METRICS * clock(lambda pairs=pairs: run_floor(pairs, ROUNDS))
                exact[kind] = METRICS * ROUNDS / loops * clock(lambda pairs=pairs: loop_exactly(pairs, loops))
            for name, work in build_statistics(pairs, at, Resampling(ROUNDS, metric)).items():
                start = time.perf_counter()
                sums[name] = sums.get(name, 0.0) + clock(work)
                walls[kind] += time.perf_counter() - start
        totals[kind] = sums
    names = list(totals["graded"])
    rows = [(name, *(f"{totals[kind][name]:.1f}" for kind in totals)) for name in names]
    rows.append(("**all**", *(f"**{sum(totals[kind].values()):.1f}**" for kind in totals)))
    rows.append(("all, by the clock", *(f"{walls[kind]:.1f}" for kind in totals)))
    rows.append(("floor", *(f"{floors[kind]:.1f}" for kind in totals)))
    rows.append(("exact loop, Spearman alone", *(f"{exact[kind]:.0f}" for kind in totals)))
    worst = max(sum(each.values()) for each in totals.values())
    verdict = "reached" if worst <= WANTED_SECONDS else "**not reached**"
    figure = f"All {len(names)} statistics of {METRICS} metrics take at most {worst:.1f} s of one core; to reach: {WANTED_SECONDS} s on 2 cores: {verdict}."
    note = NOTE.format(
        records=f"{records:,}",
        documents=f"{records // PER_DOCUMENT:,}",
        metrics=METRICS,
        rounds=f"{ROUNDS:,}",
        loops=loops,
    )
    conclude(
        "agreement_speed",
        "Speed of the intervals",
        [note, figure, render_table((f"CPU seconds for {METRICS} metrics", *totals), rows)],
    )


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
