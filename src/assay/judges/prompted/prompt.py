"""Turns an ask into the messages of one call: the material first, what is asked last."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from assay.domain.ask import BankAsk, MetricAsk
from assay.domain.defences import DEFENDED, Defences
from assay.domain.parts import GradePart, LabelPart, ListPart, Option, Part, PickPart
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scale import in_words
from assay.domain.units import NAMES
from assay.judges.prompted.material import (
    Delimiter,
    delimit_record,
    delimit_sources,
    one_line,
    render_block,
    render_record,
    render_sources,
    render_units,
)
from assay.judges.prompted.schema import (
    Schema,
    build_bank_schema,
    build_joint_schema,
    build_schema,
    options_of,
    render_form,
    say_scale,
    units_of,
    wanted_parts,
)
from assay.judges.prompted.template import render
from assay.models.chat import Message
from assay.units.banks import least_wanted
from assay.units.passages import Passages


@dataclass(frozen=True, slots=True)
class Prompt:
    messages: tuple[Message, ...]
    schema: Schema | None
    max_tokens: int


def build_metrics_prompt(
    asks: Sequence[MetricAsk], passages: Passages, only: Collection[str] | None = None, defences: Defences = DEFENDED
) -> Prompt:
    """One prompt for one metric or for several of the same record; `only` names the passages to show."""
    record, rubric = asks[0].record, asks[0].rubric
    delimiter = delimit_record(record, defences)
    schema = build_schema(asks[0]) if len(asks) == 1 else build_joint_schema(asks)
    slots = {
        "data": render_record(record, passages, delimiter, only) + _render_absent(rubric, record),
        "purpose": rubric.purpose,
        "reask": _render_faults(tuple(dict.fromkeys(fault for ask in asks for fault in ask.faults))),
        "form": render_form(schema),
    }
    if len(asks) == 1:
        ask = asks[0]
        own = {"metric": ask.metric.name, "question": ask.metric.question, "parts": _render_parts(ask, delimiter)}
        user = render("metric", {**slots, **own})
    else:
        metrics = "\n".join(_render_metric(ask, delimiter) for ask in asks)
        user = render("metrics", {**slots, "count": str(len(asks)), "metrics": metrics})
    return Prompt(_messages(delimiter, user), schema, sum(600 + 160 * len(ask.units) for ask in asks))


def _render_metric(ask: MetricAsk, delimiter: Delimiter) -> str:
    return f"# {ask.metric.name} (`{ask.id}`)\n\n{ask.metric.question}\n\n{_render_parts(ask, delimiter)}"


def _render_parts(ask: MetricAsk, delimiter: Delimiter) -> str:
    parts = [_render_part(part, ask, delimiter) for part in wanted_parts(ask)]
    examples = [f"Example: {example}\n" for example in ask.metric.examples]
    return "\n".join([*_render_shown(ask, delimiter), *parts, *examples])


def build_bank_prompt(ask: BankAsk, passages: Passages, defences: Defences = DEFENDED) -> Prompt:
    delimiter = delimit_sources(ask.sources, defences)
    bank = ask.bank
    least = least_wanted(bank, ask.sources)
    schema = build_bank_schema(bank, least)
    count = f"from {least} to {bank.most}" if least > 1 else f"as many as the text bears, {bank.most} at most,"
    user = render(
        "bank",
        {
            "data": render_sources(ask.sources, passages, delimiter),
            "purpose": ask.rubric.purpose,
            "count": count,
            "units": NAMES[bank.unit][1],
            "question": bank.question,
            "reask": _render_faults(ask.faults),
            "form": render_form(schema),
        },
    )
    return Prompt(_messages(delimiter, user), schema, 600 + 80 * bank.most)


def _messages(delimiter: Delimiter, user: str) -> tuple[Message, ...]:
    return (Message("system", render("system", {"mark": delimiter.mark})), Message("user", user))


def _render_absent(rubric: Rubric, record: Record) -> str:
    """What the record lacks is said, so that its absence is not taken for an oversight of the output."""
    given = {source.input for source in record.sources}
    absent = [each.label for each in rubric.inputs if each.role == "source" and each.name not in given]
    return f"\n\nNot provided: {', '.join(absent)}." if absent else ""


def _render_faults(faults: Sequence[str]) -> str:
    if not faults:
        return ""
    return "\n" + render("reask", {"faults": "\n".join(f"- {one_line(fault)}" for fault in faults)})


def _render_shown(ask: MetricAsk, delimiter: Delimiter) -> list[str]:
    """What only this metric may see, such as the right answer."""
    shown = [(name, ask.record.text(name)) for name in ask.metric.shows]
    return [render_block(delimiter, name, [delimiter.show(text)]) + "\n" for name, text in shown if text.strip()]


def _render_part(part: Part, ask: MetricAsk, delimiter: Delimiter) -> str:
    if isinstance(part, LabelPart):
        units = render_units(units_of(ask, part), delimiter, NAMES[part.unit][1])
        return render("labels", {**_fill_labels(part), "units": units})
    if isinstance(part, GradePart):
        return _render_grade(part)
    if isinstance(part, PickPart):
        names = options_of(ask, part)
        options = render_options(part.options) or f"Choose among: {', '.join(names)}."
        count = "Choose one." if part.most == 1 else f"Choose at most {min(part.most, len(names))}."
        name = part.id.replace("_", " ").capitalize()
        return render("pick", {"name": name, "meaning": part.meaning, "count": count, "options": options})
    return _render_list(part)


def _render_grade(part: GradePart) -> str:
    name = "the whole" if part.id == "grade" else part.id
    levels = "\n".join(f"- {in_words(level.level)}: {level.meaning}" for level in part.levels)
    return render("grade", {"name": name, "range": say_scale(part.scale), "levels": levels})


def _fill_labels(part: LabelPart) -> dict[str, str]:
    """All that does not depend on the record."""
    evidence = ""
    if part.evidence == "source":
        evidence = render("evidence-source", {})
    elif part.evidence == "output":
        evidence = render("evidence-output", {"best": part.best})
    qualifier = ""
    if part.qualifier is not None:
        slots = {"best": part.best, "name": part.qualifier.name, "options": render_options(part.qualifier.options)}
        qualifier = render("qualifier", slots)
    options = render_options(part.options)
    return {"unit": NAMES[part.unit][0], "options": options, "evidence": evidence, "qualifier": qualifier}


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


def render_options(options: Sequence[Option]) -> str:
    return "\n".join(f"- {option.name}: {option.meaning}" for option in options)
