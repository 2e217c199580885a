"""From labels to a score: undecided units resolved three ways, the rule, limits and caps, the derivation in words."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from assay.domain.findings import Label
from assay.domain.outcome import Abstention, Score, Trail, Verdict
from assay.domain.parts import LabelPart
from assay.domain.rubric import Cap
from assay.domain.scale import in_words
from assay.domain.terms import plain
from assay.domain.units import Unit, count_units
from assay.scoring.rules import RULES
from assay.scoring.severity import EXTRANEOUS, is_extraneous, is_unsupported
from assay.scoring.tally import Computed, MetricTally
from assay.scoring.total import UNCHECKED_CAP

Reading = Literal["headline", "best", "worst"]

_PARTLY = "partly supported with a serious fault"
# What an undecided claim of another metric stands for where this metric only looks at the shared claims.
_SHARED: Mapping[Reading, str] = {"headline": "partial", "best": "supported", "worst": "absent"}


def score_metric(tally: MetricTally, trail: Trail) -> Verdict | Abstention:
    """A verdict, or none where more than one unit in three is undecided."""
    for position, part in enumerate(tally.metric.label_parts):
        labels = tally.of(part.id)
        if not labels and tally.findings.of(part.id):
            if tally.metric.settings.get("nothing asserted") == "best":
                return _score_labels(tally, trail)
            return Abstention("empty_input", f"no {count_units(part.unit, 1)[2:]} states a fact", trail)
        if not labels and any(unit.kind == part.unit for unit in tally.units.values()):
            return Abstention("abstained", f"no {count_units(part.unit, 1)[2:]} was labelled", trail)
        # A reply that brings its own lists may leave the second one empty: nothing is in excess.
        if not labels and position == 0:
            return Abstention("empty_input", f"there are no {count_units(part.unit, 0)[2:]} to label", trail)
        undecided = sum(not label.decided for label in labels)
        if undecided * 3 > len(labels):
            reason = f"{undecided} of {count_units(part.unit, len(labels))} uncertain: more than one in three"
            return Abstention("abstained", reason, trail)
    if lacking := RULES[tally.metric.rule].lacks(tally):
        return Abstention("abstained", lacking, trail)
    return _score_labels(tally, trail)


def _score_labels(tally: MetricTally, trail: Trail) -> Verdict:
    """The rule on the labels as they are; undecided ones at their best and at their worst are the ends."""
    labels = (*tally.findings.labels, *(tally.claims or ()))
    is_open = any(not label.decided or label.suspicion for label in labels)
    readings: tuple[Reading, ...] = ("headline", "best", "worst") if is_open else ("headline",)
    filled = {each: _fill_undecided(tally, each) if is_open else tally for each in readings}
    found = {each: RULES[tally.metric.rule].compute(filled[each]) for each in readings}
    bounds = {each: _apply_caps(tally, found[each], each) for each in readings}
    computed, (value, bound), ends = found["headline"], bounds["headline"], [end for end, _ in bounds.values()]
    if computed.beside is not None:
        ends.append(computed.beside)
    undecided = sum(not label.decided for label in tally.findings.labels)
    derivation = computed.words + (f"; of these {undecided} uncertain" if undecided else "")
    score = Score(
        value=value,
        raw=tally.metric.scale.round(computed.value),
        interval=(min(ends), max(ends)),
        scale=tally.metric.scale,
        derivation=derivation + (f"; {bound}" if bound else ""),
        figures=computed.figures,
        computed=computed.beside,
    )
    flags = computed.flags + _cap_flags(tally, is_lowered=score.value < score.raw)
    return Verdict(score, trail.noted(flags))


def _fill_undecided(tally: MetricTally, reading: Reading) -> MetricTally:
    labels = tuple(
        _resolve(label, reading, *_stand_in(part, reading, tally.units.get(label.unit)))
        for part in tally.metric.label_parts
        for label in tally.of(part.id)
    )
    claims = tally.claims
    if claims is not None:
        claims = tuple(_resolve(label, reading, _SHARED[reading], None) for label in claims)
    return replace(tally, findings=replace(tally.findings, labels=labels), claims=claims)


def _stand_in(part: LabelPart, reading: Reading, unit: Unit | None) -> tuple[str, str | None]:
    """The label, and at its worst the severity, that an undecided unit takes: a missing answer may hide the gravest."""
    if unit is not None and unit.is_fault:
        is_between = part.middle not in {part.best, part.worst}
        return (
            part.worst if reading == "best" else part.middle if reading == "headline" and is_between else part.best,
            None,
        )
    if reading == "worst":
        return part.worst, part.qualifier.options[-1].name if part.qualifier else None
    return part.best if reading == "best" else part.middle, None


def _resolve(label: Label, reading: Reading, stand_in: str, qualifier: str | None) -> Label:
    """A label under suspicion stands in the headline; the ends of the interval do without it."""
    if label.decided and (reading == "headline" or not label.suspicion):
        return label
    return replace(label, label=stand_in, qualifier=qualifier, pieces=())


def _apply_caps(tally: MetricTally, computed: Computed, reading: Reading) -> tuple[Fraction, str]:
    """The value under the rule's limit and the metric's caps, and the bound that held, in words.

    In the headline a cap counts only units that were decided: a missing answer never caps a score.
    """
    value, bound = tally.metric.scale.round(computed.value), ""
    if computed.limit is not None and value > computed.limit:
        because = f": {computed.because}" if computed.because else ""
        value, bound = computed.limit, f"at most {in_words(computed.limit)}{because}"
    for cap in tally.metric.caps:
        hits = _capping(tally, cap, reading)
        if hits and value > cap.limit:
            value = cap.limit
            limit, verb = tally.metric.scale.say(cap.limit), "is" if len(hits) == 1 else "are"
            bound = f"capped at {limit} because {', '.join(hits)} {verb} "
            bound += " or ".join(sorted({plain(label) for label in hits.values()}))
    return value, bound


def _capping(tally: MetricTally, cap: Cap, reading: Reading) -> dict[str, str]:
    """The units that trigger a cap, with their labels. At its worst an undecided unit has a label that does."""
    candidates = tally.of(cap.unit)
    if cap.unit == "claim":
        candidates += tally.claims or ()
    trusted = [label for label in candidates if reading == "headline" or not label.suspicion]
    hits = {
        label.unit: label.label if label.label in cap.labels or is_unsupported(label) else _PARTLY
        for label in trusted
        if label.label in cap.labels or (EXTRANEOUS in cap.labels and is_extraneous(label))
    }
    if reading == "worst":
        hits |= {label.unit: label.label for label in candidates if not label.decided or label.suspicion}
    return hits


def _cap_flags(tally: MetricTally, *, is_lowered: bool) -> tuple[str, ...]:
    own = tally.metric.labels("claim")
    known = {EXTRANEOUS, *(option.name for option in own.options)} if own else set()
    flags = []
    for cap in tally.metric.caps:
        if cap.unit == "claim" and tally.claims is None and not known.issuperset(cap.labels):
            flags.append(UNCHECKED_CAP)  # it is on shared claims, and there are none
        if is_lowered and _capping(tally, cap, "headline"):
            flags.append("capped_extraneous" if cap.unit == "claim" else f"capped_{cap.unit}")
    return tuple(flags)
