"""A scorecard as users, scripts and other tools see it: plain values, no numbers without a verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction

from assay.checks.citations import number_sources
from assay.checks.containment import measure_containment
from assay.domain.facts import Fact
from assay.domain.findings import NO_FACT, SUPPORTS, UNDECIDED, Findings, Label
from assay.domain.json import JSON
from assay.domain.outcome import Outcome, Trail, Verdict
from assay.domain.scale import Scale, half_up, number
from assay.domain.scorecard import Scorecard, Voice
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.report.wording import find_relevant, list_sources

Number = int | float


@dataclass(frozen=True, slots=True)
class MetricResult:
    """`score`, `raw`, `interval` and `goodness` are None where there is no verdict; then `reason` says why."""

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
    samples: tuple[Mapping[str, JSON], ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """One record's line of `--format jsonl`."""

    record: str
    item: str
    system: str | None
    facets: Mapping[str, str]
    run: str
    judge: str
    rubric: Mapping[str, str]
    metrics: Mapping[str, MetricResult]
    total: Mapping[str, Number | None]
    notices: tuple[Mapping[str, JSON], ...] = ()
    facts: Mapping[str, JSON] = field(default_factory=dict)

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def build_result(card: Scorecard) -> Result:
    rubric = card.rubric
    scales = {metric.id: metric.scale for metric in rubric.metrics}
    shares = measure_containment(card.record) if "containment" in rubric.checks else {}
    return Result(
        record=card.record.id,
        item=card.record.item,
        system=card.record.system,
        facets=card.record.facets,
        run=card.run,
        judge=card.judge,
        rubric={"id": rubric.id, "version": rubric.version, "digest": rubric.digest},
        metrics={
            name: replace(
                _build_metric(outcome, scales[name], shares), samples=_build_samples(card.voices.get(name, ()))
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
        facts={**{name: _plain_fact(fact) for name, fact in card.facts.items()}, **_relevant_sources(card)},
    )


def _plain_fact(fact: Fact) -> JSON:
    return number(fact.value) if isinstance(fact.value, Fraction) else fact.value


def _build_metric(outcome: Outcome, scale: Scale, shares: Mapping[Span, Fraction]) -> MetricResult:
    trail = outcome.trail
    score = outcome.score if isinstance(outcome, Verdict) else None
    return MetricResult(
        status=outcome.status,
        score=None if score is None else number(score.value),
        raw=None if score is None else number(score.raw),
        interval=None if score is None else (number(score.interval[0]), number(score.interval[1])),
        goodness=None if score is None else number(half_up(score.goodness, 4)),
        scale={"low": number(scale.low), "high": number(scale.high), "best": scale.best},
        derivation=None if score is None else score.derivation,
        reason=None if isinstance(outcome, Verdict) else outcome.reason,
        findings=_build_findings(trail, shares),
        reported=trail.reported,
        flags=trail.flags,
        repairs=trail.repairs,
        figures={} if score is None else {name: number(half_up(each, 4)) for name, each in score.figures.items()},
        opinions=_build_opinions(trail.findings),
    )


def _build_samples(voices: Sequence[Voice]) -> tuple[Mapping[str, JSON], ...]:
    """Each answer a combined score was made of; none where there was only one."""
    samples: list[Mapping[str, JSON]] = []
    for voice in voices:
        score = voice.outcome.score if isinstance(voice.outcome, Verdict) else None
        samples.append(
            {
                "judge": voice.judge,
                "sample": voice.sample,
                "status": voice.outcome.status,
                "score": None if score is None else number(score.value),
                "interval": None if score is None else [number(end) for end in score.interval],
                "goodness": None if score is None else number(half_up(score.goodness, 4)),
            }
        )
    return tuple(samples)


def _build_findings(trail: Trail, shares: Mapping[Span, Fraction]) -> tuple[Mapping[str, JSON], ...]:
    units = {unit.id: unit for unit in trail.units}
    labelled = [(label, units[label.unit]) for label in trail.findings.labels if label.unit in units]
    return tuple(_build_finding(label, unit, shares) for label, unit in labelled)


def _build_finding(label: Label, unit: Unit, shares: Mapping[Span, Fraction]) -> Mapping[str, JSON]:
    """Claims say `support`; units of other kinds say `label`. Everything else is alike."""
    word = "support" if label.label in _SUPPORT_WORDS and unit.kind == "claim" else "label"
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
        finding["place"] = unit.context
    if unit.sources:
        finding["sources"] = list(unit.sources)
    if unit.span is None:
        finding["weight"] = unit.weight
    if label.suspicion:
        finding["suspicion"] = label.suspicion
    if label.qualifier is not None:
        finding["qualifier"] = label.qualifier
    if unit.kind == "section" and unit.span is not None and unit.span in shares:
        finding["containment"] = number(half_up(shares[unit.span], 4))
    if label.looked_in:
        finding["looked_in"] = list(label.looked_in)
    if label.probability is not None:
        finding["probability"] = round(label.probability, 4)
    return finding


_SUPPORT_WORDS = {*SUPPORTS, NO_FACT, UNDECIDED}


def _build_opinions(findings: Findings) -> tuple[Mapping[str, JSON], ...]:
    grades: list[Mapping[str, JSON]] = [
        {"kind": "grade", "name": grade.part, "level": number(grade.level), "reason": grade.reason}
        for grade in findings.grades
    ]
    grades += [{"kind": "pick", "name": pick.part, "chosen": list(pick.chosen)} for pick in findings.picks]
    grades += [{"kind": "remark", "name": each.part, **each.fields} for each in findings.remarks]
    return tuple(grades)


def _relevant_sources(card: Scorecard) -> dict[str, JSON]:
    """The sources a judge picked as relevant, as code resolves them: number, title, URL."""
    relevant = find_relevant(card)
    return {} if relevant is None else {"relevant_sources": list_sources(relevant, number_sources(card.record))}


def _maybe(value: Fraction | None) -> Number | None:
    return None if value is None else number(value)
