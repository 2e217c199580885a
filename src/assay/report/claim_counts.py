"""Counts the claims of a run: how many were labelled, how many decided, and how many are at fault."""

from dataclasses import dataclass, field

from assay.domain.listed import Listed
from assay.domain.rubric import Rubric
from assay.report.display import shorten
from assay.report.missing import Missing

_NAMED = 5
_LONGEST_NAME = 80


@dataclass(slots=True)
class ClaimCounts:
    """A claim is at fault if it is decided and its label is below the best: partial, absent or contradicted.

    `labelled` counts the records of which a judge labelled any claim, `empty` those in which
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

    def add(self, row: Listed, rubric: Rubric) -> None:
        self.records += 1
        asked = [each.id for each in rubric.metrics if each.labels("claim") is not None]
        labelling = [row.scores[each] for each in asked if each in row.scores]
        votes = row.votes
        if votes.claims is not None:
            self.labelled += 1
            self.claims += votes.claims
        elif {each.status for each in labelling} == {"empty_input"}:
            self.empty += 1
        else:
            self.unlabelled.add(row, next(iter((*labelling, *row.scores.values()))))
        self.decided += votes.decided
        self.at_fault += votes.at_fault
        if votes.at_fault:
            self.faulty_records += 1
            if len(self.faulty) < _NAMED:
                self.faulty.append((shorten(row.name, _LONGEST_NAME), votes.at_fault))

    @property
    def decided_share(self) -> str:
        """`5 of 12 claims decided, 42 %`."""
        share = f", {round(100 * self.decided / self.claims)} %" if self.claims else ""
        return f"{self.decided} of {self.claims} claims decided{share}"
