"""One trial of an attack: a clean record, and the same record with a hostile or a merely odd text in it."""

from dataclasses import dataclass

from assay.domain.record import Record
from assay.labs.attack.family import Place, Variant

# The id of a record, and the system that answered it.
Key = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Trial:
    """`record` is `clean` with the variant in it, under an id of its own. What is benign only looks like an attack."""

    variant: Variant
    place: Place
    clean: Record
    record: Record
    is_benign: bool = False


def key_of(record: Record) -> Key:
    return record.id, record.system
