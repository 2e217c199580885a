"""Digits that name something instead of measuring it: citations, list numbers, versions, telephones, codes."""

import re
from typing import Final

from assay.text.calendar_dates import MONTH, read_date
from assay.text.measures import read_unit

# Stands for a character that takes no part in any number; one for one, so that offsets stay.
_BLANK: Final = "\x00"
_IDENTIFIER: Final = re.compile(
    r"""
      (?:https?\s?:\s?//\s?|www\.)\S+
    | \[[0-9]{1,3}(?:\s?[,;–-]\s?[0-9]{1,3}){0,20}\]                                    # citation
    | ^[ \t]{0,8}(?:[0-9]{1,3}[.)]|\([0-9]{1,3}\))(?=\s)                                # list number
    | (?<![\w.,/-])(?:tel|phone|call|fax|mobile|helpline|whatsapp)\b\W{1,3}[0-9(+][0-9() -]{5,18}[0-9]
    | \+[0-9]{1,3}[ .-]?(?:\([0-9]{1,4}\)[ .-]?)?[0-9]{2,5}(?:[ .-][0-9]{2,5}){1,4}(?![\w])
    | (?<![\w.,-])\(?[0-9]{3}\)?[ .-][0-9]{3}[ .-][0-9]{4}(?!\w)                        # telephone
    | (?<![\w.,-])0[0-9]{2,5}(?:[ -][0-9]{2,6}){1,5}(?!\w)
    | (?<![\w.,$€£₹-])[0-9]{10,}(?![.,]?\w)                                             # account, barcode
    | (?<![\w.,-])v?[0-9]{1,8}(?:\.[0-9]{1,8}){2,20}(?!\w)                              # version
    | (?<![\w.,-])[0-9]{1,8}(?:-[0-9]{1,8}){2,20}(?!\w)
    | (?<![\w.,])[0-9]{1,4}(?::[0-9]{1,4}){1,4}(?:\s?[ap]\.?m\b\.?)?(?!\w)              # clock, ratio
    | (?<![\w.,])[0-9]{1,2}(?:\.[0-9]{2})?\s?(?:[ap]m\b|[ap]\.m\.?|o'clock\b|noon\b|GMT\b)
    | (?<!\w)(?:24/7|9/11|50[/-]50)(?![\w/])
    | (?<![\w$])(?P<letters>[^\W\d_]{1,40})-?[0-9][\w-]{0,80}                           # COVID-19, B12, H1N1
    | (?<![\w.,])[0-9][0-9,]{0,6}(?:\s?[-–]\s?[0-9][0-9,]{0,6})?\s(?-i:BCE?|AD|CE)\b
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_GROUPED: Final = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3}){2,8}$")
# What may be written against a number without making it a name.
_PREFIX: Final = re.compile(
    r"(?:Rs|INR|USD|EUR|GBP|AUD|CAD|JPY|CNY|CHF)[0-9]|(?:mid|pre|post|early|late|top|since|circa)-[0-9]|q[0-9]"
    rf"|{MONTH}-[0-9]",
    re.IGNORECASE,
)


def blank_identifiers(text: str) -> str:
    """The text, of the same length, with every identifier blanked out."""
    return _IDENTIFIER.sub(_blank_unless_quantity, text)


def _blank_unless_quantity(found: re.Match[str]) -> str:
    code = found.group()
    if found["letters"]:
        measured = found.string[max(0, found.start() - 2) : found.start()]
        # "10 mg-20 mg" is a range, not the code mg-20.
        if _PREFIX.match(code) or (measured[:1].isdecimal() and read_unit(found["letters"], 0)):
            return code
    elif code[0].isdecimal() and (_GROUPED.match(code) or read_date(found.string, found.start())):
        return code
    return _BLANK * len(code)
