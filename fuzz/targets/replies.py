"""Readers of a model's reply: JSON out of anything, scores out of prose, labels out of fields."""

import json
import re
from dataclasses import replace
from fractions import Fraction

from assay.domain.json import JSON
from assay.domain.rubric import Rubric
from assay.domain.scale import Scale
from assay.files.rubrics import open_rubric
from assay.formats.prose import read_score
from assay.replies.salvage import salvage_json
from assay.replies.tolerant import MAX_DEPTH
from assay.replies.values import Misreading, Reading, read_label, read_level, read_number
from assay.replies.wrapping import is_refusal
from fuzz.almost_json import write_reply
from fuzz.choices import Choices
from fuzz.rules import BrokenRule, hold, hold_json, is_utf_8, read_twice, scalars

_NUMBER_WORDS = re.compile(r"zero|one|two|three|four|five|six|seven|eight|nine|ten", re.IGNORECASE)
_OPENERS = "{｛[［"
OPTIONS = ("supported", "partial", "absent", "contradicted", "undecided", "Not fully", "yes", "no")
SCALES = ((1, 5), (0, 3), (0, 100), (1, 10), (-2, 2))


def holds_no_number(text: str) -> bool:
    """No digit of any script and no word for a number, so that nobody could read a score in it."""
    return not any(character.isdigit() for character in text) and not _NUMBER_WORDS.search(text)


def check_json(data: bytes) -> None:
    """JSON out of a reply: only what stands in the text, and a cut reply says nothing that the whole does not."""
    choices = Choices(data)
    text = write_reply(choices) if choices.number(2) else choices.text()
    salvaged = read_twice(lambda: salvage_json(text))
    hold_json(salvaged.values)
    found = [scalar for value in salvaged.values for _, scalar in scalars(value)]
    hold(all(len(path) <= MAX_DEPTH + 1 for value in salvaged.values for path, _ in scalars(value)), "too deep")
    if not any(character.isdigit() for character in text):
        numbers = [each for each in found if isinstance(each, int | float) and not isinstance(each, bool)]
        hold(not numbers, f"numbers out of nothing: {numbers}")
    if not any(opener in text for opener in _OPENERS):
        hold(all(not isinstance(value, dict | list) for value in salvaged.values), "a container out of nothing")
    _hold_cut(text, choices)


def _hold_cut(text: str, choices: Choices) -> None:
    """An incomplete element is lost, never completed."""
    try:
        whole: JSON = json.loads(text, object_pairs_hook=_refuse_twice, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return
    # Half a surrogate pair is read as U+FFFD, in a name as well, so that the ways to it differ.
    if not isinstance(whole, dict) or len(text) > 2000 or not is_utf_8(json.dumps(whole, ensure_ascii=False)):
        return
    cut = text[: choices.number(256) * len(text) // 256]
    known = {(path, repr(scalar)) for path, scalar in scalars(whole)}
    for value in salvage_json(cut).values:
        if isinstance(value, dict):
            for path, scalar in scalars(value):
                hold((path, repr(scalar)) in known or _is_same_number(path, scalar, whole), f"{path} in {cut!r}")


def _is_same_number(path: tuple[object, ...], scalar: JSON, whole: JSON) -> bool:
    """A number that no float can hold is read in two lawful ways."""
    other = dict(scalars(whole)).get(path)
    if not isinstance(scalar, int | float | None) or not isinstance(other, int | float):
        return False
    return scalar is None or float(scalar) == float(other) or abs(other) > 2**53


def _refuse_twice(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _refuse(name: str) -> float:
    raise ValueError(name)


def _scaled(low: int, high: int) -> Rubric:
    rubric = open_rubric("comparison-faithfulness")
    return replace(rubric, metrics=(replace(rubric.metrics[0], scale=Scale(Fraction(low), Fraction(high))),))


def check_prose(data: bytes) -> None:
    """A score out of prose: on its scale, and never out of a text without one."""
    choices = Choices(data)
    low, high = choices.pick(SCALES)
    text = choices.text()
    reading = read_twice(lambda: read_score(text, (), _scaled(low, high)))
    _hold_number(reading, low, high)
    if holds_no_number(text):
        hold(isinstance(reading, Misreading), f"a score out of nothing: {reading}")
    is_refusal(text)


def check_fields(data: bytes) -> None:
    """One field against its schema, as text and as whatever JSON stands there."""
    choices = Choices(data)
    low, high = choices.pick(SCALES)
    text = choices.text()
    values: list[JSON] = [text]
    try:
        values.append(json.loads(text))
    except (ValueError, RecursionError):
        values.extend(salvage_json(text).values)
    for value in values:
        _check_field(value, low, high)


def _check_field(value: JSON, low: int, high: int) -> None:
    label = read_twice(lambda: read_label(value, OPTIONS, {"fully supported": "supported"}))
    if isinstance(label, Reading):
        hold(label.value in OPTIONS, f"{label.value!r} is no option")
        if isinstance(value, str) and value.isascii():
            words = re.sub(r"[\s_-]+", " ", value.casefold())
            hold(any(option.casefold() in words for option in OPTIONS), f"a label out of {value!r}")
    whole, number = read_level(value, low, high, whole=True), read_number(value, low, high)
    _hold_number(whole, low, high)
    _hold_number(number, low, high)
    if isinstance(value, str) and holds_no_number(value):
        for reading in (whole, number):
            hold(isinstance(reading, Misreading), f"a number out of {value!r}")


def _hold_number(reading: Reading[int] | Reading[float] | Misreading, low: int, high: int) -> None:
    if isinstance(reading, Misreading):
        hold(reading.reason.strip(), "a misreading without a reason")
        return
    if not low <= reading.value <= high:
        raise BrokenRule(f"{reading.value} is not on the scale from {low} to {high}")
