"""What follows from agreement, in sentences: the corrected mean, a person's place, and how steady a judge is."""

from collections.abc import Iterator

from assay.agreement.estimate import Estimate
from assay.report.agreement import MetricAgreement
from assay.report.agreement_uses import CorrectedMean


def say_correction(found: CorrectedMean) -> Iterator[str]:
    if found.corrected is None:
        yield f"Corrected {found.what}: none, {_lower(found.reason)}"
        return
    whole = found.scored == found.records
    over = f"{found.records} records" if whole else f"the {found.scored} of {found.records} records it scored"
    yield (
        f"The judge's {found.what} over {over} is {_number(found.raw)}; corrected by the labels "
        f"{say_estimate(found.corrected)} (PPI++), the labels alone {say_estimate(found.labels)}. "
        f"A label with the judge is worth {_number(found.gain)} without it: {found.effective_labels or 0:.0f} "
        f"instead of {found.corrected.n}."
    )
    if found.rate is not None:
        yield (
            f"Share of good records by Rogan and Gladen's correction: {say_estimate(found.rate.corrected)}, raw "
            f"{_number(found.rate.raw)}, sensitivity {say_estimate(found.rate.sensitivity)}, specificity "
            f"{say_estimate(found.rate.specificity)}."
        )
    elif found.no_rate and "--threshold" not in found.no_rate:
        yield f"No correction by Rogan and Gladen: {_lower(found.no_rate)}"
    if found.plan is not None:
        with_judge = found.plan.labels_with_judge
        said = "not even all records" if with_judge is None else f"{with_judge} labels with this judge"
        yield (
            f"For a half-width of {found.plan.half_width:g}: {said}, {found.plan.labels_alone} labels without a judge."
        )
    yield f"{'; '.join(found.warnings).capitalize()}."


def say_seating(metric: MetricAgreement) -> Iterator[str]:
    seating = metric.seating
    if seating is None:
        return
    if seating.test is None:
        yield f"Can it replace a person? Not tested: {_lower(seating.reason)}"
        return
    test = seating.test
    won = ", ".join(seating.people[seat.annotator] for seat in test.seats if seat.won)
    against = f"it wins against {won}" if won else f"it wins against none of the {len(test.seats)} people"
    answer = "yes" if seating.passes else "no"
    yield (
        f"Can it replace a person? By the alternative annotator test {answer}: winning rate {test.winning_rate:.2f} "
        f"(0.5 is needed) at epsilon {test.epsilon:g}: {against}; average advantage probability {test.advantage:.2f}."
        + "".join(f" {sentence[0].upper()}{sentence[1:]}." for sentence in test.warnings)
    )


def say_steadiness(metric: MetricAgreement) -> Iterator[str]:
    for each in metric.steadiness:
        yield (
            f"Over {each.of} ({each.records} records): Krippendorff alpha (interval) "
            f"{say_estimate(each.consistency.alpha)}, all alike {say_estimate(each.consistency.alike)}, "
            f"on both sides of {each.threshold:g} {say_estimate(each.flips)}."
        )


def say_estimate(found: Estimate | None) -> str:
    if found is None or found.value is None:
        return "undefined"
    interval = "" if found.interval is None else f" [{found.interval[0]:.2f}, {found.interval[1]:.2f}]"
    return f"{found.value:.2f}{interval}"


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
