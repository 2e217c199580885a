"""Words that rank products, such as cheapest or better rated than, worked out again from the data."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal

from assay.checks.product_clauses import WHOLE, is_doubted, opens_clause
from assay.checks.product_data import Product
from assay.checks.product_figures import Finding, price_pair
from assay.checks.product_names import Mention, are_listed, find_shared_words
from assay.domain.findings import Evidence
from assay.domain.span import Span
from assay.text.quantity_matching import in_base_unit, percent_off

Measure = Literal["base", "final", "rating", "discount", "savings"]
_WHICH: Final = r"(?:(?P<base>base |list |original |regular )|final |sale |selling |overall |asking )?"
_LOWEST: Final = rf"lowest(?:[- ]priced| {_WHICH}(?:price|cost))"
_RATED: Final = r"(?:average |customer |user |overall )?rat(?:ed|ings?)"
_KIND: Final = r"(?:(?:price|percentage|overall) )?"
# Each row: what is measured, whether the least or the most of it is claimed, superlatives, comparatives.
_ROWS: Final[tuple[tuple[Measure, Literal["least", "most"], str, str], ...]] = (
    (
        "final",
        "least",
        rf"cheapest|least expensive|most (?:affordable|budget-friendly)|{_LOWEST}",
        r"cheaper|less (?:expensive|costly)|more affordable|lower[- ]priced|costs? less|priced lower",
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
        rf"(?:biggest|largest|highest|steepest|deepest|greatest) {_KIND}discount",
        r"(?:bigger|larger|higher|steeper|deeper) discount",
    ),
    ("discount", "least", rf"(?:smallest|lowest) {_KIND}discount", r"(?:smaller|lower) discount"),
)
_SUPERLATIVES: Final = tuple(
    (measure, end, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for measure, end, words, _ in _ROWS
)
_COMPARATIVES: Final = tuple(
    (
        measure,
        end,
        re.compile(rf"\b(?:{words})(?: price| option| choice| overall)? than (?:both )?(?:the )?", re.IGNORECASE),
    )
    for measure, end, _, words in _ROWS
)
_ADVERB: Final = r"(?: (?:also|still|clearly|easily|currently|now|overall|by far|therefore|thus))?"
_IN_BRACKETS: Final = r"(?:\s?\((?:(?:now|at|just|only|rs|inr|stars?|[₹$£€0-9.,/%-]{1,12})\.?\s?){1,6}\))?"
_TO_SUPERLATIVE: Final = re.compile(
    rf"{_IN_BRACKETS}(?:{_ADVERB} (?:is|are|has|have|offers|carries|boasts|gets|earns|holds|remains|features|provides"
    rf"|comes (?:in )?(?:as|at|with)|stands out (?:as|with)|ranks as){_ADVERB}|\s?[,(:–—-])\s?(?:the |a |an )?",
    re.IGNORECASE,
)
_TO_COMPARATIVE: Final = re.compile(
    rf"{_IN_BRACKETS}(?:{_ADVERB} (?:is|are|has|have|offers|carries|gets|remains|comes with))?{_ADVERB}\s?"
    r"(?:a |an |the )?(?:(?:much|far|slightly|significantly|considerably|a bit|a little|a lot|even|notably|well) )?"
    r"(?:(?:about |around )?(?:rs\.? ?|inr ?|[₹$£€] ?)?[0-9][0-9.,]{0,12} ?%? )?",
    re.IGNORECASE,
)
_BEFORE_IN_CELL: Final = re.compile(
    r"(?:^\W*|[(,;:.–—]\s?)(?:(?:is|has|offers|it is|it has|overall) )?(?:the )?$", re.IGNORECASE
)
_LIMITED: Final = re.compile(
    r"\b(?:among|amongst|for|of|in|with|under|between|after|behind|next|than|vs|versus|not|no|never|second|far)\b|n['’]t",
    re.IGNORECASE,
)
_THING: Final = re.compile(r" (?:option|choice|product|one|pick|model|item|price)\b", re.IGNORECASE)
_NEXT_WORD: Final = re.compile(r"[ -]([^\W\d_]+)\b")
_PRICE_SCOPE: Final = re.compile(
    rf"(?: here| overall)?(?:,? {WHOLE}| (?:at|for) (?:just |only |a (?:final )?price of )?(?:rs\.? ?|inr ?|[₹$£€] ?)"
    r"[0-9](?:[0-9.,]{0,12}[0-9])?)?",
    re.IGNORECASE,
)
_OTHER_SCOPE: Final = re.compile(
    rf"(?: here| overall)?(?:,? {WHOLE}| of [0-9](?:\.[0-9]{{1,2}})?(?:/5| stars| out of 5)?(?![0-9%]))?", re.IGNORECASE
)
_GOES_ON: Final = r" and (?:is|has|also|comes|offers|feels|looks|gets|costs)\b"
_ENDS: Final = re.compile(
    r"\W{0,4}$|\s?[.;!]|[)*]|[\s,:–—-]{1,3}(?:but|while|whereas|though|although|making|followed)\b|, yet\b"
    rf"|, (?:and|it|its|the|with a)\b|{_GOES_ON}"
    r"| and the [\w-]{1,20}(?: [\w-]{1,20})?\W{0,4}$",
    re.IGNORECASE,
)
_ENDS_COMPARED: Final = re.compile(
    rf"{_IN_BRACKETS}(?:\W{{0,4}}$|[.;!)*]|,? (?:but|while|whereas|though|although|making)\b|{_GOES_ON}"
    r"|, (?:and|yet|it|its|the|with a)\b)",
    re.IGNORECASE,
)
_IS_AFTER: Final = re.compile(
    r" (?:is|goes to|belongs to|comes from)(?: the)? (?:(?:product|option|item) )?", re.IGNORECASE
)
_APPOSED_AFTER: Final = re.compile(r"\s?[,(:–—-]\s?(?:the )?", re.IGNORECASE)
_AFTER_NAME: Final = re.compile(r"\W{0,4}$|\s?[.,;:)!–—*]| (?:but|while|whereas|at|with) ", re.IGNORECASE)
_FINAL: Final = re.compile(r"\b(?:final|sale|selling|asking)\b", re.IGNORECASE)
_THE_REST: Final = re.compile(
    r"(?:other (?:two|options|products|ones)|others?|rest|two others|remaining(?: two| ones)?)\b", re.IGNORECASE
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
    if is_doubted(text):
        return
    shared = find_shared_words(products)
    for measure, end, pattern in _SUPERLATIVES:
        for match in pattern.finditer(text):
            scope_end = _pass_scope(text, match.end(), measure, shared)
            subject = _find_subject(text, Span(match.start(), scope_end), mentions, implied)
            if subject is not None:
                others = tuple(product for product in products if product is not subject)
                own = "base" if "base" in match.re.groupindex and match["base"] else measure
                yield Rank(subject, others, own, end, False, match[0], Span(*match.span()))
    for measure, end, pattern in _COMPARATIVES:
        for match in pattern.finditer(text):
            subject = _find_before(text, match.start(), mentions, implied, _TO_COMPARATIVE)
            over = () if subject is None else _find_compared(text, match.end(), mentions, products, subject)
            if subject is not None and over:
                words = match[0].partition(" than")[0]
                yield Rank(subject, over, measure, end, True, f"{words} than", Span(*match.span()))


def speaks_of_rank(text: str) -> bool:
    """Whether a text holds a word such as cheapest, whoever is meant by it."""
    return any(pattern.search(text) for _, _, pattern in _SUPERLATIVES)


def check_rank(rank: Rank) -> Finding:
    """A discount may be the biggest in percent or in money: only where both say otherwise is it not the biggest.

    The lowest price may be meant of the base prices, so these have to say otherwise as well.
    """
    found = _check_measured(rank)
    if rank.measure == "final" and not rank.strict and found.faulty and not _FINAL.search(rank.words):
        at_base = _check_measured(replace(rank, measure="base"))
        return found if at_base.faulty else Finding(None)
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
    if len({value.unit for value in (own, *(value for _, value in compared))} - {None}) > 1:
        # What one currency is worth in another is not in the data.
        return Finding(None)
    for other, value in compared:
        gap = sign * (value.amount - own.amount)
        if rank.measure in {"discount", "savings"} and rank.end == "least" and value.amount == 0:
            # Of what is not reduced some say that its discount is the smallest, others that it has none.
            return Finding(None)
        if gap < 0 or (gap == 0 and rank.strict):
            note = f"“{rank.words}” does not hold: {rank.subject.title} has {own.words}, {other.title} {value.words}"
            return Finding("contradicted", (*own.evidence, *value.evidence), note)
    if len(compared) < len(rank.over):
        return Finding(None)
    evidence = (*own.evidence, *(each for _, value in compared for each in value.evidence))
    return Finding("supported", evidence, f"“{rank.words}” holds in the data")


@dataclass(frozen=True, slots=True)
class _Measured:
    """`unit` is the currency of a price and of a saving."""

    amount: Fraction
    unit: str | None
    words: str
    evidence: tuple[Evidence, ...]


def _measure(product: Product, measure: Measure) -> _Measured | None:
    if measure in {"discount", "savings"}:
        pair = price_pair(product)
        if pair is None or pair[0] <= 0 or product.base is None or product.final is None:
            return None
        words = f"{product.base.written} down to {product.final.written}"
        amount = percent_off(*pair) if measure == "discount" else pair[0] - pair[1]
        unit = product.final.quantity.unit if measure == "savings" else None
        return _Measured(amount, unit, words, (product.base.evidence, product.final.evidence))
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
    unit = None if measure == "rating" else datum.quantity.unit
    return _Measured(amount, unit, f"{name} {datum.written}", (datum.evidence,))


def _find_subject(text: str, span: Span, mentions: Sequence[Mention], implied: Product | None) -> Product | None:
    """The product that is the cheapest: neither far from the cheapest, nor the cheapest steel kettle."""
    if _ENDS.match(text, span.end):
        before = _find_before(text, span.start, mentions, implied, _TO_SUPERLATIVE)
        if before is not None:
            return before
    after = next((mention for mention in mentions if mention.span.start >= span.end), None)
    if after is None or implied is not None or not opens_clause(text, span.start):
        return None
    between = text[span.end : after.span.start]
    told = _IS_AFTER.fullmatch(between) or _APPOSED_AFTER.fullmatch(between)
    return after.product if told and _AFTER_NAME.match(text, after.span.end) else None


def _pass_scope(text: str, at: int, measure: Measure, shared: frozenset[str]) -> int:
    """The end of "the cheapest option of the three", and of "the cheapest kettle" where all of them are kettles."""
    thing = _THING.match(text, at)
    if thing is not None:
        at = thing.end()
    else:
        while (word := _NEXT_WORD.match(text, at)) and word[1].casefold() in shared:
            at = word.end()
    scope = (_PRICE_SCOPE if measure == "final" else _OTHER_SCOPE).match(text, at)
    return at if scope is None else scope.end()


def _find_before(
    text: str, at: int, mentions: Sequence[Mention], implied: Product | None, link: re.Pattern[str]
) -> Product | None:
    """The product that a clause opens with and whose rank is then told, or that the cell speaks of."""
    if implied is not None:
        before = text[max(0, at - _FARTHEST) : at]
        return implied if _BEFORE_IN_CELL.search(before) and not _LIMITED.search(before) else None
    earlier = [mention for mention in mentions if mention.span.end <= at]
    if not earlier or are_listed(earlier[-2:], text):
        return None
    name = earlier[-1].span
    told = at - name.end <= _FARTHEST and link.fullmatch(text[name.end : at]) and opens_clause(text, name.start)
    return earlier[-1].product if told else None


def _find_compared(
    text: str, at: int, mentions: Sequence[Mention], products: Sequence[Product], subject: Product
) -> tuple[Product, ...]:
    rest = _THE_REST.match(text, at)
    if rest is not None:
        others = tuple(product for product in products if product is not subject)
        return others if _ENDS_COMPARED.match(text, rest.end()) else ()
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
    return tuple(found) if _ENDS_COMPARED.match(text, end) else ()
