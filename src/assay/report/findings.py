"""A finding: one unit with its label, words at fault, quotes and reason, and who said so. Every report shows these."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.domain.findings import UNDECIDED, Evidence, Label
from assay.domain.outcome import Trail
from assay.domain.parts import LabelPart
from assay.domain.rubric import Metric
from assay.domain.scorecard import Scorecard, Voice
from assay.domain.units import NAMES, Unit
from assay.report.display import SPLIT, UNSURE, Tone, clip_name, name_judge, name_label, name_texts, plain, tone_of
from assay.report.nearest import Nearest
from assay.units.passages import OUTPUT

# Sections overlap claims, and an unanswered question is not a fault by itself.
_CONTEXT = {"section", "question"}
# Units that are written from the sources and looked for in the output.
_COVERED = {"key_point", "item"}
# Labels that stand before the kind of a unit: `missing key point`.
_ADJECTIVES = {"missing", "partly covered", "covered", UNDECIDED}


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
        return tone_of(self.label, self.part)

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
        """The label with its qualifier. Where answers differ, the rarest first: `split: 1 absent, 2 supported`."""
        if self.is_split:
            counts = Counter(answer.name for answer in self.answers)
            return "split: " + ", ".join(f"{count} {name}" for name, count in reversed(counts.most_common()))
        return ", ".join(word for word in (self._name_label(), plain(self.label.qualifier or "")) if word)

    @property
    def title(self) -> str:
        """The label and, of anything but a claim, the kind of unit: `absent`, `missing key point`, `item: reversed`."""
        kind = NAMES[self.unit.kind][0]
        if self.unit.kind == "claim":
            return self.said
        return f"{self.said} {kind}" if self.said in _ADJECTIVES else f"{kind}: {self.said}"

    @property
    def text(self) -> str:
        """With the place of a table's cell."""
        return f"{self.unit.context}: {self.unit.text}" if self.unit.context else self.unit.text

    @property
    def author(self) -> str:
        """Who gave the label, if that was not the judge."""
        return "" if self.label.by == "judge" else self.label.by

    def name_source(self, quote: Evidence) -> str:
        return self.names.get(quote.source, clip_name(quote.source))

    def _name_label(self) -> str:
        return name_label(self.label, self.part if self.unit.kind in _COVERED else None)


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


def add_closest(nearest: Nearest, findings: Iterable[Finding]) -> list[Finding]:
    """The same with the closest sentences beside claims that are undecided or in no source and have no quote."""

    def cite(each: Finding) -> Finding:
        return replace(each, quotes=nearest.cite(each.unit, each.label), answers=tuple(map(cite, each.answers)))

    return [cite(each) for each in findings]


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
