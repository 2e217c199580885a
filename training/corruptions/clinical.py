"""Clinical facts changed where it would hurt: dose, route, frequency and side of the body."""

import random
import re
from collections.abc import Sequence

from training.corruptions.rule import build_swap, build_words_pattern, choose_match, replace_match

_DOSE = re.compile(r"(?<![\w.,])(?P<amount>\d+(?:\.\d+)?)(?P<gap> ?)(?P<unit>mg|mcg|µg|g|ml|mL|IU|units|mmol|mEq)\b")
_UNITS = {"mg": "mcg", "mcg": "mg", "µg": "mg", "g": "mg", "ml": "mg", "mL": "mg", "IU": "mg", "units": "mL"}
_FREQUENCIES = (
    "once daily", "twice daily", "three times daily", "four times daily", "every 4 hours", "every 6 hours",
    "every 8 hours",
    "every 12 hours", "once a day", "twice a day", "three times a day", "once weekly", "twice weekly",
    "every other day",
    "at bedtime", "every morning", "as needed", "once a week", "once a month", "with meals", "every two weeks",
)  # fmt: skip
_ROUTES = (
    "orally", "intravenously", "subcutaneously", "intramuscularly", "rectally", "sublingually", "topically",
    "by mouth", "by injection", "by inhalation", "transdermally", "intranasally", "by intravenous infusion",
)  # fmt: skip
_FREQUENCY = build_words_pattern(_FREQUENCIES)
_ROUTE = build_words_pattern(_ROUTES)


def change_dose(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """Ten times, a half, or another common strength; or the same figure in another unit."""
    found = choose_match(_DOSE, sentence, rng)
    if found is None:
        return None
    amount, unit = float(found.group("amount")), found.group("unit")
    if rng.random() < 0.25 and unit in _UNITS:
        return replace_match(sentence, found, f"{found.group('amount')}{found.group('gap')}{_UNITS[unit]}")
    new = amount * rng.choice((0.1, 0.5, 0.5, 2, 2, 2.5, 3, 4, 10, 10))
    return replace_match(sentence, found, f"{new:g}{found.group('gap')}{unit}")


def change_frequency(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """Once daily becomes every 6 hours."""
    return _another(_FREQUENCY, _FREQUENCIES, sentence, rng)


def change_route(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """By mouth becomes intravenously."""
    return _another(_ROUTE, _ROUTES, sentence, rng)


def _another(pattern: re.Pattern[str], names: Sequence[str], sentence: str, rng: random.Random) -> str | None:
    found = choose_match(pattern, sentence, rng)
    if found is None:
        return None
    return replace_match(sentence, found, rng.choice([name for name in names if name != found.group().casefold()]))


_SIDE = re.compile(
    r"\b(?:left|right)(?= (?:\w+ )?(?:arm|leg|knee|hip|shoulder|eye|ear|lung|kidney|breast|foot|hand|ankle|wrist|elbow|"
    r"side|lobe|ventricle|atrium|ovary|femur|hemithorax|thigh|calf|cheek|flank|groin|hemisphere)\b)",
    re.IGNORECASE,
)


def swap_side(sentence: str, others: Sequence[str], rng: random.Random) -> str | None:
    """Left and right exchanged where a part of the body follows, or another pair of places in it."""
    found = choose_match(_SIDE, sentence, rng)
    if found is None:
        return _swap_place(sentence, others, rng)
    return replace_match(sentence, found, "right" if found.group().casefold() == "left" else "left")


_swap_place = build_swap(
    (
        ("bilateral", "unilateral"), ("proximal", "distal"), ("anterior", "posterior"),
        ("medial", "lateral"), ("upper lobe", "lower lobe"), ("systolic", "diastolic"),
    )
)  # fmt: skip
swap_finding = build_swap(
    (
        ("placebo", "the study drug"), ("hypertension", "hypotension"), ("hyperglycemia", "hypoglycemia"),
        ("tachycardia", "bradycardia"), ("diarrhoea", "constipation"), ("diarrhea", "constipation"),
        ("adults", "children"), ("kidney", "liver"), ("renal", "hepatic"), ("contraindicated", "recommended"),
        ("allergic", "not allergic"), ("denies", "reports"), ("inpatient", "outpatient"), ("benign", "malignant"),
    )
)  # fmt: skip
