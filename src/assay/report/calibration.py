"""The calibration record: a JSON file with every look at the hidden half of the labels, and the agreement there."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.files.json_lines import read_json
from assay.store.agreements import KeptAgreement
from assay.store.codec import from_plain

Look = Mapping[str, Any]


def read_looks(path: Path) -> list[Look]:
    """The earliest first."""
    found = read_json(path)
    looks = found.get("looks") if isinstance(found, Mapping) else None
    if not isinstance(looks, list) or not all(isinstance(each, Mapping) and "edits_digest" in each for each in looks):
        remedy = "Name a file that `assay rubric align` wrote (ID.calibration.json)."
        raise InputError("this is not a calibration record", path=str(path), remedy=remedy)
    return looks


def read_calibrated(path: Path) -> list[KeptAgreement]:
    """The agreements of accepted rubrics with people on the hidden half, the latest first."""
    try:
        agreements = [each for look in read_looks(path)[::-1] for each in look.get("agreements", ())]
        return [from_plain(each, KeptAgreement) for each in agreements]
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        remedy = "Write it again: assay rubric align."
        raise InputError("the agreements in it can't be read", path=str(path), remedy=remedy) from None
