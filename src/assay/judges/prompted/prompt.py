"""Turns asks into the messages of one call: what all calls on an item share, then the output, then the question."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from assay.domain.ask import Ask, BankAsk, MetricAsk
from assay.domain.parts import GradePart, LabelPart, Option, Part, PickPart
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scale import in_words
from assay.domain.units import NAMES
from assay.judges.prompted.material import (
    mark_output,
    mark_sources,
    one_line,
    render_block,
    render_output,
    render_shared,
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
    units_of,
    wanted_parts,
)
from assay.judges.prompted.template import render
from assay.models.chat import Call, CallKey, Message, SharedPrefix
from assay.units.banks import least_wanted
from assay.units.passages import Passages

# The ask of a call that is about several metrics of a record.
ALL = "all"
# Room for the reply: for each metric, for each unit that is labelled, and for each unit that a bank may hold.
METRIC_TOKENS = 600
UNIT_TOKENS = 160
_BANKED_TOKENS = 80


def build_metrics_call(
    asks: Sequence[MetricAsk], passages: Passages, only: Collection[str] | None = None, *, shares_schema: bool = True
) -> Call:
    """One call for one metric or for several; `only` names the passages to show.

    Where the provider `shares_schema`, it gets all keys of the rubric, the same in each of its calls.
    """
    ask = asks[0]
    record, rubric = ask.record, ask.rubric
    shared, own = mark_sources(record.sources, record), mark_output(record)
    schema = build_schema(asks)
    slots = {
        "mark": shared,
        "purpose": rubric.purpose,
        "shared": render_material(record, rubric, passages, shared, only),
        "output_mark": own,
        "output": render_output(record, passages, own),
        "metrics": "\n\n".join(
            render_metric(each, own, (render_part(part, each, passages, own) for part in wanted_parts(each)))
            for each in asks
        ),
        "notes": render_notes(schema),
    }
    name = ALL if len(asks) > 1 else ask.id if ask.part == 1 else f"{ask.id}.part-{ask.part}"
    key = CallKey(record.id, name, ask.sample, ask.attempt, record.system)
    tokens = sum(METRIC_TOKENS + UNIT_TOKENS * len(each.units) for each in asks)
    call = _build_call("metrics", slots, asks, schema, tokens, key)
    if only is not None:  # windows of the sources are chosen for one metric
        call = replace(call, shared=None)
    return call if shares_schema else replace(call, schema=schema)


def render_material(
    record: Record, rubric: Rubric, passages: Passages, mark: str, only: Collection[str] | None = None
) -> str:
    """What every call about a record shows before its output."""
    texts = [] if record.query is None else [("query", record.query)]
    known = ((each.label.lower(), record.text(each.name)) for each in rubric.inputs if each.role == "context")
    texts += [(name, text) for name, text in known if text.strip()]
    return render_shared(record.sources, passages, mark, texts, only) + say_not_provided(rubric, record.sources)


def build_bank_call(ask: BankAsk, passages: Passages, *, shares_schema: bool = True) -> Call:
    """A bank belongs to its sources, whichever system's record asks for it first."""
    mark, bank = mark_sources(ask.sources), ask.bank
    least = least_wanted(bank, ask.sources)
    schema = build_bank_schema(bank)
    # As in the other calls on these sources, where the bank is about all of them.
    is_whole = bank.origin == "all sources together"
    material = render_shared(ask.sources, passages, mark, [] if ask.query is None else [("query", ask.query)])
    slots = {
        "mark": mark,
        "purpose": ask.rubric.purpose,
        "shared": material + (say_not_provided(ask.rubric, ask.sources) if is_whole else ""),
        "count": f"from {least} to {bank.most}" if least > 1 else f"as many as the text bears, {bank.most} at most,",
        "units": NAMES[bank.unit][1],
        "question": bank.question,
    }
    key = CallKey(ask.record, ask.id, 0, ask.attempt, None)
    tokens = METRIC_TOKENS + _BANKED_TOKENS * bank.most
    call = _build_call("bank", slots, [ask], schema, tokens, key)
    return call if shares_schema else replace(call, schema=schema)


def _build_call(
    template: str, slots: dict[str, str], asks: Sequence[Ask], schema: Schema, tokens: int, key: CallKey
) -> Call:
    """With the schema of the whole rubric; the form in the prompt is that of `schema`."""
    faults = dict.fromkeys(fault for ask in asks for fault in ask.faults)
    said = "\n".join(f"- {one_line(fault)}" for fault in faults)
    reask = "\n" + render("reask", {"faults": said}) if faults else ""
    user = render(template, {**slots, "reask": reask, "form": render_form(schema)})
    whole = build_whole_schema(asks[0].rubric)
    return finish_call(user, slots["shared"], whole, tokens, key, repeats=asks[0].repeats)


def finish_call(user: str, material: str, schema: Schema, tokens: int, key: CallKey, *, repeats: bool) -> Call:
    """Nothing before the end of the material depends on the output or on what is asked."""
    at = user.find(material)
    shared = None if at < 0 else SharedPrefix(at + len(material), repeats)
    return Call((Message("system", render("system", {})), Message("user", user)), schema, tokens, None, key, shared)


def render_metric(ask: MetricAsk, mark: str, parts: Iterable[str]) -> str:
    """What is asked about one metric: its question, then its parts."""
    metric = ask.metric
    # What only this metric may see, such as the right answer.
    texts = [(name, ask.record.text(name)) for name in metric.shows]
    shown = [render_block(mark, name, [one_line(text)]) for name, text in texts if text.strip()]
    # A re-ask about units alone needs no example of the whole metric.
    examples = [f"Example. {example}" for example in metric.examples if ask.wanted is None]
    asked = [part.strip() for part in parts]
    return "\n\n".join([f"# {metric.name} (`{ask.id}`)", metric.question, *shown, *asked, *examples])


def render_part(part: Part, ask: MetricAsk, passages: Passages, mark: str) -> str:
    if isinstance(part, LabelPart):
        return render_labels(part, render_units(units_of(ask, part), passages, mark))
    slots = {"key": part.id}
    if isinstance(part, GradePart):
        # The range in words, so that no form has to carry a number. Which end is best is clear from the levels.
        slots["range"] = render_range(part, "a number")
        return render("grade", slots | {"levels": render_levels(part)})
    if isinstance(part, PickPart):
        names = options_of(ask, part)
        slots["options"] = render_options(part.options) or f"Choose among: {', '.join(names)}."
        slots["count"] = "Choose one." if part.most == 1 else f"Choose at most {min(part.most, len(names))}."
        return render("pick", slots | {"meaning": part.meaning})
    fields = []
    for field in part.fields:
        options = f" ({', '.join(field.options)})" if field.options else ""
        fields.append(f"{field.name}{options}" + (f": {uncapitalise(field.meaning)}" if field.meaning else "."))
    slots["count"] = "" if part.least == part.most == 1 else " May be empty."
    slots["count"] += f" At most {part.words_at_most} words in all." if part.words_at_most else ""
    return render(
        "list", slots | {"meaning": part.meaning or "Each entry has these fields.", "fields": " ".join(fields)}
    )


def render_labels(part: LabelPart, units: str) -> str:
    unit, evidence, pieces = NAMES[part.unit][0], "", ""
    if part.evidence != "none":
        where = "the output (O ids)" if part.evidence == "output" else "the sources (S ids)"
        slots = {"unit": unit, "where": where}
        if part.unit == "claim":
            evidence = render("evidence-claims", {})
        else:
            evidence = render("evidence-given" if part.unit in {"criterion", "source"} else "evidence-carried", slots)
    if part.qualifier is not None:
        pieces = render("pieces", {"options": render_options(part.qualifier.options)})
    slots = {"unit": unit, "options": render_options(part.options), "evidence": evidence, "pieces": pieces}
    return render("labels", slots | {"units": units})


def render_range(part: GradePart, number: str) -> str:
    """The answers on its scale, and how to weigh."""
    scale, kind = part.scale, number if part.scale.decimals else "a whole number"
    said = "yes or no." if scale.is_yes_no else f"{kind} from {in_words(scale.low)} to {in_words(scale.high)}."
    return f"{said} {part.meaning}".strip()


def render_levels(part: GradePart) -> str:
    return "\n".join(f"- {part.scale.say(each.level)}: {uncapitalise(each.meaning)}" for each in part.levels)


def uncapitalise(text: str) -> str:
    return text[:1].lower() + text[1:]


def render_options(options: Sequence[Option]) -> str:
    return "\n".join(f"- {option.name}: {uncapitalise(option.meaning)}" for option in options)
