"""Our prompts and the plain prompts they replace, answered by the same strong model, against people's labels.

python bench/people.py                   writes bench/results/people.md from bench/results/people.jsonl

Each line of people.jsonl is one record: the wording of our prompts that it was judged with, its set, item and length, what
people said, and what came of the replies: one call per record (`joint`), one call per metric (`separate`), and the plain
prompt (`plain`). No text of a set is in it.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata

RESULTS = Path(__file__).parent / "results"
ROUNDS = 1_000
Row = dict[str, Any]
Value = Callable[[Row], float | None]
Figure = Callable[[Sequence[Row], Value], float]


def read(way: str, name: str, sign: float = 1.0) -> Value:
    def value(row: Row) -> float | None:
        found = row.get(way, {}).get(name)
        return None if found is None else sign * found

    return value


def rank_within_items(rows: Sequence[Row], value: Value) -> float:
    """The mean rank correlation with people over the items whose outputs people told apart."""
    by_item: dict[str, list[Row]] = {}
    for row in rows:
        by_item.setdefault(row["item"], []).append(row)
    found = [each for of_item in by_item.values() if (each := rank_item(of_item, value)) is not None]
    return float(np.mean(found)) if found else float("nan")


def rank_item(rows: Sequence[Row], value: Value) -> float | None:
    known = [(each, row["human"]) for row in rows if (each := value(row)) is not None]
    if len(known) < 3 or len({human for _, human in known}) == 1:
        return None
    ours, theirs = (rankdata(each) for each in zip(*known, strict=True))
    # A judge that tells nothing apart agrees by nothing.
    return float(np.corrcoef(ours, theirs)[0, 1]) if np.ptp(ours) else 0.0


def rank_pooled(rows: Sequence[Row], value: Value) -> float:
    known = [(each, row["human"]) for row in rows if (each := value(row)) is not None]
    ours, theirs = (rankdata(each) for each in zip(*known, strict=True))
    return float(np.corrcoef(ours, theirs)[0, 1]) if np.ptp(ours) and np.ptp(theirs) else 0.0


def auc(rows: Sequence[Row], value: Value) -> float:
    known = [(each, row["human"]) for row in rows if (each := value(row)) is not None]
    ranks = rankdata([each for each, _ in known])
    good = np.array([human == 1 for _, human in known])
    n, m = int(good.sum()), int((~good).sum())
    return float((ranks[good].sum() - n * (n + 1) / 2) / (n * m)) if n and m else float("nan")


def balanced(rows: Sequence[Row], value: Value) -> float:
    """Balanced accuracy of the statement that nothing is at fault, which is the value's best."""
    known = [(each, row["human"]) for row in rows if (each := value(row)) is not None]
    rates = []
    for human in (0, 1):
        said = [(each >= 0) == bool(human) for each, label in known if label == human]
        rates.append(sum(said) / len(said) if said else float("nan"))
    return float(np.mean(rates))


def estimate(rows: Sequence[Row], figure: Figure, value: Value, rival: Value | None = None) -> str:
    """The figure, or its difference to a rival's, with a 95 % interval of a bootstrap over items."""
    by_item: dict[str, list[Row]] = {}
    for row in rows:
        by_item.setdefault(row["item"], []).append(row)
    items, chance = list(by_item.values()), np.random.default_rng(7)
    picks = chance.integers(len(items), size=(ROUNDS, len(items)))
    values = [value] if rival is None else [value, rival]
    if figure is rank_within_items:
        ranked = np.array([[rank_item(each, one) for each in items] for one in values], dtype=float)
        draws = np.nanmean(ranked[:, picks], axis=2)
    else:
        draws = np.array([[figure([row for at in pick for row in items[at]], one) for pick in picks] for one in values])
    own = figure(rows, value) - (0.0 if rival is None else figure(rows, rival))
    low, high = np.nanpercentile(draws[0] if rival is None else draws[0] - draws[1], [2.5, 97.5])
    sign = "+" if rival is not None else ""
    return f"{own:{sign}.2f} [{low:{sign}.2f}, {high:{sign}.2f}]"


def count_length(row: Row) -> float | None:
    return float(row["words"])


def count_overlap(row: Row) -> float | None:
    return float(row["overlap"])


def is_clean(row: Row) -> float | None:
    """0 where the plain prompt's score says that nothing is at fault, less than 0 otherwise."""
    score = read("plain", "hallucination")(row)
    return None if score is None else score - 10


FAITHFUL = ("summedits", "polytope", "qags_cnndm")
WORDINGS = {
    "first": "First wording",
    "second": "Second wording, on other sources",
    "third": "Third wording, which is shipped: a looser word is no fault. Other records of the summedits sources above",
}
Question = tuple[str, str, tuple[str, ...], tuple[tuple[str, Figure], ...], tuple[tuple[str, Value], ...], Value]
QUESTIONS: tuple[Question, ...] = (
    (
        "Opinion summaries: relevance",
        "opinsummeval, aspect relevance by two people",
        ("opinsummeval",),
        (("rank correlation within items", rank_within_items), ("pooled", rank_pooled)),
        (
            ("Assay, score (the grade, limited by proof)", read("joint", "relevance")),
            ("Assay, computed value", read("joint", "value")),
        ),
        read("plain", "relevance"),
    ),
    (
        "Article summaries: coverage",
        "summeval, relevance by three experts",
        ("summeval",),
        (("rank correlation within items", rank_within_items), ("pooled", rank_pooled)),
        (
            ("Assay, coverage", read("joint", "coverage")),
            ("Assay, recall of key points", read("joint", "recall")),
            ("Assay, coverage, one call per metric", read("separate", "coverage")),
        ),
        read("plain", "coverage"),
    ),
    (
        "Article summaries: hallucination",
        "summedits_dev, summac_polytope and qags_cnndm, faithful or not",
        FAITHFUL,
        (("AUC", auc),),
        (
            ("Assay, severity count", read("joint", "severity", -1)),
            ("Assay, hallucination score", read("joint", "hallucination")),
            ("Assay, severity count, one call per metric", read("separate", "severity", -1)),
        ),
        read("plain", "hallucination"),
    ),
    (
        "Article summaries: nothing at fault",
        "the same records",
        FAITHFUL,
        (("balanced accuracy", balanced),),
        (
            ("Assay, no serious fault", read("joint", "serious", -1)),
            ("Assay, one call per metric", read("separate", "serious", -1)),
        ),
        is_clean,
    ),
)


NOTE = """\
The plain prompts are the judge prompts that two of the rubrics go back to, as they stand. A strong language model answered all
prompts in conversations of thirty to forty prompts each; no conversation had two prompts on one source. Records were drawn at random
before any reply was written. In square brackets 95 % by a bootstrap over sources, differences paired over the records that both
have a score for. With so few records a difference under .05 says little: what looked like a gain with the first wording was a
loss with the second, on other sources.

What is not clean: the replies of a conversation were written one after another with the others in sight; the files of the plain
prompts of the first round were named after their data set; in some of its conversations a script did the arithmetic that the plain
prompt wants from the model, which favours it. The second wording answers what was said of the first; the third was
written after a look at where the first two and the plain prompt differ. The computed value of opinion summaries agrees less well than
the grade, so the grade is the headline. Four records of the second round have no hallucination score: the evidence for one claim
of each shares no word with it, and stays void."""


def compare_ways(rows: Sequence[Row]) -> list[str]:
    """One call per record less one call per metric, where both were asked: with the first wording."""
    rows = [row for row in rows if row["wording"] == "first"]
    faithful = [row for row in rows if row["set"] in FAITHFUL]
    covered = [row for row in rows if row["set"] == "summeval"]
    ranked = estimate(faithful, auc, read("joint", "severity", -1), read("separate", "severity", -1))
    within = estimate(covered, rank_within_items, read("joint", "coverage"), read("separate", "coverage"))
    lines = [["severity count, AUC", str(len(faithful)), ranked], ["coverage, within items", str(len(covered)), within]]
    table = _table(["figure", "records", "one call less one per metric"], lines)
    return ["## One call per record against one call per metric", "", table, ""]


def show(rows: Sequence[Row], question: Question, heading: str) -> list[str]:
    _, _, _, figures, ways, plain = question
    rows = [row for row in rows if ways[0][1](row) is not None and plain(row) is not None]
    if not rows:
        return []
    head = ["judge", *(f"{name} | less the plain prompt's" for name, _ in figures)]
    lines = []
    rivals = (("the plain prompt", plain), ("length in words", count_length), ("word overlap", count_overlap))
    for name, value in (*ways, *rivals):
        if any(value(row) is None for row in rows) or (
            figures[0][1] is balanced and value in {count_length, count_overlap}
        ):
            continue
        cells = [
            f"{estimate(rows, figure, value)} | {'' if value is plain else estimate(rows, figure, value, plain)}"
            for _, figure in figures
        ]
        lines.append([name, *cells])
    n, items = len(rows), len({row["item"] for row in rows})
    return [f"**{heading}**: {n} records of {items} sources.", "", _table(head, lines), ""]


def main() -> None:
    rows = [json.loads(line) for line in (RESULTS / "people.jsonl").read_text(encoding="utf-8").splitlines()]
    parts = ["# Our prompts and the plain prompts they replace, against people", "", NOTE, ""]
    for question in QUESTIONS:
        title, labels, sets, *_ = question
        chosen = [row for row in rows if row["set"] in sets]
        parts += [f"## {title}", "", f"{labels}.", ""]
        for wording, heading in WORDINGS.items():
            parts += show([row for row in chosen if row["wording"] == wording], question, heading)
        parts += show(chosen, question, "All together")
    parts += compare_ways(rows)
    (RESULTS / "people.md").write_text("\n".join(parts), encoding="utf-8")
    print("\n".join(parts))


def _table(head: list[str], lines: list[list[str]]) -> str:
    columns = " | ".join(head).count("|") + 1
    rule = " | ".join(["---"] * columns)
    return "\n".join([f"| {' | '.join(head)} |", f"| {rule} |", *(f"| {' | '.join(line)} |" for line in lines)])


if __name__ == "__main__":
    main()
