"""Which run may be resumed: the same rubric, judges, settings and records as when it began."""

from itertools import islice

from assay.domain.record import Record
from assay.errors import InputError
from assay.files.records import InvalidRecord, Records
from assay.runner.walk import stand_in
from assay.store.codec import digest_record
from assay.store.rows import Judged
from assay.store.runs import RunRow
from assay.store.store import Store


def refuse_other_run(kept: RunRow, asked: RunRow, *, is_generated: bool) -> None:
    """A run goes on under the rubric, judges and settings it was begun with, or it would be two runs in one.

    Of a run whose settings make its records, every setting counts.
    """
    begun, typed = _find_command(kept), _find_command(asked)
    if begun != typed:
        # The records of an attack are made by it: judged under its run, others would count as its trials.
        remedy = f"Go on with it by `assay {begun}`, or name a run of `assay {typed}` (see `assay runs list`)."
        raise InputError(f"`assay {begun}` has begun run {kept.id}", remedy=remedy)
    if kept.rubric_digest != asked.rubric_digest:
        remedy = "Use the rubric it was begun with, or begin a new run without `resume`."
        what = "another version of" if kept.rubric_id == asked.rubric_id else "another rubric:"
        raise InputError(f"run {kept.id} was begun with {what} {kept.rubric_id}", remedy=remedy)
    if asked.name not in {None, kept.name}:
        begun = "without a name" if kept.name is None else f"as {kept.name!r}"
        remedy = "Leave out `name`, or begin a new run without `resume`."
        raise InputError(f"run {kept.id} was begun {begun}", remedy=remedy)
    if kept.judges != asked.judges:
        remedy = f"It was begun with {', '.join(kept.judges)}. Name the same, or begin a new run without `resume`."
        raise InputError(f"run {kept.id} was begun with other judges than {', '.join(asked.judges)}", remedy=remedy)
    if kept.parameters.get("endpoints") != asked.parameters.get("endpoints"):
        remedy = "Give the base URL it was begun with, or begin a new run without `resume`."
        raise InputError(f"run {kept.id} was begun with another base URL", remedy=remedy)
    for name in ("samples", "joint", "bank", "batch", "metrics", "side_by_side"):
        before, now = (str(run.parameters.get(name, "")) for run in (kept, asked))
        if before != now:
            said = {"": f"no `{name}` given", "False": "one call per metric", "True": "one call for all metrics"}
            said["yes"] = f"with `{name}`"
            _refuse_settings(kept, f": {said.get(before, f'`{name}` {before}')}")
    if is_generated and (kept.parameters, kept.records_source) != (asked.parameters, asked.records_source):
        _refuse_settings(kept)


def _find_command(run: RunRow) -> str:
    """Only an attack has variants."""
    return "attack" if "variants" in run.parameters else "judge"


def _refuse_settings(kept: RunRow, which: str = "") -> None:
    remedy = "Write the same options, or begin a new run without `resume`."
    raise InputError(f"run {kept.id} was begun with other settings{which}", remedy=remedy)


def refuse_other_records(kept: RunRow, records: Records | tuple[Record, ...], source: str, store: Store) -> None:
    """Each record that the run has judged stands where it stood, as it was then, among as many others.

    Ids alone would not do: cards are looked up by id, and merged by place. What was not judged yet may differ, since
    nothing is kept of it. Both sides are read in the order of the records, one at a time.
    """
    given, following = iter(records), 0
    count = "there is 1 record in it" if len(records) == 1 else f"there are {len(records)} records in it"
    for judged in store.list_judged(kept.id):
        record = next(islice(given, judged.position - following, None), None)
        following = judged.position + 1
        if record is None:
            as_judged = f"has judged {_name(judged.record, judged.system)} as record {following}"
            raise _refusal(f"{count}, and run {kept.id} {as_judged}", kept, source)
        difference = _find_difference(kept, judged, stand_in(record) if isinstance(record, InvalidRecord) else record)
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


def _refusal(message: str, kept: RunRow, source: str) -> InputError:
    limit = kept.parameters.get("limit")
    begun = kept.records_source if limit is None else f"{kept.records_source} with `limit` {limit}"
    remedy = f"Give the records that it was begun with ({begun}), unchanged, or judge these as a new run"
    return InputError(message, path=source, remedy=f"{remedy} without `resume`.")


def _name(identifier: str, system: str | None) -> str:
    return f"{identifier!r:.80}" if system is None else f"{identifier!r:.80} of the system {system!r:.80}"
