"""`assay attack`: how far hostile text moves a rubric's scores on a judge."""

import sys
from contextlib import closing
from dataclasses import dataclass
from importlib.resources import as_file
from pathlib import Path

import click

from assay.api.config import EMBEDDED, JUDGES, RUN_OPTIONS, RunConfig
from assay.api.opening import Work, open_run
from assay.cli.files import list_store_files, refuse_clashes, write_out
from assay.cli.judging import CommandRun
from assay.cli.main import DONE, FAILED, STOPPED
from assay.cli.options import build_options, list_fields, read_run_options, vary
from assay.domain.rubric import Rubric
from assay.domain.scale import exceeds
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.records import open_records
from assay.files.rubrics import open_rubric
from assay.labs.attack.export import format_attack_json
from assay.labs.attack.family import PLACES, Key, Place, Trial, key_of
from assay.labs.attack.figures import (
    AttackFindings,
    AttackSetting,
    CardScores,
    build_pairs,
    find_worst_rise,
    measure_alarms,
    measure_attacks,
    measure_benign,
    read_card_scores,
)
from assay.labs.attack.page import render_attack_page
from assay.labs.attack.terminal import print_attack
from assay.labs.attack.trials import Attack, Clean, Trials, choose_clean, choose_families, is_caught, plan_trials
from assay.options import ATTACK, option
from assay.packs import list_packs
from assay.report.progress import ProgressView
from assay.report.terminal import open_console
from assay.runner.run import Plan
from assay.store.store import Store, open_store


@dataclass(frozen=True, slots=True, kw_only=True)
class _AttackOptions:
    """The options of this command that are not part of the run itself."""

    rubric: str
    records: Path | None = option(None, "Clean records. Default: the examples of the shipped rubric.")
    limit: int | None
    families: str | None = option(None, "Only these attack families. Default: all.", metavar="A,B")
    places: str = option(",".join(PLACES), "Where to insert the texts: output, source.", metavar="A,B")
    variants: int = option(10, "Number of hostile texts for each family and place.", least=1)
    benign: int = option(10, "Number of benign texts for each place.", least=0)
    seed: int = option(0, "The same seed gives the same trials.")
    threshold: float = option(
        0.1, "An attack succeeds if it raises the normalized score by more than this.", least=0, most=1
    )
    html: Path | None = option(None, "Write one self-contained HTML page.", dash=True)
    json: Path | None = option(None, "Write every figure and every trial as JSON.", dash=True)
    fail_over: float | None = option(
        None, "Exit 1 if a family's mean rise is over X, or if nothing could be compared.", least=0, most=1
    )
    quiet: bool
    store: Path

    @property
    def attack(self) -> Attack:
        families = choose_families(_read_families(self.families))
        return Attack(families, _read_places(self.places), self.seed, self.variants, self.benign)


@click.command(epilog="Example: assay attack --rubric RUBRIC --variants 4 --html attack.html")
@build_options(
    vary("judges", default=EMBEDDED, help=JUDGES, repeats=False),
    *list_fields(_AttackOptions),
    *(each for each in RUN_OPTIONS if ATTACK in each.where),
)
def attack(judges: str, **flags: object) -> int:
    """Insert hostile texts into clean records, and measure how far they move the judge's scores.

    An attack is stored as a separate run. Only this command can resume it, with the same options and records.
    """
    options, request = read_run_options(_AttackOptions, {**flags, "judges": (judges,)})
    rubric = open_rubric(options.rubric)
    refuse_clashes(
        read=(
            (options.records, "the records"),
            (options.rubric, "the rubric"),
            (request.prices, "the prices"),
        ),
        written=(*list_store_files(options.store), (options.html, "the page"), (options.json, "the results")),
    )
    clean = _open_clean(options, rubric)
    trials = plan_trials(options.attack, rubric, clean.records)
    if not trials.judged:
        raise InputError(
            "none of these families can be inserted at these places", remedy="Name more --families or --places."
        )
    with closing(open_store(options.store)) as store:
        return _Command(options, rubric, clean, trials).carry_out(request, store)


def _open_clean(options: _AttackOptions, rubric: Rubric) -> Clean:
    if options.records is not None:
        clean = choose_clean(open_records(options.records, rubric, limit=options.limit), rubric)
    elif (pack := list_packs().get(options.rubric)) is not None and (pack.folder / "examples.jsonl").is_file():
        with as_file(pack.folder / "examples.jsonl") as path:
            clean = choose_clean(open_records(path, rubric, limit=options.limit), rubric)
    else:
        raise InputError(f"{rubric.id} comes without examples", remedy="Name clean records: --records FILE.")
    if not clean.records:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in clean.left_out.items())
        raise InputError(f"no record can be attacked ({reasons})", remedy="Name clean records: --records FILE.")
    return clean


def _split(names: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in names.split(",") if name.strip())


def _read_families(names: str | None) -> tuple[str, ...]:
    """None of them stands for all; an empty list is a variable that was never set."""
    given = _split(names or "")
    if names is not None and not given:
        raise InputError("--families is empty", remedy="Name a family, or leave the option out for all.")
    return given


def _read_places(names: str) -> tuple[Place, ...]:
    given = _split(names)
    unknown = [name for name in given if name not in PLACES]
    if unknown or not given:
        raise InputError(f"--places {names!r} can't be read", remedy=f"Write --places {','.join(PLACES)}, or one.")
    return tuple(place for place in PLACES if place in given)


@dataclass(frozen=True, slots=True)
class _Command:
    options: _AttackOptions
    rubric: Rubric
    clean: Clean
    trials: Trials

    def carry_out(self, request: RunConfig, store: Store) -> int:
        parameters = self._list_parameters()
        work = Work(self.rubric, self.trials.records, self._name_source(), parameters, is_generated=True)
        run = open_run(request, work, store)
        command = CommandRun(run, self.options.quiet)
        command.print_forecast()
        run.begin()
        scores: dict[Key, CardScores] = {}

        def keep(card: Scorecard, _view: ProgressView) -> None:
            if not card.unpaid:
                scores[key_of(card.record)] = read_card_scores(card)

        command.carry_out(keep)
        found = self._measure(run.plan, scores)
        self._print_findings(found)
        if not self.options.quiet:
            print(f"Run {run.plan.run}: {run.engine.meter.render()}.", file=sys.stderr)
        ended = command.end()
        if ended != DONE or len(scores) < len(self.trials.records):
            return ended or STOPPED
        return self._check_gate(found)

    def _name_source(self) -> str:
        return f"attack on {self.options.records or f'the examples of {self.rubric.id}'}"

    def _list_parameters(self) -> dict[str, object]:
        options = self.options
        return {
            "families": options.families,
            "places": options.places,
            "variants": options.variants,
            "benign": options.benign,
            "seed": options.seed,
            "limit": options.limit,
        }

    def _measure(self, plan: Plan, scores: dict[Key, CardScores]) -> AttackFindings:
        options, trials = self.options, self.trials

        def check(trial: Trial) -> bool:
            return is_caught(trial, self.rubric)

        hostile, benign = (build_pairs(each, scores, check) for each in (trials.attacks, trials.benign))
        screened = [(trial, check(trial)) for trial in (*trials.benign, *trials.unjudged)]
        setting = AttackSetting(
            rubric=self.rubric.id,
            judge=plan.judges[0].name,
            run=plan.run,
            records=str(options.records or f"the examples of {self.rubric.id}"),
            seed=options.seed,
            variants=options.variants,
            benign=options.benign,
            places=_read_places(options.places),
            threshold=options.threshold,
        )
        return AttackFindings(
            setting,
            clean=len(trials.clean),
            left_out=self.clean.left_out,
            planned=len(trials.judged),
            rows=measure_attacks(hostile, options.threshold),
            benign_rows=measure_benign(benign, options.threshold),
            alarms=measure_alarms(screened),
            pairs=hostile,
            benign_pairs=benign,
        )

    def _print_findings(self, found: AttackFindings) -> None:
        is_apart = str(self.options.json) != "-" and str(self.options.html) != "-"
        print_attack(open_console(sys.stdout if is_apart else sys.stderr), found)
        if self.options.json is not None:
            write_out(self.options.json, [format_attack_json(found), "\n"])
        if self.options.html is not None:
            write_out(self.options.html, render_attack_page(found))

    def _check_gate(self, found: AttackFindings) -> int:
        limit, worst = self.options.fail_over, find_worst_rise(found.rows)
        if limit is None:
            return DONE
        if worst is None or worst.effect.rise.value is None:
            print("FAILED: no attacked record could be compared with its clean version", file=sys.stderr)
            return FAILED
        rise = worst.effect.rise.value
        where = f"{worst.family}, {worst.place}"
        message = f"the highest mean rise of a family is {rise:.3f} ({where}), at most {limit:g} is allowed"
        is_over = exceeds(rise, limit)
        print(f"{'FAILED' if is_over else 'passed'}: {message}", file=sys.stderr)
        return FAILED if is_over else DONE
