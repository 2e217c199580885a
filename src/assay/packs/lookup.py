"""Finds the hooks of a shipped rubric by its id."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from assay.domain.findings import Label
from assay.domain.record import Record
from assay.domain.scorecard import Notice
from assay.domain.units import Unit
from assay.packs.comparison_faithfulness import pack as comparison_faithfulness
from assay.packs.search_summary import pack as search_summary
from assay.packs.trial_eligibility import pack as trial_eligibility


def _no_notices(_: Record) -> Iterable[Notice]:
    return ()


def _no_labels(_: Record, __: Sequence[Unit]) -> Iterable[Label]:
    return ()


@dataclass(frozen=True, slots=True)
class Hooks:
    """What the code of a rubric observes, and what it proves of a unit."""

    notices: Callable[[Record], Iterable[Notice]] = _no_notices
    labels: Callable[[Record, Sequence[Unit]], Iterable[Label]] = _no_labels


_SHIPPED: Final[Mapping[str, Hooks]] = MappingProxyType(
    {
        "comparison-faithfulness": Hooks(comparison_faithfulness.notices, comparison_faithfulness.labels),
        "search-summary": Hooks(search_summary.notices),
        "trial-eligibility": Hooks(trial_eligibility.notices, trial_eligibility.labels),
    }
)


def find_hooks(rubric: str) -> Hooks:
    """Hooks that do nothing where the rubric has no code."""
    return _SHIPPED.get(rubric, Hooks())
