"""The sentences of the sources, or of the output, that share most with a unit for which no judge quotes one."""

from dataclasses import dataclass
from functools import cached_property

from assay.domain.findings import UNDECIDED, Evidence, Label
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit
from assay.text.keywords import Index
from assay.text.language import identify
from assay.units.passages import OUTPUT, Passage, number_record

_LISTED = 2
# Longer texts take seconds to search.
_MOST_SEARCHED = 200_000


@dataclass(frozen=True)
class Nearest:
    """Of one record. Without slots, so that its texts are cut into sentences once, and only if one is looked for."""

    card: Scorecard
    in_output: bool = False

    def cite(self, unit: Unit, label: Label) -> tuple[Evidence, ...]:
        """The label's own quotes; for a claim undecided or in no source, what stands nearest and proves nothing."""
        if label.evidence or unit.kind != "claim" or label.label not in {UNDECIDED, "absent"}:
            return label.evidence
        return self.find(f"{unit.context} {unit.text}", _LISTED)

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
