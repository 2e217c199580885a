"""Reads the criteria that a record brings: texts, or objects with a text, points and perhaps an id."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite

from assay.domain.json import JSON
from assay.files.json_values import describe, is_absent, is_blank, is_list, join_lines, rename
from assay.files.place import Place
from assay.units.given import ID, POINTS, TEXT

EXAMPLE = '["…", {"text": "…", "points": -2}]'
# Lines of a cell are often written as a list.
_BULLET = re.compile(r"^\s*(?:[-*•–]|\d{1,3}[.)])\s+")
_MOST_POINTS = 1_000_000
_OTHER_NAME = "criterion"


def read_criteria(value: JSON, name: str, place: Place) -> list[JSON]:
    """Each as an object with text and points. A text has one criterion on each line; a blank one has none.

    Raises InputError for an empty list, a criterion without a text, an id that is there twice, and criteria that leave
    no point to be reached.
    """
    remedy = f'Write `"{name}": {EXAMPLE}`'
    if isinstance(value, str):
        value = [_BULLET.sub("", line).strip() for line in value.splitlines() if not is_blank(line)]
        if not value:
            return []
    if not is_list(value):
        raise place.fault(f"{name} is {describe(value)}, a list of texts or objects is needed", remedy)
    if not value:
        raise place.fault(f"{name} is an empty list, at least one is needed", remedy)
    criteria = [_read_criterion(each, f"number {at} of {name}", place) for at, each in enumerate(value, 1)]
    _refuse_repeated_ids(criteria, name, place)
    if not any(Fraction(str(each[POINTS])) > 0 for each in criteria):
        message = f"no criterion of {name} has points above 0: nothing can be reached"
        raise place.fault(
            message, "Give what a good output has positive points, and what lowers its score negative ones"
        )
    return list(criteria)


def _read_criterion(value: JSON, name: str, place: Place) -> Mapping[str, JSON]:
    remedy = 'Write a text, or `{"text": "…", "points": 1, "id": "…"}`'
    if isinstance(value, str):
        value = {TEXT: value}
    if not isinstance(value, Mapping):
        raise place.fault(f"{name} is {describe(value)}, a text or an object is needed", remedy)
    fields = rename(value, (TEXT, POINTS, ID, _OTHER_NAME), place)
    text = fields.get(TEXT, fields.get(_OTHER_NAME))
    if not isinstance(text, str) or is_blank(text):
        raise place.fault(f"{name} has no text", remedy)
    criterion: dict[str, JSON] = {TEXT: join_lines(text), POINTS: _read_points(fields.get(POINTS), name, place)}
    if not is_absent(identifier := fields.get(ID)):
        if not isinstance(identifier, str | int) or isinstance(identifier, bool):
            raise place.fault(f"the id of {name} is {describe(identifier)}, text is needed", remedy)
        criterion[ID] = join_lines(str(identifier))
    return criterion


def _read_points(value: JSON, name: str, place: Place) -> int | float:
    if is_absent(value):
        return 1
    if isinstance(value, str):  # as some tables write numbers
        try:
            value = float(value)
        except ValueError:
            raise place.fault(f"the points of {name} are {value!r:.40}", "Write a number, such as 5 or -2") from None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise place.fault(f"the points of {name} are {describe(value)}", "Write a number, such as 5 or -2")
    if not isfinite(value) or abs(value) > _MOST_POINTS:
        raise place.fault(f"the points of {name} are {value}", f"Write a number up to {_MOST_POINTS:,}")
    return int(value) if value == int(value) else value


def _refuse_repeated_ids(criteria: Sequence[Mapping[str, JSON]], name: str, place: Place) -> None:
    seen: dict[JSON, int] = {}
    for at, each in enumerate(criteria, 1):
        if ID in each and seen.setdefault(str(each[ID]), at) != at:
            message = f"number {seen[str(each[ID])]} and number {at} of {name} have the same id {each[ID]!r:.60}"
            raise place.fault(message, "Give each criterion its own id, or leave the ids out")
