"""The figures of a sentence that can be read in one way only, with the product and the price or rating they state."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from assay.checks.product_attributes import has_sign, read_role
from assay.checks.product_clauses import is_doubted, opens_clause
from assay.checks.product_data import Product
from assay.checks.product_figures import Role
from assay.checks.product_names import Mention, are_listed, find_shared_words, tokenise
from assay.text.quantity import Bound, Kind, Quantity
from assay.text.scripts import blank

_LINK_LIST: Final = """
    a about an around approximately are at available average averages base by carries comes cost costing costs current
    currently customer deal discount discounted discounts down drops earns featuring features final flat for from full
    gets has have having here holds in is just list listed m mrp now of off offer offering offers only original
    originally overall p pay price priced prices r rate rated rates rating ratings reduced regular retailing retails s
    sale save saves saving savings score scored scores selling sells sold stands star stars tag the to user was with you
"""
_LINK: Final = frozenset(_LINK_LIST.split())
_OPENING_LIST: Final = "and biggest cheapest expensive highest largest lowest most priciest"
_OPENING: Final = _LINK.union(_OPENING_LIST.split()) - {"average", "averages"}
_CELL_LIST: Final = "best buy choice deal excellent fair good great option pick steal value"
_CELL_OPENING: Final = _LINK.union(_CELL_LIST.split())
_LISTING: Final = {"and", "on", "for", "with", "by", "the", "off", "of", "only", "discount"}
_BOUND: Final = r"(?:under |below |over |above |less than |more than |at least |at most |up to )?"
_BOUND_WORDS: Final = {"under", "below", "over", "above", "less", "more", "than", "least", "most", "up"}
_MARKED: Final = re.compile(
    r"(?:\b(?:priced? (?:at|of|is|tag of)|prices?|costs?|costing|listed at|pays?|is|are"
    r"|(?:retails?|retailing|sells?|selling|sold|available) (?:at|for)|comes (?:in )?at"
    r"|(?:value|buy|deal|steal|choice|option|pick) at)|^\W*at"
    rf"|[(,;–—] ?at)\W{{0,3}}(?:just |only |about |around |a |an )?{_BOUND}\W{{0,3}}$",
    re.IGNORECASE,
)
_RATED: Final = re.compile(r"\b(?:rat(?:ed|es?|ings?)|average|averages|scor(?:e[sd]?|ing))\b", re.IGNORECASE)
_NOT_AVERAGE_AFTER: Final = re.compile(
    r"\W{0,2}(?:reviews?|energy|bee|ac|inverter|hotel|model|refrigerator)\b", re.IGNORECASE
)
_BRACKET: Final = re.compile(r"\s?[(\[]\s?(?:(?:now|at|just|only) )?", re.IGNORECASE)
_BRACKET_END: Final = re.compile(r"\s?(?:/-)?\s?[)\],;]")
_OTHER_TALK: Final = re.compile(
    r"\b(?:sav\w*|discount\w*|off|cuts?|reduc\w*|markdown|differ\w*|gap|premium|less|more|extra|ship\w*|postage)\b",
    re.IGNORECASE,
)
_ENDS: Final = (
    r"\W{0,4}$|\s?[.,;:)!\]–—*]"
    r"| (?:and|but|while|whereas|making|which)\b(?! (?:above|up|over|higher|more|below|under)\b)"
)
_AFTER_PRICE: Final = re.compile(
    rf"(?:/-)?(?:{_ENDS}| (?:only|now|today|here|this week|(?:before|after) (?:the |a |any )?discounts?)\b"
    r"| (?:down )?(?:to|from) (?:just |only )?(?:rs|inr|[₹$£€]))",
    re.IGNORECASE,
)
_AFTER_SAVING: Final = re.compile(
    r"(?:/-)?(?:[ -]{1,2}(?:off|discounts?|savings?|saved|price (?:cut|drop|reduction)))?"
    rf"(?:{_ENDS}|(?: off)? (?:its|the) (?:base|list|original|regular|full|m\.?r\.?p)\b)",
    re.IGNORECASE,
)
_AFTER_RATING: Final = re.compile(
    r"(?:[ -]{1,2}(?:average|overall|rating|score|on average|by (?:its )?(?:buyers|customers|users|reviewers)))?"
    rf"(?:{_ENDS})",
    re.IGNORECASE,
)
_AFTER_NAME: Final = re.compile(
    r"\W{0,4}$|[.,;:)!\]*]| (?:but|while|whereas|is|has|comes|now|sells|costs|offers)\b"
    r"| and (?:[0-9₹$£€]|rs\b|inr\b|is\b|has\b)",
    re.IGNORECASE,
)
_FOR: Final = re.compile(r"\s?(?:for|\(|on|with)\s?(?:the )?", re.IGNORECASE)
_AT_FIRST: Final = re.compile(
    rf"\W*(?:(?:now |priced |available ){{0,2}}at|with) (?:a |an |just |only |about |around )?{_BOUND}\W{{0,3}}",
    re.IGNORECASE,
)
_THEN: Final = re.compile(r"(?:(?: off| discount)?,)? (?:the )?", re.IGNORECASE)
_BUYERS: Final = re.compile(
    r"\W*(?:(?:buyers|customers|users|reviewers|shoppers) (?:give|gave|rate|rated)|with) (?:the )?", re.IGNORECASE
)
_FARTHEST: Final = 45
_LONGEST_START: Final = 160


@dataclass(frozen=True, slots=True)
class Statement:
    """`product` is None where it is open which of them is meant, and only a figure that fits none can be wrong.

    `worded` says that words make it a price: Nova (Rs 1,499) may also tell the step from one price to the next.
    """

    figure: Quantity
    role: Role
    product: Product | None
    worded: bool = True


@dataclass(frozen=True, slots=True)
class Sentence:
    """`implied` is the product of the table cell that the text stands in; `plain` has names and figures left blank."""

    text: str
    plain: str
    mentions: tuple[Mention, ...]
    figures: tuple[Quantity, ...]
    products: tuple[Product, ...]
    implied: Product | None = None

    def find_statements(self) -> Iterator[Statement]:
        """A figure without words of its own goes on where the last one stopped: $5 on the one and $15 on the other."""
        if is_doubted(self.text):
            return
        last: Statement | None = None
        for figure in self.figures:
            role = self._read_role(figure)
            listed = last is not None and last.figure.kind is figure.kind and self._is_listed(last.figure, figure)
            if role is None and listed and last is not None:
                role = last.role
            stated = None if role is None else self._bind(figure, role, listed=listed)
            if stated is not None and (stated.product is not None or not listed):
                yield stated
            # What it stands for is known, though perhaps not of which product.
            last = Statement(figure, role, None) if role is not None else None

    def _read_role(self, figure: Quantity) -> Role | None:
        if has_sign(self.text, figure):
            return None
        role = read_role(self.text, figure, "rating" if figure.kind is Kind.RATING else "price")
        if role == "rating":
            return role if self._is_average(figure) else None
        if role == "price" and not self._is_bracketed(figure):
            start = figure.span.start
            return role if _MARKED.search(self.text[max(0, start - 40) : start]) else None
        return role

    def _is_average(self, figure: Quantity) -> bool:
        """Five-star reviews and a five-star air conditioner state no average rating, and 0.4 stars are a difference."""
        if figure.value < 1:
            return False
        printed = figure.span.of(self.text)
        scaled = "/" in printed or "out of" in printed.lower()
        return not _NOT_AVERAGE_AFTER.match(self.text, figure.span.end) and (scaled or bool(_RATED.search(self.text)))

    def _is_listed(self, one: Quantity, other: Quantity) -> bool:
        start, end = one.span.end, other.span.start
        return end - start <= _FARTHEST and {*tokenise(self.plain[start:end])} <= _LISTING

    def _bind(self, figure: Quantity, role: Role, *, listed: bool) -> Statement | None:
        start, end = figure.span
        if self.implied is not None:
            clause = max(self.text.rfind(";", 0, start), self.text.rfind(". ", 0, start)) + 1
            sure = self._is_plain_before(start, clause) and self._ends(figure, role)
            return Statement(figure, role, self.implied) if sure else None
        after = next((mention for mention in self.mentions if mention.span.start >= end), None)
        if after is not None and _FOR.fullmatch(self.text[end : after.span.start]):
            sure = self._is_named(after) and (listed or self._is_plain_before(start))
            return Statement(figure, role, after.product) if sure else None
        if (
            after is not None
            and _AT_FIRST.fullmatch(self.text[:start])
            and _THEN.fullmatch(self.text[end : after.span.start])
        ):
            return Statement(figure, role, after.product) if self._is_named(after) else None
        before = [mention for mention in self.mentions if mention.span.end <= start]
        if before and before[-1].product is not None and self._leads_to(before, figure, role, listed=listed):
            return Statement(figure, role, before[-1].product, worded=role != "price" or not self._is_bracketed(figure))
        return Statement(figure, role, None) if self._is_plain_before(start) and self._ends(figure, role) else None

    def _is_named(self, mention: Mention) -> bool:
        """The Brisa, not the Brisa's lid."""
        return mention.product is not None and _AFTER_NAME.match(self.text, mention.span.end) is not None

    def _leads_to(self, before: Sequence[Mention], figure: Quantity, role: Role, *, listed: bool) -> bool:
        """Whether a figure is what the sentence says of the product that was named last."""
        name = before[-1].span
        if self._is_bracketed(figure):
            return True
        opens = listed or opens_clause(self.text, name.start) or _BUYERS.fullmatch(self.text[: name.start])
        if not opens or are_listed(self.mentions, self.text) or figure.span.start - name.end > _FARTHEST:
            return False
        between = {*tokenise(self.plain[name.end : figure.span.start])}
        known = _LINK if figure.bound is Bound.EXACT else _LINK | _BOUND_WORDS
        return between <= known and self._ends(figure, role)

    def _is_bracketed(self, figure: Quantity) -> bool:
        """Nova (Rs 1,499), in a sentence that speaks of no saving, no difference and no other cost."""
        before = next((each for each in reversed(self.mentions) if each.span.end <= figure.span.start), None)
        if before is None or not _BRACKET.fullmatch(self.text[before.span.end : figure.span.start]):
            return False
        return bool(_BRACKET_END.match(self.text, figure.span.end)) and not _OTHER_TALK.search(self.text)

    def _is_plain_before(self, at: int, start: int = 0) -> bool:
        """Whether nothing before a figure could make it the figure of another thing, such as a spare lid."""
        opening = _OPENING if self.implied is None else _CELL_OPENING
        known = opening | find_shared_words(self.products)
        return at - start <= _LONGEST_START and {*tokenise(self.plain[start:at])} <= known

    def _ends(self, figure: Quantity, role: Role) -> bool:
        """Whether what follows a figure leaves it as it is: "$5 a week" and "$5 under its list price" do not."""
        after = (
            _AFTER_RATING if role == "rating" else _AFTER_SAVING if role in {"savings", "discount"} else _AFTER_PRICE
        )
        return after.match(self.text, figure.span.end) is not None


def build_sentence(
    text: str,
    mentions: tuple[Mention, ...],
    figures: tuple[Quantity, ...],
    products: tuple[Product, ...],
    implied: Product | None = None,
) -> Sentence:
    plain = blank(text, [*(mention.span for mention in mentions), *(figure.span for figure in figures)])
    return Sentence(text, plain, mentions, figures, products, implied)
