"""The currencies a text may name, as a table."""

import re
from fractions import Fraction
from functools import cache
from typing import Final

from assay.text.measures import alternatives

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
NZD|NZ$,NZD|NZD
SGD|S$,SGD|SGD
HKD|HK$,HKD|HKD
CHF|CHF,Fr.|CHF,Swiss francs,francs
KRW|₩,KRW|KRW
RUB|₽,RUB|roubles,rubles,RUB
BRL|R$,BRL|reais,BRL
AED|AED|AED,dirhams
PKR|PKR|PKR,Pakistani rupees
SEK|SEK|SEK,kronor
"""
_HUNDREDTHS: Final = {"cents": "USD", "cent": "USD", "¢": "USD", "pence": "GBP", "paise": "INR"}


def read_currency_before(text: str, start: int) -> tuple[str, int] | None:
    """The currency whose sign ends where the number at `start` begins, and where that sign begins."""
    offset = max(0, start - 6)
    found = _before().search(text[offset:start])
    return (_codes(1)[found["sign"]], offset + found.start()) if found else None


def read_currency_opening(text: str, start: int) -> int | None:
    """Where the number begins whose currency sign begins at `start`."""
    found = _opening().match(text, start)
    return found.end() if found else None


def read_currency_after(text: str, start: int) -> tuple[str, Fraction, int] | None:
    """The currency named at `start`, the part of it that one such coin is worth, and where the name ends."""
    found = _after().match(text, start)
    if not found:
        return None
    name = found.group()
    if name.lower() in _HUNDREDTHS:
        return _HUNDREDTHS[name.lower()], Fraction(1, 100), found.end()
    return _codes(2).get(name) or _codes(2)[name.lower()], Fraction(1), found.end()


@cache
def _before() -> re.Pattern[str]:
    return re.compile(rf"(?P<sign>{_signs()})[ \u00a0]?$")


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(rf"(?:{_signs()})[ \u00a0]?(?=[0-9.])")


@cache
def _after() -> re.Pattern[str]:
    names = [name for names in _names(2).values() for name in names] + list(_HUNDREDTHS)
    # A sign that stands before the next number is that number's.
    return re.compile(rf"(?:{alternatives(names)})(?!\.? ?[0-9])")


def _names(column: int) -> dict[str, list[str]]:
    rows = (line.split("|") for line in _CURRENCIES.strip().splitlines())
    return {row[0]: row[column].split(",") for row in rows}


def _signs() -> str:
    signs = sorted((sign for signs in _names(1).values() for sign in signs), key=len, reverse=True)
    return "|".join((r"(?<!\w)" if sign[0].isalpha() else "") + re.escape(sign) for sign in signs)


@cache
def _codes(column: int) -> dict[str, str]:
    exact = {name: code for code, names in _names(column).items() for name in names}
    return exact | {name.lower(): code for name, code in exact.items() if len(name) >= 3}
