"""Turns asks into the messages of one call: what all calls on an item share, then the output, then the question."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from assay.domain.ask import BankAsk, MetricAsk
from assay.domain.parts import Field, GradePart, LabelPart, ListPart, Option, Part, PickPart
from assay.domain.scale import in_words
from assay.domain.units import NAMES
from assay.judges.prompted.material import (
    Delimiter,
    delimit_output,
    delimit_sources,
    one_line,
    render_block,
    render_output,
    render_shared,
    render_sources,
    render_units,
    say_not_provided,
)
from assay.judges.prompted.schema import (
    Schema,
    build_bank_schema,
    build_schema,
    build_whole_schema,
    options_of,
    render_form,
    render_notes,
    say_scale,
    units_of,
    wanted_parts,
)
from assay.judges.prompted.template import render
from assay.models.chat import Message, SharedPrefix
from assay.units.banks import least_wanted
from assay.units.passages import Passages

# Room for the reply: for each metric, for each unit that is labelled, and for each unit that a bank may hold.
_METRIC_TOKENS = 600
_UNIT_TOKENS = 160
_BANKED_TOKENS = 80


@dataclass(frozen=True, slots=True)
class Prompt:
    """`schema` has the keys asked for, `whole_schema` all keys of the rubric, the same in each of its calls.

    `shared` is how far the messages are the same for all calls on the item.
    """

    messages: tuple[Message, ...]
    schema: Schema
    whole_schema: Schema
    max_tokens: int
    shared: SharedPrefix | None = None


def build_metrics_prompt(asks: Sequence[MetricAsk], passages: Passages, only: Collection[str] | None = None) -> Prompt:
    """One prompt for one metric or for several of the same record; `only` names the passages to show."""
    record, rubric = asks[0].record, asks[0].rubric
    shared, own = delimit_sources(record.sources, record), delimit_output(record)
    schema = build_schema(asks)
    material = render_shared(record, rubric, passages, shared, only)
    user = render(
        "metrics",
        {
            "mark": shared.mark,
            "purpose": rubric.purpose,
            "shared": material,
            "output_mark": own.mark,
            "output": render_output(record, passages, own),
            "metrics": "\n\n".join(_render_metric(ask, passages, own) for ask in asks),
            "reask": _render_faults(tuple(dict.fromkeys(fault for ask in asks for fault in ask.faults))),
            "notes": render_notes(schema),
            "form": render_form(schema),
        },
    )
    tokens = sum(_METRIC_TOKENS + _UNIT_TOKENS * len(ask.units) for ask in asks)
    # Windows of the sources are chosen for one metric.
    prefix = _find_shared(material, user, repeats=asks[0].repeats) if only is None else None
    return Prompt(_messages(user), schema, build_whole_schema(rubric), tokens, prefix)


def build_bank_prompt(ask: BankAsk, passages: Passages) -> Prompt:
    delimiter = delimit_sources(ask.sources)
    bank = ask.bank
    least = least_wanted(bank, ask.sources)
    schema = build_bank_schema(bank)
    material = _render_banked(ask, passages, delimiter)
    count = f"from {least} to {bank.most}" if least > 1 else f"as many as the text bears, {bank.most} at most,"
    user = render(
        "bank",
        {
            "mark": delimiter.mark,
            "purpose": ask.rubric.purpose,
            "shared": material,
            "count": count,
            "units": NAMES[bank.unit][1],
            "question": bank.question,
            "reask": _render_faults(ask.faults),
            "form": render_form(schema),
        },
    )
    tokens = _METRIC_TOKENS + _BANKED_TOKENS * bank.most
    prefix = _find_shared(material, user, repeats=ask.repeats)
    return Prompt(_messages(user), schema, build_whole_schema(ask.rubric), tokens, prefix)


def _render_banked(ask: BankAsk, passages: Passages, delimiter: Delimiter) -> str:
    """As in the other calls on these sources, where the bank is about all of them."""
    blocks = [render_sources(ask.sources, passages, delimiter)]
    if ask.query is not None:
        blocks.append(render_block(delimiter, "query", [delimiter.show(ask.query)]))
    absent = "" if ask.bank.each_source else say_not_provided(ask.rubric, ask.sources)
    return "\n\n".join(blocks) + absent


def _find_shared(material: str, user: str, *, repeats: bool) -> SharedPrefix | None:
    """All up to the end of the material: nothing before that depends on the output or on what is asked."""
    at = user.find(material)
    return None if at < 0 else SharedPrefix(at + len(material), repeats)


def _messages(user: str) -> tuple[Message, ...]:
    return (Message("system", render("system", {})), Message("user", user))


def _render_faults(faults: Sequence[str]) -> str:
    if not faults:
        return ""
    return "\n" + render("reask", {"faults": "\n".join(f"- {one_line(fault)}" for fault in faults)})


def _render_metric(ask: MetricAsk, passages: Passages, delimiter: Delimiter) -> str:
    parts = [_render_part(part, ask, passages, delimiter).strip() for part in wanted_parts(ask)]
    # A re-ask about units alone needs no example of the whole metric.
    examples = [f"Example. {example}" for example in ask.metric.examples if ask.wanted is None]
    shown = _render_shown(ask, delimiter)
    return "\n\n".join([f"# {ask.metric.name} (`{ask.id}`)", ask.metric.question, *shown, *parts, *examples])


def _render_shown(ask: MetricAsk, delimiter: Delimiter) -> list[str]:
    """What only this metric may see, such as the right answer."""
    shown = [(name, ask.record.text(name)) for name in ask.metric.shows]
    return [render_block(delimiter, name, [delimiter.show(text)]) for name, text in shown if text.strip()]


def _render_part(part: Part, ask: MetricAsk, passages: Passages, delimiter: Delimiter) -> str:
    if isinstance(part, LabelPart):
        units = render_units(units_of(ask, part), passages, delimiter)
        return render("labels", {**_fill_labels(part), "units": units})
    if isinstance(part, GradePart):
        return _render_grade(part)
    if isinstance(part, PickPart):
        names = options_of(ask, part)
        options = render_options(part.options) or f"Choose among: {', '.join(names)}."
        count = "Choose one." if part.most == 1 else f"Choose at most {min(part.most, len(names))}."
        return render("pick", {"key": part.id, "meaning": part.meaning, "count": count, "options": options})
    return _render_list(part)


def _render_grade(part: GradePart) -> str:
    levels = "\n".join(f"- {in_words(level.level)}: {_uncapitalise(level.meaning)}" for level in part.levels)
    meaning = f" {part.meaning}" if part.meaning else ""
    return render("grade", {"key": part.id, "range": say_scale(part.scale) + meaning, "levels": levels})


def _fill_labels(part: LabelPart) -> dict[str, str]:
    """All that does not depend on the record."""
    evidence = ""
    if part.evidence == "source":
        evidence = render("evidence-source", {})
    elif part.evidence == "output":
        evidence = render("evidence-output", {"unit": NAMES[part.unit][0]})
    pieces = ""
    if part.qualifier is not None:
        pieces = render("pieces", {"options": render_options(part.qualifier.options)})
    options = render_options(part.options)
    return {"unit": NAMES[part.unit][0], "options": options, "evidence": evidence, "pieces": pieces}


def _render_list(part: ListPart) -> str:
    meaning = part.meaning or "Each entry has these fields."
    count = "" if part.least == part.most == 1 else " May be empty."
    if part.words_at_most:
        count += f" At most {part.words_at_most} words in all."
    fields = " ".join(map(_render_field, part.fields))
    return render("list", {"key": part.id, "meaning": meaning, "count": count, "fields": fields})


def _render_field(field: Field) -> str:
    options = f" ({', '.join(field.options)})" if field.options else ""
    meaning = f": {_uncapitalise(field.meaning)}" if field.meaning else "."
    return f"{field.name}{options}{meaning}"


def _uncapitalise(text: str) -> str:
    return text[:1].lower() + text[1:]


def render_options(options: Sequence[Option]) -> str:
    return "\n".join(f"- {option.name}: {_uncapitalise(option.meaning)}" for option in options)
