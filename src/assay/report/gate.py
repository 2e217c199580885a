"""Gates of a run: means of scores or of weakest claims, claims with problems, and the judge's agreement with people.

What was not judged has not passed: a gate fails where fewer than 90 % of the records have a score.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class Gate:
    """What a run must reach: its title, whether it does, and in a sentence what was found.

    `metric` is the one whose scores are held to it. `is_short` says that too few records were judged, so that it fails.
    """

    title: str
    passed: bool
    said: str
    about: Literal["scores", "findings", "agreement"]
    metric: str = ""
    is_short: bool = False


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
) -> list[Gate]:
    """`unjudged` counts records of the run that nobody has judged yet: they have no score either."""
    return [_check_gate(name, least, summary, min_scored, unjudged) for name, least in thresholds.items()]


def _check_gate(name: str, least: float, summary: Summary, min_scored: float, unjudged: int) -> Gate:
    """The mean goodness, the lower end of its interval or the mean of `weakest_support`; without any it fails."""
    metric = name.removesuffix(WEAKEST_SUPPORT).removesuffix(LOW)
    of_metric = summary.metrics[metric]
    goodness, missing, verb, thing = of_metric.goodness, of_metric.unscored, "scored", "a score"
    what, found = "mean normalized score", goodness.mean
    if name.endswith(LOW):
        what, found = f"lower end of the {what}", None if goodness.interval is None else goodness.interval[0]
    elif name.endswith(WEAKEST_SUPPORT):
        goodness, missing, verb, thing = of_metric.weakest_supports, of_metric.unrated, "rated", "a rated claim"
        what, found = "mean support of the weakest claims", goodness.mean
    asked, scored = of_metric.asked + unjudged, goodness.count
    is_short = not has_enough(scored, asked, min_scored)
    is_below = found is not None and exceeds(least, found)
    counts, sign = f"({scored} {verb} of {asked} asked)", f"{'below' if is_below else 'at least'} {least:g}"
    if found is None:
        lacking = "one source group has no interval" if scored else f"no record has {thing}"
        said = f"{lacking}, wanted a {what} of at least {least:g} {counts}"
    elif is_short:
        short = f"only {scored} of {asked} records {verb}, wanted at least {say_share(min_scored)}"
        said = f"{short} (their {what} is {found:.4f}, {sign})"
    else:
        said = f"{what} {found:.4f}, {sign} {counts}"
    why = missing.describe(unjudged) if found is None or is_short else ""
    return Gate(
        f"{of_metric.name}, {what} at least {least:g}",
        passed=found is not None and not is_below and not is_short,
        said=f"{of_metric.name}: {said}" + (f". Not {verb}: {why}" if why else ""),
        about="scores",
        metric=metric,
        is_short=is_short,
    )


def check_findings(most: int, claims: ClaimCounts, unjudged: int = 0, min_scored: float = ENOUGH_SCORED) -> Gate:
    """The most claims that may have problems. It fails too where nothing was decided or too few records looked at.

    A record in which there is nothing to judge, such as a blank text, is not counted as one that nobody looked at.
    With `min_scored` 0 it is enough that no claim has one.
    """
    asked = claims.records + unjudged - claims.empty
    is_short = bool(min_scored) and not (claims.decided and has_enough(claims.labelled, asked, min_scored))
    problems = f"{count_units('claim', claims.at_fault)} with problems, at most {most} allowed"
    said = f"Findings: {problems} ({claims.decided_share})"
    if claims.at_fault > most:
        named = ", ".join(f"{name} ({count})" for name, count in claims.faulty)
        said += f": {count_more(named, claims.faulty_records - len(claims.faulty))}"
    elif is_short:
        missing = claims.unlabelled.describe(unjudged)
        short = f"the claims of only {claims.labelled} of {asked} records were judged"
        wanted = f"{short}, wanted at least {say_share(min_scored)}"
        said += f"; {wanted if claims.decided else 'no claim was decided, so nothing was judged'}"
        said += f". Not judged: {missing}" if missing else ""
    passed = claims.at_fault <= most and not is_short
    return Gate(f"Findings, at most {most}", passed, said, "findings", is_short=is_short)


def check_agreement(
    thresholds: Iterable[str],
    fewest: int,
    run: RunRow,
    rubric: Rubric,
    store: Store,
    calibrated: Sequence[KeptAgreement] = (),
) -> Iterator[Gate]:
    """Of the metrics that have a threshold; where none has, of all. A calibration record comes before the store."""
    names = {each.id: each.name for metric in rubric.metrics for each in (metric, metric.weakest_support)}
    wanted = dict.fromkeys(name.removesuffix(LOW) for name in thresholds) or [metric.id for metric in rubric.metrics]
    known = {(each.judge, each.rubric_digest, each.metric): each for each in reversed(calibrated)}
    for metric in wanted:
        key = (run.judge, run.rubric_digest, metric)
        found = known.get(key) or next(iter(store.agreements.all(*key)), None)
        yield hold_agreement(names[metric], run.judge, fewest, found)


def hold_agreement(name: str, judge: str, fewest: int, found: KeptAgreement | None) -> Gate:
    """Whether a judge was measured against people, on enough labels, and is better than a constant answer."""
    title = f"{name}, agreement with people"
    if found is None:
        remedy = "label records, then run `assay agree RUN --save`"
        said = f"{name}: no agreement of {judge} with people is saved for this rubric; {remedy}"
        return Gate(title, passed=False, said=said, about="agreement")
    wanted = f" Wanted: {fewest} labelled records." if found.n < fewest else ""
    passed = found.n >= fewest and found.verdict is not None and found.verdict.is_better
    return Gate(title, passed, f"{name}, {judge} against people: {format_kept(found)}{wanted}", "agreement")
