"""What a figure in a comparison stands for, by its table's labels and by the words next to it."""

import re
from typing import Final

from assay.checks.product_figures import Role
from assay.text.quantity import Kind, Quantity

_BASE: Final = (
    r"(?:base|list(?:ed)?|original|regular|marked|maximum retail|undiscounted|full|strike(?:d|[- ]?through)?)"
    r"(?=\s*(?:price|cost|mrp|\(|/|$))|m\.?r\.?p\b\.?|(?:price|cost)s?\W{1,3}(?:before|without|pre)"
)
_FINAL: Final = (
    r"(?:final|sales?|selling|discounted|offer(?:ed)?|deal|current|net|effective|special|reduced|payable)"
    r"(?=\s*(?:price|cost|\(|/|$))|(?:price|cost)s?\W{1,3}(?:after|with|post)|(?:you|to) pay\b"
)
_LABEL_WORDS: Final = re.compile(rf"\b(?:(?P<base>{_BASE})|(?P<final>{_FINAL}))", re.IGNORECASE)
_PRICE_LABEL: Final = re.compile(r"\b(?:price|prices|cost|pricing|mrp)\b", re.IGNORECASE)
_OTHER_PRICE: Final = re.compile(
    r"\b(?:per|difference|drop|change|history|emi|segment|category|performance|competitiveness|value|rank|range|to|vs"
    r"|shipping|delivery)\b",
    re.IGNORECASE,
)
# "CoolWave 5 Star" is a product.
_RATING_LABEL: Final = re.compile(
    r"\b(?:ratings?|rated)\b|^\W*(?:(?:avg\.?|average|customer|user) )?stars?\W*$", re.IGNORECASE
)
_OTHER_RATING: Final = re.compile(
    r"\b(?:number|no|count|total|how many|energy|bee|water|ip|ipx|safety|power|sun|uv|volume|weight|load|my|our|expert"
    r"|breakdown|distribution|battery|sound|comfort|quality|value)\b|#",
    re.IGNORECASE,
)
_DISCOUNT_LABEL: Final = re.compile(r"\b(?:discounts?|savings?|you save|price cut|markdown)\b|%\s?off\b", re.IGNORECASE)
_LABEL_CLUTTER: Final = re.compile(r"\((?:in\s)?(?:rs\.?|inr|₹|\$|usd|€|eur|£|gbp|out of 5|/5|%)\)", re.IGNORECASE)

_COSTS_ELSE: Final = re.compile(
    r"\b(?:emi|month|delivery|shipping|cashback|coupon|exchange|bank|gst|tax(?:es)?|fees?|warranty|voucher|gift|worth"
    r"|budget|spend(?:ing)?|limit|per|each|differences?|gap|extra|additional(?:ly)?|installation)\b",
    re.IGNORECASE,
)
_DIFFERENCE_BEFORE: Final = re.compile(r"\b(?:by|more|less|another|premium of|apart|within)\W{0,3}$", re.IGNORECASE)
_DIFFERENCE_AFTER: Final = re.compile(
    r"\W{0,2}(?:more|less|cheaper|extra|higher|lower|costlier|pricier|dearer|apart|below|above|budget|range|segment|mark)\b",
    re.IGNORECASE,
)
_SAVING_BEFORE: Final = re.compile(
    r"\b(?:sav(?:e[sd]?|ings?)|discount(?:ed)?(?: by)?|reduc(?:ed|tion)(?: by)?|knocks?|down|dropped|cut)\W{0,2}"
    r"(?:you |of |is |up to |an? |by |about ){0,4}$",
    re.IGNORECASE,
)
_SAVING_AFTER: Final = re.compile(
    r"(?:/-)?\W{0,2}(?:off\b|discount|savings?\b|saved\b|saving\b|price (?:cut|drop|reduction))", re.IGNORECASE
)
_LINK: Final = (
    r"(?:\s?(?:price|cost|tag|value))?\s?(?:of|at|is|was|for|to|being|stands at|:|=|-|–)?\s?"
    r"(?:just |only |about |around )?\W{0,4}$"
)
_BASE_BEFORE: Final = re.compile(
    rf"(?:\b(?:was|m\.?r\.?p\.?|originally(?: priced)?|original|base|list|listed|regular"
    rf"|(?:down|discounted|reduced|drop(?:s|ped)?|cut|falls?|fell|lowered|slashed) from(?: an?)?(?: original| base)?"
    rf"|from (?:an? )?(?:original|base)|instead of|usual|before)){_LINK}",
    re.IGNORECASE,
)
_FINAL_BEFORE: Final = re.compile(
    rf"\b(?:now|final|sale|selling|discounted(?: to)?|offer|current|after (?:the )?discounts?|reduced to|down to|net"
    rf"|effective|dropped to){_LINK}",
    re.IGNORECASE,
)
# In "Rs 900 (MRP Rs 1,200)" the word belongs to the second figure.
_NO_FIGURE: Final = r"\b(?!(?: price)?\W{0,4}(?:rs|inr)?\W{0,3}\d)"
_BASE_AFTER: Final = re.compile(
    rf"\W{{0,3}}(?:mrp|base|original|list|before (?:the )?discount){_NO_FIGURE}", re.IGNORECASE
)
_FINAL_AFTER: Final = re.compile(rf"\W{{0,3}}(?:final|sale price|after (?:the )?discount){_NO_FIGURE}", re.IGNORECASE)
_PERCENT_BEFORE: Final = re.compile(
    r"\b(?:discount(?:ed)?|sav(?:e[sd]?|ings?)|reduc(?:ed|tion)|price (?:cut|drop))\W{0,2}"
    r"(?:of |by |is |at |you |an? |about |around |over ){0,4}$",
    re.IGNORECASE,
)

_SIGNS: Final = ("+", "-", "–", "−", "minus", "plus")


def read_label(label: str) -> tuple[Role, ...]:
    """The roles a label gives to the figures under it, in order; none where it is about something else."""
    bare = _LABEL_CLUTTER.sub("", label).strip(" :*")
    roles: list[Role] = ["base" if found["base"] else "final" for found in _LABEL_WORDS.finditer(bare)]
    if roles and (_PRICE_LABEL.search(bare) or len(bare.split()) <= 2) and not _OTHER_PRICE.search(bare):
        return tuple(dict.fromkeys(roles))
    if _DISCOUNT_LABEL.search(bare) and len(bare.split()) <= 4:
        return ("discount",)
    if _RATING_LABEL.search(bare) and not _OTHER_RATING.search(bare):
        return ("rating",)
    if _PRICE_LABEL.search(bare) and not _OTHER_PRICE.search(bare) and len(bare.split()) <= 4:
        return ("price",)
    return ()


def names_figures(label: str) -> bool:
    """Whether a label speaks of prices or ratings at all, be it of a price per gram or of the number of ratings."""
    return any(words.search(label) for words in (_PRICE_LABEL, _RATING_LABEL, _DISCOUNT_LABEL, _LABEL_WORDS))


def read_role(text: str, quantity: Quantity, default: Role | None) -> Role | None:
    """What the words right before and after a figure make of it; `default` where they say nothing."""
    start, end = quantity.span
    before, after = text[max(0, start - 44) : start], text[end : end + 28]
    if quantity.kind is Kind.PERCENTAGE:
        discounted = _PERCENT_BEFORE.search(before) or _SAVING_AFTER.match(after)
        return "discount" if discounted or default == "discount" else None
    if quantity.kind is Kind.RATING:
        return "rating"
    if default == "rating":
        return default
    if _costs_something_else(before, after, quantity):
        return None
    if _SAVING_BEFORE.search(before) or _SAVING_AFTER.match(after):
        return "savings"
    struck = text.count("~~", 0, start) % 2 == 1
    if struck or _BASE_BEFORE.search(before) or _BASE_AFTER.match(after):
        return "base"
    if _FINAL_BEFORE.search(before) or _FINAL_AFTER.match(after):
        return "final"
    return "savings" if default == "discount" else default


def _costs_something_else(before: str, after: str, quantity: Quantity) -> bool:
    """A monthly rate, a delivery fee, a budget, a difference between two prices."""
    rate = quantity.unit is not None and "/" in quantity.unit
    near = before[-28:] + "|" + after[:20]
    differs = _DIFFERENCE_BEFORE.search(before) or _DIFFERENCE_AFTER.match(after)
    return rate or bool(differs) or bool(_COSTS_ELSE.search(near))


def has_sign(text: str, quantity: Quantity) -> bool:
    """+$9.99 and -$5.00 are steps from one price to another."""
    start = quantity.span.start
    return text.startswith(_SIGNS, start) or text.startswith(_SIGNS, max(0, start - 1), start)
