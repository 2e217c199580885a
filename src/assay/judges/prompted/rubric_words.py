"""A rubric in words for a whole reply: its banks, labels, scales and bands, in the words the reply's shape takes."""

from collections.abc import Iterator, Mapping, Sequence

from assay.domain.parts import LabelPart, ListPart, Option, PickPart
from assay.domain.rubric import Bank, Cap, Metric, Rubric
from assay.domain.scale import in_words
from assay.domain.units import NAMES, UnitKind
from assay.judges.prompted.schema import say_scale
from assay.judges.prompted.template import load_template

_LEFT_OUT = "(left out)"
_DOUBTFUL = {"partial": "doubtful", "absent": "doubtful", "contradicted": "doubtful", "no_fact": _LEFT_OUT}
_UNSUPPORTED = "Unsupported items"
# A shape has fewer words than a rubric has labels. A label that is not named here keeps its own name.
_SHAPE_WORDS: Mapping[tuple[str, UnitKind], Mapping[str, str]] = {
    ("article-audit", "claim"): {
        "supported": "Supported",
        "partial": "Partially",
        "absent": "Unsupported",
        "contradicted": "Unsupported",
        "no_fact": _LEFT_OUT,
    },
    ("search-summary", "claim"): _DOUBTFUL,
    ("search-summary", "question"): {"full": "true", "partial": "true", "no": "false"},
    ("comparison-faithfulness", "claim"): {
        "partial": _UNSUPPORTED,
        "absent": _UNSUPPORTED,
        "contradicted": _UNSUPPORTED,
        "no_fact": _LEFT_OUT,
    },
    ("opinion-relevance", "item"): {"covered": "Matched items"},
    ("opinion-relevance", "claim"): {"excess": "Excess items", "redundant": "Excess items"},
    ("trial-eligibility", "claim"): _DOUBTFUL,
}


def render_banks(rubric: Rubric) -> str:
    return "\n".join(_render_bank(bank) for bank in rubric.banks)


def render_metrics(rubric: Rubric) -> str:
    shape = rubric.shape or ""
    return "\n\n".join("\n".join(_render_metric(metric, shape)).strip() for metric in rubric.metrics) + "\n"


def render_options(options: Sequence[Option]) -> str:
    return "\n".join(f"- {option.name}: {option.meaning}" for option in options)


def _render_bank(bank: Bank) -> str:
    many = NAMES[bank.unit][1]
    count = f"from {bank.least} to {bank.most}" + (" for each source" if bank.each_source else "")
    lines = [f"## {many.capitalize()}", "", f"Write {count}. {bank.question}"]
    if bank.short_source_words:
        lines.append(f"A source of fewer than {bank.short_source_words} words owes only as many as it bears.")
    if bank.discussed_in is not None:
        stated = f", or what {' or '.join(bank.stated_in)} states" if bank.stated_in else ""
        lines.append(f"Keep only what at least {bank.discussed_times} {bank.discussed_in} raise{stated}.")
    return "\n".join([*lines, ""])


def _render_metric(metric: Metric, shape: str) -> Iterator[str]:
    """The metric's question and what its score rests on, no units of ours."""
    yield from (f"## {_name(metric)}", "", metric.question, "")
    for listed in metric.list_parts:
        if _is_asked(listed, shape):
            yield from _render_list(listed)
    for part in metric.label_parts:
        yield from _render_labels(part, shape)
    for pick in metric.pick_parts:
        yield from _render_pick(pick)
    yield from _render_numbers(metric)
    yield from (_render_cap(cap, shape) for cap in metric.caps)
    if metric.caps:
        yield ""


def _name(metric: Metric) -> str:
    """The key a reply has for it, where its name does not tell."""
    same = metric.name.lower().replace(" ", "_") == metric.id
    return metric.name if same else f"{metric.name} ({metric.id})"


def _is_asked(part: ListPart, shape: str) -> bool:
    """Not every list of a rubric has a place in the shape: what the reply can't hold is not asked for."""
    form = load_template(f"shape-{shape}")
    return all(f'"{field.name}"' in form for field in part.fields)


def _render_list(part: ListPart) -> Iterator[str]:
    limit = f" At most {part.words_at_most} words in all." if part.words_at_most else ""
    yield f"{part.id.replace('_', ' ').capitalize()}: {part.meaning}".rstrip(": ") + f":{limit}"
    for field in part.fields:
        options = f" One of: {', '.join(field.options)}." if field.options else ""
        yield f"- {field.name}: {field.meaning}{options}"
    yield ""


def _render_labels(part: LabelPart, shape: str) -> Iterator[str]:
    meanings: dict[str, list[str]] = {}
    for option in part.options:
        meanings.setdefault(_say_label(option.name, part.unit, shape), []).append(option.meaning)
    yield f"Each {NAMES[part.unit][0]} is one of:"
    yield from (f"- {word}: {' Or: '.join(said)}" for word, said in meanings.items())
    yield ""
    if part.qualifier is not None:
        yield from (f"Its {part.qualifier.name} where there is a doubt:", render_options(part.qualifier.options), "")


def _say_label(label: str, unit: UnitKind, shape: str) -> str:
    return _SHAPE_WORDS.get((shape, unit), {}).get(label, label)


def _render_pick(part: PickPart) -> Iterator[str]:
    count = "One." if part.most == 1 else f"{part.most} at most."
    yield f"{part.id.replace('_', ' ').capitalize()}: {part.meaning or count}" + (f" {count}" if part.meaning else "")
    if part.options:
        yield render_options(part.options)
    yield ""


def _render_numbers(metric: Metric) -> Iterator[str]:
    """Every number the reply brings has its range, and the rows by which it is chosen."""
    for grade in metric.grade_parts:
        name = "" if grade.id == "grade" else f"{grade.id}: "
        yield f"{name}{say_scale(grade.scale)}"
        yield from (f"- {in_words(level.level)}: {level.meaning}" for level in grade.levels)
        if name or metric.bands:
            yield ""
    if not any(grade.id == "grade" for grade in metric.grade_parts):
        name = "The score of the metric as a whole: " if metric.grade_parts else ""
        yield f"{name}{say_scale(metric.scale)}"
    if metric.bands:
        yield from (f"- {_say_band(band)}" for band in metric.bands)
        yield from (f"- {name}: {value}" for name, value in metric.settings.items() if _is_level(value, metric))
    yield ""


def _say_band(band: Mapping[str, str]) -> str:
    (first, value), *rest = band.items()
    return f"{first} {value}: {', '.join(_say_bound(name, bound) for name, bound in rest)}"


def _say_bound(name: str, bound: str) -> str:
    return f"any number of {name.removesuffix(' at most')}" if bound == "any" else f"{name} {bound}"


def _is_level(value: str, metric: Metric) -> bool:
    return not metric.grade_parts and value.isdecimal()


def _render_cap(cap: Cap, shape: str) -> str:
    words = dict.fromkeys(_say_label(label, cap.unit, shape) for label in cap.labels)
    return f"At most {in_words(cap.limit)} where any {NAMES[cap.unit][0]} is {' or '.join(words)}."
