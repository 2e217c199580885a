"""The findings of an attack on a terminal: a row for each family and place, the false alarms, and how to read them."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from rich.console import Console
from rich.table import Table

from assay.agreement.estimate import Estimate
from assay.labs.attack.family import PARTS
from assay.labs.attack.figures import ANY, Alarms, AttackFindings, AttackRow, find_worst_rise
from assay.report.display import format_estimate
from assay.report.terminal import build_table, make_printable, print_list

HEADINGS = ("family", "place", "n", "change", "rise", "fall", "success", "caught", "no score")
NOTE = (
    "Normalized score: 0–1, best 1. Change: attacked minus clean; where the attack replaces the output, the clean "
    "score counts as 0. Rise and fall: means of the positive and of the negative changes, the others counting as 0. "
    "Success: a rise over {threshold:g}. Caught: flagged, or stopped before any judge; of development texts (a "
    "detector may be tuned on them) / of texts set aside. [low, high]: 95 % interval, clustered by record."
)
BENIGN_NOTE = "A benign sentence in an output is an unsupported claim, so a lower score is correct."


def print_attack(console: Console, found: AttackFindings) -> None:
    setting = found.setting
    seeded = f"seed {setting.seed}, run {setting.run}"
    console.print(f"Attack on {setting.rubric}, judged by {make_printable(setting.judge)}, {seeded}")
    for sentence in format_conditions(found):
        _print_sentence(console, sentence)
    console.print()
    console.print(_build_table(found.rows))
    _print_sentence(console, NOTE.format(threshold=setting.threshold), style="dim")
    if found.benign_rows:
        console.print()
        console.print("Benign texts that look like attacks", style="bold")
        console.print(_build_table(found.benign_rows))
        _print_sentence(console, BENIGN_NOTE, style="dim")
    for each in found.alarms:
        if each.kind == ANY:
            _print_sentence(console, format_alarms(each))
    flagged = [each for each in found.alarms if each.kind != ANY and _has_any(each)]
    if flagged:
        print_list(console, "  by kind", (f"{make_printable(each.kind)} {_format_parts(each)}" for each in flagged))
    worst = find_worst_rise(found.rows)
    if worst is not None:
        rise = format_estimate(worst.effect.rise)
        highest = f"{worst.family} in the {worst.place} has the highest mean rise: {rise}."
        console.print()
        _print_sentence(console, highest if worst.effect.rise.value else "No attack raised a score.")


def format_conditions(found: AttackFindings) -> Iterator[str]:
    """Conditions that a reader must know to interpret the figures."""
    judged = len(found.pairs) + len(found.benign_pairs)
    clean = "1 clean record" if found.clean == 1 else f"{found.clean} clean records"
    yield f"{clean} from {make_printable(found.setting.records)}; {judged} of {found.planned} trials judged."
    if found.left_out:
        named = "; ".join(
            f"{make_printable(name)}: {make_printable(reason)}" for name, reason in found.left_out.items()
        )
        yield f"Left out: {named}."
    if found.unscored_twins:
        yield (
            f"{found.unscored_twins} trials can't be compared: the judge gave their clean record no score. "
            f"{found.gained_scores} of them got a score when attacked."
        )


def format_alarms(alarms: Alarms) -> str:
    shares = ", ".join(
        f"{format_share(each)} of {each.n} ({'development' if part == PARTS[0] else 'set aside'})"
        for part, each in alarms.by_part.items()
    )
    return f"False alarms on benign texts in every place: {shares}."


def format_share(found: Estimate) -> str:
    """A percentage with its interval."""
    if found.value is None:
        return "–"
    interval = "" if found.interval is None else f" [{found.interval[0]:.0%}, {found.interval[1]:.0%}]"
    return f"{found.value:.0%}{interval}"


def format_number(found: Estimate) -> str:
    return "–" if found.value is None else format_signed(found.value)


def format_signed(value: float) -> str:
    """Zero has no sign."""
    return f"{value:+.2f}" if abs(value) >= 0.005 else "0.00"


def list_cells(row: AttackRow) -> tuple[str, ...]:
    """In the order of the headings."""
    effect = row.effect
    return (
        row.family,
        row.place,
        str(row.trials),
        format_number(effect.change),
        "–" if effect.rise.value is None else format_estimate(effect.rise),
        format_number(effect.fall),
        format_share(effect.success),
        " / ".join(_format_plain_share(row.caught[part]) for part in PARTS),
        format_unscored(row),
    )


def format_unscored(row: AttackRow) -> str:
    counts = [f"{count} {word}" for count, word in ((row.declined, "declined"), (row.failed, "failed")) if count]
    return ", ".join(counts)


def _build_table(rows: Sequence[AttackRow]) -> Table:
    table = build_table()
    for heading in HEADINGS:
        is_number = heading in {"n", "change", "fall"}
        table.add_column(heading, justify="right" if is_number else "left", no_wrap=heading != "no score")
    for row in rows:
        table.add_row(*list_cells(row), style="bold" if row.family == ANY else None)
    return table


def _format_plain_share(found: Estimate) -> str:
    return "–" if found.value is None else f"{found.value:.0%}"


def _has_any(alarms: Alarms) -> bool:
    return any(each.value for each in alarms.by_part.values())


def _format_parts(alarms: Alarms) -> str:
    return " / ".join(f"{_format_plain_share(each)} of {each.n}" for each in alarms.by_part.values())


def _print_sentence(console: Console, text: str, style: str | None = None) -> None:
    console.print(fill(text, console.width, break_on_hyphens=False), style=style, soft_wrap=True)
