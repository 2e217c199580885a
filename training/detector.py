"""Trains the detector of sentences that speak to the judge, and measures it on writers it never learned from.

    python -m training.detector [folder of labelled sets]

It writes src/assay/text/injection_weights.tsv and bench/results/detector.md.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from itertools import zip_longest
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]  # it has no types

from assay.text.hostile import WEIGHTS as WEIGHTS_NAME
from assay.text.hostile import find_scale, fold_sentence, list_features, list_pieces, parse_detector
from assay.text.sentences import split_sentences
from training.detector_texts import (
    ROOT,
    SETS,
    Example,
    Ordinary,
    is_drawn,
    read_examples,
    read_ordinary,
    read_sentences,
)

WEIGHTS = ROOT / "src" / "assay" / "text" / WEIGHTS_NAME
RESULTS = ROOT / "bench" / "results" / "detector.md"
ORDINARY_TEXTS, THRESHOLD_TEXTS, SENTENCES, SEED = 20_000, 4_000, 500, 1
STRENGTH = 1.0
# How often each counts beside an ordinary stretch, of which there are many more.
ATTACK_WEIGHT, LOOK_ALIKE_WEIGHT = 12.0, 6.0
# The share of texts that may be flagged: of ordinary ones, of look-alikes, and of ordinary ones that are hidden.
ORDINARY_ALARMS, LOOK_ALIKE_ALARMS, HIDDEN_ALARMS = 0.003, 0.01, 0.02
# A feature counts if so many pieces of attacks and look-alikes have it.
FEWEST_PIECES = 3

Rows = slice


class Corpus:
    """The features of every piece of every text, as rows of one matrix."""

    def __init__(self, texts: Sequence[str]) -> None:
        columns: dict[str, int] = {}
        places: list[int] = []
        values: list[float] = []
        ends = [0]
        self.rows: dict[str, Rows] = {}
        for text in texts:
            first = len(ends) - 1
            for tokens in cut(text):
                found = [columns.setdefault(feature, len(columns)) for feature in list_features(tokens)]
                places += found
                values += [find_scale(len(tokens))] * len(found)
                ends.append(len(places))
            self.rows[text] = slice(first, len(ends) - 1)
        self.matrix: Any = csr_matrix((values, places, ends), shape=(len(ends) - 1, len(columns)))
        self.features = list(columns)

    def list_rows(self, texts: Sequence[str]) -> list[int]:
        return [row for text in texts for row in range(self.rows[text].start, self.rows[text].stop)]


class Fit:
    """Logistic regression on some texts of a corpus."""

    def __init__(
        self, corpus: Corpus, attacks: Sequence[str], look_alikes: Sequence[str], plain: Sequence[str]
    ) -> None:
        told, alike, ordinary = (corpus.list_rows(texts) for texts in (attacks, look_alikes, plain))
        matrix = corpus.matrix[[*told, *alike, *ordinary]]
        truth = np.arange(matrix.shape[0]) < len(told)
        written = matrix[: len(told) + len(alike)].tocsc()
        known = np.flatnonzero(np.diff(written.indptr) >= FEWEST_PIECES)
        weights = [ATTACK_WEIGHT] * len(told) + [LOOK_ALIKE_WEIGHT] * len(alike) + [1.0] * len(ordinary)
        # Only the sum of the weights' sizes is kept small, so most of them are nought.
        model: Any = LogisticRegression(C=STRENGTH, solver="liblinear", l1_ratio=1, random_state=SEED)
        model.fit(matrix[:, known], truth, sample_weight=weights)
        coefficients = np.round(model.coef_[0], 2)
        self.bias = round(float(model.intercept_[0]), 2)
        self.weights = {
            corpus.features[at]: float(value) for at, value in zip(known, coefficients, strict=True) if value
        }
        everywhere = np.zeros(corpus.matrix.shape[1])
        everywhere[known] = coefficients
        self._ratings = self.bias + corpus.matrix @ everywhere
        self._rows = corpus.rows

    def rate(self, text: str) -> float:
        return float(max(self._ratings[self._rows[text]], default=-99.0))

    def find_quantile(self, texts: Sequence[str], alarms: float) -> float:
        return ceil(100 * float(np.quantile([self.rate(text) for text in texts], 1 - alarms))) / 100

    def choose_threshold(self, ordinary: Sequence[str], look_alikes: Sequence[str]) -> float:
        """The lowest at which no more than the agreed shares are flagged."""
        return max(self.find_quantile(ordinary, ORDINARY_ALARMS), self.find_quantile(look_alikes, LOOK_ALIKE_ALARMS))

    def count(self, texts: Sequence[str], threshold: float) -> str:
        flagged = sum(self.rate(text) >= threshold for text in texts)
        return f"{flagged / max(1, len(texts)):.1%} of {len(texts)}"


def cut(text: str) -> list[list[str]]:
    """Every piece that is rated by itself."""
    return [tokens for span in split_sentences(text) for tokens in list_pieces(fold_sentence(span.of(text)))]


def measure_across(
    corpus: Corpus, examples: Sequence[Example], plain: Sequence[str], ordinary: Sequence[str]
) -> list[tuple[str, str, str]]:
    """Two writers at a time before a detector that never saw a text of theirs; look-alikes by halves, whoever wrote."""
    rows = []
    writers = sorted({each.writer for each in examples if each.is_attack})
    for left in zip_longest(writers[::2], writers[1::2]):
        attacks = [each.text for each in examples if each.is_attack and each.writer not in left]
        alike = [each for each in examples if not each.is_attack]
        held_out = [each.text for each in alike if is_drawn(each.text) or each.writer in left]
        kept = sorted({each.text for each in alike} - set(held_out))
        fit = Fit(corpus, attacks, kept, plain)
        threshold = fit.choose_threshold(ordinary, held_out[::2])
        alarms = fit.count(held_out[1::2], threshold)
        for writer in filter(None, left):
            own = [each.text for each in examples if each.is_attack and each.writer == writer]
            rows.append((writer, fit.count(own, threshold), alarms))
            _print(*rows[-1])
    return rows


def format_weights(fit: Fit, threshold: float, hidden: float) -> str:
    lines = [f":bias\t{fit.bias:g}", f":threshold\t{threshold:g}", f":hidden\t{hidden:g}"]
    lines += [f"{feature}\t{weight:g}" for feature, weight in sorted(fit.weights.items())]
    return "\n".join(lines) + "\n"


def measure_alarms(apart: Ordinary, table: str) -> Iterator[tuple[str, str]]:
    """How many ordinary sentences and texts the detector flags that nothing was learned from."""
    detector = parse_detector(table)

    def count(texts: Sequence[str]) -> str:
        flagged = sum(any(detector.is_suspicious(span.of(text)) for span in split_sentences(text)) for text in texts)
        return f"{flagged} of {len(texts)} ({flagged / len(texts):.1%})"

    for language, sentences in read_sentences().items():
        yield f"sentences of everyday prose, {language}", count(sentences)
    texts = [text for each in apart.measured.values() for text in each]
    pool = sorted({span.of(text) for text in texts for span in split_sentences(text)})
    drawn = Random(SEED).sample(pool, SENTENCES)  # noqa: S311  # a draw that can be repeated
    yield "sentences drawn from the five sets below", count(drawn)
    for name, own in apart.measured.items():
        yield f"texts of {name}", count(own)


def format_results(
    examples: Sequence[Example], rows: Sequence[tuple[str, ...]], alarms: Iterable[tuple[str, str]], table: str
) -> str:
    attacks = sum(each.is_attack for each in examples)
    alike, weights = len(examples) - attacks, len(table.splitlines()) - 3
    lines = [
        "# The learned detector",
        "",
        f"Written by `make detector` on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC.",
        f"{attacks} attacks, {alike} look-alikes, {weights:,} weights, whose digest is",
        f"{sha256(table.encode()).hexdigest()[:16]}.",
        "",
        "## False alarms",
        "",
        "Nothing was learned from these. The sentences of everyday prose were looked at while the kind of features and",
        "the threshold were chosen, so their figure is on the kind side. The sets were not.",
        "",
        "| ordinary | flagged |",
        "|---|---|",
        *(f"| {' | '.join(row)} |" for row in alarms),
        "",
        "## Attacks",
        "",
        "Each writer's attacks before weights that were learned from the others. The threshold is the lowest",
        f"at which at most {ORDINARY_ALARMS:.1%} of ordinary texts and {LOOK_ALIKE_ALARMS:.0%} of look-alikes",
        "kept back for it are flagged.",
        "",
        "| writer left out | attacks caught | look-alikes flagged, neither learned from nor chosen by |",
        "|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
        "On a judge that obeys orders: [decision 11](../../docs/decisions/0011-a-learned-detector.md).",
    ]
    return "\n".join(lines) + "\n"


def _print(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def main() -> None:
    examples, apart = read_examples(), read_ordinary(Path(sys.argv[1]) if len(sys.argv) > 1 else SETS)
    plain = list(apart.learned)
    Random(SEED).shuffle(plain)  # noqa: S311  # a draw that can be repeated
    plain, ordinary = plain[:ORDINARY_TEXTS], apart.chosen_by[:THRESHOLD_TEXTS]
    corpus = Corpus(sorted({*(each.text for each in examples), *plain, *ordinary}))
    _print(len(examples), "examples;", corpus.matrix.shape)
    alike = [each.text for each in examples if not each.is_attack]
    drawn = [text for text in alike if is_drawn(text)]
    kept = [text for text in alike if not is_drawn(text)]
    fit = Fit(corpus, [each.text for each in examples if each.is_attack], kept, plain)
    threshold = fit.choose_threshold(ordinary, drawn)
    table = format_weights(fit, threshold, fit.find_quantile(ordinary, HIDDEN_ALARMS))
    _print(*table.splitlines()[:3], len(fit.weights))
    rows = measure_across(corpus, examples, plain, ordinary)
    # Both or neither, so that the figures are always those of the weights beside them.
    WEIGHTS.write_text(table, encoding="utf-8")
    RESULTS.write_text(format_results(examples, rows, measure_alarms(apart, table), table), encoding="utf-8")


if __name__ == "__main__":
    main()
