"""The units of measure and the currencies that a text may name, as tables, and the parsers of their names."""

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple


class Measure(NamedTuple):
    """What a unit measures, and how many of the dimension's base unit one of it makes."""

    dimension: str
    factor: Fraction


# Canonical name | dimension | factor to the dimension's base unit | names in print.
# A name of three letters or more is read in any case; a shorter one exactly as printed: mg is not Mg, W is not w.
_UNITS: Final = """
mcg|mass|1/1000000|mcg,µg,ug,microgram,micrograms
mg|mass|1/1000|mg,MG,milligram,milligrams,milligramme,milligrammes
g|mass|1|g,gm,gms,gram,grams,gramme,grammes
kg|mass|1000|kg,kgs,Kg,KG,kilo,kilos,kilogram,kilograms,kilogramme,kilogrammes
tonne|mass|1000000|tonne,tonnes,metric ton,metric tons
lb|mass|45359237/100000|lb,lbs,pound,pounds
oz|mass|45359237/1600000|oz,ounce,ounces
mL|volume|1/1000|mL,ml,millilitre,millilitres,milliliter,milliliters
dL|volume|1/10|dL,dl,decilitre,decilitres,deciliter,deciliters
L|volume|1|L,l,litre,litres,liter,liters,ltr,ltrs
m3|volume|1000|m3,m³,cubic metre,cubic metres,cubic meter,cubic meters
IU|activity|1|IU,I.U.,international unit,international units
unit|activity|1|unit,units
mmol|amount|1/1000|mmol,millimole,millimoles
mol|amount|1|mol,mole,moles
kcal|energy|1|kcal,calorie,calories,kilocalorie,kilocalories
mmHg|pressure|1|mmHg,mm Hg
bpm|beats|1|bpm,beats per minute,beats a minute,beats/min
mm|length|1/1000|mm,millimetre,millimetres,millimeter,millimeters
cm|length|1/100|cm,cms,centimetre,centimetres,centimeter,centimeters
m|length|1|m,metre,metres,meter,meters
km|length|1000|km,kms,Km,KM,kilometre,kilometres,kilometer,kilometers
inch|length|254/10000|inch,inches,″
foot|length|3048/10000|ft,foot,feet,′
mile|length|1609344/1000|mi,mile,miles
sq ft|area|9290304/100000000|sq ft,sq. ft.,sqft,square foot,square feet
m2|area|1|m2,m²,sq m,sqm,square metre,square metres,square meter,square meters
km2|area|1000000|km2,km²,sq km,square kilometre,square kilometres,square kilometer,square kilometers
km/hour|length/time||km/h,kmh,kph,kmph
mile/hour|length/time||mph
B|data|1|byte,bytes
KB|data|1000|KB,kB,kilobyte,kilobytes
MB|data|1000000|MB,megabyte,megabytes
GB|data|1000000000|GB,gigabyte,gigabytes
TB|data|1000000000000|TB,terabyte,terabytes
W|power|1|W,watt,watts
kW|power|1000|kW,kilowatt,kilowatts
MW|power|1000000|MW,megawatt,megawatts
GW|power|1000000000|GW,gigawatt,gigawatts
Hz|frequency|1|Hz,hertz
GHz|frequency|1000000000|GHz
°C|celsius|1|°C,° C,℃,degrees Celsius,degree Celsius,degrees centigrade,degrees C,deg C
°F|fahrenheit|1|°F,° F,℉,degrees Fahrenheit,degree Fahrenheit,degrees F,deg F
second|time|1/86400|sec,secs,seconds
minute|time|1/1440|min,mins,minute,minutes
hour|time|1/24|h,hr,hrs,hour,hours
day|time|1|day,days
week|time|7|wk,wks,week,weeks
month|time|487/16|month,months,mos
year|time|1461/4|yr,yrs,year,years,yo,y/o
decade|time|7305/2|decade,decades
century|time|36525|centuries
%|percent|1|%,percent,per cent,pct
pp|points|1|percentage point,percentage points,percent points,% points,%-points,pp
"""
# Code | signs before the number | names after it.
_CURRENCIES: Final = """
INR|₹,Rs.,Rs,₨,INR,rs.,rs|rupees,rupee,Rs.,Rs,INR,₹
USD|US$,USD,$,US $|dollars,dollar,USD,US dollars,US$,bucks,$
EUR|€,EUR|euros,euro,EUR,€
GBP|£,GBP|GBP,pounds sterling,£,quid
JPY|¥,JPY|yen,JPY
CNY|CNY,RMB|yuan,CNY,RMB,renminbi
AUD|A$,AU$,AUD|AUD,Australian dollars
CAD|C$,CA$,CAD|CAD,Canadian dollars
SGD|S$,SGD|SGD
CHF|CHF,Fr.|CHF,Swiss francs,francs
AED|AED|AED,dirhams
"""
# A coin | its currency | its names; it is a hundredth.
_COINS: Final = """
cent|USD|cents,cent,¢
penny|GBP|pence
paisa|INR|paise
"""
# Names that stand only after a slash or "per"; in "two second-half goals" the second is a place.
_DENOMINATORS: Final = {"s": "second", "second": "second", "d": "day", "night": "day", "mo": "month", "annum": "year"}
# "ten dollars a week later" is no weekly rate.
_NOT_LATER: Final = r"(?!\s+(?:later|ago|earlier|before|after|old)\b)"
_LONG_NAME: Final = re.compile(r"[^\W\d_]{3,}")


def parse_unit(text: str, start: int) -> tuple[str, int] | None:
    """The unit or currency named at `start`, rates included (mg/kg/day, km per hour), and where its name ends."""
    found = _unit_pattern().match(text, start)
    return parse_rate(text, found.end(), _names()[_fold_name(found.group())]) if found else None


def parse_rate(text: str, start: int, unit: str) -> tuple[str, int]:
    """A unit with what it is counted per ("/kg", " per day", " a month"), and where that ends."""
    end = start
    for _ in range(2):
        found = _rate_pattern().match(text, end)
        if not found:
            break
        name = _fold_name(found["unit"])
        unit, end = f"{unit}/{_names().get(name) or _DENOMINATORS[name]}", found.end()
    return unit, end


def find_currency_before(text: str, start: int) -> tuple[str, int] | None:
    """The currency whose sign ends where the number at `start` begins, and where that sign begins."""
    offset = max(0, start - 6)
    found = _sign_pattern().search(text[offset:start])
    return (_signs()[_fold_name(found["sign"])], offset + found.start()) if found else None


def parse_currency(text: str) -> str | None:
    """The currency that a text names and nothing else: a sign, a code or a word."""
    name = _fold_name(text)
    return _signs().get(name) or next(
        (code for code, _, names in _currencies() if name in map(_fold_name, names)), None
    )


@cache
def measure_of(unit: str) -> Measure:
    """What any canonical unit measures; a rate such as mg/kg/day measures the rate of its parts."""
    simple = _measures().get(unit)
    if simple:
        return simple
    over, *under = unit.split("/")
    if under and not over and under[0].isdecimal():
        return Measure("rating", Fraction(1, int(under[0])))
    if not under:
        return Measure(unit, Fraction(1))
    dimension, factor = measure_of(over) if over else Measure("times", Fraction(1))
    for measure in map(measure_of, under):
        dimension, factor = f"{dimension}/{measure.dimension}", factor / measure.factor
    return Measure(dimension, factor)


def _rows(table: str) -> list[list[str]]:
    return [line.split("|") for line in table.strip().splitlines()]


def _currencies() -> list[tuple[str, list[str], list[str]]]:
    return [(code, signs.split(","), names.split(",")) for code, signs, names in _rows(_CURRENCIES)]


@cache
def _measures() -> dict[str, Measure]:
    measures = {name: Measure(dimension, Fraction(factor)) for name, dimension, factor, _ in _rows(_UNITS) if factor}
    return measures | {coin: Measure(currency, Fraction(1, 100)) for coin, currency, _ in _rows(_COINS)}


@cache
def _names() -> dict[str, str]:
    """Units by their folded names."""
    rows = [(row[0], row[-1].split(",")) for row in (*_rows(_UNITS), *_rows(_CURRENCIES), *_rows(_COINS))]
    return {_fold_name(name): unit for unit, names in rows for name in names}


@cache
def _signs() -> dict[str, str]:
    return {_fold_name(sign): code for code, signs, _ in _currencies() for sign in signs}


def _fold_name(name: str) -> str:
    plain = name.replace("\u00a0", " ")
    return plain.lower() if _LONG_NAME.match(plain) else plain


def _alternatives(names: Iterable[str]) -> str:
    """A pattern for any of the folded names, longest first, each up to the end of its word."""
    parts = []
    for name in sorted(names, key=len, reverse=True):
        part = re.escape(name).replace(r"\ ", "[ \u00a0]")
        parts.append((f"(?i:{part})" if _LONG_NAME.match(name) else part) + (r"(?!\w)" if name[-1].isalnum() else ""))
    return "|".join(parts)


@cache
def _unit_pattern() -> re.Pattern[str]:
    # A currency sign before the next number is that number's.
    return re.compile(rf"(?!(?:{_sign_alternatives()})\.? ?[0-9])(?:{_alternatives(_names())})")


@cache
def _rate_pattern() -> re.Pattern[str]:
    joint = r"\s?/\s?|[\s-](?:per|each|every)[\s-]|[\s-]an?[\s-](?=[a-z]{3})"
    return re.compile(rf"(?:{joint})(?P<unit>{_alternatives([*_names(), *_DENOMINATORS])}){_NOT_LATER}")


@cache
def _sign_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?P<sign>{_sign_alternatives()})[ \u00a0]?$")


def _sign_alternatives() -> str:
    signs = sorted(_signs(), key=len, reverse=True)
    cased = [f"(?i:{re.escape(sign)})" if _LONG_NAME.match(sign) else re.escape(sign) for sign in signs]
    return "|".join((r"(?<!\w)" if sign[0].isalpha() else "") + part for sign, part in zip(signs, cased, strict=True))
