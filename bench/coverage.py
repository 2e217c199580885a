"""How often 95 % intervals hold the truth: simulated studies, by items, documents and prevalence.

python bench/coverage.py [STUDIES] [PART ...]            writes bench/results/coverage.md

Parts are rates, corrected, groups and scores; a part that is not named keeps what was last measured of it, which is in
bench/results/coverage.jsonl.
"""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

import numpy as np

from assay.agreement.bootstrap import (
    ClusterStatistic,
    divide,
    estimate,
    resample_sums,
)
from assay.agreement.correction import correct_mean
from assay.agreement.estimate import estimate_mean
from assay.agreement.pairs import Pairs, build_pairs
from assay.agreement.statistics import (
    balanced_accuracy,
    mean_error,
    nominal_alpha,
    spearman,
)
from workload import RESULTS, conclude, render_table

STUDIES = 2_000
SEED = 611
POPULATION = 400_000
SIZES = [(20, 20), (20, 5), (50, 50), (100, 100), (100, 30), (100, 10), (300, 30), (1000, 50)]
SHAPES = {"even": (-1.3, -0.4, 0.4, 1.3), "skewed": (-2.2, -1.8, -1.4, -0.9)}
RATES = (0.05, 0.1, 0.3, 0.5)
LABELS = [(20, 20), (50, 50), (100, 100), (100, 34), (200, 40), (500, 100), (1000, 200)]
JUDGES = {"good": (0.85, 0.85), "weak": (0.7, 0.6)}
WEAK_LABELS = [(50, 50), (100, 34), (500, 100)]
POOL = 2_000
ALIKE = 0.2
LOW, HIGH = 0.93, 0.97
NOTE = """\
Each row: {studies} simulated studies of n items from so many documents; *coverage* is the share of them whose 95 % interval
holds the truth, itself known to ±{noise:.1f} points. Measured: {measured}. Scores are one to five, of a judge and a mean of three
people, correlated 0.6 before rounding, documents sharing {alike:.0%} of the variance; *skewed*: four in five are the top value.
Rates: documents sharing {alike:.0%} of the variance, {pool} items judged and unlabelled, whole documents labelled by chance; a
*good* judge is right on 85 % of either class, a *weak* one on 70 % of the positive and 60 % of the negative. Truths are those of
{population} simulated documents, or known. A study that refuses (all labels alike; a judge no better than a coin) or has no
interval (an undefined statistic, every resample the same) is counted under *no interval* and not in the coverage. The figure to
reach is {low:.0%} to {high:.0%} from 100 items and 30 documents on; ** marks what lies outside it there."""

WIDTHS = """\
- The mean width of PPI++ intervals over that of the labels alone, from 100 labels and 30 documents on: {:.3f} to {:.3f}, by setting."""
KEPT = RESULTS / "coverage.jsonl"


@dataclass
class Cell:
    hits: int = 0
    answered: int = 0
    refused: int = 0
    widths: list[float] = field(default_factory=list)

    def add(self, interval: tuple[float, float] | None, truth: float) -> None:
        if interval is None:
            self.refused += 1
            return
        self.answered += 1
        self.hits += interval[0] - 1e-9 <= truth <= interval[1] + 1e-9
        self.widths.append(interval[1] - interval[0])

    @property
    def coverage(self) -> float:
        return self.hits / self.answered if self.answered else float("nan")


@dataclass(frozen=True)
class Row:
    statistic: str
    data: str
    n: int
    documents: int
    truth: float
    coverage: float
    width: float
    no_interval: int
    studies: int
    part: str = ""
    measured: str = ""

    @property
    def is_wanted(self) -> bool:
        return self.n >= 100 and self.documents >= 30

    @property
    def is_outside(self) -> bool:
        return self.is_wanted and not LOW <= self.coverage <= HIGH


def build_row(statistic: str, data: str, size: tuple[int, int], truth: float, cell: Cell) -> Row:
    width = float(np.mean(cell.widths)) if cell.widths else 0.0
    return Row(statistic, data, *size, truth, cell.coverage, width, cell.refused, cell.answered + cell.refused)


def draw_scores(chance: np.random.Generator, n: int, documents: int, cuts: tuple[float, ...]) -> Pairs:
    """Latent normal scores that share their document, cut into five levels; people are three, averaged."""
    document = np.arange(n) % documents

    def shared() -> np.ndarray:
        return np.sqrt(ALIKE) * chance.normal(size=documents)[document] + np.sqrt(1 - ALIKE) * chance.normal(size=n)

    human = shared()
    judge = 0.6 * human + 0.8 * shared()
    people = [1 + np.digitize(human + chance.normal(0, 0.5, n), cuts) for _ in range(3)]
    return build_pairs(1.0 + np.digitize(judge, cuts), np.mean(people, axis=0), document)


def tally_mean(pairs: Pairs) -> ClusterStatistic:
    contributions = np.column_stack([np.ones(pairs.n), pairs.judge])
    return resample_sums(contributions, pairs.clusters, pairs.cluster_count, lambda sums: divide(sums[1], sums[0]))


def classify(pairs: Pairs) -> Pairs:
    """Is it at least a four, to the judge and to people."""
    return Pairs((pairs.values >= 4).astype(float), pairs.clusters, pairs.cluster_count)


BOOTSTRAPPED: dict[str, Callable[[Pairs], ClusterStatistic]] = {
    "mean score": tally_mean,
    "Spearman, items": spearman,
    "alpha (nominal)": lambda pairs: nominal_alpha(classify(pairs)),
    "balanced accuracy": lambda pairs: balanced_accuracy(classify(pairs)),
    "mean error": mean_error,
}


def simulate_scores(studies: int) -> Iterator[Row]:
    chance = np.random.default_rng(SEED)
    for shape, cuts in SHAPES.items():
        population = draw_scores(chance, 5 * POPULATION, POPULATION, cuts)
        truths = {name: tally(population).value for name, tally in BOOTSTRAPPED.items()}
        for n, documents in SIZES:
            cells = {name: Cell() for name in BOOTSTRAPPED}
            for _ in range(studies):
                pairs = draw_scores(chance, n, documents, cuts)
                for name, tally in BOOTSTRAPPED.items():
                    cells[name].add(estimate(tally(pairs)).interval, truths[name] or 0.0)
            for name, cell in cells.items():
                yield build_row(name, shape, (n, documents), truths[name] or 0.0, cell)
            print(shape, n, documents, {name: round(cell.coverage, 3) for name, cell in cells.items()}, flush=True)


def draw_labels(chance: np.random.Generator, rate: float, n: int, documents: int, judge: tuple[float, float]):
    """Labels of documents with rates of their own, of which the first `documents` are labelled."""
    size = n // documents if n % documents == 0 else -(-n // documents)
    total = n + POOL
    document = np.arange(total) // size
    own = rate
    if size > 1:
        spread = (1 - ALIKE) / ALIKE
        own = chance.beta(rate * spread, (1 - rate) * spread, int(document.max()) + 1)[document]
    human = (chance.random(total) < own).astype(float)
    right = np.where(human == 1, judge[0], judge[1])
    said = np.where(chance.random(total) < right, human, 1 - human)
    return said, np.where(np.arange(total) < n, human, np.nan), document


RATE_METHODS = ("labels alone, rate", "PPI++, rate")


def simulate_rates(studies: int) -> Iterator[Row]:
    chance = np.random.default_rng(SEED + 2)
    for quality, judge in JUDGES.items():
        for rate in RATES:
            for n, documents in LABELS if quality == "good" else WEAK_LABELS:
                cells = {name: Cell() for name in RATE_METHODS}
                for _ in range(studies):
                    said, labels, document = draw_labels(chance, rate, n, documents, judge)
                    alone = estimate_mean(labels, document)
                    cells["labels alone, rate"].add(alone.interval, rate)
                    cells["PPI++, rate"].add(correct_mean(said, labels, document).interval, rate)
                for name, cell in cells.items():
                    yield build_row(name, f"{quality} judge", (n, documents), rate, cell)
                print(
                    quality,
                    rate,
                    n,
                    documents,
                    {name: round(cell.coverage, 3) for name, cell in cells.items()},
                    flush=True,
                )


def simulate_corrected_scores(studies: int) -> Iterator[Row]:
    chance = np.random.default_rng(SEED + 3)
    for shape, cuts in SHAPES.items():
        truth = float(draw_scores(chance, 5 * POPULATION, POPULATION, cuts).human.mean())
        for n, documents in LABELS:
            cells = {"labels alone, score": Cell(), "PPI++, score": Cell()}
            for _ in range(studies):
                size = -(-n // documents)
                pairs = draw_scores(chance, n + POOL, (n + POOL) // size, cuts)
                order = np.argsort(pairs.clusters, kind="stable")
                labels = np.where(np.arange(pairs.n) < n, pairs.human[order], np.nan)
                alone = estimate_mean(labels, pairs.clusters[order], (1, 5))
                tuned = correct_mean(pairs.judge[order], labels, pairs.clusters[order], (1, 5))
                cells["PPI++, score"].add(tuned.interval, truth)
                cells["labels alone, score"].add(alone.interval, truth)
            for name, cell in cells.items():
                yield build_row(name, shape, (n, documents), truth, cell)
            print(
                "scores",
                shape,
                n,
                documents,
                {name: round(cell.coverage, 3) for name, cell in cells.items()},
                flush=True,
            )


PARTS = {
    "rates": simulate_rates,
    "corrected": simulate_corrected_scores,
    "scores": simulate_scores,
}


def read_kept() -> list[Row]:
    return [Row(**json.loads(line)) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []


def keep(rows: list[Row]) -> None:
    KEPT.write_text("".join(json.dumps(asdict(row)) + "\n" for row in rows))


def measure(part: str, studies: int) -> list[Row]:
    moment = f"{datetime.now(UTC):%Y-%m-%d}"
    return [Row(**{**asdict(row), "part": part, "measured": moment}) for row in PARTS[part](studies)]


def render(rows: list[Row]) -> str:
    lines = [
        (
            row.statistic,
            row.data,
            row.n,
            row.documents,
            f"{row.truth:.3f}",
            f"**{row.coverage:.1%}**" if row.is_outside else f"{row.coverage:.1%}",
            f"{row.width:.3f}",
            row.no_interval,
        )
        for row in sorted(rows, key=lambda row: (row.statistic, row.data, row.truth, row.n, row.documents))
    ]
    header = ("statistic", "data", "n", "documents", "truth", "coverage", "mean width", "no interval")
    return render_table(header, lines)


def render_figures(rows: list[Row]) -> str:
    wanted = [row for row in rows if row.is_wanted]
    outside = [row for row in wanted if row.is_outside]
    below = [row for row in outside if row.coverage < LOW]
    names = "; ".join(
        f"{row.statistic} ({row.data}, n {row.n}, {row.documents} documents, truth {row.truth:.2f}): {row.coverage:.1%}"
        for row in outside
    )
    within = f"{len(wanted) - len(outside)} of {len(wanted)} settings lie within {LOW:.0%} to {HIGH:.0%}"
    first = f"- From 100 items and 30 documents on {within}, {len(below)} below. Outside: {names or 'none'}."
    widths = {(row.statistic, row.data, row.n, row.documents, row.truth): row.width for row in wanted}
    ratios = [
        width / widths[key[0].replace("PPI++", "labels alone"), *key[1:]]
        for key, width in widths.items()
        if key[0].startswith("PPI++")
    ]
    return f"{first}\n{WIDTHS.format(min(ratios), max(ratios))}" if ratios else first


def main() -> None:
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    for part in sys.argv[2:] or PARTS:
        rows = measure(part, studies)
        keep([*(row for row in read_kept() if row.part != part), *rows])
    rows = read_kept()
    counts = sorted({row.studies for row in rows})
    note = NOTE.format(
        studies=" or ".join(map(str, counts)),
        noise=196 * (0.95 * 0.05 / counts[0]) ** 0.5,
        measured=", ".join(sorted({f"{row.part} on {row.measured}" for row in rows})),
        alike=ALIKE,
        pool=POOL,
        population=POPULATION,
        low=LOW,
        high=HIGH,
    )
    conclude("coverage", "Coverage of the intervals", [note, render_figures(rows), render(rows)])


if __name__ == "__main__":
    main()
