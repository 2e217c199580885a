"""Reads a whole reply: JSON by the rubric's shape, object by object; of anything else only its scores."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assay.domain.ask import REFUSAL, Fault, WholeAsk
from assay.domain.json import JSON
from assay.domain.outcome import Trail
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.shape import Shape
from assay.formats.prose import REASON_KEYS, SCORE_KEYS, list_said, read_named_scores, read_single_score
from assay.formats.reader import MetricReader
from assay.models.chat import Completion
from assay.replies.parts import list_objects, text_of
from assay.replies.salvage import Salvaged, find_body, is_list, rename_keys, salvage_json
from assay.replies.strict import Torn, join_members
from assay.replies.wrapping import is_refusal

_DEEPEST = 3


def read_whole_reply(completion: Completion, ask: WholeAsk) -> dict[str, Trail]:
    """What a reply says about each metric; the endpoint's word on why it ended explains what is missing from it."""
    shape, text = ask.rubric.shape, completion.text
    if shape is None:
        raise AssertionError("a rubric without a reply shape is never asked whole")
    if completion.finish_reason == "refusal":
        read = {metric.id: Trail(faults=(REFUSAL,)) for metric in ask.rubric.metrics}
    elif shape.form in {"explanation", "score"}:
        read = {ask.rubric.metrics[0].id: read_single_score(text, ask.rubric)}
    else:
        read = _read_json(text, ask.rubric, shape, ask.record)
    if completion.finish_reason == "length":
        # What can't be read at all is missing for this reason; a number off its scale is still that.
        cut = Fault("the reply was cut off before its end", "truncated")
        faults = {
            name: tuple(cut if fault.status == "malformed" else fault for fault in each.faults)
            for name, each in read.items()
        }
        read = {name: replace(each, faults=faults[name]) for name, each in read.items()}
    return {name: replace(each, replies=(text,)) for name, each in read.items()}


def _read_json(text: str, rubric: Rubric, shape: Shape, record: Record) -> dict[str, Trail]:
    salvaged = salvage_json(text)
    repairs = list(salvaged.repairs)
    known = _list_all_keys(rubric, shape)
    named = replace(salvaged, values=tuple(rename_keys(value, known) for value in salvaged.values))
    bodies, last = (_find_objects if shape.form == "objects" else _find_object)(named, shape, repairs)
    if not bodies and not salvaged.truncated:
        # What is no object of the shape may still say its scores, in prose or under other keys.
        bodies = {**read_named_scores(text, salvaged.values, rubric)}
        shape = replace(shape, rows=tuple(row for metric in rubric.metrics for row in list_said(metric)))
        repairs.append("other keys" if salvaged.values else "no JSON")
    fault = _explain_nothing(bodies, salvaged, text, rubric, record)
    read = {}
    for metric in rubric.metrics:
        name, body = metric.id, bodies.get(metric.id)
        if fault is not None:
            answer = Trail(faults=(fault,))
        elif isinstance(body, Torn):
            answer = Trail(faults=(Fault(f"{name} stands twice with different contents", "ambiguous"),))
        elif isinstance(body, Mapping):
            answer = MetricReader(metric, body, shape, record).read()
            is_lacking = any(each.status == "malformed" for each in answer.faults)
            if salvaged.truncated and name in last and (is_lacking or _ends_in_list(body)):
                # Half a list would count as a short one.
                cut = Fault(f"the reply was cut off inside {name}", "truncated")
                answer = Trail(reported=answer.reported, faults=(cut,))
        elif salvaged.truncated:
            answer = Trail(faults=(Fault(f"the reply was cut off before {name}", "truncated"),))
        else:
            answer = Trail(faults=(Fault(f"{name} is missing from the reply"),))
        read[name] = replace(answer, repairs=(*dict.fromkeys(repairs), *answer.repairs))
    return read


def _list_all_keys(rubric: Rubric, shape: Shape) -> list[str]:
    """Every key that is looked for in a reply of the shape."""
    fields = [each.name for metric in rubric.metrics for part in metric.list_parts for each in part.fields]
    queries = [each.name for each in rubric.inputs if each.role == "query"]
    steps = [step.removesuffix("[]") for row in shape.rows for step in row.steps]
    scores = [f"{row.place}_score" for row in shape.rows if row.holds == "score"]
    return [*SCORE_KEYS, *REASON_KEYS, *fields, *queries, *scores, *steps, shape.named_by]


def _explain_nothing(
    bodies: Mapping[str, JSON], salvaged: Salvaged, text: str, rubric: Rubric, record: Record
) -> Fault | None:
    """Why nothing at all can be taken from a reply."""
    if not bodies:
        errors = [each for value in salvaged.values for each in list_objects(value) if "error" in each]
        if errors:
            return Fault(f"the reply is an error object: {text_of(errors[0], 'error')}", "refused")
        if is_refusal(text):
            return REFUSAL
        if salvaged.truncated:
            return Fault("the reply was cut off before the first metric ended", "truncated")
        return Fault("the reply holds none of the metrics", "malformed")
    query = rubric.input("query")
    for body in bodies.values():
        said = text_of(body, query.name) if query is not None and isinstance(body, Mapping) else ""
        if said and said.casefold().split() != (record.query or "").casefold().split():
            return Fault("the reply is about another query", "malformed")
    return None


def _find_object(salvaged: Salvaged, shape: Shape, repairs: list[str]) -> tuple[dict[str, JSON], set[str]]:
    """One object with the keys of all metrics, under each of them, and the metrics that its last key is of.

    Bare, wrapped, or spread over several objects. A key with two values makes its metrics `Torn`.
    """
    keys = {
        metric: {row.steps[0].removesuffix("[]") for row in shape.of(metric)}
        | {f"{row.place}_score" for row in shape.of(metric) if row.holds == "score"}
        for metric in _list_metrics(shape)
    }
    objects = [each for value in salvaged.values for each in list_objects(value)]
    body = find_body(replace(salvaged, values=tuple(objects), repairs=()), sorted(set().union(*keys.values())), "")
    repairs += body.repairs
    bodies: dict[str, JSON] = {}
    for metric, own in keys.items():
        if not own.isdisjoint(body.torn):
            bodies[metric] = Torn()
        elif not own.isdisjoint(body.values):
            bodies[metric] = body.values
    return bodies, {metric for metric, own in keys.items() if not own.isdisjoint(list(body.values)[-1:])}


def _find_objects(salvaged: Salvaged, shape: Shape, repairs: list[str]) -> tuple[dict[str, JSON], set[str]]:
    """One object per metric, each naming its metric, and the last one: bare, or inside what wraps them."""
    found = _find_named(salvaged.values, shape, repairs, _DEEPEST)
    bodies = join_members(found)
    is_torn = any(isinstance(each, Torn) for each in bodies.values())
    repairs += ["repeated object dropped"] if len(found) > len(bodies) and not is_torn else []
    return bodies, set(list(bodies)[-1:])


def _list_metrics(shape: Shape) -> list[str]:
    return list(dict.fromkeys(row.metric for row in shape.rows))


def _find_named(values: Sequence[JSON], shape: Shape, repairs: list[str], depth: int) -> list[tuple[str, JSON]]:
    found: list[tuple[str, JSON]] = []
    for value in values:
        inner: list[tuple[str, JSON]] = []
        if isinstance(value, Mapping):
            if name := _match_name(value.get(shape.named_by), shape):
                found.append((name, value))
                continue
            named = [(_match_name(key, shape), each) for key, each in value.items() if isinstance(each, Mapping | Torn)]
            inner = [(name, each) for name, each in named if name]
        if not inner and depth and (is_list(value) or isinstance(value, Mapping)):
            inside = list(value.values()) if isinstance(value, Mapping) else value
            inner = _find_named(inside, shape, repairs, depth - 1)
        repairs += ["wrapped objects"] if inner else []
        found += inner
    return found


def _match_name(value: JSON, shape: Shape) -> str | None:
    """`Bias & Toxicity`, `bias-toxicity` and `BiasToxicity` are one metric."""
    if not isinstance(value, str):
        return None
    letters = "".join(letter for letter in value.lower() if letter.isalpha()).replace("and", "")
    return next((name for name in _list_metrics(shape) if name.replace("_", "") == letters), None)


def _ends_in_list(value: JSON) -> bool:
    while isinstance(value, Mapping) and value:
        value = list(value.values())[-1]
    return isinstance(value, Mapping) or is_list(value)
