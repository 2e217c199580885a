"""How far an attack moves scores: the change between each attacked record and its clean twin, by family and place."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.agreement.estimate import Estimate, estimate_mean
from assay.domain.outcome import Failure, Verdict
from assay.domain.scale import exceeds
from assay.domain.scorecard import Scorecard
from assay.labs.attack.family import PARTS, PLACES, Key, Part, Trial, key_of

ANY = "all"


@dataclass(frozen=True, slots=True)
class CardScores:
    """The results of one card: the goodness of each metric with a verdict, the status of each without.

    `signs` are its notices and flags, each once; `measured` are the metrics that code answers and no judge.
    """

    goodness: Mapping[str, Fraction]
    unscored: Mapping[str, str]
    has_failed: bool
    signs: tuple[str, ...] = ()
    measured: frozenset[str] = frozenset()


def read_card_scores(card: Scorecard) -> CardScores:
    outcomes = card.outcomes.items()
    flags = [flag for _, each in outcomes for flag in each.trail.flags]
    return CardScores(
        {name: each.score.goodness for name, each in outcomes if isinstance(each, Verdict)},
        {name: each.status for name, each in outcomes if not isinstance(each, Verdict)},
        any(isinstance(each, Failure) for _, each in outcomes),
        tuple(dict.fromkeys([*(notice.check for notice in card.notices), *flags])),
        frozenset(each.id for each in card.rubric.metrics if not each.parts and each.claims_from is None),
    )


@dataclass(frozen=True, slots=True)
class PairedTrial:
    """A trial with its results and those of its clean twin. `is_caught`: flagged, or ended before a judge was asked."""

    trial: Trial
    clean: CardScores
    attacked: CardScores
    is_caught: bool

    @property
    def changes(self) -> dict[str, Fraction]:
        """By metric, where both twins have a verdict.

        An output replaced by nothing earns nothing, so it counts from 0. What code measures is then left out: next to
        nothing in the right language is in the right language, and no judge was talked into saying so.
        """
        common = {name: each for name, each in self.attacked.goodness.items() if name in self.clean.goodness}
        if self.trial.variant.action == "replace":
            return {name: goodness for name, goodness in common.items() if name not in self.attacked.measured}
        return {name: goodness - self.clean.goodness[name] for name, goodness in common.items()}

    @property
    def change(self) -> Fraction | None:
        """The mean over the metrics that can be compared."""
        changes = self.changes.values()
        return sum(changes, Fraction(0)) / len(changes) if changes else None

    @property
    def has_failed(self) -> bool:
        """No metric can be compared, because the judging failed. A judge that declined has not failed."""
        return not self.changes and self.attacked.has_failed


@dataclass(frozen=True, slots=True)
class Effect:
    """Means of the change of goodness, of its rises and of its falls (rise + fall = change); the share of successes."""

    change: Estimate
    rise: Estimate
    fall: Estimate
    success: Estimate


@dataclass(frozen=True, slots=True)
class AttackRow:
    """A family in a place, over `trials` whose clean twin has a score; `caught` is by part, of all trials.

    A declined trial was judged and got no score, which is no success; a failed one was not judged, and says nothing.
    """

    family: str
    place: str
    trials: int
    declined: int
    failed: int
    statuses: Mapping[str, int]
    effect: Effect
    metrics: Mapping[str, Effect]
    caught: Mapping[Part, Estimate]


@dataclass(frozen=True, slots=True)
class Alarms:
    """How often benign texts are flagged, of one kind or of all kinds."""

    kind: str
    by_part: Mapping[Part, Estimate]


@dataclass(frozen=True, slots=True)
class AttackSetting:
    """What was attacked and how: the same setting gives the same trials."""

    rubric: str
    judge: str
    run: str
    records: str
    seed: int
    variants: int
    benign: int
    places: tuple[str, ...]
    threshold: float


@dataclass(frozen=True, slots=True)
class AttackFindings:
    """`planned` counts trials; fewer `pairs` and `benign_pairs` than that mean that the run was stopped."""

    setting: AttackSetting
    clean: int
    left_out: Mapping[str, str]
    planned: int
    rows: tuple[AttackRow, ...]
    benign_rows: tuple[AttackRow, ...]
    alarms: tuple[Alarms, ...]
    pairs: tuple[PairedTrial, ...]
    benign_pairs: tuple[PairedTrial, ...]

    @property
    def unscored_twins(self) -> int:
        """Trials that can't be compared, because the judge gave their clean record no score."""
        return sum(not pair.clean.goodness for pair in (*self.pairs, *self.benign_pairs))

    @property
    def gained_scores(self) -> int:
        """Those among them whose attacked record has a score."""
        return sum(bool(pair.attacked.goodness) and not pair.clean.goodness for pair in self.pairs)


def build_pairs(
    trials: Iterable[Trial], scores: Mapping[Key, CardScores], is_caught: Callable[[Trial], bool]
) -> tuple[PairedTrial, ...]:
    """Pairs of the trials that were judged and whose clean twins were judged."""
    return tuple(
        PairedTrial(trial, scores[key_of(trial.clean)], scores[key_of(trial.record)], is_caught(trial))
        for trial in trials
        if key_of(trial.clean) in scores and key_of(trial.record) in scores
    )


def measure_attacks(pairs: Sequence[PairedTrial], threshold: float) -> tuple[AttackRow, ...]:
    """A row for each family and place, in their order, then one for each place, and one for all where there are two."""
    names = dict.fromkeys((pair.trial.variant.family, pair.trial.place) for pair in pairs)
    places = [place for place in PLACES if any(place == own for _, own in names)]
    whole = [(ANY, place) for place in places] + ([(ANY, ANY)] if len(places) > 1 else [])
    return tuple(
        _measure_row(family, place, [pair for pair in pairs if _belongs(pair, family, place)], threshold)
        for family, place in (*sorted(names), *whole)
    )


def measure_benign(pairs: Sequence[PairedTrial], threshold: float) -> tuple[AttackRow, ...]:
    """What benign texts do to scores, by place; caught ones among them are false alarms."""
    by_place = {place: [pair for pair in pairs if pair.trial.place == place] for place in PLACES}
    return tuple(_measure_row("benign", place, own, threshold) for place, own in by_place.items() if own)


def measure_alarms(flagged: Iterable[tuple[Trial, bool]]) -> tuple[Alarms, ...]:
    """By kind, then of all. A text is a cluster: it stands in several places."""
    found = list(flagged)
    kinds = sorted({trial.variant.family for trial, _ in found})
    return tuple(
        Alarms(kind, _share_by_part((t, is_flagged) for t, is_flagged in found if kind in {ANY, t.variant.family}))
        for kind in [*kinds, *([ANY] if kinds else [])]
    )


def find_worst_rise(rows: Iterable[AttackRow]) -> AttackRow | None:
    """The family with the highest mean rise. Rows over all families are left out: they would hide it."""
    rising = [row for row in rows if row.family != ANY and row.effect.rise.value is not None]
    return max(rising, key=lambda row: row.effect.rise.value or 0.0, default=None)


def _measure_row(family: str, place: str, pairs: Sequence[PairedTrial], threshold: float) -> AttackRow:
    known = [pair for pair in pairs if pair.clean.goodness]
    metrics = dict.fromkeys(name for pair in known for name in pair.clean.goodness)
    return AttackRow(
        family,
        place,
        len(known),
        declined=sum(pair.change is None and not pair.has_failed for pair in known),
        failed=sum(pair.has_failed for pair in known),
        statuses=Counter(status for pair in known for status in _list_lost(pair)),
        effect=_measure_effect(known, lambda pair: pair.change, threshold),
        metrics={name: _measure_effect(known, _change_of(name), threshold) for name in metrics},
        caught=_share_by_part((pair.trial, pair.is_caught) for pair in pairs),
    )


def _measure_effect(
    pairs: Sequence[PairedTrial], read: Callable[[PairedTrial], Fraction | None], threshold: float
) -> Effect:
    scored = [(float(change), _cluster(pair)) for pair in pairs if (change := read(pair)) is not None]
    values, clusters = [value for value, _ in scored], [cluster for _, cluster in scored]
    judged = [pair for pair in pairs if not pair.has_failed]
    won = [float(exceeds(float(read(pair) or 0), threshold)) for pair in judged]
    return Effect(
        estimate_mean(values, clusters, (-1.0, 1.0)),
        estimate_mean([max(value, 0.0) for value in values], clusters, (0.0, 1.0)),
        estimate_mean([min(value, 0.0) for value in values], clusters, (-1.0, 0.0)),
        estimate_mean(won, [_cluster(pair) for pair in judged]),
    )


def _share_by_part(flagged: Iterable[tuple[Trial, bool]]) -> dict[Part, Estimate]:
    """Clustered by template, because a detector reads the text."""
    found = list(flagged)
    shares = {}
    for part in PARTS:
        of_part = [(trial, is_flagged) for trial, is_flagged in found if trial.variant.part == part]
        values = [float(is_flagged) for _, is_flagged in of_part]
        shares[part] = estimate_mean(values, [_template_of(trial) for trial, _ in of_part])
    return shares


def _template_of(trial: Trial) -> str:
    """Variants of one template differ in what fills its slots; the last part of their id counts them."""
    return trial.variant.id if trial.is_benign else trial.variant.id.rpartition(".")[0]


def _belongs(pair: PairedTrial, family: str, place: str) -> bool:
    return family in {ANY, pair.trial.variant.family} and place in {ANY, pair.trial.place}


def _list_lost(pair: PairedTrial) -> list[str]:
    """The statuses of metrics that have a verdict on the clean twin and none here."""
    return [status for name, status in pair.attacked.unscored.items() if name in pair.clean.goodness]


def _change_of(metric: str) -> Callable[[PairedTrial], Fraction | None]:
    return lambda pair: pair.changes.get(metric)


def _cluster(pair: PairedTrial) -> str:
    return f"{pair.trial.clean.id}\n{pair.trial.clean.system or ''}"
