"""Whether the embedded judge can tell what an output covers: key points, questions, sections, opinions, against people.

PYTHONPATH=. python bench/embedded_coverage.py [TASK ...] [--documents N]            writes bench/results/embedded_coverage.md

Tasks are verdict, coverage, selection, questions, sections, topics and opinions. Each way to score is chosen on one half of the documents and reported on
the other one.
"""

import argparse
import gzip
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from assay.judges.embedded.weights import read_card
from assay.text.keywords import keywords
from coverage_ways import (
    COVERING,
    PLAIN,
    Array,
    Item,
    Measured,
    Way,
    add_recall,
    add_topics,
    by_claims,
    by_larger,
    by_shown,
    by_words_mostly,
    contain,
    cover,
    label_containment,
    pick_nothing,
    recall_every_sentence,
    recall_points,
    recall_topics,
    relate_sections,
    repeat,
    resemble_best,
    score_opinions,
)
from labelled_sets import FOLDER, is_there
from pair_ratings import rate_all
from salience import Document, Point
from workload import conclude, render_table

ROUNDS, POOLED_ROUNDS = 2_000, 500
MOST_POINTS = 7


@dataclass(frozen=True)
class Task:
    """`metric` is what would be answered, `pick` finds the points of a document, `counts` are baselines of its own."""

    name: str
    metric: str
    data: str
    label: str
    systems: int
    pick: Callable[[Document], Sequence[Point]]
    ways: Mapping[str, Way]
    counts: Mapping[str, Way] = field(default_factory=dict)

    @property
    def baselines(self) -> Mapping[str, Way]:
        return {**PLAIN, **self.counts}


@cache
def read_key_facts() -> Mapping[str, Sequence[str]]:
    """What people drew from each reference summary of realsumm, one short statement each."""
    with gzip.open(FOLDER / "realsumm_keyfacts.jsonl.gz", "rt") as file:
        rows = [json.loads(line) for line in file]
    return {_squeeze(row["output"]): row["human"]["key_facts"] for row in rows}


def pick_given(document: Document) -> list[Point]:
    """People's own key facts: what is left to the judge is to say which of them an output states."""
    return [Point(fact, keywords(fact), 1.0) for fact in read_key_facts()[_squeeze(document.reference)]]


def _squeeze(text: str) -> str:
    """The two sets write the same summaries with other marks and spaces."""
    return re.sub(r"[^a-z0-9]", "", re.sub(r"</?t>", "", text.casefold()))[:120]


TASKS = (
    Task(
        "verdict",
        "coverage of given key points",
        "realsumm",
        "litepyramid_recall",
        8,
        pick_given,
        {**COVERING, "points by both, stems alike": cover(by_shown, weighted=False), "points by the larger": cover(by_larger, weighted=False), "points as claims": cover(by_claims, weighted=False), "points by words, lightly by model": cover(by_words_mostly, weighted=False)},
        {"words of the points": recall_points},
    ),
    Task("coverage", "coverage of key points", "realsumm", "litepyramid_recall", 4,
         lambda document: document.pick_key_points(MOST_POINTS),
         {**COVERING, "every sentence by words": recall_every_sentence, "repeated words + points by model": add_recall(COVERING["points by model"], 0.5)}),
    Task("selection", "coverage of key points", "summeval", "relevance", 4,
         lambda document: document.pick_key_points(MOST_POINTS),
         {**COVERING, "every sentence by words": recall_every_sentence, "repeated words + points by model": add_recall(COVERING["points by model"], 0.5)}),
    Task("questions", "summary quality (questions answered)", "realsumm", "litepyramid_recall", 4,
         lambda document: document.pick_facts(6), COVERING),
    Task("sections", "relevance of sections", "summeval", "relevance", 16, pick_nothing,
         {"containment": relate_sections(contain), "containment labels": relate_sections(label_containment),
          "centrality of the best sentence": relate_sections(resemble_best), "words that the source repeats": relate_sections(repeat)}),
    Task("topics", "relevance of opinion summaries", "opinsummeval", "aspect_relevance", 14, pick_nothing,
         {**{f"topics of {least} reviews, {most} at most": recall_topics(least, most) for least in (2, 3) for most in (8, 20)},
          **{f"score by topics of {least} reviews, {most} at most": score_opinions(least, most) for least in (2, 3) for most in (8, 20)}}),
    Task("opinions", "relevance of opinion summaries", "opinsummeval", "aspect_relevance", 7,
         lambda document: document.pick_opinions(6),
         {**COVERING, "repeated words + points by model": add_recall(COVERING["points by model"], 0.5),
          "topics + points by model": add_topics(COVERING["points by model"], 0.25)}),
)  # fmt: skip


def _shuffle(name: str) -> bytes:
    return blake2b(name.encode(), digest_size=8).digest()


def is_held_out(document: str) -> bool:
    return bool(_shuffle(document)[0] % 2)


def read_items(task: Task, most: int | None = None) -> tuple[tuple[Item, ...], dict[str, Document]]:
    """Documents and systems in a fixed shuffled order, at most so many of each."""
    with gzip.open(FOLDER / f"{task.data}.jsonl.gz", "rt") as file:
        rows = [json.loads(line) for line in file]
    chosen = set(sorted({row["system"] for row in rows}, key=_shuffle)[: task.systems])
    items: list[Item] = []
    documents: dict[str, Document] = {}
    for row in rows:
        if row["system"] not in chosen or row["human"].get(task.label) is None:
            continue
        source = row["source"]
        texts = (source,) if isinstance(source, str) else tuple(each["content"] for each in source if each["content"])
        document = str(row.get("doc_id") or texts[0][:300])
        documents.setdefault(document, Document(texts, row.get("reference") or ""))
        items.append(Item(document, row["output"], float(row["human"][task.label])))
    order = {name: place for place, name in enumerate(sorted(documents, key=_shuffle)[:most])}
    kept = sorted((item for item in items if item.document in order), key=lambda item: order[item.document])
    return tuple(kept), {name: documents[name] for name in order}


def measure(task: Task, most: int | None = None) -> Measured:
    items, documents = read_items(task, most)
    points = {name: tuple(task.pick(document)) for name, document in documents.items()}
    pairs = [item.pair(point.text) for item in items for point in points[item.document]]
    return Measured(items, documents, points, rate_all(task.name, pairs))


def correlate(scores: Array, measured: Measured) -> dict[str, float]:
    """Spearman's correlation with people among the outputs on each document; 0 where the scores are all alike.

    A document on which people said the same of all its outputs says nothing and is left out.
    """
    names = np.array([item.document for item in measured.items])
    truth = np.array([item.truth for item in measured.items])
    found = {}
    for name in dict.fromkeys(names.tolist()):
        own, people = rankdata(scores[names == name]), rankdata(truth[names == name])
        if len(set(people)) > 1:
            found[name] = float(np.corrcoef(own, people)[0, 1]) if len(set(own)) > 1 else 0.0
    return found


def bound(values: Sequence[float]) -> tuple[float, float]:
    chance = np.random.default_rng(7)
    drawn = chance.choice(np.array(values), (ROUNDS, len(values))).mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def say(values: Sequence[float]) -> str:
    low, high = bound(values)
    return f"{np.mean(values):.3f} [{low:.2f}, {high:.2f}]"


@dataclass(frozen=True)
class Outcome:
    """Every way's score of every output, and its correlation with people on each document."""

    task: Task
    measured: Measured
    scores: Mapping[str, Array]
    found: Mapping[str, Mapping[str, float]]

    def values(self, name: str, *, held_out: bool = True) -> list[float]:
        return [value for document, value in self.found[name].items() if is_held_out(document) == held_out]

    @cached_property
    def reported(self) -> NDArray[np.int64]:
        return np.flatnonzero([is_held_out(item.document) for item in self.measured.items])

    @property
    def chosen(self) -> str:
        return max(self.task.ways, key=lambda name: float(np.mean(self.values(name, held_out=False))))

    @property
    def baseline(self) -> str:
        """The strongest on the half that is reported, so that nothing is won by a weak one."""
        return max(self.task.baselines, key=lambda name: float(np.mean(self.values(name))))

    @property
    def differences(self) -> list[float]:
        return [own - plain for own, plain in zip(self.values(self.chosen), self.values(self.baseline), strict=True)]

    def pool(self, name: str, drawn: NDArray[np.int64] | None = None) -> float:
        """Over all outputs, whatever their document: whether a score means the same on every one."""
        at = self.reported if drawn is None else drawn
        truth = np.array([self.measured.items[each].truth for each in at])
        own = self.scores[name][at]
        return float(np.corrcoef(rankdata(own), rankdata(truth))[0, 1]) if len(set(own)) > 1 else 0.0

    @property
    def pooled_baseline(self) -> str:
        return max(self.task.baselines, key=self.pool)

    def bound_pooled(self) -> tuple[float, float]:
        """Of the chosen way's pooled figure less the strongest baseline's, by a bootstrap over documents."""
        chance = np.random.default_rng(7)
        names = np.array([self.measured.items[each].document for each in self.reported])
        members = [self.reported[names == name] for name in dict.fromkeys(names.tolist())]
        chosen, plain = self.chosen, self.pooled_baseline
        found = []
        for _ in range(POOLED_ROUNDS):
            drawn = np.concatenate([members[at] for at in chance.integers(0, len(members), len(members))])
            found.append(self.pool(chosen, drawn) - self.pool(plain, drawn))
        low, high = np.quantile(found, [0.025, 0.975])
        return float(low), float(high)


def run(task: Task, most: int | None) -> Outcome:
    measured = measure(task, None if task.pick is pick_nothing else most)
    scores = {name: measured.score(way) for name, way in {**task.baselines, **task.ways}.items()}
    return Outcome(task, measured, scores, {name: correlate(each, measured) for name, each in scores.items()})


NOTE = """\
Can the embedded judge (weights {version}) answer what it declines? Each figure is Spearman's correlation with people among the outputs on one
document, averaged over documents; in brackets 95 % by a bootstrap over documents ({rounds} rounds). The documents of each set are
split in two fixed halves: the way to score was chosen on one, every figure below is of the other unless it says *choosing*. *Pooled* is the correlation over
all held-out outputs at once. A metric is answered only if the interval of the difference to the strongest baseline lies above zero
by both figures.

Baselines: the output's *length* in words; *overlap*, the share of its words that the source has; *source recall*, the share of the source's
keywords that the output has; *repeated words recall*, the same with each keyword counted as often as sentences have it;
*ROUGE-2* recall of the source; ROUGE-L recall of its *lead*, three sentences. *points* are at most {points} sentences of the source
(opinions and facts: 6), central, early and unlike each other; *by words* is the weighted share of a point's stems in the output,
*by model* the pair model's support with the output as the premise, *by both* their mean, *by labels* that mean cut at a quarter and
three quarters. *Given* key points are the key facts that people drew from realsumm's reference summaries; *as claims* weighs them
as the judge weighs claims. {sample}"""
SAMPLED = "Where pairs are rated, {documents} documents of each set were taken, in a fixed shuffled order, both halves together."


def render(outcome: Outcome) -> str:
    task = outcome.task
    rows = [
        (name, "baseline" if name in task.baselines else "chosen" if name == outcome.chosen else "",
         f"{np.mean(outcome.values(name, held_out=False)):.3f}", say(outcome.values(name)), f"{outcome.pool(name):.3f}")
        for name in (*task.baselines, *task.ways)
    ]  # fmt: skip
    documents = len(outcome.values("length"))
    title = f"## {task.name}: {task.data}, {task.label} ({len(outcome.reported)} outputs on {documents} documents held out, {task.systems} systems)"
    return f"{title}\n\n" + render_table(("way to score", "", "choosing", "held out", "pooled"), rows)


def summarise(outcome: Outcome) -> tuple[object, ...]:
    chosen, plain, pooled = outcome.chosen, outcome.baseline, outcome.pooled_baseline
    low, high = outcome.bound_pooled()
    return (
        outcome.task.metric, outcome.task.data, len(outcome.reported), len(outcome.differences),
        f"{chosen}: {say(outcome.values(chosen))}", f"{plain}: {say(outcome.values(plain))}", say(outcome.differences),
        f"{outcome.pool(chosen):.3f}", f"{pooled}: {outcome.pool(pooled):.3f}",
        f"{outcome.pool(chosen) - outcome.pool(pooled):.3f} [{low:.2f}, {high:.2f}]",
        "yes" if bound(outcome.differences)[0] > 0 and low > 0 else "no",
    )  # fmt: skip


def main() -> None:
    if not is_there():
        print("the labelled sets are not at hand: nothing to measure")
        return
    reader = argparse.ArgumentParser()
    reader.add_argument("tasks", nargs="*", metavar="TASK")
    reader.add_argument("--documents", type=int, help="at most so many where pairs are rated, for a loaded machine")
    options = reader.parse_args()
    outcomes = [run(task, options.documents) for task in TASKS if not options.tasks or task.name in options.tasks]
    header = (
        "metric",
        "set",
        "n",
        "documents",
        "chosen",
        "strongest baseline",
        "difference",
        "pooled",
        "strongest baseline, pooled",
        "difference",
        "beats both",
    )
    conclude("embedded_coverage", "What the embedded judge can tell of coverage", [
        NOTE.format(version=read_card().version, rounds=ROUNDS, points=MOST_POINTS, sample=SAMPLED.format(documents=options.documents) if options.documents else ""),
        render_table(header, [summarise(each) for each in outcomes]),
        *(render(each) for each in outcomes),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
