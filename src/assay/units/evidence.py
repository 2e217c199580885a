"""Holds every label to its evidence: a label that needs a quote, and has none that bears on it, is undecided.

A quote counts at the sentence it names. For a claim it needs three content words, or all of a shorter sentence, and
something in common with the claim, itself or by the title of its source: a content word by its stem, a figure by its
value, or a name. For a unit of a bank that is looked for in the output one content word is enough: paraphrase is the
rule there.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from assay.domain.ask import MetricAsk
from assay.domain.findings import UNDECIDED, Citation, Evidence, Findings, Label
from assay.domain.parts import LabelPart
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.text.figures import find_unsourced, shares_value
from assay.text.keywords import keywords
from assay.text.names import find_missing_names
from assay.text.quotes import QuoteMatch, find_negation, find_quote
from assay.units.passages import OUTPUT, Passage, Passages
from assay.units.pieces import place_pieces

_LEAST_WORDS = 3
_LONGEST_REACH = 1_000
_ACRONYM = re.compile(r"\b[A-Z]{2,}\b")
_FIGURE = re.compile(r"\d(?:[\d.,\u00a0]*\d)?")
_NAME = re.compile(r"(?<=\s)[^\W\d_a-z]\w+")


@dataclass(frozen=True, slots=True)
class Verified:
    """`unproven` names the units whose label fell for want of a quote, and why, in words fit for a re-ask."""

    findings: Findings
    unproven: dict[str, str] = field(default_factory=dict)


def verify(findings: Findings, ask: MetricAsk, passages: Passages, *, source_evidence: bool = True) -> Verified:
    """Without `source_evidence` an output may prove itself; only a measurement allows that."""
    parts = {part.id: part for part in ask.metric.label_parts}
    units = {unit.id: unit for unit in ask.units}
    titles = {source.id: source.title for source in ask.record.sources}
    unproven: dict[str, str] = {}
    labels = []
    for label in findings.labels:
        part = parts.get(label.part)
        if label.pieces and (claim := units.get(label.unit)) is not None:
            label = place_pieces(label, claim, ask.record.output)  # noqa: PLW2901
        if part is None or part.evidence == "none" or label.by == "code" or not (label.decided or label.cited):
            labels.append(label)
            continue
        checker = _Checker(part, passages, units.get(label.unit), titles, source_evidence)
        labels.append(_verify_label(label, checker, unproven))
    return Verified(replace(findings, labels=tuple(labels)), unproven)


def _verify_label(label: Label, checker: "_Checker", unproven: dict[str, str]) -> Label:
    located = [checker.locate(citation) for citation in label.cited]
    checked = [each if isinstance(each, str) else checker.check([each], label.label) or each[1] for each in located]
    found = tuple(dict.fromkeys(each for each in checked if isinstance(each, Evidence)))
    together = list(dict.fromkeys(each for each in located if not isinstance(each, str)))
    # A question and its short answer prove together what neither proves alone.
    if not found and len(together) > 1 and checker.check(together, label.label) is None:
        found = tuple(dict.fromkeys(each for _, each in together))
    if not label.decided:
        # What stands nearest is shown beside the unit, and proves nothing.
        return replace(label, evidence=found)
    if found or not checker.part.needs_evidence(label.label):
        if not found and not label.evidence:
            return label
        is_claim = checker.part.evidence == "source" and label.label == checker.part.best
        return replace(label, evidence=found, unquoted=checker.find_unquoted(found) if is_claim else ())
    why = next((each for each in reversed(checked) if isinstance(each, str)), "no quote was given")
    where = "the output" if checker.part.evidence == "output" else "the sources"
    unproven[label.unit] = f"{label.unit}: {why}; quote words of {where} that show it, copied exactly, with their id"
    note = f"{label.note} " if label.note else ""
    return replace(label, label=UNDECIDED, note=f"{note}(said {label.label}, but {why})", fallen_from=label.label)


_Located = tuple[Passage, Evidence]
"""A quote, and the sentence that it was found at."""


@dataclass(frozen=True)
class _Checker:
    """Checks the quotes for one unit. Without slots, so that the unit's words are read once."""

    part: LabelPart
    passages: Passages
    unit: Unit | None
    titles: Mapping[str, str | None]
    source_evidence: bool

    def locate(self, citation: Citation) -> _Located | str:
        """Where the quote stands, or why it does not, in words fit for a re-ask."""
        found: _Located | str = "the quote names no sentence"
        if named := citation.sentence.strip():
            found = f"there is no sentence {named[:40]!r}"
        for passage in self.passages.named(citation.sentence):
            found = self._locate_at(passage, citation.quote)
            if not isinstance(found, str):
                break
        return found

    def check(self, quotes: Sequence[_Located], label: str) -> str | None:
        """Why quotes are void, taken together, in words fit for a re-ask; None where they bear on the unit."""
        reason = self._explain_void(quotes, label)
        return f"the quote from {quotes[-1][0].id} {reason}" if reason else None

    def find_unquoted(self, evidence: Sequence[Evidence]) -> tuple[str, ...]:
        """The figures and names of the claim that stand in none of its quotes, nor in the titles of their sources."""
        if self.unit is None:
            return ()
        texts = tuple(text for each in evidence for text in (each.quote, self.titles.get(each.source)) if text)
        looked_up = (find_unsourced, find_missing_names)
        missing = [span for find in looked_up for span in find(self.unit.text, texts, self.passages.language)]
        return tuple(span.of(self.unit.text) for span in sorted(missing))

    def _locate_at(self, passage: Passage, quote: str) -> _Located | str:
        is_output = passage.source == OUTPUT
        wants_output = self.part.evidence == "output"
        may_prove_itself = is_output and not self.source_evidence
        if is_output != wants_output and not may_prove_itself:
            return f"{passage.id} is not a sentence of {'the output' if wants_output else 'the sources'}"
        text = self.passages.texts[passage.source]
        span = _find_in_sentence(quote, text, passage.span)
        if isinstance(span, str):
            return f"the quote was not found in {passage.id}: {span}"
        before = Span(min(passage.span.start, span.start), span.start).of(text).split()
        if before and find_negation(before[-1].casefold()):
            return f"the quote from {passage.id} leaves out the {before[-1]!r} before it"
        return passage, Evidence(passage.source, span, span.of(text))

    def _explain_void(self, quotes: Sequence[_Located], label: str) -> str | None:
        passage, language = quotes[0][0], self.passages.language_of(quotes[0][0].source)
        quote = " ".join(each.quote for _, each in quotes)
        words = keywords(quote, language)
        if self.part.evidence == "output":
            return None if words else "says nothing"
        tokens = quote.split()
        # A script without spaces has one token, and many content words in it.
        said = len(words) if len(tokens) == 1 else sum(bool(keywords(token, language)) for token in tokens)
        if said < _LEAST_WORDS and not words.issuperset(keywords(passage.text, language)):
            return f"has fewer than {_LEAST_WORDS} words that say something"
        # What contradicts a claim may be another value, and share nothing with it.
        if self.unit is None or label == "contradicted":
            return None
        title = self.titles.get(passage.source) or ""
        if self._bears_on(f"{title} {quote}", words | keywords(title, language), language):
            return None
        return "has nothing in common with the claim"

    def _bears_on(self, quote: str, words: frozenset[str], language: str) -> bool:
        claim, own = self._claim, self.passages.language
        if not self._claim_words.isdisjoint(words):
            return True
        # An acronym may read like a stop word: IT, WHO.
        if not set(_ACRONYM.findall(claim)).isdisjoint(_ACRONYM.findall(quote)):
            return True
        if language != own:
            return _shares_mark(claim, quote)
        return shares_value(claim, quote, own) or not (self._claim_words or _FIGURE.search(claim))

    @cached_property
    def _claim(self) -> str:
        """With the place of a table cell, which is part of what it says."""
        return "" if self.unit is None else f"{self.unit.context} {self.unit.text}".strip()

    @cached_property
    def _claim_words(self) -> frozenset[str]:
        return keywords(self._claim, self.passages.language)


def _find_in_sentence(quote: str, text: str, sentence: Span) -> Span | str:
    """Where the quote stands, or why it does not. It may run on into the sentences beside the one it names."""
    found = find_quote(quote, text, within=sentence)
    if isinstance(found, QuoteMatch):
        return found.span
    reach = min(len(quote), _LONGEST_REACH)
    around = find_quote(quote, text, within=Span(sentence.start - reach, sentence.end + reach))
    if isinstance(around, QuoteMatch) and around.span.overlaps(sentence):
        return around.span
    return found.reason


def _shares_mark(claim: str, quote: str) -> bool:
    """In another language only names and figures can be the same; where there are none to compare, nothing has to be.

    A quote without digits may spell its figures.
    """
    names = {name.casefold() for name in _NAME.findall(claim)}
    figures, quoted = _find_digits(claim), _find_digits(quote)
    if any(name in quote.casefold() for name in names) or not figures.isdisjoint(quoted):
        return True
    return not names and not (figures and quoted)


def _find_digits(text: str) -> set[str]:
    """Without the signs that part thousands and decimals, which languages write differently."""
    return {re.sub(r"\D", "", figure) for figure in _FIGURE.findall(text)}
