"""Reads the section `Reply shape` of a rubric: what stands where in a reply of the rubric's own format."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import cast, get_args

from assay.domain.rubric import Metric
from assay.domain.shape import Form, Holds, Shape, ShapeRow, ShapeWord
from assay.files.markdown import MarkdownSection, NamedText
from assay.files.rubric_metrics import UNIT_NAMES

_UNITS = re.compile(r"each (?P<unit>[a-z ]+?)(?: that is (?P<label>\w+))?|count of (?P<counted>[a-z ]+)s")
_NAMED = ("figure", "grade", "list", "pick")
_BARE = ("score", "reason", "label", "note", "source", "sources")
_TEXTS = ("steps", "values", "facts", "extent")
_REMEDY = (
    "Write score, reason, label, note, source, sources, `each claim`, `each claim that is absent`,"
    " `count of items`, text steps, text values, text facts, text extent, or figure, grade, list or pick with a name."
)


def read_shape(section: MarkdownSection, metrics: tuple[Metric, ...]) -> Shape:
    """The rows name metrics of the rubric, and the parts of those metrics."""
    form = cast("Form", section.get("form").choice(get_args(Form)))
    section.check_headings(("Words",))
    if form == "score":
        if len(metrics) != 1:
            remedy = "For several metrics write `form: object` and a table of keys."
            raise section.fault("a shape of one score needs a rubric of one metric", remedy)
        return Shape(form, tuple(ShapeRow(metric.id, metric.id, "score") for metric in metrics))
    table = section.get_table(("metric", "place", "holds"), repeats=True)
    words = [
        each.get_table(("unit", "word", "label"), ("also",), repeats=True) for each in section.find_sections("Words")
    ]
    return Shape(
        form=form,
        rows=tuple(_read_row(row, metrics) for row in table.rows),
        words=tuple(_read_word(row) for table in words for row in table.rows),
        named_by=section.get("named by", "" if form != "objects" else None).text,
        example=tuple(Fraction(name) for name in section.get("example scores", "").names()),
        opening=section.get("opening", "" if form != "explanation" else None).text,
    )


def _read_row(row: Mapping[str, NamedText], metrics: tuple[Metric, ...]) -> ShapeRow:
    name = row["metric"].choice(metric.id for metric in metrics)
    metric = next(metric for metric in metrics if metric.id == name)
    place, cell = row["place"].filled(), row["holds"]
    if units := _UNITS.fullmatch(cell.text):
        unit = units["unit"] or units["counted"]
        if unit not in UNIT_NAMES:
            raise cell.misfit(f"Units are {', '.join(UNIT_NAMES)}.")
        return ShapeRow(name, place, "count" if units["counted"] else "unit", "", UNIT_NAMES[unit], units["label"])
    holds, _, about = cell.text.partition(" ")
    if holds in _BARE and not about:
        return ShapeRow(name, place, cast("Holds", holds))
    if holds == "text" and about in _TEXTS:
        return ShapeRow(name, place, "text", about)
    if holds not in _NAMED or not about:
        raise cell.misfit(_REMEDY)
    part = about.partition(".")[0]
    if holds != "figure" and part not in {each.id for each in metric.parts}:
        raise cell.misfit(f"{name} has no {holds} {part!r}.")
    return ShapeRow(name, place, cast("Holds", holds), about)


def _read_word(row: Mapping[str, NamedText]) -> ShapeWord:
    also = row["also"].names() if "also" in row else ()
    return ShapeWord(UNIT_NAMES[row["unit"].choice(UNIT_NAMES)], row["word"].filled(), row["label"].filled(), also)
