"""Outputs judged side by side, one by one and by the plain prompt, by the same strong model, against people's labels.

PYTHONPATH=src python bench/side_by_side.py       writes bench/results/side_by_side.md from bench/results/side_by_side.jsonl

Each line of the data is one record: what people said, and what came of each way. `side` is one call per source with labels
and grades, `reversed` the same in the opposite order, `notes` a call in which the points are written too and nothing is
labelled (for hallucination: only the words at fault are listed). No text of a set is in it.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np

from assay.agreement.standing import PlacedScore, measure_position
from people import ROUNDS, Figure, Row, Value, auc, estimate, rank_pooled, rank_within_items, read

RESULTS = Path(__file__).parent / "results"
Way = tuple[str, Value]


def count_pairs(rows: Sequence[Row], value: Value) -> tuple[float, int]:
    """Of the pairs on one item that people told apart, how many are ordered as people order them; a tie counts half."""
    right, count = 0.0, 0
    for one, two in combinations(rows, 2):
        first, second = value(one), value(two)
        if first is None or second is None or one["human"] == two["human"]:
            continue
        sign = (first - second) * (one["human"] - two["human"])
        right += 1 if sign > 0 else 0.5 if sign == 0 else 0
        count += 1
    return right, count


def estimate_pairs(rows: Sequence[Row], value: Value, rival: Value | None = None) -> str:
    """The share of pairs ordered right, or its difference to a rival's; an item that is drawn twice counts twice."""
    by_item: dict[str, list[Row]] = {}
    for row in rows:
        by_item.setdefault(row["item"], []).append(row)
    picks = np.random.default_rng(7).integers(len(by_item), size=(ROUNDS, len(by_item)))

    def draw(way: Value) -> tuple[float, np.ndarray]:
        right, count = (np.array(each) for each in zip(*(count_pairs(of, way) for of in by_item.values()), strict=True))
        return right.sum() / count.sum(), right[picks].sum(axis=1) / count[picks].sum(axis=1)

    own, draws = draw(value)
    if rival is not None:
        its, others = draw(rival)
        own, draws = own - its, draws - others
    low, high = np.nanpercentile(draws, [2.5, 97.5])
    sign = "+" if rival is not None else ""
    return f"{own:{sign}.2f} [{low:{sign}.2f}, {high:{sign}.2f}]"


def average(name: str, sign: float = 1.0) -> Value:
    """Of both orders."""
    both = (read("side", name, sign), read("reversed", name, sign))

    def value(row: Row) -> float | None:
        found = [each(row) for each in both]
        return None if None in found else sum(found) / 2  # type: ignore[arg-type]

    return value


RANKS: tuple[tuple[str, Figure | None], ...] = (
    ("pairs ordered right", None),
    ("rank correlation within items", rank_within_items),
    ("pooled", rank_pooled),
)
QUESTIONS: tuple[tuple[str, str, tuple[tuple[str, Figure | None], ...], Way, tuple[Way, ...]], ...] = (
    (
        "Opinion summaries: relevance (opinsummeval, by two people)",
        "opinsummeval",
        RANKS,
        ("the plain prompt, one by one", read("plain", "relevance")),
        (
            ("single calls", read("single", "relevance")),
            ("side by side, grade", read("side", "grade")),
            ("side by side, computed from labels", read("side", "value")),
            ("side by side, grade, mean of two orders", average("grade")),
            ("side by side, points in the same call, notes, grade", read("notes", "grade")),
        ),
    ),
    (
        "News summaries: coverage (summeval, relevance by three experts)",
        "summeval",
        RANKS,
        ("the plain prompt, one by one", read("plain", "coverage")),
        (
            ("single calls", read("single", "coverage")),
            ("side by side, grade", read("side", "grade")),
            ("side by side, computed from labels", read("side", "value")),
            ("side by side, grade, mean of two orders", average("grade")),
            ("side by side, points in the same call, notes, grade", read("notes", "grade")),
        ),
    ),
    (
        "Hallucination (summedits: four edits of one summary)",
        "summedits",
        (("AUC", auc), ("pairs ordered right", None)),
        ("single calls, severity of the claims", read("single", "severity", -1)),
        (
            ("the plain prompt, one by one", read("plain", "hallucination")),
            ("side by side, severity of the claims", read("side", "severity", -1)),
            ("side by side, mean of two orders", average("severity", -1)),
            ("side by side, only the words at fault", read("notes", "severity", -1)),
        ),
    ),
)
INTRODUCTION = """# Side by side, against people

A strong language model answered all prompts, in conversations of ten to twenty prompts; no conversation had two prompts on one
source. The plain prompt and the single calls are those of [people](people.md), on the same records. Groups have four or five
outputs. In square brackets 95 % by a bootstrap over sources. Each line is measured on the records that it and the first line have.

What is not clean: replies of a conversation were read and written in small batches. The wording of the side-by-side prompts was
written once, before any reply; what the players said of it (one quote for a claim that rests on two sentences, *general* for
two cases, no word for senseless text) has not been worked in. The shipped prompt differs from the measured one in that a metric's
answers stand under its name. Coverage and hallucination were asked about alone, not with the other metrics of the rubric.
"""


def build_table(
    question: str, name: str, figures: Sequence[tuple[str, Figure | None]], base: Way, ways: Sequence[Way]
) -> str:
    rows = [row for row in map(json.loads, (RESULTS / "side_by_side.jsonl").open()) if row["set"] == name]
    titles = [title for figure, _ in figures for title in (figure, "less the first line's")]
    lines = [f"## {question}", "", f"| | records, sources | {' | '.join(titles)} |", "|---" * (len(titles) + 2) + "|"]
    for title, value in (base, *ways):
        known = [row for row in rows if value(row) is not None and base[1](row) is not None]
        cells = [f"{len(known)}, {len({row['item'] for row in known})}"]
        for _, figure in figures:
            measure = estimate_pairs if figure is None else partial(_estimate, figure)
            cells += [measure(known, value), "" if value is base[1] else measure(known, value, base[1])]
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _estimate(figure: Figure, rows: Sequence[Row], value: Value, rival: Value | None = None) -> str:
    return estimate(rows, figure, value, rival)


def describe_position(name: str, key: str) -> str:
    """Within outputs that were judged in both orders."""
    rows = [row for row in map(json.loads, (RESULTS / "side_by_side.jsonl").open()) if row["set"] == name]
    both = [row for row in rows if "side" in row and "reversed" in row]
    answers = [
        PlacedScore(row["item"], row["record"], row[way]["position"], row[way][key])
        for row in both
        for way in ("side", "reversed")
    ]
    found, apart = (
        measure_position(answers),
        sum(abs(row["side"][key] - row["reversed"][key]) for row in both) / len(both),
    )
    low, high = found.interval or (float("nan"), float("nan"))
    return f"| {name}, {key} | {len(both)} | {found.value:+.3f} [{low:+.3f}, {high:+.3f}] | {apart:.2f} |"


def main(write: Callable[[str], object]) -> None:
    tables = [build_table(*question) for question in QUESTIONS]
    pages = (("opinsummeval", "grade"), ("summeval", "grade"), ("summedits", "severity"))
    positions = [
        "## The effect of the first place",
        "",
        "| | outputs judged in both orders | first place less later places | mean distance of the two answers |",
        "|---|---|---|---|",
        *(describe_position(*each) for each in pages),
    ]
    write("\n\n".join([INTRODUCTION.strip(), *tables, "\n".join(positions)]) + "\n")


if __name__ == "__main__":
    main((RESULTS / "side_by_side.md").write_text)
