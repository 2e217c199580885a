"""Turns an ask into the messages of one call: the material first, what is asked last."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from assay.domain.ask import BankAsk, MetricAsk, WholeAsk
from assay.domain.parts import GradePart, LabelPart, ListPart, Part, PickPart
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scale import in_words
from assay.domain.units import NAMES
from assay.judges.prompted.material import (
    mark_of,
    mark_of_sources,
    one_line,
    render_block,
    render_record,
    render_sources,
    render_units,
)
from assay.judges.prompted.rubric_words import render_banks, render_metrics, render_options
from assay.judges.prompted.schema import (
    Schema,
    build_bank_schema,
    build_schema,
    options_of,
    render_form,
    say_scale,
    units_of,
    wanted_parts,
)
from assay.judges.prompted.template import load_template, render
from assay.models.chat import Message
from assay.units.banks import least_wanted
from assay.units.passages import Passages


@dataclass(frozen=True, slots=True)
class Prompt:
    messages: tuple[Message, ...]
    schema: Schema | None
    max_tokens: int


def build_metric_prompt(ask: MetricAsk, passages: Passages, only: Collection[str] | None = None) -> Prompt:
    mark = mark_of(ask.record)
    schema = build_schema(ask)
    parts = [_render_part(part, ask, mark) for part in wanted_parts(ask)]
    examples = [f"Example: {example}\n" for example in ask.metric.examples]
    user = render(
        "metric",
        {
            "data": render_record(ask.record, passages, mark, only) + _render_absent(ask.rubric, ask.record),
            "purpose": ask.rubric.purpose,
            "metric": ask.metric.name,
            "question": ask.metric.question,
            "parts": "\n".join([*_render_shown(ask, mark), *parts, *examples]),
            "reask": _render_faults(ask.faults),
            "form": render_form(schema),
        },
    )
    return Prompt(_messages(mark, user), schema, 600 + 160 * len(ask.units))


def build_bank_prompt(ask: BankAsk, passages: Passages) -> Prompt:
    mark = mark_of_sources(ask.sources)
    bank = ask.bank
    schema = build_bank_schema(ask)
    least = least_wanted(bank, ask.sources)
    count = f"from {least} to {bank.most}" if least > 1 else f"as many as the text bears, {bank.most} at most,"
    user = render(
        "bank",
        {
            "data": render_sources(ask.sources, passages, mark),
            "purpose": ask.rubric.purpose,
            "count": count,
            "units": NAMES[bank.unit][1],
            "question": bank.question,
            "reask": _render_faults(ask.faults),
            "form": render_form(schema),
        },
    )
    return Prompt(_messages(mark, user), schema, 600 + 80 * bank.most)


def build_whole_prompt(ask: WholeAsk, passages: Passages) -> Prompt:
    mark = mark_of(ask.record)
    user = render(
        "whole",
        {
            "data": render_record(ask.record, passages, mark)
            + _render_absent(ask.rubric, ask.record)
            + _render_truth(ask, mark),
            "purpose": ask.rubric.purpose,
            "banks": render_banks(ask.rubric),
            "metrics": render_metrics(ask.rubric),
            "reask": _render_faults(ask.faults),
            "shape": load_template(f"shape-{ask.rubric.shape}"),
        },
    )
    return Prompt(_messages(mark, user, "system-whole"), None, 4000)


def _messages(mark: str, user: str, system: str = "system") -> tuple[Message, ...]:
    return (Message("system", render(system, {"mark": mark})), Message("user", user))


def _render_absent(rubric: Rubric, record: Record) -> str:
    """What the record lacks is said, so that its absence is not taken for an oversight of the output."""
    given = {source.input for source in record.sources}
    absent = [each.label for each in rubric.inputs if each.role == "source" and each.name not in given]
    return f"\n\nNot provided: {', '.join(absent)}." if absent else ""


def _render_faults(faults: Sequence[str]) -> str:
    if not faults:
        return ""
    return "\n" + render("reask", {"faults": "\n".join(f"- {one_line(fault)}" for fault in faults)})


def _render_shown(ask: MetricAsk, mark: str) -> list[str]:
    """What only this metric may see, such as the right answer."""
    shown = [(name, ask.record.text(name)) for name in ask.metric.shows]
    return [render_block(mark, name, [one_line(text)]) + "\n" for name, text in shown if text.strip()]


def _render_truth(ask: WholeAsk, mark: str) -> str:
    names = [each.name for each in ask.rubric.inputs if each.role == "truth" and ask.record.text(each.name).strip()]
    return "".join("\n\n" + render_block(mark, name, [one_line(ask.record.text(name))]) for name in names)


def _render_part(part: Part, ask: MetricAsk, mark: str) -> str:
    if isinstance(part, LabelPart):
        return _render_labels(part, ask, mark)
    if isinstance(part, GradePart):
        name = "the whole" if part.id == "grade" else part.id
        levels = "\n".join(f"- {in_words(level.level)}: {level.meaning}" for level in part.levels)
        return render("grade", {"name": name, "range": say_scale(part.scale), "levels": levels})
    if isinstance(part, PickPart):
        names = options_of(ask, part)
        options = render_options(part.options) or f"Choose among: {', '.join(names)}."
        count = "Choose one." if part.most == 1 else f"Choose at most {min(part.most, len(names))}."
        name = part.id.replace("_", " ").capitalize()
        return render("pick", {"name": name, "meaning": part.meaning, "count": count, "options": options})
    return _render_list(part)


def _render_labels(part: LabelPart, ask: MetricAsk, mark: str) -> str:
    one, many = NAMES[part.unit]
    evidence = ""
    if part.evidence == "source":
        evidence = render("evidence-source", {})
    elif part.evidence == "output":
        evidence = render("evidence-output", {"best": part.best})
    qualifier = ""
    if part.qualifier is not None:
        slots = {"best": part.best, "name": part.qualifier.name, "options": render_options(part.qualifier.options)}
        qualifier = render("qualifier", slots)
    return render(
        "labels",
        {
            "unit": one,
            "options": render_options(part.options),
            "evidence": evidence,
            "qualifier": qualifier,
            "units": render_units(units_of(ask, part), mark, many),
        },
    )


def _render_list(part: ListPart) -> str:
    fields = []
    for field in part.fields:
        options = f" One of: {', '.join(field.options)}." if field.options else ""
        fields.append(f"- {field.name}: {field.meaning}{options}")
    exact = part.least == part.most == 1
    count = "Give exactly one." if exact else "List each; leave the list empty where there is none."
    if part.words_at_most:
        count += f" At most {part.words_at_most} words in all."
    name = part.id.replace("_", " ").capitalize()
    return render("list", {"name": name, "meaning": part.meaning, "count": count, "fields": "\n".join(fields)})
