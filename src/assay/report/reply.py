"""Writes a scorecard as a reply in its rubric's own format, with the computed numbers in it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from assay.checks.citations import cite, number_sources
from assay.domain.findings import Label
from assay.domain.json import JSON
from assay.domain.outcome import Outcome, Verdict
from assay.domain.parts import LabelPart
from assay.domain.record import Source
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import number
from assay.domain.scorecard import Scorecard
from assay.domain.shape import Shape, ShapeRow
from assay.domain.units import Unit, UnitKind
from assay.report.reply_explanation import format_explanation
from assay.report.reply_words import find_score, justify, list_labelled, resolve_label, spell_ids
from assay.report.result import dump, find_relevant, list_sources
from assay.scoring.severity import is_unsupported

_Tree: TypeAlias = dict[str, object]


def _find_shape(rubric: Rubric) -> Shape:
    if rubric.shape is None:
        raise AssertionError("a rubric without a reply format is refused before a run")
    return rubric.shape


def format_outcome(outcome: Outcome) -> str:
    """The derivation of a score, or why there is none."""
    if isinstance(outcome, Verdict):
        return outcome.score.derivation
    return f"not scored: {outcome.status}: {outcome.reason}"


def _find_part(metric: Metric, unit: UnitKind) -> LabelPart:
    part = metric.labels(unit)
    if part is None:
        raise AssertionError(f"the reply format needs a metric that labels each {unit}")
    return part


def find_ending(rubric: Rubric) -> str:
    """The ending of a file: `.json` only where the whole reply is one JSON value."""
    return ".json" if _find_shape(rubric).form == "object" else ".txt"


def format_reply(card: Scorecard) -> str:
    shape = _find_shape(card.rubric)
    if shape.form in {"explanation", "score"}:
        return format_explanation(card, shape)
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
            score = find_score(outcome)
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
        output = self.card.record.output
        remarks = [
            {name: text if text in output else spell_ids(text, self.card) for name, text in remark.fields.items()}
            for remark in self.outcome.trail.findings.remarked(part)
        ]
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
        part = self.metric.labels(unit.kind)
        if "label" in beside and part is not None:
            resolved = resolve_label(label, part)
            words = [word.word for word in self.shape.words if (word.unit, word.label) == (unit.kind, resolved)]
            word = words[0] if words else resolved
            entry[beside["label"]] = {"true": True, "false": False}.get(word, word)
        if "note" in beside:
            meanings = {option.name: option.meaning for option in part.options} if part is not None else {}
            entry[beside["note"]] = justify(label, self.card) or meanings.get(label.label) or label.label
        return entry

    def _find_counted(self, row: ShapeRow) -> list[tuple[Unit, Label]]:
        """The units that made the score; of very many claims the most consequential, as the rule takes them."""
        pairs = list_labelled(self.outcome, row.unit or "")
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
        claims = (list_labelled(shared, "claim") if shared is not None else []) + list_labelled(self.outcome, "claim")
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
    """Why a metric has its score: the judge's own reason, or each claim that is not supported; then our arithmetic."""
    outcome = card.outcomes[metric.id]
    if not isinstance(outcome, Verdict):
        return format_outcome(outcome)
    own = str(outcome.trail.reported.get("reason") or "")
    grade = next((outcome.trail.findings.grade(part.id) for part in metric.grade_parts), None)
    said = own or (grade.reason if grade is not None else "")
    if not own and metric.labels("claim") is not None:
        said = _explain_claims(card, metric)
    elif any(part.over == "sources" for part in metric.pick_parts):
        cited = ", ".join(cite(each, number_sources(card.record)[each.id]) for each in _find_cited(card, said))
        said = " ".join(each for each in (said, cited) if each)
    return spell_ids(" ".join(each for each in (said.strip(), _note_numbers(card, metric, said)) if each), card)


def _find_cited(card: Scorecard, said: str) -> Iterable[Source]:
    """The relevant sources that a reason does not mention itself, so far as they can be cited."""
    mentioned = spell_ids(said, card)
    relevant = find_relevant(card) or []
    return [each for each in relevant if each.url and each.url not in mentioned]


def _note_numbers(card: Scorecard, metric: Metric, said: str) -> str:
    """How our number came about, where the reason alone does not tell; and the model's own, where it differs."""
    outcome = card.outcomes[metric.id]
    if not isinstance(outcome, Verdict):
        return ""
    notes = []
    reported = outcome.trail.reported.get("score")
    score = find_score(outcome)
    if isinstance(reported, int | float) and reported != score:
        notes.append(f"computed {score}, where the model says {reported}: {outcome.score.derivation}")
    elif not said or outcome.trail.facts or outcome.score.raw != outcome.score.value:
        notes.append(outcome.score.derivation)
    return f"({'; '.join(notes)})" if notes else ""


def _explain_claims(card: Scorecard, metric: Metric) -> str:
    claims = list_labelled(card.outcomes[metric.id], "claim")
    doubtful = [(unit, label) for unit, label in claims if label.label != _find_part(metric, "claim").best]
    if not doubtful:
        used = {each.source for _, label in claims for each in label.evidence}
        cited = [
            cite(each, number_sources(card.record)[each.id])
            for each in card.record.sources
            if each.id in used and each.url
        ]
        return f"All claims are supported by the sources. {', '.join(cited)}".strip()
    return " ".join(f"“{unit.text}”: {_explain(label)}" for unit, label in doubtful)


def _explain(label: Label) -> str:
    """The label, the words at fault with their severity, the judge's note and its evidence."""
    pieces = ", ".join(f"“{each.words}” is a {each.severity} fault" for each in label.pieces if each.words)
    severity = f", {label.qualifier}" if label.qualifier else ""
    quotes = [f"{each.source.upper()} says “{each.quote}”." for each in label.evidence]
    return " ".join(
        part for part in (f"{label.label}{severity}.", f"{pieces}." if pieces else "", label.note, *quotes) if part
    )
