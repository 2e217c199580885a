"""How far a judge labels single units, or makes a choice about the whole, as people do."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from assay.agreement.bootstrap import Resampling, estimate
from assay.agreement.ceiling import average
from assay.agreement.classification import accuracy, balanced_accuracy, f1, kappa, precision, recall
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Pairs, Values, as_floats, build_pairs
from assay.agreement.ratings import Ratings, build_ratings
from assay.agreement.reliability import gwet_ac, krippendorff_alpha
from assay.agreement.table import Statistic, tally_pairs
from assay.agreement.tally import Tally, combine
from assay.domain.parts import LabelPart, PickPart
from assay.report.label_join import LabelledUnit

_WORSE = 1.0


@dataclass(frozen=True, slots=True)
class UnitFigures:
    """`confusion[i][j]`: units that the judge calls `options[i]` and people `options[j]`.

    `found` is how well units below the best label are found, None for a choice without values. `undecided` were left
    open by the judge, `split` by people who do not agree. `commonest` is the share that always saying so gets right.
    """

    metric: str
    part: str
    about: str
    n: int
    clusters: int
    undecided: int
    split: int
    figures: Mapping[str, Estimate]
    found: Mapping[str, Estimate]
    options: tuple[str, ...]
    confusion: tuple[tuple[int, ...], ...]
    commonest: tuple[str, float] | None
    people_kappa: Estimate | None
    judge_kappa: Estimate | None
    domains: Mapping[str, Mapping[str, Estimate]]
    people: tuple[str, ...]


def measure_units(
    metric: str, part: LabelPart | PickPart, units: Sequence[LabelledUnit], resampling: Resampling
) -> UnitFigures:
    options = tuple(option.name for option in part.options)
    codes = {name: float(number) for number, name in enumerate(options)}
    judge = [None if unit.judge is None else codes.get(unit.judge) for unit in units]
    human = [_settle(unit, codes) for unit in units]
    items = [unit.item for unit in units]
    pairs = build_pairs(judge, human, items)
    counts = np.zeros((len(options), len(options)), dtype=np.int64)
    np.add.at(counts, (pairs.judge.astype(np.int64), pairs.human.astype(np.int64)), 1)
    people = tuple(sorted({person for unit in units for person in unit.people}))
    said = [[_code(unit.people.get(person), codes) for person in people] for unit in units]
    ratings = build_ratings(said, items)
    return UnitFigures(
        metric=metric,
        part=part.id,
        about=part.unit if isinstance(part, LabelPart) else "choice",
        n=pairs.n,
        clusters=pairs.cluster_count,
        undecided=sum(each is None for each in judge),
        split=sum(each is None for each in human),
        figures=_measure(pairs, tuple(codes.values()), resampling),
        found=_find_worse(part, pairs, codes, resampling) if isinstance(part, LabelPart) else {},
        options=options,
        confusion=tuple(tuple(row) for row in counts.tolist()),
        commonest=_find_commonest(pairs, options),
        people_kappa=_pair_people(ratings, resampling),
        judge_kappa=_seat_judge(ratings, judge, resampling),
        domains=_split_domains(units, judge, human, tuple(codes.values()), resampling),
        people=people,
    )


def _code(option: str | None, codes: Mapping[str, float]) -> float | None:
    return None if option is None else codes[option]


def _settle(unit: LabelledUnit, codes: Mapping[str, float]) -> float | None:
    """What most people say; None where two answers are as common, or nobody could tell."""
    counted = Counter(option for option in unit.people.values() if option is not None).most_common(2)
    if not counted or (len(counted) == 2 and counted[0][1] == counted[1][1]):
        return None
    return codes[counted[0][0]]


def _measure(pairs: Pairs, categories: tuple[float, ...], resampling: Resampling) -> dict[str, Estimate]:
    both = build_ratings(np.column_stack([pairs.judge, pairs.human]), pairs.clusters)
    tallies = {
        "accuracy": tally_pairs(pairs, accuracy),
        "balanced accuracy": tally_pairs(pairs, balanced_accuracy),
        "kappa": tally_pairs(pairs, kappa),
        "Krippendorff alpha (nominal)": krippendorff_alpha(both, "nominal"),
        "Gwet AC1": gwet_ac(both, categories=categories),
    }
    return {name: estimate(tally, resampling) for name, tally in tallies.items()}


def _find_worse(
    part: LabelPart, pairs: Pairs, codes: Mapping[str, float], resampling: Resampling
) -> dict[str, Estimate]:
    best = part.value(part.best)
    worse = [code for name, code in codes.items() if part.value(name) < best]
    found = build_pairs(
        np.isin(pairs.judge, worse).astype(np.float64), np.isin(pairs.human, worse).astype(np.float64), pairs.clusters
    )
    statistics: dict[str, Statistic] = {
        "precision": partial(precision, positive=_WORSE),
        "recall": partial(recall, positive=_WORSE),
        "F1": partial(f1, positive=_WORSE),
    }
    return {name: estimate(tally_pairs(found, each), resampling) for name, each in statistics.items()}


def _find_commonest(pairs: Pairs, options: tuple[str, ...]) -> tuple[str, float] | None:
    if not pairs.n:
        return None
    counts = np.bincount(pairs.human.astype(np.int64), minlength=len(options))
    return options[int(counts.argmax())], float(counts.max() / pairs.n)


def _pair_people(ratings: Ratings, resampling: Resampling) -> Estimate | None:
    """The mean kappa of every two people: what can be asked of a judge."""
    pairs = combinations(range(ratings.annotators), 2)
    return _average([ratings.pair(ratings.values[:, one], ratings.values[:, two]) for one, two in pairs], resampling)


def _seat_judge(ratings: Ratings, judge: Values, resampling: Resampling) -> Estimate | None:
    """The mean kappa of the judge with each person, to be read beside that of people with each other."""
    if ratings.annotators < 2:
        return None
    said = as_floats(judge)
    return _average([ratings.pair(said, ratings.values[:, each]) for each in range(ratings.annotators)], resampling)


def _average(pairs: Sequence[Pairs], resampling: Resampling) -> Estimate | None:
    tallies: list[Tally] = [tally for each in pairs if (tally := tally_pairs(each, kappa)).value is not None]
    return estimate(combine(tallies, average), resampling) if tallies else None


def _split_domains(
    units: Sequence[LabelledUnit],
    judge: Sequence[float | None],
    human: Sequence[float | None],
    categories: tuple[float, ...],
    resampling: Resampling,
) -> dict[str, dict[str, Estimate]]:
    names = sorted({unit.domain for unit in units if unit.domain is not None})
    found = {}
    for name in names:
        kept = [at for at, unit in enumerate(units) if unit.domain == name]
        items = [units[at].item for at in kept]
        pairs = build_pairs([judge[at] for at in kept], [human[at] for at in kept], items)
        found[name] = _measure(pairs, categories, resampling)
    return found
