"""`assay.judge()`: one synchronous call that works in a script, in a notebook and in a server.

Also `assay.judge_text()` for a single output, and `assay.rubrics()`.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from assay.api.config import EMBEDDED, RunConfig
from assay.api.opening import Work, open_run
from assay.api.results import Run
from assay.domain.json import JSON
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.label_map import map_labels
from assay.files.records import open_records, records_from
from assay.files.rubrics import choose_metrics, open_rubric
from assay.files.texts import build_values
from assay.judges.judge import Judge
from assay.options import takes_options
from assay.packs import list_packs
from assay.packs.default import DEFAULT
from assay.report.progress import show_progress
from assay.report.result import Result
from assay.runner.run import Progress, require_count
from assay.store.store import Store, open_store


@takes_options("assay.judge", RunConfig, leave_out=("judges",))
def judge(  # noqa: PLR0913  # the one public verb: its keywords are those of `assay judge`
    records: Iterable[Mapping[str, JSON]] | str | Path | object,
    rubric: str | Path,
    judge: str | Judge | Sequence[str | Judge] = EMBEDDED,
    *,
    store: str | Path | Store | None = None,
    map: Mapping[str, str] | None = None,  # noqa: A002  # the name of the command's option
    label_map: Mapping[str, str] | Sequence[str] = (),
    limit: int | None = None,
    skip_invalid: bool = False,
    progress: bool = False,
    **options: Any,
) -> Run:
    """Judges records against a rubric and returns every result. A judge's failure is a result, never an exception.

    Args:
        records: a path, a list or iterable of dicts, a pandas or polars frame, an Arrow table, a `datasets.Dataset`.
        rubric: the id of an installed rubric, or the path of a rubric file.
        judge: a name as `assay judge --judge` takes it, such as "openai:MODEL", a Judge of your own, or several: a
            panel. A Judge object that you pass in is not closed.
        store: a file that keeps results and replies, so that the run can be resumed. None keeps nothing on disk.
        map: {input: column} where the records name a rubric's inputs differently.
        label_map: {label: truth label} where the records name the truth in other words than the rubric.
        limit: judge only the first records.
        skip_invalid: keep records that can't be read as `invalid_record` instead of raising.
        progress: show a progress bar on standard error.
        options: the other options of `assay judge`, listed below.

    Raises:
        InputError: something in the arguments is wrong; nothing was sent.

    """
    if limit is not None:
        require_count(limit, "limit")
    request = RunConfig(judges=tuple(list_judges(judge)), **options)
    opened = choose_metrics(map_labels(open_rubric(str(rubric)), label_map), request.metrics)
    columns = map or {}
    if isinstance(records, str | Path):
        source = str(records)
        found = open_records(records, opened, mapping=columns, skip_invalid=skip_invalid, limit=limit)
    else:
        source = "records from Python"
        rows, is_table = _read_rows(records)
        found = records_from(rows, opened, mapping=columns, skip_invalid=skip_invalid, limit=limit, is_table=is_table)
    # A store that was passed in stays open.
    with open_store(store) if isinstance(store, str | Path) else nullcontext(store) as kept:
        run = open_run(request, Work(opened, found, source, {"limit": limit}), kept)
        run.begin()
        cards: list[Scorecard] = []
        state = Progress()
        stream, engine = sys.stderr if progress else None, run.engine
        with show_progress(stream, len(found), engine.meter, engine.describe_wait) as view:

            def keep(card: Scorecard) -> None:
                cards.append(card)
                view.count(card)

            run.carry_out(keep, state)
    names = " + ".join(each.name for each in run.plan.judges)
    return Run(run.plan.run, opened, names, tuple(cards), state.stopped)


def _read_rows(records: Any) -> tuple[Iterable[Mapping[str, JSON]], bool]:
    """The rows of polars, Arrow, datasets or pandas, else the iterable itself; and whether they are of a table."""
    if hasattr(records, "to_dicts"):
        return records.to_dicts(), True
    if hasattr(records, "to_pylist"):
        return records.to_pylist(), True
    # A frame of pandas iterates over its columns. A Dataset iterates over its rows, and its `to_dict` returns columns.
    if hasattr(records, "to_dict") and hasattr(records, "columns"):
        return records.to_dict("records"), True
    if isinstance(records, Iterable):
        return records, hasattr(records, "column_names")
    raise InputError("records are neither a path, nor dicts, nor a frame", remedy="Give a list of dicts or a path.")


# `judge` is also the name of an argument.
_judge_records = judge


def judge_text(
    output: str,
    sources: str | Sequence[str | Mapping[str, JSON]],
    query: str | None = None,
    rubric: str | Path = DEFAULT,
    judge: str | Judge | Sequence[str | Judge] = EMBEDDED,
    **options: Any,
) -> Result:
    """Judges one output against its sources and returns its result.

    Args:
        output: the text that is judged.
        sources: a text, or several; each is a text or a dict with `content` and optionally `title` and `url`.
        query: what the output answers. The default rubric needs it.
        rubric: a rubric with one source, one output and at most a query among its required inputs.
        judge: as `judge()` takes it.
        options: the other arguments of `judge()`.

    Raises:
        InputError: something in the arguments is wrong, or the rubric needs other inputs; nothing was sent.

    """
    given: Sequence[JSON] = [sources] if isinstance(sources, str | Mapping) else sources
    values = build_values(open_rubric(str(rubric)), output, given, query)
    [result] = _judge_records([values], rubric, judge, **options)
    return result


def rubrics() -> tuple[Rubric, ...]:
    """Every installed rubric, in alphabetical order of their ids."""
    return tuple(open_rubric(name) for name in list_packs())


def list_judges(judge: str | Judge | Sequence[str | Judge]) -> Sequence[str | Judge]:
    judges = judge if isinstance(judge, Sequence) and not isinstance(judge, str) else [judge]
    given: Sequence[object] = judges
    wrong = [each for each in given if not isinstance(each, str | Judge)]
    if wrong:
        remedy = 'Write judge="embedded", judge="openai:MODEL", or a list of such names.'
        raise InputError(f"{wrong[0]!r:.80} is not a judge", remedy=remedy)
    return judges
