"""Words that rank products, such as cheapest or better rated than, worked out again from the data."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal

from assay.checks.product_data import Product
from assay.checks.product_figures import Finding, price_pair
from assay.checks.product_names import Mention, are_listed
from assay.domain.findings import Evidence
from assay.domain.span import Span
from assay.text.quantity_derivations import percent_off
from assay.text.quantity_relations import in_base_unit

Measure = Literal["base", "final", "rating", "discount", "savings"]
_WHICH: Final = r"(?:(?P<base>base |list |original |regular )|final |sale |selling |overall |asking )?"
_LOWEST: Final = rf"lowest(?:[- ]priced| {_WHICH}(?:price|cost))"
_RATED: Final = r"(?:average |customer |user |overall )?rat(?:ed|ings?)"
# Each row: what is measured, whether the least or the most of it is claimed, superlatives, comparatives.
_ROWS: Final[tuple[tuple[Measure, Literal["least", "most"], str, str], ...]] = (
    (
        "final",
        "least",
        rf"cheapest|least expensive|most (?:affordable|economical|budget-friendly)|{_LOWEST}",
        r"cheaper|less (?:expensive|costly)|more (?:affordable|economical)|lower[- ]priced|costs? less|priced lower",
    ),
    (
        "final",
        "most",
        rf"most expensive|priciest|costliest|highest[- ]priced|highest {_WHICH}(?:price|cost)",
        r"more expensive|pricier|costlier|costs? more|priced higher|higher[- ]priced|higher (?:final |sale )?price",
    ),
    (
        "rating",
        "most",
        rf"(?:highest|best)[- ]{_RATED}",
        rf"(?:higher|better)[- ]{_RATED}|rated (?:higher|better)",
    ),
    ("rating", "least", rf"(?:lowest|worst|poorest)[- ]{_RATED}", rf"lower[- ]{_RATED}|rated lower"),
    (
        "discount",
        "most",
        r"(?:biggest|largest|highest|steepest|deepest|greatest) (?:\w{1,12} )?discount",
        r"(?:bigger|larger|higher|steeper|deeper) discount",
    ),
    ("discount", "least", r"(?:smallest|lowest) (?:\w{1,12} )?discount", r"(?:smaller|lower) discount"),
)
_SUPERLATIVES: Final = tuple(
    (measure, end, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for measure, end, words, _ in _ROWS
)
_COMPARATIVES: Final = tuple(
    (
        measure,
        end,
        re.compile(rf"\b(?:{words})(?: (?!than\b)\w{{1,12}}){{0,3}} than (?:both )?(?:the )?", re.IGNORECASE),
    )
    for measure, end, _, words in _ROWS
)
_HEDGED: Final = re.compile(
    r"(?:\b(?:one of|among|amongst|some of|not|never|no|nearly|almost|if|would|could|might"
    r"|may|than|unlike|versus|vs|compared|beats?|neither|nor|either|whether|both)|n't|n’t)\b[^,;.]{0,30}$"
    r"|\b(?:second|third|2nd|3rd|next)[- ]$",
    re.IGNORECASE,
)
_SCOPE: Final = re.compile(
    r"(?: (?:option|choice|product|one|pick|model|item))?(?:,)? (?P<scope>(?:with|that|which|to|for|in|on|among|amongst"
    r"|from|per|when|if|unless|after|of|but|until)\b.{0,40})",
    re.IGNORECASE | re.DOTALL,
)
_WHOLE_SCOPE: Final = re.compile(
    r"(?:of|among|amongst|in|on|from|for)\s(?:(?:all|any|the|these|this|our|other|products?|compared|options)\s){0,3}"
    r"(?:three|(?<=the )3|(?<=all )3|(?<=these )3|lot|bunch|group|trio|comparison|list|table|set|options|products|them"
    r"|all)\b|but\b"
    r"|(?:for|with|of|at)\s(?:just\s|only\s|a (?:final )?price of\s|an? (?:average )?rating of\s)?(?:rs|inr|[₹$£€]|\d)",
    re.IGNORECASE,
)
_OPENING_SCOPE: Final = re.compile(
    r"\W*(?P<scope>(?:among|amongst|of|for|in|within|when|where|with)\b[^,]{1,60}),", re.IGNORECASE
)
_BY_PRICE: Final = re.compile(
    r"(?:in terms of|when it comes to|for|of) (?:the )?(?:\w+ )?"
    r"(?:price|pricing|cost|rating|affordability|discount)s?\b",
    re.IGNORECASE,
)
_APART: Final = re.compile(
    r"\b(?:than|unlike|but|while|whereas|versus|vs|compared|beats?|over|not|no|if|against|although|though|rather|without)\b"
    r"|n't|n’t|;|\.\s|,\s?and (?:the )?$",
    re.IGNORECASE,
)
_IS_AFTER: Final = re.compile(
    r"(?: (?:option|choice|product|one|pick|model|item|price|rating|discount))?"
    r"(?: here| overall| of the three| of all)? (?:is|goes to|belongs to|comes from|would be)(?: the)? ",
    re.IGNORECASE,
)
_APPOSED_AFTER: Final = re.compile(
    r"(?: (?:option|choice|product|one|pick|model|item))?\s?[,(:–—-]\s?(?:the )?", re.IGNORECASE
)
_THE_REST: Final = re.compile(
    r"(?:others?|other (?:two|options|products|ones)|rest|two others|remaining)\b", re.IGNORECASE
)
_FARTHEST: Final = 60


@dataclass(frozen=True, slots=True)
class Rank:
    """`over` holds the products that a comparative names; a superlative is over all others."""

    subject: Product
    over: tuple[Product, ...]
    measure: Measure
    end: Literal["least", "most"]
    strict: bool
    words: str
    span: Span


def find_ranks(
    text: str, mentions: Sequence[Mention], products: Sequence[Product], implied: Product | None = None
) -> Iterator[Rank]:
    """The rankings whose subject is sure: named right by the words, or `implied` by the cell they stand in."""
    for measure, end, pattern in _SUPERLATIVES:
        for match in pattern.finditer(text):
            if _is_hedged(text, match):
                continue
            subject = implied or _find_subject(text, Span(*match.span()), mentions)
            if subject is not None:
                others = tuple(product for product in products if product is not subject)
                own = "base" if "base" in match.re.groupindex and match["base"] else measure
                yield Rank(subject, others, own, end, False, match[0], Span(*match.span()))
    for measure, end, pattern in _COMPARATIVES:
        for match in pattern.finditer(text):
            subject = implied or _find_before(text, match.start(), mentions)
            if subject is None or _HEDGED.search(text[max(0, match.start() - 40) : match.start()]):
                continue
            over = _find_compared(text, match.end(), mentions, products, subject)
            if over:
                words = match[0].partition(" than")[0]
                yield Rank(subject, over, measure, end, True, f"{words} than", Span(*match.span()))


def check_rank(rank: Rank) -> Finding:
    """A discount may be the biggest in percent or in money: only where both say otherwise is it not the biggest."""
    found = _check_measured(rank)
    if rank.measure != "discount":
        return found
    in_money = _check_measured(replace(rank, measure="savings"))
    return found if found.label == in_money.label else Finding(None)


def _check_measured(rank: Rank) -> Finding:
    """A tie holds for a superlative and breaks a comparative; products without the datum can't contradict."""
    own = _measure(rank.subject, rank.measure)
    if own is None:
        return Finding(None)
    sign = 1 if rank.end == "least" else -1
    compared = [(other, value) for other in rank.over if (value := _measure(other, rank.measure)) is not None]
    for other, value in compared:
        gap = sign * (value.amount - own.amount)
        if gap < 0 or (gap == 0 and rank.strict):
            note = f"“{rank.words}” does not hold: {rank.subject.title} has {own.words}, {other.title} {value.words}"
            return Finding("contradicted", (*own.evidence, *value.evidence), note)
    if len(compared) < len(rank.over):
        return Finding(None)
    evidence = (*own.evidence, *(each for _, value in compared for each in value.evidence))
    return Finding("supported", evidence, f"“{rank.words}” holds in the data")


@dataclass(frozen=True, slots=True)
class _Measured:
    amount: Fraction
    words: str
    evidence: tuple[Evidence, ...]


def _measure(product: Product, measure: Measure) -> _Measured | None:
    if measure in {"discount", "savings"}:
        pair = price_pair(product)
        if pair is None or pair[0] <= 0 or product.base is None or product.final is None:
            return None
        words = f"{product.base.written} down to {product.final.written}"
        amount = percent_off(*pair) if measure == "discount" else pair[0] - pair[1]
        return _Measured(amount, words, (product.base.evidence, product.final.evidence))
    if measure == "rating":
        data = product.ratings
        datum = data[0] if len({each.quantity.value for each in data}) == 1 else None
        name = "a rating of"
    else:
        datum = product.base if measure == "base" else product.final
        name = f"a {measure} price of"
    if datum is None or datum.amount is None:
        return None
    amount = in_base_unit(datum.quantity).value if measure == "rating" else datum.amount
    return _Measured(amount, f"{name} {datum.written}", (datum.evidence,))


def _is_hedged(text: str, match: re.Match[str]) -> bool:
    """One of the cheapest, not the cheapest, the cheapest with a case: none of these ranks one product over all."""
    if _HEDGED.search(text[max(0, match.start() - 44) : match.start()]):
        return True
    opening = _OPENING_SCOPE.match(text)
    if opening and not _WHOLE_SCOPE.match(opening["scope"]) and not _BY_PRICE.match(opening["scope"]):
        return True
    scope = _SCOPE.match(text, match.end())
    return scope is not None and not _WHOLE_SCOPE.match(scope["scope"])


def _find_subject(text: str, span: Span, mentions: Sequence[Mention]) -> Product | None:
    after = next((mention for mention in mentions if mention.span.start >= span.end), None)
    between = text[span.end : after.span.start] if after is not None else ""
    if after is not None and _IS_AFTER.fullmatch(between):
        return after.product
    before = _find_before(text, span.start, mentions)
    if before is not None or after is None:
        return before
    anyone = any(mention.span.end <= span.start for mention in mentions)
    return after.product if not anyone and _APPOSED_AFTER.fullmatch(between) else None


def _find_before(text: str, at: int, mentions: Sequence[Mention]) -> Product | None:
    """The last product named before, where nothing in between turns to another thing and it is no part of a list."""
    earlier = [mention for mention in mentions if mention.span.end <= at]
    if not earlier or are_listed(earlier[-2:], text):
        return None
    between = text[earlier[-1].span.end : at]
    return None if len(between) > _FARTHEST or _APART.search(between) else earlier[-1].product


def _find_compared(
    text: str, at: int, mentions: Sequence[Mention], products: Sequence[Product], subject: Product
) -> tuple[Product, ...]:
    if _THE_REST.match(text, at):
        return tuple(product for product in products if product is not subject)
    later = [mention for mention in mentions if mention.span.start >= at]
    found: list[Product] = []
    end = at
    for mention in later:
        joint = text[end : mention.span.start]
        if not re.fullmatch(r"(?:\s?(?:,|and|or|&|, and|, or)\s)?(?:the )?" if found else r"(?:the )?", joint):
            break
        if mention.product is None or mention.product is subject:
            return ()
        found.append(mention.product)
        end = mention.span.end
    return tuple(found)
