"""How the embedded judge agrees with people, set by set, beside word counts and with its parts left out.

PYTHONPATH=. python bench/embedded.py           writes bench/results/embedded.md and, with --fit, the judge's calibration
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from training.calibration import SETTLED, VERBATIM, Claims, Weights, cross_rate, fit, rate_outputs

import assay
from assay.judges.embedded.signals import FEATURES
from assay.judges.embedded.weights import load_calibration
from assay.packs import list_packs
from claim_signals import RULES, Measured, load
from labelled_sets import SETS, TWINS, LabelledSet, is_there
from ranking import ROUNDS, agree, bin_by, find_interval, measure_error
from reliability import draw
from workload import RESULTS, ROOT, conclude, render_table

Array = NDArray[np.float64]
# A wrong claim that is called supported costs most, so the thresholds follow from the share of errors that is allowed.
PASSED, ACCUSED = 0.05, 0.03
CLEAR = 0.0105
KEPT = (
    "article-audit",
    "comparison-faithfulness",
    "grounded-answer",
    "opinion-relevance",
    "search-summary",
    "trial-eligibility",
)
"""Rubrics whose examples have kept results (tests/frozen)."""
CALIBRATION = ROOT / "src" / "assay" / "weights" / "calibration.json"
PICTURE = RESULTS / "embedded_reliability.svg"
MODEL, CHECKS = "without the model", "without the checks"
NOTE = """\
Each output's figure is the judge's *estimate*: the probability of its least supported claim. *AUC* where people said
right or wrong, *Spearman* where they gave grades; in brackets 95 % by a bootstrap over source documents ({rounds} rounds). Sets
marked *fitted* were used to fit the combination: their figures are cross-fitted by document (five folds); no weight was fitted on
the others. *overlap* is the share of the output's words that its source has, *ROUGE-L* the longest common subsequence over the
output's length, *best feature* the best of our own signals alone (chosen after the fact, so it flatters), *model alone* the pair
model's least supported claim. *undecided* is the share of claims between {low} and {high}, where the judge abstains; *copied* and *settled*
those that need no model: word for word in the source, or with a figure or name that no source has."""
PUBLISHED = """\
Others' figures on the same sets, as they were published. qags_cnndm: Spearman AlignScore-L .739, G-Eval-4 .685, QAFactEval .631,
SummaC .584. The six sets of SummaC, mean: AUC AlignScore-L .886, ROUGE-2 .781, NER overlap .604. summeval: Spearman of one expert
against two .750, FActScore (modified) .526, G-Eval-4 .507, AlignScore-L .466, QAFactEval .428, SummaC-Conv .414."""
HISTORY = ROOT / "bench" / "embedded_history.md"


@dataclass(frozen=True)
class Rated:
    """A set with its claims; `scores` are by weights that saw nothing of the same document, `ablated` those of less."""

    chosen: LabelledSet
    measured: Measured
    claims: Claims
    probability: Array
    scores: Array
    ablated: Mapping[str, Array]

    @property
    def is_true(self) -> NDArray[np.bool_]:
        """By claim: whether it belongs to a right output, whose claims are all true."""
        truth: NDArray[np.bool_] = self.measured.truth[self.claims.row] > 0.5
        return truth

    def agree(self, scores: Array) -> float:
        return agree(scores, self.measured.truth, binary=self.chosen.binary)

    def say(self, scores: Array) -> str:
        one = self.measured
        low, high = find_interval(scores, one.truth, one.groups, binary=self.chosen.binary)
        return f"{self.agree(scores):.3f} [{low:.2f}, {high:.2f}]"

    def least_of(self, column: Array) -> Array:
        """The least value of a signal among an output's claims; copied claims are as good as can be."""
        best = np.where(self.claims.settled == VERBATIM, column.max(initial=0.0) + 1, column)
        found = np.full(len(self.measured.rows), np.inf)
        np.minimum.at(found, self.measured.row, best)
        return np.where(np.isinf(found), np.median(column), found)


def as_claims(chosen: LabelledSet, measured: Measured, rules: Sequence[str] = RULES) -> Claims:
    return Claims(chosen.name, measured.features, measured.row, measured.settle(rules), measured.truth, measured.groups)


def rate_all(sets: Sequence[LabelledSet]) -> tuple[list[Rated], Weights]:
    measured = {chosen.name: load(chosen) for chosen in sets}
    claims = {chosen.name: as_claims(chosen, measured[chosen.name]) for chosen in sets}
    fitted = [chosen.name for chosen in sets if chosen.fitted]
    whole, weights = rate_each(claims, fitted, [True] * len(FEATURES))
    words_only = [name not in {"support", "contradiction"} for name in FEATURES]
    ablated = {
        MODEL: rate_each(claims, fitted, words_only)[0],
        CHECKS: rate_each({chosen.name: as_claims(chosen, measured[chosen.name], ()) for chosen in sets}, fitted, [True] * len(FEATURES))[0],
    }  # fmt: skip
    rated = [
        Rated(
            chosen,
            measured[chosen.name],
            claims[chosen.name],
            weights.rate(claims[chosen.name]),
            whole[chosen.name],
            {part: scores[chosen.name] for part, scores in ablated.items()},
        )
        for chosen in sets
    ]
    return rated, weights


def rate_each(
    claims: Mapping[str, Claims], fitted: Sequence[str], used: Sequence[bool]
) -> tuple[dict[str, Array], Weights]:
    training = [claims[name] for name in fitted]
    weights = fit(training, tuple(FEATURES.values()), used)
    scores = {name: rate_outputs(each, weights) for name, each in claims.items()}
    scores |= dict(zip(fitted, cross_rate(training, tuple(FEATURES.values()), used=used), strict=True))
    return scores, weights


def choose_thresholds(rated: Sequence[Rated]) -> tuple[float, float]:
    """Up to the first a claim is at fault, from the second on it is supported.

    On each set of twins that no weight was fitted to at most PASSED of the wrong claims are called supported; there, and in
    right outputs of the labelled sets that weights were fitted to, at most ACCUSED of the true claims are called wrong.
    """
    free = [one for one in rated if one.chosen in TWINS and not one.chosen.fitted]
    passed = [np.quantile(one.probability[~one.is_true], 1 - PASSED) for one in free]
    checked = [*free, *(one for one in rated if one.chosen.fitted and one.chosen in SETS)]
    accused = [np.quantile(one.probability[one.is_true], ACCUSED) for one in checked]
    return floor(min(accused) * 1000) / 1000, ceil(max(passed) * 1000) / 1000


def move_clear(low: float, high: float) -> tuple[float, float]:
    """Thresholds moved outwards until no claim of a kept example is so near that another processor might decide it otherwise."""
    known = set[float]()
    for name in KEPT:
        pack = list_packs()[name]
        records = [json.loads(line) for line in (pack.folder / "examples.jsonl").read_text("utf-8").splitlines()]
        for card in assay.judge(records, name, "embedded"):
            found = [each for metric in card.to_dict()["metrics"].values() for each in metric.get("findings", ())]
            known |= {each["probability"] for each in found if each.get("probability") is not None}
    while any(abs(each - high) < CLEAR for each in known):
        high = round(high + 0.001, 3)
    while any(abs(each - low) < CLEAR for each in known):
        low = round(low - 0.001, 3)
    return low, high


def count_overlap(measured: Measured) -> Array:
    shares = []
    for row in measured.rows:
        known = set(" ".join(row.sources).casefold().split())
        own = row.output.casefold().split()
        shares.append(sum(word in known for word in own) / max(1, len(own)))
    return np.array(shares)


def rate_rouge(measured: Measured) -> Array:
    shares = []
    for row in measured.rows:
        own, source = row.output.casefold().split(), " ".join(row.sources).casefold().split()
        shares.append(LCSseq.similarity(own, source) / max(1, len(own)))
    return np.array(shares)


def find_best_feature(one: Rated) -> tuple[str, float]:
    rated = {
        name: one.agree(one.least_of(sign * one.measured.features[:, at]))
        for at, (name, sign) in enumerate(FEATURES.items())
    }
    best = max(rated, key=lambda name: rated[name] if not np.isnan(rated[name]) else -1)
    return best, rated[best]


def tabulate(rated: Sequence[Rated], low: float, high: float) -> str:
    header = ("set", "fitted", "people said", "n", "documents", "figure", "embedded", "overlap", "ROUGE-L",
              "best feature", "model alone", "undecided", "copied", "settled")  # fmt: skip
    rows = []
    for one in rated:
        feature, value = find_best_feature(one)
        undecided = float(np.mean((one.probability > low) & (one.probability < high)))
        settled = one.claims.settled
        rows.append((
            one.chosen.name, "fitted" if one.chosen.fitted else "–", one.chosen.label, len(one.measured.rows),
            len(np.unique(one.measured.groups)), "AUC" if one.chosen.binary else "Spearman", one.say(one.scores),
            one.say(count_overlap(one.measured)), one.say(rate_rouge(one.measured)), f"{value:.3f} ({feature})",
            f"{one.agree(one.least_of(one.measured.features[:, 0])):.3f}", f"{undecided:.0%}",
            f"{float(np.mean(settled == VERBATIM)):.0%}", f"{float(np.mean(settled > VERBATIM)):.0%}",
        ))  # fmt: skip
    return render_table(header, rows)


def tabulate_errors(rated: Sequence[Rated], low: float, high: float) -> str:
    """What the thresholds do to single claims."""
    rows = []
    for one in rated:
        if one.chosen in TWINS or one.chosen.fitted:
            true, probability = one.is_true, one.probability
            wrong = (
                (f"{(probability[~true] >= high).mean():.0%}", f"{(probability[~true] <= low).mean():.0%}")
                if one.chosen in TWINS
                else ("–", "–")
            )
            right = (f"{(probability[true] >= high).mean():.0%}", f"{(probability[true] <= low).mean():.0%}")
            rows.append((one.chosen.name, len(probability), *wrong, *right))
    header = ("claims of", "n", "wrong, supported", "wrong, at fault", "true, supported", "true, at fault")
    return f"A claim is at fault up to {low} and supported from {high} on.\n\n" + render_table(header, rows)


def tabulate_parts(rated: Sequence[Rated]) -> str:
    rows = []
    for one in rated:
        plain = one.least_of(one.measured.features[:, 0]) / 6 + one.least_of(one.measured.features[:, 2])
        figures = (one.scores, *one.ablated.values(), plain)
        rows.append((one.chosen.name, *(f"{one.agree(each):.3f}" for each in figures)))
        domains = np.array([row.domain for row in one.measured.rows])
        for name in np.unique(domains) if one.chosen.by_domain else ():
            held = domains == name
            figures_here = [f"{agree(each[held], one.measured.truth[held], binary=True):.3f}" for each in figures]
            rows.append((f"– {name} (n {held.sum()})", *figures_here))
    return render_table(("set", "whole", MODEL, CHECKS, "no calibration"), rows)


def tabulate_reliability(rated: Sequence[Rated]) -> str:
    unfitted = [one for one in rated if one.chosen.binary and not one.chosen.fitted]
    draw({one.chosen.name: (one.scores, one.measured.truth) for one in unfitted}, PICTURE)
    rows = [
        (one.chosen.name, len(one.scores), f"{measure_error(one.scores, one.measured.truth):.3f}", say_bins(one))
        for one in unfitted
    ]
    return render_table(("set", "n", "ECE", "bins: said → right (n)"), rows)


def say_bins(one: Rated) -> str:
    truth = one.measured.truth
    return "; ".join(
        f"{one.scores[held].mean():.2f} → {truth[held].mean():.2f} ({held.sum()})" for held in bin_by(one.scores)
    )


def list_weights(weights: Weights) -> dict[str, float]:
    return dict(zip(FEATURES, (round(float(value), 5) for value in weights.values), strict=True))


def list_settled(weights: Weights) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in zip(SETTLED, weights.settled, strict=True) if name}


def write_calibration(weights: Weights, fitted: Sequence[str], low: float, high: float) -> None:
    content = {
        "weights": list_weights(weights),
        "bias": round(weights.bias, 5),
        "low": low,
        "high": high,
        "settled": list_settled(weights),
        "fitted_on": list(fitted),
    }
    CALIBRATION.write_text(json.dumps(content, indent=2) + "\n")


def main() -> None:
    if not is_there():
        print("the labelled sets are not at hand: nothing to measure")
        return
    rated, weights = rate_all((*SETS, *TWINS))
    low, high = load_calibration().low, load_calibration().high
    if "--fit" in sys.argv:
        low, high = choose_thresholds(rated)
        fitted = [one.chosen.name for one in rated if one.chosen.fitted]
        write_calibration(weights, fitted, low, high)
        load_calibration.cache_clear()
        low, high = move_clear(low, high)
        write_calibration(weights, fitted, low, high)
    figures = {**list_weights(weights), "bias": weights.bias, **list_settled(weights)}
    conclude("embedded", "The embedded judge against people", [
        NOTE.format(rounds=ROUNDS, low=low, high=high),
        HISTORY.read_text().strip(),
        tabulate(rated, low, high),
        tabulate_errors(rated, low, high),
        PUBLISHED,
        "## With a part left out\n\n*no calibration* adds the model's logit and the share of words found as they are.\n\n"
        + tabulate_parts(rated),
        "## Is the estimate what it says?\n\nOn sets that fitted nothing: the expected calibration error over ten bins, and in each bin "
        "the mean probability, the share that people found right, and how many.\n\n![what was said against what people "
        f"found]({PICTURE.name})\n\n" + tabulate_reliability(rated),
        "## Weights\n\n" + render_table(("signal", "weight"), [(name, f"{value:.3f}") for name, value in figures.items()]),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
