"""The units of measure a text may name, as a table."""

import re
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
ng|mass|1/1000000000|ng,nanogram,nanograms
mcg|mass|1/1000000|mcg,µg,ug,microgram,micrograms
mg|mass|1/1000|mg,MG,milligram,milligrams,milligramme,milligrammes
g|mass|1|g,gm,gms,gram,grams,gramme,grammes
kg|mass|1000|kg,kgs,Kg,KG,kilo,kilos,kilogram,kilograms,kilogramme,kilogrammes
tonne|mass|1000000|tonne,tonnes,metric ton,metric tons
ton|mass|90718474/100|ton,tons
lb|mass|45359237/100000|lb,lbs,pound,pounds
oz|mass|45359237/1600000|oz,ounce,ounces
stone|mass|635029318/100000|stone
uL|volume|1/1000000|mm3,mm³,µL,µl,uL,microlitre,microlitres,microliter,microliters
mL|volume|1/1000|mL,ml,millilitre,millilitres,milliliter,milliliters
cL|volume|1/100|cL,cl,centilitre,centilitres,centiliter,centiliters
dL|volume|1/10|dL,dl,decilitre,decilitres,deciliter,deciliters
L|volume|1|L,l,litre,litres,liter,liters,ltr,ltrs
gallon|volume|3785411784/1000000000|gal,gallon,gallons
pint|volume|473176473/1000000000|pint,pints
fl oz|volume|295735295625/10000000000000|fl oz,fl. oz.,fluid ounce,fluid ounces
m3|volume|1000|m3,m³,cubic metre,cubic metres,cubic meter,cubic meters
cu in|volume|16387064/1000000000|cu in,cubic inch,cubic inches
cu ft|volume|28316846592/1000000000|cu ft,cubic foot,cubic feet
cc|volume|1/1000|cc,cm3,cm³
IU|activity|1|IU,I.U.,international unit,international units
unit|activity|1|unit,units
mmol|amount|1/1000|mmol,millimole,millimoles
mol|amount|1|mol,mole,moles
mEq|equivalents|1|mEq,meq,milliequivalents
kcal|energy|1|kcal,calorie,calories,kilocalorie,kilocalories
kJ|energy|1000/4184|kJ,kilojoule,kilojoules
kWh|energy|3600000/4184|kWh,kilowatt hour,kilowatt hours,kilowatt-hour,kilowatt-hours
mmHg|pressure|1|mmHg,mm Hg
psi|pressure|517149/10000|psi
bpm|beats|1|bpm,beats per minute,beats a minute,beats/min
nm|length|1/1000000000|nm,nanometre,nanometres,nanometer,nanometers
mm|length|1/1000|mm,millimetre,millimetres,millimeter,millimeters
cm|length|1/100|cm,cms,centimetre,centimetres,centimeter,centimeters
m|length|1|m,metre,metres,meter,meters
km|length|1000|km,kms,Km,KM,kilometre,kilometres,kilometer,kilometers
inch|length|254/10000|inch,inches,″
foot|length|3048/10000|ft,foot,feet,′
yard|length|9144/10000|yd,yds,yard,yards
mile|length|1609344/1000|mi,mile,miles
sq ft|area|9290304/100000000|sq ft,sq. ft.,sqft,square foot,square feet
m2|area|1|m2,m²,sq m,sqm,square metre,square metres,square meter,square meters
km2|area|1000000|km2,km²,sq km,square kilometre,square kilometres,square kilometer,square kilometers
sq mile|area|2589988110336/1000000|sq mi,square mile,square miles
acre|area|40468564224/10000000|acre,acres
hectare|area|10000|ha,hectare,hectares
km/hour|length/time||km/h,kmh,kph,kmph
mile/hour|length/time||mph
B|data|1|byte,bytes
KB|data|1000|KB,kB,kilobyte,kilobytes
MB|data|1000000|MB,megabyte,megabytes
GB|data|1000000000|GB,gigabyte,gigabytes
TB|data|1000000000000|TB,terabyte,terabytes
Mbps|bandwidth|1|Mbps
Gbps|bandwidth|1000|Gbps
MP|pixels|1|MP,megapixel,megapixels
px|dots|1|px,pixel,pixels
mAh|charge|1|mAh
W|power|1|W,watt,watts
kW|power|1000|kW,kilowatt,kilowatts
MW|power|1000000|MW,megawatt,megawatts
GW|power|1000000000|GW,gigawatt,gigawatts
hp|power|74569987158/100000000|hp,horsepower,bhp
V|voltage|1|V,volt,volts
Hz|frequency|1|Hz,hertz
kHz|frequency|1000|kHz
MHz|frequency|1000000|MHz
GHz|frequency|1000000000|GHz
fps|frames|1|fps
rpm|turns|1|rpm
dB|loudness|1|dB,decibel,decibels
nit|brightness|1|nits
°C|celsius|1|°C,° C,℃,degrees Celsius,degree Celsius,degrees centigrade,degrees C,deg C
°F|fahrenheit|1|°F,° F,℉,degrees Fahrenheit,degree Fahrenheit,degrees F,deg F
°|angle|1|°,degrees
ms|time|1/86400000|ms,millisecond,milliseconds
second|time|1/86400|sec,secs,second,seconds
minute|time|1/1440|min,mins,minute,minutes
hour|time|1/24|h,hr,hrs,hour,hours
day|time|1|day,days
night|time|1|night,nights
week|time|7|wk,wks,week,weeks
fortnight|time|14|fortnight,fortnights
month|time|487/16|month,months,mos
year|time|1461/4|yr,yrs,year,years,yo,y/o
decade|time|7305/2|decade,decades
century|time|36525|centuries
%|percent|1|%,percent,per cent,pct
pp|points|1|percentage point,percentage points,percent points,% points,%-points,pp
"""
# Names that stand only after a slash or "per".
_DENOMINATORS: Final = {"d": "day", "s": "second", "wk": "week", "mo": "month", "annum": "year", "person": "person"}

# "ten dollars a week later" is no weekly rate.
_NOT_LATER: Final = r"(?!\s+(?:later|ago|earlier|before|after|old)\b)"
_BARE_NAMES: Final = re.compile(r"[^\W\d_]{3,}")


class _UnitRow(NamedTuple):
    canonical: str
    dimension: str
    factor: str
    names: tuple[str, ...]


@cache
def _rows() -> tuple[_UnitRow, ...]:
    rows = (line.split("|") for line in _UNITS.strip().splitlines())
    return tuple(_UnitRow(name, dimension, factor, tuple(names.split(","))) for name, dimension, factor, names in rows)


@cache
def _measures() -> dict[str, Measure]:
    return {row.canonical: Measure(row.dimension, Fraction(row.factor)) for row in _rows() if row.factor}


@cache
def _names() -> dict[str, str]:
    exact = {name: row.canonical for row in _rows() for name in row.names}
    return exact | {name.lower(): unit for name, unit in exact.items() if _BARE_NAMES.match(name)}


def alternatives(names: list[str]) -> str:
    """A pattern for any of the names, longest first.

    A name ends where its word ends, and one of three letters or more is read in any case.
    """
    ordered = sorted(names, key=len, reverse=True)
    spaced = [re.escape(name).replace(r"\ ", "[ \u00a0]") for name in ordered]
    parts = [f"(?i:{part})" if _BARE_NAMES.match(name) else part for part, name in zip(spaced, ordered, strict=True)]
    return "|".join(part + (r"(?!\w)" if name[-1].isalnum() else "") for part, name in zip(parts, ordered, strict=True))


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


@cache
def _unit_pattern() -> re.Pattern[str]:
    return re.compile(alternatives([name for row in _rows() for name in row.names]))


@cache
def _denominator_pattern() -> re.Pattern[str]:
    names = [name for row in _rows() for name in row.names] + list(_DENOMINATORS)
    return re.compile(
        rf"(?:\s?/\s?|[\s-](?:per|each|every)[\s-]|[\s-]an?[\s-](?=[a-z]{{3}}))(?P<unit>{alternatives(names)}){_NOT_LATER}"
    )


def _canonical(name: str) -> str:
    names = _names()
    name = name.replace("\u00a0", " ")
    return names.get(name) or names.get(name.lower()) or _DENOMINATORS[name.lower()]


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
