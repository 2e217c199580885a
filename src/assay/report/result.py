"""A scorecard as plain values and JSON, for scripts and other tools. Without a verdict there are no numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from fractions import Fraction

import orjson

from assay.checks.catalogue import measure_containment
from assay.checks.citations import find_relevant, list_sources
from assay.domain.findings import SUPPORT_WORDS, Findings, Remark
from assay.domain.json import JSON
from assay.domain.outcome import Outcome, Placement, Verdict
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import YES_NO, half_up, number
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
    score: Number | None = None
    raw: Number | None = None
    interval: tuple[Number, Number] | None = None
    goodness: Number | None = None
    scale: Mapping[str, Number | str] = field(default_factory=dict)
    derivation: str | None = None
    reason: str | None = None
    findings: tuple[Mapping[str, JSON], ...] = ()
    reported: Mapping[str, object] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
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
    rubric, total = card.rubric, card.total
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
            name: _build_metric(outcome, rubric.metric(name), shares, card.voices.get(name, ()))
            for name, outcome in card.outcomes.items()
        },
        total={
            "score": None if total.score is None else number(total.score),
            "goodness": None if total.goodness is None else number(total.goodness),
            "scored": total.scored,
            "asked": total.asked,
        },
        notices=tuple(
            {"check": notice.check, "note": notice.note, "output_span": _list_ends(notice.span)}
            for notice in card.notices
        ),
        facts=_build_facts(card),
        mode="alone" if all(each.trail.placement is None for each in card.outcomes.values()) else "side_by_side",
        unjudged={
            "share": _round(card.unjudged_share),
            "parts": [{"text": unit.text, "output_span": list(unit.span or ())} for unit in card.unjudged],
        },
        _card=card,
    )


def _round(value: Fraction) -> Number:
    return number(half_up(value, 4))


def _list_ends(span: Span | None) -> list[JSON] | None:
    return list(span) if span else None


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


def _build_metric(
    outcome: Outcome, metric: Metric, shares: Mapping[Span, Fraction], voices: Sequence[Voice] = ()
) -> MetricResult:
    trail, scale, severity = outcome.trail, metric.scale, count_severity(outcome, metric)
    # The words for its ends, if its scores are words.
    words = dict(zip(("low_word", "high_word"), YES_NO, strict=True)) if scale.is_yes_no else {}
    findings = (_build_finding(each, shares) for each in build_findings(metric, trail, {}))
    placed = [remark for remark in trail.findings.remarks if remark.span is not None]
    found = MetricResult(
        status=outcome.status,
        scale={"low": number(scale.low), "high": number(scale.high), "best": scale.best, **words},
        reason=None if isinstance(outcome, Verdict) else outcome.reason,
        findings=(*findings, *(_build_excess(at, remark) for at, remark in enumerate(placed, 1))),
        reported=trail.reported,
        flags=trail.flags,
        repairs=trail.repairs,
        opinions=_build_opinions(trail.findings),
        severity=None if severity is None else _round(severity),
        weakest_support=None if trail.weakest_support is None else round(trail.weakest_support, 4),
        samples=tuple(_build_sample(voice, metric) for voice in voices),
        placement=_build_placement(trail.placement),
    )
    if not isinstance(outcome, Verdict):
        return found
    score = outcome.score
    # The level, and where there is one the value, that code computes beside a grade.
    value = {"value": _round(score.figures["value"])} if "value" in score.figures else {}
    return replace(
        found,
        score=number(score.value),
        raw=number(score.raw),
        interval=(number(score.interval[0]), number(score.interval[1])),
        goodness=_round(score.goodness),
        derivation=score.derivation,
        figures={name: _round(each) for name, each in score.figures.items()},
        computed=None if score.computed is None else {"level": number(score.computed), **value},
    )


def _build_placement(found: Placement | None) -> Mapping[str, JSON] | None:
    """Where the output stood among those that were judged side by side; places count from 1."""
    if found is None:
        return None
    places = {"round": found.round + 1, "block": found.block + 1, "position": found.position + 1}
    return {**places, "letter": found.letter, "outputs": found.outputs}


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


def _build_excess(position: int, remark: Remark) -> Mapping[str, JSON]:
    """Words of the output that a judge says should not be there."""
    return {
        "unit": f"x{position}",
        "kind": remark.part,
        "text": remark.fields.get("words", ""),
        "output_span": _list_ends(remark.span),
        "label": remark.fields.get("kind", ""),
        "evidence": [],
        "note": "",
        "by": "judge",
    }


def _build_finding(shown: Finding, shares: Mapping[Span, Fraction]) -> Mapping[str, JSON]:
    """Claims say `support`; units of other kinds say `label`. Everything else is alike."""
    unit, label = shown.unit, shown.label
    share = shares.get(unit.span) if unit.kind == "section" and unit.span is not None else None
    is_reference = unit.points is None and unit.span is None and unit.kind != "source"
    some: dict[str, JSON] = {
        "place" if unit.points is None else "id": unit.context or None,
        "sources": list(unit.sources) or None,
        "points": None if unit.points is None else number(unit.points),
        "weight": unit.weight if is_reference else None,
        "pieces": [
            {"words": each.words, "output_span": _list_ends(each.span), "severity": each.severity}
            for each in label.pieces
        ]
        or None,
        "direction": unit.direction or None,
        "suspicion": label.suspicion or None,
        "qualifier": label.qualifier,
        "containment": None if share is None else _round(share),
        "probability": None if label.probability is None else round(label.probability, 4),
    }
    return {
        "unit": unit.id,
        "kind": unit.kind,
        "text": unit.text,
        "output_span": _list_ends(unit.span),
        "support" if label.label in SUPPORT_WORDS and unit.kind == "claim" else "label": label.label,
        "evidence": [{"source": each.source, "span": list(each.span), "quote": each.quote} for each in label.evidence],
        "note": label.note,
        "by": label.by,
        **{name: value for name, value in some.items() if value is not None},
    }


def _build_opinions(findings: Findings) -> tuple[Mapping[str, JSON], ...]:
    grades: list[Mapping[str, JSON]] = [
        {"kind": "grade", "name": grade.part, "level": number(grade.level), "reason": grade.reason}
        for grade in findings.grades
    ]
    grades += [{"kind": "pick", "name": pick.part, "chosen": list(pick.chosen)} for pick in findings.picks]
    grades += [{"kind": "remark", "name": each.part, **each.fields} for each in findings.remarks]
    return tuple(grades)


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
