"""Turns an ask into the messages of one call: the material first, what is asked last."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assay.domain.ask import BankAsk, MetricAsk, WholeAsk
from assay.domain.defences import DEFENDED, Defences
from assay.domain.parts import GradePart, LabelPart, ListPart, Part, PickPart
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.same import Same
from assay.domain.scale import in_words
from assay.domain.units import NAMES
from assay.judges.prompted.material import (
    Fence,
    fence_record,
    fence_sources,
    one_line,
    render_block,
    render_record,
    render_sources,
    render_units,
)
from assay.judges.prompted.rubric_words import render_banks, render_metrics, render_options
from assay.judges.prompted.schema import (
    Schema,
    find_bank_form,
    find_form,
    options_of,
    say_scale,
    units_of,
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


_REMEMBERED_PARTS = 200


def build_metric_prompt(
    ask: MetricAsk, passages: Passages, only: Collection[str] | None = None, defences: Defences = DEFENDED
) -> Prompt:
    fence = fence_record(ask.record, defences)
    form = find_form(ask)
    parts = [_render_part(part, ask, fence) for part in form.parts]
    examples = [f"Example: {example}\n" for example in ask.metric.examples]
    user = render(
        "metric",
        {
            "data": render_record(ask.record, passages, fence, only) + _render_absent(ask.rubric, ask.record),
            "purpose": ask.rubric.purpose,
            "metric": ask.metric.name,
            "question": ask.metric.question,
            "parts": "\n".join([*_render_shown(ask, fence), *parts, *examples]),
            "reask": _render_faults(ask.faults),
            "form": form.words,
        },
    )
    return Prompt(_messages(fence, user), form.schema, 600 + 160 * len(ask.units))


def build_bank_prompt(ask: BankAsk, passages: Passages, defences: Defences = DEFENDED) -> Prompt:
    fence = fence_sources(ask.sources, defences)
    bank = ask.bank
    form = find_bank_form(ask)
    least = least_wanted(bank, ask.sources)
    count = f"from {least} to {bank.most}" if least > 1 else f"as many as the text bears, {bank.most} at most,"
    user = render(
        "bank",
        {
            "data": render_sources(ask.sources, passages, fence),
            "purpose": ask.rubric.purpose,
            "count": count,
            "units": NAMES[bank.unit][1],
            "question": bank.question,
            "reask": _render_faults(ask.faults),
            "form": form.words,
        },
    )
    return Prompt(_messages(fence, user), form.schema, 600 + 80 * bank.most)


def build_whole_prompt(ask: WholeAsk, passages: Passages, defences: Defences = DEFENDED) -> Prompt:
    fence = fence_record(ask.record, defences)
    user = render(
        "whole",
        {
            "data": render_record(ask.record, passages, fence)
            + _render_absent(ask.rubric, ask.record)
            + _render_truth(ask, fence),
            "purpose": ask.rubric.purpose,
            "banks": render_banks(ask.rubric),
            "metrics": render_metrics(ask.rubric),
            "reask": _render_faults(ask.faults),
            "shape": load_template(f"shape-{ask.rubric.shape}"),
        },
    )
    return Prompt(_messages(fence, user, "system-whole"), None, 4000)


def _messages(fence: Fence, user: str, system: str = "system") -> tuple[Message, ...]:
    return (Message("system", render(system, {"mark": fence.mark})), Message("user", user))


def _render_absent(rubric: Rubric, record: Record) -> str:
    """What the record lacks is said, so that its absence is not taken for an oversight of the output."""
    given = {source.input for source in record.sources}
    absent = [each.label for each in rubric.inputs if each.role == "source" and each.name not in given]
    return f"\n\nNot provided: {', '.join(absent)}." if absent else ""


def _render_faults(faults: Sequence[str]) -> str:
    if not faults:
        return ""
    return "\n" + render("reask", {"faults": "\n".join(f"- {one_line(fault)}" for fault in faults)})


def _render_shown(ask: MetricAsk, fence: Fence) -> list[str]:
    """What only this metric may see, such as the right answer."""
    shown = [(name, ask.record.text(name)) for name in ask.metric.shows]
    return [render_block(fence, name, [fence.show(text)]) + "\n" for name, text in shown if text.strip()]


def _render_truth(ask: WholeAsk, fence: Fence) -> str:
    names = [each.name for each in ask.rubric.inputs if each.role == "truth" and ask.record.text(each.name).strip()]
    return "".join("\n\n" + render_block(fence, name, [fence.show(ask.record.text(name))]) for name in names)


def _render_part(part: Part, ask: MetricAsk, fence: Fence) -> str:
    if isinstance(part, LabelPart):
        units = render_units(units_of(ask, part), fence, NAMES[part.unit][1])
        return render("labels", {**_fill_labels(Same(part)), "units": units})
    if isinstance(part, GradePart):
        return _render_grade(Same(part))
    if isinstance(part, PickPart):
        names = options_of(ask, part)
        options = render_options(part.options) or f"Choose among: {', '.join(names)}."
        count = "Choose one." if part.most == 1 else f"Choose at most {min(part.most, len(names))}."
        name = part.id.replace("_", " ").capitalize()
        return render("pick", {"name": name, "meaning": part.meaning, "count": count, "options": options})
    return _render_list(part)


@lru_cache(maxsize=_REMEMBERED_PARTS)
def _render_grade(grade: Same[GradePart]) -> str:
    part = grade.thing
    name = "the whole" if part.id == "grade" else part.id
    levels = "\n".join(f"- {in_words(level.level)}: {level.meaning}" for level in part.levels)
    return render("grade", {"name": name, "range": say_scale(part.scale), "levels": levels})


@lru_cache(maxsize=_REMEMBERED_PARTS)
def _fill_labels(labels: Same[LabelPart]) -> dict[str, str]:
    """All that does not depend on the record."""
    part = labels.thing
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
