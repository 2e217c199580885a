"""Finds the fields of a record among the columns of a row: by the user's mapping, else by the names of a format."""

import ast
from collections.abc import Mapping

from assay.domain.json import JSON
from assay.domain.rubric import Input, Rubric
from assay.errors import InputError
from assay.files.formats import Format
from assay.files.json_lines import KEEP_ONE, parse_json
from assay.files.json_values import fold, is_absent, is_list
from assay.files.place import Place, nearest
from assay.files.record_builder import FIELDS, known_fields

_NAMES = ("id", "system", "item")


class Columns:
    """Which column holds which field. A column that happens to have the name of a mapped field is left out.

    The cells of a table (`is_table`) may hold JSON. `found` is the format of another tool, if the input has one.
    """

    def __init__(
        self, mapping: Mapping[str, str], rubric: Rubric, path: str | None, found: Format | None, *, is_table: bool
    ) -> None:
        known = {fold(name): name for name in known_fields(rubric)}
        for name in mapping:
            if fold(name) not in known:
                message = f"there is no field {name!r} that a column could be mapped to"
                raise InputError(message, remedy=nearest(name, known.values()))
        self.format = found
        self._path = path
        self._is_table = is_table
        self._mapped = {known[fold(name)]: column for name, column in mapping.items()}
        self._folded = set(map(fold, self._mapped.values()))
        self._inputs = {fold(spec.name): spec for spec in rubric.inputs}
        by_role = [(role, _find_input(rubric, role), names) for role, names in (found.columns if found else {}).items()]
        self._of_format = [
            (role, spec, names) for role, spec, names in by_role if spec and spec.name not in self._mapped
        ]
        self._seen: dict[str, None] = {}

    def arrange(self, values: Mapping[str, JSON], place: Place) -> Mapping[str, JSON]:
        """The row under the names of the fields. A mapped column is at the top, or in an object one level down."""
        if not (self._mapped or self.format or self._is_table):
            return values
        for each in (values, *values.values()):
            self._seen.update(dict.fromkeys(each if isinstance(each, Mapping) else ()))
        is_top = not self._folded.isdisjoint(map(fold, values))
        values = _rename(values, {**self._find_by_format(values, place), **(self._mapped if is_top else {})})
        if self._mapped and not is_top:
            values = {
                key: _rename(value, self._mapped) if isinstance(value, Mapping) and fold(key) not in FIELDS else value
                for key, value in values.items()
            }
        # An empty cell is an absent field, or a blank one if it is required.
        return {
            name: self._read_cell(name, cell, place)
            for name, cell in values.items()
            if cell != "" or not self._is_table or self._is_required(name)
        }

    def check_found(self, place: Place | None = None) -> None:
        """Refuses a column that no record has: it is a typing mistake, not an absent field.

        At the place of a fault, which the mistake may explain, only the columns of required fields must be there yet.
        """
        seen = set(map(fold, self._seen))
        for name, column in self._mapped.items():
            if fold(column) not in seen and (place is None or self._is_required(name)):
                where = place or Place(self._path, None)
                raise where.fault(
                    f"there is no column {column!r}, which is mapped to {name}", nearest(column, self._seen)
                )

    def _is_required(self, name: str) -> bool:
        spec = self._inputs.get(fold(name))
        return spec is not None and spec.required

    def _find_by_format(self, values: Mapping[str, JSON], place: Place) -> dict[str, str | None]:
        """The columns of inputs that the user does not map; None for an output without one.

        A query or source under the rubric's own name is kept. An output never is: it may be the expected answer.
        Raises InputError where two columns may be meant.
        """
        found: dict[str, str | None] = {}
        for role, spec, names in self._of_format:
            if role != "output" and not is_absent(values.get(spec.name)):
                continue
            held = [name for name in names if not is_absent(values.get(name))]
            if len(held) > 1:
                listed = " and ".join(f"`{name}`" for name in held)
                remedy = f'Choose one: `--map {spec.name}={held[0]}`, in Python `map={{"{spec.name}": "{held[0]}"}}`.'
                raise place.fault(f"{listed} may both be the {role} ({spec.name})", remedy)
            found[spec.name] = held[0] if held else None
        return found

    def _read_cell(self, name: str, cell: JSON, place: Place) -> JSON:
        """The JSON of a table's cell, and the list of another tool's.

        A text may start with [1]: where text is wanted, only a list of texts is read as JSON.
        """
        spec = self._inputs.get(fold(name))
        if self.format is not None and spec is not None and spec.kind in {"texts", "documents"}:
            cell = _fit_list(cell)
        if not self._is_table or not isinstance(cell, str):
            return cell
        kind = spec.kind if spec else "facets" if fold(name) == "facets" else None
        is_text = kind == "value" or (spec is None and fold(name) in _NAMES)
        if is_text or not cell.lstrip().startswith(("[", "{")):
            return cell
        try:
            value = parse_json(cell, Place(None, None))
        except InputError as error:
            if kind in {None, "text"}:
                return cell
            remedy = f'JSON has double quotes: write `["…"]`. A cell of {name} that starts with [ or {{ is JSON.'
            remedy = KEEP_ONE if error.remedy == KEEP_ONE else remedy
            raise place.fault(f"the cell of {name}: {error.message}", remedy) from error
        is_texts = is_list(value) and all(isinstance(each, str) for each in value)
        return cell if kind == "text" and not is_texts else value


def _rename(values: Mapping[str, JSON], columns: Mapping[str, str | None]) -> Mapping[str, JSON]:
    """The row with its columns under the names of their fields. A field whose column is None is left out."""
    if not columns:
        return values
    held = {fold(key): value for key, value in values.items()}
    taken = {name: held[fold(column)] for name, column in columns.items() if column and fold(column) in held}
    hidden = {fold(column or name) for name, column in columns.items()} | set(map(fold, taken))
    return {**{key: value for key, value in values.items() if fold(key) not in hidden}, **taken}


def _find_input(rubric: Rubric, role: str) -> Input | None:
    """The one input of a role; None where there are several, which only the user can tell apart."""
    of_role = [spec for spec in rubric.inputs if spec.role == role]
    wanted = [spec for spec in of_role if spec.required] or of_role
    return wanted[0] if len(wanted) == 1 else None


def _fit_list(value: JSON) -> JSON:
    """A single text where a list is wanted is a list of one. A list as Python writes it into a table is a list."""
    if not isinstance(value, str):
        return value
    if not value.lstrip().startswith("["):
        return [value]
    try:
        return parse_json(value, Place(None, None))
    except InputError:
        pass
    try:
        read = ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return value
    # Only what Python writes back alike: `['a' 'b']`, as NumPy writes two texts, would be read as one.
    is_texts = isinstance(read, list) and all(isinstance(each, str) for each in read)
    return read if is_texts and repr(read) == value else value
