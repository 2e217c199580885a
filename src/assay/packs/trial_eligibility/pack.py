"""Hooks of the trial-eligibility rubric: trial ids, the determination against the truth, the answer's language."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from assay.domain.findings import NO_FACT, Fact, Findings, Label
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Notice
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.packs.trial_eligibility.determination import (
    TRUTH_LABELS,
    UNDETERMINED,
    Determination,
    Stated,
    find_status,
    is_determination,
    match_determination,
    read_statement,
    read_truth,
)
from assay.packs.trial_eligibility.language import measure_language

# People write NCT 01234567, NCT-01234567 and nct01234567; a longer run of digits is another number.
_TRIAL_ID: Final = re.compile(r"(?<![A-Za-z0-9])NCT[\s\-‐‑–:#]{0,3}(\d{8})(?!\d)", re.IGNORECASE)
_REGISTRY_FORM: Final = re.compile(r"NCT\d{8}", re.ASCII)
# A shorter answer need not name its trial.
_LONG_ANSWER_WORDS: Final = 40
_LONGEST_STATUS_WORDS: Final = 8


def notices(record: Record) -> Iterator[Notice]:
    """A malformed trial id, the id of a trial that the record does not name, and a long answer without its id."""
    trial_id = record.text("trial_id").strip()
    if not trial_id:
        return
    if not _REGISTRY_FORM.fullmatch(trial_id):
        yield Notice("trial_id_malformed", f"the trial's id “{trial_id}” is not NCT and eight digits")
    given = "\n".join([trial_id, record.query or "", *(source.text for source in record.sources)])
    known = {number for number, _ in _find_trial_ids(given)}
    named = list(_find_trial_ids(record.output))
    for number, span in named:
        if number not in known:
            yield Notice("foreign_trial_id", f"the answer names {number}, another trial", span)
    own = {number for number, _ in _find_trial_ids(trial_id)}
    is_named = any(number in own for number, _ in named) if own else trial_id.casefold() in record.output.casefold()
    if not is_named and len(record.output.split()) > _LONG_ANSWER_WORDS:
        yield Notice("trial_id_missing", "the answer does not name the trial's id")


def _find_trial_ids(text: str) -> Iterator[tuple[str, Span]]:
    """In the registry's form, wherever and however it was written."""
    return ((f"NCT{match[1]}", Span(*match.span())) for match in _TRIAL_ID.finditer(text))


def labels(record: Record, units: Sequence[Unit]) -> Iterator[Label]:
    """A unit that is nothing but the answer's status line is the determination itself, which is no claim."""
    del record
    for unit in units:
        if unit.kind == "claim" and len(unit.text.split()) <= _LONGEST_STATUS_WORDS and _is_status(unit.text):
            yield Label("claim", unit.id, NO_FACT, note="the unit is the determination itself", by="code")


def _is_status(text: str) -> bool:
    status = find_status(text)
    return status is not None and status.span is not None and not text[status.span.end :].strip(" .!*_\"”'|`。")


def facts(record: Record, findings: Mapping[str, Findings], rubric: Rubric) -> dict[str, Fact]:
    """Determination, truth and their match; the share of the answer in the question's language."""
    stated = read_statement(record.output, findings)
    label = record.text("ground_truth_label").strip()
    added = {name: word for metric in rubric.metrics for name, word in metric.truth_labels.items()}
    truth = read_truth(
        label, {**TRUTH_LABELS, **{name: each for name, each in added.items() if is_determination(each)}}
    )
    found = {"determination": _build_statement(record, stated)}
    if truth is None:
        why = (
            f"the ground-truth label {label!r} is not in the rubric's table (`--label-map` translates it)"
            if label
            else ""
        )
        why = why or "the record has no ground-truth label"
        found |= {"truth": Fact(None, why), "determination_match": Fact(None, why)}
    else:
        found |= {"truth": Fact(truth, label), "determination_match": _match(stated, truth, label)}
    return found | _measure_language(record)


def _match(stated: Stated, truth: Determination, label: str) -> Fact:
    """Not known where neither a status line nor the judge tells what the answer determines."""
    if stated.determination is None and stated.by == "code":
        return Fact(None, "no determination was found")
    match = match_determination(stated.determination, truth)
    verdict = {"match": "a match", "partial": "a partial match", "mismatch": "a mismatch"}.get(
        match, "no determination"
    )
    return Fact(
        match,
        f"{verdict}: {_name_status(stated.determination)} against {_name_status(truth)} (“{label}”)",
    )


def _measure_language(record: Record) -> dict[str, Fact]:
    language = measure_language(record)
    if isinstance(language, str):
        unknown = Fact(None, language)
    elif language.close:
        unknown = Fact(None, f"{language.words}: the two languages are too similar for code to distinguish")
    else:
        found = Fact("yes" if language.found_in_record else "no", language.words)
        return {"language_share": Fact(language.share, language.words), "language_found_in_record": found}
    return {"language_share": unknown, "language_found_in_record": unknown}


def _name_status(determination: Determination | None) -> str:
    return determination.replace("_", " ") if determination else "no determination"


def _build_statement(record: Record, stated: Stated) -> Fact:
    if stated.by == "reason":
        return Fact(stated.determination, "by the judge's own words about the answer")
    if stated.span is None and stated.by == "judge":
        return Fact(UNDETERMINED, "the judge says that the answer makes no determination")
    if stated.span is None:
        return Fact(None, "the answer has no status line, and the judge quotes no determination")
    quote = stated.span.of(record.output)
    words = f"the answer's status “{quote}”" if stated.by == "code" else f"by the judge, who quotes “{quote}”"
    return Fact(stated.determination, words)
