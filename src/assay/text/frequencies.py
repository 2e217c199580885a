"""How often something is taken or happens, as times a day."""

import re
from fractions import Fraction
from typing import Final

from assay.text.measures import measure_of, read_unit
from assay.text.number_words import read_number_words
from assay.text.numerals import Numeral, read_numeral

PER_DAY: Final = "/day"
_PERIODS: Final = {"day": 1, "daily": 1, "night": 1, "nightly": 1, "week": 7, "weekly": 7}
_LATIN: Final[dict[str, int | Fraction]] = {
    "qd": 1,
    "od": 1,
    "bid": 2,
    "bd": 2,
    "tid": 3,
    "tds": 3,
    "qid": 4,
    "qds": 4,
    "qod": Fraction(1, 2),
}
_A_PERIOD: Final = (
    r"(?P<period>daily|weekly|monthly|yearly|annually|(?:an?|per|each|every) (?:day|night|week|month|year))\b"
)
_COUNT: Final = "[0-9]{1,3}|[a-z]{2,9}"
_TIMES: Final = re.compile(
    rf"(?:(?P<word>once|twice)|(?P<count>{_COUNT})(?:\s?(?:-|–|to|or)\s?(?P<most>{_COUNT}))?[ -]times)[ -]{_A_PERIOD}",
    re.IGNORECASE,
)
_EVERY: Final = re.compile(
    rf"(?:every|q) ?(?:(?P<other>other )|(?P<low>{_COUNT})(?:\s?(?:-|–|to)\s?(?P<high>{_COUNT}))? ?)"
    r"(?P<unit>h|hrs?|hours?|days?|weeks?|months?|years?|minutes?|min)\b",
    re.IGNORECASE,
)
_SHORTHAND: Final = re.compile(r"(?P<latin>q\.?o\.?d|q\.?d|b\.?i\.?d|t\.?i\.?d|q\.?i\.?d|tds|qds)\b\.?", re.IGNORECASE)
_DAILY: Final = re.compile(r"(?:daily|nightly|every (?:morning|evening))\b", re.IGNORECASE)
# "Bid" is also a word and "daily" also a newspaper: they count only after a dose or a way of taking it.
_AFTER_DOSE: Final = re.compile(
    r"(?:(?:[0-9]\s?(?:mg|mcg|µg|ug|g|ml|mL|IU|iu|U)|\b(?:units?|tablets?|capsules?|pills?|puffs?|drops?|doses?"
    r"|po|p\.o\.|PO|orally|by mouth|iv|IV|sc|SC|subcutaneously|topically|inhaled)))[ ,]{1,2}$"
)
EVERY_HOURS_OPENING: Final = r"q(?=[0-9]{1,2}h)"
OPENINGS: Final = "once|twice|every|qo?d|q[.]d|bid|b[.]i[.]d|tid|t[.]i[.]d|qid|q[.]i[.]d|tds|qds|daily|nightly"


def read_frequency(text: str, start: int) -> tuple[Fraction, Fraction, int] | None:
    """Read "twice daily", "every 6-8 hours", "q6h", "tid": the least and most times a day, and where the words end."""
    times = _TIMES.match(text, start)
    if times:
        count = Fraction({"once": 1, "twice": 2}.get((times["word"] or "").lower(), 0)) or _count(times["count"])
        most = _count(times["most"]) if times["most"] else count
        period = times["period"].lower().split()[-1]
        days = Fraction(_PERIODS[period]) if period in _PERIODS else _long_period(period)
        return (count / days, most / days, times.end()) if 0 < count <= most else None
    every = _EVERY.match(text, start)
    if every:
        return _read_every(every)
    shorthand = _SHORTHAND.match(text, start)
    if shorthand and (shorthand["latin"].lower() != "bid" or _follows_dose(text, start)):
        often = Fraction(_LATIN[shorthand["latin"].lower().replace(".", "")])
        return often, often, shorthand.end()
    daily = _DAILY.match(text, start)
    return (Fraction(1), Fraction(1), daily.end()) if daily and _follows_dose(text, start) else None


def _follows_dose(text: str, start: int) -> bool:
    return bool(_AFTER_DOSE.search(text[max(0, start - 24) : start]))


def _read_every(every: re.Match[str]) -> tuple[Fraction, Fraction, int] | None:
    named = read_unit(every["unit"].lower(), 0)
    unit = measure_of(named[0]).factor if named else Fraction(0)
    low = Fraction(2) if every["other"] else _count(every["low"])
    high = _count(every["high"]) if every["high"] else low
    if not (low and high and unit):
        return None
    rarest, oftenest = sorted((1 / (low * unit), 1 / (high * unit)))
    return rarest, oftenest, every.end()


def _long_period(period: str) -> Fraction:
    return measure_of("month" if "month" in period else "year").factor


def _count(written: str) -> Fraction:
    numeral: Numeral | None = (
        read_numeral(written, 0) if written[0].isdecimal() else read_number_words(written.lower(), 0)
    )
    return numeral.value if numeral and numeral.end == len(written) else Fraction(0)
