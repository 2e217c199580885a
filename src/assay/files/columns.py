"""Which column of a foreign file holds which field."""

from collections.abc import Iterable, Iterator, Mapping

from assay.domain.json import JSON
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files.json_values import fold
from assay.files.place import Place
from assay.files.record_builder import FIELDS, known_fields
from assay.files.sections import nearest


class Columns:
    """A field with a column takes its value from there; a column that happens to have the field's name gives way."""

    def __init__(self, mapping: Mapping[str, str], rubric: Rubric) -> None:
        known = {fold(name): name for name in known_fields(rubric)}
        for field in mapping:
            if fold(field) not in known:
                message = f"there is no field {field!r} that a column could be mapped to"
                raise InputError(message, remedy=nearest(field, known.values()))
        self._columns = {known[fold(field)]: column for field, column in mapping.items()}
        self._folded = {fold(column) for column in self._columns.values()}
        self._required = {spec.name for spec in rubric.inputs if spec.required}

    def apply(self, values: Mapping[str, JSON]) -> Mapping[str, JSON]:
        """A record may lie one level down; then its columns are looked for there."""
        if not self._columns:
            return values
        if not self._folded.isdisjoint(map(fold, values)):
            return self._rename(values)
        return {
            key: self._rename(value) if isinstance(value, Mapping) and fold(key) not in FIELDS else value
            for key, value in values.items()
        }

    def names_in(self, values: Mapping[str, JSON]) -> Iterator[str]:
        """The names among which `apply` looks for columns."""
        if not self._columns:
            return
        yield from values
        for value in values.values():
            if isinstance(value, Mapping):
                yield from value

    def check_found(self, names: Iterable[str], place: Place, *, only_required: bool = False) -> None:
        """A column that no record has is a slip of the pen, not an absent field."""
        held = list(names)
        folded = set(map(fold, held))
        for field, column in self._columns.items():
            if fold(column) not in folded and (field in self._required or not only_required):
                raise place.fault(f"there is no column {column!r}, mapped to {field}", nearest(column, held))

    def _rename(self, values: Mapping[str, JSON]) -> Mapping[str, JSON]:
        held = {fold(key): value for key, value in values.items()}
        taken = {field: held[fold(column)] for field, column in self._columns.items() if fold(column) in held}
        hidden = self._folded | set(map(fold, taken))
        return {**{key: value for key, value in values.items() if fold(key) not in hidden}, **taken}
