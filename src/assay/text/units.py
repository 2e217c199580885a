"""The units of measure and the currencies that a text may name, as tables, and the readers of their names."""

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
second|time|1/86400|sec,secs,second,seconds
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
_HUNDREDTHS: Final = {"cents": "USD", "cent": "USD", "¢": "USD", "pence": "GBP", "paise": "INR"}
# Names that stand only after a slash or "per".
_DENOMINATORS: Final = {"d": "day", "s": "second", "wk": "week", "mo": "month", "annum": "year", "person": "person"}
# "ten dollars a week later" is no weekly rate.
_NOT_LATER: Final = r"(?!\s+(?:later|ago|earlier|before|after|old)\b)"
_LONG_NAME: Final = re.compile(r"[^\W\d_]{3,}")


class _UnitRow(NamedTuple):
    canonical: str
    dimension: str
    factor: str
    names: tuple[str, ...]


def read_unit(text: str, start: int) -> tuple[str, int] | None:
    """The unit named at `start`, compounds included (mg/kg/day, km per hour), and where its name ends."""
    found = _unit_pattern().match(text, start)
    return read_rate(text, found.end(), _canonical(found.group())) if found else None


def read_rate(text: str, start: int, unit: str) -> tuple[str, int]:
    """Add to a unit what it is counted per: "/kg", " per day", " a month"."""
    end = start
    for _ in range(2):
        found = _denominator_pattern().match(text, end)
        if not found:
            break
        unit, end = f"{unit}/{_canonical(found['unit'])}", found.end()
    return unit, end


def read_currency_before(text: str, start: int) -> tuple[str, int] | None:
    """The currency whose sign ends where the number at `start` begins, and where that sign begins."""
    offset = max(0, start - 6)
    found = _currency_before().search(text[offset:start])
    return (_currency_codes(1)[found["sign"]], offset + found.start()) if found else None


def read_currency_opening(text: str, start: int) -> int | None:
    """Where the number begins whose currency sign begins at `start`."""
    found = _currency_opening().match(text, start)
    return found.end() if found else None


def read_currency_after(text: str, start: int) -> tuple[str, Fraction, int] | None:
    """The currency named at `start`, the part of it that one such coin is worth, and where the name ends."""
    found = _currency_after().match(text, start)
    if not found:
        return None
    name = found.group()
    if name.lower() in _HUNDREDTHS:
        return _HUNDREDTHS[name.lower()], Fraction(1, 100), found.end()
    return _currency_codes(2).get(name) or _currency_codes(2)[name.lower()], Fraction(1), found.end()


@cache
def measure_of(unit: str) -> Measure:
    """What any canonical unit measures; a compound such as mg/kg/day measures the compound of its parts."""
    simple = _measures().get(unit)
    if simple:
        return simple
    over, *under = unit.split("/")
    if under and not over and under[0].isdecimal():
        return Measure("rating", Fraction(1, int(under[0])))
    if not under:
        return Measure(unit, Fraction(1))
    factor = measure_of(over).factor if over else Fraction(1)
    dimensions = [measure_of(over).dimension if over else "times"]
    for part in under:
        measure = measure_of(part)
        factor /= measure.factor
        dimensions.append(measure.dimension)
    return Measure("/".join(dimensions), factor)


@cache
def _rows() -> tuple[_UnitRow, ...]:
    rows = (line.split("|") for line in _UNITS.strip().splitlines())
    return tuple(_UnitRow(name, dimension, factor, tuple(names.split(","))) for name, dimension, factor, names in rows)


@cache
def _measures() -> dict[str, Measure]:
    return {row.canonical: Measure(row.dimension, Fraction(row.factor)) for row in _rows() if row.factor}


def _either_case(exact: dict[str, str]) -> dict[str, str]:
    return exact | {name.lower(): code for name, code in exact.items() if _LONG_NAME.match(name)}


@cache
def _names() -> dict[str, str]:
    return _either_case({name: row.canonical for row in _rows() for name in row.names})


def _canonical(name: str) -> str:
    names = _names()
    name = name.replace("\u00a0", " ")
    return names.get(name) or names.get(name.lower()) or _DENOMINATORS[name.lower()]


def _alternatives(names: Iterable[str]) -> str:
    """A pattern for any of the names, longest first, each up to the end of its word."""
    ordered = sorted(names, key=len, reverse=True)
    spaced = [re.escape(name).replace(r"\ ", "[ \u00a0]") for name in ordered]
    parts = [f"(?i:{part})" if _LONG_NAME.match(name) else part for part, name in zip(spaced, ordered, strict=True)]
    return "|".join(part + (r"(?!\w)" if name[-1].isalnum() else "") for part, name in zip(parts, ordered, strict=True))


@cache
def _unit_pattern() -> re.Pattern[str]:
    return re.compile(_alternatives(name for row in _rows() for name in row.names))


@cache
def _denominator_pattern() -> re.Pattern[str]:
    names = _alternatives([*(name for row in _rows() for name in row.names), *_DENOMINATORS])
    joint = r"\s?/\s?|[\s-](?:per|each|every)[\s-]|[\s-]an?[\s-](?=[a-z]{3})"
    return re.compile(rf"(?:{joint})(?P<unit>{names}){_NOT_LATER}")


@cache
def _currency_before() -> re.Pattern[str]:
    return re.compile(rf"(?P<sign>{_currency_signs()})[ \u00a0]?$")


@cache
def _currency_opening() -> re.Pattern[str]:
    return re.compile(rf"(?:{_currency_signs()})[ \u00a0]?(?=[0-9.])")


@cache
def _currency_after() -> re.Pattern[str]:
    # A sign that stands before the next number is that number's.
    return re.compile(rf"(?:{_alternatives([*_currency_names(2), *_HUNDREDTHS])})(?!\.? ?[0-9])")


def _currency_names(column: int) -> dict[str, str]:
    rows = (line.split("|") for line in _CURRENCIES.strip().splitlines())
    return {name: row[0] for row in rows for name in row[column].split(",")}


def _currency_signs() -> str:
    signs = sorted(_currency_names(1), key=len, reverse=True)
    return "|".join((r"(?<!\w)" if sign[0].isalpha() else "") + re.escape(sign) for sign in signs)


@cache
def _currency_codes(column: int) -> dict[str, str]:
    return _either_case(_currency_names(column))
