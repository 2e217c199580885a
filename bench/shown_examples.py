"""Does a rubric with six labelled examples, as `assay rubric align --examples` adds them, bring a strong model closer to people?

PYTHONPATH=src python bench/shown_examples.py                            writes bench/results/shown_examples.md from shown_examples.jsonl
PYTHONPATH=src python bench/shown_examples.py SHIPPED SHOWN LABELS       reads both stores and the labels into shown_examples.jsonl first

--out FOLDER writes both files elsewhere. LABELS are JSON lines: `id` as in the stores, `record`, `item`, and `human`, the mean of
what people said. Each line of the data is one record: what people said, and what came of the shipped rubric (`shipped`) and of the
one with examples (`shown`). No text of a set is in it.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from assay.agreement.alignment import AnswerPair, fit_mapping
from assay.domain.outcome import Verdict
from assay.domain.scorecard import Scorecard
from assay.runner.run import rubric_of
from assay.store.store import open_store
from contrastive import measure_overlap
from people import RESULTS, Figure, Row, Value, count_length, count_overlap, estimate, rank_pooled, read

METRIC, NAME, FOLDS = "relevance", "shown_examples", 10
INTRODUCTION = """# Labelled examples shown to the judge, against people

Opinion summaries: relevance (opinsummeval, by two people, 1 to 5). A strong language model answered all prompts of two rubrics:
`opinion-relevance` as it is shipped, and the same with six labelled examples. The points that a summary should carry were written
once and served both. No conversation had two prompts on one source, so each had one rubric for some sources and the other for
others. Examples and records were drawn at random before any reply was written: the examples are one record of each grade, two of
grade 4, on which both people agreed, and none of their sources was judged. Their sources are compressed to three sentences and
their reasons are written by hand, because the set has no notes and the eight reviews are too long; `assay rubric align` would
choose disagreements and show the sentences nearest to the output. So this measures what examples of this form do, not which are
chosen.

*Distance as given* is the mean distance of the score from people's mean. *Distance mapped* is the same after an increasing mapping to
people's scale, the one of `assay rubric align`, fitted on nine tenths of the sources and measured on the rest. In square brackets
95 % by a bootstrap over sources, in which the mappings are fitted anew; differences are paired, and a negative difference of
distances is better."""


def collect(shipped: Path, shown: Path, labels: Path) -> list[Row]:
    """One row for each label. A rubric that gave no score leaves its entry out."""
    ways = {"shipped": dict(read_cards(shipped)), "shown": dict(read_cards(shown))}
    rows = []
    for label in map(json.loads, labels.read_text(encoding="utf-8").splitlines()):
        cards = {way: found[label["id"]] for way, found in ways.items()}
        record = cards["shipped"].record
        row = {"set": "opinsummeval", **{key: label[key] for key in ("record", "item", "human")}}
        row |= {"words": len(record.output.split()), "overlap": round(measure_overlap(record), 4)}
        rows.append(row | {way: found for way, card in cards.items() if (found := read_scores(card))})
    return rows


def read_cards(path: Path) -> Iterator[tuple[str, Scorecard]]:
    with open_store(path, read_only=True) as store:
        run = store.find_run("last")
        yield from ((card.record.id, card) for card in store.cards(run.id, rubric_of(run)))


def read_scores(card: Scorecard) -> Row:
    outcome = card.outcomes[METRIC]
    if not isinstance(outcome, Verdict):
        return {}
    grades = {grade.part: float(grade.level) for grade in outcome.trail.findings.grades}
    value = outcome.score.figures.get("value")
    computed = {} if value is None else {"value": round(float(value), 4)}
    return {"score": float(outcome.score.value), **grades, **computed}


def measure_distance(rows: Sequence[Row], value: Value) -> float:
    return float(np.mean([abs(said - row["human"]) for row in rows if (said := value(row)) is not None]))


def measure_excess(rows: Sequence[Row], value: Value) -> float:
    """Above 0 where the judge is kinder than people."""
    return float(np.mean([said - row["human"] for row in rows if (said := value(row)) is not None]))


def measure_mapped(rows: Sequence[Row], value: Value) -> float:
    """A source is in the same fold however often it is drawn: nothing is measured on what its mapping was fitted on."""
    folds: list[list[AnswerPair]] = [[] for _ in range(FOLDS)]
    for row in rows:
        said, item = value(row), row["item"]
        if said is not None:
            levels = (row["human"], said)
            key = (row["record"], None)
            pair = AnswerPair(key, item, METRIC, None, "", "", "", "", "", None, levels)
            folds[int(sha256(item.encode()).hexdigest(), 16) % FOLDS].append(pair)
    distances: list[float] = []
    for held in folds:
        mapped = fit_mapping(pair for fold in folds if fold is not held for pair in fold)
        for pair in held:
            human, said = pair.levels or (np.nan, np.nan)
            near = np.interp(said, *zip(*mapped, strict=True)) if mapped else said
            distances.append(abs(float(near) - human))
    return float(np.mean(distances))


def give_constant(_: Row) -> float:
    return 0.0


FIGURES: tuple[tuple[str, Figure], ...] = (
    ("Spearman, pooled", rank_pooled),
    ("distance as given", measure_distance),
    ("distance mapped", measure_mapped),
)
BASE: tuple[str, Value] = ("shipped rubric, score", read("shipped", "score"))
WAYS: tuple[tuple[str, Value], ...] = (
    BASE,
    ("with examples, score", read("shown", "score")),
    ("shipped rubric, grade before limits", read("shipped", "grade")),
    ("with examples, grade before limits", read("shown", "grade")),
    ("shipped rubric, computed from labels", read("shipped", "value")),
    ("with examples, computed from labels", read("shown", "value")),
    ("length in words", count_length),
    ("word overlap", count_overlap),
    ("the same for every summary", give_constant),
)
ON_SCALE = ("score", "grade before limits")
"""Only these are on people's scale before they are mapped."""


def build_table(rows: Sequence[Row]) -> str:
    head = [title for name, _ in FIGURES for title in (name, "less the first line's")]
    lines = [f"| | {' | '.join(head)} |", "|---" * (len(head) + 1) + "|"]
    for title, value in WAYS:
        cells = []
        for _, figure in FIGURES:
            if figure is measure_distance and not title.endswith(ON_SCALE):
                cells += ["–", ""]
                continue
            cells += [estimate(rows, figure, value), "" if value is BASE[1] else estimate(rows, figure, value, BASE[1])]
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def describe_changes(rows: Sequence[Row]) -> str:
    one, two = (read(way, "score") for way in ("shipped", "shown"))
    moves = [(two(row) or 0.0) - (one(row) or 0.0) for row in rows]
    higher, lower = sum(move > 0 for move in moves), sum(move < 0 for move in moves)
    kind = [
        f"{estimate(rows, measure_excess, value)} {name}" for name, value in (("shipped", one), ("with examples", two))
    ]
    return (
        f"With examples {higher} scores are higher, {lower} lower and {len(moves) - higher - lower} the same. "
        f"Mean score less people's mean: {kind[0]}, {kind[1]}."
    )


def main(rows: Sequence[Row], write: Callable[[str], object]) -> None:
    both = [row for row in rows if "shipped" in row and "shown" in row]
    count = f"{len(both)} records of {len({row['item'] for row in both})} sources; {len(rows) - len(both)} left out, without a score from one of the two."
    alone = f"{max(len(both) - len({row['item'] for row in both}), 0)} sources have two records, so nothing is ranked within a source."
    write("\n\n".join([INTRODUCTION, f"{count} {alone}", build_table(both), describe_changes(both)]) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="SHIPPED SHOWN LABELS")
    parser.add_argument("--out", type=Path, default=RESULTS)
    chosen = parser.parse_args()
    data = chosen.out / f"{NAME}.jsonl"
    if chosen.files:
        data.write_text("".join(json.dumps(row) + "\n" for row in collect(*chosen.files)), encoding="utf-8")
    main(
        [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()],
        (chosen.out / f"{NAME}.md").write_text,
    )
