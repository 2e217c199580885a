"""Numbers, units and dates changed to others that could have stood there."""

import random
import re
from collections.abc import Sequence

from training.corruptions.rule import build_swap, choose_match, replace_match

_NUMBER = re.compile(
    r"(?<![\w.,/-])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,]|\.\d)|(?<![\w.,/-])\d+(?:\.\d+)?(?![\w,]|\.\d)"
)
_YEAR = re.compile(r"(?<![\w.,$-])(?:1[5-9]|20)\d\d(?![\w%–-]|[.,]\d)")
_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER_WORD = re.compile(r"(?<![\w-])(?:" + "|".join(_WORDS) + r")(?![\w-])", re.IGNORECASE)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINAL = re.compile(r"(?<![\w-])(?:" + "|".join(_ORDINALS) + r")(?![\w-])", re.IGNORECASE)
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTH_DAY = re.compile(r"\b(?:" + "|".join(_MONTHS) + r")(?= \d)|(?<=\d )(?:" + "|".join(_MONTHS) + r")\b")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAY = re.compile(r"\b(?:" + "|".join(_WEEKDAYS) + r")\b")


def write_like(value: float, model: str) -> str:
    """A number in the spelling of another: its decimals and its thousands separators."""
    decimals = len(model.partition(".")[2])
    separator = "," if "," in model or (value >= 10_000 and len(model) > 4) else ""
    return f"{value:{separator}.{decimals}f}"


def change_number(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """One number raised, lowered, or made ten times larger or smaller; years are left to the dates."""
    found = [one for one in _NUMBER.finditer(sentence) if not _YEAR.fullmatch(one.group())]
    words = list(_NUMBER_WORD.finditer(sentence))
    if words and (not found or rng.random() < 0.3):
        word = rng.choice(words)
        return replace_match(sentence, word, rng.choice([one for one in _WORDS if one != word.group().casefold()]))
    if not found:
        return None
    chosen = rng.choice(found)
    old = float(chosen.group().replace(",", ""))
    return sentence[: chosen.start()] + _other_number(old, chosen.group(), rng) + sentence[chosen.end() :]


def borrow_number(sentence: str, others: Sequence[str], rng: random.Random) -> str | None:
    """A number or year that the other sentences have, in the place of one that they lack the words for."""
    found = list(_NUMBER.finditer(sentence))
    if not found:
        return None
    chosen = rng.choice(found)
    is_year = _YEAR.fullmatch(chosen.group()) is not None
    known = {one.group() for other in others for one in _NUMBER.finditer(other)}
    usable = sorted(
        one
        for one in known
        if (_YEAR.fullmatch(one) is not None) == is_year and not re.search(rf"\b{re.escape(one)}\b", sentence)
    )
    return sentence[: chosen.start()] + rng.choice(usable) + sentence[chosen.end() :] if usable else None


def _other_number(old: float, spelled: str, rng: random.Random) -> str:
    step = 10.0 ** -len(spelled.partition(".")[2])
    new = old
    for _ in range(8):
        roll = rng.random()
        if roll < 0.2:
            new = old * 10
        elif roll < 0.3 and old >= 10 * step:
            new = old / 10
        elif roll < 0.6:
            new = old + rng.choice((-1, 1)) * rng.randint(1, 9) * step * 10 ** rng.randint(0, max(0, len(spelled) - 2))
        else:
            new = old * rng.choice((0.5, 0.6, 0.75, 0.8, 0.9, 1.1, 1.2, 1.25, 1.4, 1.5, 2, 3))
        if new >= 0 and write_like(new, spelled) != spelled:
            return write_like(new, spelled)
    return write_like(old + step, spelled)


def shift_date(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """Another year, month or weekday in the place of one."""
    options: list[tuple[re.Match[str], str]] = []
    for year in _YEAR.finditer(sentence):
        shift = rng.choice((-20, -10, -5, -3, -2, -1, 1, 2, 3, 5, 10))
        options.append((year, str(int(year.group()) + shift)))
    for pattern, names in ((_MONTH_DAY, _MONTHS), (_WEEKDAY, _WEEKDAYS)):
        found = list(pattern.finditer(sentence))
        options.extend((one, rng.choice([name for name in names if name != one.group()])) for one in found)
    if not options:
        return None
    chosen, new = rng.choice(options)
    return replace_match(sentence, chosen, new)


def shift_ordinal(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """Third becomes fifth; a bare `second` or `first` may be no ordinal, but the sentence changes all the same."""
    found = choose_match(_ORDINAL, sentence, rng)
    if found is None:
        return None
    return replace_match(sentence, found, rng.choice([one for one in _ORDINALS if one != found.group().casefold()]))


swap_unit = build_swap(
    (
        ("kilometres", "miles"), ("kilometers", "miles"), ("km", "m"), ("km", "mi"), ("metres", "feet"),
        ("meters", "feet"),
        ("metres", "kilometres"), ("meters", "kilometers"), ("inches", "feet"), ("inches", "centimetres"),
        ("cm", "mm"),
        ("kilograms", "pounds"), ("kg", "lb"), ("grams", "kilograms"), ("ounces", "pounds"), ("tons", "pounds"),
        ("litres", "gallons"), ("liters", "gallons"), ("ml", "l"), ("million", "billion"), ("thousand", "million"),
        ("hundred", "thousand"), ("minutes", "hours"), ("minutes", "seconds"), ("hours", "days"), ("days", "weeks"),
        ("weeks", "months"), ("months", "years"), ("years", "decades"), ("dollars", "euros"), ("dollars", "pounds"),
        ("acres", "hectares"), ("mph", "km/h"), ("watts", "kilowatts"), ("mg", "mcg"), ("mg", "g"), ("mg", "ml"),
        ("gb", "mb"), ("gb", "tb"), ("mah", "wh"), ("percent", "percentage points"),
        ("degrees Celsius", "degrees Fahrenheit"),
        ("daily", "weekly"), ("weekly", "monthly"), ("monthly", "yearly"), ("per day", "per week"),
        ("per month", "per year"),
    )
)  # fmt: skip
