"""The findings of an attack as JSON: every figure, and every trial with its text, in ASCII alone."""

import json
from dataclasses import asdict
from fractions import Fraction

from assay.agreement.estimate import Estimate
from assay.labs.attack.figures import AttackFindings, AttackRow, CardScores, Effect, PairedTrial


def format_attack_json(found: AttackFindings) -> str:
    """Characters outside ASCII are written as escapes, so that hidden ones show and none is lost."""
    return json.dumps(
        {
            **asdict(found.setting),
            "clean": found.clean,
            "left_out": dict(found.left_out),
            "planned": found.planned,
            "unscored_twins": found.unscored_twins,
            "gained_scores": found.gained_scores,
            "families": [_build_row(row) for row in found.rows],
            "benign_effect": [_build_row(row) for row in found.benign_rows],
            "false_alarms": [
                {"kind": alarms.kind, **{part: _build_estimate(each) for part, each in alarms.by_part.items()}}
                for alarms in found.alarms
            ],
            "trials": [_build_pair(pair) for pair in (*found.pairs, *found.benign_pairs)],
        },
        indent=1,
        default=_write_number,
    )


def _write_number(value: object) -> float:
    if isinstance(value, Fraction):
        return float(value)
    raise TypeError(f"{value!r} can't be written as JSON")


def _build_row(row: AttackRow) -> dict[str, object]:
    return {
        "family": row.family,
        "place": row.place,
        "n": row.trials,
        "declined": row.declined,
        "failed": row.failed,
        "unscored": row.statuses,
        **_build_effect(row.effect),
        "caught": {part: _build_estimate(each) for part, each in row.caught.items()},
        "metrics": {name: _build_effect(each) for name, each in row.metrics.items()},
    }


def _build_effect(effect: Effect) -> dict[str, object]:
    estimates = {"change": effect.change, "rise": effect.rise, "fall": effect.fall, "success": effect.success}
    return {name: _build_estimate(each) for name, each in estimates.items()}


def _build_estimate(found: Estimate) -> dict[str, object]:
    return {"value": found.value, "interval": found.interval, "n": found.n, "clusters": found.clusters}


def _build_pair(pair: PairedTrial) -> dict[str, object]:
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
        "change": pair.change,
        "changes": pair.changes,
        "clean": _build_scores(pair.clean),
        "attacked": _build_scores(pair.attacked),
    }


def _build_scores(scores: CardScores) -> dict[str, object]:
    return {"goodness": scores.goodness, "unscored": scores.unscored, "signs": scores.signs}
