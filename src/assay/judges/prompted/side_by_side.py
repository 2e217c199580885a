"""One call about the outputs of several systems on the same sources: the sources once, each output under a letter.

What is asked about an output is what is asked about it alone, with three differences. Of the points of a bank only
those that an output carries are listed: the others count as missed. A label has one quote. Grades come last, when all
outputs have been looked at. The reply is taken apart into one reply per output, in the form of a call about it alone.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from assay.domain.ask import Answer, Fault, MetricAsk
from assay.domain.json import JSON
from assay.domain.outcome import LETTERS
from assay.domain.parts import GradePart, LabelPart, Part
from assay.judges.prompted.material import (
    mark_output,
    mark_sources,
    render_output,
    render_texts,
    render_units,
)
from assay.judges.prompted.prompt import (
    METRIC_TOKENS,
    UNIT_TOKENS,
    finish_call,
    render_labels,
    render_levels,
    render_material,
    render_metric,
    render_options,
    render_part,
    render_range,
)
from assay.judges.prompted.read import read_metrics_reply
from assay.judges.prompted.schema import (
    Schema,
    describe_object,
    describe_parts,
    find_unlisted,
    labels_key,
    render_form,
    share_definitions,
    units_of,
    wanted_parts,
)
from assay.judges.prompted.template import render
from assay.models.chat import Call, CallKey, Completion
from assay.replies.salvage import find_body, salvage_json
from assay.units.passages import OUTPUT, Passages

# The ask of such a call.
SIDE_BY_SIDE = "side-by-side"
GRADES = "grades"
# Of all outputs together: a longer reply is cut off, or loses its thread.
_MOST_UNITS = 120
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


class Shown(NamedTuple):
    """One output of a call: what is asked about it, and its passages under its letter."""

    letter: str
    asks: Sequence[MetricAsk]
    passages: Passages


def show_outputs(asks: Sequence[Sequence[MetricAsk]], passages: Sequence[Passages]) -> list[Shown]:
    """Those that something is asked about, in their order. Their sentences have their letter for the O of one alone."""
    shown = []
    asked = [(own, each) for own, each in zip(asks, passages, strict=True) if own]
    for letter, (own, each) in zip(LETTERS, asked, strict=False):
        sentences = tuple(passage._replace(id=f"{letter}{passage.id[1:]}") for passage in each.of(OUTPUT))
        named = Passages({**each.by_source, OUTPUT: sentences}, each.texts, each.language)
        shown.append(Shown(letter, own, named))
    return shown


def split_metrics(asks: Sequence[Sequence[MetricAsk]]) -> list[list[str]]:
    """The metrics of each call: all in one, or where there are too many units a call for each."""
    asked = {ask.id: ask.rubric for own in asks for ask in own}
    metrics = [metric.id for metric in next(iter(asked.values())).metrics if metric.id in asked]
    units = sum(len(ask.units) for own in asks for ask in own)
    return [metrics] if units <= _MOST_UNITS else [[metric] for metric in metrics]


def build_side_by_side_call(shown: Sequence[Shown]) -> Call:
    first = shown[0].asks[0]
    record, rubric = first.record, first.rubric
    mark = mark_sources(record.sources, *(each.asks[0].record for each in shown))
    material = render_material(record, rubric, shown[0].passages, mark)
    by_metric = _group_by_metric(shown)
    grades = [(ask, part) for (_, ask), *_ in by_metric for part in wanted_parts(ask) if isinstance(part, GradePart)]
    letters = [each.letter for each in shown]
    user = render(
        "side-by-side",
        {
            "mark": mark,
            "purpose": rubric.purpose,
            "shared": material,
            "count": _NUMBERS[len(shown)],
            "outputs": "\n\n".join(map(_render_output, shown)),
            "metrics": "\n\n".join(
                render_metric(ask, mark, (_render_part(part, group, mark) for part in wanted_parts(ask)))
                for group in by_metric
                for _, ask in group[:1]
            ),
            "then": ", then the grades" if grades else "",
            "form": render_form(_build_schema(shown, letters[:1])),
        },
    )
    units = sum(len(ask.units) for each in shown for ask in each.asks)
    tokens = METRIC_TOKENS * len(by_metric) + UNIT_TOKENS * units
    key = CallKey(record.id, SIDE_BY_SIDE, first.sample, first.attempt, record.system)
    return finish_call(user, material, share_definitions(_build_schema(shown, letters)), tokens, key, repeats=True)


def _group_by_metric(shown: Sequence[Shown]) -> list[list[tuple[Shown, MetricAsk]]]:
    """The outputs that each metric is asked about, in the order of the rubric."""
    metrics = shown[0].asks[0].rubric.metrics
    groups = [[(each, ask) for each in shown for ask in each.asks if ask.id == metric.id] for metric in metrics]
    return [group for group in groups if group]


def _render_output(shown: Shown) -> str:
    record, letter = shown.asks[0].record, shown.letter
    mark = mark_output(record)
    return f"Output {letter}, with the mark {mark}:\n\n{render_output(record, shown.passages, mark, letter)}"


def _render_part(part: Part, group: Sequence[tuple[Shown, MetricAsk]], mark: str) -> str:
    shown, ask = group[0]
    if isinstance(part, GradePart):
        said = render_range(part, "a number with one decimal")
        return render("grades", {"key": GRADES, "range": said, "levels": render_levels(part)})
    if not isinstance(part, LabelPart):
        return render_part(part, ask, shown.passages, mark)
    if (unlisted := find_unlisted(part)) is not None:
        options = [option for option in part.options if option.name != unlisted]
        turned = any(not option.value for option in options)
        return render(
            "carried",
            {
                "key": labels_key(part),
                "turned": ", or reverses" if turned else "",
                "worst": unlisted,
                "options": render_options(options),
                "units": render_texts(units_of(ask, part), mark, [unit.weight for unit in units_of(ask, part)]),
            },
        )
    if part.unit in {"criterion", "source"}:  # the same for all outputs
        return render_part(part, ask, shown.passages, mark)
    rendered = [
        render_units(units, each.passages, mark_output(own.record), each.letter)
        for each, own in group
        if (units := units_of(own, part))
    ]
    return render_labels(part, "\n".join(rendered))


def _build_schema(shown: Sequence[Shown], spelt: Sequence[str]) -> Schema:
    """Spelt out for these letters: a form needs the keys of one alone, those of the others are the same."""
    keys: dict[str, JSON] = {}
    grades: dict[str, JSON] = {}
    for each in shown:
        parts = {ask.id: [part for part in wanted_parts(ask) if not isinstance(part, GradePart)] for ask in each.asks}
        own = {name: describe_parts(found, side_by_side=True) for name, found in parts.items() if found}
        keys[each.letter] = describe_object(own) if each.letter in spelt else {}
    for group in _group_by_metric(shown):
        ask = group[0][1]
        if graded := [part for part in wanted_parts(ask) if isinstance(part, GradePart)]:
            described = describe_parts(graded)
            letters = {each.letter: described if each.letter in spelt else {} for each, _ in group}
            grades[ask.id] = describe_object(letters)
    return describe_object({**keys, **({GRADES: describe_object(grades)} if grades else {})})


def read_side_by_side_reply(completion: Completion, shown: Sequence[Shown]) -> list[Answer]:
    """The answers about the first output, then about the others.

    One that the reply lacks has a fault: it is asked about again, alone.
    """
    salvaged = salvage_json(completion.text)
    body = find_body(salvaged, [*(each.letter for each in shown), GRADES], shown[0].letter)
    grades = body.values.get(GRADES)
    answers: list[Answer] = []
    for each in shown:
        own = body.values.get(each.letter)
        if not isinstance(own, Mapping):
            missing = Answer(faults=(Fault("this output is missing from the reply"),), reply=completion.text)
            # A refusal, an error or a reply that was cut off is told as what it is.
            answers += [missing for _ in each.asks] if salvaged.values else read_metrics_reply(completion, each.asks)
            continue
        alone = {ask.id: _take_apart(own, ask, each.letter, grades) for ask in each.asks}
        text = json.dumps(alone, ensure_ascii=False)
        read = read_metrics_reply(replace(completion, text=text), each.asks, each.passages)
        answers += [replace(one, reply=completion.text, repairs=(*body.repairs, *one.repairs)) for one in read]
    return answers


def _take_apart(own: Mapping[str, JSON], ask: MetricAsk, letter: str, grades: JSON) -> JSON:
    """What a reply says of one metric of one output, as a reply about that output alone would say it."""
    found = own.get(ask.id)
    metric: dict[str, JSON] = dict(found) if isinstance(found, Mapping) else {}
    if not metric and len(own) and not any(isinstance(own.get(each.id), Mapping) for each in ask.rubric.metrics):
        metric = dict(own)  # a single metric stands there bare
    for part in ask.metric.label_parts:
        key = labels_key(part)
        if key in metric:
            metric[key] = _spread_labels(metric[key], part, ask, letter)
    graded = grades.get(ask.id, grades) if isinstance(grades, Mapping) else None
    said = graded.get(letter) if isinstance(graded, Mapping) else None
    if isinstance(said, Mapping):
        metric |= said
    elif said is not None and ask.metric.grade_parts:
        metric[ask.metric.grade_parts[0].id] = said
    return metric


def _spread_labels(entries: JSON, part: LabelPart, ask: MetricAsk, letter: str) -> JSON:
    """One quote becomes a list of evidence, letters of sentences the O, and what is not listed its label."""
    if not isinstance(entries, list):
        return entries
    given = [dict(each) for each in entries if isinstance(each, Mapping)]
    for entry in given:
        sentence, quote = entry.pop("sentence", None), entry.pop("quote", None)
        if quote:
            entry.setdefault("evidence", [{"sentence": _rename(str(sentence or ""), letter), "quote": quote}])
    if (unlisted := find_unlisted(part)) is not None:
        listed = {str(each.get("unit")).strip(" []").lower() for each in given}
        given += [{"unit": unit.id, "label": unlisted} for unit in units_of(ask, part) if unit.id not in listed]
    return given


def _rename(sentence: str, letter: str) -> str:
    return re.sub(rf"\b{letter}\.(\d+)", r"O.\1", sentence)
