"""A run as a run of MLflow: parameters, figures of each metric, and a table with a row for each record."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from math import fsum
from typing import Any, get_args

from assay.domain.listed import build_listed
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import FailureStatus, InputError
from assay.report.export import flatten
from assay.report.result import build_result
from assay.report.summary import MetricSummary, Summary
from assay.runner.run import rubric_of
from assay.store.runs import RunRow

_TABLE = "records.json"
# MLflow refuses longer values.
_LONGEST_VALUE = 6_000


def export(run: RunRow, cards: Iterable[Scorecard], address: str, facets: Sequence[str]) -> int:
    """How many records were written. Each export is a new run of MLflow, in an experiment named after the rubric.

    Raises InputError where MLflow is not installed or refuses.
    """
    if find_spec("mlflow") is None:
        raise InputError("MLflow is not installed", remedy="Install it with: pip install 'assay-judge[mlflow]'")
    # MLflow reports its use to its makers otherwise, when it is imported and at many calls.
    os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"
    from mlflow import MlflowClient
    from mlflow.exceptions import MlflowException

    try:
        return _write(MlflowClient(tracking_uri=address), run, cards, facets)
    except MlflowException as error:
        remedy = (
            "Write mlflow:http://HOST:PORT of a server. A database such as sqlite:///mlflow.db needs all of MLflow."
        )
        raise InputError(f"MLflow refuses {address}: {error.message}", remedy=remedy) from error


def _write(client: Any, run: RunRow, cards: Iterable[Scorecard], facets: Sequence[str]) -> int:
    from mlflow.entities import Metric, Param

    summary, rows = Summary(rubric_of(run)), list[dict[str, object]]()
    for card in cards:
        summary.add(build_listed(card))
        rows.append(flatten(build_result(card), facets))
    name = f"assay {run.rubric_id}"
    known = client.get_experiment_by_name(name)
    experiment = client.create_experiment(name) if known is None else known.experiment_id
    started = int(run.started.timestamp() * 1000)
    written = client.create_run(experiment, started, run_name=run.id).info.run_id
    figures = [
        Metric(f"{metric}.{figure}", value, started, 0)
        for metric, found in summary.metrics.items()
        for figure, value in _list_figures(found)
    ]
    client.log_batch(written, figures, [Param(*pair) for pair in _list_parameters(run, summary.rubric)])
    table = {"columns": list(rows[0]) if rows else [], "data": [list(row.values()) for row in rows]}
    client.log_dict(written, table, _TABLE)
    # MLflow's pages show a table that is listed here.
    client.set_tag(written, "mlflow.loggedArtifacts", json.dumps([{"path": _TABLE, "type": "table"}]))
    client.set_terminated(written, end_time=None if run.finished is None else int(run.finished.timestamp() * 1000))
    return summary.records


def _list_parameters(run: RunRow, rubric: Rubric) -> Iterator[tuple[str, str]]:
    given = {
        "judge": run.judge,
        "rubric": run.rubric_id,
        "rubric_version": rubric.version,
        "rubric_digest": run.rubric_digest,
        "rubric_validated": bool(rubric.validation),
        "records": run.records_source,
        "assay_run": run.id,
        "assay_version": run.code_version,
        **{name: value for name, value in run.parameters.items() if value is not None},
    }
    return ((name, str(value)[:_LONGEST_VALUE]) for name, value in given.items())


def _list_figures(metric: MetricSummary) -> Iterator[tuple[str, float]]:
    """A mean with its interval only where enough records have a score; else its range, the others at either end."""
    failures = sum(metric.missing[status] for status in get_args(FailureStatus))
    yield from (("asked", metric.asked), ("scored", metric.scored), ("failures", failures))
    if metric.weakest_supports.mean is not None:
        yield "weakest_support", metric.weakest_supports.mean
    if metric.ends is None or metric.goodness.mean is None:
        return
    yield from zip(("goodness_worst", "goodness_best"), metric.ends, strict=True)
    if not metric.is_short:
        yield "score", fsum(metric.scores.elements()) / metric.scores.total()
        yield "goodness", metric.goodness.mean
        if metric.goodness.interval is not None:
            yield from zip(("goodness_low", "goodness_high"), metric.goodness.interval, strict=True)
