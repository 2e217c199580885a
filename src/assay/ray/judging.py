"""`assay.ray.judge()`: checks every record, starts the coordinator and the workers, and sees the run to its end."""

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assay.api.opening import Work, open_run
from assay.api.request import EMBEDDED, RunRequest
from assay.api.resuming import refuse_other_run
from assay.errors import InputError
from assay.files.rubrics import open_rubric
from assay.judges.judge import Judge
from assay.ray.coordinator import SPENT, Coordinator, Standing
from assay.ray.parts import BANK_FILE, KeptRun, read_judged, read_run, write_run
from assay.ray.reading import list_places, open_dataset
from assay.ray.worker import Worker
from assay.runner.run import require_count
from assay.store.runs import RunState, RunUsage

# Workers wait for replies most of the time, and must leave processors for reading: without one a run would never begin.
_WORKER_CPUS = 0.1
_MOST_IN_BATCH = 256
# Every worker may wait for the coordinator with all its records.
_COORDINATOR_CALLS = 10_000


@dataclass(frozen=True, slots=True)
class RayRun:
    """How a start of a run on Ray ended. `stopped` says which limit left records unjudged; `usage` is of all starts."""

    id: str
    folder: Path
    records: int
    judged: int
    failed: int
    usage: RunUsage
    stopped: str | None = None

    @property
    def is_spent(self) -> bool:
        """Whether it was the budget."""
        return self.stopped == SPENT


def judge(  # noqa: PLR0913  # as `assay.judge`, with what a cluster adds
    records: Any,
    rubric: str | Path,
    judge: str | Judge | Sequence[str | Judge] = EMBEDDED,
    *,
    out: str | Path,
    address: str | None = None,
    actors: int = 2,
    map: Mapping[str, str] | None = None,  # noqa: A002  # the name of the command's option
    limit: int | None = None,
    skip_invalid: bool = False,
    **options: Any,
) -> RayRun:
    """Judges a dataset on a Ray cluster and writes a folder of Parquet. A second start goes on where the first ended.

    Args:
        records: a `ray.data.Dataset`, a path as `assay.judge` takes it, or a folder or address of Parquet files.
        rubric: the id of an installed rubric, or the path of a rubric file.
        judge: as `assay.judge` takes it. Each worker opens its own, with keys from the environment of its node.
        out: the folder of results, which every node can write to. Records whose results it holds are left out.
        address: the cluster, as `ray.init` takes it. By default the one that is connected, or a new one here.
        actors: how many workers judge. Each judges as many records at a time as `workers` says.
        map: {input: column} where the records name a rubric's inputs differently.
        limit: judge only the first records.
        skip_invalid: keep records that can't be read as `invalid_record` instead of raising.
        options: the fields of `RunRequest`, except `resume`, `recorder` and `no_cache`. The budget and the rates hold
            for all workers together.

    Raises:
        InputError: something in the arguments or the records is wrong, or a key was refused.

    """
    require_count(actors, "actors")
    for name in ("resume", "recorder", "no_cache"):
        if options.get(name):
            remedy = "Leave it out. A second start with the same `out` goes on by itself."
            raise InputError(f"`{name}` has no meaning on Ray", remedy=remedy)
    names = judge if isinstance(judge, Sequence) and not isinstance(judge, str) else [judge]
    request = _find_files(RunRequest(judges=tuple(names), **options))
    opened, folder = open_rubric(str(rubric)), Path(out).resolve()
    ray = _connect(address)
    dataset, source = open_dataset(records, opened, map or {}, limit)
    done = read_judged(folder)
    places = list_places(dataset, done, skip_invalid=skip_invalid)
    # Opened here only to find what is wrong: nothing is sent.
    run = open_run(replace(request, bank=None), Work(opened, (), source, {"limit": limit}))
    if run.row is None:
        raise AssertionError("a run without a store is always new")
    bank = str(request.bank or folder / BANK_FILE)
    row = replace(run.row, record_count=len(places), parameters={**run.row.parameters, "bank": bank})
    kept = read_run(folder)
    if kept is None and done:
        raise InputError("the folder holds results of no known run", path=str(folder), remedy="Name another as `out`.")
    if kept is not None:
        refuse_other_run(kept.row, row, is_generated=False)
        row = replace(row, id=kept.row.id, started=kept.row.started)
    before = RunUsage() if kept is None else kept.usage
    write_run(folder, KeptRun(row, before))
    if places.keys() <= done.keys():
        write_run(folder, KeptRun(replace(row, state="done", finished=datetime.now(UTC)), before))
        return RayRun(row.id, folder, len(places), len(places), 0, before)
    coordinator = (
        ray.remote(Coordinator)
        .options(name=f"assay-{row.id}", num_cpus=0, max_concurrency=_COORDINATOR_CALLS)
        .remote(request, places, set(done), bank)
    )
    try:
        _carry_out(ray, dataset, (coordinator, request, row, str(folder)), actors, len(places))
    finally:
        standing: Standing = ray.get(coordinator.get_standing.remote())
        ray.kill(coordinator)
        state: RunState = "done" if standing.judged == len(places) else "stopped"
        ended = replace(row, state=state, finished=datetime.now(UTC))
        usage = before.plus(standing.usage)
        write_run(folder, KeptRun(ended, usage))
    if standing.error is not None:
        raise InputError(standing.error)
    return RayRun(row.id, folder, len(places), standing.judged, standing.failed, usage, standing.stopped)


def _carry_out(ray: Any, dataset: Any, shared: tuple[object, ...], actors: int, count: int) -> None:
    """Small batches, so that every worker gets some; a worker that dies is started again by Ray, with its batch."""
    size = max(1, min(_MOST_IN_BATCH, -(-count // (2 * actors))))
    begun = dataset.repartition(target_num_rows_per_block=size).map_batches(
        Worker,
        fn_constructor_args=shared,
        batch_size=size,
        batch_format="pyarrow",
        num_cpus=_WORKER_CPUS,
        compute=ray.data.ActorPoolStrategy(size=actors),
    )
    for _ in begun.iter_rows():
        pass


def _connect(address: str | None) -> Any:
    try:
        import ray
        import ray.data
    except ModuleNotFoundError:
        raise InputError("Ray is not installed", remedy="Install it with `pip install 'assay-judge[ray]'`.") from None
    if not ray.is_initialized():
        # A cluster that is started here reports nothing about itself.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(address=address, log_to_driver=False, include_dashboard=None if address else False)
    logging.getLogger("ray.data").setLevel(logging.WARNING)
    return ray


def _find_files(request: RunRequest) -> RunRequest:
    """Whole paths: workers have other working folders."""
    names = ("providers", "prompt", "prices", "bank")
    found: dict[str, Any] = {
        name: Path(value).resolve() for name in names if (value := getattr(request, name)) is not None
    }
    judges = tuple(_find_judge(each) if isinstance(each, str) else each for each in request.judges)
    return replace(request, judges=judges, **found)


def _find_judge(name: str) -> str:
    kind, colon, path = name.partition(":")
    is_file = kind in {"recorded", "local"} and colon and Path(path).exists()
    return f"{kind}:{Path(path).resolve()}" if is_file else name
