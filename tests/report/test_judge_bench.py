"""Labelled sets and their domains, as a bench lists them."""

from pathlib import Path

from assay.agreement.bootstrap import Resampling
from assay.files.labelled_sets import Document, LabelledRow, LabelledSet
from assay.report.judge_bench import BenchRow, contest, measure_set


def measure(domains: list[str | None]) -> list[BenchRow]:
    rows = tuple(
        LabelledRow(f"r{at}", f"i{at}", domain, None, None, (Document("A source."),), "Output.", {"label": at % 2})
        for at, domain in enumerate(domains)
    )
    chosen = LabelledSet("made", Path("made.jsonl"), ("label",), "", rows, len(rows))
    return list(measure_set(contest(chosen, {row.id: 0.5 for row in rows}), Resampling(rounds=20)))


def list_parts(rows: list[BenchRow]) -> dict[str | None, int]:
    parts = [(row.domain, row.n) for row in rows if row.figure == "AUC"]
    assert len(parts) == len(dict(parts))
    return dict(parts)


def test_outputs_without_a_domain_are_a_part_of_their_own_and_the_whole_set_is_listed_once() -> None:
    assert list_parts(measure(["news"] * 6 + [None] * 4 + [""] * 2)) == {None: 12, "news": 6, "no domain": 6}


def test_a_set_of_one_domain_or_none_is_listed_whole() -> None:
    assert list_parts(measure(["news"] * 6)) == {None: 6}
    assert list_parts(measure([None] * 6)) == {None: 6}
