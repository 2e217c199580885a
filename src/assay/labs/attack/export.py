"""What an attack found out as JSON: every figure, and every trial with its text, in ASCII alone."""

import json
from collections.abc import Mapping
from fractions import Fraction

from assay.agreement.estimate import Estimate
from assay.labs.attack.figures import Alarms, AttackFindings, AttackRow, Effect, Marks, Pair


def render_attack_json(found: AttackFindings) -> str:
    """A character outside ASCII is written as its number, so that nothing hidden stays hidden and nothing is lost."""
    setting = found.setting
    return json.dumps(
        {
            "rubric": setting.rubric,
            "judge": setting.judge,
            "run": setting.run,
            "records": setting.records,
            "seed": setting.seed,
            "variants": setting.variants,
            "benign": setting.benign,
            "places": setting.places,
            "threshold": setting.threshold,
            "defences": setting.defences,
            "clean": found.clean,
            "left_out": dict(found.left_out),
            "planned": found.planned,
            "unscored_twins": found.unscored_twins,
            "gained_scores": found.gained_scores,
            "families": [_build_row(row) for row in found.rows],
            "benign_effect": [_build_row(row) for row in found.benign_rows],
            "false_alarms": [_build_alarms(each) for each in found.alarms],
            "trials": [_build_pair(pair) for pair in (*found.pairs, *found.benign_pairs)],
        },
        indent=1,
    )


def _build_row(row: AttackRow) -> dict[str, object]:
    return {
        "family": row.family,
        "place": row.place,
        "n": row.trials,
        "declined": row.declined,
        "failed": row.failed,
        "unscored": dict(row.statuses),
        **_build_effect(row.effect),
        "caught": {part: _build_estimate(each) for part, each in row.caught.items()},
        "metrics": {name: _build_effect(each) for name, each in row.metrics.items()},
    }


def _build_effect(effect: Effect) -> dict[str, object]:
    return {
        "change": _build_estimate(effect.change),
        "rise": _build_estimate(effect.rise),
        "fall": _build_estimate(effect.fall),
        "success": _build_estimate(effect.success),
    }


def _build_alarms(alarms: Alarms) -> dict[str, object]:
    return {"kind": alarms.kind, **{part: _build_estimate(each) for part, each in alarms.by_part.items()}}


def _build_estimate(found: Estimate) -> dict[str, object]:
    return {"value": found.value, "interval": found.interval, "n": found.n, "clusters": found.clusters}


def _build_pair(pair: Pair) -> dict[str, object]:
    trial = pair.trial
    return {
        "record": trial.record.id,
        "system": trial.record.system,
        "twin": trial.clean.id,
        "variant": trial.variant.id,
        "family": trial.variant.family,
        "benign": trial.is_benign,
        "part": trial.variant.part,
        "place": trial.place,
        "encoding": trial.variant.encoding,
        "text": trial.variant.text,
        "plain": trial.variant.plain,
        "caught": pair.is_caught,
        "change": _as_float(pair.change),
        "changes": _as_floats(pair.changes),
        "clean": _build_marks(pair.clean),
        "attacked": _build_marks(pair.attacked),
    }


def _build_marks(marks: Marks) -> dict[str, object]:
    return {"goodness": _as_floats(marks.goodness), "unscored": dict(marks.unscored), "signs": marks.signs}


def _as_floats(values: Mapping[str, Fraction]) -> dict[str, float]:
    return {name: float(value) for name, value in values.items()}


def _as_float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
