"""The records of a run that goes on, held to those it was begun with."""

from itertools import islice

from assay.domain.record import Record
from assay.errors import InputError
from assay.files.records import InvalidRecord, Records
from assay.runner.panel import stand_in
from assay.store.codec import digest_record
from assay.store.store import Judged, RunRow, Store


def refuse_other_records(kept: RunRow, records: Records | tuple[Record, ...], source: str, store: Store) -> None:
    """Each record that the run has judged stands where it stood, as it was then, among as many others.

    Ids alone would not do: cards are looked up by id, and merged by place. What was not judged yet may differ, since
    nothing is kept of it. Both sides are read in the order of the records, one at a time.
    """
    given, following = iter(records), 0
    count = _say_count(len(records))
    for judged in store.list_judged(kept.id):
        record = next(islice(given, judged.position - following, None), None)
        following = judged.position + 1
        if record is None:
            as_judged = f"has judged {_name(judged.record, judged.system)} as record {following}"
            raise _refusal(f"{count}, and run {kept.id} {as_judged}", kept, source)
        difference = _find_difference(kept, judged, _as_kept(record))
        if difference is not None:
            raise _refusal(difference, kept, source)
    if kept.record_count not in {None, len(records)}:
        raise _refusal(f"{count}, and run {kept.id} was begun with {kept.record_count}", kept, source)


def _find_difference(kept: RunRow, judged: Judged, record: Record) -> str | None:
    place, name = f"record {judged.position + 1}", _name(record.id, record.system)
    if (record.id, record.system) != (judged.record, judged.system):
        return f"{place} is {name}, and run {kept.id} has judged {_name(judged.record, judged.system)} in its place"
    if digest_record(record) != judged.digest:
        changed = "what it holds, or the order of its fields, was changed"
        return f"{place}, {name}, is not as run {kept.id} has judged it: {changed}"
    return None


def _as_kept(record: Record | InvalidRecord) -> Record:
    return stand_in(record) if isinstance(record, InvalidRecord) else record


def _refusal(message: str, kept: RunRow, source: str) -> InputError:
    limit = kept.parameters.get("limit")
    begun = kept.records_source if limit is None else f"{kept.records_source} with --limit {limit}"
    remedy = f"Give the records that it was begun with ({begun}), unchanged, or judge these as a new run"
    return InputError(message, path=source, remedy=f"{remedy} without --resume.")


def _say_count(count: int) -> str:
    return "there is 1 record in it" if count == 1 else f"there are {count} records in it"


def _name(identifier: str, system: str | None) -> str:
    return f"{identifier!r:.80}" if system is None else f"{identifier!r:.80} of the system {system!r:.80}"
