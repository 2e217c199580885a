"""The trial registry numbers an answer names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from assay.domain.record import Record
from assay.domain.scorecard import Notice
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
    """Whether the answer names the trial it is about; one that has no number of the registry's form, as it stands."""
    own = {each.id for each in find_trial_ids(trial_id)}
    if not own:
        return trial_id.casefold() in answer.casefold()
    return any(each.id in own for each in find_trial_ids(answer))


def find_foreign_trial_ids(answer: str, trial_id: str) -> tuple[TrialId, ...]:
    """The other trials the answer names; all it names where `trial_id` is none of the registry's form."""
    own = {each.id for each in find_trial_ids(trial_id)}
    return tuple(each for each in find_trial_ids(answer) if each.id not in own)


_LONG_ANSWER_WORDS: Final = 40
_REGISTRY_FORM: Final = re.compile(r"NCT\d{8}", re.ASCII)


def check_identifiers(record: Record) -> Iterator[Notice]:
    """Another trial's number is foreign unless the user or the trial's own text names it."""
    trial_id = record.text("trial_id").strip()
    if not trial_id:
        return
    if not _REGISTRY_FORM.fullmatch(trial_id):
        yield Notice("trial_id_malformed", f"the trial's id “{trial_id}” is not NCT and eight digits")
    given = "\n".join([record.query or "", *(source.text for source in record.sources)])
    known = {each.id for each in find_trial_ids(given)}
    for foreign in find_foreign_trial_ids(record.output, trial_id):
        if foreign.id not in known:
            yield Notice("foreign_trial_id", f"the answer names {foreign.id}, another trial", foreign.span)
    # A short answer need not name its trial.
    if len(record.output.split()) > _LONG_ANSWER_WORDS and not names_trial(record.output, trial_id):
        yield Notice("trial_id_missing", "the answer does not name the trial's id")
