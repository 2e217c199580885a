"""Trains the detector of sentences that speak to an evaluator, and measures it on writers it never learned from.

    python -m training.detector            writes src/assay/text/injections/weights.tsv and bench/results/detector.md

What it catches of the attacks that were set aside is measured elsewhere: `python bench/attack.py --judge screen`.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from itertools import pairwise, zip_longest
from math import ceil
from random import Random
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]  # it has no types

from assay.text.injections.features import list_pairs, list_word_features, tokenise
from assay.text.injections.finding import fold
from assay.text.injections.model import WEIGHTS as WEIGHTS_NAME
from assay.text.injections.model import Detector, find_share, find_spoken, list_sentences
from training.detector_texts import ROOT, Example, Ordinary, is_drawn, read_examples, read_ordinary

WEIGHTS = ROOT / "src" / "assay" / "text" / "injections" / WEIGHTS_NAME
RESULTS = ROOT / "bench" / "results" / "detector.md"
_ORDINARY_WINDOWS, _CHOSEN_BY, _SEED = 60_000, 4_000, 1
_STRENGTH, _LIGHTEST = 3.0, 15
# How often each counts beside an ordinary stretch, of which there are many more.
_ATTACKS_COUNT, _LOOK_ALIKES_COUNT = 12.0, 6
# Of ordinary texts at most so many may be flagged, and of look-alikes written by others.
_ALARMS, _LOOK_ALIKE_ALARMS = 0.003, 0.08


Window = tuple[list[str], ...]
_WITHOUT_WEIGHTS = Detector({}, 0.0, 0.0, 0.0)


def cut(text: str) -> list[Window]:
    """Every stretch that is rated: the sentences of a text, and two in a row."""
    normal = fold(text)
    sentences = [
        tokenise(normal.text[each.start : each.end]) for each in list_sentences(text, normal, _WITHOUT_WEIGHTS)
    ]
    return [*((sentence,) for sentence in sentences), *pairwise(sentences)]


def cut_attack(text: str) -> list[Window]:
    """The whole, and each stretch that is long enough to be told by itself."""
    windows = cut(text)
    sentences = tuple(window[0] for window in windows if len(window) == 1)
    return [sentences, *(window for window in windows if sum(map(len, window)) >= 4 and window != sentences)]


def count_features(window: Window) -> Counter[str]:
    counts: Counter[str] = Counter()
    for sentence in window:
        counts.update(list_pairs(sentence))
        for token in set(sentence):
            counts.update(list_word_features(token))
    return counts


def fit(attacks: Sequence[Window], ordinary: Sequence[Window]) -> Detector:
    """Logistic regression; weights near nought are left out."""
    windows = [*attacks, *ordinary]
    listed = [count_features(window) for window in windows]
    told = Counter(feature for features in listed[: len(attacks)] for feature in features)
    plain = Counter(feature for features in listed[len(attacks) :] for feature in features)
    known = sorted(each for each in told | plain if told[each] >= 3 or plain[each] >= (3 if told[each] else 40))
    place = {feature: at for at, feature in enumerate(known)}
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    for row, (window, features) in enumerate(zip(windows, listed, strict=True)):
        share = find_share(sum(map(len, window)))
        for feature, count in features.items():
            if (column := place.get(feature)) is not None:
                rows.append(row)
                columns.append(column)
                values.append(count * share)
    matrix: Any = csr_matrix((values, (rows, columns)), shape=(len(listed), len(known)))
    truth = np.arange(len(listed)) < len(attacks)
    model: Any = LogisticRegression(C=_STRENGTH, class_weight={True: _ATTACKS_COUNT, False: 1.0}, solver="liblinear")
    model.fit(matrix, truth)
    weights = {feature: round(100 * float(each)) for feature, each in zip(known, model.coef_[0], strict=True)}
    kept = {feature: each for feature, each in weights.items() if abs(each) >= _LIGHTEST}
    return Detector(kept, round(float(model.intercept_[0]), 2), 0.0, 0.0)


def rate_window(detector: Detector, window: Window) -> float:
    weight = sum(detector.weigh_words(each) + detector.weigh_pairs(each) for each in window)
    return detector.rate(weight, sum(map(len, window)))


def rate(detector: Detector, text: str) -> float:
    return max((rate_window(detector, window) for window in cut(text)), default=-99.0)


def choose_threshold(detector: Detector, ordinary: Sequence[str], look_alikes: Sequence[str]) -> float:
    """The lowest at which no more than the agreed shares are flagged."""
    plain = np.quantile([rate(detector, text) for text in ordinary], 1 - _ALARMS)
    alike = np.quantile([rate(detector, text) for text in look_alikes], 1 - _LOOK_ALIKE_ALARMS)
    return ceil(100 * float(max(plain, alike))) / 100


def choose_margin(detector: Detector, attacks: Sequence[str]) -> float:
    """How much pairs add to words in 98 of 100 attacks that are told."""
    added = []
    for text in attacks:
        best = max(cut(text), key=lambda window: rate_window(detector, window), default=())
        if best and (rated := rate_window(detector, best)) >= detector.threshold:
            words = detector.rate(sum(map(detector.weigh_words, best)), sum(map(len, best)))
            added.append(min(rated, detector.threshold) - words)
    return round(float(np.quantile(added, 0.98)), 2)


def train(
    examples: Sequence[Example], ordinary: Sequence[Window], apart: Ordinary, judged_by: Sequence[str]
) -> Detector:
    attacks = [window for each in examples if each.is_attack for window in cut_attack(each.text)]
    look_alikes = [window for each in examples if not each.is_attack for window in cut(each.text)]
    bare = fit(attacks, [*ordinary, *look_alikes * _LOOK_ALIKES_COUNT])
    threshold = choose_threshold(bare, apart.chosen_by[:_CHOSEN_BY], judged_by)
    chosen = Detector(bare.weights, bare.bias, threshold, 0.0)
    margin = choose_margin(chosen, [each.text for each in examples if each.is_attack])
    return Detector(bare.weights, bare.bias, threshold, margin)


def draw_windows(texts: Iterable[str]) -> list[Window]:
    windows = [window for text in texts for window in cut(text)]
    Random(_SEED).shuffle(windows)  # noqa: S311  # a draw that can be repeated
    return windows[:_ORDINARY_WINDOWS]


def measure_across(examples: Sequence[Example], ordinary: Sequence[Window], apart: Ordinary) -> list[tuple[str, ...]]:
    """Two writers at a time before a detector that never saw a text of theirs; look-alikes by halves, whoever wrote."""
    rows: list[tuple[str, ...]] = []
    writers = sorted({each.writer for each in examples if each.is_attack})
    alike = [each for each in examples if not each.is_attack]
    for left in zip_longest(writers[::2], writers[1::2]):
        kept = [each for each in alike if each.writer not in left and not is_drawn(each.text)]
        others = [each for each in examples if each.is_attack and each.writer not in left]
        drawn = [each.text for each in alike if is_drawn(each.text) or each.writer in left]
        judged_by, measured = drawn[::2], drawn[1::2]
        detector = train([*others, *kept], ordinary, apart, judged_by)
        alarms = sum(is_flagged(detector, text) for text in measured)
        for writer in filter(None, left):
            own = [each.text for each in examples if each.is_attack and each.writer == writer]
            caught = sum(is_flagged(detector, text) for text in own)
            found = (f"{caught / len(own):.0%} of {len(own)}", f"{alarms / len(measured):.0%} of {len(measured)}")
            rows.append((writer, *found))
            _say(rows[-1])
    return rows


def is_flagged(detector: Detector, text: str) -> bool:
    return any(find_spoken(text, fold(text), detector))


def spell_weights(detector: Detector) -> str:
    numbers = {":bias": detector.bias, ":threshold": detector.threshold, ":margin": detector.margin}
    lines = [f"{name}\t{value:g}" for name, value in numbers.items()]
    lines += [f"{feature}\t{weight / 100:g}" for feature, weight in sorted(detector.weights.items())]
    return "\n".join(lines) + "\n"


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def main() -> None:
    examples, apart = read_examples(), read_ordinary()
    ordinary = draw_windows(apart.learned)
    _say(len(examples), "examples,", len(ordinary), "ordinary windows")
    judged_by = [each.text for each in examples if not each.is_attack and is_drawn(each.text)]
    kept = [each for each in examples if each.is_attack or not is_drawn(each.text)]
    detector = train(kept, ordinary, apart, judged_by)
    flagged = {
        name: (sum(is_flagged(detector, text) for text in texts), len(texts)) for name, texts in apart.measured.items()
    }
    _say(len(detector.weights), "weights;", detector.bias, detector.threshold, detector.margin, flagged)
    rows = measure_across(examples, ordinary, apart)
    # Both or neither, so that the figures are always those of the weights beside them.
    WEIGHTS.write_text(spell_weights(detector), encoding="utf-8")
    RESULTS.write_text(render(examples, rows, flagged, detector), encoding="utf-8")


def render(
    examples: Sequence[Example],
    rows: Sequence[tuple[str, ...]],
    flagged: Mapping[str, tuple[int, int]],
    detector: Detector,
) -> str:
    attacks = sum(each.is_attack for each in examples)
    lines = [
        "# The learned detector",
        "",
        f"Written by `make detector` on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC.",
        f"{attacks} attacks, {len(examples) - attacks} look-alikes, {len(detector.weights):,} weights, whose digest is",
        f"{sha256(spell_weights(detector).encode()).hexdigest()[:16]}.",
        "",
        "Each writer's attacks before a detector that learned from the others. The threshold is the lowest",
        f"at which at most {_ALARMS:.1%} of ordinary texts and {_LOOK_ALIKE_ALARMS:.0%} of look-alikes kept back",
        "for it are flagged.",
        "What it catches of the attacks that were set aside before any of this: attack.md.",
        "",
        "| writer left out | attacks caught | look-alikes flagged, neither learned from nor chosen by |",
        "|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
        "Ordinary texts of sets that nothing was learned from or chosen by, flagged by the shipped detector. One,",
        "trialgpt_dev, was looked at on the way: examples of eligibility reasoning were written because of it.",
        "",
        "| set | flagged | texts |",
        "|---|---|---|",
        *(f"| {name} | {count} | {total} |" for name, (count, total) in flagged.items()),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
