"""A judge's figures on labelled sets as one Markdown table, with everything needed to read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from assay.agreement.estimate import Estimate
from assay.files.labelled_sets import LabelledSet
from assay.report.agreement_sentences import say_estimate
from assay.report.judge_bench import JUDGE, ROUGE, WORDS, BenchRow

_HEAD = ("set", "label", "figure", "n", "documents", "unscored", "judge", "word overlap", "ROUGE-L", "constant")
_NOTE = (
    "In square brackets 95 % intervals, clustered by source document. The baselines are measured on the outputs that "
    "the judge scored; `unscored` counts the others. Word overlap is the share of the output's content words that the "
    "sources hold, ROUGE-L its precision against the sources. A constant answer ranks nothing."
)


@dataclass(frozen=True, slots=True)
class Bench:
    """`skipped` says of each set that was left out why."""

    judge: str
    rubric: str
    metric: str
    day: date
    sets: tuple[LabelledSet, ...]
    rows: tuple[BenchRow, ...]
    skipped: tuple[str, ...] = ()


def render_bench(bench: Bench) -> str:
    lines = [
        "# A judge against people's labels",
        "",
        f"Judge: `{bench.judge}`. Rubric {bench.rubric}, metric {bench.metric}. {bench.day.isoformat()}.",
        "",
        _NOTE,
        "",
        _line(_HEAD),
        _line(["---"] * len(_HEAD)),
        *(_line(_cells(row)) for row in bench.rows),
        "",
        *_list_sets(bench.sets),
        *(f"- Left out: {each}" for each in bench.skipped),
        *_list_warnings(bench.rows),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _cells(row: BenchRow) -> list[str]:
    name = f"{row.set}: {row.domain}" if row.domain else row.set
    found = [_say(row.found.get(each)) for each in (JUDGE, WORDS, ROUGE)]
    constant = "undefined" if row.constant is None else f"{row.constant:.2f}"
    return [name, row.label, row.figure, str(row.n), str(row.documents), str(row.unscored), *found, constant]


def _say(found: Estimate | None) -> str:
    return "–" if found is None else say_estimate(found)


def _list_sets(sets: Sequence[LabelledSet]) -> list[str]:
    lines = []
    for each in sets:
        share = "all" if len(each.rows) == each.total else f"{len(each.rows)} of"
        anchor = f" Published: {each.anchor}." if each.anchor else " No published figure is known here."
        lines.append(f"- {each.name}: {share} {each.total} labelled outputs.{anchor}")
    return lines


def _list_warnings(rows: Sequence[BenchRow]) -> list[str]:
    """Each once for a set or domain, whatever the number of its figures."""
    said: dict[str, None] = {}
    for row in rows:
        name = f"{row.set}: {row.domain}" if row.domain else row.set
        judge = row.found.get(JUDGE)
        for sentence in (*row.warnings, *(judge.warnings if judge is not None else ())):
            said[f"- {name}: {sentence}."] = None
    return list(said)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
