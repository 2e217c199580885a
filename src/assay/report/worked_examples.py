"""Worked examples of a rubric on a terminal: right of asked by metric, and each disagreement with both reasons."""

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console

from assay.agreement.alignment import AnswerPair
from assay.report.display import shorten
from assay.report.terminal import build_table, make_printable, print_wrapped

_TEXT = 300


def count_right(pairs: Iterable[AnswerPair]) -> dict[str, dict[str, int]]:
    """Of each metric: right and asked, scores and labels apart; an answer that failed is asked for, and not right."""
    counts: dict[str, dict[str, int]] = {}
    names = ("scores_right", "scores", "labels_right", "labels", "failed")
    for each in pairs:
        of_metric = counts.setdefault(each.metric, dict.fromkeys(names, 0))
        kind = "scores" if each.unit is None else "labels"
        of_metric[kind] += 1
        of_metric[f"{kind}_right"] += each.is_right
        of_metric["failed"] += each.agreement is None
    return counts


def list_wrong(pairs: Iterable[AnswerPair], unjudged: Mapping[str, str]) -> list[AnswerPair]:
    """The disagreements. A judge that does not answer a metric at all does not disagree in it."""
    return [each for each in pairs if not each.is_right and each.metric not in unjudged]


def print_tests(console: Console, pairs: Sequence[AnswerPair], unjudged: Mapping[str, str]) -> None:
    rows = [
        (
            name,
            *(f"{found[f'{kind}_right']} of {found[kind]}" if found[kind] else "–" for kind in ("scores", "labels")),
            str(found["failed"]),
        )
        for name, found in count_right(pairs).items()
        if name not in unjudged
    ]
    if rows:
        console.print(build_table("metric", "scores right", "labels right", "failed", rows=rows, right={1, 2, 3}))
    for reason in dict.fromkeys(unjudged.values()):
        names = ", ".join(name for name, why in unjudged.items() if why == reason)
        print_wrapped(console, make_printable(f"Not judged, so not right: {names}: {reason}."))
    print_pairs(console, list_wrong(pairs, unjudged), "expert")


def print_pairs(console: Console, pairs: Iterable[AnswerPair], who: str) -> None:
    for each in pairs:
        name, system = each.record
        where = ", ".join(part for part in (name, system, each.unit) if part)
        title = f"{where}, {each.metric}: {who} {each.expected}, judge {each.given}"
        console.print()
        print_wrapped(console, make_printable(title), style="bold")
        print_wrapped(console, make_printable(f"“{shorten(each.text, _TEXT)}”"), "  ")
        for said, reason in ((who, each.expected_reason), ("judge", each.given_reason)):
            print_wrapped(console, make_printable(f"{said}: {shorten(reason, _TEXT) or 'no reason given'}"), "  ")
