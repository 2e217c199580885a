"""`assay rubric align`: brings a judge closer to people's labels."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.console import Console

from assay.agreement.alignment import AnswerPair
from assay.agreement.figures import Scope, measure_agreement
from assay.agreement.join import join_labels
from assay.agreement.label_files import read_label_file
from assay.api.config import RunConfig
from assay.api.judges import Engine
from assay.api.opening import Work
from assay.cli.files import refuse_clashes, write_file
from assay.cli.judging import judge_whole
from assay.cli.main import DONE, FAILED
from assay.cli.options import build_options, list_fields, read_run_options
from assay.cli.rubric_tests import JUDGING_OPTIONS
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files.records import open_records
from assay.files.rubrics import open_rubric
from assay.labs.align.aligning import (
    FEWEST_GROUPS,
    FEWEST_LABELS,
    Half,
    Replayed,
    build_examples,
    count_labels,
    digest_edits,
    split_labels,
    try_edits,
)
from assay.labs.align.criteria import Criterion, rank_criteria
from assay.labs.align.edits import RubricEdit, read_edits
from assay.labs.align.suggesting import suggest_edits
from assay.labs.align.terminal import describe_alignment, print_alignment, print_criteria
from assay.options import option
from assay.report.agreement import list_kept
from assay.report.calibration import Look, read_looks
from assay.report.result import dump
from assay.report.terminal import open_console, print_wrapped
from assay.runner.run import rubric_of
from assay.store.agreements import KeptAgreement
from assay.store.codec import to_plain
from assay.store.store import Store, open_store


@dataclass(frozen=True, slots=True, kw_only=True)
class _AlignOptions:
    chosen: str
    labels: Path = option(None, "CSV or JSON lines file of people's labels.", required=True)
    records: Path | None = option(None, "The records that the labels are about.")
    run: str | None = option(None, "Instead of --records: a run that judged them; its banks are used.", metavar="RUN")
    edits: Path | None = option(None, "JSON lines file with up to three edits.", flags=("--edit",))
    suggest: str | None = option(None, "Have this model propose edits.", metavar="MODEL")
    examples: int | None = option(None, "Show the judge N labelled examples, 6 at most.", least=1, most=6)
    again: bool = option(False, "Test the same edits on the hidden half again. The calibration record notes this.")
    calibration: Path | None = option(None, "The calibration record.", shown="ID.calibration.json")
    out: Path | None = option(None, "The new rubric file.", shown="ID-VERSION.md")
    as_json: bool = option(False, "Print JSON.", flags=("--json",))
    quiet: bool
    store: Path


@click.command(
    "align", epilog="Example: assay rubric align my-rubric.md --labels labels.csv --run last --edit edits.jsonl"
)
@click.argument("chosen", metavar="RUBRIC")
@build_options(*list_fields(_AlignOptions), *JUDGING_OPTIONS)
def align_rubric(**flags: object) -> int:
    """Improve a judge's agreement with people: show where it differs from their labels, and test edits of the rubric.

    Half of the labels is hidden. Edits are accepted if agreement rises on that half. Exit 1 if they are refused.
    """
    options, request = read_run_options(_AlignOptions, flags)
    if sum(each is not None for each in (options.edits, options.suggest, options.examples)) > 1:
        raise InputError("edits come from several places", remedy="Keep one of --edit, --suggest and --examples.")
    rubric = open_rubric(options.chosen)
    written = () if options.edits is None else read_edits(options.edits, rubric)
    path = options.calibration or Path(f"{rubric.id}.calibration.json")
    looks = read_looks(path) if path.exists() else []
    rows = read_label_file(options.labels).rows
    refuse_clashes(
        read=((options.labels, "the labels"), (options.records, "the records"), (options.edits, "the edits")),
        written=((options.store, "the store"), (path, "the calibration record"), (options.out, "the new rubric")),
    )
    with open_store(options.store) as store:
        records, bank = _read_records(options, rubric, store)

        def replay(rubric: Rubric, records: Sequence[Record], name: str, bank: str | None) -> Replayed:
            work = Work(rubric, tuple(records), str(options.labels))
            return Replayed(
                *judge_whole(replace(request, name=name, bank=bank), work, store, quiet=options.quiet), bank
            )

        halves = split_labels(records, rows, replay)
        if not halves[0].records:
            remedy = "Name the records that are labelled, or label more."
            raise InputError("no label belongs to a record of the tuning half", path=str(options.labels), remedy=remedy)
        begun = halves[0].judge(rubric, "before", bank)
        for sentence in join_labels(begun[0].cards, halves[0].rows, rubric).account.explain():
            print(f"assay: tuning half: {sentence}", file=sys.stderr)
        if unknown := len(rows) - sum(len(each.rows) for each in halves):
            print(f"assay: {unknown} of {len(rows)} labels belong to none of these records", file=sys.stderr)
        criteria, count = rank_criteria(begun[1]), count_labels(halves)
        console = open_console(sys.stderr if options.as_json else sys.stdout)
        print_criteria(console, criteria)
        look: dict[str, object] | None = None
        groups = halves[1].size["source_groups"]
        if count < FEWEST_LABELS:
            print_wrapped(console, f"{count} labels are too few to test an edit: label {FEWEST_LABELS} or more.")
        elif groups < FEWEST_GROUPS:
            said = (
                f"The hidden half has {groups} source groups, too few for an interval: label {FEWEST_GROUPS} or more."
            )
            print_wrapped(console, said)
        else:
            candidates, shown = _choose_edits(options, request, rubric, criteria, halves[0], written)
            if candidates:
                look = _Trying(options, rubric, store, halves, path, looks).look(begun, candidates, shown, console)
    if options.as_json:
        print(dump({"labels": count, "criteria": criteria, "look": look}), end="")
    return FAILED if look is not None and look["accepted"] is None else DONE


@dataclass(frozen=True, slots=True)
class _Trying:
    """What a look at the hidden half needs beside the edits, and where it is written down."""

    options: _AlignOptions
    rubric: Rubric
    store: Store
    halves: tuple[Half, Half]
    path: Path
    looks: Sequence[Look]

    def look(
        self,
        begun: tuple[Replayed, Sequence[AnswerPair]],
        candidates: Sequence[Sequence[RubricEdit]],
        shown: frozenset[str],
        console: Console,
    ) -> dict[str, object]:
        """Raises InputError where the same edits had their look, unless it is asked for again."""
        digest = digest_edits(self.rubric, begun[0].row.judge, candidates)
        again = any(each["edits_digest"] == digest for each in self.looks)
        if again and not self.options.again:
            message = "the hidden half was used for these edits already"
            raise InputError(message, path=str(self.path), remedy="Try other edits, or test these again with --again.")
        # Of many looks some seem better by chance: each later one needs a wider interval.
        number = len(self.looks) + 1
        found = try_edits(self.rubric, self.halves, begun, candidates, 0.05 / number, shown)
        labels = {"file": str(self.options.labels)} | {each.name: each.size for each in self.halves}
        known = {"look": number, "again": again, "edits_digest": digest, "labels": labels}
        look = known | describe_alignment(found, begun[0].row)
        if found.rubric is not None and found.replayed is not None:
            kept = self._measure(found.replayed)
            look["agreements"] = [to_plain(each) for each in kept]
            self.store.agreements.put(kept)
            out = self.options.out or Path(f"{self.rubric.id}-{found.rubric.version}.md")
            write_file(out, [found.rubric.text])
            print(f"Wrote {out}", file=sys.stderr)
        if found.hidden:
            write_file(self.path, [dump({"looks": [*self.looks, look]})])
            print(f"Wrote {self.path}", file=sys.stderr)
        print_alignment(console, found)
        return look

    def _measure(self, found: Replayed) -> list[KeptAgreement]:
        """The agreement of the judge by the new rubric on the hidden half, for gates."""
        rubric = rubric_of(found.row)
        joined = join_labels(found.cards, self.halves[1].rows, rubric)
        scope = Scope(found.row.id, rubric, str(self.options.labels))
        return list(list_kept(measure_agreement(scope, joined), found.row))


def _choose_edits(
    options: _AlignOptions,
    request: RunConfig,
    rubric: Rubric,
    criteria: Sequence[Criterion],
    tuning: Half,
    written: Sequence[RubricEdit],
) -> tuple[list[Sequence[RubricEdit]], frozenset[str]]:
    """What is tried, each by itself, and the source groups that are shown to the judge. Examples are tried as one."""
    if options.examples is not None:
        edits, shown = build_examples(criteria, tuning.records, options.examples)
        return [edits] if edits else [], shown
    if options.suggest is not None:
        engine = Engine(replace(request, judges=(options.suggest,)))
        written = suggest_edits(engine.open_model(options.suggest), rubric, criteria)
    return [(each,) for each in written], frozenset()


def _read_records(options: _AlignOptions, rubric: Rubric, store: Store) -> tuple[list[Record], str | None]:
    """With the run whose banks are used."""
    if (options.records is None) == (options.run is None):
        raise InputError(
            "the labelled records are not given", remedy="Give --records FILE, or the --run that judged them."
        )
    if options.run is None:
        found = open_records(options.records or "", rubric)
        return [each for each in found if isinstance(each, Record)], None
    run = store.find_run(options.run)
    if run.rubric_id != rubric.id:
        raise InputError(f"run {run.id} is of the rubric {run.rubric_id}", remedy=f"Name a run of {rubric.id}.")
    return [card.record for card in store.cards(run.id, rubric_of(run))], run.id
