"""People's preferences as rows of a label file: an item or a record, two systems, and which is better."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.files.place import Place
from assay.store.preferences import Choice, Preference

COLUMNS = ("item", "system_a", "system_b", "winner")
SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "system_a": ("system_a", "model_a"),
    "system_b": ("system_b", "model_b"),
    "winner": ("winner", "preference"),
}
NEEDED = "item or record, system_a, system_b, winner"
_WORDS: Mapping[Choice, tuple[str, ...]] = {
    "first": ("a", "left", "first", "system_a", "model_a"),
    "second": ("b", "right", "second", "system_b", "model_b"),
    "tie": ("tie", "equal", "same", "draw", "both", "neither", "tie (bothbad)"),
    "unsure": ("can't tell", "can’t tell", "cannot tell", "unsure", "don't know", "don’t know"),
}
_CHOICES = {word: choice for choice, words in _WORDS.items() for word in words}


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """A preference and where it was written. Where a record is named, its item is the preference's."""

    preference: Preference
    place: Place = Place("the store", None)  # noqa: RUF009  # frozen
    run: str | None = None
    record: str | None = None

    @property
    def question(self) -> tuple[object, ...]:
        """A person answers it once."""
        return self.run, self.record, self.preference.question, self.preference.person


def is_preference(cells: Mapping[str, str]) -> bool:
    return not cells.keys().isdisjoint(COLUMNS[1:])


def read_choice(cells: Mapping[str, str], place: Place) -> Choice | None:
    """What the winner says of the first and the second system; None where the cell is blank."""
    first, second, said = cells["system_a"], cells["system_b"], cells.get("winner")
    if first == second:
        raise place.fault(f"system_a and system_b are both {first!r}", "Name two systems.")
    if said is None:
        return None
    by_name: Choice | None = "first" if said == first else "second" if said == second else None
    by_word = _CHOICES.get(said.casefold())
    if by_name is not None and by_word not in {None, by_name}:
        raise place.fault(f"winner {said!r} is a side and the name of a system", "Rename the systems, or write left.")
    found = by_name or by_word
    if found is None:
        remedy = f"Write {first}, {second}, a, b, left, right, tie or can't tell; or leave it blank."
        raise place.fault(f"winner {said!r} is neither of the two systems", remedy)
    return found


def list_cells(run: str, preferences: Iterable[Preference], columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Rows under these columns, which are read back as the same preferences."""
    for each in preferences:
        cells = {"run": run, "item": each.item, "system_a": each.first, "system_b": each.second}
        # A side, not a name: a system may be called a or tie.
        winner = {"first": "left", "second": "right", "unsure": "can't tell"}.get(each.choice, each.choice)
        cells |= {"winner": winner, "person": each.person, "metric": each.metric, "note": each.note}
        cells["moment"] = each.moment.isoformat(timespec="microseconds")
        yield tuple(cells.get(name, "") for name in columns)
