"""`assay judge --engine ray`: the run on a cluster, and the summary of what its folder holds."""

import sys

from assay.api.config import RunConfig
from assay.cli.judge import JudgeOptions, read_mapping
from assay.cli.main import DONE, FAILED, STOPPED
from assay.domain.listed import build_listed
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.ray.judging import RayJob, RayRun
from assay.ray.parts import read_cards, read_run
from assay.report.summary import Summary
from assay.report.terminal import open_console, print_summary
from assay.runner.run import Progress


def judge_on_ray(options: JudgeOptions, request: RunConfig, rubric: Rubric) -> int:
    """The exit code, as `assay judge` has it."""
    if len(options.records) != 1 or options.out is None or options.form != "table" or options.explained:
        remedy = "Write RECORDS and --out FOLDER, without --format and --explain. Then run `assay runs import FOLDER`."
        raise InputError("a run on Ray needs one file of records and an output folder", remedy=remedy)
    cluster = (options.out, options.ray_address, options.ray_actors)
    reading = (read_mapping(options.map), options.limit, options.skip_invalid)
    run = RayJob(str(options.records[0]), rubric, request, *cluster, *reading).carry_out()
    summary, progress = Summary(rubric), Progress()
    kept = read_run(run.folder)
    for _, card in () if kept is None else read_cards(run.folder, kept.row):
        summary.add(build_listed(card))
        progress.count(card)
    if not options.quiet:
        console = open_console(sys.stderr)
        print_summary(console, summary)
        print(f"Run {run.id}: {run.judged} of {run.records} records are judged, in {run.folder}", file=sys.stderr)
    return _end(run, progress)


def _end(run: RayRun, progress: Progress) -> int:
    if run.stopped is not None:
        print(f"assay: stopped: {run.stopped}. Run the same command again to judge the rest.", file=sys.stderr)
        return STOPPED if run.is_spent else FAILED
    if progress.asked and not progress.answered:
        print("assay: every metric that was asked about failed.", file=sys.stderr)
        return FAILED
    return DONE
