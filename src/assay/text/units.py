"""The units of measure and the currencies that a text may name, as one table, and the parsers of their names."""

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple


class MeasureUnit(NamedTuple):
    """A dimension, and the factor to its base unit. Each currency is a dimension of its own."""

    dimension: str
    factor: Fraction


# Dimension | factor to its base unit | names in print | signs of a currency that stand before the number.
# A number with a unit that is missing here counts as bare.
# A name of three letters or more is read in any case; a shorter one exactly as printed: mg is not Mg, W is not w.
_UNITS: Final = """
mass|1/1000000|mcg,µg,ug,microgram,micrograms
mass|1/1000|mg,MG,milligram,milligrams,milligramme,milligrammes
mass|1|g,gm,gms,gram,grams,gramme,grammes
mass|1000|kg,kgs,Kg,KG,kilo,kilos,kilogram,kilograms,kilogramme,kilogrammes
mass|1000000|tonne,tonnes,metric ton,metric tons
mass|635029318/100000|stone,stones
mass|45359237/100000|lb,lbs,pound,pounds
mass|45359237/1600000|oz,ounce,ounces
volume|1/1000|mL,ml,millilitre,millilitres,milliliter,milliliters
volume|1/100|cl,cL,centilitre,centilitres
volume|3785411784/1000000000|gallon,gallons,gal
volume|473176473/1000000000|pint,pints
volume|1/10|dL,dl,decilitre,decilitres,deciliter,deciliters
volume|1|L,l,litre,litres,liter,liters,ltr,ltrs
activity|1|IU,I.U.,international unit,international units,unit,units
amount|1/1000|mmol,millimole,millimoles
amount|1|mol,mole,moles
energy|100/418|kJ,kilojoule,kilojoules
energy|1|kcal,calorie,calories,kilocalorie,kilocalories
pressure|1|mmHg,mm Hg
beats|1|bpm,beats per minute,beats a minute,beats/min
length|1/1000|mm,millimetre,millimetres,millimeter,millimeters
length|1/100|cm,cms,centimetre,centimetres,centimeter,centimeters
length|1|m,metre,metres,meter,meters
length|1000|km,kms,Km,KM,kilometre,kilometres,kilometer,kilometers
length|254/10000|inch,inches,″
length|3048/10000|ft,foot,feet,′
length|9144/10000|yd,yards,yard
length|1852|nautical miles,nautical mile
length|1609344/1000|mi,mile,miles
area|9290304/100000000|sq ft,sq. ft.,sqft,square foot,square feet
area|40468564224/10000000|acre,acres
area|10000|hectare,hectares,ha
area|1|m2,m²,sq m,sqm,square metre,square metres,square meter,square meters
speed|1|km/h,kmh,kph,kmph,kilometres per hour,kilometers per hour
speed|1609344/1000000|mph,miles per hour,miles an hour
speed|1852/1000|knots,knot,kn
speed|36/10|m/s,metres per second,meters per second
data|1000|KB,kB,kilobyte,kilobytes
data|1000000|MB,megabyte,megabytes
data|1000000000|GB,gigabyte,gigabytes
data|1000000000000|TB,terabyte,terabytes
power|1|W,watt,watts
power|1000|kW,kilowatt,kilowatts
power|7457/10|hp,bhp,horsepower
power|1000000|MW,megawatt,megawatts
celsius|1|°C,° C,℃,degrees Celsius,degree Celsius,degrees centigrade,degrees C,deg C
fahrenheit|1|°F,° F,℉,degrees Fahrenheit,degree Fahrenheit,degrees F,deg F
time|1/86400|sec,secs,seconds
time|1/1440|min,mins,minute,minutes
time|1/24|h,hr,hrs,hour,hours
time|1|day,days,night,nights
time|7|wk,wks,week,weeks
time|487/16|month,months,mos
time|1461/4|yr,yrs,year,years,yo,y/o
time|7305/2|decade,decades
time|36525|century,centuries
percent|1|%,percent,per cent,pct
points|1|percentage point,percentage points,percent points,% points,%-points,pp
INR|1|rupees,rupee,Rs.,Rs,INR,₹|₹,Rs.,Rs,₨,INR,rs.,rs
INR|1/100|paise
USD|1|dollars,dollar,USD,US dollars,US$,bucks,$|US$,USD,$,US $
USD|1/100|cents,cent,¢
EUR|1|euros,euro,EUR,€|€,EUR
GBP|1|GBP,pounds sterling,£,quid|£,GBP
GBP|1/100|pence
JPY|1|yen,JPY|¥,JPY
CNY|1|yuan,CNY,RMB,renminbi|CNY,RMB
AUD|1|AUD,Australian dollars|A$,AU$,AUD
CAD|1|CAD,Canadian dollars|C$,CA$,CAD
SGD|1|SGD|S$,SGD
CHF|1|CHF,Swiss francs,francs|CHF,Fr.
AED|1|AED,dirhams|AED
"""
_POUND: Final = MeasureUnit("mass", Fraction(45359237, 100000))
_TIMES: Final = {
    "hourly": "hour",
    "dai": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
    "annual": "year",
}
_LONG_NAME: Final = re.compile(r"[^\W\d_]{3,}")


def parse_unit(text: str, start: int) -> tuple[MeasureUnit, int] | None:
    """The unit or currency named at `start`, and where its name ends."""
    found = _unit_pattern().match(text, start)
    return (_units()[_fold_name(found.group())], found.end()) if found else None


def find_currency_before(text: str, start: int) -> tuple[MeasureUnit, int] | None:
    """The currency whose sign ends where the number at `start` begins, and where that sign begins."""
    offset = max(0, start - 6)
    found = _sign_pattern().search(text[offset:start])
    return (MeasureUnit(_signs()[_fold_name(found["sign"])], Fraction(1)), offset + found.start()) if found else None


def find_units(text: str) -> frozenset[MeasureUnit]:
    """Every unit that a text names anywhere, also as in "daily" and "a fortnight"."""
    names = (found.group() for found in re.finditer(rf"(?<![^\W\d_])(?:{_unit_pattern().pattern})", text))
    units = {unit for name in names for unit in list_meanings(_units()[_fold_name(name)])}
    return frozenset(units.union(*(list_meanings(_units()[unit]) for stem, unit in _TIMES.items() if stem in text)))


def parse_currency(text: str) -> str | None:
    """The currency, where the text is a currency's sign, code or name and nothing else."""
    name = _fold_name(text)
    unit = _units().get(name)
    # All currencies are written in capitals, and no other dimension is.
    return _signs().get(name) or (unit.dimension if unit and unit.factor == 1 and unit.dimension.isupper() else None)


def list_meanings(unit: MeasureUnit) -> tuple[MeasureUnit, ...]:
    """A pound is a weight or a currency."""
    return (unit, MeasureUnit("GBP", Fraction(1))) if unit == _POUND else (unit,)


def _rows() -> list[list[str]]:
    return [line.split("|") for line in _UNITS.strip().splitlines()]


@cache
def _units() -> dict[str, MeasureUnit]:
    """By their folded names."""
    rows = ((MeasureUnit(row[0], Fraction(row[1])), row[2].split(",")) for row in _rows())
    return {_fold_name(name): unit for unit, names in rows for name in names}


@cache
def _signs() -> dict[str, str]:
    return {_fold_name(sign): row[0] for row in _rows() for sign in (row[3].split(",") if len(row) > 3 else ())}


def _fold_name(name: str) -> str:
    plain = name.replace("\u00a0", " ")
    return plain.lower() if _LONG_NAME.match(plain) else plain


def _alternatives(names: Iterable[str], before: str = "", after: str = "") -> str:
    """A pattern for any of the folded names, longest first, with what a name of letters needs before and after it."""
    parts = []
    for name in sorted(names, key=len, reverse=True):
        part = re.escape(name).replace(r"\ ", "[ \u00a0]")
        part = f"(?i:{part})" if _LONG_NAME.match(name) else part
        parts.append((before if name[0].isalpha() else "") + part + (after if name[-1].isalnum() else ""))
    return "|".join(parts)


@cache
def _unit_pattern() -> re.Pattern[str]:
    signs, names = _alternatives(_signs(), before=r"(?<!\w)"), _alternatives(_units(), after=r"(?!\w)")
    # A currency sign before the next number is that number's.
    return re.compile(rf"(?!(?:{signs})\.? ?[0-9])(?:{names})")


@cache
def _sign_pattern() -> re.Pattern[str]:
    signs = _alternatives(_signs(), before=r"(?<!\w)")
    return re.compile(rf"(?P<sign>{signs})[ \u00a0]?\Z")
