"""What an alignment found, on a terminal and for its record."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import Console

from assay.agreement.alignment import AgreementChange
from assay.labs.align.aligning import Alignment
from assay.labs.align.criteria import Criterion
from assay.report.display import format_estimate
from assay.report.terminal import build_table, print_wrapped
from assay.report.worked_examples import print_pairs
from assay.store.runs import RunRow

_SHOWN = 3


def print_criteria(console: Console, criteria: Sequence[Criterion]) -> None:
    """The table of all of them, then the first disagreements of each."""
    rows = [
        (f"{each.metric}: {each.expected}", f"{len(each.disagreements)} of {len(each.pairs)}", f"{each.lost:.2f}")
        for each in criteria
    ]
    console.print(build_table("people say", "the judge differs", "agreement lost", rows=rows, right={1, 2}))
    for each in criteria:
        print_pairs(console, each.disagreements[:_SHOWN], "people")


def print_alignment(console: Console, found: Alignment) -> None:
    console.print()
    for each in (*found.tuning, *found.hidden):
        print_wrapped(console, format_change(each))
    for name, mapped in (found.mapping or {}).items():
        levels = ", ".join(f"{given:g} → {people:g}" for given, people in mapped)
        print_wrapped(console, f"{name}: levels of the judge → levels that people give: {levels}")
    print_wrapped(console, found.verdict, style="bold")


def format_change(change: AgreementChange) -> str:
    found = change.difference
    at = f"{100 * (1 - change.level):.3g} % interval"
    interval = f"[{found.interval[0]:+.3f}, {found.interval[1]:+.3f}]" if found.interval else "none"
    failed = f", {change.failed} failed" if change.failed else ""
    return (
        f"{change.name}, {', '.join(change.metrics)}: agreement {format_estimate(change.before)} before, "
        f"{format_estimate(change.after)} after; change {found.mean:+.3f}, {at} {interval} "
        f"({change.answers} answers from {found.n} source groups{failed})"
    )


def describe_alignment(found: Alignment, before: RunRow) -> dict[str, object]:
    """For the calibration record. `before` is a run by the rubric as it was."""
    new = found.rubric
    return {
        "moment": datetime.now(UTC).isoformat(timespec="seconds"),
        "judge": before.judge,
        "rubric": {"id": before.rubric_id, "digest": before.rubric_digest},
        "accepted": None if new is None else {"id": new.id, "version": new.version, "digest": new.digest},
        "verdict": found.verdict,
        "edits": [each.plain for each in found.edits],
        "tuning": found.tuning,
        "hidden": found.hidden,
        "mapping": found.mapping,
        "mapping_errors": found.errors,
    }
