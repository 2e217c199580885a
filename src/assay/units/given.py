"""Units that a record brings with it: its criteria, and its sources."""

from collections.abc import Mapping
from fractions import Fraction

from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.units import Unit

TEXT, POINTS, ID = "text", "points", "id"
"""The fields of a criterion."""
_LONGEST_NAME = 80


def list_criteria(record: Record, rubric: Rubric) -> tuple[Unit, ...]:
    """In the order of the record, whose reader has checked them; each with its points, and its id as context."""
    given = rubric.input("criteria")
    value = None if given is None else record.inputs.get(given.name)
    units: list[Unit] = []
    for each in value if isinstance(value, list) else ():
        fields = each if isinstance(each, Mapping) else {TEXT: each}
        points = Fraction(str(fields.get(POINTS, 1)))
        unit = Unit("", "criterion", str(fields[TEXT]), context=str(fields.get(ID, "")), points=points)
        units.append(unit.numbered(len(units) + 1))
    return tuple(units)


def list_sources(record: Record) -> tuple[Unit, ...]:
    """Those that have a text, under their own ids."""
    return tuple(
        Unit(source.id, "source", source.title or source.url or source.text[:_LONGEST_NAME], sources=(source.id,))
        for source in record.sources
        if source.text.strip()
    )
