"""Counts the claims of a run: how many were labelled, how many decided, and how many are at fault."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from assay.domain.findings import NO_FACT, Label
from assay.domain.outcome import Outcome
from assay.domain.parts import LabelPart
from assay.domain.scorecard import Scorecard
from assay.report.display import name_record, shorten
from assay.report.missing import Missing

_NAMED = 5
_LONGEST_NAME = 80


@dataclass(slots=True)
class ClaimCounts:
    """A claim is at fault if it is decided and its label is below the best: partial, absent or contradicted.

    A claim that several metrics label counts once. Where judges or samples differ, at least half of those who decide
    must call it at fault. `labelled` counts the records of which a judge labelled any claim, `empty` those in which
    there is nothing to label; `unlabelled` are all others. `faulty` are the first records with a claim at fault.
    """

    records: int = 0
    labelled: int = 0
    empty: int = 0
    claims: int = 0
    decided: int = 0
    at_fault: int = 0
    faulty_records: int = 0
    faulty: list[tuple[str, int]] = field(default_factory=list)
    unlabelled: Missing = field(default_factory=Missing)

    def add(self, card: Scorecard) -> None:
        self.records += 1
        is_labelled, votes = _collect(card)
        asked = [card.outcomes[metric.id] for metric in card.rubric.metrics if metric.labels("claim") is not None]
        if is_labelled:
            self.labelled += 1
        elif {outcome.status for outcome in asked} == {"empty_input"}:
            self.empty += 1
        else:
            self.unlabelled.add(card.record, (asked or list(card.outcomes.values()))[0])
        decided = [each for each in votes.values() if each]
        faults = sum(2 * sum(each) >= len(each) for each in decided)
        self.claims += len(votes)
        self.decided += len(decided)
        self.at_fault += faults
        if faults:
            self.faulty_records += 1
            if len(self.faulty) < _NAMED:
                self.faulty.append((shorten(name_record(card.record), _LONGEST_NAME), faults))

    @property
    def decided_share(self) -> str:
        """`5 of 12 claims decided, 42 %`."""
        share = f", {round(100 * self.decided / self.claims)} %" if self.claims else ""
        return f"{self.decided} of {self.claims} claims decided{share}"


def _collect(card: Scorecard) -> tuple[bool, dict[str, list[bool]]]:
    """Whether any claim is labelled, and for each claim that states a fact whether each deciding label is a fault."""
    is_labelled, votes = False, dict[str, list[bool]]()
    for metric in card.rubric.metrics:
        part = metric.labels("claim")
        if part is None:
            continue
        for outcome in [voice.outcome for voice in card.voices.get(metric.id, ())] or [card.outcomes[metric.id]]:
            for text, label in _list_claims(outcome, part):
                is_labelled = True
                if label.label != NO_FACT:
                    found = votes.setdefault(text, [])
                    if label.decided:
                        found.append(part.value(label.label) < part.value(part.best))
    return is_labelled, votes


def _list_claims(outcome: Outcome, part: LabelPart) -> Iterator[tuple[str, Label]]:
    """Claims by their place in the output, where they have one: ids differ between metrics and judges."""
    units = {unit.id: unit for unit in outcome.trail.units}
    for label in outcome.trail.findings.labels:
        unit = units.get(label.unit)
        if label.part == part.id and unit is not None:
            yield f"{unit.span} {unit.context} {unit.text}", label
