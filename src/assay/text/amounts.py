"""Reads one number together with its sign, scale and unit."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from assay.text.numbers import SCALES, Numeral, read_number_words, read_numeral, read_share
from assay.text.quantity import Kind
from assay.text.units import measure_of, read_currency_after, read_currency_before, read_rate, read_unit

_SCALE_WORD: Final = re.compile(
    r"[ \u00a0-]?(?P<scale>thousand|lakhs?|lacs?|million|mln|mn|crores?|billion|bn|trillion|tn|hundred|dozen)\b",
    re.IGNORECASE,
)
_SCALE_LETTER: Final = re.compile(r"(?P<scale>[kKM]|m(?= (?:people|[a-z]{3,}s)\b))(?!\w)")
_MONEY_LETTER: Final = re.compile(r"[ \u00a0]?(?P<scale>[kKmMbBL]|[cC][rR])(?![\w/])")
_SHORT_SCALES: Final = {
    **dict.fromkeys(("m", "mn", "mln"), 10**6),
    **dict.fromkeys(("b", "bn"), 10**9),
    "k": 10**3,
    "tn": 10**12,
    "l": 10**5,
    "cr": 10**7,
    "hundred": 100,
    "dozen": 12,
}
_POWER_OF_TEN: Final = re.compile(r"\s?[x×*]\s?10(?:\^(?P<plain>[0-9]{1,2})|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}))(?![0-9])")
_RAISED_DIGITS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SIGN: Final = re.compile(r"(?:(?:^|(?<=[\s(\[|:=,]))[-−–]|(?<!\w)minus |(?<=[\s(\[])[+±] ?)$")
_MARGIN: Final = re.compile(r"\s?(?:±|\+/-)\s?(?=[0-9.])")
# Tokenised texts set spaces around every hyphen: "a 26 - year - old".
_GAP: Final = re.compile(r" - (?=(?:year|month|week|day|hour|minute|mile|foot|inch|pound|star)s?\b)|[ \u00a0\n-]?")
_PER: Final = re.compile(r"\s?/|\sper\s")
_STARS: Final = re.compile(r"(?: - |[ -])?(?:stars?\b(?! (?:of|from|in|who)\b)|★|⭐)", re.IGNORECASE)
_MOST_LIST: Final = "two three four five six seven eight nine ten"
_WORDS_FOR_MOST: Final = {word: number for number, word in enumerate(_MOST_LIST.split(), 2)}
_MOST: Final = rf"(?P<most>[0-9]{{1,6}}|{'|'.join(_WORDS_FOR_MOST)})\b(?![.,][0-9])"
_OUT_OF: Final = re.compile(rf" out of {_MOST}(?P<stars>[ -]stars?\b)?(?P<people> [a-z]+)?", re.IGNORECASE)
_IN: Final = re.compile(rf" in {_MOST}", re.IGNORECASE)
_SLASH: Final = re.compile(r"\s?/\s?(?P<most>[0-9]{1,4})(?![\w/]|[.,][0-9])(?P<share> of\b)?")
_OF_A: Final = re.compile(r" (?:of )?an? (?=[a-z])")
_RATING_SCALES: Final = (5, 10, 100)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as read, before its neighbours show what it stands for; no kind means that it is not known yet."""

    value: Fraction
    step: Fraction
    start: int
    end: int
    numeral: Numeral
    unit: str | None = None
    kind: Kind | None = None
    scaled: bool = False
    sign_before: bool = False


def read_amount(text: str, start: int, language: str) -> Amount | None:
    """Read the number at `start` with all that belongs to it; its own start may lie further left, at a sign."""
    before = read_currency_before(text, start)
    currency = before[0] if before else None
    numeral = _read_number(text, start, language, currency)
    if numeral is None:
        return None
    amount = Amount(numeral.value, numeral.step, start, numeral.end, numeral)
    if before:
        amount = replace(amount, start=before[1], unit=currency, kind=Kind.PRICE, sign_before=True)
    else:
        amount = _reread_with_unit(text, amount, language)
    amount = _with_scale(text, _with_margin(text, amount, language))
    amount = _with_price_tail(text, amount) if amount.kind is Kind.PRICE else _with_unit(text, amount)
    return _with_sign(text, amount)


def _read_number(text: str, start: int, language: str, currency: str | None) -> Numeral | None:
    if text[start].isalpha():
        return (read_share(text, start) or read_number_words(text, start)) if language.startswith("en") else None
    return read_numeral(text, start, language, currency)


def _reread_with_unit(text: str, amount: Amount, language: str) -> Amount:
    """A comma or a point means something else once a unit follows: 1.299 € is over a thousand, 1,5 kg is no list."""
    if amount.numeral.in_words or (amount.numeral.plain and text[amount.end : amount.end + 1] != ","):
        return amount
    money = read_numeral(text, amount.start, language, "EUR")
    if money is None or money == amount.numeral:
        return amount
    gap = _GAP.match(text, money.end)
    named = read_currency_after(text, gap.end() if gap else money.end)
    measured = read_unit(text, gap.end() if gap else money.end)
    if (named and named[0] == "EUR") or (measured and money.end > amount.end):
        return replace(amount, value=money.value, step=money.step, end=money.end, numeral=money)
    return amount


def _with_margin(text: str, amount: Amount, language: str) -> Amount:
    sign = _MARGIN.match(text, amount.end)
    margin = read_numeral(text, sign.end(), language) if sign else None
    return replace(amount, step=2 * margin.value, end=margin.end) if margin else amount


def _with_scale(text: str, amount: Amount) -> Amount:
    power = None if amount.numeral.in_words else _POWER_OF_TEN.match(text, amount.end)
    if power:
        scale = 10 ** int((power["plain"] or power["raised"]).translate(_RAISED_DIGITS))
        return replace(amount, value=amount.value * scale, step=amount.step * scale, end=power.end(), scaled=True)
    found = _SCALE_WORD.match(text, amount.end)
    if not found and amount.unit and amount.kind is Kind.PRICE:
        found = _MONEY_LETTER.match(text, amount.end)
    if not found and not amount.numeral.in_words:
        found = _SCALE_LETTER.match(text, amount.end)
    scaled = amount.numeral.in_words and amount.value >= 1000
    if not found or (amount.numeral.in_words and found["scale"].lower() == "hundred"):
        return replace(amount, scaled=scaled)
    name = found["scale"].lower()
    scale = SCALES.get(name) or _SHORT_SCALES[name]
    return replace(amount, value=amount.value * scale, step=amount.step * scale, end=found.end(), scaled=True)


def _with_price_tail(text: str, amount: Amount) -> Amount:
    end = amount.end + 2 if text.startswith("/-", amount.end) else amount.end
    unit, end = read_rate(text, end, amount.unit or "")
    return replace(amount, unit=unit, end=end)


def _with_unit(text: str, amount: Amount) -> Amount:
    rated = _read_rating(text, amount)
    if rated:
        return rated
    amount = _read_slash(text, amount)
    gap = _GAP.match(text, amount.end)
    position = gap.end() if gap else amount.end
    if amount.numeral.in_words and amount.numeral.step == 0 and (of_a := _OF_A.match(text, amount.end)):
        position = of_a.end()
    money = read_currency_after(text, position)
    if money:
        unit, worth, end = money
        priced = replace(amount, value=amount.value * worth, step=amount.step * worth, end=end, unit=unit)
        return _with_price_tail(text, replace(priced, kind=Kind.PRICE))
    named = read_unit(text, position)
    if not named or _is_ordinal_second(text[position : named[1]], text[amount.end : position], amount):
        return _with_bare_rate(text, amount)
    unit, end = named
    if unit == "lb" and amount.scaled and text[position : position + 5].lower() == "pound":
        return replace(amount, unit="GBP", kind=Kind.PRICE, end=end)
    return replace(amount, unit=unit, kind=_kind_of_unit(unit), end=end)


def _with_bare_rate(text: str, amount: Amount) -> Amount:
    """A number may be counted per something without a unit of its own: 88/min, 17,580/mm3, 12 per hour."""
    if amount.kind or not _PER.match(text, amount.end):
        return amount
    unit, end = read_rate(text, amount.end, "")
    return replace(amount, unit=unit, kind=Kind.MEASURE, end=end) if unit else amount


def _kind_of_unit(unit: str) -> Kind:
    dimension = measure_of(unit).dimension
    if dimension.partition("/")[0] in {"percent", "points"}:
        return Kind.PERCENTAGE
    return Kind.DURATION if dimension == "time" else Kind.MEASURE


def _is_ordinal_second(name: str, gap: str, amount: Amount) -> bool:
    """In "two second-half goals" the second is a place, not a unit of time."""
    return name.lower() == "second" and gap != "-" and amount.value != 1


def _read_rating(text: str, amount: Amount) -> Amount | None:
    found = _OUT_OF.match(text, amount.end)
    if found and 0 < amount.value <= (most := _most(found)):
        if most in _RATING_SCALES and (found["stars"] or not found["people"]):
            end = found.end("stars") if found["stars"] else found.end("most")
            return replace(amount, unit=f"/{most}", kind=Kind.RATING, end=end)
        return _as_share(amount, most, found.end("most"))
    found = _IN.match(text, amount.end)
    if found and 0 < amount.value < (most := _most(found)) and (amount.value == 1 or most in {10, 100}):
        return _as_share(amount, most, found.end("most")) if most < 1000 else None
    stars = _STARS.match(text, amount.end)
    if stars and amount.value <= 5:
        return replace(amount, unit="/5", kind=Kind.RATING, end=stars.end())
    return None


def _most(found: re.Match[str]) -> int:
    return _WORDS_FOR_MOST.get(found["most"].lower()) or int(found["most"])


def _as_share(amount: Amount, most: int, end: int) -> Amount:
    # Six in ten may be anything that rounds to it; one in five is told as it is.
    step = Fraction(1, most) if most in {10, 100} else Fraction(0)
    return replace(amount, value=amount.value / most, step=step, kind=Kind.NUMBER, end=end)


def _read_slash(text: str, amount: Amount) -> Amount:
    found = _SLASH.match(text, amount.end)
    if not found or amount.numeral.in_words:
        return amount
    most = int(found["most"])
    if most in _RATING_SCALES and amount.value <= most and not found["share"]:
        stars = _STARS.match(text, found.end())
        return replace(amount, unit=f"/{most}", kind=Kind.RATING, end=stars.end() if stars else found.end())
    tight = found.group()[0] == "/" and found.group()[1].isdecimal()
    is_part = amount.value.denominator == 1 and 0 < amount.value < most
    if tight and is_part and (most in {2, 3, 4, 6, 8, 16} or found["share"]):
        return _as_share(amount, most, found.end("most"))
    return amount


def _with_sign(text: str, amount: Amount) -> Amount:
    offset = max(0, amount.start - 7)
    sign = _SIGN.search(text[offset : amount.start])
    if sign:
        minus = sign.group()[0] in "-−–mM"
        amount = replace(amount, start=offset + sign.start(), value=-amount.value if minus else amount.value)
    elif amount.sign_before and text[amount.numeral.start - 1] in "-−":
        amount = replace(amount, value=-amount.value)
    return amount
