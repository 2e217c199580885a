"""Writes a scorecard, with its computed numbers, as a reply in its rubric's own format: by the table that reads one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from assay.checks.citations import cite, find_relevant, list_sources, number_sources
from assay.domain.findings import NO_FACT, Grade, Label
from assay.domain.json import JSON
from assay.domain.outcome import Outcome, Verdict
from assay.domain.parts import LabelPart
from assay.domain.record import Source
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import half_up, number
from assay.domain.scorecard import Scorecard
from assay.domain.shape import Shape, ShapeRow
from assay.domain.terms import say_why
from assay.domain.units import Unit
from assay.formats.mentions import spell_ids
from assay.scoring.severity import find_pieces, is_unsupported

Tree: TypeAlias = dict[str, object]
_Pair: TypeAlias = tuple[Unit, Label]

# A judged text must not bring a score tag of its own into the reply.
_TAG = re.compile(r"<(?=\s*(?:/\s*)?score)|\[(?=\s*/?\s*score\s*\])", re.IGNORECASE)
_SCORE_LINE = re.compile(r"^.*<\s*score\s*>.*$", re.IGNORECASE | re.MULTILINE)


def find_ending(rubric: Rubric) -> str:
    """The ending of a file: `.json` only where the whole reply is one JSON value."""
    return ".json" if _find_shape(rubric).form == "object" else ".txt"


def build_reply(card: Scorecard) -> str | list[Tree]:
    """A text, or JSON objects to be written one after another."""
    shape = _find_shape(card.rubric)
    writers = [_MetricWriter(card, metric, shape) for metric in card.rubric.metrics]
    if shape.form in {"explanation", "score"}:
        return writers[0].format_explanation()
    if shape.form == "object":
        body: Tree = {}
        for writer in writers:
            writer.write_into(body)
        return [body]
    if not card.scored:
        return [{"error": "; ".join(dict.fromkeys(writer.derivation for writer in writers))}]
    return [writer.write_into({shape.named_by: writer.metric.id}) for writer in writers]


def _find_shape(rubric: Rubric) -> Shape:
    if rubric.shape is None:
        raise AssertionError("a rubric without a reply format is refused before a run")
    return rubric.shape


@dataclass(frozen=True, slots=True)
class _MetricWriter:
    """Writes one metric: the rows of its shape into an object, or an explanation under their headings."""

    card: Scorecard
    metric: Metric
    shape: Shape

    @property
    def outcome(self) -> Outcome:
        return self.card.outcomes[self.metric.id]

    @property
    def derivation(self) -> str:
        """Of the score, or why there is none."""
        if isinstance(self.outcome, Verdict):
            return self.outcome.score.derivation
        return f"not scored: {say_why(self.outcome.status, self.outcome.reason)}"

    @property
    def _score(self) -> int | float | None:
        """Rounded to the scale: readers of the format expect one of its grades. The derivation has a mean in full."""
        if not isinstance(self.outcome, Verdict):
            return None
        return number(half_up(self.outcome.score.value, self.outcome.score.scale.decimals))

    @property
    def _grade(self) -> Grade | None:
        return next((self.outcome.trail.findings.grade(part.id) for part in self.metric.grade_parts), None)

    def _list_labelled(self, part: str, outcome: Outcome | None = None) -> list[_Pair]:
        """The units that count, in their order; those that state no fact are left out."""
        trail = (outcome or self.outcome).trail
        labels = {label.unit: label for label in trail.findings.of(part) if label.label != NO_FACT}
        return [(unit, labels[unit.id]) for unit in trail.units if unit.id in labels]

    # Objects

    def write_into(self, body: Tree) -> Tree:
        rows = self.shape.of(self.metric.id)
        for row in rows:
            if row.holds == "unit":
                self._write_units(body, row, [each for each in rows if row.listing.startswith(each.listing)])
            elif row.holds not in {"label", "note", "source"}:
                _place(body, row.place.removesuffix("[]"), self._find_value(row))
        if not isinstance(self.outcome, Verdict) and not any(row.holds == "reason" for row in rows):
            _place(body, rows[0].place.rpartition(".")[0] + ".reason", self.derivation)
        return body

    def _find_value(self, row: ShapeRow) -> JSON:
        outcome, findings = self.outcome, self.outcome.trail.findings
        if row.holds == "score":
            return f"{self._score}%" if self._score is not None and self.metric.scale.high == 100 else self._score
        if row.holds == "reason":
            return self._format_reason()
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
            return list_sources(relevant, self.card.record)
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

    def _write_units(self, body: Tree, row: ShapeRow, rows: Sequence[ShapeRow]) -> None:
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
            resolved = _resolve(label, part)
            words = [word.word for word in self.shape.words if (word.unit, word.label) == (unit.kind, resolved)]
            word = words[0] if words else resolved
            entry[beside["label"]] = {"true": True, "false": False}.get(word, word)
        if "note" in beside:
            meanings = {option.name: option.meaning for option in part.options} if part is not None else {}
            entry[beside["note"]] = self._justify(label) or meanings.get(label.label) or label.label
        return entry

    def _justify(self, label: Label) -> str:
        """The quotes and the note. A contradiction is named, because a reply's word for it may be another's."""
        said = " — ".join(part for part in (self._format_quotes(label), label.note) if part)
        if label.label == "contradicted":
            said = f"Contradicted: {said}" if said else "Contradicted"
        return spell_ids(said, self.card)

    def _format_quotes(self, label: Label) -> str:
        """Each behind its source where the record has several."""
        sources = {source.id for source in self.card.record.sources}
        named = {each: f"{each.upper()}: " for each in sources if len(sources) > 1}
        return "; ".join(f"{named.get(each.source, '')}“{each.quote}”" for each in label.evidence)

    def _find_counted(self, row: ShapeRow) -> list[_Pair]:
        """The units that made the score; of very many claims the most consequential, as the rule takes them."""
        pairs = self._list_labelled(row.unit or "")
        most = int(self.metric.settings.get("most claims", len(pairs) or 1))
        if len(pairs) <= most:
            return pairs
        picked = (self.outcome.trail.findings.picked(part.id) for part in self.metric.pick_parts)
        ranking = next((pick for pick in picked if pick), ())
        places = {unit: at for at, unit in enumerate(dict.fromkeys((*ranking, *(unit.id for unit, _ in pairs))))}
        return sorted(pairs, key=lambda pair: places[pair[0].id])[:most]

    def _find_extraneous(self) -> list[_Pair]:
        """Every unsupported claim of the output, whichever list it came from, once."""
        shared = self.card.outcomes.get(self.metric.claims_from or "")
        claims = self._list_labelled("claim", shared) if shared is not None else []
        claims += self._list_labelled("claim")
        return list({unit.span or unit.text: (unit, label) for unit, label in claims if is_unsupported(label)}.values())

    # Reasons

    def _format_reason(self) -> str:
        """The judge's own reason, or each claim that is not supported; then our arithmetic."""
        if not isinstance(self.outcome, Verdict):
            return self.derivation
        own = str(self.outcome.trail.reported.get("reason") or "")
        said = own or (self._grade.reason if self._grade is not None else "")
        claims = self.metric.labels("claim")
        if not own and claims is not None:
            said = self._explain_claims(claims)
        elif any(part.over == "sources" for part in self.metric.pick_parts):
            mentioned = spell_ids(said, self.card)
            relevant = [each for each in find_relevant(self.card) or [] if (each.url or "") not in mentioned]
            said = " ".join(each for each in (said, self._cite(relevant)) if each)
        return spell_ids(" ".join(each for each in (said.strip(), self._note_numbers(said)) if each), self.card)

    def _cite(self, sources: Sequence[Source]) -> str:
        """Those that have an address."""
        numbers = number_sources(self.card.record)
        return ", ".join(cite(each, numbers[each.id]) for each in sources if each.url)

    def _note_numbers(self, said: str) -> str:
        """How our number came about, where the reason alone does not tell; and the model's own, where it differs."""
        outcome = self.outcome
        reported = outcome.trail.reported.get("score")
        if isinstance(reported, int | float) and reported != self._score:
            return f"(computed {self._score}, where the model says {reported}: {self.derivation})"
        is_capped = isinstance(outcome, Verdict) and outcome.score.raw != outcome.score.value
        return f"({self.derivation})" if not said or outcome.trail.facts or is_capped else ""

    def _explain_claims(self, part: LabelPart) -> str:
        claims = self._list_labelled("claim")
        doubtful = [pair for pair in claims if pair[1].label != part.best]
        if not doubtful:
            used = {each.source for _, label in claims for each in label.evidence}
            cited = self._cite([each for each in self.card.record.sources if each.id in used])
            return f"All claims are supported by the sources. {cited}".strip()
        return " ".join(_explain_fault(*pair) for pair in doubtful)

    # Explanations

    def format_explanation(self) -> str:
        """The model's own explanation, or one made of its labels; our count; the score in its tag on the last line."""
        own = str(self.outcome.trail.reported.get("explanation") or "").strip()
        if own:
            checked = [_defuse(spell_ids(each, self.card)) for each in (*self._list_values(), *self._say_score())]
            lines = [_defuse(_SCORE_LINE.sub("", own).strip()), "", "Checked by code:", *checked, ""]
        else:
            lines = [self.shape.opening or f"{self.metric.name}: {self.metric.question}", ""]
            for row in self.shape.rows:
                said = [_defuse(" ".join(spell_ids(each, self.card).split())) for each in self._write_part(row)]
                lines += [f"{row.place}:", *said, ""] if said else []
        unscored = self.derivation[:1].upper() + self.derivation[1:]
        return "\n".join([*lines, unscored if self._score is None else f"Score- <score>{self._score}</score>", ""])

    def _write_part(self, row: ShapeRow) -> list[str]:
        """What stands under one heading."""
        if row.holds != "text":
            return [f"{at}. {entry}" for at, entry in enumerate(self._list_entries(row), 1)] or ["None"]
        match row.name:
            case "steps":
                return [self.metric.question]
            case "values":
                return list(self._list_values())
            case "facts":
                return list(self._say_facts())
            case _:
                grade = self._grade if isinstance(self.outcome, Verdict) else None
                return [*([grade.reason] if grade is not None and grade.reason else []), *self._say_score()]

    def _say_score(self) -> Iterator[str]:
        if isinstance(self.outcome, Verdict):
            yield f"{self.derivation}."
            own = self.outcome.trail.reported.get("grade")
            if isinstance(own, int | float) and own != number(self.outcome.score.value):
                yield f"The model's own score is {own}."

    def _say_facts(self) -> Iterator[str]:
        """Claims that are right but for a word: they are no unsupported items."""
        labelled = self._list_labelled("claim")
        loose = [pair for pair in labelled if _find_gravest(*pair) == "slight"]
        yield from (f"- Loosely worded: {_explain_fault(*pair)}" for pair in loose)
        if labelled and not loose:
            yield "All other claims were verified."

    def _list_values(self) -> Iterator[str]:
        """What code proved wrong."""
        for unit, label in self._list_labelled("claim"):
            if label.by == "code" and label.label == "contradicted":
                yield f"- Wrong value: {unit.context or unit.text}: {label.note}"

    def _list_entries(self, row: ShapeRow) -> list[str]:
        if row.holds == "list":
            name, _, key = row.name.partition(".")
            remarks = [remark.fields for remark in self.outcome.trail.findings.remarked(name)]
            return [f"{each.get(key, '')}{f' ({kind})' if (kind := each.get('kind')) else ''}" for each in remarks]
        part = self.metric.labels(row.unit) if row.unit is not None else None
        if part is None:
            return []
        pairs = self._list_labelled(row.unit or "")
        # The score counts main units; where there are none, all of them.
        pairs = [(unit, label) for unit, label in pairs if unit.weight == "main"] or pairs
        if row.holds == "unit" and row.label is None:
            return [unit.placed_text for unit, _ in pairs]
        if row.unit == "claim":
            return [_explain_fault(*pair) for pair in pairs if _find_gravest(*pair) == "serious"]
        chosen = [(unit, label) for unit, label in pairs if part.value(_resolve(label, part)) > 0]
        if row.holds == "unit":
            return [unit.placed_text for unit, _ in chosen]
        return [
            f"{unit.placed_text} ({self._format_quotes(label) or label.note or label.label})" for unit, label in chosen
        ]


def _place(body: Tree, path: str, value: object) -> None:
    *parents, key = [step for step in path.split(".") if step]
    for parent in parents:
        inner = body.setdefault(parent, {})
        if not isinstance(inner, dict):
            raise TypeError(f"the shape puts {path} into something that is no object")
        body = inner
    body[key] = value


def _defuse(text: str) -> str:
    return _TAG.sub("‹", text)


def _resolve(label: Label, part: LabelPart) -> str:
    """The label as the score counts it: an undecided unit counts as the middle label."""
    return label.label if label.decided else part.middle


def _find_gravest(unit: Unit, label: Label) -> str | None:
    severities = {piece.severity for piece in find_pieces(label, unit)}
    return "serious" if "serious" in severities else "slight" if severities else None


def _explain_fault(unit: Unit, label: Label) -> str:
    """The label, the words at fault with their severity, the judge's note and its evidence."""
    pieces = ", ".join(f"“{each.words}” is a {each.severity} fault" for each in label.pieces if each.words)
    severity = f", {label.qualifier}" if label.qualifier else ""
    quotes = [f"{each.source.upper()} says “{each.quote}”." for each in label.evidence]
    said = (f"{label.label}{severity}.", f"{pieces}." if pieces else "", label.note, *quotes)
    return f"“{unit.placed_text}”: {' '.join(part for part in said if part)}"
