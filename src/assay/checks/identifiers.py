"""The trial registry numbers an answer names."""

import re
from dataclasses import dataclass
from typing import Final

from assay.domain.span import Span

# People write NCT 01234567, NCT-01234567 and nct01234567; a longer run of digits is another number.
_TRIAL_ID: Final = re.compile(r"(?<![A-Za-z0-9])NCT[\s\-‐‑–:#]{0,3}(\d{8})(?!\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TrialId:
    """In its registry's form, NCT and eight digits, wherever and however it was written."""

    id: str
    span: Span


def find_trial_ids(text: str) -> tuple[TrialId, ...]:
    return tuple(TrialId(f"NCT{match[1]}", Span(*match.span())) for match in _TRIAL_ID.finditer(text))


def names_trial(answer: str, trial_id: str) -> bool:
    """Whether the answer names the trial it is about."""
    own = {each.id for each in find_trial_ids(trial_id)}
    return any(each.id in own for each in find_trial_ids(answer))


def find_foreign_trial_ids(answer: str, trial_id: str) -> tuple[TrialId, ...]:
    """The other trials the answer names; all it names where `trial_id` is none of the registry's form."""
    own = {each.id for each in find_trial_ids(trial_id)}
    return tuple(each for each in find_trial_ids(answer) if each.id not in own)
