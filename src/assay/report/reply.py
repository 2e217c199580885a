"""Writes a scorecard as a reply in its rubric's own format, with the computed numbers in it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from assay.checks.citations import cite, number_sources
from assay.domain.findings import NO_FACT, Label
from assay.domain.json import JSON
from assay.domain.outcome import Outcome, Verdict
from assay.domain.parts import LabelPart
from assay.domain.record import Source
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import half_up, number
from assay.domain.scorecard import Scorecard
from assay.domain.shape import Shape, ShapeRow
from assay.domain.units import Unit, UnitKind
from assay.report.result import dump, find_relevant, list_sources
from assay.scoring.severity import is_unsupported

# A judged text must not bring a score tag of its own into the reply.
_TAG = re.compile(r"<(?=\s*(?:/\s*)?score)", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_Tree: TypeAlias = dict[str, object]


def _find_shape(rubric: Rubric) -> Shape:
    if rubric.shape is None:
        raise AssertionError("a rubric without a reply format is refused before a run")
    return rubric.shape


def _find_score(outcome: Outcome) -> int | float | None:
    """Rounded to the scale: readers of the format expect one of its grades. The derivation has a mean in full."""
    if not isinstance(outcome, Verdict):
        return None
    return number(half_up(outcome.score.value, outcome.score.scale.decimals))


def format_outcome(outcome: Outcome) -> str:
    """The derivation of a score, or why there is none."""
    if isinstance(outcome, Verdict):
        return outcome.score.derivation
    return f"not scored: {outcome.status}: {outcome.reason}"


def _list_labelled(outcome: Outcome, part: str) -> list[tuple[Unit, Label]]:
    """The units that count, in their order; those that state no fact are left out."""
    labels = {label.unit: label for label in outcome.trail.findings.of(part) if label.label != NO_FACT}
    return [(unit, labels[unit.id]) for unit in outcome.trail.units if unit.id in labels]


def _find_part(metric: Metric, unit: UnitKind) -> LabelPart:
    part = metric.labels(unit)
    if part is None:
        raise AssertionError(f"the reply format needs a metric that labels each {unit}")
    return part


def _resolve(label: Label, part: LabelPart) -> str:
    """The label as the score counts it: an undecided unit counts as the middle label."""
    return label.label if label.decided else part.middle


def _justify(label: Label) -> str:
    quotes = "; ".join(f"{each.source}: “{each.quote}”" for each in label.evidence)
    return " — ".join(part for part in (quotes, label.note) if part)


def find_ending(rubric: Rubric) -> str:
    """The ending of a file: `.json` only where the whole reply is one JSON value."""
    return ".json" if _find_shape(rubric).form == "object" else ".txt"


def format_reply(card: Scorecard) -> str:
    shape = _find_shape(card.rubric)
    if shape.form == "explanation":
        return _format_explanation(card, shape)
    if shape.form == "object":
        body: _Tree = {}
        for metric in card.rubric.metrics:
            _MetricWriter(card, metric, shape).write_into(body)
        return dump(body)
    if not card.scored:
        reasons = dict.fromkeys(format_outcome(outcome) for outcome in card.outcomes.values())
        return dump({"error": "; ".join(reasons)})
    objects = []
    for metric in card.rubric.metrics:
        own: _Tree = {shape.named_by: metric.id}
        _MetricWriter(card, metric, shape).write_into(own)
        objects.append(dump(own))
    return "".join(objects)


@dataclass(slots=True)
class _MetricWriter:
    """Writes the rows of one metric into its object."""

    card: Scorecard
    metric: Metric
    shape: Shape

    @property
    def outcome(self) -> Outcome:
        return self.card.outcomes[self.metric.id]

    def write_into(self, body: _Tree) -> None:
        rows = self.shape.of(self.metric.id)
        for row in rows:
            if row.holds == "unit":
                self._write_units(body, row, [each for each in rows if row.listing.startswith(each.listing)])
            elif row.holds not in {"label", "note", "source"}:
                _place(body, row.place.removesuffix("[]"), self._find_value(row))
        if not isinstance(self.outcome, Verdict) and not any(row.holds == "reason" for row in rows):
            _place(body, rows[0].place.rpartition(".")[0] + ".reason", format_outcome(self.outcome))

    def _find_value(self, row: ShapeRow) -> JSON:
        outcome, findings = self.outcome, self.outcome.trail.findings
        if row.holds == "score":
            score = _find_score(outcome)
            return f"{score}%" if score is not None and self.metric.scale.high == 100 else score
        if row.holds == "reason":
            return format_reason(self.card, self.metric)
        if row.holds == "figure":
            figures = outcome.score.figures if isinstance(outcome, Verdict) else {}
            return round(float(figures[row.name]), 4) if row.name in figures else None
        if row.holds == "grade":
            grade = findings.grade(row.name)
            return number(grade.level) if grade is not None and isinstance(outcome, Verdict) else None
        if row.holds == "list":
            return self._list_remarks(row)
        relevant = find_relevant(self.card) or []
        if row.holds == "sources":
            return list_sources(relevant, number_sources(self.card.record))
        part = next(part for part in self.metric.pick_parts if part.id == row.name)
        if part.over == "sources":
            return [source.url or "" for source in relevant]
        return (findings.picked(row.name) or (part.options[-1].name,))[0]

    def _list_remarks(self, row: ShapeRow) -> JSON:
        part, _, key = row.name.partition(".")
        remarks = [dict(remark.fields) for remark in self.outcome.trail.findings.remarked(part)]
        if row.place.endswith("[]"):
            return list(remarks)
        first = remarks[0] if remarks else None
        return first if not key or first is None else first.get(key)

    def _write_units(self, body: _Tree, row: ShapeRow, rows: list[ShapeRow]) -> None:
        beside: dict[str, str] = {each.holds: each.key for each in rows if each.listing == row.listing}
        origin = next((each for each in rows if each.holds == "source" and each.listing != row.listing), None)
        pairs = self._find_extraneous() if row.label is not None else self._find_counted(row)
        if origin is None:
            _place(body, row.listing.removesuffix("[]"), [self._write_unit(row, beside, *pair) for pair in pairs])
            return
        inner = row.listing.removeprefix(origin.listing).removeprefix(".").removesuffix("[]")
        groups = [
            {
                origin.key: source.url or "",
                inner: [self._write_unit(row, beside, *pair) for pair in pairs if source.id in pair[0].sources],
            }
            for source in self.card.record.sources
            if source.text.strip()
        ]
        _place(body, origin.listing.removesuffix("[]"), groups)

    def _write_unit(self, row: ShapeRow, beside: Mapping[str, str], unit: Unit, label: Label) -> dict[str, JSON]:
        entry: dict[str, JSON] = {row.key: unit.text}
        if "label" in beside:
            part = _find_part(self.metric, unit.kind)
            resolved = _resolve(label, part)
            words = [word.word for word in self.shape.words if (word.unit, word.label) == (unit.kind, resolved)]
            word = words[0] if words else resolved
            entry[beside["label"]] = {"true": True, "false": False}.get(word, word)
        if "note" in beside:
            said = _justify(label) if unit.kind in {"claim", "question"} else label.note
            entry[beside["note"]] = said or label.label
        return entry

    def _find_counted(self, row: ShapeRow) -> list[tuple[Unit, Label]]:
        """The units that made the score; of very many claims the most consequential, as the rule takes them."""
        pairs = _list_labelled(self.outcome, row.unit or "")
        most = int(self.metric.settings.get("most claims", len(pairs) or 1))
        if len(pairs) <= most:
            return pairs
        picked = (self.outcome.trail.findings.picked(part.id) for part in self.metric.pick_parts)
        ranking = next((pick for pick in picked if pick), ())
        places = {unit: at for at, unit in enumerate(dict.fromkeys((*ranking, *(unit.id for unit, _ in pairs))))}
        return sorted(pairs, key=lambda pair: places[pair[0].id])[:most]

    def _find_extraneous(self) -> list[tuple[Unit, Label]]:
        """Every unsupported claim of the output, whichever list it came from, once."""
        shared = self.card.outcomes.get(self.metric.claims_from or "")
        claims = (_list_labelled(shared, "claim") if shared is not None else []) + _list_labelled(self.outcome, "claim")
        return list({unit.span or unit.text: (unit, label) for unit, label in claims if is_unsupported(label)}.values())


def _place(body: _Tree, path: str, value: object) -> None:
    *parents, key = [step for step in path.split(".") if step]
    for parent in parents:
        inner = body.setdefault(parent, {})
        if not isinstance(inner, dict):
            raise TypeError(f"the shape puts {path} into something that is no object")
        body = inner
    body[key] = value


def format_reason(card: Scorecard, metric: Metric) -> str:
    """Why a metric has its score: the judge's reason, or each claim that is not supported, with its sources."""
    outcome = card.outcomes[metric.id]
    if not isinstance(outcome, Verdict):
        return format_outcome(outcome)
    own = outcome.trail.reported.get("reason")
    if "reported_only" in outcome.trail.flags and own:
        return str(own)
    numbers = number_sources(card.record)
    if metric.labels("claim") is not None:
        return _explain_claims(card, metric, numbers)
    grade = outcome.trail.findings.grade("grade")
    if grade is not None and any(part.over == "sources" for part in metric.pick_parts):
        said = (grade.reason, _cite(find_relevant(card) or [], numbers))
        return " ".join(part for part in said if part) or format_outcome(outcome)
    if grade is None or not grade.reason:
        return format_outcome(outcome)
    return f"{grade.reason} ({outcome.score.derivation})"


def _explain_claims(card: Scorecard, metric: Metric, numbers: Mapping[str, int]) -> str:
    claims = _list_labelled(card.outcomes[metric.id], "claim")
    doubtful = [(unit, label) for unit, label in claims if label.label != _find_part(metric, "claim").best]
    if not doubtful:
        cited = _cite_evidence(card, (label for _, label in claims), numbers)
        return f"All claims are supported by the sources. {cited}".strip()
    lines = []
    for unit, label in doubtful:
        severity = f", {label.qualifier}" if label.qualifier else ""
        cited = _cite_evidence(card, [label], numbers)
        why = " ".join(part for part in (label.note, _format_quotes(label), cited) if part)
        lines.append(f"“{unit.text}”: {label.label}{severity}. {why}".strip())
    return " ".join(lines)


def _cite(sources: Iterable[Source], numbers: Mapping[str, int]) -> str:
    """Leaves out sources that have neither a title nor an address."""
    return ", ".join(cite(source, numbers[source.id]) for source in sources if source.url or source.title)


def _cite_evidence(card: Scorecard, labels: Iterable[Label], numbers: Mapping[str, int]) -> str:
    used = {each.source for label in labels for each in label.evidence}
    return _cite((source for source in card.record.sources if source.id in used), numbers)


def _format_explanation(card: Scorecard, shape: Shape) -> str:
    """The lists under their headings and, on the last line, the score in its tag."""
    metric = card.rubric.metrics[0]
    outcome = card.outcomes[metric.id]
    lines = [shape.opening, ""]
    for row in shape.rows:
        if row.holds in {"unit", "count"}:
            entries = (_TAG.sub("‹", " ".join(each.split())) for each in _list_entries(row, metric, outcome))
            listed = [f"{at}. {entry}" for at, entry in enumerate(entries, 1)]
            lines += [f"{row.place}:", *(listed or ["None"]), ""]
    if not isinstance(outcome, Verdict):
        return "\n".join([*lines, f"Not scored: {outcome.status}: {outcome.reason}", ""])
    return "\n".join([*lines, format_outcome(outcome), "", f"Score- <score>{_find_score(outcome)}</score>", ""])


def _list_entries(row: ShapeRow, metric: Metric, outcome: Outcome) -> list[str]:
    pairs = _list_labelled(outcome, row.unit or "")
    # The score counts main units; where there are none, all of them.
    pairs = [(unit, label) for unit, label in pairs if unit.weight == "main"] or pairs
    if row.unit is None or not pairs:
        return []
    part = _find_part(metric, row.unit)
    names = _tell_apart(unit for unit, _ in pairs)
    if row.label is None and row.holds == "unit":
        return list(names.values())
    best = row.label == part.best or row.holds == "count"
    chosen = [(unit, label) for unit, label in pairs if (_resolve(label, part) == part.best) == best]
    if row.holds == "count":
        return [f"{names[unit.id]} ({_format_quotes(label) or label.note or label.label})" for unit, label in chosen]
    if best or part.evidence == "none":
        return [names[unit.id] for unit, _ in chosen]
    return [f"{names[unit.id]} ({_explain(label)})" for unit, label in chosen]


def _tell_apart(units: Iterable[Unit]) -> dict[str, str]:
    """Entries that read alike are numbered: whoever reads the lists back must find as many as there are."""
    names: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for unit in units:
        name = f"{unit.context}: {unit.text}" if unit.context else unit.text
        words = " ".join(_WORD.findall(name.lower()))
        seen[words] += 1
        names[unit.id] = name if seen[words] == 1 else f"{name} ({seen[words]})"
    return names


def _explain(label: Label) -> str:
    why = _justify(label)
    return f"{label.label}: {why}" if why else label.label


def _format_quotes(label: Label) -> str:
    return "; ".join(f"“{each.quote}”" for each in label.evidence)
