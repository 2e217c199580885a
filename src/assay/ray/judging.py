"""`assay.ray.judge()`: checks every record, starts the coordinator and the workers, and sees the run to its end."""

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assay.api.config import EMBEDDED, RUN_OPTIONS, RunConfig
from assay.api.judging import list_judges
from assay.api.kept import find_bank
from assay.api.opening import Work, open_run, refuse_other_run
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files.label_map import map_labels
from assay.files.rubrics import choose_metrics, open_rubric
from assay.judges.judge import Judge
from assay.options import NO_RAY, takes_options
from assay.private_files import make_private
from assay.ray.coordinator import SPENT, Coordinator, Standing
from assay.ray.parts import BANK_FILE, KeptRun, read_judged, read_run, write_run
from assay.ray.reading import list_places, open_dataset
from assay.ray.worker import Worker
from assay.runner.run import require_count
from assay.store.locking import RunLock
from assay.store.runs import RunRow, RunState, RunUsage

# Workers wait for replies most of the time, and must leave processors for reading: without one a run would never begin.
_WORKER_CPUS = 0.1
# A batch ends when its last record does, so it holds many times what a worker judges at a time.
_BATCH_ROUNDS = 32
# Every worker may wait for the coordinator with all its records.
_COORDINATOR_CALLS = 10_000
_NOT_ON_RAY = tuple(each.name for each in RUN_OPTIONS if NO_RAY in each.where)


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


@takes_options("assay.ray.judge", RunConfig, leave_out=("judges", *_NOT_ON_RAY))
def judge(  # noqa: PLR0913  # the keywords of `assay.judge`, and where it runs
    records: Any,
    rubric: str | Path,
    judge: str | Judge | Sequence[str | Judge] = EMBEDDED,
    *,
    out: str | Path,
    address: str | None = None,
    actors: int = 2,
    map: Mapping[str, str] | None = None,  # noqa: A002  # the name of the command's option
    label_map: Mapping[str, str] | Sequence[str] = (),
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
        map: as `assay.judge` takes it.
        label_map: as `assay.judge` takes it.
        limit: judge only the first records.
        skip_invalid: as `assay.judge` takes it.
        options: the other options of `assay judge` that have a meaning here, listed below. The budget and the rates
            hold for all workers together.

    Raises:
        InputError: something in the arguments or the records is wrong, or a key was refused.

    """
    request = RunConfig(judges=tuple(list_judges(judge)), **options)
    opened = choose_metrics(map_labels(open_rubric(str(rubric)), label_map), request.metrics)
    return RayJob(records, opened, request, Path(out), address, actors, map, limit, skip_invalid).carry_out()


@dataclass(frozen=True, slots=True)
class RayJob:
    """A run on Ray before it begins: what `judge` takes."""

    records: Any
    rubric: Rubric
    request: RunConfig
    out: Path
    address: str | None = None
    actors: int = 2
    map: Mapping[str, str] | None = None
    limit: int | None = None
    skip_invalid: bool = False

    def carry_out(self) -> RayRun:
        require_count(self.actors, "actors")
        if self.request.side_by_side:
            message = "`side_by_side` does not work on Ray: the outputs of a group may be in the batches of two workers"
            raise InputError(message, remedy="Judge them on one machine, or leave `side_by_side` out.")
        for name in _NOT_ON_RAY:
            if getattr(self.request, name):
                remedy = "Leave it out. A second run with the same `out` resumes automatically."
                raise InputError(f"`{name}` does not apply on Ray", remedy=remedy)
        request = _find_files(self.request)
        # Opened here only to find what is wrong: nothing is sent.
        row = open_run(request, Work(self.rubric, (), "", {"limit": self.limit})).row
        if row is None:
            raise AssertionError("without a store every run is new")
        ray, folder = _connect(self.address), self.out.resolve()
        refuse_few_processors(ray.cluster_resources().get("CPU", 0), self.actors)
        dataset, source = open_dataset(self.records, self.rubric, self.map or {}, self.limit)
        lock = _lock(folder)
        try:
            done = read_judged(folder)
            places = list_places(dataset, done, skip_invalid=self.skip_invalid)
            row = replace(row, records_source=source, record_count=len(places))
            begun = _take_up(folder, row, is_new=not done)
            bank = str(request.bank or folder / BANK_FILE)
            coordinator = _start_coordinator(ray, begun.row.id).remote(request, places, set(done), bank)
            try:
                if not places.keys() <= done.keys():
                    self._hand_out(ray, dataset, len(places), (coordinator, request, begun.row, str(folder)))
            finally:
                standing: Standing = ray.get(coordinator.get_standing.remote())
                ray.kill(coordinator)
                state: RunState = "done" if standing.judged == len(places) else "stopped"
                ended = replace(begun.row, state=state, finished=datetime.now(UTC))
                usage = begun.usage.plus(standing.usage)
                write_run(folder, KeptRun(ended, usage))
        finally:
            lock.release()
        if standing.error is not None:
            raise InputError(standing.error)
        return RayRun(ended.id, folder, len(places), standing.judged, standing.failed, usage, standing.stopped)

    def _hand_out(self, ray: Any, dataset: Any, count: int, shared: tuple[object, ...]) -> None:
        """Gives the workers batches. Ray starts a worker that dies again, with its batch."""
        size = min(_BATCH_ROUNDS * self.request.records_under_way, -(-count // (2 * self.actors)))
        begun = dataset.repartition(target_num_rows_per_block=size).map_batches(
            Worker,
            fn_constructor_args=shared,
            batch_size=size,
            batch_format="pyarrow",
            num_cpus=_WORKER_CPUS,
            compute=ray.data.ActorPoolStrategy(size=self.actors),
        )
        for _ in begun.iter_rows():
            pass


def refuse_few_processors(count: float, actors: int) -> None:
    """Reading claims a whole processor. Where workers leave none, Ray waits for ever and says nothing.

    A cluster that has none yet may still grow.
    """
    if 0 < count < 1 + actors * _WORKER_CPUS:
        message = f"{actors} workers leave none of the {count:g} processors for reading"
        raise InputError(message, remedy="Start the cluster with more processors, such as `ray start --num-cpus 2`.")


def _lock(folder: Path) -> RunLock:
    """Two drivers that fill one folder would judge, and pay for, the same records."""
    folder.mkdir(parents=True, exist_ok=True)
    make_private(folder)
    try:
        return RunLock(str(folder / "_assay"), "folder")
    except InputError:
        message, remedy = "another process judges into this folder", "Wait until it has ended, or end it."
        raise InputError(message, path=str(folder), remedy=remedy) from None


def _take_up(folder: Path, row: RunRow, *, is_new: bool) -> KeptRun:
    """The run of the folder: a new one, or the one that it holds, if it was begun with the same options."""
    kept = read_run(folder)
    if kept is None and not is_new:
        message, remedy = "the folder holds results of an unknown run", "Name another folder as `out`."
        raise InputError(message, path=str(folder), remedy=remedy)
    if kept is not None:
        try:
            refuse_other_run(kept.row, row, is_generated=False)
        except InputError as error:
            remedy = "Write the same rubric, judges and options, or name another folder as `out`."
            raise InputError(error.message, path=str(folder), remedy=remedy) from None
        row = replace(row, id=kept.row.id, started=kept.row.started, name=kept.row.name)
    begun = KeptRun(row, RunUsage() if kept is None else kept.usage)
    write_run(folder, begun)
    return begun


def _start_coordinator(ray: Any, run: str) -> Any:
    """On the node of the driver, which the run can't outlive anyway."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    return ray.remote(Coordinator).options(
        name=f"assay-{run}",
        num_cpus=0,
        max_concurrency=_COORDINATOR_CALLS,
        scheduling_strategy=here,
        # Else Ray keeps an event of every call: 14 GB after some thousands of records.
        enable_task_events=False,
    )


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


def _find_files(request: RunConfig) -> RunConfig:
    """Whole paths: workers have other working folders."""
    given = {name: getattr(request, name) for name in ("providers", "prompt", "prices")}
    found: dict[str, Any] = {name: Path(path).resolve() for name, path in given.items() if path is not None}
    judges = tuple(_find_judge(each) for each in request.judges)
    return replace(request, judges=judges, bank=find_bank(request.bank, None), **found)


def _find_judge(judge: str | Judge) -> str | Judge:
    kind, _, path = judge.partition(":") if isinstance(judge, str) else ("", "", "")
    return f"{kind}:{Path(path).resolve()}" if kind in {"recorded", "local"} and Path(path).exists() else judge
