"""Reads what a record brings under the kinds of input that have a form of their own: criteria, messages, a table."""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

from assay.domain.json import JSON
from assay.domain.record import Source
from assay.files.json_values import describe, is_absent, is_blank, is_list, join_lines, rename, spell_entries
from assay.files.place import Place
from assay.units.given import ID, POINTS, TEXT
from assay.units.turns import ASSISTANT, join_answers, name_turn

EXAMPLES = {
    "criteria": '["…", {"text": "…", "points": -2}]',
    "messages": '[{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]',
    "table": '[{"region": "North", "sales": 120}, {"region": "South", "sales": 95}]',
}
# Lines of a cell are often written as a list.
_BULLET = re.compile(r"^\s*(?:[-*•–]|\d{1,3}[.)])\s+")
_MOST_POINTS = 1_000_000
_OTHER_NAME = "criterion"


def read_criteria(value: JSON, name: str, place: Place) -> list[JSON]:
    """Each as an object with text and points. A text has one criterion on each line; a blank one has none.

    Raises InputError for an empty list, a criterion without a text, an id that is there twice, and criteria that leave
    no point to be reached.
    """
    remedy = f'Write `"{name}": {EXAMPLES["criteria"]}`'
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
        message = f"no criterion of {name} has points above 0, so no points can be reached"
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


_ROLES = ("user", ASSISTANT, "system", "developer", "tool", "function")
_FIELDS = ("role", "content", "name", "tool_calls")
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Conversation:
    """`messages` are those that were read, as they go into the record."""

    messages: Sequence[Mapping[str, JSON]]

    @property
    def output(self) -> str:
        answers = [(at, each) for at, each in enumerate(self.messages, 1) if each["role"] == ASSISTANT]
        return join_answers([(at, str(each["content"])) for at, each in answers])

    def list_sources(self, name: str) -> tuple[Source, ...]:
        """The turns of everyone but the assistant, by their number and role."""
        return tuple(
            Source("", str(each["content"]), name_turn(at, str(each["role"]), str(each.get("name", ""))), None, name)
            for at, each in enumerate(self.messages, 1)
            if each["role"] != ASSISTANT and not is_blank(str(each["content"]))
        )


def read_messages(value: JSON, name: str, place: Place) -> Conversation:
    """Raises InputError for what is no list of messages, for a message that can't be read, and without an answer."""
    remedy = f'Write `"{name}": {EXAMPLES["messages"]}`'
    if isinstance(value, str) and is_blank(value):
        return Conversation(())
    if not is_list(value):
        raise place.fault(f"{name} is {describe(value)}, a list of messages is needed", remedy)
    messages = [_read_message(each, f"number {at} of {name}", place) for at, each in enumerate(value, 1)]
    if not any(each["role"] == ASSISTANT for each in messages):
        held = f"no message of the role {ASSISTANT}" if messages else "no message"
        raise place.fault(f"{name} has {held}: there is nothing to judge", remedy)
    return Conversation(messages)


def _read_message(value: JSON, name: str, place: Place) -> Mapping[str, JSON]:
    remedy = 'Write `{"role": "user", "content": "…"}`'
    if not isinstance(value, Mapping):
        raise place.fault(f"{name} is {describe(value)}, an object is needed", remedy)
    fields = rename(value, _FIELDS, place)
    role = fields.get("role")
    if is_absent(role):
        raise place.fault(f"{name} has no role; it has {', '.join(map(str, value)) or 'nothing'}", remedy)
    if role not in _ROLES:
        said = repr(role) if isinstance(role, str) else describe(role)
        raise place.fault(f"the role of {name} is {said:.60}", f"Write one of {', '.join(_ROLES)}")
    content = fields.get("content")
    if is_absent(content):
        # An answer that only calls tools says nothing.
        if role != ASSISTANT or is_absent(fields.get("tool_calls")):
            raise place.fault(f"{name} has no content; it has {', '.join(map(str, value))}", remedy)
        content = ""
    message: dict[str, JSON] = {"role": role, "content": _read_content(content, name, place)}
    if isinstance(speaker := fields.get("name"), str) and not is_blank(speaker):
        message["name"] = join_lines(speaker)[:_LONGEST_NAME]
    return message


def _read_content(value: JSON, name: str, place: Place) -> str:
    """A text, or parts that are texts, as some interfaces write them."""
    if isinstance(value, str):
        return value
    if not is_list(value):
        raise place.fault(f"the content of {name} is {describe(value)}, text is needed", 'Write `"content": "…"`')
    texts = []
    for part in value:
        text = part.get("text") if isinstance(part, Mapping) else part
        if not isinstance(text, str):
            kind = part.get("type") if isinstance(part, Mapping) else None
            said = f"of the type {kind!r:.40}" if isinstance(kind, str) else "that is not text"
            message = f"the content of {name} has a part {said}, and only text can be judged"
            raise place.fault(message, "Leave it out, or write in words what it holds")
        texts.append(text)
    return "\n\n".join(texts)


_SEPARATORS = ",;\t|"


def read_data_table(value: JSON, name: str, place: Place) -> list[Mapping[str, JSON]]:
    """Each row as an object. Raises InputError for what is no table, and for a row that does not fit the names."""
    remedy = f'Write `"{name}": {EXAMPLES["table"]}`'
    remedy += ", rows of which the first holds the names, or CSV text with a line of names"
    rows: Sequence[JSON]
    if isinstance(value, str):
        lines = [line for line in value.splitlines() if not is_blank(line)]
        if not lines:
            return []
        # The sign that stands most often in the line of names.
        separator = max(_SEPARATORS, key=lines[0].count)
        try:
            rows = list(csv.reader(lines, delimiter=separator, skipinitialspace=True))
        except csv.Error as error:
            raise place.fault(f"{name} can't be read as CSV: {error}", remedy) from error
    elif is_list(value):
        rows = value
    else:
        raise place.fault(f"{name} is {describe(value)}, a table is needed", remedy)
    if any(rows) and all(isinstance(row, Mapping) for row in rows):
        return [row for row in rows if isinstance(row, Mapping)]
    for at, row in enumerate(rows, 1):
        if not is_list(row):
            held = "beside rows of another form" if row else "and holds nothing"
            raise place.fault(f"row {at} of {name} is {describe(row)}, {held}", remedy)
    lists = [list(row) for row in rows if is_list(row)]
    if len(lists) < 2:  # names alone are no data
        raise place.fault(f"{name} has {'no row below the names' if lists else 'no row'}", remedy)
    names = [str(each).strip() for each in lists[0]]
    for at, row in enumerate(lists[1:], 2):
        if len(row) != len(names):
            message = f"row {at} of {name} has {len(row)} cells, but the header has {len(names)} names"
            raise place.fault(message, "Give each row a cell for each name; in CSV, put cells with commas in quotes")
    if len(set(names)) < len(names):
        raise place.fault(f"two columns of {name} have the same name", "Give each column its own name")
    return [dict(zip(names, row, strict=True)) for row in lists[1:]]


def format_rows(rows: Sequence[Mapping[str, JSON]]) -> str:
    """A row on each line, and each a sentence that a judge can quote."""
    return "\n".join(f"- {'; '.join(spell_entries(row))}" for row in rows)
