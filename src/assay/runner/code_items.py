"""Sets what code finds wrong in a comparison among the items that a whole reply lists of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.domain.ask import Share
from assay.domain.findings import Label
from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Metric, Rubric
from assay.domain.units import Unit
from assay.packs.comparison_faithfulness.products import build_products
from assay.runner.asks import Cut
from assay.runner.proofs import find_code_labels
from assay.scoring.tally import is_unsupported
from assay.text.keywords import keywords
from assay.text.quantities import find_quantities

_OVERRIDES = "code_overrides_judge"
# By the rule that counts items, one that can't be verified allows a 4 and more of them a 3.
_COUNTED, _WITH_ONE, _WITH_MORE = "counted items", 4, 3
# Two statements with so many of their words in common, and no figure to tell them apart, may be one.
_ALIKE = 0.5
_NUMBER = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,6})?")


def set_wrong_items(cut: Cut, rubric: Rubric, metric: Metric, share: Share) -> Share:
    """Code's label stands over the reply's where an item is one that code finds wrong; what is not listed is added.

    A reply that lists no items has nothing to count, whatever code finds.
    """
    if share.fault is not None or share.level is not None or not share.units:
        return share
    wrong = _find_wrong(cut, rubric, metric)
    if not wrong:
        return share
    said = {label.unit: label for label in share.findings.labels}
    items = [unit for unit in share.units if unit.kind == "claim" and unit.id in said]
    listed = _find_listed(cut, items, wrong, said)
    units = list(share.units)
    claims = {unit.id: unit for unit in _claims(cut)}
    flags = share.flags
    for name, label in wrong.items():
        item = listed.get(name)
        if item is None:
            units.append(claims[name].numbered(len(units) + 1))
            item = units[-1].id
        if item not in said or not is_unsupported(said[item]):
            flags = tuple(dict.fromkeys((*flags, _OVERRIDES)))
        said[item] = replace(label, unit=item)
    return replace(
        share, units=tuple(units), findings=replace(share.findings, labels=tuple(said.values())), flags=flags
    )


def limit_reported(cut: Cut, rubric: Rubric, metric: Metric, outcome: Outcome) -> Outcome:
    """A number that comes without a list is held to what the rule would allow for as much as code finds wrong."""
    if not isinstance(outcome, Verdict) or "reported_only" not in outcome.trail.flags:
        return outcome
    wrong = _find_wrong(cut, rubric, metric)
    limit = Fraction(_WITH_ONE if len(wrong) == 1 else _WITH_MORE)
    if not wrong or outcome.score.value <= limit:
        return outcome
    said = f"{outcome.score.derivation}; code finds {len(wrong)} wrong: at most {limit}"
    score = replace(
        outcome.score, value=limit, interval=(min(limit, outcome.score.interval[0]), limit), derivation=said
    )
    return Verdict(score, replace(outcome.trail, flags=(*outcome.trail.flags, _OVERRIDES)))


def _find_wrong(cut: Cut, rubric: Rubric, metric: Metric) -> Mapping[str, Label]:
    """By the claim of the output that it is about."""
    if metric.rule != _COUNTED:
        return {}
    by_code = find_code_labels(cut.record, rubric, metric, _claims(cut))
    return {label.unit: label for label in by_code if is_unsupported(label)}


def _claims(cut: Cut) -> list[Unit]:
    return [unit for unit in cut.units if unit.kind == "claim"]


@dataclass(frozen=True, slots=True)
class _Said:
    """What tells one statement from another: its figures with their units, and its words."""

    figures: frozenset[tuple[Fraction, str | None]]
    words: frozenset[str]
    # Apart, because most pairs of statements are told apart by them, and a long table has very many pairs.
    values: frozenset[Fraction]


def _build_said(figures: frozenset[tuple[Fraction, str | None]], words: frozenset[str]) -> _Said:
    return _Said(figures, words, frozenset(value for value, _ in figures))


def _find_listed(
    cut: Cut, items: Sequence[Unit], wrong: Mapping[str, Label], said: Mapping[str, Label]
) -> dict[str, str]:
    """The item that states each wrong claim, where one does: the likest first, each for one claim alone.

    Of items that are equally like it, one that the reply itself calls unsupported is meant.
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    pairs = [
        (-likeness, not is_unsupported(said[item]), place, item, claim)
        for place, (likeness, item, claim) in enumerate(_pair(cut, items, wrong))
    ]
    for _, _, _, item, claim in sorted(pairs):
        if claim not in found and item not in taken:
            found[claim] = item
            taken.add(item)
    return found


def _pair(cut: Cut, items: Sequence[Unit], wrong: Mapping[str, Label]) -> Iterator[tuple[float, str, str]]:
    """Each item with the wrong claims that no other claim of the output is more like it than."""
    reader = _Reader(cut.language, _find_names(cut))
    claims = {
        claim.id: _narrow(reader.read(claim.text, claim.context), wrong.get(claim.id), reader) for claim in _claims(cut)
    }
    for item in items:
        own = reader.read(item.text)
        likeness = {claim: _compare(own, each, reader.names) for claim, each in claims.items()}
        best = max(likeness.values())
        if best:
            yield from ((best, item.id, claim) for claim in wrong if likeness[claim] == best)


def _find_names(cut: Cut) -> frozenset[str]:
    titles = " ".join(product.title for product in build_products(cut.record))
    return keywords(titles, cut.language)


@dataclass(frozen=True, slots=True)
class _Reader:
    """`names` are the words of the products' titles, which say of what a statement is and not what it says."""

    language: str
    names: frozenset[str]

    def read(self, text: str, context: str = "") -> _Said:
        """A cell's place belongs to its words and holds no figure of its own."""
        words = keywords(f"{context} {text}", self.language)
        return _build_said(self._read_figures(text), frozenset(word for word in words if not word[0].isdigit()))

    def _read_figures(self, text: str) -> frozenset[tuple[Fraction, str | None]]:
        """A list names a product and its price without a word between: "Alba 35" is a figure unless it is a title."""
        found = frozenset((each.value, each.unit) for each in find_quantities(text, self.language))
        bare = keywords(text, self.language) - self.names if not found else ()
        return found or frozenset((Fraction(word), None) for word in bare if _NUMBER.fullmatch(word))


def _narrow(claim: _Said, label: Label | None, reader: _Reader) -> _Said:
    """Of several figures in one sentence, those are wrong that code names in its reason."""
    named = reader.read(label.note).figures & claim.figures if label is not None else None
    return _build_said(named, claim.words) if named else claim


def _compare(item: _Said, claim: _Said, names: frozenset[str]) -> float:
    """0 where they can't be one statement. A shared figure counts as much as all words; names alone count nothing."""
    agree = not item.values.isdisjoint(claim.values) and _share_figure(item, claim)
    if item.values and claim.values and not agree:
        return 0.0
    shared = item.words & claim.words
    overlap = len(shared) / (min(len(item.words), len(claim.words)) or 1)
    if agree:
        return 1 + overlap
    return overlap if overlap >= _ALIKE and shared - names else 0.0


def _share_figure(item: _Said, claim: _Said) -> bool:
    """A number without a unit may be any of that value."""
    return any(
        value == other and (unit == its or unit is None or its is None)
        for value, unit in item.figures
        for other, its in claim.figures
    )
