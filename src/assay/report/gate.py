"""Gates of a run: means of scores or of weakest claims, claims with problems, and the judge's agreement with people.

What was not judged has not passed: a gate fails where fewer than 90 % of the records have a score.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from assay.domain.rubric import WEAKEST_SUPPORT, Rubric
from assay.domain.scale import exceeds
from assay.domain.units import count_units
from assay.errors import InputError
from assay.report.display import format_kept, gives_weakest_support
from assay.report.mean import ENOUGH_SCORED, has_enough
from assay.report.summary import ClaimCounts, Summary, count_more
from assay.store.agreements import KeptAgreement
from assay.store.runs import RunRow
from assay.store.store import Store

LOW = ".low"
_REMEDY = (
    "Write `fail_under` METRIC=VALUE, with a normalized score from 0 to 1, such as {0}=0.8, {0}.low=0.7 or "
    "{0}.weakest_support=0.3."
)
_MEAN: Final = "mean normalized score"
_LOW_END: Final = "lower end of the mean normalized score"
_WEAKEST: Final = "mean support of the weakest claims"


@dataclass(frozen=True, slots=True)
class Gate:
    """The least value that a metric must have, and the one it has. Without any it does not pass.

    `value` names what is held to it: the mean goodness, the lower end of its 95 % interval over items, or the mean of
    `weakest_support`. Fewer values than the share `min_scored` of what was asked fail the gate; `why` then says which
    records have none, and why.
    """

    name: str
    least: float
    found: float | None
    scored: int
    asked: int
    value: str = _MEAN
    min_scored: float = ENOUGH_SCORED
    why: str = ""
    metric: str = ""

    @property
    def is_short(self) -> bool:
        """Whether too few records have a value."""
        return not has_enough(self.scored, self.asked, self.min_scored)

    @property
    def passed(self) -> bool:
        return self.found is not None and not exceeds(self.least, self.found) and not self.is_short

    @property
    def title(self) -> str:
        return f"{self.name}, {self.value} at least {self.least:g}"

    @property
    def said(self) -> str:
        verb, thing = ("rated", "a rated claim") if self.value == _WEAKEST else ("scored", "a score")
        wanted, counts = f"{self.least:g}", f"{self.scored} {verb} of {self.asked} asked"
        why = f". Not {verb}: {self.why}" if self.why else ""
        if self.found is None:
            missing = "one source group has no interval" if self.scored else f"no record has {thing}"
            return f"{self.name}: {missing}, wanted a {self.value} of at least {wanted} ({counts}){why}"
        sign = "below" if exceeds(self.least, self.found) else "at least"
        if self.is_short:
            short = f"only {self.scored} of {self.asked} records {verb}, wanted at least {say_share(self.min_scored)}"
            return f"{self.name}: {short} (their {self.value} is {self.found:.4f}, {sign} {wanted}){why}"
        return f"{self.name}: {self.value} {self.found:.4f}, {sign} {wanted} ({counts})"


@dataclass(frozen=True, slots=True)
class FindingsGate:
    """The most claims that may have problems. It fails too where nothing was decided or too few records were looked at.

    A record in which there is nothing to judge, such as a blank text, is not counted as one that nobody looked at.
    With `min_scored` 0 it is enough that no claim has one.
    """

    most: int
    claims: ClaimCounts
    unjudged: int = 0
    min_scored: float = ENOUGH_SCORED

    name = "Findings"

    @property
    def asked(self) -> int:
        return self.claims.records + self.unjudged - self.claims.empty

    @property
    def is_short(self) -> bool:
        """Whether nothing, or too little, was judged."""
        if not self.min_scored:
            return False
        return not self.claims.decided or not has_enough(self.claims.labelled, self.asked, self.min_scored)

    @property
    def passed(self) -> bool:
        return self.claims.at_fault <= self.most and not self.is_short

    @property
    def title(self) -> str:
        return f"{self.name}, at most {self.most}"

    @property
    def said(self) -> str:
        claims = self.claims
        problems = f"{count_units('claim', claims.at_fault)} with problems, at most {self.most} allowed"
        said = f"{self.name}: {problems} ({claims.decided_share})"
        if claims.at_fault > self.most:
            named = ", ".join(f"{name} ({count})" for name, count in claims.faulty)
            return f"{said}: {count_more(named, claims.faulty_records - len(claims.faulty))}"
        if not self.is_short:
            return said
        missing = claims.unlabelled.describe(self.unjudged)
        why = f". Not judged: {missing}" if missing else ""
        if not claims.decided:
            return f"{said}; no claim was decided, so nothing was judged{why}"
        short = f"the claims of only {claims.labelled} of {self.asked} records were judged"
        return f"{said}; {short}, wanted at least {say_share(self.min_scored)}{why}"


@dataclass(frozen=True, slots=True)
class AgreementGate:
    """Whether a judge was measured against people, on enough labels, and is better than a constant answer."""

    name: str
    judge: str
    fewest: int
    found: KeptAgreement | None

    @property
    def passed(self) -> bool:
        found = self.found
        return found is not None and found.n >= self.fewest and found.verdict is not None and found.verdict.is_better

    @property
    def title(self) -> str:
        return f"{self.name}, agreement with people"

    @property
    def said(self) -> str:
        found = self.found
        if found is None:
            remedy = "label records, then run `assay agree RUN --save`"
            return f"{self.name}: no agreement of {self.judge} with people is saved for this rubric; {remedy}"
        wanted = f" Wanted: {self.fewest} labelled records." if found.n < self.fewest else ""
        return f"{self.name}, {self.judge} against people: {format_kept(found)}{wanted}"


RunGate: TypeAlias = Gate | FindingsGate | AgreementGate


def say_share(share: float) -> str:
    return f"{100 * share:g} %"


def parse_thresholds(written: Sequence[str], rubric: Rubric) -> dict[str, float]:
    """`METRIC`, `METRIC.low` or `METRIC.weakest_support` with its least value, each at most once."""
    known = [each for metric in rubric.metrics for each in (metric.id, f"{metric.id}{LOW}", metric.weakest_support.id)]
    remedy = _REMEDY.format(known[0])
    found: dict[str, float] = {}
    for text in written:
        name, equals, number = text.partition("=")
        name = name.strip()
        if not equals:
            raise InputError(f"`fail_under` {text!r} has no threshold", remedy=remedy)
        if name not in known:
            is_left_out = name.partition(".")[0] in rubric.not_asked
            message = f"this run did not ask about {name}" if is_left_out else f"{rubric.id} has no metric {name!r}"
            raise InputError(message, remedy=f"Write one of: {', '.join(known[::3])}.")
        if name in found:
            raise InputError(f"`fail_under` names {name} twice", remedy="Write each metric once.")
        found[name] = _parse_number(number, 1, f"{number.strip()!r} is not a number from 0 to 1", remedy)
    return found


def parse_share(given: str | float) -> float:
    """A share from 0 to 1, or a percentage such as `90%`."""
    remedy = "Write `min_scored` as a share from 0 to 1 or a percentage, such as 0.9 or 90%."
    text = str(given).strip()
    return _parse_number(text.removesuffix("%"), 100 if text.endswith("%") else 1, f"{text!r} is not a share", remedy)


def _parse_number(text: str, whole: int, message: str, remedy: str) -> float:
    """A number from 0 to 1, written as that part of `whole`."""
    try:
        value = float(text) / whole
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise InputError(message, remedy=remedy)
    return value


def refuse_means_of_scores(thresholds: Iterable[str], judges: Sequence[str]) -> None:
    """Raises InputError where a gate is on the scores of a judge that leaves many claims uncertain."""
    wrong = [name for name in thresholds if not name.endswith(WEAKEST_SUPPORT)]
    if wrong and gives_weakest_support(judges):
        name = wrong[0].removesuffix(LOW)
        raise InputError(
            f"`fail_under` {wrong[0]} can't be used with {', '.join(judges)}: it leaves many records without a score",
            remedy="Write `fail_on_findings` 0, which fails on every claim with a problem. To gate on a mean anyway, "
            "add `min_scored` with the share of records that must have a score, or write `fail_under` "
            f"{name}.weakest_support=0.3.",
        )


def check_gates(
    thresholds: Mapping[str, float], summary: Summary, min_scored: float = ENOUGH_SCORED, unjudged: int = 0
) -> tuple[Gate, ...]:
    """`unjudged` counts records of the run that nobody has judged yet: they have no score either."""
    return tuple(_check_gate(name, least, summary, min_scored, unjudged) for name, least in thresholds.items())


def _check_gate(name: str, least: float, summary: Summary, min_scored: float, unjudged: int) -> Gate:
    metric = name.removesuffix(WEAKEST_SUPPORT).removesuffix(LOW)
    found = summary.metrics[metric]
    asked = found.asked + unjudged
    if name.endswith(WEAKEST_SUPPORT):
        why, mean, count = found.unrated.describe(unjudged), found.weakest_supports.mean, found.weakest_supports.count
        return Gate(found.name, least, mean, count, asked, _WEAKEST, min_scored, why, metric)
    why, value = found.unscored.describe(unjudged), found.goodness.mean
    what = _MEAN
    if name.endswith(LOW):
        value = None if found.goodness.interval is None else found.goodness.interval[0]
        what = _LOW_END
    return Gate(found.name, least, value, found.scored, asked, what, min_scored, why, metric)


def check_agreement(
    thresholds: Iterable[str],
    fewest: int,
    run: RunRow,
    rubric: Rubric,
    store: Store,
    calibrated: Sequence[KeptAgreement] = (),
) -> tuple[AgreementGate, ...]:
    """Of the metrics that have a threshold; where none has, of all. A calibration record comes before the store."""
    names = {each.id: each.name for metric in rubric.metrics for each in (metric, metric.weakest_support)}
    wanted = dict.fromkeys(name.removesuffix(LOW) for name in thresholds) or [metric.id for metric in rubric.metrics]
    known = {(each.judge, each.rubric_digest, each.metric): each for each in reversed(calibrated)}
    keys = [(run.judge, run.rubric_digest, name) for name in wanted]
    found = [known.get(key) or next(iter(store.agreements.all(*key)), None) for key in keys]
    return tuple(AgreementGate(names[key[2]], run.judge, fewest, kept) for key, kept in zip(keys, found, strict=True))
