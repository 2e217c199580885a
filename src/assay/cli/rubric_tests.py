"""`assay rubric test`: a judge on the worked examples of a rubric."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import as_file
from pathlib import Path

import click

from assay.agreement.worked_examples import find_unjudged, pair_with_examples, read_worked_examples
from assay.api.config import RUN_OPTIONS
from assay.api.opening import Work
from assay.cli.judging import judge_whole
from assay.cli.main import DONE, FAILED
from assay.cli.options import build_options, list_fields, read_run_options
from assay.domain.scale import exceeds
from assay.errors import InputError
from assay.files.rubrics import open_rubric
from assay.options import RUBRIC, option
from assay.packs import list_packs
from assay.report.result import dump
from assay.report.terminal import open_console
from assay.report.worked_examples import count_right, list_wrong, print_tests
from assay.store.store import open_store

JUDGING_OPTIONS = tuple(each for each in RUN_OPTIONS if RUBRIC in each.where)


@dataclass(frozen=True, slots=True, kw_only=True)
class _TestOptions:
    chosen: str
    tests: Path | None = option(None, "Worked examples. Default: tests.jsonl of the rubric, or NAME.tests.jsonl.")
    least: float | None = option(
        None,
        "Exit 1 if a smaller share of the answers is right.",
        flags=("--min-right",),
        metavar="SHARE",
        least=0,
        most=1,
    )
    as_json: bool = option(False, "Print JSON.", flags=("--json",))
    quiet: bool
    store: Path


@click.command("test", epilog="Example: assay rubric test my-rubric.md --judge openai:MODEL --min-right 0.9")
@click.argument("chosen", metavar="RUBRIC")
@build_options(*list_fields(_TestOptions), *JUDGING_OPTIONS)
def test_rubric(**flags: object) -> int:
    """Judge a rubric's worked examples, and compare scores, labels and reasons with an expert's."""
    options, request = read_run_options(_TestOptions, flags)
    rubric = open_rubric(options.chosen)
    with _find_tests(options) as path:
        examples = read_worked_examples(path, rubric)
        work = Work(rubric, tuple(each.record for each in examples), str(path))
    with open_store(options.store) as store:
        run, cards = judge_whole(replace(request, name="rubric test"), work, store, quiet=options.quiet)
    pairs, unjudged = list(pair_with_examples(examples, cards)), find_unjudged(examples, cards)
    right, asked = sum(each.is_right for each in pairs), len(pairs)
    if options.as_json:
        figures = {"right": right, "asked": asked, "metrics": count_right(pairs), "not_judged": unjudged}
        figures["disagreements"] = list_wrong(pairs, unjudged)
        print(dump({"rubric": rubric.id, "digest": rubric.digest, "judge": run.judge, **figures}), end="")
    else:
        print_tests(open_console(sys.stdout), pairs, unjudged)
    if options.least is None:
        return DONE
    is_short = exceeds(options.least * asked, right)
    print(f"{'FAILED' if is_short else 'passed'}: {right} of {asked} right, wanted {options.least:g}", file=sys.stderr)
    return FAILED if is_short else DONE


@contextmanager
def _find_tests(options: _TestOptions) -> Iterator[Path]:
    pack = list_packs().get(options.chosen)
    own = options.tests or Path(options.chosen).with_suffix(".tests.jsonl")
    if options.tests is None and pack is None and not own.is_file():
        remedy = f'Write some to {own}, one {{"id": …, "expected": …}} on each line: see docs/align.md.'
        raise InputError(f"{options.chosen} has no worked examples yet", remedy=remedy)
    if options.tests is not None or pack is None:
        yield own
    elif not (pack.folder / "tests.jsonl").is_file():
        raise InputError(f"{pack.id} has no worked examples", remedy="Name a file: --tests FILE.")
    else:
        with as_file(pack.folder / "tests.jsonl") as path:
            yield path
