"""Brings a folder of results into a store, where it is a run like any other."""

from dataclasses import replace
from pathlib import Path

from assay.errors import InputError
from assay.ray.parts import BANK_FILE, RUN_FILE, read_cards, read_run
from assay.store.store import Store

_FLUSH_RECORDS = 1_000


def import_results(folder: Path, store: Store) -> str:
    """The id of the run. What can't be read leaves the store as it was."""
    kept = read_run(folder)
    if kept is None:
        remedy = f"Name the folder that --out named; it holds {RUN_FILE}."
        raise InputError("there are no results of a run on Ray", path=str(folder), remedy=remedy)
    run = kept.row.id
    if run in store.run_ids():
        remedy = f"To import it anew: `assay runs delete {run}` first."
        raise InputError(f"the store holds run {run} already", remedy=remedy)
    # Where `--bank RUN` finds its banks.
    parameters = {"bank": str((folder / BANK_FILE).resolve()), **kept.row.parameters}
    store.begin_run(replace(kept.row, state="running", finished=None, parameters=parameters))
    try:
        for count, (place, card) in enumerate(read_cards(folder, kept.row), start=1):
            store.add_record(run, place, card)
            if count % _FLUSH_RECORDS == 0:
                store.flush()
        store.add_usage(run, kept.usage)
        store.flush()
    except BaseException:
        store.delete_run(run)
        raise
    # Of a run that was killed the folder still says that it goes on.
    store.update_run(run, "done" if kept.row.state == "done" else "stopped", kept.row.finished)
    return run
