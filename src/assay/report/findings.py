"""A finding: one unit with its label, words at fault, quotes and reason, and who said so. Every report shows these.

As text it is one line, or a line with its quotes below; `parts.html` shows it on pages.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from assay.domain.findings import UNDECIDED, Evidence, Label
from assay.domain.outcome import Trail
from assay.domain.parts import LabelPart
from assay.domain.rubric import Metric
from assay.domain.scale import in_words
from assay.domain.scorecard import Scorecard, Voice
from assay.domain.terms import name_label, plain
from assay.domain.units import NAMES, Unit
from assay.report.display import (
    SPLIT,
    UNSURE,
    Tone,
    clip_name,
    format_faults,
    name_judge,
    name_texts,
    shorten,
    show_hidden,
    tone_of,
)
from assay.text.keywords import Index
from assay.text.language import identify
from assay.units.passages import OUTPUT, Passage, number_record

# Sections overlap claims, and an unanswered question is not a fault by itself.
_CONTEXT = {"section", "question"}
# Labels that stand before the kind of a unit: `missing key point`.
_ADJECTIVES = {"missing", "partly covered", "covered", plain(UNDECIDED)}
# In one line, and explained: characters of a text, quotes of a finding and findings of a record.
_LONGEST, _MOST_QUOTES = 110, 2
_LONGEST_EXPLAINED, _MOST_EXPLAINED = 240, 5
_MOST_CLOSEST = 2
# Longer texts take seconds to search for the closest sentences.
_MOST_SEARCHED = 200_000


@dataclass(frozen=True, slots=True)
class Finding:
    """`quotes` are the label's own until `add_closest` finds others; `names` are those of the record's texts.

    `answers` are those of several judges or samples, each with its `judge`, the labels that the fewest gave first.
    """

    unit: Unit
    label: Label
    part: LabelPart | None
    names: Mapping[str, str]
    quotes: tuple[Evidence, ...] = ()
    judge: str = ""
    answers: tuple["Finding", ...] = ()

    @property
    def shown(self) -> "Finding":
        """The answer to show in one line: where judges or samples differ, the one that the fewest gave."""
        return self.answers[0] if self.is_split else self

    @property
    def is_split(self) -> bool:
        return len({answer.label.label for answer in self.answers}) > 1

    @property
    def tone(self) -> Tone:
        """An undecided answer is split from the others and contradicts none."""
        if self.is_split:
            decided = {answer.label.label for answer in self.answers if answer.label.decided}
            return SPLIT if len(decided) > 1 else UNSURE
        return tone_of(self.label, self.part, self.unit)

    @property
    def is_doubtful(self) -> bool:
        return self.tone.is_doubtful

    @property
    def is_suspected(self) -> bool:
        """Whether code noticed something against a label that it can't prove."""
        return any(each.label.suspicion for each in self.answers or (self,))

    @property
    def is_near(self) -> bool:
        """Whether what is quoted says nothing for or against the label."""
        return not (self.label.decided and self.label.evidence)

    @property
    def closest(self) -> str:
        """What such a quote is."""
        return "closest sentence" if any(each.source == OUTPUT for each in self.quotes) else "closest source sentence"

    @property
    def name(self) -> str:
        """The label as people read it, without its qualifier; `split` where judges or samples differ."""
        return "split" if self.is_split else self._name_label()

    @property
    def said(self) -> str:
        """The label with its qualifier. Where answers differ, the rarest first: `split: 1 uncertain, 2 supported`."""
        if self.is_split:
            counts = Counter(answer.name for answer in self.answers)
            return "split: " + ", ".join(f"{count} {name}" for name, count in reversed(counts.most_common()))
        return ", ".join(word for word in (self._name_label(), plain(self.label.qualifier or "")) if word)

    @property
    def title(self) -> str:
        """The label and, unless it is a claim, its kind: `not in source`, `missing key point`, `item: reversed`."""
        kind, points = NAMES[self.unit.kind][0], self.unit.points
        if self.unit.kind == "claim":
            return self.said
        if points is not None and points != 1:
            kind += f", {in_words(points)} points"
        return f"{self.said} {kind}" if self.said in _ADJECTIVES else f"{kind}: {self.said}"

    @property
    def author(self) -> str:
        """Who gave the label, if that was not the judge."""
        return "" if self.label.by == "judge" else self.label.by

    def name_source(self, quote: Evidence) -> str:
        return self.names.get(quote.source, clip_name(quote.source))

    def _name_label(self) -> str:
        return name_label(self.label.label, self.unit.kind, self.part)


def build_findings(metric: Metric, trail: Trail, names: Mapping[str, str], judge: str = "") -> list[Finding]:
    """Of one answer, in its order. A label of a unit that is not there is none."""
    units = {unit.id: unit for unit in trail.units}
    parts = {part.id: part for part in metric.label_parts}
    return [
        Finding(units[label.unit], label, parts.get(label.part), names, label.evidence, judge)
        for label in trail.findings.labels
        if label.unit in units
    ]


def list_findings(card: Scorecard, metric: Metric) -> list[Finding]:
    """Under one metric, with the answers of all judges and samples. A label of a unit with another text is none."""
    names, voices = name_texts(card), card.voices.get(metric.id, ())
    answers: dict[tuple[str, str, str], list[Finding]] = {}
    for voice in voices:
        for each in build_findings(metric, voice.outcome.trail, names, _name_voice(voice, voices)):
            answers.setdefault(_identify(each), []).append(each)
    found = build_findings(metric, card.outcomes[metric.id].trail, names)
    return [replace(each, answers=_sort_answers(answers.get(_identify(each), ()))) for each in found]


def list_doubts(card: Scorecard, metric: str | None = None) -> list[Finding]:
    """What did not hold, the gravest first, of equals claims before what is missing; those that read alike once."""
    metrics = card.rubric.metrics if metric is None else [card.rubric.metric(metric)]
    found = [
        finding
        for each in metrics
        for finding in list_findings(card, each)
        if finding.unit.kind not in _CONTEXT and finding.is_doubtful
    ]
    found.sort(key=lambda finding: (finding.tone.gravity, finding.unit.kind != "claim"))
    return list({_describe(finding): finding for finding in found}.values())


def _identify(finding: Finding) -> tuple[str, str, str]:
    return finding.label.part, finding.unit.id, finding.unit.text


def _describe(finding: Finding) -> tuple[object, ...]:
    label = finding.shown.label
    return finding.title, finding.unit.context, finding.unit.text, label.by, label.pieces, label.evidence


def _sort_answers(answers: Sequence[Finding]) -> tuple[Finding, ...]:
    counts = Counter(answer.label.label for answer in answers)
    return tuple(sorted(answers, key=lambda answer: (counts[answer.label.label], answer.tone.gravity)))


def _name_voice(voice: Voice, voices: Sequence[Voice]) -> str:
    """With the sample's number only where the judge has several."""
    has_samples = sum(each.judge == voice.judge for each in voices) > 1
    return name_judge(voice.judge) + (f", sample {voice.sample + 1}" if has_samples else "")


@dataclass(frozen=True)
class Nearest:
    """The sentences of a record's sources, or of its output, that share most with a unit for which no judge quotes one.

    Without slots, so that its texts are cut into sentences once, and only if one is looked for.
    """

    card: Scorecard
    in_output: bool = False

    def cite(self, unit: Unit, label: Label) -> tuple[Evidence, ...]:
        """The label's own quotes; for a claim undecided or in no source, what stands nearest and proves nothing."""
        if label.evidence or unit.kind != "claim" or label.label not in {UNDECIDED, "absent"}:
            return label.evidence
        return self.find(f"{unit.context} {unit.text}", _MOST_CLOSEST)

    def find(self, text: str, most: int) -> tuple[Evidence, ...]:
        found = (self._passages[at] for at in self._index.best(text, most))
        return tuple(Evidence(each.source, each.span, each.text) for each in found)

    @cached_property
    def _passages(self) -> tuple[Passage, ...]:
        record = self.card.record
        if len(record.output) + sum(len(source.text) for source in record.sources) > _MOST_SEARCHED:
            return ()
        passages = number_record(record, self._language).all
        return tuple(each for each in passages if (each.source == OUTPUT) == self.in_output)

    @cached_property
    def _index(self) -> Index:
        return Index([passage.text for passage in self._passages], self._language)

    @cached_property
    def _language(self) -> str:
        return identify(self.card.record.output) or "en"


def add_closest(nearest: Nearest, findings: Iterable[Finding]) -> list[Finding]:
    """The same with the closest sentences beside claims that are undecided or in no source and have no quote."""

    def cite(each: Finding) -> Finding:
        return replace(each, quotes=nearest.cite(each.unit, each.label), answers=tuple(map(cite, each.answers)))

    return [cite(each) for each in findings]


def format_doubts(card: Scorecard, most: int = 3) -> list[str]:
    """One line each, and how many more there are; empty where everything held."""
    found = list_doubts(card)
    lines = [format_finding(each) for each in add_closest(Nearest(card), found[:most])]
    return lines + ([f"and {len(found) - most} more"] if len(found) > most else [])


def explain_doubts(card: Scorecard, metric: str | None = None) -> Iterator[str]:
    """A line for each unit that did not hold, and below it what the source says, or its closest sentence."""
    found = list_doubts(card, metric)
    for each in add_closest(Nearest(card), found[:_MOST_EXPLAINED]):
        yield show_hidden(_format_head(each, _LONGEST_EXPLAINED))
        for quote in format_quotes(each, lambda words: f"“{shorten(words, _LONGEST_EXPLAINED)}”"):
            yield show_hidden(f"  {quote}")
    if len(found) > _MOST_EXPLAINED:
        yield f"and {len(found) - _MOST_EXPLAINED} more"


def format_finding(finding: Finding) -> str:
    """`not in source: “It is old.” — words at fault: “old” (serious) — closest source sentence (s1): “It is new.”`."""
    shown = finding.shown
    quotes = [format_quote(shown, each.source, f"“{shorten(each.quote, _LONGEST)}”") for each in _choose_quotes(shown)]
    return " — ".join((_format_head(finding, _LONGEST), *(["; ".join(quotes)] if quotes else [])))


def format_quotes(
    finding: Finding, quote: Callable[[str], str], name: Callable[[str], str] = shorten, most: int = _MOST_QUOTES
) -> Iterator[str]:
    """`[1] Article: “It is new.”`, with the titles of sources; `quote` and `name` mark data in the text around it."""
    shown = finding.shown
    for each in _choose_quotes(shown)[:most]:
        said = format_quote(shown, name(shown.name_source(each)), quote(each.quote))
        yield said[:1].upper() + said[1:]


def format_quote(finding: Finding, where: str, words: str) -> str:
    """`S1.2: “It is new.”`, or `closest source sentence (S1.2): “It is new.”` where it proves nothing."""
    return f"{finding.closest} ({where}): {words}" if finding.is_near else f"{where}: {words}"


def _choose_quotes(finding: Finding) -> tuple[Evidence, ...]:
    return finding.quotes[: 1 if finding.is_near else _MOST_QUOTES]


def _format_head(finding: Finding, most: int) -> str:
    shown = finding.shown
    author = f", by {shown.author}" if shown.author and not finding.is_split else ""
    # A cell is named once, also where all of it is at fault.
    is_partial = any(piece.words != finding.unit.text for piece in shown.label.pieces)
    faults = f" — words at fault: {format_faults(shown.label)}" if is_partial else ""
    return f"{finding.title}{author}: “{shorten(finding.unit.placed_text, most)}”{faults}"
