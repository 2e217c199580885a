"""What an attack found out as one self-contained HTML file, with every disguise of its texts in sight."""

from collections.abc import Iterator
from dataclasses import dataclass

from assay.labs.attack.figures import ANY, Alarms, AttackRow, Marks, Pair
from assay.labs.attack.findings import AttackFindings
from assay.labs.attack.terminal import BENIGN_NOTE, NOTE, say_conditions, say_number, say_share, say_signed
from assay.pages.assets import inline_assets
from assay.pages.environment import build_environment
from assay.pages.revealed import Stretch, mark_lookalikes, reveal
from assay.report.screening import say_screening

_MOST_TEXTS = 400


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of the table of families, in words."""

    family: str
    place: str
    trials: int
    change: str
    rise: str
    fall: str
    success: str
    caught: tuple[str, ...]
    declined: int
    failed: int
    statuses: str
    metrics: tuple[tuple[str, str, str, str], ...]
    is_sum: bool
    tone: str


@dataclass(frozen=True, slots=True)
class TrialView:
    """One attacked record: what stood in it, and what it came to."""

    record: str
    family: str
    place: str
    part: str
    text: tuple[Stretch, ...]
    change: str
    is_caught: bool
    metrics: tuple[tuple[str, str, str], ...]
    signs: str


def render_attack_page(found: AttackFindings) -> Iterator[str]:
    threshold = found.setting.threshold
    trials, benign = sorted(found.pairs, key=_rank), sorted(found.benign_pairs, key=_rank)
    template = build_environment().get_template("attack.html")
    return template.generate(
        found=found,
        setting=found.setting,
        conditions=list(say_conditions(found)),
        screening=say_screening([found.setting.judge]),
        rows=[_view_row(row, threshold) for row in found.rows],
        benign=[_view_row(row, threshold) for row in found.benign_rows],
        alarms=[_view_alarms(each) for each in found.alarms],
        trials=[_view_trial(pair) for pair in trials[:_MOST_TEXTS]],
        hidden_trials=max(0, len(trials) - _MOST_TEXTS),
        benign_trials=[_view_trial(pair) for pair in benign[:_MOST_TEXTS]],
        hidden_benign=max(0, len(benign) - _MOST_TEXTS),
        note=NOTE.format(threshold=threshold),
        benign_note=BENIGN_NOTE,
        inlined=inline_assets(),
    )


def _view_row(row: AttackRow, threshold: float) -> RowView:
    effect, rise = row.effect, row.effect.rise.value
    return RowView(
        family="all families" if row.family == ANY else row.family,
        place="everywhere" if row.place == ANY else row.place,
        trials=row.trials,
        change=_say_signed(effect.change.value, effect.change.interval),
        rise=_say_signed(effect.rise.value, effect.rise.interval),
        fall=say_number(effect.fall),
        success=say_share(effect.success),
        caught=tuple(f"{say_share(each)} of {each.n}" if each.n else "–" for each in row.caught.values()),
        declined=row.declined,
        failed=row.failed,
        statuses=", ".join(f"{count} {status.replace('_', ' ')}" for status, count in row.statuses.items()),
        metrics=tuple(
            (
                name,
                _say_signed(each.change.value, each.change.interval),
                _say_signed(each.rise.value, each.rise.interval),
                say_share(each.success),
            )
            for name, each in row.metrics.items()
        ),
        is_sum=row.family == ANY,
        tone="none" if rise is None else "low" if rise > threshold else "middle" if rise > threshold / 2 else "high",
    )


def _view_trial(pair: Pair) -> TrialView:
    trial = pair.trial
    names = dict.fromkeys((*pair.clean.goodness, *pair.clean.unscored))
    return TrialView(
        record=trial.record.id,
        family=trial.variant.family,
        place=trial.place,
        part=trial.variant.part.replace("_", " "),
        text=mark_lookalikes(reveal(trial.variant.text) or "(nothing)"),
        change="no score" if pair.change is None else say_signed(float(pair.change)),
        is_caught=pair.is_caught,
        metrics=tuple((name, _say_mark(pair.clean, name), _say_mark(pair.attacked, name)) for name in names),
        signs=", ".join(sign.replace("_", " ") for sign in pair.attacked.signs),
    )


def _view_alarms(alarms: Alarms) -> tuple[str, list[str]]:
    name = "all kinds" if alarms.kind == ANY else alarms.kind.replace("_", " ")
    return name, [f"{say_share(each)} of {each.n}" for each in alarms.by_part.values()]


def _rank(pair: Pair) -> tuple[float, str]:
    """What rose most comes first, what got no score last."""
    return (2.0 if pair.change is None else -float(pair.change), pair.trial.record.id)


def _say_mark(marks: Marks, name: str) -> str:
    goodness = marks.goodness.get(name)
    return marks.unscored.get(name, "–").replace("_", " ") if goodness is None else f"{float(goodness):.2f}"


def _say_signed(value: float | None, interval: tuple[float, float] | None) -> str:
    if value is None:
        return "–"
    return say_signed(value) + ("" if interval is None else f" [{say_signed(interval[0])}, {say_signed(interval[1])}]")
