"""Runs made by hand or from the shipped examples, for tests of what is shown of them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache

from assay.domain.findings import Evidence, Findings, Label
from assay.domain.outcome import Outcome, Score, Trail, Verdict
from assay.domain.record import Record, Source
from assay.domain.scorecard import Notice, Scorecard
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.files.rubrics import open_rubric
from assay.report.run_report import RunReport, build_run_report
from assay.scoring.total import compute_total
from assay.store.runs import RunRow
from assay.web.rendering import render_report
from equipment.example_runs import judge_once


def run_row(rubric: str, judges: tuple[str, ...] = ("recorded",), **fields: object) -> RunRow:
    made = open_rubric(rubric)
    return RunRow(
        id=str(fields.pop("id", "20260102-030405-abcdef")),
        started=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        rubric_id=rubric,
        rubric_digest=made.digest,
        rubric_text=made.text,
        judges=judges,
        code_version="0",
        records_source="records.jsonl",
        state=fields.pop("state", "done"),
        **fields,
    )


@cache
def example_cards(rubric: str) -> tuple[Scorecard, ...]:
    return tuple(judge_once(rubric).values())


@cache
def example_report(rubric: str) -> RunReport:
    return build_run_report(run_row(rubric), open_rubric(rubric), example_cards(rubric))


@cache
def example_page(rubric: str) -> str:
    return "".join(render_report(example_report(rubric), example_cards(rubric)))


def page_of(cards: Sequence[Scorecard], **options: object) -> str:
    rubric = cards[0].rubric
    view = build_run_report(run_row(rubric.id), rubric, cards)
    return "".join(render_report(view, cards, **options))


def claim_card(
    output: str,
    sources: Sequence[Source],
    labels: Sequence[tuple[Span, str, tuple[Evidence, ...]]],
    *,
    identifier: str = "one",
    note: str = "",
    value: int = 4,
    notices: tuple[Notice, ...] = (),
    **record: object,
) -> Scorecard:
    """A scorecard of the comparison rubric, whose one metric labels claims."""
    rubric = open_rubric("comparison-faithfulness")
    units = tuple(Unit(f"c{at}", "claim", span.of(output), span) for at, (span, _, _) in enumerate(labels, 1))
    found = tuple(
        Label("claim", f"c{at}", label, evidence=evidence, note=note)
        for at, (_, label, evidence) in enumerate(labels, 1)
    )
    level = Fraction(value)
    scale = rubric.metric("faithfulness").scale
    trail = Trail(units=units, findings=Findings(labels=found))
    outcomes: dict[str, Outcome] = {
        "faithfulness": Verdict(Score(level, level, (level, level), scale, note or "by hand"), trail)
    }
    made = Record(identifier, str(record.pop("item", identifier)), output, tuple(sources), **record)
    return Scorecard(made, rubric, "by hand", outcomes, compute_total(rubric, outcomes), notices, {}, "run")
