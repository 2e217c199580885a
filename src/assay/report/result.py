"""A scorecard as plain values and JSON, for scripts and other tools. Without a verdict there are no numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from fractions import Fraction

import orjson

from assay.checks.catalogue import measure_containment
from assay.checks.citations import find_relevant, list_sources
from assay.domain.findings import SUPPORT_WORDS, Findings, Remark
from assay.domain.json import JSON
from assay.domain.outcome import Outcome, Placement, Score, Trail, Verdict
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import YES_NO, Scale, half_up, number
from assay.domain.scorecard import Scorecard, Voice
from assay.domain.span import Span
from assay.report.findings import Finding, build_findings
from assay.scoring.rules.counts import count_severity

Number = int | float
_LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class MetricResult:
    """`score`, `raw`, `interval` and `goodness` are None where there is no verdict; then `reason` says why.

    `weakest_support` is for rankings and is no score: the probability of the least supported claim. None where the
    judge gives no probabilities.
    """

    status: str
    score: Number | None
    raw: Number | None
    interval: tuple[Number, Number] | None
    goodness: Number | None
    scale: Mapping[str, Number | str]
    derivation: str | None
    reason: str | None
    findings: tuple[Mapping[str, JSON], ...]
    reported: Mapping[str, object]
    flags: tuple[str, ...]
    repairs: tuple[str, ...]
    figures: Mapping[str, Number] = field(default_factory=dict)
    opinions: tuple[Mapping[str, JSON], ...] = ()
    computed: Mapping[str, Number] | None = None
    severity: Number | None = None
    weakest_support: float | None = None
    samples: tuple[Mapping[str, JSON], ...] = ()
    placement: Mapping[str, JSON] | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """One record's line of `--format jsonl`."""

    record: str
    item: str
    system: str | None
    facets: Mapping[str, str]
    run: str
    judge: str
    rubric: Mapping[str, JSON]
    metrics: Mapping[str, MetricResult]
    total: Mapping[str, Number | None]
    notices: tuple[Mapping[str, JSON], ...] = ()
    facts: Mapping[str, JSON] = field(default_factory=dict)
    unjudged: Mapping[str, JSON] = field(default_factory=dict)
    mode: str = "alone"
    # No part of the line: encoders leave out names that begin like this.
    _card: Scorecard | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, object]:
        found = asdict(replace(self, _card=None))
        del found["_card"]
        return found

    def _repr_html_(self) -> str | None:
        """As a notebook shows it."""
        from assay.report.notebook import render_card

        return None if self._card is None else render_card(self._card)


def build_result(card: Scorecard) -> Result:
    rubric = card.rubric
    metrics = {metric.id: metric for metric in rubric.metrics}
    shares = measure_containment(card.record) if "containment" in rubric.checks else {}
    return Result(
        record=card.record.id,
        item=card.record.item,
        system=card.record.system,
        facets=card.record.facets,
        run=card.run,
        judge=card.judge,
        rubric=build_rubric(rubric),
        metrics={
            name: replace(
                _build_metric(outcome, metrics[name], shares),
                samples=tuple(_build_sample(voice, metrics[name]) for voice in card.voices.get(name, ())),
            )
            for name, outcome in card.outcomes.items()
        },
        total={
            "score": _maybe(card.total.score),
            "goodness": _maybe(card.total.goodness),
            "scored": card.total.scored,
            "asked": card.total.asked,
        },
        notices=tuple(
            {"check": notice.check, "note": notice.note, "output_span": list(notice.span) if notice.span else None}
            for notice in card.notices
        ),
        facts=_build_facts(card),
        mode="alone" if all(each.trail.placement is None for each in card.outcomes.values()) else "side_by_side",
        unjudged={
            "share": number(half_up(card.unjudged_share, 4)),
            "parts": [{"text": unit.text, "output_span": list(unit.span or ())} for unit in card.unjudged],
        },
        _card=card,
    )


def build_rubric(rubric: Rubric) -> Mapping[str, JSON]:
    return {
        "id": rubric.id,
        "version": rubric.version,
        "digest": rubric.digest,
        "validated": bool(rubric.validation),
        **({"not_asked": list(rubric.not_asked)} if rubric.not_asked else {}),
    }


def _build_facts(card: Scorecard) -> dict[str, JSON]:
    facts: dict[str, JSON] = {
        name: number(fact.value) if isinstance(fact.value, Fraction) else fact.value
        for name, fact in card.facts.items()
    }
    relevant = find_relevant(card)
    if relevant is not None:
        facts["relevant_sources"] = list_sources(relevant, card.record)
    return facts


def _build_metric(outcome: Outcome, metric: Metric, shares: Mapping[Span, Fraction]) -> MetricResult:
    trail, scale = outcome.trail, metric.scale
    score = outcome.score if isinstance(outcome, Verdict) else None
    return MetricResult(
        status=outcome.status,
        score=None if score is None else number(score.value),
        raw=None if score is None else number(score.raw),
        interval=None if score is None else (number(score.interval[0]), number(score.interval[1])),
        goodness=None if score is None else number(half_up(score.goodness, 4)),
        scale=_build_scale(scale),
        derivation=None if score is None else score.derivation,
        reason=None if isinstance(outcome, Verdict) else outcome.reason,
        findings=_build_findings(metric, trail, shares),
        reported=trail.reported,
        flags=trail.flags,
        repairs=trail.repairs,
        figures={} if score is None else {name: number(half_up(each, 4)) for name, each in score.figures.items()},
        opinions=_build_opinions(trail.findings),
        computed=_build_computed(score),
        severity=None if (severity := count_severity(outcome, metric)) is None else number(half_up(severity, 4)),
        weakest_support=None if trail.weakest_support is None else round(trail.weakest_support, 4),
        placement=_build_placement(trail.placement),
    )


def _build_scale(scale: Scale) -> Mapping[str, Number | str]:
    """With the words for its ends, if its scores are words."""
    words = dict(zip(("low_word", "high_word"), YES_NO, strict=True)) if scale.is_yes_no else {}
    return {"low": number(scale.low), "high": number(scale.high), "best": scale.best, **words}


def _build_placement(found: Placement | None) -> Mapping[str, JSON] | None:
    """Where the output stood among those that were judged side by side; places count from 1."""
    if found is None:
        return None
    places = {"round": found.round + 1, "block": found.block + 1, "position": found.position + 1}
    return {**places, "letter": found.letter, "outputs": found.outputs}


def _build_computed(score: Score | None) -> Mapping[str, Number] | None:
    """The level, and where there is one the value, that code computes beside a grade."""
    if score is None or score.computed is None:
        return None
    value = {"value": number(half_up(score.figures["value"], 4))} if "value" in score.figures else {}
    return {"level": number(score.computed), **value}


def _build_sample(voice: Voice, metric: Metric) -> Mapping[str, JSON]:
    found = _build_metric(voice.outcome, metric, {})
    return {
        "judge": voice.judge,
        "sample": voice.sample,
        "status": found.status,
        "score": found.score,
        "interval": None if found.interval is None else list(found.interval),
        "goodness": found.goodness,
        **({} if found.placement is None else {"placement": found.placement}),
    }


def _build_findings(metric: Metric, trail: Trail, shares: Mapping[Span, Fraction]) -> tuple[Mapping[str, JSON], ...]:
    findings = [_build_finding(each, shares) for each in build_findings(metric, trail, {})]
    placed = [remark for remark in trail.findings.remarks if remark.span is not None]
    return (*findings, *(_build_excess(number, remark) for number, remark in enumerate(placed, 1)))


def _build_excess(position: int, remark: Remark) -> Mapping[str, JSON]:
    """Words of the output that a judge says should not be there."""
    span = list(remark.span) if remark.span else None
    return {
        "unit": f"x{position}",
        "kind": remark.part,
        "text": remark.fields.get("words", ""),
        "output_span": span,
        "label": remark.fields.get("kind", ""),
        "evidence": [],
        "note": "",
        "by": "judge",
    }


def _build_finding(shown: Finding, shares: Mapping[Span, Fraction]) -> Mapping[str, JSON]:
    """Claims say `support`; units of other kinds say `label`. Everything else is alike."""
    unit, label = shown.unit, shown.label
    word = "support" if label.label in SUPPORT_WORDS and unit.kind == "claim" else "label"
    finding: dict[str, JSON] = {
        "unit": unit.id,
        "kind": unit.kind,
        "text": unit.text,
        "output_span": list(unit.span) if unit.span else None,
        word: label.label,
        "evidence": [{"source": each.source, "span": list(each.span), "quote": each.quote} for each in label.evidence],
        "note": label.note,
        "by": label.by,
    }
    if unit.context:
        finding["place" if unit.points is None else "id"] = unit.context
    if unit.sources:
        finding["sources"] = list(unit.sources)
    if unit.points is not None:
        finding["points"] = number(unit.points)
    elif unit.span is None and unit.kind != "source":
        finding["weight"] = unit.weight
    if label.pieces:
        finding["pieces"] = [
            {"words": each.words, "output_span": list(each.span) if each.span else None, "severity": each.severity}
            for each in label.pieces
        ]
    if unit.direction:
        finding["direction"] = unit.direction
    if label.suspicion:
        finding["suspicion"] = label.suspicion
    if label.qualifier is not None:
        finding["qualifier"] = label.qualifier
    if unit.kind == "section" and unit.span is not None and unit.span in shares:
        finding["containment"] = number(half_up(shares[unit.span], 4))
    if label.probability is not None:
        finding["probability"] = round(label.probability, 4)
    return finding


def _build_opinions(findings: Findings) -> tuple[Mapping[str, JSON], ...]:
    grades: list[Mapping[str, JSON]] = [
        {"kind": "grade", "name": grade.part, "level": number(grade.level), "reason": grade.reason}
        for grade in findings.grades
    ]
    grades += [{"kind": "pick", "name": pick.part, "chosen": list(pick.chosen)} for pick in findings.picks]
    grades += [{"kind": "remark", "name": each.part, **each.fields} for each in findings.remarks]
    return tuple(grades)


def _maybe(value: Fraction | None) -> Number | None:
    return None if value is None else number(value)


def encode(value: object, option: int = 0) -> bytes:
    """Strict JSON, whatever a model wrote: an integer past 64 bits becomes text, half a surrogate pair a `?`."""
    try:
        return orjson.dumps(value, default=str, option=option)
    except TypeError:
        return orjson.dumps(_tame(value), option=option)


def dump(value: Mapping[str, object]) -> str:
    return encode(value, orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def _tame(value: object) -> object:
    if isinstance(value, Result):
        value = value.to_dict()
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {_tame(str(key)): _tame(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_tame(each) for each in value]
    if isinstance(value, int) and abs(value) > _LARGEST:
        return str(value)
    return value if isinstance(value, int | float | None) else str(value)
